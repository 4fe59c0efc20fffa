"""Matrices of three values a row: stored in a letter for four numbers, to the last bit."""

import json

import pytest
import torch
from node_runner import NodeRunner

from livetorch import trace
from livetorch.program.program import Program
from livetorch.program.ternary import ALPHABET, from_ternary, ternary


def three_values(rows, cols, axis, seed=0):
    """Make a matrix of -s, 0, s with scales that float16 holds."""
    draw = torch.Generator().manual_seed(seed)
    signs = torch.randint(-1, 2, (rows, cols), generator=draw).float()
    signs[0] = signs[:, 0] = 1  # each row and column has a number that is not 0
    scales = torch.rand(rows if axis == 0 else cols, generator=draw).add(0.1).half().float()
    return signs * scales.unsqueeze(1 - axis)


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("shape", [(64, 64), (83, 71), (5, 1001)])
def test_nothing_is_lost_along_rows_and_columns(shape, axis):
    matrix = three_values(*shape, axis)
    text, scales, found = ternary(matrix)
    assert found == axis
    assert len(text) == -(-matrix.numel() // 4)
    assert torch.equal(from_ternary(text, scales, found, shape), matrix)


def test_rows_of_zeros_stay_zero():
    matrix = three_values(70, 70, 0)
    matrix[3] = 0
    text, scales, axis = ternary(matrix)
    assert torch.equal(from_ternary(text, scales, axis, (70, 70)), matrix)


def test_other_matrices_are_left_alone():
    good = three_values(70, 70, 0)
    fourth = good.clone()
    fourth[5, 5] *= 0.5
    uneven = good * 1.0001  # no scale that float16 holds
    for other in (fourth, uneven, good[:5, :5], good.double(), good.view(7, 10, 70), torch.randn(70, 70)):
        assert ternary(other) is None
    infinite = good.clone()
    infinite[2, 2] = torch.inf
    assert ternary(infinite) is None


def test_letters_are_safe_in_json_and_html():
    assert len(set(ALPHABET)) == 81
    assert json.dumps(ALPHABET) == f'"{ALPHABET}"'
    assert not set(ALPHABET) & set("<&'")


@pytest.mark.parametrize("axis", [0, 1])
def test_a_program_keeps_the_matrix_small_and_runs_alike_in_both_languages(axis):
    matrix = three_values(90, 71, axis)
    program = trace(lambda x: x @ matrix, x=torch.randn(2, 90))
    text = program.to_json()
    assert len(text) < 0.3 * matrix.numel() + 1500
    assert torch.equal(Program.from_json(text).constants[0].tensor, matrix)
    x = torch.randn(2, 90)
    here = program.run(x=x)["output"]
    with NodeRunner() as node:
        there = node.run(text, {"x": x})["output"]
    torch.testing.assert_close(torch.as_tensor(there).reshape(here.shape).float(), here)
