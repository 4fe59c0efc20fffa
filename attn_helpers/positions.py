"""Telling attention where each token stands: sinusoidal, learned, rotary and ALiBi.

Chapter: notebooks/07a_adding_positions.ipynb, notebooks/07b_turning_and_lowering.ipynb,
    notebooks/07c_lower_with_distance.ipynb
"""

import math

import torch
from torch import Tensor, nn

from attn_helpers import _check


def sinusoidal_positions(
    length: int,
    d_model: int,
    *,
    base: float | Tensor = 10000.0,
    start: int | Tensor = 0,
    dtype: torch.dtype | None = None,
    device: torch.device | None = None,
) -> Tensor:
    """Give each position a vector of sines and cosines of different wavelengths, to be added to the token.

    Formula: P[p, 2i] = sin(p / base^(2i / d_model)), P[p, 2i + 1] = cos(p / base^(2i / d_model))
    Source: Vaswani et al. 2017, Attention Is All You Need, section 3.5.

    P[p + k] is P[p], each pair of numbers turned by an angle that depends on k only.

    Args:
        d_model: size of a vector, even.
        base: ratio of the longest to the shortest wavelength, above 0; 10,000 in the paper.
    Returns: (length, d_model), between -1 and 1.

    >>> sinusoidal_positions(3, 2)
    tensor([[ 0.0000,  1.0000],
            [ 0.8415,  0.5403],
            [ 0.9093, -0.4161]])
    """
    _check.count("d_model", d_model, least=2)
    if d_model % 2:
        raise ValueError(f"d_model must be even (sine and cosine come in pairs), got d_model={d_model}.")
    dtype = dtype or torch.get_default_dtype()
    wide = torch.promote_types(
        dtype, torch.float32
    )  # an angle of 1000 has no digits behind its point in float16
    angles = rotary_angles(length, d_model, base=base, start=start, dtype=wide, device=device)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2).to(dtype)  # (length, d_model)


class LearnedPositions(nn.Module):
    """Add a learned vector to each position's token.

    Formula: outputs[b, p] = inputs[b, p] + P[p]
    Source: Gehring et al. 2017, Convolutional Sequence to Sequence Learning, section 3.1.

    Call it with (inputs, *, start=0): inputs (..., length, d_model); it returns the same shape.

    Args:
        max_length: number of positions that have a vector, at least 1.
    Raises:
        ValueError: a sequence longer than max_length.

    >>> LearnedPositions(max_length=5, d_model=4)(torch.zeros(2, 3, 4)).shape
    torch.Size([2, 3, 4])
    """

    def __init__(self, max_length: int, d_model: int) -> None:
        super().__init__()
        _check.count("max_length", max_length, least=1)
        _check.count("d_model", d_model, least=1)
        self.weight = nn.Parameter(torch.randn(max_length, d_model) * 0.02)  # small: tokens come first

    def forward(self, inputs: Tensor, *, start: int = 0) -> Tensor:
        """Return inputs plus the vectors of positions start, start + 1, ..."""
        max_length, d_model = self.weight.shape
        if inputs.dim() < 2 or inputs.shape[-1] != d_model:
            shape = f"(..., length, {d_model})"
            raise ValueError(f"inputs must have shape {shape}, got {_check.shape_text(inputs)}.")
        _check.count("start", start)
        end = start + inputs.shape[-2]
        if end > max_length:
            raise ValueError(
                f"positions must stay below max_length={max_length}, got positions up to {end - 1}."
            )
        return inputs + self.weight[start:end]


def rotary_angles(
    length: int,
    dim: int,
    *,
    base: float | Tensor = 10000.0,
    start: int | Tensor = 0,
    dtype: torch.dtype | None = None,
    device: torch.device | None = None,
) -> Tensor:
    """Give each position an angle for each pair of numbers: fast for the first pair, slow for the last.

    Formula: angles[p, i] = p / base^(2i / dim)
    Source: Su et al. 2021, RoFormer, section 3.2.2.

    Args:
        dim: size of the vectors to be turned, even.
        base: above 0; 10,000 in the paper.
    Returns: angles in radians (length, dim / 2).

    >>> rotary_angles(3, 4)
    tensor([[0.0000, 0.0000],
            [1.0000, 0.0100],
            [2.0000, 0.0200]])
    """
    _check.count("length", length)
    _check.count("dim", dim, least=2)
    _check.positive("base", base)
    if dim % 2:
        raise ValueError(f"dim must be even (numbers are turned in pairs), got dim={dim}.")
    # in float64 first: position times frequency loses digits in half precision
    positions = torch.arange(length, dtype=torch.float64, device=device) + start
    exponents = torch.arange(0, dim, 2, dtype=torch.float64, device=device) / dim
    angles = positions.unsqueeze(-1) / base**exponents  # (length, dim / 2)
    return angles.to(dtype or torch.get_default_dtype())


def apply_rotary(inputs: Tensor, angles: Tensor) -> Tensor:
    """Turn each pair of numbers (2i, 2i + 1) of each position by its angle.

    Formula: (x, y) -> (x cos a - y sin a, x sin a + y cos a)
    Source: Su et al. 2021, RoFormer, equation 34 (pairs of neighbouring numbers).

    Applied to queries and keys, it keeps their lengths and makes q_m . k_n depend on m - n only.

    Args:
        inputs: (..., length, dim), floating-point.
        angles: (length, dim / 2), as `rotary_angles` gives them, or with leading axes that broadcast.
    Returns: (..., length, dim), dtype of the inputs.

    >>> quarter_turn = torch.tensor([[torch.pi / 2]])
    >>> apply_rotary(torch.tensor([[3.0, 0.0]]), quarter_turn).round()
    tensor([[-0., 3.]])
    """
    _check.floating(inputs=inputs)
    _check.rank_at_least(2, "(..., length, dim)", inputs=inputs)
    length, dim = inputs.shape[-2:]
    if dim % 2:
        raise ValueError(f"inputs must have an even dim (they are turned in pairs), got dim={dim}.")
    if angles.shape[-2:] != (length, dim // 2):
        wanted, got = f"(length={length}, dim / 2={dim // 2})", _check.shape_text(angles)
        raise ValueError(f"angles must have shape {wanted}, got {got}.")
    cos, sin = angles.cos().to(inputs.dtype), angles.sin().to(inputs.dtype)
    x, y = inputs[..., 0::2], inputs[..., 1::2]  # each (..., length, dim / 2)
    return torch.stack([x * cos - y * sin, x * sin + y * cos], dim=-1).flatten(-2)  # (..., length, dim)


def alibi_slopes(num_heads: int) -> Tensor:
    """Give each head the slope of its penalty on distance.

    Formula: slopes[h] = 2^(-8 (h + 1) / n) for n heads, a power of two
    Source: Press et al. 2022, Train Short, Test Long, section 3, and the code published with it.

    Other numbers of heads take those of the largest power of two n below, then every second one of 2n.

    Returns: slopes (heads,), above 0.

    >>> alibi_slopes(4)
    tensor([0.2500, 0.0625, 0.0156, 0.0039])
    """
    _check.count("num_heads", num_heads, least=1)
    power = 2 ** math.floor(math.log2(num_heads))
    slopes = [2.0 ** (-8 * (head + 1) / power) for head in range(power)]
    between = [2.0 ** (-4 * (head + 1) / power) for head in range(0, 2 * power, 2)]
    return torch.tensor((slopes + between)[:num_heads])


def alibi_bias(
    slopes: Tensor, num_queries: int, num_keys: int | None = None, *, symmetric: bool = False
) -> Tensor:
    """Lower the score of a key by its distance from the query, to be added before the softmax.

    Formula: bias[h, i, j] = -slopes[h] * (i - j)
    Source: Press et al. 2022, Train Short, Test Long, section 3.

    With more keys than queries, the queries are the last ones, as in `causal_mask`, which the paper uses too.

    Args:
        slopes: (heads,) as `alibi_slopes` gives them, or one without axes.
        num_queries, num_keys: at least 0; num_keys is num_queries if left out.
        symmetric: count |i - j|, for use without a causal mask.
    Returns: bias (heads, queries, keys), or (queries, keys) for one slope without axes.

    >>> alibi_bias(torch.tensor(0.5), 3)
    tensor([[ 0.0000,  0.5000,  1.0000],
            [-0.5000,  0.0000,  0.5000],
            [-1.0000, -0.5000,  0.0000]])
    """
    num_keys = num_queries if num_keys is None else num_keys
    _check.floating(slopes=slopes)
    for name, size in (("num_queries", num_queries), ("num_keys", num_keys)):
        _check.count(name, size)
    if slopes.dim() > 1:
        raise ValueError(f"slopes must have shape (heads,), got {_check.shape_text(slopes)}.")
    queries = torch.arange(num_queries, device=slopes.device).unsqueeze(-1) + (num_keys - num_queries)
    distance = torch.arange(num_keys, device=slopes.device) - queries  # j - i, (queries, keys)
    return slopes[..., None, None] * (-distance.abs() if symmetric else distance).to(slopes.dtype)
