"""Attention, Live: the helper package of the book.

Weights are always (..., queries, keys); masks are bool, True = may attend; a query that may attend to no key
gets weights 0 and output 0.
"""

import importlib
import itertools
import types
import typing

from attn_helpers.attention import AdditiveAttention as AdditiveAttention
from attn_helpers.attention import BahdanauAttention as BahdanauAttention
from attn_helpers.attention import DotProductAttention as DotProductAttention
from attn_helpers.attention import LuongAttention as LuongAttention
from attn_helpers.attention import attend as attend
from attn_helpers.attention import scaled_dot_product_attention as scaled_dot_product_attention
from attn_helpers.kernels import NadarayaWatson as NadarayaWatson
from attn_helpers.kernels import boxcar as boxcar
from attn_helpers.kernels import epanechnikov as epanechnikov
from attn_helpers.kernels import gaussian as gaussian
from attn_helpers.kernels import kernel_functions as kernel_functions
from attn_helpers.kernels import kernel_weights as kernel_weights
from attn_helpers.kernels import laplacian as laplacian
from attn_helpers.kernels import nadaraya_watson as nadaraya_watson
from attn_helpers.kernels import quartic as quartic
from attn_helpers.kernels import triangular as triangular
from attn_helpers.masking import causal_mask as causal_mask
from attn_helpers.masking import combine_masks as combine_masks
from attn_helpers.masking import leave_one_out_mask as leave_one_out_mask
from attn_helpers.masking import length_mask as length_mask
from attn_helpers.masking import masked_softmax as masked_softmax
from attn_helpers.masking import softmax_with_fill as softmax_with_fill
from attn_helpers.masking import window_mask as window_mask
from attn_helpers.multihead import MultiHeadAttention as MultiHeadAttention
from attn_helpers.multihead import merge_heads as merge_heads
from attn_helpers.multihead import split_heads as split_heads
from attn_helpers.positions import LearnedPositions as LearnedPositions
from attn_helpers.positions import alibi_bias as alibi_bias
from attn_helpers.positions import alibi_slopes as alibi_slopes
from attn_helpers.positions import apply_rotary as apply_rotary
from attn_helpers.positions import rotary_angles as rotary_angles
from attn_helpers.positions import sinusoidal_positions as sinusoidal_positions
from attn_helpers.scoring import additive_scores as additive_scores
from attn_helpers.scoring import bilinear_scores as bilinear_scores
from attn_helpers.scoring import dot_product_scores as dot_product_scores
from attn_helpers.scoring import gaussian_scores as gaussian_scores
from attn_helpers.scoring import scaled_dot_product_scores as scaled_dot_product_scores
from attn_helpers.scoring import score_function as score_function
from attn_helpers.scoring import score_functions as score_functions

# matplotlib and the engine take a second to load, so these come when they are first asked for
if typing.TYPE_CHECKING:
    from attn_helpers.chapter import Source as Source
    from attn_helpers.chapter import setup as setup
    from attn_helpers.chapter import show_source as show_source
    from attn_helpers.inside import look_inside as look_inside
    from attn_helpers.plotting import Heatmaps as Heatmaps
    from attn_helpers.plotting import Picture as Picture
    from attn_helpers.plotting import new_axes as new_axes
    from attn_helpers.plotting import show_figure as show_figure
    from attn_helpers.plotting import show_heatmaps as show_heatmaps
    from attn_helpers.plotting import show_lines as show_lines

_LATER = {
    "chapter": ("Source", "setup", "show_source"),
    "inside": ("look_inside",),
    "plotting": ("Heatmaps", "Picture", "new_axes", "show_figure", "show_heatmaps", "show_lines"),
}


def _names() -> list[str]:
    """List all that is taken from the modules, and no module."""
    taken = [name for name, value in globals().items() if not isinstance(value, types.ModuleType)]
    return sorted(name for name in [*taken, *itertools.chain(*_LATER.values())] if name[0] != "_")


def __getattr__(name: str) -> object:
    if name == "__all__":
        return _names()
    for module, names in _LATER.items():
        if name in names:
            return getattr(importlib.import_module(f".{module}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_names()})
