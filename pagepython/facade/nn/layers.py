"""Layers with parameters, and dropout."""

from __future__ import annotations

import math

import torch
from torch.nn import functional, init
from torch.nn.module import Module, Parameter


class Linear(Module):
    """``x @ weight.T + bias``."""

    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None) -> None:
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = Parameter(torch.empty(out_features, in_features, dtype=dtype))
        if bias:
            self.bias = Parameter(torch.empty(out_features, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            bound = 1 / math.sqrt(self.in_features) if self.in_features else 0
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input):
        return functional.linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        return (
            f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"
        )


class Embedding(Module):
    """A row of a table for each number."""

    def __init__(
        self, num_embeddings, embedding_dim, padding_idx=None, *_, _weight=None, device=None, dtype=None
    ) -> None:
        super().__init__()
        self.num_embeddings, self.embedding_dim, self.padding_idx = num_embeddings, embedding_dim, padding_idx
        self.weight = Parameter(
            torch.empty(num_embeddings, embedding_dim, dtype=dtype) if _weight is None else _weight
        )
        if _weight is None:
            init.normal_(self.weight)
            if padding_idx is not None:
                with torch.no_grad():
                    self.weight[padding_idx] = 0

    @classmethod
    def from_pretrained(cls, embeddings, freeze=True, padding_idx=None):
        made = cls(*embeddings.shape, padding_idx=padding_idx, _weight=embeddings)
        made.weight.requires_grad_(not freeze)
        return made

    def forward(self, input):
        return functional.embedding(input, self.weight, self.padding_idx)

    def extra_repr(self) -> str:
        padding = "" if self.padding_idx is None else f", padding_idx={self.padding_idx}"
        return f"{self.num_embeddings}, {self.embedding_dim}{padding}"


class LayerNorm(Module):
    """Each vector made to have mean 0 and variance 1, then scaled and shifted."""

    def __init__(
        self, normalized_shape, eps=1e-05, elementwise_affine=True, bias=True, device=None, dtype=None
    ) -> None:
        super().__init__()
        self.normalized_shape = (
            (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        )
        self.eps, self.elementwise_affine = eps, elementwise_affine
        self.register_parameter(
            "weight",
            Parameter(torch.ones(self.normalized_shape, dtype=dtype)) if elementwise_affine else None,
        )
        self.register_parameter(
            "bias",
            Parameter(torch.zeros(self.normalized_shape, dtype=dtype))
            if elementwise_affine and bias
            else None,
        )

    def forward(self, input):
        return functional.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        bias = f", bias={self.bias is not None}" if self.elementwise_affine else ""
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}{bias}"


class RMSNorm(Module):
    """Each vector divided by the root of the mean of its squares, then scaled."""

    def __init__(self, normalized_shape, eps=None, elementwise_affine=True, device=None, dtype=None) -> None:
        super().__init__()
        shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.normalized_shape, self.eps, self.elementwise_affine = shape, eps, elementwise_affine
        self.register_parameter(
            "weight", Parameter(torch.ones(shape, dtype=dtype)) if elementwise_affine else None
        )

    def forward(self, input):
        return functional.rms_norm(input, self.normalized_shape, self.weight, self.eps)

    def extra_repr(self) -> str:
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"


class Dropout(Module):
    """Numbers dropped by chance, while training."""

    def __init__(self, p=0.5, inplace=False) -> None:
        super().__init__()
        if not 0 <= p <= 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p, self.inplace = p, inplace

    def forward(self, input):
        return functional.dropout(input, self.p, self.training)

    def extra_repr(self) -> str:
        return f"p={self.p}, inplace={self.inplace}"


class Flatten(Module):
    """Several axes made one."""

    def __init__(self, start_dim=1, end_dim=-1) -> None:
        super().__init__()
        self.start_dim, self.end_dim = start_dim, end_dim

    def forward(self, input):
        return input.flatten(self.start_dim, self.end_dim)

    def extra_repr(self) -> str:
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"
