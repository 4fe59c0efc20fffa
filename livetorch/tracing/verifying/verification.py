"""A Program is held against its function, called outside the recorder: on the example and on moved inputs."""

import contextlib
import functools
import io
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import torch
from torch import Tensor

from livetorch.program.encoding import dtype_name
from livetorch.program.errors import (
    ChangingError,
    DataDependentError,
    FrozenError,
    Line,
    LiveWarning,
    TraceError,
)
from livetorch.program.program import Program
from livetorch.progress import waiting
from livetorch.tracing.reader.reader_code import function_name
from livetorch.tracing.recorders import Move
from livetorch.tracing.recording import Recording, call_outside, failing, page_dtype, parting, record
from livetorch.tracing.verifying.closeness import (
    close,
    gap,
    grows_last_bits,
    nudged,
    rounded_otherwise,
    same,
    scale_of,
)
from livetorch.tracing.verifying.in_page import fits_in_page, run_in_page
from livetorch.tracing.verifying.moved import counted, not_a_number, otherwise

# of the largest number in an output; half precision anywhere inside makes all that follows as coarse
_TOLERANCE = {torch.float16: 1e-2, torch.bfloat16: 5e-2}
_FINE = 1e-4
_SENSITIVE = 8  # times what the last bits of the inputs change


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
    example, moves = Move(dict(examples), "the example"), list(moves)
    sent = [move for move in (example, *moves) if fits_in_page(move.inputs)]
    shown = run_in_page(program, [move.inputs for move in sent])
    held = _Held(fn, recording, program, dict(examples))
    held.on_example(example)
    held.refuse_text()
    held.refuse_guards()
    for move in moves:
        held.on(move)
    with waiting(f"Running the recording of {held.name} as a page does"):
        held.in_page(sent, shown())


@contextlib.contextmanager
def _noting_gradients(learned: list[Tensor], left: list[bool]) -> Iterator[None]:
    """Note whether parameters have gradients after this block."""
    yield
    left.append(any(tensor.grad is not None for tensor in learned))


@dataclass(frozen=True)
class _Held:
    fn: Callable
    recording: Recording
    program: Program
    examples: dict[str, Tensor]
    right: list[tuple[Move, dict[str, Tensor]]] = field(default_factory=list)  # and what the function gave

    @property
    def name(self) -> str:
        return function_name(self.fn)

    def call(self, inputs: Mapping[str, Tensor]) -> dict[str, Tensor]:
        return call_outside(self.fn, inputs, self.recording.learned)

    def run(self, inputs: Mapping[str, Tensor]) -> dict[str, Tensor]:
        with page_dtype():
            return self.program.run(**{name: tensor.detach() for name, tensor in inputs.items()})

    def on_example(self, example: Move) -> None:
        left: list[bool] = []
        mode = _noting_gradients(self.recording.learned, left)
        try:
            wanted = call_outside(self.fn, self.examples, self.recording.learned, mode=mode)
        except Exception as raised:
            raise ChangingError(
                f"{self.name} ran while it was traced, but fails when it is called: {type(raised).__name__}: "
                f"{raised} (if that is so at the second call only, it keeps something from the first)."
            ) from raised
        fault = self._fault(self.run(self.examples), wanted)
        if fault:
            self._refuse_changing(self.examples, wanted)
            self._judge(example, wanted, fault, self.run(self.examples))
        elif grows_last_bits(self.call, self.examples, wanted, self._last_bit()):
            self._warn_of_last_bits(" for the example")
        else:
            self.right.append((example, wanted))
        self._refuse_what_stays(wanted, any(left))

    def on(self, move: Move) -> None:
        try:
            wanted = self.call(move.inputs)
        except Exception as raised:
            if move.reachable:
                raise TraceError(
                    f"{self.name} fails for {move.said}: {type(raised).__name__}: {raised}"
                ) from raised
            for other in move.instead:
                self.on(other)
            return
        got = None
        try:
            got = self.run(move.inputs)
            fault = self._fault(got, wanted)
        except (RuntimeError, IndexError) as error:
            fault = f"the Program fails: {error}"
        if not fault:
            self.right.append((move, wanted))
            return
        self._refuse_changing(move.inputs, wanted)
        names = self._moved(move)
        parted, line = self._parting(move.inputs)
        if parted:
            if self._parting(self.examples)[0]:
                where = f", on {line}" if line else ""
                raise ChangingError(
                    f"{self.name} keeps something from one call to the next{where}, so a second call takes "
                    "other steps. Let it come in as an argument and go out as an output (carry)."
                )
            guilty = [name for name in names if len(names) == 1 or self._alone(name, move)] or names
            raise FrozenError(self._frozen(guilty, line), guilty)
        self._judge(move, wanted, fault, got)

    def in_page(self, sent: list[Move], shown: list[dict[str, Tensor] | str] | None) -> None:
        """Hold what the page gave against the function, wherever the Program is right in torch."""
        if shown is None:
            return
        known = dict(zip(map(id, sent), shown, strict=True))
        more = [move for move, _ in self.right if id(move) not in known and fits_in_page(move.inputs)]
        if more:  # which took the place of others
            given = run_in_page(self.program, [move.inputs for move in more])() or ()
            known |= dict(zip(map(id, more), given, strict=True))
        for move, wanted in self.right:
            outputs = known.get(id(move))
            if outputs is None:
                continue
            if isinstance(outputs, str):
                lines = {node.line for node in self.recording.nodes if node.line and node.op in outputs}
                place = f" on {lines.pop()}" if len(lines) == 1 else ""
                raise TraceError(
                    f"the page stops{place}{self._where(move)}, where {self.name} runs: {outputs}"
                )
            fault = self._fault(outputs, wanted)
            if fault and not self._excused(move, wanted, outputs, rounded=True):
                raise TraceError(
                    f"the page does not give the numbers that {self.name} gives{self._where(move)}: {fault}. "
                    "This is a fault of the page's operators; please tell us."
                )

    def refuse_text(self) -> None:
        """Refuse a function that goes by the text of what depends on an input: other texts change it."""
        if not self.recording.told:
            return
        ways = [lambda tensor, text: "?", counted(0, 1), counted(10**6, -1), otherwise, not_a_number]
        for words in ways:
            try:
                with contextlib.redirect_stdout(io.StringIO()):
                    parted, _ = parting(self.recording, record(self.fn, self.examples, words))
            except Exception:
                parted = True
            if parted:
                names = sorted(frozenset().union(*self.recording.told))
                line = next(filter(None, self.recording.told.values()), None)
                raise FrozenError(self._frozen(names, line, "text"), names)

    def refuse_guards(self) -> None:
        """Refuse a function that catches an error which an operator raises for other numbers."""
        for line, error, deps in self.recording.guarded:
            mode = failing(self.fn, line, error)
            try:
                call_outside(self.fn, self.examples, self.recording.learned, mode=mode)
            except Exception:
                continue
            if mode.raised:
                names = " and ".join(f"'{name}'" for name in sorted(deps))
                raise DataDependentError(
                    f"data-dependent branch on {line}. Whether an operator raises an error there, which "
                    f"{self.name} catches, depends on the input {names}, but a Program takes the same steps "
                    "for every value: use torch.where, and for matrices torch.linalg.cholesky_ex or inv_ex, "
                    "whose info says whether it worked.",
                    deps,
                )

    def _refuse_what_stays(self, wanted: dict[str, Tensor], gradients: bool) -> None:
        """Refuse a clock whose time is computed with, and gradients that pile up from call to call."""
        if self.recording.clock:
            text = f"{self.name} reads the clock ({self.recording.clock}), which stands still in a page"
            parted, line = self._parting(self.examples)
            if parted:
                where = f", on {line}" if line else ""
                raise ChangingError(f"{text}{where}. Let the time come in as an argument.")
            warnings.warn(f"{text}: it keeps what it said when the function was traced.", LiveWarning, 3)
        if not gradients:
            return
        twice = call_outside(self.fn, self.examples, self.recording.learned, times=2)
        if not same(twice, wanted) and same(self.call(self.examples), wanted):
            raise ChangingError(
                f"{self.name} adds to the .grad of a parameter outside of it, so the next call gives other "
                "numbers. Start with optimizer.zero_grad() or W.grad = None."
            )

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

    def _judge(
        self, move: Move, wanted: dict[str, Tensor], fault: str, got: dict[str, Tensor] | None
    ) -> None:
        """Excuse a difference that last bits make as well, and complain of all others."""
        if got is not None and self._excused(move, wanted, got):
            return
        if got is not None and self._is_rounding(move, wanted, got):
            self.right.append((move, wanted))
            return
        hint = "This is a fault of the tracing; please write the function in another way, and tell us."
        if torch.get_default_dtype() != torch.float32:
            hint = (
                f"torch.set_default_dtype({torch.get_default_dtype()}) is at work, and a page has float32: "
                "give tensors their dtype by dtype=..., or set the default back."
            )
        elif self.recording.clock:
            hint = f"It reads the clock ({self.recording.clock}): let the time come in as an argument."
        elif got is not None and self._goes_a_fast_path(move, got):
            hint = (
                "Here torch goes its fast path for nn.TransformerEncoder and nn.MultiheadAttention, whose "
                "numbers for padded rows are others than those of the layers. Switch it off, as here: "
                "torch.backends.mha.set_fastpath_enabled(False)."
            )
        raise TraceError(
            f"the Program of {self.name} does not give the numbers that the function gives"
            f"{self._where(move)}: {fault}. {hint}"
        )

    def _where(self, move: Move) -> str:
        return f" for {move.said}" if move.said else " for inputs beside the example"

    def _excused(
        self, move: Move, wanted: dict[str, Tensor], got: dict[str, Tensor], rounded: bool = False
    ) -> bool:
        """Tell whether last bits make as large a difference: of the inputs, or of all that is rounded."""
        if any((got[name].shape, got[name].dtype) != (w.shape, w.dtype) for name, w in wanted.items()):
            return False
        calls = [self._nudged(move, sign) for sign in (1, -1)]
        calls += self._rounded(move) if rounded else []
        reach = dict.fromkeys(wanted, 0.0)
        for call in calls:
            try:
                other = call()
            except Exception:
                return False
            reach = {name: max(reach[name], gap(other[name], want)) for name, want in wanted.items()}
        if any(gap(got[name], want) > _SENSITIVE * reach[name] for name, want in wanted.items()):
            return False
        noise = _FINE * (scale_of(move.inputs) or 1.0)  # what is 0 but for its last bits is no news
        if move.near and any(gap(got[name], want) > noise for name, want in wanted.items()):
            self._warn_of_last_bits(self._where(move))
        return True

    def _is_rounding(self, move: Move, wanted: dict[str, Tensor], got: dict[str, Tensor]) -> bool:
        """Tell whether a difference is made by rounding alone, and next to nothing.

        Where a function subtracts two formulas of one thing, only rounding is left, and the recorded
        operators round at other places than the function does. The difference must be as small as the one
        between runs of the Program that are rounded otherwise; a tie that falls the other way is larger.
        """
        least = self._tolerance() * max(scale_of(move.inputs), 1.0)
        try:
            others = [call() for call in self._rounded(move)]
        except (RuntimeError, IndexError):  # an operator asks its numbers for something
            return False
        for name, want in wanted.items():
            if (got[name].shape, got[name].dtype) != (want.shape, want.dtype):
                return False
            if close(got[name], want, self._tolerance()):
                continue
            reach = max(gap(other[name], got[name]) for other in others)
            if not want.is_floating_point() or gap(got[name], want) > min(least, _SENSITIVE * reach):
                return False
        return True

    def _rounded(self, move: Move) -> list[Callable[[], dict[str, Tensor]]]:
        plain = {name: tensor.detach() for name, tensor in move.inputs.items()}
        return [functools.partial(rounded_otherwise, self.program, plain, seed) for seed in range(4)]

    def _nudged(self, move: Move, sign: int) -> Callable[[], dict[str, Tensor]]:
        near = {name: nudged(tensor, sign) for name, tensor in move.inputs.items()}
        return functools.partial(self.call, near)

    def _goes_a_fast_path(self, move: Move, got: dict[str, Tensor]) -> bool:
        if not torch.backends.mha.get_fastpath_enabled():
            return False
        torch.backends.mha.set_fastpath_enabled(False)
        try:
            return not self._fault(got, self.call(move.inputs))
        finally:
            torch.backends.mha.set_fastpath_enabled(True)

    def _warn_of_last_bits(self, where: str) -> None:
        text = f"the numbers of {self.name}{where} hang on the last bits of its inputs"
        warnings.warn(f"{text}, so a page may show others than torch.", LiveWarning, stacklevel=3)

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

    def _kinds(self) -> set[torch.dtype]:
        return {value.dtype for node in self.recording.nodes for value in (*node.outs, *node.inputs)}

    def _tolerance(self) -> float:
        kinds = self._kinds()
        return max([_FINE, *(size for dtype, size in _TOLERANCE.items() if dtype in kinds)])

    def _last_bit(self) -> float:
        return max([0.0, *(torch.finfo(dtype).eps for dtype in self._kinds() & set(_TOLERANCE))])

    def _changes(self, line: Line | None, what: str) -> str:
        where = f", on {line}" if line else ""
        return (
            f"{self.name} gives other numbers at each call{where} ({what}). Does it draw random numbers "
            "outside torch, count its calls, or keep something from one call to the next? Draw such numbers "
            "outside the function; let what is kept come in as an argument and go out as an output (carry)."
        )

    def _frozen(self, names: list[str], line: Line | None, into: str = "a Python number") -> str:
        which = " and ".join(names)
        where = f" on {line}" if line else ""
        return (
            f"{self.name} does not follow {which} once it is traced: it turns {which} into {into}"
            f"{where} (float(), .item(), NumPy, text, torch.Tensor([...]), another thread). Compute with "
            f"torch on {which} itself (torch.stack, torch.tensor); in explore, {names[0]}=Slider(..., "
            "variant=True) or a list of values traces each value on its own."
        )
