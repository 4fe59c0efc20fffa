"""Matrices of 63 values a row: stored in a letter for each number, to the last bit."""

import json

import pytest
import torch
from node_runner import NodeRunner

from livetorch import trace
from livetorch.program.encoding import ALPHABET, from_letters, lettered, rounded
from livetorch.program.program import Program


def few_values(rows, cols, axis, seed=0):
    """Make a matrix of whole numbers from -31 to 31 with scales that float16 holds."""
    draw = torch.Generator().manual_seed(seed)
    whole = torch.randint(-31, 32, (rows, cols), generator=draw).float()
    whole[0] = whole[:, 0] = 31  # each row and column has the largest
    scales = torch.rand(rows if axis == 0 else cols, generator=draw).add(0.1).half().float()
    return whole * scales.unsqueeze(1 - axis)


@pytest.mark.parametrize("axis", [0, 1])
def test_rounding_moves_no_number_further_than_half_a_step(axis):
    matrix = torch.randn(80, 90, generator=torch.Generator().manual_seed(0))
    made = rounded(matrix, axis)
    assert lettered(made)[2] == axis
    step = matrix.abs().amax(dim=1 - axis, keepdim=True) / 31
    assert ((made - matrix).abs() / step).max() <= 0.52  # the scale is rounded too
    assert torch.equal(rounded(made, axis), made)
    assert torch.equal(rounded(torch.zeros(2, 2), axis), torch.zeros(2, 2))


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("shape", [(64, 64), (83, 71), (5, 1001)])
def test_nothing_is_lost_along_rows_and_columns(shape, axis):
    matrix = few_values(*shape, axis)
    text, scales, found = lettered(matrix)
    assert found == axis
    assert len(text) == matrix.numel()
    assert torch.equal(from_letters(text, scales, found, shape), matrix)


def test_rows_of_zeros_stay_zero():
    matrix = few_values(70, 70, 0)
    matrix[3] = 0
    text, scales, axis = lettered(matrix)
    assert torch.equal(from_letters(text, scales, axis, (70, 70)), matrix)


def test_other_matrices_are_left_alone():
    good = few_values(70, 70, 0)
    fourth = good.clone()
    fourth[5, 5] *= 0.5
    uneven = good * 1.0001  # no scale that float16 holds
    for other in (fourth, uneven, good[:5, :5], good.double(), good.view(7, 10, 70), torch.randn(70, 70)):
        assert lettered(other) is None
    infinite = good.clone()
    infinite[2, 2] = torch.inf
    assert lettered(infinite) is None


def test_a_strange_letter_is_refused():
    with pytest.raises(ValueError, match="no letter 'é'"):
        from_letters("ABé!", torch.ones(2), 0, (2, 2))


def test_letters_are_safe_in_json_and_html():
    assert len(set(ALPHABET)) == 63
    assert json.dumps(ALPHABET) == f'"{ALPHABET}"'
    assert not set(ALPHABET) & set("<&'")


@pytest.mark.parametrize("axis", [0, 1])
def test_a_program_keeps_the_matrix_small_and_runs_alike_in_both_languages(axis):
    matrix = few_values(90, 71, axis)
    program = trace(lambda x: x @ matrix, x=torch.randn(2, 90))
    text = program.to_json()
    assert len(text) < 1.1 * matrix.numel() + 1500
    assert torch.equal(Program.from_json(text).constants[0].tensor, matrix)
    x = torch.randn(2, 90)
    here = program.run(x=x)["output"]
    with NodeRunner() as node:
        there = node.run(text, {"x": x})["output"]
    torch.testing.assert_close(torch.as_tensor(there).reshape(here.shape).float(), here, atol=1e-4, rtol=1e-5)
