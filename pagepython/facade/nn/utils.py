"""``torch.nn.utils``."""

from __future__ import annotations

import torch
from torch._absent import refuser


def parameters_to_vector(parameters):
    return torch.cat([p.reshape(-1) for p in parameters])


def vector_to_parameters(vec, parameters) -> None:
    at = 0
    with torch.no_grad():
        for parameter in parameters:
            parameter.copy_(vec[at : at + parameter.numel()].reshape(parameter.shape))
            at += parameter.numel()


def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    parameters = [parameters] if isinstance(parameters, torch.Tensor) else list(parameters)
    gradients = [p.grad for p in parameters if p.grad is not None]
    if not gradients:
        return torch.tensor(0.0)
    total = torch.linalg.vector_norm(
        torch.stack([torch.linalg.vector_norm(g, norm_type) for g in gradients]), norm_type
    )
    factor = (max_norm / (total + 1e-6)).clamp(max=1.0)
    for gradient in gradients:
        gradient.mul_(factor)
    return total


__getattr__ = refuser(__name__)
