"""The texts that tell a reader why a function cannot be traced and what to write instead."""

from livetorch.program.errors import DataDependentError, RandomOperatorError

NO_VALUE: frozenset[str] = frozenset()

_BRANCHES = {"__bool__", "is_nonzero", "__contains__", "equal", "allclose", "__and__", "__or__"}
_SIZES = {
    *("__index__", "__getitem__", "__setitem__", "arange", "split", "chunk", "repeat", "repeat_interleave"),
    *("narrow", "view", "reshape", "expand", "topk", "zeros", "ones", "tril", "triu", "roll", "select"),
    "one_hot",
}
_PICKING = ("nonzero", "index", "masked", "where", "unique", "repeat_interleave")
_BY_MASK = "rather than picking by a mask, use torch.where(mask, x, 0), or multiply by the mask."
_BY_HAND = (
    "write it with other operators, or compute it outside the function if it does not depend on an input."
)
_LIBRARY_ADVICE = {"torch.autograd.graph._engine_run_backward": "leave out detect_anomaly"}


class Refusal(Exception):  # noqa: N818 - it never leaves this package
    """Raised by a rule that knows why an operator cannot be traced, but not on which line it is."""

    def __init__(self, why: str, advice: str) -> None:
        super().__init__(why)
        self.advice = advice


def random_numbers(op: str, place: str) -> RandomOperatorError:
    """Explain that a Program cannot draw random numbers."""
    return RandomOperatorError(
        f"{op} draws random numbers {place}. Call .eval() on the module if this is dropout; "
        "else draw the numbers outside the function, or pass them as an input."
    )


def data_dependent(asked: str, deps: frozenset[str], place: str, library: str = "") -> DataDependentError:
    """Explain that Python cannot look into a tensor that depends on an input.

    Args:
        asked: the torch function, or operator with a shape that depends on numbers, that looked.
        deps: names of the inputs.
        place: "on line 3 of f: ...".
        library: the function of torch that looked, where it was not the reader's own code.
    Returns: the error, to be raised.
    """
    names = " and ".join(f"'{name}'" for name in sorted(deps))
    on = f"the input {names}" if len(deps) == 1 else f"the inputs {names}"
    if library:
        return DataDependentError(
            f"{library} looks at the numbers of {on} itself, {place}: "
            f"{_LIBRARY_ADVICE.get(library, 'write what it computes with tensor operations')}, "
            "or make the control a dropdown or checkbox.",
            deps,
        )
    if asked in _BRANCHES:
        return DataDependentError(
            f"data-dependent branch {place}. The condition depends on {on}, but a Program takes the same "
            "steps for every value: use torch.where(condition, a, b), "
            "or make the control a dropdown or checkbox.",
            deps,
        )
    if asked.startswith("aten."):
        return DataDependentError(
            f"{asked} gives a shape that depends on the values of {on}, {place}. Shapes must stay the same: "
            + (_BY_MASK if any(word in asked for word in _PICKING) else _BY_HAND),
            deps,
        )
    if asked in _SIZES:
        how = (
            "Sizes, ranges and slices must be known: use a mask (torch.arange(n) < length), "
            "or make the control a dropdown (one Program per value)."
        )
    elif asked.startswith("compiled"):
        how = "Call the Python function rather than the compiled one, and use torch.where(condition, a, b)."
    else:
        how = (
            "Keep it a tensor (torch.sqrt rather than math.sqrt; no float(), .item(), .tolist(), .numpy()), "
            "or make the control a dropdown or checkbox."
        )
    return DataDependentError(
        f"{asked} asks for the numbers in a tensor that depends on {on}, {place}. {how}", deps
    )
