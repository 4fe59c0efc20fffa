"""How the numbers of Programs are kept in a page: exactly, as float16 or as int8, and what that takes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch

from livetorch.program.encoding import Constant, run_of
from livetorch.program.errors import InputError
from livetorch.program.program import Program

__all__ = ["KINDS", "MOST_BYTES", "Sizes", "narrowed", "pooled"]

KINDS = ("float32", "float16", "int8")
MOST_BYTES = 160_000_000  # of a page that its weights take: browsers read about 200 MB of text in one file
_SMALL = 4096  # numbers: vectors and small tables stay exact, their error would cost more than they take


def check_kind(kind: str) -> None:
    """Raise where there is no such way of keeping numbers."""
    if kind not in KINDS:
        raise InputError(f"weights must be one of {', '.join(map(repr, KINDS))}, got weights={kind!r}.")


@dataclass(frozen=True)
class Sizes:
    """How many numbers constants hold, and the characters that they take in a file by the way they are kept.

    >>> str(Sizes(22_700_000, {"float32": 121_000_000, "float16": 60_500_000, "int8": 32_100_000}))
    '22.7 million numbers: 121 MB of a page as float32, 60 MB as float16, 32 MB as int8'
    """

    numbers: int
    characters: Mapping[str, int]

    def of(self, kind: str) -> int:
        """Give the characters of one way."""
        check_kind(kind)
        return self.characters[kind]

    def __str__(self) -> str:
        first, *others = (f"{self.of(kind) / 1e6:.0f} MB" for kind in KINDS)
        more = [f"{each} as {kind}" for each, kind in zip(others, KINDS[1:], strict=True)]
        return ", ".join([f"{self.numbers / 1e6:.1f} million numbers: {first} of a page as float32", *more])

    def advice(self) -> str:
        """Say which ways fit into one page."""
        fitting = [kind for kind in KINDS if self.of(kind) <= MOST_BYTES]
        said = f'weights="{fitting[0]}" fits.' if fitting else "None of these fits."
        return f"{self}; a page takes at most {MOST_BYTES / 1e6:.0f} MB. {said}"

    @classmethod
    def of_constants(cls, constants: Iterable[Constant]) -> Sizes:
        """Count what some constants take."""
        each = list(constants)
        kinds = {kind: sum(_characters(one, kind) for one in each) for kind in KINDS}
        return cls(sum(torch.Size(one.shape).numel() for one in each), kinds)

    @classmethod
    def of_programs(cls, programs: Sequence[Program]) -> Sizes:
        """Count what the constants of several Programs take, those that they share once."""
        return cls.of_constants({id(one): one for program in programs for one in program.constants}.values())


def _characters(constant: Constant, kind: str) -> int:
    """Count the characters that a constant takes, four for three bytes, without narrowing it."""
    if kind == "float32" or not _is_narrowed(constant):
        letters = len(constant.letters[0]) if constant.letters else 0
        return letters + _in_base64(len(constant.data)) + _in_base64(len(constant.scales or b""))
    numbers = torch.Size(constant.shape).numel()
    if kind == "float16" or len(constant.shape) < 2:
        return _in_base64(2 * numbers)
    wide = numbers // constant.shape[0]
    return _in_base64(numbers) + _in_base64(4 * (numbers // run_of(wide)))


def _in_base64(count: int) -> int:
    return 4 * -(-count // 3)


def narrowed(programs: Sequence[Program], kind: str) -> Sequence[Program]:
    """Give Programs with their large constants kept in another way, those that they share once.

    Raises:
        InputError: no such way.
    """
    check_kind(kind)
    return programs if kind == "float32" else _Narrowed(programs, kind)


class _Narrowed(Sequence[Program]):
    """Programs each of which is narrowed when it is first taken."""

    def __init__(self, programs: Sequence[Program], kind: str) -> None:
        self._programs, self._kind = programs, kind
        self._made: dict[int, Program] = {}
        self._known: dict[int, Constant] = {}

    def __len__(self) -> int:
        return len(self._programs)

    def __getitem__(self, at: Any) -> Any:
        if at not in self._made:
            program = self._programs[at]
            self._made[at] = replace(program, constants=tuple(map(self._narrow, program.constants)))
        return self._made[at]

    def _narrow(self, constant: Constant) -> Constant:
        if id(constant) not in self._known:
            self._known[id(constant)] = _narrow(constant, self._kind)
        return self._known[id(constant)]


def _is_narrowed(constant: Constant) -> bool:
    large = torch.Size(constant.shape).numel() > _SMALL
    return constant.dtype == torch.float32 and large and constant.letters is None


def _narrow(constant: Constant, kind: str) -> Constant:
    if not _is_narrowed(constant):
        return constant
    if kind == "int8" and len(constant.shape) > 1:
        rounded = Constant.rounded(constant.tensor)
        scales = torch.frombuffer(bytearray(rounded.scales or b""), dtype=torch.float32)
        if bool(scales.isfinite().all()):  # a scale is of its largest number: all of them are
            return rounded
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
