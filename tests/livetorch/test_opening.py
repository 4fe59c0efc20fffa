"""`figure.open`: the lines of the page, in a notebook."""

import math

import pytest
import torch

from livetorch import explore, node
from livetorch.views import Heatmap

KEYS = torch.tensor([0.0, 1.0, 2.0])


def weights(width):
    distances = (KEYS[:, None] - KEYS) ** 2
    scores = -distances / (2 * width**2)
    return {"scores": scores, "weights": torch.softmax(scores, dim=-1)}


@pytest.fixture
def figure():
    figure = explore(weights, width=(0.5, 2.0))
    figure.set(width=0.5)
    return figure


def test_a_number_prints_its_line_and_those_it_was_made_of(figure):
    assert str(figure.open("weights", (0, 2))).splitlines() == [
        "weights[0, 2] = e^−8 / (e^0 + e^−2 + e^−8) = 0.00030",
        "  scores[0, 0] = 0 / (0.50^2·2) = 0",
        "  scores[0, 1] = −1 / (0.50^2·2) = −2",
        "  scores[0, 2] = −4 / (0.50^2·2) = −8",
    ]


def test_it_leads_down_to_the_control_and_names_the_readers_line(figure):
    opened = figure.open("weights", (0, 2))
    assert opened.value == pytest.approx(math.exp(-8) / (1 + math.exp(-2) + math.exp(-8)), rel=1e-6)
    assert opened.line == 'return {"scores": scores, "weights": torch.softmax(scores, dim=-1)}'
    assert opened.parts[2].line == "scores = -distances / (2 * width**2)"
    ends = {part.text: part.kind for part in opened.parts[2].parts}
    assert ends == {
        "-distances[0, 2] = −4, the same at every setting, and stored with the figure": "constant",
        "width = 0.50, your slider “Width”": "control",
    }


def test_a_number_that_is_not_there_is_named_with_the_shape(figure):
    with pytest.raises(ValueError, match=r'"weights" has the shape \[3,3\], and no number at \[0,5\]'):
        figure.open("weights", (0, 5))
    with pytest.raises(ValueError, match='no output "weight"; the outputs are scores, weights'):
        figure.open("weight", (0, 0))


def test_without_node_it_says_what_it_needs(figure, monkeypatch):
    monkeypatch.setattr(node, "_artists", {})
    monkeypatch.setattr(node.shutil, "which", lambda _: None)
    with pytest.raises(RuntimeError, match="opening a number needs Node"):
        figure.open("weights", (0, 2))


def test_heads_masks_writes_einsum_and_gradients_of_a_function_nobody_has_seen():
    """All of it in one function: loops over heads, a write in place, a mask, an einsum, a gradient."""
    generator = torch.Generator().manual_seed(1)
    W_q, W_k = (torch.nn.Parameter(torch.randn(2, 4, 3, generator=generator)) for _ in range(2))
    tokens = torch.randn(5, 4, generator=generator)

    def strange(scale, shift):
        x = tokens * scale + shift
        heads = torch.zeros(2, 5, 5)
        for head in range(2):
            q, k = x @ W_q[head], x @ W_k[head]
            scores = torch.einsum("id,jd->ij", q, k) / math.sqrt(3)
            scores = scores.masked_fill(torch.ones(5, 5).triu(1).bool(), -torch.inf)
            heads[head] = torch.softmax(scores, dim=-1)

        def loss(at):
            return (torch.einsum("hij,jd->hid", heads, x) * at).square().mean()

        return {"heads": heads, "slope": torch.func.grad(loss)(scale), "best": heads.amax(-1)}

    figure = explore(strange, view=Heatmap(output="best"), scale=(0.5, 2.0), shift=(-1.0, 1.0))
    heads = figure.open("heads", (1, 3, 2))
    assert heads.line == "heads[head] = torch.softmax(scores, dim=-1)"
    assert [part.text.split(" = ")[0] for part in heads.parts[:4]] == [f"scores[3, {k}]" for k in range(4)]
    assert heads.parts[4].text.startswith("−∞") or heads.parts[4].text.endswith(
        "because the condition is True"
    )
    query = heads.parts[0].parts[0]
    assert query.text.startswith("q[3, 0] = ")
    assert query.line == "q, k = x @ W_q[head], x @ W_k[head]"
    assert figure.open("slope", ()).kind == "computed"
    assert ", which is heads[0, 4, 0]" in figure.open("best", (0, 4)).text


M = torch.tensor([[2.0, 1.0, 0.5], [0.0, 3.0, 1.0], [1.0, 0.0, 4.0]])
MATRICES = {
    "det": (torch.linalg.det, (), "2·(3·4 − 1·0) − 1·(0·4 − 1·1) + 0.50·(0·0 − 3·1)"),
    "inv": (torch.linalg.inv, (0, 1), "−(1·4 − 0.50·0) / det("),
    "solve": (
        lambda A: torch.linalg.solve(A, A[0]),
        (1,),
        "where B stands in column 1 of the first determinant",
    ),
    "U": (lambda A: torch.linalg.svd(A)[0], (2, 0), "(1·0.33 + 0·0.35 + 4·0.88) / 4.53"),
    "S": (lambda A: torch.linalg.svdvals(A), (0,), "√("),
    "R": (lambda A: torch.linalg.qr(A)[1], (0, 0), "−√(2^2 + 0^2 + 1^2)"),
    "eigenvalue": (lambda A: torch.linalg.eigvalsh(A), (2,), "0.38·2·0.38 + "),
    "triangle": (lambda A: torch.linalg.solve_triangular(A, A, upper=True), (1, 1), "(3 − 1·0) / 3"),
    "scatter": (
        lambda A: torch.ones(2).scatter_reduce(0, torch.tensor([1, 1]), A[0], "mean"),
        (1,),
        "(1 + 2 + 1) / 3",
    ),
    "cholesky": (lambda A: torch.linalg.cholesky(A @ A.T), (0, 0), "√(2·2 + 1·1 + 0.50·0.50)"),
    "upper bound": (lambda A: A.clamp(max=2.5), (1, 1), "min(3, 2.50) = 2.50"),
    "variance": (lambda A: A.var(1, correction=0), (0,), "the variance (over 3) of (2, 1, 0.50) = 0.39"),
    "empty row": (
        lambda A: (A - torch.inf).softmax(-1),
        (0, 0),
        "NaN, as all of (2 − ∞, 1 − ∞, 0.50 − ∞) are −∞",
    ),
    "power": (lambda A: A.long().float() ** -1, (0, 0), "2^−1 = 0.50"),
}


@pytest.mark.parametrize("name", MATRICES)
def test_what_a_matrix_gives_is_written_out(name):
    fn, place, said = MATRICES[name]
    figure = explore(lambda a: fn(M * a), a=(1.0, 2.0))
    figure.set(a=1.0)
    assert said in figure.open("output", place).text
