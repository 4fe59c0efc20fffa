"""Attention, Live: the helper package of the book.

Weights are always (..., queries, keys); masks are bool, True = may attend; a query that may attend to no key
gets weights 0 and output 0.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from attn_helpers.attention import (
    AdditiveAttention,
    BahdanauAttention,
    DotProductAttention,
    LuongAttention,
    attend,
    scaled_dot_product_attention,
)
from attn_helpers.kernels import (
    NadarayaWatson,
    boxcar,
    epanechnikov,
    gaussian,
    kernel_functions,
    kernel_weights,
    laplacian,
    nadaraya_watson,
    quartic,
    triangular,
)
from attn_helpers.masking import (
    causal_mask,
    combine_masks,
    leave_one_out_mask,
    length_mask,
    masked_softmax,
    softmax_with_fill,
    window_mask,
)
from attn_helpers.multihead import MultiHeadAttention, merge_heads, split_heads
from attn_helpers.positions import (
    LearnedPositions,
    alibi_bias,
    alibi_slopes,
    apply_rotary,
    rotary_angles,
    sinusoidal_positions,
)
from attn_helpers.scoring import (
    additive_scores,
    bilinear_scores,
    dot_product_scores,
    gaussian_scores,
    scaled_dot_product_scores,
    score_function,
    score_functions,
)

if TYPE_CHECKING:
    from attn_helpers.chapter import Source, setup, show_source
    from attn_helpers.plotting import Heatmaps, Picture, new_axes, show_figure, show_heatmaps, show_lines

__all__ = [
    "AdditiveAttention",
    "BahdanauAttention",
    "DotProductAttention",
    "Heatmaps",
    "LearnedPositions",
    "LuongAttention",
    "MultiHeadAttention",
    "NadarayaWatson",
    "Picture",
    "Source",
    "additive_scores",
    "alibi_bias",
    "alibi_slopes",
    "apply_rotary",
    "attend",
    "bilinear_scores",
    "boxcar",
    "causal_mask",
    "combine_masks",
    "dot_product_scores",
    "epanechnikov",
    "gaussian",
    "gaussian_scores",
    "kernel_functions",
    "kernel_weights",
    "laplacian",
    "leave_one_out_mask",
    "length_mask",
    "look_inside",
    "masked_softmax",
    "merge_heads",
    "nadaraya_watson",
    "new_axes",
    "quartic",
    "rotary_angles",
    "scaled_dot_product_attention",
    "scaled_dot_product_scores",
    "score_function",
    "score_functions",
    "setup",
    "show_figure",
    "show_heatmaps",
    "show_lines",
    "show_source",
    "sinusoidal_positions",
    "softmax_with_fill",
    "split_heads",
    "triangular",
    "window_mask",
]

# matplotlib and the engine take a second to load, so these come when they are first asked for
_LATER = {
    "Heatmaps": "plotting",
    "Picture": "plotting",
    "Source": "chapter",
    "look_inside": "inside",
    "new_axes": "plotting",
    "setup": "chapter",
    "show_figure": "plotting",
    "show_heatmaps": "plotting",
    "show_lines": "plotting",
    "show_source": "chapter",
}


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_LATER[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
