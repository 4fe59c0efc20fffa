"""From a bound function to its Programs: one for each combination of variant controls, constants shared."""

import dataclasses
import math
from collections.abc import Callable
from typing import Any

import torch

from attn_helpers.live.binding import Binding
from attn_helpers.live.controls import Control, Slider
from attn_helpers.live.trace import trace_with

__all__ = ["MOST_PROGRAMS", "compile_programs"]

MOST_PROGRAMS = 64  # a page with more would load slowly, and nobody tries so many combinations by hand


def compile_programs(
    binding: Binding, check: Callable[[dict[str, Any], Any], None], store: str | None = None
) -> tuple[Binding, dict[str, Any]]:
    """Trace a function once for each combination of its variant controls.

    An integer slider is first tried as an input; where the function needs a Python number (a shape, a
    branch), each of its positions is traced instead.

    Args:
        binding: the function and its controls.
        check: called with the settings and the Program's outputs of each combination; raises when a view
            does not fit.
        store: "float16" keeps the constants in half the space, None keeps them exact.

    Returns:
        The binding that was traced, and the `programs`, `pool` and `variants` of the figure's JSON.

    Raises:
        ValueError: there are too many combinations, or the function cannot be traced.
    """
    try:
        return binding, _compile(binding, check, store)
    except (ValueError, TypeError) as error:
        one_by_one = {name: _enumerated(control) for name, control in binding.given.items()}
        again = Binding(binding.fn, one_by_one)
        few = math.prod(len(c.options()) for c in again.variants().values()) <= MOST_PROGRAMS
        if not few or all(one_by_one[name] is control for name, control in binding.given.items()):
            raise
        try:
            return again, _compile(again, check, store)
        except (ValueError, TypeError):
            raise error from None


def _enumerated(control: Any) -> Any:
    if isinstance(control, Slider) and control.integer and not control.variant:
        return dataclasses.replace(control, variant=True)
    return control


def _compile(
    binding: Binding, check: Callable[[dict[str, Any], Any], None], store: str | None
) -> dict[str, Any]:
    variants = binding.variants()
    counts = {name: len(control.options()) for name, control in variants.items()}
    if math.prod(counts.values()) > MOST_PROGRAMS:
        product = " x ".join(f"{name} ({count})" for name, count in counts.items())
        raise ValueError(
            f"{binding.name} would need {math.prod(counts.values())} Programs, "
            f"one for each combination of {product}; at most {MOST_PROGRAMS} are sensible. "
            "Use fewer options, or sliders that are inputs."
        )
    pool: list[Any] = []
    programs: list[dict[str, Any]] = []
    keys: dict[str, int] = {}
    for numbers, values in binding.combinations():
        settings = binding.defaults() | values
        inputs = binding.inputs(settings)
        program = trace_with(binding.partial(settings), inputs, store=store)
        outputs = program.run(**inputs)
        check(settings, outputs)
        _check_moving(binding, settings, program, outputs)
        as_dict = program.to_dict(pool)
        if as_dict not in programs:
            programs.append(as_dict)
        keys[",".join(map(str, numbers))] = programs.index(as_dict)
    return {"programs": programs, "pool": pool, "variants": {"controls": list(variants), "keys": keys}}


def _check_moving(
    binding: Binding, settings: dict[str, Any], program: Any, outputs: dict[str, torch.Tensor]
) -> None:
    """Raise when the function follows a slider but its Program does not: the number was baked in."""
    for name, control in binding.controls.items():
        for end in _ends(control):
            moved = settings | {name: end}
            expected = binding.call(moved)
            got = program.run(**binding.inputs(moved))
            for key, value in expected.items():
                here = outputs[key]
                frozen = got[key].shape == here.shape and torch.equal(
                    got[key].nan_to_num(), here.nan_to_num()
                )
                follows = value.shape != here.shape or not _close(value, here)
                if frozen and follows:
                    raise ValueError(
                        f"the output {key} of {binding.name} does not follow {name} once it is traced: "
                        f"{binding.name} turns {name} into a Python number "
                        "(float(), int(), .item(), range(), math...). "
                        f"Compute with torch on {name} itself, or write {name}=Slider(..., variant=True) "
                        "or a list of values, so that each value is traced on its own."
                    )


def _ends(control: Control) -> list[Any]:
    if isinstance(control, Slider) and not control.variant:
        return [end for end in (control.min, control.max) if end != control.value]
    return []


def _close(a: torch.Tensor, b: torch.Tensor) -> bool:
    return torch.allclose(a.double(), b.double(), rtol=1e-3, atol=1e-5, equal_nan=True)
