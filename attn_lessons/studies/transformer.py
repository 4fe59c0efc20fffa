"""The block that every model of the lessons is made of: its formulas as functions, and as a module.

Chapter: notebooks/08c_transformer_block.ipynb, notebooks/12a_picture_in_pieces.ipynb,
notebooks/10b_inside_the_writer.ipynb
"""

from collections.abc import Callable

import torch
from torch import Tensor, nn

from attn_helpers import _check
from attn_helpers.multihead import MultiHeadAttention


def layer_norm(
    inputs: Tensor, gain: Tensor | None = None, shift: Tensor | None = None, *, eps: float = 1e-5
) -> Tensor:
    """Bring the numbers of each token to mean 0 and variance 1, then scale and shift them.

    Formula: gain (x - mean) / sqrt(variance + eps) + shift, mean and variance over the d_model numbers of x
    Source: Ba et al. 2016, Layer Normalization.

    Args:
        inputs: (..., d_model), floating-point.
        gain, shift: (d_model,), learned in a model; 1 and 0 if left out.
        eps: above 0; it keeps a token whose numbers are all equal from 0 / 0.
    Returns: (..., d_model).

    >>> layer_norm(torch.tensor([7.0, 1.0, 1.0, -1.0]))
    tensor([ 1.6667, -0.3333, -0.3333, -1.0000])
    """
    _check.floating(inputs=inputs)
    _check.rank_at_least(1, "(..., d_model)", inputs=inputs)
    _check.positive("eps", eps)
    centred = inputs - inputs.mean(dim=-1, keepdim=True)
    variance = centred.square().mean(dim=-1, keepdim=True)  # (..., 1): divided by d_model, not d_model - 1
    normalised = centred / (variance + eps).sqrt()
    for name, learned in {"gain": gain, "shift": shift}.items():
        if learned is not None:
            _check.parameter(name, learned, inputs, "inputs", d_model=inputs.shape[-1])
    return (normalised if gain is None else normalised * gain) + (0 if shift is None else shift)


def feed_forward(
    inputs: Tensor,
    W_1: Tensor,
    W_2: Tensor,
    b_1: Tensor | None = None,
    b_2: Tensor | None = None,
    *,
    bend: Callable[[Tensor], Tensor] = torch.relu,
) -> Tensor:
    """Let each token think by itself: a layer of hidden units, a bend, and the way back.

    Formula: bend(x W_1 + b_1) W_2 + b_2
    Source: Vaswani et al. 2017, Attention Is All You Need, section 3.3.

    Args:
        inputs: (..., d_model).
        W_1, W_2: (d_model, num_hiddens) and (num_hiddens, d_model).
        b_1, b_2: (num_hiddens,) and (d_model,); 0 if left out.
    Returns: (..., d_model).

    >>> W_1, W_2 = torch.tensor([[1.0], [-1.0]]), torch.tensor([[0.0, 10.0]])
    >>> feed_forward(torch.tensor([[3.0, 1.0], [1.0, 3.0]]), W_1, W_2)
    tensor([[ 0., 20.],
            [ 0.,  0.]])
    """
    _check.floating(inputs=inputs)
    _check.rank_at_least(1, "(..., d_model)", inputs=inputs)
    d_model = inputs.shape[-1]
    _check.parameter("W_1", W_1, inputs, "inputs", d_model=d_model, num_hiddens=None)
    _check.parameter("W_2", W_2, inputs, "inputs", num_hiddens=W_1.shape[1], d_model=d_model)
    hidden = bend(inputs @ W_1 + (0 if b_1 is None else b_1))  # (..., num_hiddens)
    return hidden @ W_2 + (0 if b_2 is None else b_2)


def pre_norm(inputs: Tensor, step: Callable[[Tensor], Tensor]) -> Tensor:
    """Add to the tokens (..., d_model) what a step answers to the normalised tokens: x + step(norm(x)).

    Source: Radford et al. 2019, section 2.3.

    >>> pre_norm(torch.tensor([2.0, 4.0]), lambda x: 10 * x)
    tensor([-8.0000, 14.0000])
    """
    return inputs + step(layer_norm(inputs))


def post_norm(inputs: Tensor, step: Callable[[Tensor], Tensor]) -> Tensor:
    """Normalise the sum of the tokens (..., d_model) and what a step answers to them: norm(x + step(x)).

    Source: Vaswani et al. 2017, Attention Is All You Need, section 3.1.

    >>> post_norm(torch.tensor([2.0, 4.0]), lambda x: 10 * x)
    tensor([-1.,  1.])
    """
    return layer_norm(inputs + step(inputs))


class Block(nn.Module):
    """One layer: let tokens look at each other, then change each by itself; both steps add to what was there.

    Formula: y = x + attention(norm(x)); output = y + W_2 gelu(W_1 norm(y))
    Source: Vaswani et al. 2017, section 3.1; Radford et al. 2019, section 2.3 (norm before, not after).

    "Pre-norm": what enters a step is normalised, what is added to stays as it is.

    Call it with (inputs, mask=None, *, head_mask=None): inputs (batch, length, d_model), the others as in
    `MultiHeadAttention`; it returns the outputs and the weights (batch, heads, queries, keys).

    Args:
        num_heads: number of heads; d_model must be divisible by it.
        num_hiddens: hidden units of the second step; 4 d_model if left out.
        dropout: share of the weights and of what is added that is set to 0 in training.
        gelu: "none" is the exact function, "tanh" GPT-2's approximation of it.

    >>> outputs, weights = Block(d_model=6, num_heads=2)(torch.zeros(3, 5, 6))
    >>> outputs.shape, weights.shape
    (torch.Size([3, 5, 6]), torch.Size([3, 2, 5, 5]))
    """

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        num_hiddens: int | None = None,
        *,
        dropout: float = 0.0,
        gelu: str = "none",
    ) -> None:
        super().__init__()
        num_hiddens = 4 * d_model if num_hiddens is None else num_hiddens
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout)
        self.grow, self.shrink = nn.Linear(d_model, num_hiddens), nn.Linear(num_hiddens, d_model)
        self.gelu, self.dropout = nn.GELU(approximate=gelu), nn.Dropout(dropout)

    def forward(
        self, inputs: Tensor, mask: Tensor | None = None, *, head_mask: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """Return outputs (batch, length, d_model) and weights (batch, heads, queries, keys)."""
        x = self.norm_1(inputs)
        attended, weights = self.attention(x, x, x, mask, head_mask=head_mask)
        return self.compute(inputs + self.dropout(attended)), weights

    def compute(self, attended: Tensor) -> Tensor:
        """Do the second half: what happens to each place by itself."""
        return attended + self.dropout(self.shrink(self.gelu(self.grow(self.norm_2(attended)))))
