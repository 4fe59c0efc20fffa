"""``torch.nn.functional``."""

from __future__ import annotations

import math

import torch
from torch._call import call
from torch._reduce import log_softmax, softmax
from torch.nn._windows import convolution, pool

__all__ = ["log_softmax", "softmax"]


def __getattr__(name: str):
    if name.startswith("__"):
        raise AttributeError(name)
    from torch import _methods

    try:
        if name in ("unfold", "fold"):  # which are other things there
            raise AttributeError(name)
        return _methods.find(name)
    except AttributeError:
        raise AttributeError(
            f"torch.nn.functional.{name} is not in the page's torch; run this notebook in Jupyter."
        ) from None


def linear(input, weight, bias=None):
    if input.shape[-1:] != weight.shape[1:]:
        rows, inner = math.prod(input.shape[:-1]), input.shape[-1]
        raise RuntimeError(
            f"mat1 and mat2 shapes cannot be multiplied ({rows}x{inner} and {weight.shape[1]}x{weight.shape[0]})"
        )
    return call("linear", input, weight, bias)


def relu(input, inplace=False):
    return input.relu_() if inplace else call("relu", input)


def gelu(input, approximate="none"):
    return call("gelu", input, approximate=approximate)


def elu(input, alpha=1.0, inplace=False):
    return call("elu", input, alpha)


def leaky_relu(input, negative_slope=0.01, inplace=False):
    return call("leaky_relu", input, negative_slope)


def softplus(input, beta=1.0, threshold=20.0):
    return call("softplus", input, beta, threshold)


def logsigmoid(input):
    return call("log_sigmoid_forward", input)[0]


def silu(input, inplace=False):
    return call("silu", input)


def dropout(input, p=0.5, training=True, inplace=False):
    if not 0 <= p <= 1:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if not training or p == 0:
        return input
    kept = torch.zeros_like(input) if p == 1 else torch.empty_like(input).bernoulli_(1 - p).div(1 - p)
    return input * kept


def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-05):
    if tuple(input.shape[-len(normalized_shape) :]) != tuple(normalized_shape):
        raise RuntimeError(
            f"Given normalized_shape={list(normalized_shape)}, expected input with shape [*, {', '.join(map(str, normalized_shape))}], but got input of size{list(input.shape)}"
        )
    return call("layer_norm", input, list(normalized_shape), weight, bias, eps)


def rms_norm(input, normalized_shape, weight=None, eps=None):
    axes = tuple(range(-len(normalized_shape), 0))
    eps = torch.finfo(input.dtype).eps if eps is None else eps
    found = input * (input.square().mean(axes, keepdim=True) + eps).rsqrt()
    return found if weight is None else found * weight


def normalize(input, p=2.0, dim=1, eps=1e-12, out=None):
    return input / input.norm(p, dim, keepdim=True).clamp_min(eps).expand_as(input)


def embedding(input, weight, padding_idx=None, *_, **__):
    return call("embedding", weight, input, -1 if padding_idx is None else padding_idx)


def one_hot(tensor, num_classes=-1):
    return call("one_hot", tensor, num_classes)


def pad(input, pad, mode="constant", value=None):
    if mode != "constant":
        raise NotImplementedError(f"pad with mode={mode!r} is not in the page's torch.")
    return call("constant_pad_nd", input, list(pad), 0 if value is None else value)


def _reduced(losses, reduction: str):
    return losses if reduction == "none" else losses.sum() if reduction == "sum" else losses.mean()


def mse_loss(input, target, *_, reduction="mean", **__):
    return _reduced((input - target).square(), reduction)


def l1_loss(input, target, *_, reduction="mean", **__):
    return _reduced((input - target).abs(), reduction)


def smooth_l1_loss(input, target, *_, reduction="mean", beta=1.0, **__):
    gap = (input - target).abs()
    return _reduced(torch.where(gap < beta, 0.5 * gap * gap / beta, gap - 0.5 * beta), reduction)


def kl_div(input, target, *_, reduction="mean", log_target=False, **__):
    losses = target.exp() * (target - input) if log_target else torch.xlogy(target, target) - target * input
    return losses.sum() / input.shape[0] if reduction == "batchmean" else _reduced(losses, reduction)


def binary_cross_entropy(input, target, *_, reduction="mean", **__):
    logs = input.log().clamp_min(-100), (-input).log1p().clamp_min(-100)
    return _reduced(-(target * logs[0] + (1 - target) * logs[1]), reduction)


def nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
    wanted = input.shape[:1] + input.shape[2:] if input.dim() > 1 else ()
    if tuple(target.shape) != tuple(wanted):
        if target.dim() and input.dim() > 1 and target.shape[0] != input.shape[0]:
            raise ValueError(
                f"Expected input batch_size ({input.shape[0]}) to match target batch_size ({target.shape[0]})."
            )
        raise RuntimeError(f"Expected target size {list(wanted)}, got {list(target.shape)}")
    classes = input.shape[1 if input.dim() > 1 else 0]
    beyond = (target != ignore_index) & ((target < 0) | (target >= classes))
    if bool(beyond.any()):
        raise IndexError(f"Target {target[beyond].reshape(-1)[0].item()} is out of bounds.")
    if input.dim() > 2:
        input = input.movedim(1, -1).reshape(-1, input.shape[1])
    elif input.dim() == 1:
        input = input.unsqueeze(0)
    flat = target.reshape(-1)
    counted = flat != ignore_index
    picked = -input.gather(1, flat.masked_fill(~counted, 0).unsqueeze(1)).squeeze(1)
    shares = counted if weight is None else weight[flat.masked_fill(~counted, 0)].masked_fill(~counted, 0)
    losses = (picked if weight is None else picked * shares).masked_fill(~counted, 0)
    if reduction == "mean":
        return losses.sum() / shares.sum()
    return losses.sum() if reduction == "sum" else losses.reshape(target.shape)


def cross_entropy(
    input,
    target,
    weight=None,
    size_average=None,
    ignore_index=-100,
    reduce=None,
    reduction="mean",
    label_smoothing=0.0,
):
    axis = 0 if input.dim() == 1 else 1
    logs = call("log_softmax", input, axis)
    if target.dtype.is_floating_point:
        losses = -(logs * target).sum(axis)
        return _reduced(losses, reduction)
    if label_smoothing:
        smooth = -logs.mean(axis)
        plain = nll_loss(logs, target, weight, None, ignore_index, None, "none")
        return _reduced((1 - label_smoothing) * plain + label_smoothing * smooth, reduction)
    return nll_loss(logs, target, weight, None, ignore_index, None, reduction)


def binary_cross_entropy_with_logits(input, target, *_, reduction="mean", **__):
    return _reduced(input.clamp_min(0) - input * target + (-(input.abs())).exp().log1p(), reduction)


def scaled_dot_product_attention(
    query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False
):
    if enable_gqa:
        key = key.repeat_interleave(query.size(-3) // key.size(-3), -3)
        value = value.repeat_interleave(query.size(-3) // value.size(-3), -3)
    scale = 1 / math.sqrt(query.size(-1)) if scale is None else scale
    scores = query @ key.mT * scale
    if is_causal:
        attn_mask = torch.ones(query.size(-2), key.size(-2), dtype=torch.bool).tril()
    if attn_mask is not None:
        scores = (
            scores.masked_fill(~attn_mask, -math.inf) if attn_mask.dtype == torch.bool else scores + attn_mask
        )
    weights = call("_safe_softmax", scores, -1)
    return dropout(weights, dropout_p) @ value


def conv1d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    return convolution(1, input, weight, bias, stride, padding, dilation, groups)


def conv2d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    return convolution(2, input, weight, bias, stride, padding, dilation, groups)


def max_pool2d(input, kernel_size, stride=None, padding=0):
    return pool(input, kernel_size, stride, padding, -math.inf).max(-1).values


def avg_pool2d(input, kernel_size, stride=None, padding=0):
    return pool(input, kernel_size, stride, padding, 0.0).mean(-1)
