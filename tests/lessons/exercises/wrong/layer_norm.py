"""Typical wrong answers to layer-norm."""

import torch
from exercises.wrong_answers import wrong
from torch import Tensor
from torch.nn import functional


@wrong("the mean is not subtracted")
def _not_centred(x: Tensor) -> Tensor:
    return x / (x.var(-1, correction=0, keepdim=True) + 1e-5).sqrt()


@wrong("the spread stays as it was")
def _centred_only(x: Tensor) -> Tensor:
    return x - x.mean(-1, keepdim=True)


@wrong("divided by the variance, not by its root")
def _no_root(x: Tensor) -> Tensor:
    return (x - x.mean(-1, keepdim=True)) / (x.var(-1, correction=0, keepdim=True) + 1e-5)


@wrong("the variance is divided by d_model - 1")
def _torchs_default(x: Tensor) -> Tensor:
    return (x - x.mean(-1, keepdim=True)) / (x.var(-1, keepdim=True) + 1e-5).sqrt()


@wrong("the mean runs over the tokens")
def _over_tokens(x: Tensor) -> Tensor:
    return functional.layer_norm(x.mT, x.shape[1:2]).mT


@wrong("the mean runs over the batch")
def _batch_norm(x: Tensor) -> Tensor:
    return (x - x.mean(0)) / (x.var(0, correction=0) + 1e-5).sqrt()


@wrong("the mean runs over all tokens and numbers together")
def _whole_sentence(x: Tensor) -> Tensor:
    return functional.layer_norm(x, x.shape[1:])


@wrong("equal numbers give NaN")
def _no_epsilon(x: Tensor) -> Tensor:
    return (x - x.mean(-1, keepdim=True)) / x.std(-1, correction=0, keepdim=True)


@wrong("1e-5 is added to the root")
def _epsilon_outside(x: Tensor) -> Tensor:
    return (x - x.mean(-1, keepdim=True)) / (x.std(-1, correction=0, keepdim=True) + 1e-5)


@wrong("RMS norm")
def _root_mean_square(x: Tensor) -> Tensor:
    return torch.nn.functional.rms_norm(x, x.shape[-1:], eps=1e-5)
