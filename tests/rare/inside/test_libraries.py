"""Every library of the guide: its maps are found, are the library's own, and are the page's too."""

import pytest
import torch
from libraries import LIBRARIES, given, own_maps, torchvision
from torch import nn

from attn_helpers import look_inside
from livetorch.inside.maps import NoAttentionError
from livetorch.tracing.verifying.in_page import run_in_page


def figure_of(name):
    torch.manual_seed(0)
    library = LIBRARIES[name]
    model = library.make().eval()
    return model, library, look_inside(model, *given(library.kind))


def shown(figure, layer):
    """The heads of a layer as they are seen: without what a text is filled up with."""
    figure.set(layer=layer)
    heads = figure.outputs["heads"]
    view = figure.spec["views"][0] if figure.spec["views"][0]["source"] == {"output": "weights"} else None
    if view is None:
        return heads

    def count(labels):
        while labels and "by" in labels:
            labels = labels["cases"][layer]
        return int(figure.inputs_now()[f"{labels['text']}_length"]) if labels and "text" in labels else None

    return heads[:, : count(view["yticks"]), : count(view["xticks"])]


@pytest.mark.parametrize("name", LIBRARIES)
def test_maps_are_found_and_equal(name):
    model, library, figure = figure_of(name)
    assert len(figure.exact_programs) == library.maps
    if not library.attentions:
        return
    given_by_library = own_maps(model, library, figure)
    assert len(given_by_library) == library.maps
    for layer, own in enumerate(given_by_library):
        torch.testing.assert_close(shown(figure, layer), own[0], atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("name", LIBRARIES)
def test_the_page_computes_them_too(name):
    _, _, figure = figure_of(name)
    figure.set(layer=len(figure.exact_programs) - 1)
    program = figure.exact_programs[-1]
    inputs = {spec.name: figure.inputs_now()[spec.name] for spec in program.inputs}
    (outputs,) = run_in_page(program, [inputs])()
    for name, tensor in program.run(**inputs).items():
        torch.testing.assert_close(outputs[name], tensor, atol=1e-5, rtol=1e-4)


def test_a_residual_net_has_none():
    with pytest.raises(NoAttentionError, match="nothing attends here"):
        look_inside(torchvision.models.resnet18().eval(), lambda image: image, torch.rand(3, 32, 32))


def test_a_model_in_plain_torch_takes_text_too():
    class Tiny(nn.Module):
        def __init__(self):
            super().__init__()
            self.table = nn.Embedding(50, 16)
            self.layers = nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 4, 32, batch_first=True), 2)

        def forward(self, ids):
            return self.layers(self.table(ids))

    figure = look_inside(Tiny().eval(), *given("text"))
    assert len(figure.exact_programs) == 2


def test_a_text_longer_than_the_positions_is_refused():
    model, library, _ = figure_of("transformers: GPT-2")
    tokenizer, text = given(library.kind)
    for texts in (" ".join([text] * 6), [text, " ".join([text] * 6)]):
        with pytest.raises(ValueError, match=r"has 50 tokens, but the model has positions for 32"):
            look_inside(model, tokenizer, texts)
