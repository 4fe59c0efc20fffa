"""What runs in the page's Python besides torch: the book's formulas, checkers and live figures."""

from both_torches import differs, in_page, in_torch

NAMES = (
    "AdditiveAttention MultiHeadAttention alibi_bias apply_rotary causal_mask kernel_weights masked_softmax "
    "scaled_dot_product_attention sinusoidal_positions"
)
START = f"import torch\ntorch.manual_seed(0)\nfrom attn_helpers import {', '.join(NAMES.split())}\n"
FORMULAS = [
    f"{START}q = torch.randn(2, 3, 4)\n{code}"
    for code in (
        "print(scaled_dot_product_attention(q, q, q, mask=causal_mask(3)))",
        "print(masked_softmax(q @ q.mT, valid_lens=torch.tensor([1, 3])))",
        "print(kernel_weights(torch.ones(3), torch.linspace(0, 1, 4), kernel='gaussian', width=0.3))",
        "layer = MultiHeadAttention(4, 2)\nout, weights = layer(q, q, q)\nout.sum().backward()\n"
        "print(layer, out, weights, [p.grad.abs().sum().item() for p in layer.parameters()])",
        "print(AdditiveAttention(4, 4, 5)(q, q, q))",
        "print(sinusoidal_positions(5, 4), apply_rotary(q), alibi_bias(2, 3))",
        "print(masked_softmax(q, mask=torch.ones(2, 2, dtype=torch.bool)))",
    )
]
CHECKED = [
    f"from attn_lessons.exercises import check, hint, solution\n{code}"
    for code in (
        "print(repr(check('causal-mask', solution('causal-mask'))))",
        "import torch\nprint(repr(check('causal-mask', lambda num_queries, num_keys: "
        "torch.ones(num_queries, num_keys).tril().bool())))",
        "print(repr(check('masked-softmax', lambda scores, mask: (scores * mask).softmax(-1))))",
        "print(repr(hint('causal-mask')))",
    )
]
FIGURE = """
import torch
from livetorch import Heatmap, Slider, explore
keys = torch.tensor([0.0, 1.0, 3.0])
def weights(width, first):
    scores = -((keys / width) ** 2)
    scores[0] = scores[0] * first
    return {"weights": scores.softmax(-1)[None], "width": width.reshape(1)}
figure = explore(weights, width=(0.5, 2.0), first=Slider(0, 3, 1, 1), view=Heatmap("weights"))
figure.value = {"width": 1.5, "first": 2}
print(repr(figure), figure.outputs["weights"], [c["name"] for c in figure.spec["controls"]])
"""
TURNED = """
import torch
from livetorch import explore
start = torch.arange(12.0).reshape(3, 4)
def seen(x):
    turned = (start * x).T * 2  # it lies in memory as it did before it was turned
    return {"diagonal": turned.diagonal(), "windows": turned.unfold(0, 2, 1).sum(-1), "row": turned[1:, 0]}
figure = explore(seen, x=(0.5, 2.0))
figure.value = {"x": 1.5}
print(figure.outputs)
"""
REFUSED = [
    "import torch\nfrom livetorch import trace\n"
    f"try:\n    trace(lambda x: {code}, x=1.0)\nexcept ValueError as e:\n    print(type(e).__name__)"
    for code in ("x if x > 0 else -x", "torch.rand(2) * x", "torch.tensor(float(x))", "[x]")
]


def test_formulas_checkers_and_figures_say_in_the_page_what_they_say_in_jupyter(tmp_path):
    codes = [*FORMULAS, *CHECKED, FIGURE, TURNED, *REFUSED]
    pairs = zip(codes, in_page(codes, tmp_path), in_torch(codes), strict=True)
    wrong = [
        f"{code}\n-> page\n{page}\n-> torch\n{torch}"
        for code, page, torch in pairs
        if differs(page, torch, 2e-4)
    ]
    assert wrong == [], "\n\n".join(wrong)
