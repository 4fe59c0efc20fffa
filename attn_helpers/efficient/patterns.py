"""Sparse patterns: bool matrices that say which keys a query may attend to, as values.

Chapter: notebooks/09b_another_answer_cheaper.ipynb
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from attn_helpers import _check
from attn_helpers.masking import causal_mask, window_mask


def local_pattern(length: int, window: int, *, causal: bool = False) -> Tensor:
    """Let each position attend to its neighbours.

    Formula: pattern[i, j] = (|i - j| < window), and j <= i if causal
    Source: Beltagy et al. 2020, Longformer, section 3.1 (sliding window).

    Args:
        window: how many positions a query sees in each direction, its own included, at least 1 (`window_mask`
            counts without its own: reach = window - 1).
        causal: look back only: then a query sees `window` positions in all.
    Returns: bool (length, length), True = may attend.

    >>> local_pattern(4, window=2, causal=True).int()
    tensor([[1, 0, 0, 0],
            [1, 1, 0, 0],
            [0, 1, 1, 0],
            [0, 0, 1, 1]], dtype=torch.int32)
    """
    _check.count("window", window, least=1)
    return window_mask(length, reach=window - 1, causal=causal)


def strided_pattern(length: int, stride: int, *, causal: bool = False) -> Tensor:
    """Let each position attend to every stride-th one, counted from itself.

    Formula: pattern[i, j] = ((i - j) mod stride = 0), and j <= i if causal
    Source: Child et al. 2019, Sparse Transformers, section 4.3 (strided attention).

    Args:
        stride: distance from one key to the next, at least 1; 1 is dense attention.
    Returns: bool (length, length), True = may attend.

    >>> strided_pattern(5, stride=2)[0].tolist()
    [True, False, True, False, True]
    """
    _check.count("stride", stride, least=1)
    positions = _positions(length)
    return _looking_back((positions[:, None] - positions) % stride == 0, causal)


def block_pattern(length: int, block: int, *, causal: bool = False) -> Tensor:
    """Cut the sequence into blocks and let each position attend to its own block.

    Formula: pattern[i, j] = (floor(i / block) = floor(j / block)), and j <= i if causal
    Source: Child et al. 2019, Sparse Transformers, section 4.3 (the block of fixed attention).

    Args:
        block: positions in a block, at least 1; the last block may be shorter.
    Returns: bool (length, length), True = may attend.

    >>> block_pattern(3, block=2).int()
    tensor([[1, 1, 0],
            [1, 1, 0],
            [0, 0, 1]], dtype=torch.int32)
    """
    _check.count("block", block, least=1)
    blocks = _positions(length) // block
    return _looking_back(blocks[:, None] == blocks, causal)


def global_pattern(length: int, tokens: Sequence[int], *, causal: bool = False) -> Tensor:
    """Let a few tokens attend to all, and all attend to them.

    Formula: pattern[i, j] = (i in tokens or j in tokens), and j <= i if causal
    Source: Beltagy et al. 2020, Longformer, section 3.1 (global attention).

    Args:
        tokens: positions of the global tokens, from 0; none gives a pattern that allows nothing.
    Returns: bool (length, length), True = may attend.

    >>> global_pattern(3, [0]).int()
    tensor([[1, 1, 1],
            [1, 0, 0],
            [1, 0, 0]], dtype=torch.int32)
    """
    chosen = torch.zeros_like(_positions(length), dtype=torch.bool)
    for token in tokens:
        _check.count("tokens", token)
        if token >= length:
            raise ValueError(f"tokens must lie below length={length}, got {list(tokens)}.")
        chosen[token] = True
    return _looking_back(chosen[:, None] | chosen, causal)


def combine_patterns(*patterns: Tensor) -> Tensor:
    """Allow what any of the patterns allows (`combine_masks` allows what all of them allow).

    Formula: pattern = pattern_1 or pattern_2 or ...
    Source: Child et al. 2019, Sparse Transformers, section 4.2 (factorised attention).

    Args:
        patterns: one or more bool tensors whose shapes broadcast.
    Returns: bool tensor of the broadcast shape.

    >>> both = combine_patterns(local_pattern(6, window=1), strided_pattern(6, stride=3))
    >>> both[0].tolist()
    [True, False, False, True, False, False]
    """
    if not patterns:
        raise TypeError("patterns must be one or more bool tensors, got none.")
    combined = torch.zeros((), dtype=torch.bool)
    for pattern in patterns:
        _check.bool_mask(pattern)
        if not _check.broadcasts(pattern.shape, combined.shape, both_ways=True):
            raise ValueError(
                "patterns must broadcast against each other, "
                f"got {_check.shape_text(combined)} and {_check.shape_text(pattern)}."
            )
        combined = combined.to(pattern.device) | pattern
    return combined


def reach(pattern: Tensor, layers: int) -> Tensor:
    """Find from which tokens information can have come after a number of layers.

    Formula: reach = (I or pattern)^layers, the boolean matrix power
    Source: Child et al. 2019, Sparse Transformers, section 4.2 (paths through several steps).

    The own position is always reached: layers add to what they get (residual connections).

    Args:
        pattern: bool (..., length, length); pattern[i, j] says that position i may attend to j.
        layers: number of layers with this pattern, at least 0; 0 gives the positions themselves.
    Returns: bool (..., length, length): reach[i, j] says that token j can change output i.

    >>> reach(local_pattern(5, window=2, causal=True), layers=2)[4].tolist()
    [False, False, True, True, True]
    """
    _check.bool_mask(pattern)
    _check.count("layers", layers)
    if pattern.dim() < 2 or pattern.shape[-2] != pattern.shape[-1]:
        raise ValueError(f"pattern must have shape (..., length, length), got {_check.shape_text(pattern)}.")
    own = torch.eye(pattern.shape[-1], dtype=torch.bool, device=pattern.device)
    step = (pattern | own).float()
    reached = own.expand(pattern.shape)
    for _ in range(layers):
        reached = reached.float() @ step > 0  # float32 counts paths: at most length of them in one step
    return reached


def _positions(length: int) -> Tensor:
    _check.count("length", length)
    return torch.arange(length)


def _looking_back(pattern: Tensor, causal: bool) -> Tensor:
    return pattern & causal_mask(pattern.shape[-1]) if causal else pattern
