"""Gated recurrent units: a state that is read and rewritten step by step."""

from __future__ import annotations

import math

import torch
from torch.nn import functional, init
from torch.nn.module import Module, Parameter


def _step(x, state, weights):
    w_in, w_state, b_in, b_state = weights
    reset_x, update_x, new_x = functional.linear(x, w_in, b_in).chunk(3, -1)
    reset_h, update_h, new_h = functional.linear(state, w_state, b_state).chunk(3, -1)
    reset, update = (reset_x + reset_h).sigmoid(), (update_x + update_h).sigmoid()
    new = (new_x + reset * new_h).tanh()
    return (1 - update) * new + update * state


def _make(module, sizes: dict) -> None:
    bound = 1 / math.sqrt(module.hidden_size) if module.hidden_size else 0
    for name, shape in sizes.items():
        setattr(module, name, Parameter(torch.empty(shape)))
    for parameter in module.parameters():
        init.uniform_(parameter, -bound, bound)


class GRUCell(Module):
    """One step of a GRU."""

    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None) -> None:
        super().__init__()
        self.input_size, self.hidden_size, self.bias = input_size, hidden_size, bias
        sizes = {"weight_ih": (3 * hidden_size, input_size), "weight_hh": (3 * hidden_size, hidden_size)}
        _make(self, sizes | ({"bias_ih": (3 * hidden_size,), "bias_hh": (3 * hidden_size,)} if bias else {}))

    def forward(self, input, hx=None):
        state = torch.zeros(*input.shape[:-1], self.hidden_size, dtype=input.dtype) if hx is None else hx
        return _step(
            input,
            state,
            (self.weight_ih, self.weight_hh, getattr(self, "bias_ih", None), getattr(self, "bias_hh", None)),
        )

    def extra_repr(self) -> str:
        return f"{self.input_size}, {self.hidden_size}"


class GRU(Module):
    """A GRU over a sequence."""

    def __init__(
        self,
        input_size,
        hidden_size,
        num_layers=1,
        bias=True,
        batch_first=False,
        dropout=0.0,
        bidirectional=False,
        device=None,
        dtype=None,
    ) -> None:
        super().__init__()
        if dropout:
            raise NotImplementedError("GRU with dropout is not in the page's torch.")
        self.input_size, self.hidden_size, self.num_layers = input_size, hidden_size, num_layers
        self.batch_first, self.bidirectional, self.bias = batch_first, bidirectional, bias
        sizes = {}
        for layer in range(num_layers):
            for end in self._ends():
                wide = input_size if layer == 0 else hidden_size * len(self._ends())
                sizes[f"weight_ih_l{layer}{end}"], sizes[f"weight_hh_l{layer}{end}"] = (
                    (3 * hidden_size, wide),
                    (3 * hidden_size, hidden_size),
                )
                if bias:
                    sizes[f"bias_ih_l{layer}{end}"] = sizes[f"bias_hh_l{layer}{end}"] = (3 * hidden_size,)
        _make(self, sizes)

    def _ends(self) -> list[str]:
        return ["", "_reverse"] if self.bidirectional else [""]

    def forward(self, input, hx=None):
        batched = input.dim() == 3
        steps = input if batched else input.unsqueeze(1)
        steps = steps.transpose(0, 1) if batched and self.batch_first else steps
        last = []
        for layer in range(self.num_layers):
            sides = []
            for end in self._ends():
                weights = [
                    getattr(self, f"{name}_l{layer}{end}", None)
                    for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
                ]
                state = (
                    steps.new_zeros(steps.shape[1], self.hidden_size)
                    if hx is None
                    else (hx if batched else hx.unsqueeze(1))[len(last)]
                )
                found = []
                for x in reversed(steps.unbind(0)) if end else steps.unbind(0):
                    state = _step(x, state, weights)
                    found.append(state)
                last.append(state)
                sides.append(torch.stack(found[::-1] if end else found))
            steps = torch.cat(sides, -1) if len(sides) > 1 else sides[0]
        final = torch.stack(last)
        if not batched:
            return steps.squeeze(1), final.squeeze(1)
        return (steps.transpose(0, 1) if self.batch_first else steps), final

    def extra_repr(self) -> str:
        more = (
            [f"num_layers={self.num_layers}"] * (self.num_layers != 1)
            + ["batch_first=True"] * self.batch_first
            + ["bidirectional=True"] * self.bidirectional
        )
        return ", ".join([f"{self.input_size}, {self.hidden_size}", *more])
