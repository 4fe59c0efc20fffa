"""Typical wrong answers to linear-attention."""

import torch
from exercises.wrong_answers import wrong
from torch import Tensor


@wrong("the weights do not add up to 1")
def _not_divided(phi_q: Tensor, phi_k: Tensor, values: Tensor) -> Tensor:
    return phi_q @ (phi_k.mT @ values)


@wrong("divided by the number of keys")
def _mean_of_products(phi_q: Tensor, phi_k: Tensor, values: Tensor) -> Tensor:
    return phi_q @ torch.einsum("kf,kv->fv", phi_k, values) / phi_k.shape[0]


@wrong("all queries are divided by the same number")
def _one_divisor(phi_q: Tensor, phi_k: Tensor, values: Tensor) -> Tensor:
    return phi_q @ (phi_k.T @ values) / phi_k.sum()


@wrong("the products go through a softmax")
def _softmax(phi_q: Tensor, phi_k: Tensor, values: Tensor) -> Tensor:
    return torch.softmax(phi_q @ phi_k.T, dim=-1) @ values


@wrong("the products go through a scaled softmax")
def _torchs(phi_q: Tensor, phi_k: Tensor, values: Tensor) -> Tensor:
    return torch.nn.functional.scaled_dot_product_attention(phi_q, phi_k, values)


@wrong("each feature is divided by its own total")
def _divided_early(phi_q: Tensor, phi_k: Tensor, values: Tensor) -> Tensor:
    return phi_q @ ((phi_k.T @ values) / phi_k.sum(dim=0)[:, None])


@wrong("all keys count alike")
def _plain_mean(phi_q: Tensor, phi_k: Tensor, values: Tensor) -> Tensor:
    return values.mean(dim=0).repeat(len(phi_q), 1)


@wrong("the feature map is applied once more")
def _mapped_again(phi_q: Tensor, phi_k: Tensor, values: Tensor) -> Tensor:
    q, k = torch.nn.functional.elu(phi_q) + 1, torch.nn.functional.elu(phi_k) + 1
    return q @ (k.T @ values) / (q @ k.sum(dim=0))[:, None]


@wrong("the map of weights was made")
def _with_the_map(phi_q: Tensor, phi_k: Tensor, values: Tensor) -> Tensor:
    products = phi_q @ phi_k.T
    return products / products.sum(dim=-1, keepdim=True) @ values


@wrong("the features are averaged, not the values")
def _averages_features(phi_q: Tensor, phi_k: Tensor, values: Tensor) -> Tensor:
    return phi_q @ (phi_k.T @ phi_k) / (phi_q @ phi_k.sum(dim=0))[:, None]


@wrong("each query hears only the keys up to its own place")
def _running_sums(phi_q: Tensor, phi_k: Tensor, values: Tensor) -> Tensor:
    sums = (phi_k[:, :, None] * values[:, None]).cumsum(0)[: len(phi_q)]
    totals = phi_k.cumsum(0)[: len(phi_q)]
    return (phi_q[:, None] @ sums)[:, 0] / (phi_q * totals).sum(-1, keepdim=True)
