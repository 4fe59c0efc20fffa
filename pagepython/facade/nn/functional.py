"""``torch.nn.functional``."""

import math
import warnings

import torch
from torch import _autograd, _methods, _record, _reduce, _surface
from torch._absent import missing
from torch._call import call
from torch._checks import normalized
from torch._dtype import CNAMES, NAMES
from torch._mapped import stands_for_many
from torch.nn._windows import convolution, folded, pool, windows


def _anywhere(fault) -> bool:
    """Tell whether a fault is found; while a function is recorded or stands for many, what depends on an input is not looked at."""
    recorder = _record.current()
    return not (recorder and recorder.depends(fault)) and not stands_for_many(fault) and bool(fault.any())


def celu(input, alpha=1.0):
    return call("elu", input, alpha, 1.0, 1.0 / alpha)


def selu(input):
    return call("elu", input, 1.6732632423543772848170429916717, 1.0507009873554804934193349852946)


def relu6(input):
    return call("hardtanh", input, 0.0, 6.0)


def softsign(input):
    return input / (1 + input.abs())


def tanhshrink(input):
    return input - input.tanh()


def prelu(input, weight):
    channels = input.shape[1] if input.dim() > 1 else 1
    if weight.dim() > 1:
        raise RuntimeError(
            f"prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = {weight.dim()}"
        )
    if weight.numel() not in (1, channels):
        raise RuntimeError(
            f"Mismatch of parameter numbers and input channel size. Found parameter numbers = {weight.numel()} and channel size = {channels}."
        )
    shape = [-1 if axis == 1 else 1 for axis in range(input.dim())] if weight.numel() > 1 else []
    return torch.where(input > 0, input, weight.reshape(shape) * input)


def glu(input, dim=-1):
    if input.shape[dim] % 2:
        raise RuntimeError(
            f"Halving dimension must be even, but dimension {dim % input.dim()} is size {input.shape[dim]}"
        )
    first, second = input.chunk(2, dim)
    return first * second.sigmoid()


def tanh(input):
    return input.tanh()


def sigmoid(input):
    return input.sigmoid()


def _axis(name: str, rank: int) -> int:
    """Choose the axis that PyTorch still chooses where nobody names one."""
    warnings.warn(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include dim=X as an argument.",
        stacklevel=4,
    )
    return 0 if rank in (0, 1, 3) else 1


def softmax(input, dim=None, dtype=None):
    return _reduce.softmax(input, _axis("softmax", input.dim()) if dim is None else dim, dtype)


def softmin(input, dim=None, dtype=None):
    return _reduce.softmax(-input, _axis("softmin", input.dim()) if dim is None else dim, dtype)


def log_softmax(input, dim=None, dtype=None):
    return _reduce.log_softmax(input, _axis("log_softmax", input.dim()) if dim is None else dim, dtype)


def gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1):
    if eps != 1e-10:
        warnings.warn("`eps` parameter is deprecated and has no effect.", stacklevel=2)
    noise = -torch.empty(logits.shape, dtype=logits.dtype).exponential_().log()
    soft = ((logits + noise) / tau).softmax(dim)
    if not hard:
        return soft
    top = torch.zeros_like(soft).scatter(dim, soft.argmax(dim, keepdim=True), 1.0)
    return top - soft.detach() + soft


def logsigmoid(input):
    return call("log_sigmoid_forward", input)[0]


def dropout(input, p=0.5, training=True):
    if not 0 <= p <= 1:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if not training or p == 0:
        return input
    kept = torch.zeros_like(input) if p == 1 else torch.empty_like(input).bernoulli_(1 - p).div_(1 - p)
    return input * kept


def dropout2d(input, p=0.5, training=True):
    return input * dropout(input.new_ones(*input.shape[:2], *[1] * (input.dim() - 2)), p, training)


dropout3d = dropout2d


def dropout1d(input, p=0.5, training=True):
    return input * dropout(input.new_ones(*input.shape[:-1], 1), p, training)


def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-05):
    return call("layer_norm", input, list(normalized_shape), weight, bias, eps)


def rms_norm(input, normalized_shape, weight=None, eps=None):
    normalized("rms_norm", locals())
    axes = tuple(range(-len(normalized_shape), 0))
    eps = torch.finfo(input.dtype).eps if eps is None else eps
    found = input * (input.square().mean(axes, keepdim=True) + eps).rsqrt()
    return found if weight is None else found * weight


def _scaled(input, weight, bias):
    """Scale and shift each channel, the axis 1."""
    shape = [1, -1] + [1] * (input.dim() - 2)
    input = input if weight is None else input * weight.reshape(shape)
    return input if bias is None else input + bias.reshape(shape)


def group_norm(input, num_groups, weight=None, bias=None, eps=1e-05):
    if input.shape[1] % num_groups:
        raise RuntimeError(
            f"Expected number of channels in input to be divisible by num_groups, but got input of shape {list(input.shape)} and num_groups={num_groups}"
        )
    for key, given in (("weight", weight), ("bias", bias)):
        if given is not None and tuple(given.shape) != (input.shape[1],):
            raise RuntimeError(
                f"Expected {key} to be a vector of size equal to the number of channels in input, but got {key} of shape "
                f"{list(given.shape)} and input of shape {list(input.shape)}"
            )
    parts = input.reshape(input.shape[0], num_groups, -1)
    return _scaled(layer_norm(parts, parts.shape[-1:], eps=eps).reshape(input.shape), weight, bias)


def instance_norm(input, weight=None, bias=None, eps=1e-05):
    return group_norm(input, input.shape[1], weight, bias, eps)


def batch_norm(
    input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05
):
    for key, given in locals().items():
        if torch.is_tensor(given) and key != "input" and given.numel() != input.shape[1]:
            raise RuntimeError(f"{key} should contain {input.shape[1]} elements not {given.numel()}")
    axes = [axis for axis in range(input.dim()) if axis != 1]
    shape = [1, -1] + [1] * (input.dim() - 2)
    if not training:
        for key, given in (("running_mean", running_mean), ("running_var", running_var)):
            if given is None:
                raise RuntimeError(f"{key} must be defined in evaluation mode")
        return _scaled(
            (input - running_mean.reshape(shape)) * (running_var.reshape(shape) + eps).rsqrt(), weight, bias
        )
    if math.prod(input.shape) == input.shape[1]:
        raise ValueError(
            f"Expected more than 1 value per channel when training, got input size {input.shape}"
        )
    var, mean = torch.var_mean(input, axes, correction=0, keepdim=True)
    if running_mean is not None:
        count = input.numel() / input.shape[1]
        with torch.no_grad():
            running_mean.lerp_(mean.reshape(-1), momentum)
            running_var.lerp_(var.reshape(-1) * (count / (count - 1)), momentum)
    return _scaled((input - mean) * (var + eps).rsqrt(), weight, bias)


def normalize(input, p=2.0, dim=1, eps=1e-12):
    return input / input.norm(p, dim, keepdim=True).clamp_min(eps).expand_as(input)


def pairwise_distance(x1, x2, p=2.0, eps=1e-06, keepdim=False):
    return torch.linalg.vector_norm(x1 - x2 + eps, p, -1, keepdim)


def bilinear(input1, input2, weight, bias=None):
    found = torch.einsum("...i,oij,...j->...o", input1, weight, input2)
    return found if bias is None else found + bias


def embedding(input, weight, padding_idx=None):
    if not isinstance(input, torch.Tensor):
        raise TypeError(
            f"embedding(): argument 'indices' (position 2) must be Tensor, not {type(input).__name__}"
        )
    rows = weight.shape[0]
    if padding_idx is not None and not -rows <= padding_idx < rows:
        raise AssertionError("Padding_idx must be within num_embeddings")
    return call("embedding", weight, input, -1 if padding_idx is None else padding_idx % rows)


def pad(input, pad, mode="constant", value=None):
    if mode == "constant":
        return call("constant_pad_nd", input, list(pad), 0 if value is None else value)
    if mode not in ("reflect", "replicate", "circular"):
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    if input.dtype == torch.bool and mode != "circular":
        raise NotImplementedError(
            f"\"{'reflection' if mode == 'reflect' else 'replication'}_pad\" not implemented for 'Bool'"
        )
    if len(pad) % 2:
        raise RuntimeError("Padding length must be divisible by 2")
    if input.dim() - len(pad) // 2 not in (1, 2):
        raise NotImplementedError(
            f"Padding size {len(pad)} is not supported for {input.dim()}D input tensor."
        )
    for number in range(len(pad) // 2):
        axis, length = input.dim() - 1 - number, input.shape[-1 - number]
        before, after = pad[2 * number : 2 * number + 2]
        if max(before, after) >= length + (mode != "reflect") and mode != "replicate":
            raise RuntimeError(
                f"Argument #4: Padding size should be less than the corresponding input dimension, but got: padding ({before}, {after}) at dimension {axis} of input {list(input.shape)}"
            )
        places = torch.arange(-before, length + after)
        if mode == "circular":
            places = places % length
        elif mode == "replicate":
            places = places.clamp(0, length - 1)
        else:
            places = (length - 1) - ((length - 1) - places.abs()).abs()
        input = input.index_select(axis, places)
    return input


def pixel_shuffle(input, upscale_factor):
    *batch, channels, rows, columns = input.shape
    r = upscale_factor
    if channels % (r * r):
        raise RuntimeError(
            "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, but "
            f"input.size(-3)={channels} is not divisible by {r * r}"
        )
    found = input.reshape(*batch, channels // (r * r), r, r, rows, columns)
    rank = len(batch)
    order = [*range(rank + 1), rank + 3, rank + 1, rank + 4, rank + 2]
    return found.permute(order).reshape(*batch, channels // (r * r), rows * r, columns * r)


def pixel_unshuffle(input, downscale_factor):
    *batch, channels, rows, columns = input.shape
    r, rank = downscale_factor, len(batch)
    found = input.reshape(*batch, channels, rows // r, r, columns // r, r)
    order = [*range(rank + 1), rank + 2, rank + 4, rank + 1, rank + 3]
    return found.permute(order).reshape(*batch, channels * r * r, rows // r, columns // r)


# --- losses ---


def _reduced(losses, reduction: str):
    if reduction not in ("none", "sum", "mean"):
        raise ValueError(f"{reduction} is not a valid value for reduction")
    return losses if reduction == "none" else losses.sum() if reduction == "sum" else losses.mean()


def _alike(input, target, name: str = "") -> tuple:
    """Warn where the shapes differ, as PyTorch does: what is broadcast is seldom meant."""
    for one in (target, input):
        if not isinstance(one, torch.Tensor):
            raise AttributeError(f"'{type(one).__name__}' object has no attribute 'size'")
    if tuple(input.shape) != tuple(target.shape):
        warnings.warn(
            f"Using a target size ({target.shape}) that is different to the input size ({input.shape}). This will likely lead to "
            "incorrect results due to broadcasting. Please ensure they have the same size.",
            stacklevel=4,
        )
    if name and input.dtype.category < 2 and target.dtype.category < 2:
        raise NotImplementedError(f"\"{name}\" not implemented for '{NAMES[input.dtype.name]}'")
    if name and input.dtype != target.dtype:  # the kernels promote, also truth
        kind = torch.promote_types(input.dtype, target.dtype)
        return input.to(kind), target.to(kind)
    return input, target


def mse_loss(input, target, *, reduction="mean", weight=None):
    input, target = _alike(input, target, "mse_cpu")
    input, target = torch.broadcast_tensors(input, target)
    losses = (input - target).square()
    return _reduced(losses if weight is None else losses * weight, reduction)


def l1_loss(input, target, *, reduction="mean"):
    _alike(input, target)
    return _reduced((input - target).abs(), reduction)


def smooth_l1_loss(input, target, *, reduction="mean", beta=1.0):
    input, target = _alike(input, target, "smooth_l1_cpu")
    gap = (input - target).abs()
    return _reduced(torch.where(gap < beta, 0.5 * gap * gap / beta, gap - 0.5 * beta), reduction)


def huber_loss(input, target, *, reduction="mean", delta=1.0):
    kind, (input, target) = input.dtype, _alike(input, target, "huber_cpu")
    if delta <= 0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")
    gap = (input - target).abs()
    losses = torch.where(gap <= delta, 0.5 * gap * gap, delta * (gap - 0.5 * delta))
    return _reduced(losses.to(kind), reduction)


def kl_div(input, target, *, reduction="mean", log_target=False):
    if input.dtype.category < 2 or target.dtype.category < 2:
        raise RuntimeError("kl_div: Integral inputs not supported.")
    if reduction == "mean":
        told = "reduction: 'mean' divides the total loss by both the batch size and the support size.'batchmean' divides only by the batch size, and aligns with the KL div math definition."
        warnings.warn(told, stacklevel=3)
    losses = target.exp() * (target - input) if log_target else torch.xlogy(target, target) - target * input
    return losses.sum() / input.shape[0] if reduction == "batchmean" else _reduced(losses, reduction)


def _entropy_back(c, g):
    """Go back through a binary entropy, with a smallest divisor as PyTorch has one."""
    x, y = c.input, c.target
    return {
        "input": lambda: g * (x - y) / ((1 - x) * x).clamp_min(1e-12),
        "target": lambda: g * ((-x).log1p().clamp_min(-100) - x.log().clamp_min(-100)),
    }


def binary_cross_entropy(input, target, weight=None, *, reduction="mean"):
    if tuple(input.shape) != tuple(target.shape):
        raise ValueError(
            f"Using a target size ({target.shape}) that is different to the input size ({input.shape}) is deprecated. Please ensure they have the same size."
        )
    if input.dtype != target.dtype:
        raise RuntimeError(f"Found dtype {NAMES[target.dtype.name]} but expected {NAMES[input.dtype.name]}")
    for name, t in (("input", input), ("target", target)):
        if _anywhere(~((t.detach() >= 0) & (t.detach() <= 1))):
            raise RuntimeError(f"all elements of {name} should be between 0 and 1")
    with torch.no_grad():
        logs = input.log().clamp_min(-100), (-input).log1p().clamp_min(-100)
        losses = -(target * logs[0] + (1 - target) * logs[1])
    _autograd.remember("binary_cross_entropy", {"input": input, "target": target}, [losses], _entropy_back)
    return _reduced(losses if weight is None else losses * weight, reduction)


def binary_cross_entropy_with_logits(input, target, weight=None, *, reduction="mean", pos_weight=None):
    if tuple(input.shape) != tuple(target.shape):
        raise ValueError(f"Target size ({target.shape}) must be the same as input size ({input.shape})")
    if not target.dtype.is_floating_point:
        raise RuntimeError(
            f"result type Float can't be cast to the desired output type {NAMES[target.dtype.name]}"
        )
    logs = logsigmoid(input)
    more = logs if pos_weight is None else (1 + (pos_weight - 1) * target) * logs
    losses = (1 - target) * input - more
    return _reduced(losses if weight is None else losses * weight, reduction)


def soft_margin_loss(input, target, *, reduction="mean"):
    losses = (-target * input).exp().log1p()
    if losses.shape != input.shape:
        raise RuntimeError(
            f"output with shape {list(input.shape)} doesn't match the broadcast shape {list(losses.shape)}"
        )
    return _reduced(losses.to(input.dtype), reduction)


def hinge_embedding_loss(input, target, margin=1.0, *, reduction="mean"):
    return _reduced(
        torch.where(target != -1, input, 0.0) + torch.where(target != 1, (margin - input).clamp_min(0), 0.0),
        reduction,
    )


def margin_ranking_loss(input1, input2, target, margin=0, *, reduction="mean"):
    return _reduced((-target * (input1 - input2) + margin).clamp_min(0), reduction)


def triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2, eps=1e-06, *, reduction="mean"):
    near, far = (pairwise_distance(anchor, t, float(p), eps) for t in (positive, negative))
    return _reduced((margin + near - far).clamp_min(0), reduction)


def cosine_embedding_loss(input1, input2, target, margin=0, *, reduction="mean"):
    likeness = torch.cosine_similarity(input1, input2, -1)
    return _reduced(torch.where(target == 1, 1 - likeness, (likeness - margin).clamp_min(0)), reduction)


def poisson_nll_loss(input, target, log_input=True, full=False, eps=1e-08, *, reduction="mean"):
    losses = input.exp() - target * input if log_input else input - target * (input + eps).log()
    if full:
        stirling = target * target.log() - target + 0.5 * (2 * math.pi * target).log()
        losses = losses + stirling.masked_fill(target <= 1, 0)
    return _reduced(losses, reduction)


def gaussian_nll_loss(input, target, var, full=False, eps=1e-06, *, reduction="mean"):
    var = torch.as_tensor(var, dtype=input.dtype)
    if var.dim() and var.shape != input.shape:  # one for each row, with or without an axis for the columns
        var = var.unsqueeze(-1) if var.shape == input.shape[:-1] else var
        fits = var.dim() == input.dim() and all(
            n in (m, 1) for n, m in zip(var.shape, input.shape, strict=True)
        )
        if not fits:
            raise ValueError("var is of incorrect size")
    if _anywhere(var.detach() < 0):
        raise ValueError("var has negative entry/entries")
    var = var.clamp_min(eps)
    losses = 0.5 * (var.log() + (input - target) ** 2 / var)
    return _reduced(losses + 0.5 * math.log(2 * math.pi) if full else losses, reduction)


def nll_loss(input, target, weight=None, *, ignore_index=-100, reduction="mean"):
    if target.dim() and input.dim() > 1 and target.shape[0] != input.shape[0]:
        raise ValueError(
            f"Expected input batch_size ({input.shape[0]}) to match target batch_size ({target.shape[0]})."
        )
    if target.dtype.name not in ("int64", "uint8"):
        raise RuntimeError(f"expected target dtype to be Long or Byte, but got {NAMES[target.dtype.name]}")
    wanted = input.shape[:1] + input.shape[2:] if input.dim() > 1 else ()
    if input.dim() == 1 and tuple(target.shape) == (1,) and reduction != "none":
        target = target.reshape(())
    if tuple(target.shape) != tuple(wanted):
        if input.dim() < 3:
            raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
        raise RuntimeError(f"Expected target size {list(wanted)}, got {list(target.shape)}")
    classes = input.shape[1 if input.dim() > 1 else 0]
    if weight is not None and tuple(weight.shape) != (classes,):
        raise RuntimeError(
            f"weight tensor should be defined either for all {classes} classes or no classes but got weight tensor of shape: {list(weight.shape)}"
        )
    beyond = (target != ignore_index) & ((target < 0) | (target >= classes))
    if _anywhere(beyond):
        raise IndexError(f"Target {target[beyond].reshape(-1)[0].item()} is out of bounds.")
    if input.dim() > 2:
        input = input.movedim(1, -1).reshape(-1, input.shape[1])
    elif input.dim() == 1:
        input = input.unsqueeze(0)
    flat = target.reshape(-1).long()
    counted = flat != ignore_index
    picked = -input.gather(1, flat.masked_fill(~counted, 0).unsqueeze(1)).squeeze(1)
    shares = counted if weight is None else weight[flat.masked_fill(~counted, 0)].masked_fill(~counted, 0)
    losses = (picked if weight is None else picked * shares).masked_fill(~counted, 0)
    if reduction == "mean":
        return losses.sum() / shares.sum()
    return _reduced(losses.reshape(target.shape), reduction)


def cross_entropy(input, target, weight=None, *, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    axis = 0 if input.dim() == 1 else 1
    classes, shape = input.shape[axis], [-1 if k == axis else 1 for k in range(input.dim())]
    if tuple(target.shape) == tuple(input.shape) and not target.dtype.is_floating_point:
        raise RuntimeError(
            f"Expected floating point type for target with class probabilities, got {NAMES[target.dtype.name]}"
        )
    logs = call("log_softmax", input, axis)
    if not 0 <= label_smoothing <= 1:
        raise RuntimeError(f"label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing}")
    if tuple(target.shape) == tuple(input.shape):
        shares = target * (1 - label_smoothing) + label_smoothing / classes if label_smoothing else target
        losses = -(logs * shares if weight is None else logs * shares * weight.reshape(shape)).sum(axis)
        return (
            losses.sum() / (input.numel() / classes) if reduction == "mean" else _reduced(losses, reduction)
        )
    plain = nll_loss(logs, target, weight, ignore_index=ignore_index, reduction=reduction)
    if not label_smoothing:
        return plain
    counted = target != ignore_index
    even = -(logs if weight is None else logs * weight.reshape(shape)).sum(axis).masked_fill(~counted, 0)
    if reduction == "mean":
        shares = (
            counted if weight is None else weight[target.masked_fill(~counted, 0)].masked_fill(~counted, 0)
        )
        even = even.sum() / shares.sum()
    else:
        even = _reduced(even, reduction)
    return (1 - label_smoothing) * plain + label_smoothing / classes * even


def scaled_dot_product_attention(
    query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False
):
    if min(query.dim(), key.dim(), value.dim()) < 2:
        raise RuntimeError(
            "Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: "
            f"{query.dim()} key.dim: {key.dim()} and value.dim: {value.dim()} instead."
        )
    fused = query.dim() == key.dim() == value.dim() == 4 and key.size(-1) == value.size(-1) and not dropout_p
    fused = fused and attn_mask is not None and attn_mask.dim() in (2, 4) and not attn_mask.requires_grad
    if attn_mask is not None and is_causal and not (fused and query.size(0) == key.size(0) == value.size(0)):
        raise RuntimeError(
            "_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True"
        )
    if len({query.dtype, key.dtype, value.dtype}) > 1:
        raise RuntimeError(
            f"Expected query, key, and value to have the same dtype, but got query.dtype: {CNAMES[query.dtype.name]} key.dtype: {CNAMES[key.dtype.name]} and value.dtype: {CNAMES[value.dtype.name]} instead."
        )
    if attn_mask is not None and attn_mask.dtype not in (torch.bool, torch.float32, query.dtype):
        raise RuntimeError(
            "Expected attn_mask dtype to be bool or float or to match query dtype, but got attn_mask.dtype: "
            f"{CNAMES[attn_mask.dtype.name]} and  query.dtype: {CNAMES[query.dtype.name]} instead."
        )
    if enable_gqa:
        key = key.repeat_interleave(query.size(-3) // key.size(-3), -3)
        value = value.repeat_interleave(query.size(-3) // value.size(-3), -3)
    scale = 1 / math.sqrt(query.size(-1)) if scale is None else scale
    scores = query @ key.mT * scale
    causal = torch.ones(query.size(-2), key.size(-2), dtype=torch.bool).tril() if is_causal else None
    for mask in (attn_mask, causal):
        if mask is not None:
            shape = scores.shape
            scores = scores.masked_fill(~mask, -math.inf) if mask.dtype == torch.bool else scores + mask
            if scores.shape != shape:
                told = f"doesn't match the broadcast shape {list(scores.shape)}"
                raise RuntimeError(f"output with shape {list(shape)} {told}")
    weights = call("_safe_softmax", scores, -1)
    found = dropout(weights, dropout_p) @ value
    fused = query.dim() == 4 and not dropout_p and query.shape[-1] == value.shape[-1]
    if fused and query.transpose(1, 2).is_contiguous():
        return found.transpose(1, 2).contiguous().transpose(1, 2)  # it lies as the queries do
    return found


def conv1d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    return convolution(1, input, weight, bias, stride, padding, dilation, groups)


def conv2d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    return convolution(2, input, weight, bias, stride, padding, dilation, groups)


def _pools(name: str, axes: int):
    """Make the pools over so many axes."""

    def largest(
        input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False
    ):
        if axes == 1 and not input.dtype.is_floating_point:
            raise NotImplementedError(f"\"max_pool1d_impl\" not implemented for '{NAMES[input.dtype.name]}'")
        found = pool(axes, input, kernel_size, stride, padding, dilation, -math.inf)
        if ceil_mode or return_indices:
            raise missing(f"ceil_mode or return_indices of torch.nn.functional.max_pool{axes}d")
        return found.max(-1).values

    def mean(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
        if ceil_mode or not count_include_pad:
            raise missing(f"ceil_mode or count_include_pad of torch.nn.functional.avg_pool{axes}d")
        found = pool(axes, input, kernel_size, stride, padding, 1, 0.0)
        if input.dtype.is_floating_point:
            return found.mean(-1)
        return torch.div(found.sum(-1), found.shape[-1], rounding_mode="trunc").to(input.dtype)

    return largest if name == "max" else mean


max_pool1d, max_pool2d = _pools("max", 1), _pools("max", 2)
avg_pool1d, avg_pool2d = _pools("avg", 1), _pools("avg", 2)


def _adaptive(axes: int, mean: bool):
    """Make the pools that cut each axis into so many parts."""

    def apply(input, output_size):
        sizes = [output_size] * axes if isinstance(output_size, int) else list(output_size)
        for axis, wanted in enumerate(sizes, input.dim() - axes):
            length = input.shape[axis]
            wanted = length if wanted is None else wanted
            parts = [
                input.narrow(
                    axis, k * length // wanted, -(-(k + 1) * length // wanted) - k * length // wanted
                )
                for k in range(wanted)
            ]
            input = torch.cat(
                [p.mean(axis, keepdim=True) if mean else p.amax(axis, keepdim=True) for p in parts], axis
            )
        return input

    return apply


adaptive_avg_pool1d, adaptive_avg_pool2d = _adaptive(1, mean=True), _adaptive(2, mean=True)
adaptive_max_pool1d, adaptive_max_pool2d = _adaptive(1, mean=False), _adaptive(2, mean=False)


def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    batched = input.dim() == 4
    cut = windows(
        input if batched else input.unsqueeze(0), 2, kernel_size, stride, padding, dilation
    )  # (n, c, y, x, h, w)
    n, c, y, x, h, w = cut.shape
    found = cut.permute(0, 1, 4, 5, 2, 3).reshape(n, c * h * w, y * x)
    return found if batched else found.squeeze(0)


def fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    batched = input.dim() == 3
    found = folded(
        input if batched else input.unsqueeze(0), output_size, kernel_size, dilation, padding, stride
    )
    return found if batched else found.squeeze(0)


def interpolate(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    """Make a picture larger or smaller: by the nearest place, or between two places."""
    axes = input.dim() - 2
    if (size is None) == (scale_factor is None):
        raise ValueError(
            "either size or scale_factor should be defined"
            if size is None
            else "only one of size or scale_factor should be defined"
        )
    each = lambda value: [value] * axes if isinstance(value, int | float) else list(value)  # noqa: E731
    sizes = (
        each(size)
        if size is not None
        else [math.floor(n * f) for n, f in zip(input.shape[2:], each(scale_factor), strict=True)]
    )
    if mode not in ("nearest", "linear", "bilinear", "trilinear"):
        raise missing(f"mode={mode!r} of torch.nn.functional.interpolate")
    for number, wanted in enumerate(sizes):
        axis, length = number + 2, input.shape[number + 2]
        step = length / wanted if scale_factor is None else 1 / each(scale_factor)[number]
        if mode == "nearest":
            input = input.index_select(
                axis, (torch.arange(wanted) * step).floor().long().clamp_max(length - 1)
            )
            continue
        if align_corners:
            spots = torch.arange(float(wanted)) * ((length - 1) / max(wanted - 1, 1))
        else:
            spots = ((torch.arange(float(wanted)) + 0.5) * step - 0.5).clamp_min(0)
        low = spots.floor().long()
        part = (spots - low).reshape([-1] + [1] * (input.dim() - 1 - axis)).to(input.dtype)
        input = (
            input.index_select(axis, low) * (1 - part)
            + input.index_select(axis, (low + 1).clamp_max(length - 1)) * part
        )
    return input


_surface.hold("nn.functional", globals())
__getattr__ = _methods.refuser(__name__)
