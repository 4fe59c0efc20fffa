"""The plain file of lesson 06b: its layer is the book's, and its two models learn what the lesson says."""

import subprocess
import sys

import self_attention
import torch
from built_site import ROOT
from sampling import weekly
from torch.testing import assert_close

from attn_helpers import causal_mask, scaled_dot_product_attention

FILE = ROOT / "plain" / "self_attention.py"


def _random(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(1))


def test_the_plain_layer_is_the_books_function():
    torch.manual_seed(0)
    layer, x = self_attention.SelfAttention(4, 3, 2), _random(2, 5, 4)
    for matrix in layer.parameters():
        matrix.data *= 10  # far from even weights
    for mask in (None, causal_mask(5)):
        parts = (x @ layer.W_q, x @ layer.W_k, x @ layer.W_v)
        output, weights = scaled_dot_product_attention(*parts, mask=mask)
        assert_close(layer(x, mask), output)
        assert_close(layer.weights, weights)


def test_every_row_has_one_flag_and_its_number_is_the_answer():
    x, target = self_attention.flagged(200, torch.Generator().manual_seed(0))
    assert (x.shape, target.shape) == ((200, 9, 3), (200, 1))
    holder = x[..., 0].argmax(dim=1)
    assert (x[..., 0].sum(dim=1) == 1).all()
    assert len(holder.unique()) == 9
    assert_close(target[:, 0], x[torch.arange(200), holder, 1])


def test_two_convolutions_hear_two_places_to_each_side():
    rival, x = self_attention.TwoConvolutions(3), _random(1, 9, 3)
    moved = x.clone()
    moved[0, 4] += 1
    changed = (rival(moved) - rival(x)).abs()[0, :, 0] > 0
    assert changed.nonzero().flatten().tolist() == [2, 3, 4, 5, 6]


@weekly
def test_the_file_runs_alone_and_attention_wins():
    run = subprocess.run([sys.executable, FILE], capture_output=True, text=True, check=True)
    errors = [float(line.split("error ")[1].split()[0]) for line in run.stdout.splitlines()]
    assert errors[0] < 0.05
    assert 0.4 < errors[1] < 0.7
