import math

import pytest
import torch
from store import save_weights
from torch import nn
from torch.testing import assert_close

from attn_lessons.studies import training
from attn_lessons.studies.training import load_weights, seeded, symbol_loss, train
from attn_lessons.studies.translation.date_translator import make_translator


@pytest.fixture
def weights_folder(tmp_path, monkeypatch):
    """A folder in the place of the package's own weights."""
    monkeypatch.setattr(training, "files", lambda package: tmp_path)
    (tmp_path / "lines" / "weights").mkdir(parents=True)
    return tmp_path / "lines" / "weights"


def test_the_loss_is_minus_the_mean_log_probability_of_the_true_symbols():
    logits, targets = torch.randn(2, 3, 5), torch.tensor([[0, 4, 2], [1, 1, 3]])
    loss = symbol_loss(lambda source_ids, lengths, target_ids: logits, None, None, targets)
    exps = logits.exp()
    shares = [(exps[i, t, targets[i, t]] / exps[i, t].sum()).item() for i in range(2) for t in range(3)]
    assert loss.item() == pytest.approx(-sum(map(math.log, shares)) / 6, rel=1e-5)


def test_the_loss_tells_the_model_source_lengths_and_targets():
    model = make_translator()
    source_ids, lengths = torch.tensor([[5, 6, 7], [8, 9, 0]]), torch.tensor([3, 2])
    targets = torch.tensor([[2, 0], [1, 9]])
    probabilities = model(source_ids, lengths, targets).softmax(dim=-1)
    expected = -probabilities.gather(2, targets.unsqueeze(-1)).log().mean()
    assert_close(symbol_loss(model, source_ids, lengths, targets), expected)


def test_training_is_adamw_with_one_cycle_of_the_rate_and_clipped_gradients():
    ours, theirs = (seeded(lambda: nn.Linear(2, 1), seed=1) for _ in range(2))
    batches = [(torch.randn(4, 2) * 9, torch.randn(4, 1)) for _ in range(6)]
    loss = lambda model, x, y: (model(x) - y).square().mean()  # noqa: E731
    losses = train(ours, batches, loss, num_steps=6, max_rate=0.1, weight_decay=0.5, stop_after=4)
    optimizer = torch.optim.AdamW(theirs.parameters(), weight_decay=0.5)
    plan = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.1, total_steps=6)
    for batch, found in zip(batches[:4], losses, strict=True):
        optimizer.zero_grad()
        value = loss(theirs, *batch)
        assert found == pytest.approx(value.item(), rel=1e-5)
        value.backward()
        size = torch.cat([p.grad.flatten() for p in theirs.parameters()]).norm()
        for p in theirs.parameters():
            p.grad /= size.clamp(min=1.0)
        optimizer.step()
        plan.step()
    assert_close(list(ours.parameters()), list(theirs.parameters()))
    assert not ours.training


def test_the_seed_alone_decides_a_models_start():
    first = seeded(lambda: nn.Linear(2, 3), seed=4)
    torch.rand(5)
    again, other = seeded(lambda: nn.Linear(2, 3), seed=4), seeded(lambda: nn.Linear(2, 3), seed=5)
    assert torch.equal(first.weight, again.weight)
    assert not torch.equal(first.weight, other.weight)


def test_making_a_model_leaves_the_callers_random_numbers_alone():
    before = torch.get_rng_state()
    seeded(lambda: nn.Linear(2, 3), seed=4)
    assert torch.equal(torch.get_rng_state(), before)


def test_weights_come_back_as_float16_holds_them(weights_folder):
    saved, loaded, losses = nn.Linear(3, 2), nn.Linear(3, 2), [0.5, 0.25]
    save_weights(weights_folder / "line.npz", saved, losses)
    assert load_weights(loaded.train(), "lines/line") == losses
    assert not loaded.training
    for before, after in zip(saved.parameters(), loaded.parameters(), strict=True):
        assert after.dtype == torch.float32
        assert torch.equal(after, before.half().float())


def test_saving_does_not_round_the_model_itself(weights_folder):
    model = nn.Linear(3, 2)
    before = model.weight.clone()
    save_weights(weights_folder / "line.npz", model, [])
    assert torch.equal(model.weight, before)


def test_weights_that_are_missing_or_of_another_model_are_refused(weights_folder):
    with pytest.raises(FileNotFoundError, match=r"line\.npz"):
        load_weights(nn.Linear(3, 2), "lines/line")
    save_weights(weights_folder / "line.npz", nn.Linear(3, 2), [])
    with pytest.raises(RuntimeError, match="size mismatch for weight"):
        load_weights(nn.Linear(5, 2), "lines/line")
