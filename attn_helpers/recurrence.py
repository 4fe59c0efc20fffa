"""Gated recurrent units, written out: what reads a source, and what attention was first added to.

Chapter: notebooks/05b_trained_translator.ipynb
"""

import torch
from torch import Tensor, nn

from attn_helpers import _check


def gru_step(state: Tensor, from_input: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """Move a gated recurrent unit by one step.

    Formula: r, z = sigmoid(x + U h), n = tanh(x_n + r * (U_n h)), h' = n + z * (h - n)
    Source: Cho et al. 2014, with the reset gate placed as in torch.nn.GRU.

    Args:
        state: h (..., batch, num_hiddens).
        from_input: W x + b (..., batch, 3 num_hiddens), the input's share of reset gate, update gate and
            candidate, in this order.
        weight: U transposed (..., num_hiddens, 3 num_hiddens).
        bias: (..., 1, 3 num_hiddens), added to U h.
    Returns: h' (..., batch, num_hiddens).

    >>> gru_step(torch.ones(1, 2), torch.zeros(1, 6), torch.zeros(2, 6), torch.zeros(1, 6))
    tensor([[0.5000, 0.5000]])
    """
    num_hiddens = state.shape[-1]
    from_state = state @ weight + bias  # (..., batch, 3 num_hiddens)
    gates = torch.sigmoid(from_input[..., : 2 * num_hiddens] + from_state[..., : 2 * num_hiddens])
    reset, update = gates[..., :num_hiddens], gates[..., num_hiddens:]
    candidate = torch.tanh(from_input[..., 2 * num_hiddens :] + reset * from_state[..., 2 * num_hiddens :])
    return candidate + update * (state - candidate)


class BidirectionalGRU(nn.Module):
    """Read a padded sequence from both ends with two gated recurrent units.

    Formula: h_t = [forward state after x_1 .. x_t; backward state after x_T .. x_t]
    Source: Schuster and Paliwal 1997; Bahdanau et al. 2015, A.2.1.

    At padding the states stand still, so that what a sequence gives does not depend on how far it is padded.
    Both directions run in one loop.

    Call it with (inputs, mask): inputs (batch, length, input_size), mask bool (batch, length), True at real
    positions, which come first. It returns the states (batch, length, 2 num_hiddens) and the last state of
    each direction (batch, 2 num_hiddens).

    Args:
        num_hiddens: size of the state of one direction, at least 1.

    >>> encoder = BidirectionalGRU(input_size=3, num_hiddens=5)
    >>> states, last = encoder(torch.ones(2, 7, 3), torch.ones(2, 7, dtype=torch.bool))
    >>> states.shape, last.shape
    (torch.Size([2, 7, 10]), torch.Size([2, 10]))
    """

    W: nn.Parameter
    U: nn.Parameter
    b: nn.Parameter
    c: nn.Parameter

    def __init__(self, input_size: int, num_hiddens: int) -> None:
        super().__init__()
        _check.count("input_size", input_size, least=1)
        _check.count("num_hiddens", num_hiddens, least=1)
        bound = num_hiddens**-0.5  # as torch.nn.GRU
        for name, rows in {"W": input_size, "U": num_hiddens, "b": 1, "c": 1}.items():
            values = torch.empty(2, rows, 3 * num_hiddens).uniform_(-bound, bound)
            self.register_parameter(name, nn.Parameter(values))  # one slice per direction
        self.input_size, self.num_hiddens = input_size, num_hiddens

    def forward(self, inputs: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return states (batch, length, 2 num_hiddens) and last states (batch, 2 num_hiddens)."""
        if inputs.dim() != 3 or inputs.shape[-1] != self.input_size:
            shape = f"(batch, length, {self.input_size})"
            raise ValueError(f"inputs must have shape {shape}, got {_check.shape_text(inputs)}.")
        if mask.shape != inputs.shape[:2]:
            raise ValueError(
                f"mask must have shape (batch, length), got mask {_check.shape_text(mask)} "
                f"for inputs {_check.shape_text(inputs)}."
            )
        both_ways = torch.stack([inputs, inputs.flip(1)])  # (2, batch, length, input_size)
        real = torch.stack([mask, mask.flip(1)]).unsqueeze(-1)  # (2, batch, length, 1)
        from_inputs = both_ways @ self.W.unsqueeze(1) + self.b.unsqueeze(
            1
        )  # (2, batch, length, 3 num_hiddens)
        state = inputs.new_zeros(2, inputs.shape[0], self.num_hiddens)
        states = []
        for t in range(inputs.shape[1]):
            moved = gru_step(state, from_inputs[:, :, t], self.U, self.c)
            state = torch.where(real[:, :, t], moved, state)
            states.append(state)
        forward, backward = torch.stack(states, dim=2).unbind(0)  # each (batch, length, num_hiddens)
        return torch.cat([forward, backward.flip(1)], dim=-1), torch.cat(state.unbind(0), dim=-1)
