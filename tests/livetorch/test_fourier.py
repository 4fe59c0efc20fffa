"""Fourier transforms run in the page as torch's do, and a number of one opens as a sum of waves."""

import json

import pytest
import torch
from torch import fft, func

from livetorch import explore, trace

CASES = {
    "real, a prime length": (lambda x: torch.view_as_real(fft.rfft(x)), (7,)),
    "there and back": (lambda x: fft.irfft(fft.rfft(x) * 2), (16,)),
    "there and back, odd": (lambda x: fft.irfft(fft.rfft(x), n=15), (15,)),
    "two axes": (lambda x: fft.fft2(x).real, (8, 12)),
    "three axes, one between": (lambda x: torch.view_as_real(fft.fftn(x, dim=(0, 2, 3))), (6, 3, 10, 8)),
    "one axis among four, back": (lambda x: fft.ifft(x, dim=1).imag, (4, 50, 2, 3)),
    "real, two axes": (lambda x: fft.irfft2(fft.rfft2(x) * 0.5), (6, 8)),
    "inverse": (lambda x: fft.ifft(torch.complex(x, x * x)).imag, (3, 10)),
    "by the root": (lambda x: torch.view_as_real(fft.fft(torch.complex(x, 2 * x), norm="ortho")), (17,)),
    "many rows of threes, fours and fives": (lambda x: torch.view_as_real(fft.rfft(x)), (200, 60)),
    "two axes of tens, back": (lambda x: fft.ifft2(torch.complex(x, 1 - x)).imag, (100, 50)),
    "a large prime, many rows": (lambda x: torch.view_as_real(fft.fft(torch.complex(x, x * x))), (3, 106)),
    "along the first axis": (lambda x: torch.view_as_real(fft.rfft(x, dim=0)), (12, 5)),
    "gradient": (lambda x: func.grad(lambda v: (fft.rfft(v).abs() ** 2).sum())(x), (12,)),
    "gradient of a convolution": (
        lambda x: func.grad(lambda v: fft.irfft(fft.rfft(v) * fft.rfft(v.flip(0))).pow(2).sum())(x),
        (16,),
    ),
    "gradient, complex": (lambda x: func.grad(lambda v: fft.fft(v).real.pow(3).sum())(x), (10,)),
}


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("name", CASES)
def test_the_page_gives_what_torch_gives(name, dtype, node):
    function, shape = CASES[name]
    generator = torch.Generator().manual_seed(0)
    x, other = (torch.randn(shape, generator=generator, dtype=dtype) for _ in range(2))
    program = trace(function, x=x)
    want = function(other)
    scale = want.abs().max()
    assert (program.run(x=other)["output"] - want).abs().max() <= 1e-5 * scale
    got = node.run(json.loads(program.to_json()), {"x": other})["output"]
    assert (got - want).abs().max() <= 1e-6 * scale


def test_a_long_transform_is_a_short_program():
    assert len(trace(lambda x: fft.rfft(x).abs(), x=torch.randn(1024)).to_json()) < 2000


def test_a_number_opens_as_a_sum_of_waves():
    figure = explore(lambda x: fft.rfft(torch.tensor([1.0, 2.0, 4.0]) * x).real, x=(0.5, 2.0))
    figure.set(x=1.0)
    opened = figure.open("output", 1)
    assert opened.value == pytest.approx(-2.0, abs=1e-6)
    assert "cos(2π·1/3)" in str(opened)
