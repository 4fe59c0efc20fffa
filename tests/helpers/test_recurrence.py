import pytest
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
from torch.testing import assert_close

from attn_helpers.recurrence import BidirectionalGRU, gru_step

BATCH, LENGTH, INPUT, HIDDEN = 3, 7, 5, 2
SAME_SUMS = {"rtol": 1e-5, "atol": 1e-6}  # float32, sums in another order


def copy_of(ours):
    """torch's own GRU with our weights."""
    torchs = nn.GRU(INPUT, HIDDEN, batch_first=True, bidirectional=True)
    for direction, suffix in enumerate(("", "_reverse")):
        weights = {"weight_ih": ours.W, "weight_hh": ours.U, "bias_ih": ours.b, "bias_hh": ours.c}
        for name, values in weights.items():
            getattr(torchs, f"{name}_l0{suffix}").data = values[direction].detach().T.squeeze(-1).contiguous()
    return torchs


def test_padded_sequences_equal_torchs_packed_ones():
    ours, inputs, lengths = BidirectionalGRU(INPUT, HIDDEN), torch.randn(BATCH, LENGTH, INPUT), [7, 4, 1]
    mask = torch.arange(LENGTH) < torch.tensor(lengths)[:, None]
    states, last = ours(inputs, mask)
    packed, torchs_last = copy_of(ours)(pack_padded_sequence(inputs, lengths, batch_first=True))
    torchs_states, _ = pad_packed_sequence(packed, batch_first=True)
    assert_close(states * mask.unsqueeze(-1), torchs_states, **SAME_SUMS)
    assert_close(last, torch.cat(torchs_last.unbind(0), dim=-1), **SAME_SUMS)


def test_a_step_equals_torchs_cell():
    cell, state, inputs = nn.GRUCell(INPUT, HIDDEN), torch.randn(BATCH, HIDDEN), torch.randn(BATCH, INPUT)
    from_input = inputs @ cell.weight_ih.T + cell.bias_ih
    assert_close(
        gru_step(state, from_input, cell.weight_hh.T, cell.bias_hh), cell(inputs, state), **SAME_SUMS
    )


def test_a_sequence_that_is_all_padding_leaves_the_states_at_zero():
    encoder = BidirectionalGRU(INPUT, HIDDEN)
    _, last = encoder(torch.randn(1, LENGTH, INPUT), torch.zeros(1, LENGTH, dtype=torch.bool))
    assert not last.any()


def test_inputs_and_masks_that_do_not_fit_are_named():
    encoder, mask = BidirectionalGRU(INPUT, HIDDEN), torch.ones(2, 3, dtype=torch.bool)
    with pytest.raises(ValueError, match=r"inputs must have shape \(batch, length, 5\), got \(2, 3, 4\)"):
        encoder(torch.ones(2, 3, 4), mask)
    with pytest.raises(ValueError, match=r"mask must have shape \(batch, length\), got mask \(2, 3\)"):
        encoder(torch.ones(2, 7, 5), mask)
    with pytest.raises(ValueError, match="num_hiddens must be at least 1"):
        BidirectionalGRU(INPUT, 0)
