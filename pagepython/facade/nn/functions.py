"""Functions as modules: activations, losses, pools; their parameters are those that PyTorch's modules have."""

from torch._surface import forms, own_parameters
from torch._tensor import Tensor
from torch.nn import functional
from torch.nn.module import Module, Parameter

ACTIVATIONS = {
    "ReLU": "relu", "ReLU6": "relu6", "GELU": "gelu", "ELU": "elu", "CELU": "celu", "SELU": "selu", "GLU": "glu", "SiLU": "silu", "Mish": "mish",
    "LeakyReLU": "leaky_relu", "Softplus": "softplus", "Tanh": "tanh", "Sigmoid": "sigmoid", "Softmax": "softmax", "Softmin": "softmin",
    "LogSoftmax": "log_softmax", "LogSigmoid": "logsigmoid", "Hardtanh": "hardtanh", "Hardsigmoid": "hardsigmoid", "Hardswish": "hardswish",
    "Softsign": "softsign", "Tanhshrink": "tanhshrink", "Softshrink": "softshrink", "Hardshrink": "hardshrink", "Threshold": "threshold",
}  # fmt: skip
LOSSES = {
    "MSELoss": "mse_loss", "L1Loss": "l1_loss", "SmoothL1Loss": "smooth_l1_loss", "HuberLoss": "huber_loss", "NLLLoss": "nll_loss",
    "CrossEntropyLoss": "cross_entropy", "BCELoss": "binary_cross_entropy", "BCEWithLogitsLoss": "binary_cross_entropy_with_logits",
    "KLDivLoss": "kl_div", "SoftMarginLoss": "soft_margin_loss", "HingeEmbeddingLoss": "hinge_embedding_loss",
    "MarginRankingLoss": "margin_ranking_loss", "TripletMarginLoss": "triplet_margin_loss", "CosineEmbeddingLoss": "cosine_embedding_loss",
    "PoissonNLLLoss": "poisson_nll_loss", "GaussianNLLLoss": "gaussian_nll_loss",
}  # fmt: skip
OTHERS = {
    "MaxPool1d": "max_pool1d", "MaxPool2d": "max_pool2d", "AvgPool1d": "avg_pool1d", "AvgPool2d": "avg_pool2d",
    "AdaptiveAvgPool1d": "adaptive_avg_pool1d", "AdaptiveAvgPool2d": "adaptive_avg_pool2d", "AdaptiveMaxPool1d": "adaptive_max_pool1d",
    "AdaptiveMaxPool2d": "adaptive_max_pool2d", "Unfold": "unfold", "Fold": "fold", "PixelShuffle": "pixel_shuffle",
    "PixelUnshuffle": "pixel_unshuffle", "CosineSimilarity": "cosine_similarity", "PairwiseDistance": "pairwise_distance",
    "Upsample": "interpolate",
}  # fmt: skip
TOLD = {
    "MaxPool": "kernel_size={kernel_size}, stride={stride}, padding={padding}, dilation={dilation}, ceil_mode={ceil_mode}",
    "AvgPool": "kernel_size={kernel_size}, stride={stride}, padding={padding}", "Adaptive": "output_size={output_size}",
    "Softshrink": "{lambd}", "Hardshrink": "{lambd}", "Hardtanh": "min_val={min_val}, max_val={max_val}", "ReLU6": "",
    "Hardsig": "", "CosineSim": "", "Pairwise": "", "PixelShuffle": "upscale_factor={upscale_factor}", "PixelUnshuffle": "downscale_factor={downscale_factor}",
    "Unfold": "kernel_size={kernel_size}, dilation={dilation}, padding={padding}, stride={stride}",
    "Fold": "output_size={output_size}, kernel_size={kernel_size}, dilation={dilation}, padding={padding}, stride={stride}",
    "Threshold": "threshold={threshold}, value={value}",
}  # fmt: skip


def _forward(name: str, function, options: set):
    """Make the call of such a module: what it takes is what the function takes besides the options."""
    wanted = [p.name for p in forms(f"nn.functional.{FUNCTIONS[name]}")[0].parameters if p.required]
    wanted = ["input" if each == "self" else each for each in wanted if each not in options]

    def forward(self, *inputs, **named):
        if len(inputs) > len(wanted):
            count = f"{len(wanted) + 1} positional arguments but {len(inputs) + 1} were given"
            raise TypeError(f"{name}.forward() takes {count}")
        given = dict(zip(wanted, inputs, strict=False)) | named
        if others := given.keys() - {*wanted}:
            raise TypeError(f"{name}.forward() got an unexpected keyword argument {others.pop()!r}")
        if lacking := [each for each in wanted if each not in given]:
            many = f"{len(lacking)} required positional argument{'s' * (len(lacking) > 1)}"
            raise TypeError(f"{name}.forward() missing {many}: {' and '.join(map(repr, lacking))}")
        return function(
            *(given[each] for each in wanted), **{key: getattr(self, key) for key in self._options}
        )

    return forward


def _module(name: str, function):
    """Make a module whose options are handed to a function."""
    parameters = forms(f"nn.{name}")[0].parameters
    takes = own_parameters(function.__wrapped__ if hasattr(function, "__wrapped__") else function)[0]
    quiet = name in LOSSES

    def start(self, *args, **kwargs) -> None:
        Module.__init__(self)
        if len(args) > len(parameters):
            told = f"takes {len(parameters) + 1} positional argument{'s' * bool(parameters)} but {len(args) + 1} were given"
            raise TypeError(f"{name}.__init__() {told}")
        given = {p.name: p.default for p in parameters if not p.required}
        given |= dict(zip([p.name for p in parameters], args, strict=False)) | kwargs
        if isinstance(given.get("delta"), Tensor):
            raise TypeError(f"delta must be a float or int, got: {type(given['delta'])}")
        for key in (
            "size_average",
            "reduce",
            "margin",
        ):  # given a loss's tensors, PyTorch asks whether they are true
            if isinstance(given.get(key), Tensor):
                bool(given[key])
        self._options = [key for key in given if key in takes or (key == "inplace" and given[key])]
        for key, value in given.items():
            if isinstance(value, Tensor) or (key in ("weight", "pos_weight") and value is not None):
                self.register_buffer(key, value)
            elif key in takes or key == "inplace":
                setattr(self, key, value)
        if name.startswith(("MaxPool", "AvgPool")) and self.stride is None:
            self.stride = self.kernel_size
        for key in ("kernel_size", "stride", "padding") if name == "AvgPool1d" else ():
            value = getattr(self, key)
            setattr(self, key, value if isinstance(value, tuple) else (value,))
        if getattr(self, "scale_factor", None) is not None:
            many = isinstance(self.scale_factor, tuple | list)
            self.scale_factor = tuple(map(float, self.scale_factor)) if many else float(self.scale_factor)

    start._takes = takes | {"inplace"}

    forward = _forward(name, function, {p.name for p in parameters})

    def told(self) -> str:
        if quiet:
            return ""
        pattern = next((text for begin, text in TOLD.items() if name.startswith(begin)), None)
        inplace = ["inplace=True"] * bool(getattr(self, "inplace", False))
        if name == "Upsample":
            of = "size" if self.scale_factor is None else "scale_factor"
            return f"{of}={getattr(self, of)}, mode={self.mode!r}"
        if pattern is not None:
            shown = pattern.format(**{p.name: getattr(self, p.name, None) for p in parameters})
            return ", ".join([*filter(None, [shown]), *inplace])
        shown = [p.name for p in parameters if p.name in takes and p.name != "inplace"]
        return ", ".join([f"{key}={getattr(self, key)!r}" for key in shown] + inplace)

    names = {
        "__init__": start,
        "forward": forward,
        "extra_repr": told,
        "__doc__": f"{name} as a module.",
        "__module__": "torch.nn",
    }
    return type(name, (Module,), names)


FUNCTIONS = ACTIVATIONS | LOSSES | OTHERS
for _name, _function in FUNCTIONS.items():
    globals()[_name] = _module(_name, getattr(functional, _function))
NAMES = [*FUNCTIONS]


class PReLU(Module):
    """A slope for negative numbers that is learned."""

    def __init__(self, num_parameters=1, init=0.25) -> None:
        super().__init__()
        self.num_parameters, self.init = num_parameters, init
        import torch

        self.weight = Parameter(torch.full((num_parameters,), init))

    def reset_parameters(self) -> None:
        self.weight.detach().fill_(self.init)

    def forward(self, input):
        return functional.prelu(input, self.weight)

    def extra_repr(self) -> str:
        return f"num_parameters={self.num_parameters}"


class Identity(Module):
    """What comes in goes out."""

    def __init__(self, *args, **kwargs) -> None:
        super().__init__()

    def forward(self, input):
        return input
