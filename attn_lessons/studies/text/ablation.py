"""Taking heads out of the language model: each says what it says on average, not what it sees in this text.

Chapter: notebooks/10b_inside_the_writer.ipynb
"""

from typing import cast

import torch
from torch import Tensor

from attn_helpers import _check
from attn_helpers.attention import scaled_dot_product_attention
from attn_helpers.masking import causal_mask
from attn_helpers.multihead import merge_heads, split_heads
from attn_lessons.studies.text.language_model import LanguageModel
from attn_lessons.studies.transformer import Block


def replaced_heads(
    model: LanguageModel, ids: Tensor, heads: Tensor, instead: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """Read a text with some heads' outputs replaced.

    Formula: output_h <- where(heads_h, softmax(Q_h K_h^T / sqrt(dim)) V_h, instead_h), before W_o mixes them
    Source: Michel et al. 2019, Are Sixteen Heads Really Better than One? (heads taken out one by one).

    Args:
        ids: (batch, length) int64, as the model takes them.
        heads: (layers, heads) bool, True = as it is.
        instead: (layers, heads, window, dim), the first `length` places are used; zeros, or `mean_outputs`.
    Returns: logits (batch, length, vocabulary), weights (batch, layers, heads, queries, keys) and what each
        head gives (batch, layers, heads, length, dim), before it is replaced.

    >>> model = LanguageModel(7, max_length=5, d_model=6, num_heads=2, num_layers=3).eval()
    >>> ids, all_on = torch.tensor([[0, 4, 2]]), torch.ones(3, 2, dtype=torch.bool)
    >>> logits, weights, outputs = replaced_heads(model, ids, all_on, torch.zeros(3, 2, 5, 3))
    >>> torch.allclose(logits, model(ids)[0], atol=1e-6), outputs.shape
    (True, torch.Size([1, 3, 2, 3, 3]))
    """
    _check_heads(model, heads, instead)
    length = ids.shape[1]
    x, mask = model.positions(model.table(ids)), causal_mask(length, device=ids.device)
    given, maps = [], []
    for i, layer in enumerate(model.blocks):
        block = cast(Block, layer)
        attention, seen = block.attention, block.norm_1(x)
        q, k, v = (
            split_heads(project(seen), attention.num_heads)
            for project in (attention.W_q, attention.W_k, attention.W_v)
        )  # (batch, heads, length, dim)
        outputs, weights = scaled_dot_product_attention(q, k, v, mask=mask)
        given.append(outputs)
        maps.append(weights)
        outputs = torch.where(heads[i][:, None, None], outputs, instead[i, :, :length])
        x = block.compute(x + attention.W_o(merge_heads(outputs)))
    logits = model.norm(x) @ model.table.weight.T
    return logits, torch.stack(maps, dim=1), torch.stack(given, dim=1)


def mean_outputs(model: LanguageModel, ids: Tensor) -> Tensor:
    """Give what each head says on average over texts, at each place.

    Formula: means[l, h, t] = mean over b of output_lh[b, t]

    Args:
        ids: (batch, length) int64, the texts to average over.
    Returns: (layers, heads, length, dim), without a gradient.

    >>> model = LanguageModel(7, max_length=5, d_model=6, num_heads=2, num_layers=3).eval()
    >>> mean_outputs(model, torch.tensor([[0, 4, 2], [0, 1, 1]])).shape
    torch.Size([3, 2, 3, 3])
    """
    attention = cast(Block, model.blocks[0]).attention
    layers, num_heads = len(model.blocks), attention.num_heads
    all_on = torch.ones(layers, num_heads, dtype=torch.bool)
    nothing = torch.zeros(layers, num_heads, ids.shape[1], attention.d_model // num_heads)
    with torch.no_grad():
        return replaced_heads(model, ids, all_on, nothing)[2].mean(dim=0)


def _check_heads(model: LanguageModel, heads: Tensor, instead: Tensor) -> None:
    wanted = (len(model.blocks), cast(Block, model.blocks[0]).attention.num_heads)
    if heads.dtype != torch.bool or tuple(heads.shape) != wanted:
        raise ValueError(
            f"heads must be bool of shape (layers={wanted[0]}, heads={wanted[1]}), "
            f"got {heads.dtype} {_check.shape_text(heads)}."
        )
    if instead.dim() != 4 or tuple(instead.shape[:2]) != wanted:
        raise ValueError(
            f"instead must have shape (layers={wanted[0]}, heads={wanted[1]}, window, dim), "
            f"got {_check.shape_text(instead)}."
        )
