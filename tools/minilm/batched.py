"""The student's forward pass for training: many sentences of one length, and the vectors between layers."""

from torch import Tensor
from torch.nn.functional import gelu, layer_norm, log_softmax

from attn_lessons.studies.minilm.small import HEADS, LAYERS


def forward(weights: dict[str, Tensor], ids: Tensor) -> tuple[list[Tensor], list[Tensor]]:
    """Run the student's layers on sentences without padding.

    Args:
        weights: as in `SmallEncoder`.
        ids: (batch, length) int64.

    Returns:
        for each layer the logarithms of its maps (batch, heads, length, length), and the vectors before it
        (batch, length, d_model).

    Example:
        >>> import torch
        >>> from attn_lessons.studies.minilm.small import load_small
        >>> maps, vectors = forward(load_small().tensors, torch.tensor([[2, 9, 3]]))
        >>> maps[0].shape, len(vectors)
        (torch.Size([1, 12, 3, 3]), 4)
    """

    def linear(x: Tensor, name: str) -> Tensor:
        return x @ weights[name] + weights[f"{name}.bias"]

    def norm(x: Tensor, name: str) -> Tensor:
        return layer_norm(x, x.shape[-1:], weights[name], weights[f"{name}.bias"], eps=1e-12)

    def split(x: Tensor) -> Tensor:
        return x.unflatten(-1, (HEADS, -1)).transpose(1, 2)  # (batch, heads, length, d_head)

    maps, vectors = [], [norm(weights["words"][ids] + weights["positions"][: ids.shape[1]], "norm")]
    for layer in range(1, LAYERS + 1):
        x = vectors[-1]
        queries, keys = split(linear(x, f"{layer}.W_q")), split(linear(x, f"{layer}.W_k"))
        maps.append(log_softmax(queries @ keys.mT / queries.shape[-1] ** 0.5, dim=-1))
        if layer < LAYERS:
            looked = (maps[-1].exp() @ split(linear(x, f"{layer}.W_v"))).transpose(1, 2).flatten(2)
            x = norm(x + linear(looked, f"{layer}.W_o"), f"{layer}.attention_norm")
            vectors.append(
                norm(x + linear(gelu(linear(x, f"{layer}.inner")), f"{layer}.outer"), f"{layer}.output_norm")
            )
    return maps, vectors
