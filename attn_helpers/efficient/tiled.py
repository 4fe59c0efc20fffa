"""Tiled attention: softmax attention, exact up to rounding, that never holds all the scores.

Chapter: notebooks/09a_same_answer_less_memory.ipynb
"""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from attn_helpers import _check
from attn_helpers.efficient.online import online_softmax_result, online_softmax_start, online_softmax_step


def tiled_attention(
    queries: Tensor,
    keys: Tensor,
    values: Tensor,
    *,
    tile: int = 64,
    mask: Tensor | None = None,
    causal: bool = False,
) -> Tensor:
    """Attend by the scaled dot product, looking at tile x tile scores at a time.

    Formula: output = softmax(Q K^T / sqrt(dim)) V, exactly, summed up by `online_softmax_step`
    Source: Dao et al. 2022, FlashAttention, algorithm 1 and section 3.1.

    Forward it holds one tile of scores, backward it computes the tiles again: the memory beside the output
    (and, for the gradients, one number per query) does not depend on the number of keys. The weights are
    never all there, so they cannot be returned. Sums of float16 and bfloat16 are kept in float32.

    Args:
        queries: Q (..., queries, dim), floating-point.
        keys: K (..., keys, dim), same dtype.
        values: V (..., keys, value_dim), same dtype. Padding must be finite: 0 times NaN is NaN.
        tile: number of queries and of keys in a tile, at least 1; a tile larger than the sequence is the
            whole sequence.
        mask: bool, True = may attend, read as in `masked_softmax`.
        causal: look back only, the last query standing at the last key as in `causal_mask`; tiles that lie in
            the future are not computed. With a mask, both must allow a key.
    Returns: output (..., queries, value_dim); a query that may attend to no key has output 0. Gradients flow
        to queries, keys and values, once (no gradients of gradients).

    >>> q, k, v = torch.zeros(1, 2), torch.zeros(3, 2), torch.tensor([[1.0], [2.0], [6.0]])
    >>> tiled_attention(q, k, v, tile=2), tiled_attention(q, k, v, tile=1)
    (tensor([[3.]]), tensor([[3.]]))
    """
    _check.queries_and_keys(queries, keys)
    _check.keys_and_values(keys, values)
    _check.same_batch(queries=queries, values=values)
    _check.count("tile", tile, least=1)
    batch = torch.broadcast_shapes(*(x.shape[:-2] for x in (queries, keys, values)))
    q, k, v = (x.expand(*batch, *x.shape[-2:]) for x in (queries, keys, values))
    if mask is not None:
        scores = torch.empty((*batch, q.shape[-2], k.shape[-2]), device="meta")  # a shape without memory
        mask = _check.fit_mask(mask, scores).expand(scores.shape)
    output: Tensor = _Tiled.apply(q, k, v, mask, tile, causal)[0]  # type: ignore[no-untyped-call]
    return output


class _Tiled(torch.autograd.Function):
    """Forward keeps the output and the log of each row's sum, from which backward gets any weight again."""

    @staticmethod
    def forward(
        q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, tile: int, causal: bool
    ) -> tuple[Tensor, Tensor]:
        output = q.new_empty((*q.shape[:-1], v.shape[-1]))
        log_sums = q.new_empty((*q.shape[:-1], 1), dtype=_wide(q.dtype))
        for rows in _parts(q.shape[-2], tile):
            state = online_softmax_start(_widened(q, rows), v.shape[-1])
            for columns in _seen(rows, q, k, tile, causal):
                scores = _scores(q, k, rows, columns, mask, causal)
                state = online_softmax_step(state, scores, _widened(v, columns))
            output[..., rows, :] = online_softmax_result(state).to(output.dtype)
            log_sum = torch.where(state.total == 0, 0.0, state.maximum + state.total.log())
            log_sums[..., rows, :] = log_sum
        return output, log_sums

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], outputs: tuple[Tensor, Tensor]) -> None:
        q, k, v, mask, ctx.tile, ctx.causal = inputs
        ctx.mark_non_differentiable(outputs[1])
        ctx.save_for_backward(q, k, v, mask, *outputs)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, slope: Tensor, _: Tensor) -> tuple[Tensor | None, ...]:
        q, k, v, mask, output, log_sums = ctx.saved_tensors
        scale = q.shape[-1] ** -0.5
        dq, dk, dv = (
            torch.zeros_like(x, dtype=_wide(x.dtype), memory_format=torch.contiguous_format)
            for x in (q, k, v)
        )
        for rows in _parts(q.shape[-2], ctx.tile):
            slope_rows = _widened(slope, rows)
            mean = (slope_rows * _widened(output, rows)).sum(dim=-1, keepdim=True)  # (..., rows, 1)
            for columns in _seen(rows, q, k, ctx.tile, ctx.causal):
                scores = _scores(q, k, rows, columns, mask, ctx.causal)
                weights = torch.exp(scores - log_sums[..., rows, :])  # (..., rows, columns)
                dv[..., columns, :] += weights.mT @ slope_rows
                d_scores = weights * (slope_rows @ _widened(v, columns).mT - mean) * scale
                dq[..., rows, :] += d_scores @ _widened(k, columns)
                dk[..., columns, :] += d_scores.mT @ _widened(q, rows)
        return dq.to(q.dtype), dk.to(k.dtype), dv.to(v.dtype), None, None, None


def _parts(length: int, tile: int) -> list[slice]:
    return [slice(start, min(start + tile, length)) for start in range(0, length, tile)]


def _seen(rows: slice, q: Tensor, k: Tensor, tile: int, causal: bool) -> Iterator[slice]:
    """Give the tiles of keys, without those that lie in the future of all the rows."""
    last = rows.stop - 1 + k.shape[-2] - q.shape[-2]
    return (columns for columns in _parts(k.shape[-2], tile) if not causal or columns.start <= last)


def _scores(q: Tensor, k: Tensor, rows: slice, columns: slice, mask: Tensor | None, causal: bool) -> Tensor:
    """Scores of one tile (..., rows, columns), -inf where a key may not be attended."""
    scores = (_widened(q, rows) * q.shape[-1] ** -0.5) @ _widened(k, columns).mT
    if mask is not None:
        scores = scores.masked_fill(~mask[..., rows, columns], float("-inf"))
    if causal:
        positions = torch.arange(rows.start, rows.stop, device=q.device) + k.shape[-2] - q.shape[-2]
        later = torch.arange(columns.start, columns.stop, device=q.device) > positions[:, None]
        scores = scores.masked_fill(later, float("-inf"))
    return scores


def _widened(x: Tensor, part: slice) -> Tensor:
    return x[..., part, :].to(_wide(x.dtype))


def _wide(dtype: torch.dtype) -> torch.dtype:
    return torch.promote_types(dtype, torch.float32)
