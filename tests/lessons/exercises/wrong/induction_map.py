"""Typical wrong answers to induction-map."""

import torch
from exercises.wrong_answers import wrong
from torch import Tensor


def _share(fits: Tensor) -> Tensor:
    fits = fits.float()
    return fits / fits.sum(dim=1, keepdim=True).clamp(min=1)


def _moved(tokens: Tensor) -> Tensor:
    before = torch.cat([torch.tensor([-1]), tokens[:-1]])
    return tokens.unsqueeze(1) == before.unsqueeze(0)


@wrong("the weight is on the copies")
def _copies(tokens: Tensor) -> Tensor:
    return _share((tokens.unsqueeze(1) == tokens.unsqueeze(0)).tril())


@wrong("the weight is on the earlier copies")
def _earlier_copies(tokens: Tensor) -> Tensor:
    return _share((tokens.unsqueeze(1) == tokens.unsqueeze(0)).tril(-1))


@wrong("the weight is on the tokens before the copies")
def _before(tokens: Tensor) -> Tensor:
    after = torch.cat([tokens[1:], torch.tensor([-1])])
    return _share((tokens.unsqueeze(1) == after.unsqueeze(0)).tril())


@wrong("queries look ahead")
def _ahead(tokens: Tensor) -> Tensor:
    return _share(_moved(tokens))


@wrong("the first key follows the last token")
def _in_a_circle(tokens: Tensor) -> Tensor:
    return _share((tokens.unsqueeze(1) == torch.roll(tokens, 1)).tril())


@wrong("keys go round in a circle, and lie in the future as well")
def _in_a_circle_ahead(tokens: Tensor) -> Tensor:
    return _share(tokens.unsqueeze(1) == torch.roll(tokens, 1))


@wrong("a query does not look at itself")
def _not_itself(tokens: Tensor) -> Tensor:
    return _share(_moved(tokens).tril(-1))


@wrong("the weights of a row are not shared")
def _ones(tokens: Tensor) -> Tensor:
    return _moved(tokens).tril().float()


@wrong("only the latest follower gets weight")
def _latest(tokens: Tensor) -> Tensor:
    fits = _moved(tokens).tril()
    return (fits & (fits.flip(1).cumsum(dim=1).flip(1) == 1)).float()


@wrong("only the earliest follower gets weight")
def _earliest(tokens: Tensor) -> Tensor:
    fits = _moved(tokens).tril()
    return (fits & (fits.cumsum(dim=1) == 1)).float()


@wrong("a row without a key is NaN")
def _nan(tokens: Tensor) -> Tensor:
    fits = _moved(tokens).tril().float()
    return fits / fits.sum(dim=1, keepdim=True)


@wrong("a softmax gives weight to keys that do not fit")
def _soft(tokens: Tensor) -> Tensor:
    return _moved(tokens).tril().float().softmax(dim=1)


@wrong("queries and keys are swapped")
def _swapped(tokens: Tensor) -> Tensor:
    return _share(_moved(tokens).tril()).mT


@wrong("columns are shared, not rows")
def _columns(tokens: Tensor) -> Tensor:
    fits = _moved(tokens).tril().float()
    return fits / fits.sum(dim=0, keepdim=True).clamp(min=1)
