"""A model's parameters as one vector, and a step of Adam as a function that keeps no hidden state.

Chapter: notebooks/11b_induction_learned.ipynb
"""

import torch
from torch import Tensor, nn

from attn_helpers import _check


def parameter_vector(model: nn.Module) -> Tensor:
    """Put all parameters of a model into one vector.

    Returns: (parameters,), in the order of `model.named_parameters()`.

    >>> parameter_vector(nn.Linear(3, 2)).shape
    torch.Size([8])
    """
    return nn.utils.parameters_to_vector(model.parameters()).detach()


def with_parameters(model: nn.Module, vector: Tensor, *inputs: object, **options: object) -> object:
    """Call a model with other parameters than its own.

    Args:
        vector: (parameters,), as `parameter_vector` gives them.

    >>> model = nn.Linear(1, 1)
    >>> with_parameters(model, torch.tensor([2.0, 5.0]), torch.ones(1, 1))  # 2 x + 5
    tensor([[7.]])
    """
    named = dict(model.named_parameters())
    sizes = [parameter.numel() for parameter in named.values()]
    if vector.shape != (sum(sizes),):
        raise ValueError(
            f"vector must have shape (parameters={sum(sizes)},), got {_check.shape_text(vector)}."
        )
    parts = zip(named.items(), vector.split(sizes), strict=True)
    parameters = {name: part.view(parameter.shape) for (name, parameter), part in parts}
    return torch.func.functional_call(model, parameters, inputs, options)


def adam_step(
    parameters: Tensor,
    gradient: Tensor,
    mean: Tensor,
    square: Tensor,
    step: Tensor,
    *,
    rate: float | Tensor,
    betas: tuple[float, float] = (0.9, 0.999),
    eps: float = 1e-8,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Take one step of Adam; all that it remembers goes in and comes out.

    Formula: m <- b1 m + (1 - b1) g, s <- b2 s + (1 - b2) g^2,
        parameters <- parameters - rate (m / (1 - b1^t)) / (sqrt(s / (1 - b2^t)) + eps)
    Source: Kingma and Ba 2015, Adam: A Method for Stochastic Optimization, algorithm 1.

    Args:
        parameters: any shape.
        gradient: the same shape.
        mean: running mean of the gradients, same shape, zeros at the start.
        square: running mean of their squares, same shape, zeros at the start.
        step: number of this step, from 1, a floating-point tensor without axes.
        betas: what is kept of the two means, each from 0 to below 1.
        eps: keeps the division from 0.
    Returns: (parameters, mean, square, step + 1), all new tensors.

    >>> start, gradient, zero = torch.tensor([1.0]), torch.tensor([4.0]), torch.zeros(1)
    >>> adam_step(start, gradient, zero, zero, torch.tensor(1.0), rate=0.1)[0]  # first step: the rate
    tensor([0.9000])
    """
    for name, tensor in {"gradient": gradient, "mean": mean, "square": square}.items():
        if tensor.shape != parameters.shape:
            raise ValueError(
                f"{name} must have the shape of parameters, got {name} {_check.shape_text(tensor)}, "
                f"parameters {_check.shape_text(parameters)}."
            )
    first, second = betas
    mean = first * mean + (1 - first) * gradient
    square = second * square + (1 - second) * gradient**2
    direction = mean / (1 - first**step)
    spread = (square / (1 - second**step)).sqrt()
    return parameters - rate * direction / (spread + eps), mean, square, step + 1
