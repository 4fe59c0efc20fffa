"""From the trained encoder to a student with the same parts: fewer layers and pieces, rounded weights."""

from collections.abc import Sequence

import torch
from torch import Tensor

from attn_lessons.studies.minilm.small import LAYERS, LENGTH, SmallEncoder
from tools.minilm.bert_encoder import BertEncoder

THRESHOLD = 0.7  # of the mean size of a row's weights: what is smaller becomes 0 (Li and Liu 2016)


def from_teacher(
    model: BertEncoder, vocabulary: Sequence[str], whole: Sequence[str], positions: int = LENGTH
) -> SmallEncoder:
    """Take over what the student needs, unrounded: three layers, and queries and keys of the fourth.

    Args:
        model: the trained encoder.
        vocabulary: the student's pieces.
        whole: the encoder's pieces, in the order of its ids.
        positions: how many of its positions are kept.

    Returns:
        a student with the encoder's own weights.
    """
    ids = torch.tensor([whole.index(piece) for piece in vocabulary])
    first = {"words": model.words.weight[ids], "norm": model.norm.weight, "norm.bias": model.norm.bias}
    first["positions"] = model.positions.weight[:positions] + model.kinds.weight[0]
    tensors = {name: tensor.detach().clone() for name, tensor in first.items()}
    for number, layer in enumerate(model.layers[:LAYERS], start=1):
        parts = {f"W_{part}": getattr(layer.attention, f"W_{part}") for part in "qkvo"}
        parts |= {name: getattr(layer, name) for name in ("attention_norm", "inner", "outer", "output_norm")}
        for name, part in parts.items():
            if number == LAYERS and name not in ("W_q", "W_k"):
                continue
            weight = part.weight.detach()
            tensors[f"{number}.{name}"] = (weight.T if weight.dim() == 2 else weight).clone().contiguous()
            tensors[f"{number}.{name}.bias"] = part.bias.detach().clone()
    return SmallEncoder(tuple(vocabulary), tensors)


def is_rounded(name: str, tensor: Tensor) -> bool:
    """Tell which tensors are rounded: matrices, but not the positions."""
    return tensor.dim() == 2 and name != "positions"


def rounded(encoder: SmallEncoder, levels: int) -> SmallEncoder:
    """Round each output's weights to evenly spaced values around 0, with the step of least square error.

    Args:
        encoder: a student.
        levels: how many values; 3 are -s, 0 and s.

    Returns:
        another student.
    """

    def nearest(matrix: Tensor) -> Tensor:
        half, largest = (levels - 1) / 2, matrix.abs().amax(dim=0)
        shift = 0.0 if levels % 2 else 0.5
        tries = []
        for share in torch.linspace(0.2, 1, 25):
            step = share * largest / half
            tries.append((((matrix / step - shift).round() + shift).clamp(-half, half)) * step)
        errors = torch.stack([(each - matrix).square().sum(dim=0) for each in tries])  # (tries, columns)
        return torch.stack(tries)[errors.argmin(dim=0), :, torch.arange(matrix.shape[1])].T.contiguous()

    tensors = {}
    for name, tensor in encoder.tensors.items():
        if name == "words":
            tensors[name] = nearest(tensor.T).T.contiguous()
        else:
            tensors[name] = nearest(tensor) if is_rounded(name, tensor) else tensor
    return SmallEncoder(encoder.vocabulary, tensors)


def three_values(rows: Tensor) -> Tensor:
    """Round each row to -s, 0 and s: what is small becomes 0, s is the mean size of the rest, in float16.

    Args:
        rows: (outputs, inputs).

    Returns:
        the same shape.

    Example:
        >>> three_values(torch.tensor([[1.0, -0.5, 0.1, 0.0]]))
        tensor([[ 0.7500, -0.7500,  0.0000,  0.0000]])

    Source: Li and Liu 2016 (ternary weight networks).
    """
    size = rows.abs()
    kept = size > THRESHOLD * size.mean(dim=1, keepdim=True)
    scale = (size * kept).sum(dim=1, keepdim=True) / kept.sum(dim=1, keepdim=True).clamp(min=1)
    return torch.where(kept, rows.sign() * scale.half().float(), 0.0)
