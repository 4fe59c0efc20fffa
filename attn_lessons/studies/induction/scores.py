"""What heads look at on repeated tokens, as numbers, and what a model gets right without them.

Chapter: notebooks/11b_induction_learned.ipynb
"""

import torch
from torch import Tensor

from attn_helpers import _check
from attn_lessons.studies.induction.attention_only import AttentionOnly
from attn_lessons.studies.induction.repeats import knowable


def previous_token_score(weights: Tensor) -> Tensor:
    """Mean weight on the key just before the query.

    Formula: score[l, h] = mean over b and i >= 1 of weights[b, l, h, i, i - 1]
    Source: Elhage et al. 2021, section on induction heads; Olsson et al. 2022.

    Args:
        weights: (batch, layers, heads, queries, keys) with as many queries as keys, at least 2.
    Returns: (layers, heads), between 0 and 1.

    >>> looks_back = torch.eye(4).roll(-1, dims=1).expand(1, 1, 1, 4, 4)
    >>> previous_token_score(looks_back), previous_token_score(looks_back.mT)
    (tensor([[1.]]), tensor([[0.]]))
    """
    _square(weights)
    if weights.shape[-1] < 2:
        raise ValueError(f"weights must have at least 2 queries, got {_check.shape_text(weights)}.")
    return weights.diagonal(-1, dim1=-2, dim2=-1).mean(dim=(0, -1))  # (layers, heads)


def follower_score(weights: Tensor, tokens: Tensor, periods: Tensor) -> Tensor:
    """Mean weight on all keys that followed any earlier copy of the present token.

    Formula: score[l, h] = mean over knowable (b, i) of the sum of weights[b, l, h, i, j] over the keys j <= i
        with tokens[b, j - 1] = tokens[b, i]

    Args:
        weights: (batch, layers, heads, queries, keys), of the model reading the tokens.
        tokens: (batch, length) int64 that repeat.
        periods: (batch,) int64.
    Returns: (layers, heads), between 0 and 1.

    >>> tokens, periods = torch.tensor([[7, 8, 7, 8, 7, 8]]), torch.tensor([2])
    >>> weights = torch.full((1, 1, 1, 6, 6), 1 / 6)
    >>> follower_score(weights, tokens, periods)
    tensor([[0.2222]])
    """
    counted = _counted(weights, tokens, periods)
    follows = torch.zeros(len(tokens), *weights.shape[-2:], dtype=torch.bool)
    follows[:, :, 1:] = tokens[:, :, None] == tokens[:, None, :-1]  # (batch, queries, keys after the first)
    return _mean_weight(weights, follows.tril(), counted)


def repeat_accuracy(model: AttentionOnly, tokens: Tensor, periods: Tensor, **switches: object) -> float:
    """Share of the knowable next tokens that a model gets right.

    Formula: accuracy = mean over knowable (b, i) of [argmax logits[b, i] = tokens[b, i + 1]]

    Args:
        tokens: (batch, length) int64 that repeat.
        periods: (batch,) int64.
        switches: handed on to the model: head_mask, cut or replaced.

    >>> tokens, periods = torch.tensor([[1, 0, 1, 0, 1]]), torch.tensor([2])
    >>> always_zero = lambda tokens: (torch.tensor([1.0, 0.0]).expand(1, 5, 2), None)
    >>> repeat_accuracy(always_zero, tokens, periods)
    0.5
    """
    with torch.no_grad():
        guesses = model(tokens, **switches)[0].argmax(dim=-1)
    return guess_accuracy(guesses, tokens, periods)


def guess_accuracy(guesses: Tensor, tokens: Tensor, periods: Tensor) -> float:
    """Share of the knowable next tokens that were guessed.

    Formula: accuracy = mean over knowable (b, i) of [guesses[b, i] = tokens[b, i + 1]]

    Args:
        guesses: (batch, length) int64, for each query the next token.
        tokens: (batch, length) int64 that repeat.
        periods: (batch,) int64.

    >>> tokens = torch.tensor([[1, 0, 1, 0, 1]])
    >>> guess_accuracy(torch.zeros_like(tokens), tokens, torch.tensor([2]))
    0.5
    """
    if guesses.shape != tokens.shape:
        raise ValueError(
            "guesses and tokens must have the same shape (batch, length), "
            f"got guesses {_check.shape_text(guesses)}, tokens {_check.shape_text(tokens)}."
        )
    counted = _some(knowable(tokens, periods), periods)
    right = guesses[:, :-1] == tokens[:, 1:]  # (batch, length - 1)
    return right[counted[:, :-1]].float().mean().item()


def latest_follower(tokens: Tensor) -> Tensor:
    """Guess each next token by a rule without parameters: what followed the latest earlier copy.

    Formula: guesses[b, i] = tokens[b, j] with the largest j <= i for which tokens[b, j - 1] = tokens[b, i]

    Args:
        tokens: (batch, length) int64.
    Returns: guesses (batch, length) int64; where there is no earlier copy, the token itself.

    >>> latest_follower(torch.tensor([[7, 8, 9, 7, 9, 9]]))
    tensor([[7, 8, 9, 8, 7, 9]])
    """
    same = (tokens[:, :, None] == tokens[:, None, :]).tril(-1)  # (batch, queries, earlier)
    places = torch.arange(tokens.shape[1])
    latest = torch.where(same, places, -1).amax(dim=-1)  # (batch, length)
    followers = tokens.gather(1, latest.clamp(min=0) + (latest >= 0).long())
    return torch.where(latest >= 0, followers, tokens)


def mean_outputs(model: AttentionOnly, tokens: Tensor) -> list[Tensor]:
    """Give what each layer adds on average over sequences, one vector for each position.

    Formula: means[l][i] = mean over b of output_l[b, i]

    Args:
        tokens: (batch, length) int64, the sequences to average over.
    Returns: L tensors (length, d_model), to be given as `replaced={layer: mean}`.

    >>> model = AttentionOnly(vocabulary=7, max_length=5, d_model=4)
    >>> [mean.shape for mean in mean_outputs(model, torch.tensor([[1, 2, 3], [4, 5, 6]]))]
    [torch.Size([3, 4]), torch.Size([3, 4])]
    """
    with torch.no_grad():
        return [model.layer_output(tokens, layer).mean(dim=0) for layer in range(len(model.layers))]


def _mean_weight(weights: Tensor, wanted: Tensor, counted: Tensor) -> Tensor:
    on_wanted = (weights * wanted[:, None, None]).sum(dim=-1)  # (batch, layers, heads, queries)
    return (on_wanted * counted[:, None, None]).sum(dim=(0, -1)) / counted.sum()  # (layers, heads)


def _counted(weights: Tensor, tokens: Tensor, periods: Tensor) -> Tensor:
    _square(weights)
    counted = _some(knowable(tokens, periods), periods)
    batch, length = weights.shape[0], weights.shape[-1]
    if counted.shape != (batch, length):
        raise ValueError(
            f"weights and tokens must have the same batch and length, got weights (batch={batch}, "
            f"length={length}), tokens {_check.shape_text(tokens)}."
        )
    return counted


def _some(counted: Tensor, periods: Tensor) -> Tensor:
    if _check.values_known(counted) and not bool(counted.any()):
        raise ValueError(
            f"tokens must repeat, but no next token can be known: length={counted.shape[1]}, "
            f"periods={sorted(set(periods.tolist()))}."
        )
    return counted


def _square(weights: Tensor) -> None:
    if weights.dim() != 5 or weights.shape[-1] != weights.shape[-2]:
        raise ValueError(
            "weights must have shape (batch, layers, heads, queries, keys) with as many queries as keys, "
            f"got {_check.shape_text(weights)}."
        )
