"""Attention, Live: the helper package of the book.

Weights are always (..., queries, keys); masks are bool, True = may attend; a query that may attend to no key
gets weights 0 and output 0.
"""

from .attention import AdditiveAttention, DotProductAttention, attend, scaled_dot_product_attention
from .kernels import (
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
from .masking import (
    causal_mask,
    combine_masks,
    leave_one_out_mask,
    length_mask,
    masked_softmax,
    softmax_with_fill,
    window_mask,
)
from .scoring import (
    additive_scores,
    bilinear_scores,
    dot_product_scores,
    gaussian_scores,
    scaled_dot_product_scores,
    score_function,
    score_functions,
)

__all__ = [
    "AdditiveAttention",
    "DotProductAttention",
    "NadarayaWatson",
    "additive_scores",
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
    "masked_softmax",
    "nadaraya_watson",
    "quartic",
    "scaled_dot_product_attention",
    "scaled_dot_product_scores",
    "score_function",
    "score_functions",
    "softmax_with_fill",
    "triangular",
    "window_mask",
]
