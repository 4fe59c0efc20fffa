import pytest
import torch
from torch import nn
from torch.testing import assert_close

from attn_lessons.studies.induction import adam


def test_a_step_equals_torchs_adam():
    model, steps = nn.Linear(3, 2), 7
    optimizer = torch.optim.Adam(model.parameters(), lr=0.03, betas=(0.8, 0.95), eps=1e-5)
    inputs = torch.rand(5, 3)
    vector = adam.parameter_vector(model)
    state = [torch.zeros_like(vector), torch.zeros_like(vector), torch.tensor(1.0)]
    for _ in range(steps):
        gradient = torch.func.grad(lambda v: adam.with_parameters(model, v, inputs).square().mean())(vector)
        vector, *state = adam.adam_step(vector, gradient, *state, rate=0.03, betas=(0.8, 0.95), eps=1e-5)
    twin = nn.Linear(3, 2)
    twin.load_state_dict(model.state_dict())
    for _ in range(steps):
        optimizer.zero_grad()
        model(inputs).square().mean().backward()
        optimizer.step()
    assert_close(vector, adam.parameter_vector(model))


def test_vectors_of_another_model_are_refused():
    with pytest.raises(ValueError, match=r"\(parameters=8,\), got \(7,\)"):
        adam.with_parameters(nn.Linear(3, 2), torch.ones(7), torch.ones(1, 3))
    with pytest.raises(ValueError, match=r"gradient must have the shape of parameters, got gradient \(2,\)"):
        adam.adam_step(
            torch.ones(3), torch.ones(2), torch.ones(3), torch.ones(3), torch.tensor(1.0), rate=0.1
        )
