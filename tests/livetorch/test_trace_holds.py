"""What a Program holds: the steps that hang on an input, and constants to the last bit."""

import pytest
import torch

from livetorch.program.program import Program
from livetorch.tracing.trace import trace, trace_with


def names_of(program: Program) -> list[str]:
    return [node.op for node in program.nodes]


def test_what_does_not_depend_on_an_input_is_computed_while_tracing():
    points = torch.linspace(0, 1, 5)

    def f(width):
        distances = (points[:, None] - points).abs().square().sqrt()
        return distances / width

    program = trace(f, width=1.0)
    assert names_of(program) == ["aten.div.Tensor"]
    assert len(program.constants) == 1


def test_tensors_given_from_outside_are_kept_to_the_last_bit():
    given = torch.randn(7, 3)
    (constant,) = trace(lambda x: x + given.T.flip(0), x=1.0).constants
    assert torch.equal(constant.tensor, given.T.flip(0))


def test_computed_constants_are_kept_as_torch_gave_them():
    (constant,) = trace(lambda x: x * torch.exp(torch.linspace(0, 1, 11)), x=1.0).constants
    assert torch.equal(constant.tensor, torch.exp(torch.linspace(0, 1, 11)))


@pytest.mark.parametrize("step", range(1, 11))
def test_a_comparison_at_the_edge_falls_as_in_torch(step):
    points, edge = torch.arange(0, 1.05, 0.1), torch.tensor(step / 10)

    def f(width):
        return torch.stack([points <= width, points - points[3] < width, points % width < 0.05]).float()

    assert torch.equal(trace(f, width=0.7).run(width=edge)["output"], f(edge))


def test_constants_keep_infinities_and_nan():
    def f(x):
        return x * torch.log(torch.tensor([0.0, -1.0, 1.0])).exp().log()

    torch.testing.assert_close(trace(f, x=1.0).run(x=2.0)["output"], f(2.0), equal_nan=True)


def test_whole_numbers_stay_as_float32_decided_them():
    edge = torch.tensor([0.1, 0.2, 0.3])
    (constant,) = trace(lambda x: x * (edge.cumsum(0) <= 0.3).long(), x=1.0).constants
    assert constant.tensor.tolist() == (edge.cumsum(0) <= 0.3).tolist()


def test_equal_constants_are_stored_once():
    program = trace(lambda x: x * torch.eye(3) + torch.eye(3).clone() - x @ torch.eye(3), x=torch.ones(3, 3))
    assert len(program.constants) == 1


def test_rows_of_a_small_table_with_a_name_are_picked_in_the_page():
    table, large, rows = torch.randn(4, 3), torch.randn(400, 3), torch.tensor([2, 0, 2])

    def f(x):
        picked = table[rows]
        return x * picked + large[rows] + torch.ones(4, 3)[rows]

    program = trace(f, x=1.0)
    assert names_of(program) == ["aten.index.Tensor", "aten.mul.Tensor", "aten.add.Tensor", "aten.add.Tensor"]
    assert "table" in program.source.names.values()


def test_the_same_step_is_done_once():
    program = trace(lambda x: torch.exp(x) / torch.exp(x).sum(), x=torch.ones(3))
    assert names_of(program).count("aten.exp.default") == 1


def test_steps_that_nobody_needs_are_left_out():
    def f(x):
        _ = torch.sin(x) @ torch.ones(3)
        return torch.cos(x)

    assert names_of(trace(f, x=torch.ones(3))) == ["aten.cos.default"]


def test_steps_that_do_nothing_are_left_out():
    def f(x):
        y = x.clone().contiguous().detach().float().view(2, 3).expand(2, 3).permute(0, 1)
        return y.unsqueeze(0).squeeze(0).transpose(0, 1).transpose(0, 1)[:]

    assert names_of(trace(f, x=torch.ones(2, 3))) == []


def test_an_expanded_constant_is_not_written_out():
    def f(x):
        return x + torch.arange(100.0).sqrt().expand(300, 100) + torch.ones(300, 100)

    assert len(trace(f, x=1.0).to_json()) < 3000


def test_a_large_causal_mask_is_made_by_the_page():
    def f(x):
        return x.masked_fill(torch.ones(200, 200, dtype=torch.bool).tril(), 0.0)

    assert len(trace(f, x=torch.ones(200, 200)).to_json()) < 3000


def test_a_matrix_and_its_transpose_share_their_numbers():
    weight = torch.randn(40, 40)
    program = trace(lambda x: x @ weight @ weight.T, x=torch.ones(1, 40))
    assert [constant.shape for constant in program.constants] == [(40, 40)]


def test_float16_halves_the_constants():
    weight = torch.randn(50, 50)
    plain, half = (trace_with(lambda x: x * weight, {"x": 1.0}, store=store) for store in (None, "float16"))
    assert len(half.to_json()) < 0.55 * len(plain.to_json())
    assert torch.equal(half.run(x=1.0)["output"], weight.half().float())


def test_numbers_that_float16_cannot_hold_stay_in_float32():
    program = trace_with(lambda x: x + torch.tensor([-1e9, 1.0]), {"x": 1.0}, store="float16")
    assert program.run(x=0.0)["output"].tolist() == [-1e9, 1.0]
