"""What PyTorch's own code refuses of a function's arguments, by the path of the function; operators have theirs in _checks."""

import functools

from torch._form import axis_of

FITS: dict = {}


def _fit(*paths: str):
    def add(check):
        FITS.update(dict.fromkeys(paths, check))
        return check

    return add


def need(holds, text: str, kind=RuntimeError) -> None:
    """Raise an error where something does not hold."""
    if not holds:
        raise kind(text)


def fitted(path: str, act):
    """Give a function that looks at its arguments first, where there is something to look at."""
    path = path.removeprefix("Tensor.")
    checks = [*filter(None, (_kinds(path), FITS.get(path)))]
    if not checks:
        return act

    @functools.wraps(act)
    def looking(*args, **kwargs):
        for check in checks:
            check(*args, **kwargs)
        return act(*args, **kwargs)

    return looking


def _whole(t, words: str) -> None:
    from torch._dtype import NAMES

    told = f"\"{words}\" not implemented for '{NAMES[t.dtype.name]}'"
    need(t.dtype.category > 1, told, NotImplementedError)


# PyTorch's word for the kernel that a function has not got: for truth (1), for whole numbers either (2)
_KERNELS = {
    1: {"trace": "trace"},
    2: {
        "nn.functional.adaptive_max_pool1d": "adaptive_max_pool2d", "nn.functional.adaptive_max_pool2d": "adaptive_max_pool2d",
        "nn.functional.adaptive_avg_pool1d": "adaptive_avg_pool2d", "nn.functional.adaptive_avg_pool2d": "adaptive_avg_pool2d",
        "nn.functional.batch_norm": "batch_norm", "nn.functional.selu": "elu_cpu", "nn.functional.elu": "elu_cpu",
        "linalg.solve_triangular": "triangular_solve_cpu", "nn.functional.rms_norm": "rms_norm",
        "nn.functional.binary_cross_entropy_with_logits": "log_sigmoid_cpu",
        "nn.functional.group_norm": "GroupNormKernelImpl",
    },
}  # fmt: skip
# where PyTorch has an error in words for such numbers
_TYPED = {
    1: {
        "cov": "cov(): bool dtype is not supported for input", "corrcoef": "cov(): bool dtype is not supported for input",
        "linalg.vander": "linalg.vander supports floating point, complex, and integer tensors, but got Bool",
        "positive": "The `+` operator, on a bool tensor is not supported.",
    },
    2: {
        "dist": "norm(): input dtype should be either floating point or complex. Got {} instead.",
        "renorm": "linalg.vector_norm: Expected a floating point or complex tensor as input. Got {}",
        "linalg.vecdot": "linalg.vecdot: Expected a floating point or complex tensor as input. Got {}",
        "linalg.matrix_norm": "linalg.matrix_norm: Expected a floating point or complex tensor as input. Got {}",
        "nn.functional.gaussian_nll_loss": "result type Float can't be cast to the desired output type {}",
        "nn.functional.soft_margin_loss": "result type Float can't be cast to the desired output type {}",
    },
}  # fmt: skip


def _kinds(path: str):
    """Give the check of a function's first tensor's type, where PyTorch has one."""
    for kind, told in ((NotImplementedError, _KERNELS), (RuntimeError, _TYPED)):
        for least, words in told.items():
            if path in words:
                return functools.partial(_at_least, least, words[path], kind)
    return None


def _at_least(least: int, words: str, kind, first=None, *_, **named) -> None:
    from torch._dtype import NAMES

    first = next(iter(named.values()), None) if first is None else first
    found = getattr(first, "dtype", None)
    if found is not None and found.category < least:
        name = NAMES[found.name]
        raise kind(
            words.format(name) if kind is RuntimeError else f"\"{words}\" not implemented for '{name}'"
        )


@_fit("nn.functional.binary_cross_entropy")
def _entropy(_input, _target, weight=None, *_, **__) -> None:
    _fixed("binary_cross_entropy", weight=weight)


@_fit("nn.functional.binary_cross_entropy_with_logits")
def _entropy_of_logits(_input, _target, weight=None, *_, pos_weight=None, **__) -> None:
    name = "binary_cross_entropy_with_logits"
    told = f"{name}(): argument 'pos_weight' (position 4) must be Tensor, not {type(pos_weight).__name__}"
    need(pos_weight is None or hasattr(pos_weight, "_taped"), told, TypeError)
    _fixed(name, weight=weight, pos_weight=pos_weight)


def _fixed(name: str, **given) -> None:
    """What a loss weighs by is not learned from it."""
    for argument, t in given.items():
        told = f"The function '{name}' is not differentiable with respect to argument '{argument}'. This input cannot have requires_grad True."
        need(not getattr(t, "requires_grad", False), told)


# --- modules ---


@_fit("nn.LSTM", "nn.GRU", "nn.RNN")
def _recurrent(
    _self, input_size, hidden_size, num_layers=1, *args, dropout=0.0, nonlinearity="tanh", **_
) -> None:
    nonlinearity = args[0] if args and isinstance(args[0], str) else nonlinearity
    told = (
        "dropout should be a number in range [0, 1] representing the probability of an element being zeroed"
    )
    need(not isinstance(dropout, bool), told, ValueError)
    need(input_size > 0, "input_size must be greater than zero", ValueError)
    need(hidden_size > 0, "hidden_size must be greater than zero", ValueError)
    need(num_layers > 0, "num_layers must be greater than zero", ValueError)
    told = f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'."
    need(nonlinearity in ("tanh", "relu"), told, ValueError)


@_fit("nn.GRUCell", "nn.LSTMCell", "nn.RNNCell")
def _cell(_self, input_size, hidden_size, bias=True, nonlinearity="tanh") -> None:
    need(nonlinearity in ("tanh", "relu"), f"Unknown nonlinearity: {nonlinearity}")


@_fit("nn.MultiheadAttention")
def _heads(_self, embed_dim, num_heads, *_, **__) -> None:
    told = f"embed_dim and num_heads must be greater than 0, got embed_dim={embed_dim} and num_heads={num_heads} instead"
    need(embed_dim > 0 and num_heads > 0, told, ValueError)


@_fit("nn.Bilinear")
def _forms(_self, in1_features, *_, **__) -> None:
    need(in1_features > 0, f"in1_features must be > 0, but got (in1_features={in1_features})", ValueError)


@_fit("nn.Conv1d", "nn.Conv2d")
def _convolution(
    _self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, *_, **__
) -> None:
    need(groups > 0, "groups must be a positive integer", ValueError)
    steps = stride if isinstance(stride, tuple | list) else (stride,)
    strided = padding == "same" and any(step != 1 for step in steps)
    need(not strided, "padding='same' is not supported for strided convolutions", ValueError)
    modes, found = (
        ("zeros", "reflect", "replicate", "circular"),
        __.get("padding_mode", _[1] if len(_) > 1 else "zeros"),
    )
    need(found in modes, f"padding_mode must be one of {modes}, but got padding_mode={found!r}", ValueError)


@_fit("nn.functional.conv1d", "nn.functional.conv2d")
def _convolve(input, weight, bias=None, stride=1, padding=0, *_, **__) -> None:
    need(weight.dim() > 2, "weight should have at least three dimensions")
    each = [*(padding if isinstance(padding, tuple | list) else (padding,))]
    steps = stride if isinstance(stride, tuple | list) else (stride,)
    need(min(steps) > 0, "non-positive stride is not supported")
    need("same" in each or "valid" in each or min(each) >= 0, "negative padding is not supported")
    strided = padding == "same" and any(step != 1 for step in steps)
    need(not strided, "padding='same' is not supported for strided convolutions")
    told = f"Given weight of size {list(weight.shape)}, expected bias to be 1-dimensional with {weight.shape[0]} elements, but got bias of size"
    told = f"{told} {bias is not None and list(bias.shape)} instead"
    need(bias is None or tuple(bias.shape) == (weight.shape[0],), told)


@_fit("nn.Unflatten")
def _unflatten(_self, dim, unflattened_size) -> None:
    told = f"unflattened_size must be a tuple of ints, but found type {type(unflattened_size).__name__}"
    need(isinstance(unflattened_size, tuple | list), told, TypeError)


@_fit("nn.Hardtanh")
def _hardtanh(_self, min_val=-1.0, max_val=1.0, *_, **__) -> None:
    need(max_val > min_val, f"max_val ({max_val}) must be greater than min_val ({min_val})", AssertionError)


# --- functions of torch.nn.functional ---


def _tensor(input, name: str) -> None:
    told = f"{name}(): argument 'input' (position 1) must be Tensor, not {type(input).__name__}"
    need(hasattr(input, "_taped"), told, TypeError)


def _trains(training, name: str, argument: str, place: int) -> None:
    told = f"{name}(): argument '{argument}' (position {place}) must be bool, not {type(training).__name__}"
    need(isinstance(training, bool), told, TypeError)


@_fit("nn.functional.dropout")
def _dropout(input, p=0.5, training=True, *_) -> None:
    _tensor(input, "dropout")
    _trains(training, "dropout", "train", 3)


@_fit("nn.functional.dropout1d", "nn.functional.dropout2d", "nn.functional.dropout3d")
def _dropouts(input, p=0.5, training=True, *_) -> None:
    _trains(training, "feature_dropout", "train", 3)


@_fit("nn.functional.celu")
def _celu(input, *_, **__) -> None:
    _whole(input, "elu_cpu")


@_fit("nn.functional.glu")
def _glu(input, *_, **__) -> None:
    _whole(input, "glu_cpu")


@_fit("nn.functional.softmax", "nn.functional.log_softmax", "nn.functional.softmin")
def _along(input, dim=None, *_, **__) -> None:
    need(
        hasattr(input, "_taped"),
        f"'{type(input).__name__}' object has no attribute 'softmax'",
        AttributeError,
    )
    told = f"softmax(): argument 'dim' (position 1) must be int, not {type(dim).__name__}"
    need(dim is None or hasattr(dim, "__index__"), told, TypeError)


@_fit("nn.functional.interpolate")
def _interpolate(input, size=None, scale_factor=None, mode="nearest", align_corners=None, *_, **__) -> None:
    modes = {"linear": 3, "bilinear": 4, "bicubic": 4, "trilinear": 5}
    rank, wanted = input.dim(), modes.get(mode)
    told = f"Input Error: Only 3D, 4D and 5D input Tensors supported (got {rank}D) for the modes: nearest | linear | bilinear | bicubic | trilinear (got {mode})"
    need(3 <= rank <= 5, told, NotImplementedError)
    told = "align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | trilinear"
    need(align_corners is None or wanted, told, ValueError)
    told = f"Got {rank}D input, but {mode} mode needs {wanted}D input"
    need(wanted in (None, rank), told, NotImplementedError)
    _whole(input, f"compute_indices_weights_{mode}")


@_fit("nn.functional.bilinear")
def _bilinear(input1, input2, weight, bias=None) -> None:
    told = f"bilinear(): input dimensions do not match: got {input1.dim()} and {input2.dim()}"
    need(input1.dim() == input2.dim(), told)
    for number, (given, axis) in enumerate(((input1, 1), (input2, 2)), 1):
        found, wanted = given.shape[-1], weight.shape[axis]
        told = f"bilinear(): input{number} size does not match weight size: got {found} but expected {wanted}"
        need(found == wanted, told)
    fits = bias is None or bias.shape[0] == weight.shape[0]
    told = f"bilinear(): bias size does not match weight size: got {bias is not None and bias.shape[0]} but expected {weight.shape[0]}"
    need(fits, told)


@_fit("nn.functional.adaptive_avg_pool2d")
def _adaptive(input, output_size, *_, **__) -> None:
    _adapted(input, output_size, "adaptive_avg_pool2d", "")


@_fit("nn.functional.adaptive_max_pool2d")
def _adaptive_most(input, output_size, *_, **__) -> None:
    _adapted(input, output_size, "adaptive_max_pool2d", ":")


def _adapted(input, output_size, name: str, colon: str) -> None:
    sizes = [*output_size] if isinstance(output_size, tuple | list) else [output_size] * 2
    need(len(sizes) == 2, f"{name}: output_size must be 2")
    told = f"{name}: elements of output_size must be greater than or equal to 0 but received {{{str(sizes)[1:-1]}}}"
    need(all(n is None or n >= 0 for n in sizes), told)
    if sizes == [1, 1] and not colon:  # the mean over two axes, of whatever
        axis_of(-2, input.dim())
        return
    told = f"{name}(): Expected 3D or 4D tensor, but got{colon} {list(input.shape)}"
    need(input.dim() in (3, 4), told)


@_fit("nn.functional.adaptive_avg_pool1d", "nn.functional.adaptive_max_pool1d")
def _adaptive_of_one(input, output_size, *_, **__) -> None:
    told = f"Expected 2 to 3 dimensions, but got {input.dim()}-dimensional tensor for argument #1 'self' (while checking arguments for adaptive_avg_pool1d)"
    need(input.dim() in (2, 3), told)
    many = isinstance(output_size, tuple | list)
    told = (
        f"adaptive_pool1d() argument 'output_size' should contain one int (got {many and len(output_size)})"
    )
    need(not many or len(output_size) == 1, told)


@_fit("nn.functional.max_pool1d")
def _pool_of_one(input, kernel_size, stride=None, padding=0, dilation=1, *_, **__) -> None:
    need(
        input.dim() in (2, 3),
        f"max_pool1d: Expected 2D or 3D (batch mode) tensor, but got: {list(input.shape)}",
    )
    for name, value in (("kernel_size", kernel_size), ("stride", stride), ("dilation", dilation)):
        value = value[0] if isinstance(value, tuple | list) and value else value
        told = f"max_pool1d() {name} must be greater than zero, but got {value}"
        need(value is None or value == () or value > 0, told)


@_fit("nn.functional.avg_pool1d")
def _mean_of_one(input, kernel_size, stride=None, padding=0, *_, **__) -> None:
    _longs(input)
    need(min(padding if isinstance(padding, tuple | list) else [padding]) >= 0, "pad must be non-negative")


def _longs(input, name: str = "avg_pool2d") -> None:
    from torch._dtype import NAMES

    told = f"\"{name}\" not implemented for '{NAMES[input.dtype.name]}'"
    whole = input.dtype.name == "int64" or (name == "max_pool2d" and input.dtype.category == 1)
    need(input.dtype.category > 1 or whole, told, NotImplementedError)


@_fit("nn.functional.unfold")
def _columns(input, *_, **__) -> None:
    told = "\"im2col_out_cpu\" not implemented for 'Long'"
    need(input.dtype.name != "int64", told, NotImplementedError)


@_fit("nn.functional.prelu")
def _prelu(input, weight) -> None:
    from torch._dtype import NAMES

    one, two = (NAMES[t.dtype.name] for t in (input, weight))
    need(one == two, f"prelu: Type promoting not supported. Got {one} and {two}")


@_fit("nn.functional.max_pool2d")
def _pool_of_two(input, kernel_size, stride=None, *_, **__) -> None:
    _pool(input, kernel_size, stride, name="max_pool2d")


@_fit("nn.functional.avg_pool2d")
def _pool(input, kernel_size, stride=None, *_, name="avg_pool2d", **__) -> None:
    need(input.dim() in (3, 4), "non-empty 3D or 4D (batch mode) tensor expected for input")
    _longs(input, name)
    need((kernel_size if stride is None else stride) != 0, "stride should not be zero")


@_fit("nn.functional.scaled_dot_product_attention")
def _attention(query, key, value, attn_mask=None, dropout_p=0.0, *_, **__) -> None:
    need(0 <= dropout_p <= 1, f"dropout probability has to be between 0 and 1, but got {dropout_p:g}")
    if attn_mask is not None and not attn_mask.dim():
        raise IndexError("Dimension specified as -2 but tensor has no dimensions")
    if attn_mask is not None and attn_mask.dim() == 1 and query.dim() == 4:
        raise IndexError("Dimension out of range (expected to be in range of [-1, 0], but got -2)")


@_fit("nn.functional.nll_loss")
def _nll(input, target, weight=None, *_, **__) -> None:
    from torch._dtype import NAMES

    _tensor(input, "nll_loss_nd")
    _whole(input, "nll_loss2d_forward_out_frame" if input.dim() == 4 else "nll_loss_out_frame")
    one, two = (NAMES[t.dtype.name] for t in (input, input if weight is None else weight))
    need(one == two, f"expected scalar type {one} but found {two}")
    _fixed("nll_loss2d_forward" if input.dim() == 4 else "nll_loss_forward", weight=weight)


@_fit("nn.functional.batch_norm")
def _batch(
    input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5
) -> None:
    _trains(training, "batch_norm", "training", 6)
    need(eps >= 0, f"batch_norm eps must be non-negative, but got {eps}", ValueError)


@_fit("nn.functional.cross_entropy")
def _cross(input, target, weight=None, *_, ignore_index=-100, **__) -> None:
    _tensor(input, "cross_entropy_loss")
    told = f"cross_entropy_loss(): argument 'target' (position 2) must be Tensor, not {type(target).__name__}"
    need(hasattr(target, "_taped"), told, TypeError)
    shares = target.dtype.category > 1 and ignore_index is not None and ignore_index >= 0
    need(not shares, "ignore_index is not supported for floating point target")
    told = f"cross_entropy_loss(): argument 'ignore_index' (position 5) must be int, not {type(ignore_index).__name__}"
    need(ignore_index is None or hasattr(ignore_index, "__index__"), told, TypeError)
    if weight is not None and tuple(target.shape) != tuple(input.shape):
        _nll(input, target, weight)


@_fit("nn.functional.mse_loss")
def _mse(input, target, *_, weight=None, **__) -> None:
    told = "Weights and input must have the same size."
    need(weight is None or weight.dtype == input.dtype, told, ValueError)


@_fit("nn.functional.smooth_l1_loss")
def _smooth(input, target, *_, beta=1.0, **__) -> None:
    need(beta >= 0, "smooth_l1_loss does not support negative values for beta.")


@_fit("nn.functional.triplet_margin_loss")
def _triplet(anchor, positive, negative, margin=1.0, *_, **__) -> None:
    need(margin > 0, f"margin must be greater than 0, got {margin}", ValueError)
    a, p, n = anchor.dim(), positive.dim(), negative.dim()
    told = f"The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: anchor {a}D, positive {p}D, and negative {n}D inputs"
    need(a == p == n, told)


@_fit("nn.functional.cosine_embedding_loss")
def _cosine(input1, input2, target, *_, **__) -> None:
    need(target.dim() < 2, "0D or 1D target tensor expected, multi-target not supported")
    wanted = target.dim() + 1
    told = f"{wanted - 1}D target tensor expects {wanted}D input tensors, but found inputs with sizes {list(input1.shape)} and {list(input2.shape)}."
    need(input1.dim() == input2.dim() == wanted, told)


@_fit("nn.functional.margin_ranking_loss")
def _ranking(input1, input2, target, *_, **__) -> None:
    told = f"margin_ranking_loss : All input tensors should have same dimension but got sizes: input1: {input1.shape}, input2: {input2.shape}, target: {target.shape} "
    need(input1.dim() == input2.dim() == target.dim(), told)


# --- numbers to begin with, and by chance ---


@_fit("nn.init.kaiming_uniform_", "nn.init.kaiming_normal_")
def _kaiming(tensor, a=0, mode="fan_in", *_, **__) -> None:
    modes = ["fan_in", "fan_out"]
    need(mode in modes, f"Mode {mode} not supported, please use one of {modes}", ValueError)


@_fit("nn.init.calculate_gain")
def _gain(nonlinearity, param=None) -> None:
    known = [
        "linear", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d", "sigmoid", "tanh",
        "relu", "leaky_relu", "selu",
    ]  # fmt: skip
    need(nonlinearity in known, f"Unsupported nonlinearity {nonlinearity}", ValueError)
    fits = (
        nonlinearity != "leaky_relu"
        or param is None
        or (isinstance(param, int | float) and not isinstance(param, bool))
    )
    need(fits, f"negative_slope {param} not a valid number", ValueError)


@_fit("nn.init.eye_")
def _eye(tensor) -> None:
    need(tensor.dim() == 2, "Only tensors with 2 dimensions are supported", ValueError)


@_fit("uniform_", "nn.init.uniform_")
def _uniform(self, *_, **__) -> None:
    _whole(self, "check_uniform_bounds")


@_fit("normal_", "nn.init.normal_")
def _normal(self, *_, **__) -> None:
    _whole(self, "normal_kernel_cpu")


@_fit("exponential_")
def _exponential(self, lambd=1.0, **_) -> None:
    need(lambd > 0, f"exponential_ expects lambda > 0.0, but found lambda={lambd}")
    told = "Exponential distribution is a continuous probability distribution. dtype must be a floating point"
    need(self.dtype.category > 1, told)


# --- schedules ---


@_fit("optim.lr_scheduler.LinearLR")
def _line(_self, optimizer, start_factor=1 / 3, end_factor=1.0, *_, **__) -> None:
    told = "Starting multiplicative factor expected to be greater than 0 and less or equal to 1."
    need(0 < start_factor <= 1, told, ValueError)
    need(0 <= end_factor <= 1, "Ending multiplicative factor expected to be between 0 and 1.", ValueError)


@_fit("optim.lr_scheduler.ConstantLR")
def _constant(_self, optimizer, factor=1 / 3, *_, **__) -> None:
    need(0 <= factor <= 1, "Constant multiplicative factor expected to be between 0 and 1.", ValueError)


@_fit("optim.lr_scheduler.LambdaLR")
def _lambdas(_self, optimizer, lr_lambda, *_, **__) -> None:
    if isinstance(lr_lambda, list | tuple):
        groups = len(optimizer.param_groups)
        need(len(lr_lambda) == groups, f"Expected {groups} lr_lambdas, but got {len(lr_lambda)}", ValueError)


@_fit("optim.lr_scheduler.OneCycleLR")
def _cycle(
    _self, optimizer, max_lr, total_steps=None, epochs=None, steps_per_epoch=None, pct_start=0.3, *_, **__
) -> None:
    whole = total_steps is None or (isinstance(total_steps, int) and total_steps > 0)
    need(whole, f"Expected positive integer total_steps, but got {total_steps}", ValueError)
    share = isinstance(pct_start, float) and 0 <= pct_start <= 1
    need(share, f"Expected float between 0 and 1 pct_start, but got {pct_start}", ValueError)


@_fit("optim.lr_scheduler.ReduceLROnPlateau")
def _plateau(_self, optimizer, mode="min", factor=0.1, patience=10, threshold=1e-4, threshold_mode="rel", cooldown=0, min_lr=0, *_, **__) -> None:  # fmt: skip
    need(hasattr(optimizer, "param_groups"), f"{type(optimizer).__name__} is not an Optimizer", TypeError)
    need(mode in ("min", "max"), f"mode {mode} is unknown!", ValueError)
    need(threshold_mode in ("rel", "abs"), f"threshold mode {threshold_mode} is unknown!", ValueError)
    if isinstance(min_lr, list | tuple):
        groups = len(optimizer.param_groups)
        need(len(min_lr) == groups, f"expected {groups} min_lrs, got {len(min_lr)}", ValueError)


# --- shapes ---


@_fit("repeat_interleave")
def _repeats(self, repeats, dim=None, *_, **__) -> None:
    if hasattr(repeats, "shape"):
        need(repeats.dtype.name in ("int32", "int64"), "repeats has to be Long or Int tensor")
        need(repeats.dim() < 2, "repeats must be 0-dim or 1-dim tensor")
    least = min(repeats.reshape(-1).tolist(), default=0) if hasattr(repeats, "shape") else repeats
    need(least >= 0, "repeats can not be negative")
    if hasattr(repeats, "shape") and repeats.dim() and repeats.shape[0] > 1:
        length = self.numel() if dim is None else self.shape[dim]
        told = f"repeats must have the same size as input along dim, but got repeats.size(0) = {repeats.shape[0]} and input.size({dim or 0}) = {length}"
        need(repeats.shape[0] == length, told)


@_fit("select_scatter")
def _selected(self, src, dim, index) -> None:
    _slotted(self.select(dim, index), src)


@_fit("diagonal_scatter")
def _on_diagonal(self, src, offset=0, dim1=0, dim2=1) -> None:
    _slotted(self.diagonal(offset, dim1, dim2), src)


def _slotted(slot, src) -> None:
    told = f"expected src to have a size equal to the slice of self. src size = {list(src.shape)}, slice size = {list(slot.shape)}"
    need(slot.shape == src.shape, told)


@_fit("cross", "linalg.cross")
def _crossed(self, other, *_, dim=-1, **__) -> None:
    need(self.dim() == other.dim(), "linalg.cross: inputs must have the same number of dimensions.")
    lengths = [t.shape[-1 if dim is None else dim] for t in (self, other)] if self.dim() else [3]
    told = f"linalg.cross: inputs dimension {dim} must have length 3. Got {lengths[0]} and {lengths[-1]}"
    need(lengths[0] != 3 or lengths[-1] == 3, told)


@_fit("take_along_dim")
def _along_dim(self, indices, dim=None) -> None:
    from torch._dtype import NAMES

    told = f"torch.take_along_dim(): dtype of indices should be Long but got {NAMES[indices.dtype.name]}"
    need(indices.dtype.name == "int64", told)


@_fit("argmax", "argmin")
def _place(self, dim=None, *_, **__) -> None:
    if dim is not None and not self.dim():
        axis_of(dim, 0)


@_fit("squeeze", "squeeze_")
def _squeezed(self, dim=None) -> None:
    _once([d % max(self.dim(), 1) for d in dim] if isinstance(dim, tuple | list) else [])


def _once(axes: list) -> None:
    twice = next((d for d in axes if axes.count(d) > 1), None)
    need(twice is None, f"dim {twice} appears multiple times in the list of dims")


@_fit("split")
def _split(self, _sizes, dim=0) -> None:
    need(not isinstance(dim, bool), "split(): argument 'dim' (position 3) must be int, not bool", TypeError)


@_fit("tile")
def _tiled(self, dims) -> None:
    need(
        min(dims, default=0) >= 0,
        f"Trying to create tensor with negative dimension {min(dims, default=0)}: {list(dims)}",
    )


@_fit("unflatten")
def _unflat(self, dim, sizes) -> None:
    need(
        not isinstance(dim, bool), "unflatten(): argument 'dim' (position 2) must be int, not bool", TypeError
    )
    bad = [n for n in sizes if n < -1]
    need(not bad, f"unflatten got an unexpected error:\ninvalid shape dimension {bad and bad[0]}")


@_fit("tensordot")
def _contracted(a, b, dims=2, **_) -> None:
    for t, axes in zip((a, b), dims, strict=False) if isinstance(dims, tuple | list) else ():
        _once([axis_of(axis, t.dim()) for axis in axes] if isinstance(axes, tuple | list) else [])


@_fit("linalg.multi_dot")
def _several(tensors) -> None:
    need(len(tensors) > 1, f"multi_dot(): expected at least 2 tensors but got {len(tensors)}")


@_fit("nn.functional.pixel_unshuffle")
def _unshuffled(input, downscale_factor) -> None:
    need(
        downscale_factor > 0,
        f"pixel_unshuffle expects a positive downscale_factor, but got {downscale_factor}",
    )
    for name, axis in (("height", -2), ("width", -1)):
        n = input.shape[axis]
        told = f"pixel_unshuffle expects {name} to be divisible by downscale_factor, but input.size({axis})={n} is not divisible by {downscale_factor}"
        need(n % downscale_factor == 0, told)


@_fit("nn.functional.pixel_shuffle")
def _shuffled(input, upscale_factor) -> None:
    need(upscale_factor > 0, f"pixel_shuffle expects a positive upscale_factor, but got {upscale_factor}")


@_fit("nn.functional.pad")
def _padded(input, pad, mode="constant", value=None) -> None:
    told = f'Padding mode "{mode}" doesn\'t take in value argument'
    need(mode == "constant" or value in (None, 0), told)


@_fit("nn.functional.group_norm", "nn.functional.instance_norm")
def _mixed(input, *args, weight=None, bias=None, **_) -> None:
    kinds = {t.dtype for t in (input, *args, weight, bias) if hasattr(t, "requires_grad")}
    need(len(kinds) < 2, "mixed dtype (CPU): all inputs must share same datatype.")


@_fit("diff")
def _differences(self, n=1, dim=-1, prepend=None, append=None) -> None:
    fits = all(t is None or t.dim() == self.dim() for t in (prepend, append))
    need(fits, "diff expects prepend or append to be the same dimension as input")


@_fit("split_with_sizes")
def _parts(self, split_sizes, dim=0) -> None:
    told = f"split_with_sizes expects split_sizes to sum exactly to {self.shape[dim]} (input tensor's size at dimension {dim}), but got split_sizes={list(split_sizes)}"
    need(sum(split_sizes) == self.shape[dim], told)


@_fit("histc")
def _bins(self, bins=100, min=0, max=0) -> None:
    need(max >= min, "torch.histc: max must be larger than min")


@_fit("matrix_power", "linalg.matrix_power")
def _powered(A, n) -> None:
    need(A.dim() > 1, "linalg.matrix_power: The input tensor A must have at least 2 dimensions.")
    told = f"linalg.matrix_power: A must be batches of square matrices, but they are {A.shape[-2]} by {A.shape[-1]} matrices"
    need(A.shape[-1] == A.shape[-2], told)


@_fit("flipud")
def _flipped(self) -> None:
    need(self.dim(), "Input must be >= 1-d.")


@_fit("fliplr")
def _mirrored(self) -> None:
    need(self.dim() > 1, "Input must be >= 2-d.")


@_fit("movedim", "moveaxis")
def _moved(self, source, destination) -> None:
    for name, axes in (("source", source), ("destination", destination)):
        axes = axes if isinstance(axes, tuple | list) else [axes]
        found = {axis % max(self.dim(), 1) for axis in axes}
        need(len(found) == len(axes), f"movedim: repeated dim in `{name}` ({list(axes)})")


@_fit("unravel_index")
def _unravelled(indices, shape) -> None:
    told = f"expected 'indices' to be integer dtype, but got {indices.dtype}"
    need(indices.dtype.category == 1, told, TypeError)


@_fit("logspace")
def _powers(start, end, steps, *_, dtype=None, **__) -> None:
    need(dtype is None or dtype.category, "\"logspace_cpu\" not implemented for 'Bool'", NotImplementedError)


@_fit("tril_indices", "triu_indices")
def _triangles(row, col=None, offset=0, *, dtype=None) -> None:
    for name, n in (("row", row), ("col", col or 0)):
        need(n >= 0, f"{name} must be non-negative, got{n}")
    told = f"\"tril_indices\" not implemented for '{dtype}'"
    need(dtype is None or dtype.category == 1, told, NotImplementedError)


@_fit("rot90")
def _rotate(self, k=1, dims=(0, 1)) -> None:
    need(self.dim() > 1, f"expected total dims >= 2, but got total dims = {self.dim()}")
    told = f"expected rotation dims to be different, but got dim0 = {dims[0]} and dim1 = {dims[1]}"
    need(dims[0] != dims[1], told)


@_fit("narrow")
def _narrow(self, dim, start, length) -> None:
    need(self.dim(), "narrow() cannot be applied to a 0-dim tensor.")
    need(length >= 0, "narrow(): length must be non-negative.")
    need(not getattr(start, "shape", ()), "start must be an 0-dim integral Tensor.")
    n = self.shape[axis_of(dim, self.dim())] if hasattr(start, "__index__") else None
    told = f"start out of range (expected to be in range of [{n and -n}, {n}], but got {start})"
    need(n is None or -n <= int(start) <= n, told, IndexError)


@_fit("diagonal")
def _diagonal(self, offset=0, dim1=0, dim2=1) -> None:
    for axis in (dim1, dim2):
        axis_of(axis, self.dim())
    told = f"diagonal dimensions cannot be identical {dim1}, {dim2}"
    need(self.dim() < 2 or dim1 % self.dim() != dim2 % self.dim(), told)


@_fit("gradient")
def _gradients(self, *, dim=None, **_) -> None:
    axes = [] if dim is None or isinstance(dim, int) else [d % max(self.dim(), 1) for d in dim]
    twice = next((d for d in axes if axes.count(d) > 1), None)
    need(twice is None, f"dim {twice} appears multiple times in the list of dims")


@_fit("as_strided", "as_strided_")
def _strided(self, size, stride, storage_offset=None) -> None:
    need(len(size) == len(stride), "mismatch in length of strides and shape")
    need((storage_offset or 0) >= 0, f"Tensor: invalid storage offset {storage_offset}")
    first = self.storage_offset() if storage_offset is None else storage_offset
    last = first + sum((n - 1) * s for n, s in zip(size, stride, strict=True)) if 0 not in size else 0
    bytes_ = self._store.size
    told = f"setStorage: sizes {list(size)}, strides {list(stride)}, storage offset {first}, and itemsize {self.element_size()} requiring a storage size of {(last + 1) * self.element_size()} are out of bounds for storage of size {bytes_}"
    need((last + 1) * self.element_size() <= bytes_, told)


@_fit("vander")
def _vander(x, *_, **__) -> None:
    need(x.dim() == 1, "x must be a one-dimensional tensor.")


@_fit("block_diag")
def _blocks(*tensors) -> None:
    for number, t in enumerate(tensors):
        told = f"torch.block_diag: Input tensors must have 2 or fewer dimensions. Input {number} has {t.dim()} dimensions"
        need(t.dim() < 3, told)


@_fit("cartesian_prod", "combinations")
def _vectors(*tensors, **_) -> None:
    for t in tensors:
        told = f"Expect a 1D vector, but got shape {hasattr(t, 'shape') and list(t.shape)}"
        need(not hasattr(t, "dim") or t.dim() == 1, told)


@_fit("quantile", "nanquantile")
def _quantile(self, q, *_, **__) -> None:
    told = "quantile() q tensor must be same dtype as the input tensor"
    need(getattr(q, "dtype", self.dtype) == self.dtype, told)


@_fit("cdist")
def _cdist(x1, x2, *_, **__) -> None:
    from torch._dtype import NAMES

    for name, t in (("X1", x1), ("X2", x2)):
        one, two = NAMES[x1.dtype.name], NAMES[x2.dtype.name]
        need(one == two, f"expected scalar type {one} but found {two}")
        need(t.dtype.category > 1, f"cdist only supports floating-point dtypes, {name} got: {t.dtype}")


@_fit("renorm")
def _renorm(self, p, dim, maxnorm) -> None:
    need(maxnorm >= 0, f"renorm: expected maxnorm to be >= 0 but got {maxnorm}")
    need(self.dim() > 1, f"renorm: input needs at least 2 dimensions, got {self.dim()} dimensions")


@_fit("index_fill", "index_fill_")
def _fill(self, dim, index, value) -> None:
    need(index.dim() < 2, "Index has to be a vector/scalar")
    rank = value.dim() if hasattr(value, "dim") else 0
    told = f"index_fill_ only supports a 0-dimensional value tensor, but got tensor with {rank} dimension(s)."
    need(rank == 0, told)
