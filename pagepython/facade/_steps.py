"""What PyTorch calls the last step of a function that is one operator there and several here."""

import functools


def _crossed(input, target, weight=None, *, label_smoothing=0.0, reduction="mean", **_) -> str:
    """Name the last step of a cross entropy."""
    if tuple(target.shape) == tuple(input.shape):
        return {"mean": "DivBackward1", "sum": "NegBackward0"}.get(reduction, "NegBackward0")
    return "AddBackward0" if label_smoothing else "NllLoss2D" if input.dim() > 2 else "NllLoss"


def _resized(input, *_, mode="nearest", **__) -> str:
    return f"Upsample{mode.capitalize()}{input.dim() - 2}D"


def _repeated(self, repeats, *_, **__) -> str | None:
    return "View" if isinstance(repeats, int) else None


def _contracted(equation, *_operands) -> str | None:
    """Name the last step of an einsum: a product, with or without a sum, or what a single tensor comes to."""
    if not isinstance(equation, str):
        return None
    left, arrow, right = equation.replace(" ", "").replace(".", "").partition("->")
    right = right if arrow else [c for c in left if left.count(c) == 1]
    summed = any(c not in right for c in left if c != ",")
    return (
        (("View" if summed else "Mul") if "," in left else "SumBackward1") if summed or "," in left else None
    )


# a name, or what gives one; a name without a number is the first of its kind
STEPS = {
    **{f"nn.functional.{path}": name for path, name in {
        "mse_loss": "MseLoss", "nll_loss": "NllLoss", "cross_entropy": _crossed, "binary_cross_entropy": "BinaryCrossEntropy",
        "binary_cross_entropy_with_logits": "BinaryCrossEntropyWithLogits", "smooth_l1_loss": "SmoothL1Loss", "huber_loss": "HuberLoss",
        "batch_norm": "NativeBatchNorm", "group_norm": "NativeGroupNorm", "conv1d": "Convolution", "conv2d": "Convolution",
        "max_pool2d": "MaxPool2DWithIndices", "avg_pool2d": "AvgPool2D", "glu": "Glu", "celu": "Celu", "soft_margin_loss": "SoftMarginLoss",
        "pairwise_distance": "NormBackward1", "prelu": "PreluKernel", "pixel_shuffle": "PixelShuffle", "unfold": "Im2Col",
        "pixel_unshuffle": "PixelUnshuffle", "interpolate": _resized,
        "scaled_dot_product_attention": lambda query, key, value, *_, **__: "ScaledDotProductFlashAttentionForCpu" if query.dim() == 4 and query.shape[-1] == value.shape[-1] else None,
    }.items()},
    "cdist": "Cdist", "diag": lambda self, *_: "DiagonalBackward0_copy" if self.dim() == 2 else None, "trace": "Trace", "t": "T",
    "block_diag": "BlockDiag", "std_mean": "StdMean", "var_mean": "VarMean", "take": "Take", "roll": "Roll", "rot90": "Rot90",
    "kron": "UnsafeView", "masked_select": "MaskedSelect", "cross": "LinalgCross", "linalg.cross": "LinalgCross", "nansum": "Nansum",
    "sgn": "Sgn", "special.entr": "SpecialEntr", "quantile": "SqueezeBackward4", "corrcoef": "ClampBackward1", "renorm": "Renorm",
    "linalg.solve": "LinalgSolveEx", "linalg.cholesky": "LinalgCholeskyEx", "linalg.pinv": "LinalgPinv", "logdet": "WhereBackward0",
    "special.ndtri": "SpecialNdtri", "repeat_interleave": _repeated, "einsum": _contracted,
}  # fmt: skip


def stepped(path: str, act):
    """Give a function whose last step on the tape has PyTorch's name."""
    name = STEPS.get(path.removeprefix("Tensor."))
    if name is None:
        return act

    @functools.wraps(act)
    def stepping(*args, **kwargs):
        found = act(*args, **kwargs)
        told = name if isinstance(name, str) else name(*args, **kwargs)
        before = [getattr(a, "_node", None) for a in args]
        for one in (found if isinstance(found, tuple) else (found,)) if told else ():
            if one._node is not None and one._node not in before:
                one._node._name = told if "Backward" in told else f"{told}Backward0"
        return found

    return stepping
