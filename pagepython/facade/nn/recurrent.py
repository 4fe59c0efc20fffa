"""Recurrent units: a state that is read and rewritten step by step."""

import math
import warnings

import torch
from torch.nn import functional, init
from torch.nn._packed import PackedSequence
from torch.nn.module import Module, Parameter


def _both(x, state, weights):
    w_in, w_state, b_in, b_state = weights
    return functional.linear(x, w_in, b_in), functional.linear(state, w_state, b_state)


def _gru(x, state, weights):
    one, two = (t.chunk(3, -1) for t in _both(x, state[0], weights))
    reset, update = (one[0] + two[0]).sigmoid(), (one[1] + two[1]).sigmoid()
    new = (one[2] + reset * two[2]).tanh()
    return ((1 - update) * new + update * state[0],)


def _lstm(x, state, weights):
    one, two = _both(x, state[0], weights)
    into, forget, new, out = (one + two).chunk(4, -1)
    cell = forget.sigmoid() * state[1] + into.sigmoid() * new.tanh()
    return out.sigmoid() * cell.tanh(), cell


def _rnn(x, state, weights, squash="tanh"):
    one, two = _both(x, state[0], weights)
    return ((one + two).tanh() if squash == "tanh" else (one + two).relu(),)


STEPS = {"GRU": (_gru, 3, 1), "LSTM": (_lstm, 4, 2), "RNN": (_rnn, 1, 1)}  # a step, gates, tensors of a state


class _Unit(Module):
    """What holds weights for its gates."""

    def _make(self, sizes: dict) -> None:
        for name, shape in sizes.items():
            setattr(self, name, Parameter(torch.empty(shape)))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        bound = 1 / math.sqrt(self.hidden_size) if self.hidden_size else 0
        for parameter in self.parameters():
            init.uniform_(parameter, -bound, bound)


class _Cell(_Unit):
    """One step."""

    kind, nonlinearity = "", None

    def __init__(self, input_size, hidden_size, bias=True) -> None:
        super().__init__()
        self.input_size, self.hidden_size, self.bias = input_size, hidden_size, bias
        wide = STEPS[self.kind][1] * hidden_size
        sizes = {"weight_ih": (wide, input_size), "weight_hh": (wide, hidden_size)}
        self._make(sizes | ({"bias_ih": (wide,), "bias_hh": (wide,)} if bias else {}))

    def forward(self, input, hx=None):
        step, _, several = STEPS[self.kind]
        if input.dim() not in (1, 2):
            raise ValueError(
                f"{type(self).__name__}: Expected input to be 1D or 2D, got {input.dim()}D instead"
            )
        if input.shape[-1] != self.input_size:
            raise RuntimeError(
                f"input has inconsistent input_size: got {input.shape[-1]} expected {self.input_size}"
            )
        if several > 1 and isinstance(hx, torch.Tensor):
            raise TypeError("lstm_cell(): argument 'hx' (position 2) must be tuple of Tensors, not Tensor")
        for k, h in enumerate(() if hx is None else hx if several > 1 else (hx,)):
            if h.dim() not in (1, 2):
                told = f"hx[{k}]" if several > 1 else "hidden"
                raise ValueError(
                    f"{type(self).__name__}: Expected {told} to be 1D or 2D, got {h.dim()}D instead"
                )
            if h.shape[:-1] != input.shape[:-1]:
                raise RuntimeError(
                    f"Input batch size {input.shape[0]} doesn't match hidden{k} batch size {h.shape[0]}"
                )
            if h.shape[-1] != self.hidden_size:
                raise RuntimeError(
                    f"hidden{k} has inconsistent hidden_size: got {h.shape[-1]}, expected {self.hidden_size}"
                )
        if hx is None:
            state = (torch.zeros(*input.shape[:-1], self.hidden_size, dtype=input.dtype),) * several
        else:
            state = hx if several > 1 else (hx,)
        weights = [getattr(self, name, None) for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")]
        found = step(input, state, weights, *([self.nonlinearity] if self.nonlinearity else []))
        return found if several > 1 else found[0]

    def extra_repr(self) -> str:
        squash = f", nonlinearity={self.nonlinearity}" * (self.nonlinearity not in (None, "tanh"))
        return f"{self.input_size}, {self.hidden_size}" + ", bias=False" * (not self.bias) + squash


class GRUCell(_Cell):
    """One step of a GRU."""

    kind = "GRU"


class LSTMCell(_Cell):
    """One step of an LSTM."""

    kind = "LSTM"


class RNNCell(_Cell):
    """One step of a plain recurrent unit."""

    kind = "RNN"

    def __init__(self, input_size, hidden_size, bias=True, nonlinearity="tanh") -> None:
        super().__init__(input_size, hidden_size, bias)
        self.nonlinearity = nonlinearity


class _Recurrent(_Unit):
    """A unit over a sequence."""

    kind, nonlinearity = "", None

    def __init__(
        self, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0, bidirectional=False,
    ) -> None:  # fmt: skip
        super().__init__()
        if not 0 <= dropout <= 1:
            raise ValueError(
                "dropout should be a number in range [0, 1] representing the probability of an element being zeroed"
            )
        if dropout and num_layers == 1:
            told = f"dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects num_layers greater than 1, but got dropout={dropout} and num_layers=1"
            warnings.warn(told, stacklevel=3)
        self.input_size, self.hidden_size, self.num_layers = input_size, hidden_size, num_layers
        self.batch_first, self.bidirectional = batch_first, bidirectional
        self.bias, self.dropout = bias, dropout
        sizes, gates = {}, STEPS[self.kind][1]
        for layer in range(num_layers):
            for end in self._ends():
                wide = input_size if layer == 0 else hidden_size * len(self._ends())
                sizes[f"weight_ih_l{layer}{end}"] = gates * hidden_size, wide
                sizes[f"weight_hh_l{layer}{end}"] = gates * hidden_size, hidden_size
                if bias:
                    sizes[f"bias_ih_l{layer}{end}"] = sizes[f"bias_hh_l{layer}{end}"] = (gates * hidden_size,)
        self._make(sizes)

    def flatten_parameters(self) -> None:
        """Do nothing: it is for graphics cards."""

    @property
    def all_weights(self) -> list:
        names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")[: 4 if self.bias else 2]
        layers = range(self.num_layers)
        return [
            [getattr(self, f"{name}_l{k}{end}") for name in names] for k in layers for end in self._ends()
        ]

    def _ends(self) -> list[str]:
        return ["", "_reverse"] if self.bidirectional else [""]

    def _fitting(self, input, packed: bool) -> None:
        """Refuse what is not as wide, or of another type."""
        if not packed and input.dim() not in (2, 3):
            raise ValueError(f"{self.kind}: Expected input to be 2D or 3D, got {input.dim()}D tensor instead")
        if input.shape[-1] != self.input_size:
            raise RuntimeError(
                f"input.size(-1) must be equal to input_size. Expected {self.input_size}, got {input.shape[-1]}"
            )
        if input.dtype != self.weight_ih_l0.dtype:
            told = f"RNN input dtype ({input.dtype}) does not match weight dtype ({self.weight_ih_l0.dtype}). Convert input: input.to({self.weight_ih_l0.dtype}), or convert model: model.to({input.dtype})"
            raise ValueError(told)

    def _states(self, hx, batch: int):
        """Give the first states, which must fit."""
        if hx is None:
            return None
        wanted = self.num_layers * len(self._ends()), batch, self.hidden_size
        for k, h in enumerate(hx):
            if tuple(h.shape) != wanted:
                which = f"hidden[{k}]" if len(hx) > 1 else "hidden"
                raise RuntimeError(f"Expected {which} size {wanted}, got {list(h.shape)}")
        return hx

    def forward(self, input, hx=None):
        several, packed = STEPS[self.kind][2], isinstance(input, PackedSequence)
        hx = hx if hx is None or several > 1 else (hx,)
        if several > 1 and isinstance(hx, torch.Tensor):  # read as a pair, as PyTorch does
            if len(hx) < 2:
                raise IndexError(f"index 1 is out of bounds for dimension 0 with size {len(hx)}")
            ranks, told = hx.dim() - 1, "3-D input, hx and cx should also be 3-D"
            if ranks != 3:
                raise RuntimeError(f"For batched {told} but got ({ranks}-D, {ranks}-D) tensors")
            raise TypeError("lstm(): argument 'hx' must be tuple of Tensors, not Tensor")
        if packed:
            self._fitting(input.data, True)
            there, back = input.sorted_indices, input.unsorted_indices
            sizes = input.batch_sizes.tolist()
            hx = hx if hx is None or there is None else [h.index_select(1, there) for h in hx]
            steps, final = self._through(input.data, self._states(hx, sizes[0]), sizes)
            final = final if back is None else [h.index_select(1, back) for h in final]
            steps = PackedSequence(steps, input.batch_sizes, there, back)
            return steps, (tuple(final) if several > 1 else final[0])
        self._fitting(input, False)
        batched = input.dim() == 3
        steps = input if batched else input.unsqueeze(1)
        steps = steps.transpose(0, 1) if batched and self.batch_first else steps
        hx = hx if hx is None or batched else [h.unsqueeze(1) for h in hx]
        steps, final = self._through(steps, self._states(hx, steps.shape[1]))
        if not batched:
            steps, final = steps.squeeze(1), [h.squeeze(1) for h in final]
        elif self.batch_first:
            steps = steps.transpose(0, 1)
            if steps._node is not None:
                steps._node._name = "transpose*1"
        return steps, (tuple(final) if several > 1 else final[0])

    def _through(self, steps, given, sizes: list | None = None):
        """Go through all layers; with sizes, the steps are rows one after the other, in each step so many."""
        several, last = STEPS[self.kind][2], []
        for layer in range(self.num_layers):
            sides = []
            for end in self._ends():
                names = [f"{name}_l{layer}{end}" for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")]
                weights = [getattr(self, name, None) for name in names]
                if given is None:
                    state = (
                        steps.new_zeros(sizes[0] if sizes else steps.shape[1], self.hidden_size),
                    ) * several
                else:
                    state = tuple(h[len(last)] for h in given)
                found = []
                parts = steps.split(sizes) if sizes else steps.unbind(0)
                for x in reversed(parts) if end else parts:
                    state = self._step(x, state, weights)
                    found.append(state[0][: len(x)] if sizes else state[0])
                last.append(state)
                sides.append((torch.cat if sizes else torch.stack)(found[::-1] if end else found))
            steps = torch.cat(sides, -1) if len(sides) > 1 else sides[0]
            if self.dropout and layer < self.num_layers - 1:
                steps = functional.dropout(steps, self.dropout, self.training)
        return steps, [torch.stack([state[k] for state in last]) for k in range(several)]

    def _step(self, x, state: tuple, weights: list) -> tuple:
        """Take one step; the states of sequences that have no row in it stay."""
        step, rows, squash = STEPS[self.kind][0], len(x), [self.nonlinearity] if self.nonlinearity else []
        if rows == len(state[0]):
            return step(x, state, weights, *squash)
        new = step(x, tuple(h[:rows] for h in state), weights, *squash)
        return tuple(torch.cat([h, old[rows:]]) for h, old in zip(new, state, strict=True))

    def extra_repr(self) -> str:
        more = (
            [f"num_layers={self.num_layers}"] * (self.num_layers != 1)
            + ["bias=False"] * (not self.bias)
            + ["batch_first=True"] * self.batch_first
            + [f"dropout={self.dropout}"] * bool(self.dropout)
            + ["bidirectional=True"] * self.bidirectional
        )
        return ", ".join([f"{self.input_size}, {self.hidden_size}", *more])


class GRU(_Recurrent):
    """A GRU over a sequence."""

    kind = "GRU"


class LSTM(_Recurrent):
    """An LSTM over a sequence."""

    kind = "LSTM"


class RNN(_Recurrent):
    """A plain recurrent unit over a sequence."""

    kind = "RNN"

    def __init__(
        self, input_size, hidden_size, num_layers=1, nonlinearity="tanh", bias=True, batch_first=False, dropout=0.0,
        bidirectional=False,
    ) -> None:  # fmt: skip
        super().__init__(input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional)
        self.nonlinearity = nonlinearity
