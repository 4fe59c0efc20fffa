"""Attention found in recorded models of plain torch, and the figure of it."""

import json

import pytest
import torch
from patched import Patched
from torch import nn
from torch.nn import functional

from attn_helpers import look_inside, masked_softmax
from livetorch import Text, explore, trace
from livetorch.inside.draft import Draft
from livetorch.inside.find import find_attention, shapes_of
from livetorch.inside.maps import NoAttentionError, maps_of, run_maps
from livetorch.inside.padding import PaddingError
from livetorch.program.encoding import Constant
from livetorch.program.errors import InputError, LiveWarning
from livetorch.program.weights import KINDS, Sizes, narrowed

Q, K, V = torch.randn(2, 4, 5, 8), torch.randn(2, 4, 7, 8), torch.randn(2, 4, 7, 6)


def found(fn, **inputs):
    """All maps of a function: their names and weights."""
    draft = Draft.of(trace(fn, **inputs))
    maps = maps_of(draft)
    return [map_.name for map_ in maps], run_maps(draft, maps, inputs)


def scores(q, k):
    return q @ k.transpose(-1, -2) / 8**0.5


def by_exp(q, k, v):
    top = torch.exp(scores(q, k))
    return top / top.sum(-1, keepdim=True) @ v


def with_sink(q, k, v):
    sink = torch.zeros(*q.shape[:-1], 1)
    return torch.softmax(torch.cat([scores(q, k), sink], -1), -1)[..., :-1] @ v


def heads_last(q, k, v):
    return torch.einsum("bkqh,bhkd->bqhd", torch.softmax(scores(q, k).permute(0, 3, 2, 1), 1), v)


def difference(q, k, v):
    return (torch.softmax(scores(q, k), -1) - torch.softmax(2 * scores(q, k), -1) / 2) @ v


def mixed(q, k, v):
    mix = torch.eye(4) + 0.1
    weights = torch.softmax(scores(q, k), -1)
    return torch.einsum("gh,bhqk->bgqk", mix, weights) @ v


ONE = torch.softmax(scores(Q, K), -1)
MASK = torch.ones(5, 7, dtype=torch.bool).tril(2)
WAYS = {
    "softmax": (lambda q, k, v: torch.softmax(scores(q, k), -1) @ v, ONE),
    "einsum": (lambda q, k, v: torch.einsum("bhqk,bhkd->bqhd", torch.softmax(scores(q, k), -1), v), ONE),
    "keys first": (lambda q, k, v: v.mT @ torch.softmax(scores(k, q), -2), ONE),
    "fused": (lambda q, k, v: functional.scaled_dot_product_attention(q, k, v), ONE),
    "masked": (lambda q, k, v: masked_softmax(scores(q, k), MASK) @ v, masked_softmax(scores(Q, K), MASK)),
    "scaled after": (lambda q, k, v: (torch.softmax(scores(q, k), -1) * 0.5) @ v, ONE * 0.5),
    "dropout": (lambda q, k, v: functional.dropout(torch.softmax(scores(q, k), -1), 0.5, False) @ v, ONE),
    "log_softmax": (lambda q, k, v: torch.log_softmax(scores(q, k), -1).exp() @ v, ONE),
    "exp over its sum": (by_exp, ONE),
    "written out": (
        lambda q, k, v: (torch.softmax(scores(q, k), -1)[..., None] * v[:, :, None]).sum(-2),
        ONE,
    ),
    "a sink": (with_sink, torch.softmax(functional.pad(scores(Q, K), (0, 1)), -1)[..., :-1]),
    "heads last": (heads_last, ONE),
    "a difference": (difference, ONE - torch.softmax(2 * scores(Q, K), -1) / 2),
    "mixed heads": (mixed, torch.einsum("gh,bhqk->bgqk", torch.eye(4) + 0.1, ONE)),
}


@pytest.mark.parametrize("way", WAYS)
def test_attention_is_found_however_it_is_written(way):
    fn, weights = WAYS[way]
    _, maps = found(fn, q=Q, k=K, v=V)
    assert len(maps) == 1
    torch.testing.assert_close(maps[0].reshape(weights.shape), weights)


def test_grouped_heads_have_a_map_for_each_query_head():
    def grouped(q, k, v):
        return functional.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)

    _, (weights,) = found(
        grouped, q=torch.randn(1, 4, 5, 8), k=torch.randn(1, 2, 5, 8), v=torch.randn(1, 2, 5, 8)
    )
    assert weights.shape == (1, 4, 5, 5)
    assert weights.triu(1).abs().max() == 0


@pytest.mark.parametrize(
    "fn",
    [
        lambda x: torch.softmax(x @ torch.ones(4, 3), -1),
        lambda x: torch.softmax(x, -1) * torch.ones(4),
        lambda x: torch.sigmoid(x @ x.T) @ x,
        nn.Sequential(nn.Linear(4, 4), nn.ReLU()),
        lambda x: functional.cross_entropy(x, torch.tensor([0, 1, 2])),
    ],
)
def test_what_does_not_attend_gets_a_clear_word(fn):
    with pytest.raises(NoAttentionError, match="nothing attends here"):
        found(lambda x: fn(x), x=torch.randn(3, 4))


def test_each_layer_of_a_transformer_is_named_by_its_module():
    model = nn.Transformer(16, 4, 2, 2, 32, batch_first=True).eval()
    x, y = torch.randn(1, 5, 16), torch.randn(1, 3, 16)
    draft = Draft.of(trace(lambda x, y: model(x, y), x=x, y=y))
    places = find_attention(draft, shapes_of(draft))
    assert [place.module for place in places] == [
        "encoder.layers.0.self_attn",
        "encoder.layers.1.self_attn",
        "decoder.layers.0.self_attn",
        "decoder.layers.0.multihead_attn",
        "decoder.layers.1.self_attn",
        "decoder.layers.1.multihead_attn",
    ]
    assert [sorted(place.keys_from) for place in places][:4] == [["x"], ["x"], ["y"], ["x"]]
    expected = model.encoder.layers[0].self_attn(x, x, x, average_attn_weights=False)[1]
    torch.testing.assert_close(run_maps(draft, maps_of(draft), {"x": x, "y": y})[0], expected)


def test_a_figure_chooses_layer_and_head():
    model = nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 4, 32, batch_first=True), 2).eval()
    x = torch.randn(1, 5, 16)
    figure = look_inside(model, src=x)
    figure.set(layer=1, head=3)
    hidden = model.layers[0](x)
    weights = model.layers[1].self_attn(hidden, hidden, hidden, average_attn_weights=False)[1]
    torch.testing.assert_close(figure.outputs["heads"], weights[0].detach())
    torch.testing.assert_close(figure.outputs["weights"], weights[0, 2].detach())
    assert figure.spec["picks"]["heads"]["control"] == "head"
    assert "e^" in str(figure.open("weights", (0, 0)))


def test_a_module_may_return_what_it_likes():
    layer, x = nn.MultiheadAttention(8, 2, batch_first=True).eval(), torch.randn(1, 5, 8)
    figure = look_inside(layer, query=x, key=x, value=x)
    own = layer(x, x, x, average_attn_weights=False)[1][0]
    torch.testing.assert_close(figure.outputs["heads"], own, rtol=0, atol=1e-6)
    later = look_inside(lambda x: (x.sum(), {"rest": [torch.softmax(x @ x.T, -1) @ x]}), x=x[0])
    assert later.outputs["weights"].shape == (5, 5)


def test_a_picture_is_read_in_patches():
    figure = look_inside(Patched().eval(), lambda image: image, torch.rand(3, 16, 8))
    assert figure.outputs["patches"].shape == (4, 2)
    assert figure.outputs["picture"].shape == (16, 8)
    figure.set(query=3)
    torch.testing.assert_close(figure.outputs["patches"].flatten(), figure.outputs["weights"][2])
    assert figure.outputs["chosen"].nonzero().tolist() == [[1, 0]]
    picks = figure.spec["picks"]["rows of the picture"]
    assert (picks["beside"], picks["width"]) == ("columns of the picture", 8)
    assert picks["values"][9 * 8 + 5] == 6  # a cell of the third row of patches, at the right
    assert figure.spec["views"][0]["block"] == [4, 4]


def test_a_tensor_of_a_text_that_is_filled_up_is_refused_where_its_maps_change():
    """A mean over all tokens looks at the filling, which no mask of attention hides."""
    from livetorch.inside.maps import Padded
    from livetorch.inside.padding import check_padding

    table = torch.randn(9, 4)

    def looks(text):
        x = table[text]
        x = x + x.mean(0)
        return torch.softmax(x @ x.T, -1) @ x

    text = torch.tensor([1, 2, 3, 0, 0, 0])
    for fn, fails in (
        (looks, True),
        (lambda text: torch.softmax(table[text] @ table[text].T, -1) @ table[text], False),
    ):
        draft = Draft.of(trace(fn, text=text))
        texts = [Padded("text", 6)]
        maps = maps_of(draft, texts)
        if fails:
            with pytest.raises(PaddingError, match="looks at the filling"):
                check_padding(fn, {"text": text}, {"text": 3}, texts, draft, maps)
        else:
            assert check_padding(fn, {"text": text}, {"text": 3}, texts, draft, maps) < 1e-6


def attend(x):
    return torch.softmax(x @ x, -1) @ x


def sees(pixel_values):
    return attend(pixel_values)


class Words:
    """Stands for a tokenizer, which is not asked before what is wrong is said."""

    def encode(self, text):
        raise NotImplementedError


class Configured(nn.Module):
    """A module that says, as those of transformers do, whether it has a decoder."""

    def __init__(self, both):
        super().__init__()
        self.config = type("Config", (), {"is_encoder_decoder": both})()
        self.eval()

    def forward(self, input_ids, decoder_input_ids=None):
        raise NotImplementedError


def partly_training():
    model = nn.Sequential(nn.Linear(2, 2), nn.Dropout()).eval()
    model[1].train()
    return model


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (lambda: look_inside("bert"), "must be a module or a function"),
        (lambda: look_inside(nn.Linear(2, 2), input=torch.ones(2)), "training mode"),
        (lambda: look_inside(partly_training(), input=torch.ones(2)), r"model\.1 is in training mode"),
        (
            lambda: look_inside(nn.Linear(2, 2, device="meta").eval(), input=torch.ones(2)),
            "weight has no numbers",
        ),
        (lambda: look_inside(nn.Linear(2, 2).eval(), object(), None), "needs a text"),
        (lambda: look_inside(attend, Words(), b"a"), "text must be a text that is not empty, or a list"),
        (lambda: look_inside(attend, Words(), " "), "not empty, or a list of them, got text=' '"),
        (lambda: look_inside(attend, Words(), ["a", 3]), r"got text=\['a', 3\]"),
        (
            lambda: look_inside(attend, Words(), "a", 5),
            "target must be a text that is not empty, got target=5",
        ),
        (lambda: look_inside(attend, Words(), "a", length=1), "at least 2, got length=1"),
        (lambda: look_inside(attend, Words(), "a", lenght=64), "lenght cannot be given beside a tokenizer"),
        (lambda: look_inside(Configured(True), Words(), "a"), "target says what the decoder reads"),
        (
            lambda: look_inside(Configured(False), Words(), "a", "b"),
            "Configured reads one text, got target='b'",
        ),
        (lambda: look_inside(nn.Linear(2, 2).eval(), None, "a"), "needs the model's tokenizer"),
        (lambda: look_inside(nn.Linear(2, 2).eval(), object(), "a"), "has no tokenizer.json"),
        (lambda: look_inside(sees, abs, "cat.png"), "sees reads an image, got text='cat.png': open it first"),
        (lambda: look_inside(sees, abs, torch.ones(2, 3, 8, 8)), r"one image .*got shape \(2, 3, 8, 8\)"),
        (lambda: look_inside(lambda x: x), "no control feeds the argument x|needs an input"),
        (
            lambda: look_inside(lambda x: torch.softmax(x @ x, -1) @ x, x=torch.eye(2), weights="int4"),
            "weights must be",
        ),
        (lambda: look_inside(lambda x: torch.rand(2) * x, x=torch.eye(2)), "random"),
        (lambda: look_inside(nn.Linear(2, 2).eval(), input=torch.ones(2)), "nothing attends here"),
    ],
)
def test_what_is_wrong_is_said(given, said):
    with pytest.raises(ValueError, match=said):
        given()


def test_a_model_too_large_has_its_maps_stored(monkeypatch):
    import livetorch.inside.figure as module

    monkeypatch.setattr(module, "MOST_BYTES", 1000)
    model = nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 4, 32, batch_first=True), 2).eval()
    with pytest.warns(LiveWarning, match="as int8"):
        figure = look_inside(model, src=torch.randn(1, 5, 16))
    assert figure.outputs["heads"].shape == (4, 5, 5)
    assert figure.sizes.numbers == 2 * 4 * 5 * 5


def test_a_notebook_says_how_a_large_model_is_saved_as_it_was_asked_for(monkeypatch):
    import livetorch.inside.figure as module

    monkeypatch.setattr(module, "MOST_IN_NOTEBOOK", 0)
    figure = look_inside(
        lambda x: (x @ x.T).softmax(-1) @ x @ torch.ones(5, 80), x=torch.eye(5), weights="int8"
    )
    (bundle, _) = figure._repr_mimebundle_()
    assert 'figure.save("page.html") makes a live page, with int8' in bundle["text/plain"]
    assert (figure.card["programs"], len(figure.spec["programs"])) == ([], 1)
    assert figure.open("weights", (0, 0)).value == pytest.approx(float(figure.outputs["weights"][0, 0]))


def test_int8_keeps_each_row_to_a_half_step():
    table = torch.randn(100, 64)
    kept = Constant.rounded(table)
    assert (kept.tensor - table).abs().max() <= (table.abs().amax(1) / 127 / 2).max() * 1.01
    assert torch.equal(Constant.from_dict(json.loads(json.dumps(kept.to_dict()))).tensor, kept.tensor)


@pytest.mark.parametrize("weights", KINDS)
def test_sizes_are_those_of_what_is_written(weights):
    tables = [torch.randn(30, 384), torch.randn(50, 101), torch.randn(5000), torch.eye(80), torch.randn(9)]
    program = trace(lambda x: sum((table * x).sum() for table in tables), x=torch.tensor(2.0))
    (kept,) = narrowed([program], weights)
    written = [constant.to_dict() for constant in kept.constants]
    sent = sum(len(each.get(part, "")) for each in written for part in ("data", "scales", "signs"))
    assert Sizes.of_programs([program]).of(weights) == sent > 4096


@pytest.mark.parametrize("weights", KINDS)
def test_a_figure_is_saved_as_a_page(tmp_path, weights):
    table = torch.randn(80, 80)
    figure = explore(lambda x: table @ (x * torch.ones(80)), x=(0.0, 1.0))
    figure.weights = weights
    page = figure.save(tmp_path / "figure.html").read_text()
    assert page.count("<figure") == 1
    assert "http://" not in page.replace("http://www.w3.org", "")
    credit = page.partition('<p class="lt-credit">')[2]
    assert (weights in credit) == (weights != "float32")
    assert f"{len(page.encode()) / 1e6:.1f} MB" in credit
    figure.save(tmp_path / "folder", large=True, weights=weights)
    assert {path.name for path in (tmp_path / "folder").iterdir()} == {"index.html", "weights"}


def test_a_picture_shows_the_present_settings(tmp_path):
    figure = explore(lambda x: torch.stack([x, 1 - x]), x=(0.0, 1.0))
    figure.set(x=0.25)
    assert ">0.7500<" in figure.save(tmp_path / "a.svg").read_text()
    assert figure.save(tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(InputError, match=r"must end in \.html, \.svg, \.png"):
        figure.save(tmp_path / "a.pdf")


def test_experts_that_are_chosen_token_by_token_are_recorded():
    matrices = torch.randn(3, 8, 8)

    def experts(x):
        chosen, order = x.sum(-1).gt(0).long().sort()
        ends = torch.cumsum((chosen[:, None] == torch.arange(3)).sum(0), 0, dtype=torch.int32)
        x = torch._grouped_mm(x[order], matrices, offs=ends)
        return {"output": torch.softmax(x @ x.T, -1) @ x}

    x, other = torch.randn(2, 6, 8)
    assert look_inside(experts, x=x).exact_programs
    torch.testing.assert_close(trace(experts, x=x).run(x=other), experts(other))


def test_a_sink_has_a_score_and_is_no_key():
    def attend(words):
        x = torch.eye(2)[words]
        scores = torch.cat([torch.full((len(x), 1), 0.5), x @ x.T], -1)
        return torch.softmax(scores, -1)[:, 1:] @ x

    figure = look_inside(attend, words=Text("ab", vocabulary=["a", "b"], length=4))
    weights = figure.outputs["weights"][:2]
    e = torch.tensor([1.0, 0.0]).exp()
    wanted = torch.stack([e, e.flip(0)]) / (e.sum() + torch.tensor(0.5).exp())
    torch.testing.assert_close(weights, functional.pad(wanted, (0, 2)))


class Embedded(nn.Module):
    """Positions for eight tokens, and what a subclass does to the embedded text."""

    def __init__(self):
        super().__init__()
        self.table, self.positions = nn.Embedding(30, 8), nn.Embedding(8, 8)
        self.eval()

    def forward(self, text):
        x = self.table(text) + self.positions(torch.arange(text.shape[1]))
        return torch.softmax(x @ x.mT, -1) @ x


class Branching(Embedded):
    def forward(self, text):
        return super().forward(text) if (text == 3).any() else self.table(text)


class Keeping(Embedded):
    """The keys of all earlier calls, which here are those of this one again."""

    kept = None

    def forward(self, text):
        x = self.table(text)
        self.kept = x if self.kept is None else torch.cat([self.kept, x], 1)
        return torch.softmax(x @ self.kept.mT, -1) @ self.kept


@pytest.mark.parametrize(
    ("model", "said"),
    [
        (
            Embedded,
            r"Embedded failed on line \d+ of forward \(test_inside.py\).* called with 16 tokens.*length=",
        ),
        (Branching, r"branch on line \d+ of forward \(test_inside.py\): .*torch.where"),
        (Keeping, r"keeps something.* A cache keeps what earlier calls gave"),
    ],
)
def test_what_is_wrong_with_a_text_names_the_model_and_its_line(model, said):
    tokenizers = pytest.importorskip("tokenizers")
    made = tokenizers.Tokenizer(tokenizers.models.WordLevel({"a": 0, "b": 3}, "a"))
    made.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    with pytest.raises(ValueError, match=said):
        look_inside(model(), made, "a b a a")
    for text in ("a b a a", "a b", "a"):
        assert look_inside(Embedded(), made, text, length=8).outputs["weights"].shape == (8, 8)


def test_a_tokenizer_that_fills_up_by_itself_puts_no_more_behind_a_text():
    tokenizers = pytest.importorskip("tokenizers")
    from livetorch.inside.tokens import TokenizedText

    made = tokenizers.Tokenizer(tokenizers.models.WordLevel({"a": 0, "[SEP]": 1, "[UNK]": 2}, "[UNK]"))
    made.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    made.post_processor = tokenizers.processors.TemplateProcessing("$A [SEP]", special_tokens=[("[SEP]", 1)])
    made.enable_padding(length=32)
    made.enable_truncation(64)
    text = TokenizedText("a a a a", tokenizer=made, length=3)
    assert (text.behind, text.tokens("a a a a")) == (1, ["a", "a", "[SEP]"])
    assert made.padding["length"] == 32
