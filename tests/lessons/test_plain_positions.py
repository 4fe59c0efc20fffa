"""The plain file of lessons 07a and 07b: its formulas are the package's, and its training is the lesson's."""

import positions as plain
import pytest
import torch
from torch.testing import assert_close

import attn_helpers as ah

KINDS = ("nothing", "sinusoidal", "learned", "rotary", "ALiBi")
WORDS = torch.ones(16, 8)


def _words(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(0))


def _models(kind: str) -> list[plain.LookBack]:
    """Two models with the same parameters."""
    models = []
    for _ in range(2):
        torch.manual_seed(1)
        models.append(plain.LookBack(kind))
    return models


def _weights(kind: str, x: torch.Tensor, W: torch.Tensor, table: torch.Tensor) -> torch.Tensor:
    """The same head from the package's functions."""
    length, dim = x.shape
    added = {"sinusoidal": ah.sinusoidal_positions(length, dim), "learned": table[:length]}
    x = x + added.get(kind, 0)
    q, k = x @ W, x
    if kind == "rotary":
        q, k = (ah.apply_rotary(t, ah.rotary_angles(length, dim)) for t in (q, k))
    bias = ah.alibi_bias(torch.tensor(0.5), length) if kind == "ALiBi" else 0
    return ah.masked_softmax(ah.scaled_dot_product_scores(q, k) + bias, ah.causal_mask(length))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("length", [1, 5, 16])
def test_the_plain_head_is_the_packages(kind: str, length: int) -> None:
    model, _ = _models(kind)
    x = _words(length, 8)
    assert_close(model(x), _weights(kind, x, model.W, model.table))


@pytest.mark.parametrize("kind", KINDS)
def test_training_takes_the_steps_of_the_lesson(kind: str) -> None:
    model, start = _models(kind)
    loss = plain.train(model, WORDS, steps=3)
    asked = torch.arange(1, 8)

    def task_loss(W: torch.Tensor, table: torch.Tensor) -> torch.Tensor:
        return -_weights(kind, WORDS, W, table)[asked, asked - 1].log().mean()

    W, table = start.W.detach(), start.table.detach()
    for _ in range(3):
        (W_grad, table_grad), wanted = torch.func.grad_and_value(task_loss, argnums=(0, 1))(W, table)
        W, table = W - 4.0 * W_grad, table - 4.0 * table_grad
    assert_close(torch.tensor(loss), wanted)
    assert_close(model.W.detach(), W)
    assert_close(model.table.detach(), table)


def test_it_learns_and_only_a_table_ends() -> None:
    for kind in ("learned", "rotary"):
        model, _ = _models(kind)
        plain.train(model, WORDS)
        before = model(WORDS).diagonal(-1)
        assert before[:7].min() > 0.9
        assert (before[7:].max() < 0.5) == (kind == "learned")
