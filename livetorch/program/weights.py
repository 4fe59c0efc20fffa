"""How the numbers of Programs are kept in a page: exactly, as float16 or as int8, and what that takes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch

from livetorch.program.encoding import Constant
from livetorch.program.errors import InputError
from livetorch.program.program import Program

__all__ = ["KINDS", "MOST_BYTES", "Sizes", "narrowed", "pooled"]

KINDS = ("float32", "float16", "int8")
MOST_BYTES = 120_000_000  # of weights in one page: browsers read about 200 MB of text in one file
_BYTES = {"float32": 4, "float16": 2, "int8": 1}
_SMALL = 4096  # numbers: vectors and small tables stay exact, their error would cost more than they take


def check_kind(kind: str) -> None:
    """Raise where there is no such way of keeping numbers."""
    if kind not in KINDS:
        raise InputError(f"weights must be one of {', '.join(map(repr, KINDS))}, got weights={kind!r}.")


@dataclass(frozen=True)
class Sizes:
    """How many bytes the numbers of a Program take, by the way in which they are kept.

    >>> str(Sizes(22_700_000, 90_800_000))
    '22.7 million numbers: 91 MB as float32, 45 MB as float16, 23 MB as int8'
    """

    numbers: int
    exact: int

    def of(self, kind: str) -> int:
        """Give the bytes of one way."""
        check_kind(kind)
        return self.exact if kind == "float32" else self.numbers * _BYTES[kind]

    def __str__(self) -> str:
        each = ", ".join(f"{self.of(kind) / 1e6:.0f} MB as {kind}" for kind in KINDS)
        return f"{self.numbers / 1e6:.1f} million numbers: {each}"

    @classmethod
    def of_constants(cls, constants: Iterable[Constant]) -> Sizes:
        """Count what some constants take."""
        each = list(constants)
        return cls(sum(torch.Size(one.shape).numel() for one in each), sum(len(one.data) for one in each))

    @classmethod
    def of_programs(cls, programs: Sequence[Program]) -> Sizes:
        """Count what the constants of several Programs take, those that they share once."""
        return cls.of_constants({id(one): one for program in programs for one in program.constants}.values())


def narrowed(programs: Sequence[Program], kind: str) -> list[Program]:
    """Give Programs with their large constants kept in another way, those that they share once.

    Raises:
        InputError: no such way.
    """
    check_kind(kind)
    known: dict[int, Constant] = {}

    def narrow(constant: Constant) -> Constant:
        if id(constant) not in known:
            known[id(constant)] = _narrow(constant, kind)
        return known[id(constant)]

    if kind == "float32":
        return list(programs)
    return [replace(program, constants=tuple(map(narrow, program.constants))) for program in programs]


def _narrow(constant: Constant, kind: str) -> Constant:
    large = torch.Size(constant.shape).numel() > _SMALL
    if constant.dtype != torch.float32 or not large or constant.signs is not None:
        return constant
    if kind == "int8" and len(constant.shape) > 1 and bool(constant.tensor.isfinite().all()):
        return Constant.rounded(constant.tensor)
    return Constant.of(constant.tensor, "float16")


def pooled(programs: Sequence[Program]) -> tuple[list[dict[str, Any]], list[Any]]:
    """Write Programs that share constants, each of which is written once: (Programs, pool)."""
    pool: list[Any] = []
    places: dict[int, int] = {}
    written = []
    for program in programs:
        bare = replace(program, constants=()).to_dict(pool)
        bare["constants"] = []
        for constant in program.constants:
            if id(constant) not in places:
                places[id(constant)] = len(pool)
                pool.append(constant.to_dict())
            bare["constants"].append({"pool": places[id(constant)]})
        written.append(bare)
    return written, pool
