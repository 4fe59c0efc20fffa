import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from attn_helpers.efficient import (
    online_softmax_result,
    online_softmax_start,
    online_softmax_step,
)


@given(st.lists(st.integers(0, 4), min_size=1, max_size=5), st.floats(0.1, 50), st.integers(0, 2**16))
def test_the_running_state_is_that_of_all_keys_so_far(tiles, size, seed):
    torch.manual_seed(seed)
    scores = size * torch.randn(3, sum(tiles), dtype=torch.float64)
    values = torch.randn(sum(tiles), 2, dtype=torch.float64)
    state, seen = online_softmax_start(scores.new_zeros(3, 1), 2), 0
    for tile in tiles:
        part = slice(seen, seen + tile)
        state, seen = online_softmax_step(state, scores[:, part], values[part]), seen + tile
        if seen:
            assert torch.equal(state.maximum, scores[:, :seen].amax(dim=-1, keepdim=True))
            assert_close(state.total.log() + state.maximum, scores[:, :seen].logsumexp(-1, keepdim=True))
        assert_close(online_softmax_result(state), torch.softmax(scores[:, :seen], dim=-1) @ values[:seen])


def test_rows_of_minus_infinity_stay_empty_until_a_score_comes():
    state = online_softmax_start(torch.zeros(1, 1), value_dim=1)
    state = online_softmax_step(state, torch.full((1, 2), float("-inf")), torch.ones(2, 1))
    assert (state.total.item(), online_softmax_result(state).item()) == (0.0, 0.0)
    state = online_softmax_step(state, torch.tensor([[-500.0]]), torch.tensor([[3.0]]))
    assert online_softmax_result(state).item() == 3.0


def test_autograd_through_the_steps_gives_the_dense_gradient():
    scores = torch.randn(2, 6, dtype=torch.float64, requires_grad=True)
    values = torch.randn(6, 3, dtype=torch.float64, requires_grad=True)

    def stepped(scores, values):
        state = online_softmax_start(scores, 3)
        for part in (slice(0, 2), slice(2, 5), slice(5, 6)):
            state = online_softmax_step(state, scores[:, part], values[part])
        return online_softmax_result(state)

    assert torch.autograd.gradcheck(stepped, (scores, values))
    assert_close(stepped(scores, values), scores.softmax(-1) @ values)
