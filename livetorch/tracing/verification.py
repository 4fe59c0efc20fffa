"""A Program is held against its function, called outside the recorder: on the example and on moved inputs."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from livetorch.program.encoding import dtype_name
from livetorch.program.errors import (
    ChangingError,
    FrozenError,
    Line,
    LiveWarning,
    TraceError,
)
from livetorch.program.program import Program
from livetorch.tracing.closeness import close, gap, nudged, same
from livetorch.tracing.reader_function import function_name
from livetorch.tracing.recorders import Move
from livetorch.tracing.recording import Recording, call_outside, parting, record
from livetorch.tracing.sensitivity import grows_last_bits
from livetorch.tracing.torch_settings import page_dtype

# of the largest number in an output; half precision anywhere inside makes all that follows as coarse
_TOLERANCE = {torch.float16: 1e-2, torch.bfloat16: 5e-2}
_FINE = 1e-4
_SENSITIVE = 8  # times what the last bits of the inputs change


def moved_floats(examples: Mapping[str, Tensor]) -> list[Move]:
    """Move the floating-point inputs a little: what a Program must follow whatever its inputs mean."""
    moved = {
        name: (tensor.detach() * 0.9 + 0.01).requires_grad_(tensor.requires_grad)
        for name, tensor in examples.items()
        if tensor.is_floating_point() and tensor.numel()
    }
    return [Move({**examples, **moved})] if moved else []


def verify(
    fn: Callable,
    recording: Recording,
    program: Program,
    examples: Mapping[str, Tensor],
    moves: Iterable[Move],
) -> None:
    """Raise where a Program does not give what its function gives.

    Args:
        fn: the function.
        recording: what it did on the examples.
        program: the Program that was made of it.
        examples: the inputs it was recorded with.
        moves: other inputs.
    Raises:
        ChangingError: the function gives other numbers at each call.
        FrozenError: a number left torch while the function ran, and stands still in the Program.
        FunctionFailedError: the function cannot run for a reachable setting.
        TraceError: the Program differs for another reason.
    """
    held = _Held(fn, recording, program, dict(examples))
    held.on_example()
    for move in moves:
        held.on(move)


@dataclass(frozen=True)
class _Held:
    fn: Callable
    recording: Recording
    program: Program
    examples: dict[str, Tensor]

    @property
    def name(self) -> str:
        return function_name(self.fn)

    def call(self, inputs: Mapping[str, Tensor]) -> dict[str, Tensor]:
        return call_outside(self.fn, inputs, self.recording.learned)

    def run(self, inputs: Mapping[str, Tensor]) -> dict[str, Tensor]:
        with page_dtype():
            return self.program.run(**{name: tensor.detach() for name, tensor in inputs.items()})

    def on_example(self) -> None:
        try:
            wanted = self.call(self.examples)
        except Exception as fault:
            raise ChangingError(
                f"{self.name} ran while it was traced, but fails when it is called: {type(fault).__name__}: "
                f"{fault} (if that is so at the second call only, it keeps something from the first)."
            ) from fault
        fault = self._fault(self.run(self.examples), wanted)
        if fault:
            self._refuse_changing(self.examples, wanted)
            self._judge(Move(self.examples, "the example"), wanted, fault)
        elif grows_last_bits(self.call, self.examples, wanted):
            self._warn_of_last_bits(" for the example")

    def on(self, move: Move) -> None:
        try:
            wanted = self.call(move.inputs)
        except Exception as fault:
            if not move.reachable:
                return
            raise TraceError(f"{self.name} fails for {move.said}: {type(fault).__name__}: {fault}") from fault
        try:
            fault = self._fault(self.run(move.inputs), wanted)
        except (RuntimeError, IndexError) as error:
            fault = f"the Program fails: {error}"
        if not fault:
            return
        self._refuse_changing(move.inputs, wanted)
        names = self._moved(move)
        parted, line = self._parting(move.inputs)
        if parted:
            guilty = [name for name in names if len(names) == 1 or self._alone(name, move)] or names
            raise FrozenError(self._frozen(guilty, line), guilty)
        self._judge(move, wanted, fault)

    def _moved(self, move: Move) -> list[str]:
        return [name for name, tensor in move.inputs.items() if not torch.equal(tensor, self.examples[name])]

    def _alone(self, name: str, move: Move) -> bool:
        return self._parting(self.examples | {name: move.inputs[name]})[0]

    def _parting(self, inputs: Mapping[str, Tensor]) -> tuple[bool, Line | None]:
        """Record again for other inputs: where the two recordings part, a number left torch."""
        try:
            return parting(self.recording, record(self.fn, inputs))
        except (TraceError, RuntimeError):
            return True, None

    def _refuse_changing(self, inputs: Mapping[str, Tensor], wanted: dict[str, Tensor]) -> None:
        again = self.call(inputs)
        if same(again, wanted):
            return
        line = self._parting(self.examples)[1]
        raise ChangingError(self._changes(line, "two calls with the same inputs differ"))

    def _judge(self, move: Move, wanted: dict[str, Tensor], fault: str) -> None:
        """Excuse a difference that the last bits of the inputs make as well, and complain of all others."""
        where = f" for {move.said}" if move.said else " for inputs a little beside the example"
        if self._hangs_on_last_bits(move, wanted):
            self._warn_of_last_bits(where)
            return
        if self.recording.refused:  # the function caught it
            raise self.recording.refused
        hint = "This is a fault of the tracing; please write the function in another way, and tell us."
        if torch.get_default_dtype() != torch.float32:
            hint = (
                f"torch.set_default_dtype({torch.get_default_dtype()}) is at work, and a page has float32: "
                "give tensors their dtype by dtype=..., or set the default back."
            )
        raise TraceError(
            f"the Program of {self.name} does not give the numbers that the function gives{where}: {fault}. "
            f"{hint}"
        )

    def _warn_of_last_bits(self, where: str) -> None:
        text = f"the numbers of {self.name}{where} hang on the last bits of its inputs"
        warnings.warn(f"{text}, so a page may show others than torch.", LiveWarning, stacklevel=3)

    def _hangs_on_last_bits(self, move: Move, wanted: dict[str, Tensor]) -> bool:
        got = self.run(move.inputs)
        if any(
            got[name].shape != want.shape or got[name].dtype != want.dtype for name, want in wanted.items()
        ):
            return False
        reach = dict.fromkeys(wanted, 0.0)
        for sign in (1, -1):
            near = {name: nudged(tensor, sign) for name, tensor in move.inputs.items()}
            try:
                other = self.call(near)
            except Exception:
                return False
            for name, want in wanted.items():
                reach[name] = max(reach[name], gap(other[name], want))
        return all(gap(got[name], want) <= _SENSITIVE * reach[name] for name, want in wanted.items())

    def _fault(self, got: dict[str, Tensor], wanted: dict[str, Tensor]) -> str:
        """Say in what the Program's outputs differ from the function's, or nothing."""
        if list(got) != list(wanted):
            return f"it returns {', '.join(wanted)}, the Program {', '.join(got)}"
        tolerance = self._tolerance()
        for name, want in wanted.items():
            have = got[name]
            if (have.dtype, have.shape) != (want.dtype, want.shape):
                forms = [f"{dtype_name(each.dtype)} of shape {tuple(each.shape)}" for each in (want, have)]
                return f"{name} is {forms[0]}, in the Program {forms[1]}"
            if not close(have, want, tolerance):
                return f"{name} is off by {gap(have, want):.2g}"
        return ""

    def _tolerance(self) -> float:
        kinds = {value.dtype for node in self.recording.nodes for value in node.outs}
        return max([_FINE, *(size for dtype, size in _TOLERANCE.items() if dtype in kinds)])

    def _changes(self, line: Line | None, what: str) -> str:
        where = f", on {line}" if line else ""
        return (
            f"{self.name} gives other numbers at each call{where} ({what}). Does it draw random numbers "
            "outside torch, count its calls, or keep something from one call to the next? Draw such numbers "
            "outside the function; let what is kept come in as an argument and go out as an output (carry)."
        )

    def _frozen(self, names: list[str], line: Line | None) -> str:
        which = " and ".join(names)
        where = f" on {line}" if line else ""
        return (
            f"{self.name} does not follow {which} once it is traced: it turns {which} into a Python number"
            f"{where} (float(), .item(), NumPy, text, torch.Tensor([...]), another thread). Compute with "
            f"torch on {which} itself (torch.stack, torch.tensor); in explore, {names[0]}=Slider(..., "
            "variant=True) or a list of values traces each value on its own."
        )
