import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from attn_helpers import (
    LearnedPositions,
    alibi_bias,
    alibi_slopes,
    apply_rotary,
    rotary_angles,
    sinusoidal_positions,
)

EXACT = {"rtol": 1e-9, "atol": 1e-9}  # float64, a few roundings of sine and cosine
even = st.integers(1, 8).map(lambda half: 2 * half)


def test_sinusoidal_positions_have_the_values_of_the_formula():
    positions = sinusoidal_positions(5, 6, dtype=torch.float64)
    expected = [
        [f(p / 10000 ** (2 * i / 6)) for i in range(3) for f in (math.sin, math.cos)] for p in range(5)
    ]
    assert_close(positions, torch.tensor(expected, dtype=torch.float64), **EXACT)


@given(d_model=even, shift=st.integers(0, 50), base=st.floats(1.5, 1e5))
def test_a_shift_turns_every_sinusoidal_position_by_the_same_matrix(d_model, shift, base):
    options = {"base": base, "dtype": torch.float64}
    here = sinusoidal_positions(11, d_model, **options)
    there = sinusoidal_positions(11, d_model, start=shift, **options)
    blocks = []
    for i in range(0, d_model, 2):
        angle = shift / base ** (i / d_model)
        blocks.append(torch.tensor([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]]))
    rotation = torch.block_diag(*(block.double() for block in blocks))
    assert_close(here @ rotation.T, there, rtol=1e-5, atol=1e-5)


def test_start_gives_the_later_rows():
    assert_close(sinusoidal_positions(3, 4, start=7), sinusoidal_positions(10, 4)[7:])


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_sinusoidal_positions_are_as_exact_as_the_dtype_far_out(dtype):
    positions = sinusoidal_positions(2, 4, start=1, dtype=dtype)
    exact = sinusoidal_positions(2, 4, start=1, dtype=torch.float64)
    assert positions.dtype == dtype
    assert_close(positions.double(), exact, rtol=0, atol=2 * torch.finfo(dtype).eps)


@given(dim=even, shift=st.integers(0, 100))
def test_rotary_scores_depend_on_the_offset_only(dim, shift):
    q, k = torch.randn(2, 7, dim, dtype=torch.float64)
    near = rotary_angles(7, dim, dtype=torch.float64)
    far = rotary_angles(7, dim, start=shift, dtype=torch.float64)
    scores = apply_rotary(q, near) @ apply_rotary(k, near).T
    shifted = apply_rotary(q, far) @ apply_rotary(k, far).T
    assert_close(scores, shifted, rtol=1e-8, atol=1e-8)


def test_rotary_scores_do_change_with_the_offset():
    q = torch.ones(1, 1, 4).expand(1, 5, 4)
    turned = apply_rotary(q, rotary_angles(5, 4))
    row = (turned @ turned.mT)[0, 0]
    assert (row.diff() < -0.1)[:3].all()


def test_rotary_turns_a_pair_as_a_complex_number():
    inputs = torch.randn(3, 6, dtype=torch.float64)
    angles = rotary_angles(3, 6, dtype=torch.float64)
    turned = torch.view_as_complex(inputs.reshape(3, 3, 2)) * torch.polar(torch.ones_like(angles), angles)
    assert_close(apply_rotary(inputs, angles), torch.view_as_real(turned).flatten(1), **EXACT)


def test_rotary_has_the_right_gradient():
    inputs = torch.randn(3, 4, dtype=torch.float64, requires_grad=True)
    angles = rotary_angles(3, 4, dtype=torch.float64)
    assert torch.autograd.gradcheck(lambda x: apply_rotary(x, angles), inputs)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_rotary_keeps_the_dtype_of_its_input(dtype):
    assert apply_rotary(torch.ones(3, 4, dtype=dtype), rotary_angles(3, 4)).dtype == dtype


def test_alibi_slopes_of_eight_heads_are_those_of_the_paper():
    assert alibi_slopes(8).tolist() == [2.0**-i for i in range(1, 9)]


def test_alibi_slopes_of_sixteen_heads_are_those_of_the_paper():
    assert_close(alibi_slopes(16), torch.tensor([2 ** (-i / 2) for i in range(1, 17)]))


def test_alibi_slopes_of_twelve_heads_add_every_second_slope_of_sixteen():
    expected = torch.cat([alibi_slopes(8), alibi_slopes(16)[0::2][:4]])
    assert_close(alibi_slopes(12), expected)


@given(num_heads=st.integers(1, 40))
def test_alibi_slopes_differ_and_lie_between_zero_and_one(num_heads):
    slopes = alibi_slopes(num_heads)
    assert slopes.shape == (num_heads,)
    assert len(set(slopes.tolist())) == num_heads
    assert ((slopes > 0) & (slopes < 1)).all()


def test_alibi_bias_falls_by_the_slope_with_each_step_away():
    bias = alibi_bias(torch.tensor([0.5, 0.25]), 3)
    assert bias[:, 2].tolist() == [[-1.0, -0.5, 0.0], [-0.5, -0.25, 0.0]]


def test_symmetric_alibi_bias_counts_both_ways():
    bias = alibi_bias(alibi_slopes(3), 5, symmetric=True)
    assert torch.equal(bias, bias.mT)


def test_alibi_queries_are_the_last_ones_of_the_keys():
    assert torch.equal(alibi_bias(alibi_slopes(2), 2, 7), alibi_bias(alibi_slopes(2), 7)[:, -2:])


def test_learned_positions_add_the_same_vectors_to_every_sequence():
    positions = LearnedPositions(max_length=11, d_model=3)
    inputs = torch.randn(2, 5, 3)
    assert_close(positions(inputs, start=6) - inputs, positions.weight[6:].expand(2, 5, 3), rtol=0, atol=1e-6)


def test_learned_positions_learn_only_where_they_were_used():
    positions = LearnedPositions(max_length=7, d_model=3)
    positions(torch.zeros(2, 5, 3)).sum().backward()
    assert positions.weight.grad.sum(dim=-1).tolist() == [6.0] * 5 + [0.0] * 2


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sinusoidal_positions(3, 5), r"d_model must be even .* got d_model=5"),
        (lambda: sinusoidal_positions(3, 4, base=0.0), "base must be above 0"),
        (lambda: rotary_angles(3, 7), r"dim must be even .* got dim=7"),
        (lambda: rotary_angles(-1, 4), "length must be at least 0, got length=-1"),
        (
            lambda: apply_rotary(torch.ones(3, 5), torch.ones(3, 2)),
            "inputs must have an even dim .* got dim=5",
        ),
        (
            lambda: apply_rotary(torch.ones(3, 4), torch.ones(2, 2)),
            r"angles must have shape \(length=3, dim / 2=2\)",
        ),
        (lambda: alibi_slopes(0), "num_heads must be at least 1, got num_heads=0"),
        (lambda: alibi_bias(torch.ones(2, 3), 4), r"slopes must have shape \(heads,\), got \(2, 3\)"),
        (lambda: LearnedPositions(5, 2)(torch.ones(1, 7, 2)), "below max_length=5, got positions up to 6"),
        (
            lambda: LearnedPositions(5, 2)(torch.ones(1, 3, 2), start=3),
            "below max_length=5, got positions up to 5",
        ),
        (
            lambda: LearnedPositions(5, 2)(torch.ones(1, 3, 4)),
            r"inputs must have shape \(\.\.\., length, 2\)",
        ),
    ],
)
def test_a_wrong_argument_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_far_positions_in_half_precision_are_those_of_float32_rounded():
    far = sinusoidal_positions(2000, 6, dtype=torch.float16)
    assert_close(far, sinusoidal_positions(2000, 6).half(), rtol=0, atol=0)
