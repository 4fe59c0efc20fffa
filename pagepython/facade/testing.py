"""``torch.testing``."""

import torch
from torch._absent import refuser
from torch._surface import hold

TOLERANCES = {
    "float16": (1e-3, 1e-5),
    "bfloat16": (1.6e-2, 1e-5),
    "float32": (1.3e-6, 1e-5),
    "float64": (1e-7, 1e-7),
}


def _comparable(actual, expected) -> None:
    """Refuse two things of different kinds."""
    kinds = torch.Tensor, dict, tuple | list, int | float | complex
    for kind in kinds:
        if isinstance(actual, kind) != isinstance(expected, kind) or not isinstance(actual, kinds):
            both = f"{type(actual)} and {type(expected)}"
            raise TypeError(f"No comparison pair was able to handle inputs of type {both}.")
    if isinstance(expected, dict) and actual.keys() != expected.keys():
        lost, more = (sorted(a.keys() - b.keys()) for a, b in ((expected, actual), (actual, expected)))
        raise AssertionError(
            f"The keys of the mappings do not match:\nMissing keys in the actual mapping: {lost}\nAdditional keys in the actual mapping: {more}"
        )


def assert_close(
    actual, expected, *, rtol=None, atol=None, equal_nan=False, check_dtype=True, msg=None,
) -> None:  # fmt: skip
    """Raise an AssertionError unless two tensors, or trees of them, are close."""
    if (rtol is None) != (atol is None):
        lacks = "rtol" if rtol is None else "atol"
        raise ValueError(f"Both 'rtol' and 'atol' must be either specified or omitted, but got no {lacks}.")
    _comparable(actual, expected)
    if isinstance(expected, dict):
        actual, expected = [actual[key] for key in expected], [*expected.values()]
    if isinstance(expected, tuple | list):
        if len(actual) != len(expected):
            raise AssertionError(f"The length of the sequences mismatch: {len(actual)} != {len(expected)}")
        options = {"rtol": rtol, "atol": atol, "equal_nan": equal_nan, "check_dtype": check_dtype, "msg": msg}
        for one, other in zip(actual, expected, strict=True):
            assert_close(one, other, **options)
        return
    actual, expected = (t if isinstance(t, torch.Tensor) else torch.tensor(t) for t in (actual, expected))
    if tuple(actual.shape) != tuple(expected.shape):
        raise AssertionError(
            f"The values for attribute 'shape' do not match: {actual.shape} != {expected.shape}."
        )
    if check_dtype and actual.dtype != expected.dtype:
        raise AssertionError(
            f"The values for attribute 'dtype' do not match: {actual.dtype} != {expected.dtype}."
        )
    kinds = [TOLERANCES.get(t.dtype.name, (0.0, 0.0)) for t in (actual, expected)]
    rtol = max(k[0] for k in kinds) if rtol is None else rtol
    atol = max(k[1] for k in kinds) if atol is None else atol
    common = torch.promote_types(actual.dtype, expected.dtype)
    one, other = actual.detach().to(common), expected.detach().to(common)
    close = torch.isclose(one, other, rtol=rtol, atol=atol, equal_nan=equal_nan)
    if bool(close.all()):
        return
    if msg is not None and not callable(msg):
        raise AssertionError(msg)
    wrong, gap = int((~close).sum()), (one.to(torch.float64) - other.to(torch.float64)).abs()
    ratio = gap / other.to(torch.float64).abs()
    if not actual.dim():
        told = f"Scalars are not close!\n\nExpected {expected.item()} but got {actual.item()}.\nAbsolute difference: {gap.item()} (up to {atol} allowed)\nRelative difference: {ratio.item()} (up to {rtol} allowed)"
    else:

        def place(t):
            flat = int(t.nan_to_num(float("-inf")).argmax())
            at = []
            for length in reversed(t.shape):
                at.insert(0, flat % length)
                flat //= length
            return tuple(at)

        count = actual.numel()
        told = (
            f"Tensor-likes are not close!\n\nMismatched elements: {wrong} / {count} ({wrong / count:.1%})\n"
            f"Greatest absolute difference: {gap.max().item()} at index {place(gap)} (up to {atol} allowed)\n"
            f"Greatest relative difference: {ratio.max().item()} at index {place(ratio)} (up to {rtol} allowed)"
        )
    raise AssertionError(told if not callable(msg) else msg(told))


hold("testing", globals())
__getattr__ = refuser(__name__)
