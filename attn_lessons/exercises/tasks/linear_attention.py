"""Exercise of lesson 9b: average by products of features, without the map of weights."""

import math
import sys
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from attn_helpers.measuring import peak_bytes
from attn_lessons.exercises.checking import Answer, Exercise, Suspect, numbers
from attn_lessons.exercises.checking.mistake import Mistake

linear = Exercise(
    "linear-attention",
    "09b_another_answer_cheaper",
    """Write f(phi_q, phi_k, values): features phi_q (queries, features) and phi_k (keys, features), none of
    them negative, and values (keys, value_dim). A weight is proportional to the dot product of the
    features. Return the outputs (queries, value_dim), and never make a tensor of (queries, keys).""",
    (
        "Which two of the three matrices can be multiplied first without making a (queries, keys) one?",
        "The divisor of a query is its features times the sum of the features of all keys.",
        "`phi_k.sum(dim=0)` is (features,). To divide each row of the output, the divisor needs an axis of "
        "size 1 at its end.",
    ),
    "output (queries, value_dim)",
)


@linear.solution
def average_by_sums(phi_q, phi_k, values):
    """Sum over the keys once, for all queries."""
    sums = phi_k.T @ values  # (features, value_dim)
    total = phi_k.sum(dim=0)  # (features,)
    return phi_q @ sums / (phi_q @ total)[:, None]


PHI_Q = torch.tensor([[2.0, 1.0], [1.0, 4.0], [0.5, 3.0]])
PHI_K = torch.tensor([[1.0, 1.0], [3.0, 2.0], [2.0, 1.0], [0.5, 4.0]])
VALUES = torch.tensor([[10.0, 5.0], [20.0, 45.0], [60.0, 0.0], [-30.0, 15.0]])


@linear.check
def _four_keys(answer: Answer) -> None:
    """Each output is an average, weighted by the products of the features."""
    products = PHI_Q @ PHI_K.T
    weights = products / products.sum(dim=-1, keepdim=True)
    sums = PHI_K.T @ VALUES
    divide = (
        "Divide by the sum of the query's own products: its features times the sum of all keys' features."
    )
    suspects = [
        Suspect("the weights do not add up to 1", divide, PHI_Q @ sums),
        Suspect("the sums are divided by the number of keys", divide, PHI_Q @ sums / len(PHI_K)),
        Suspect(
            "all queries are divided by the same number",
            divide,
            PHI_Q @ sums / PHI_K.sum(),
        ),
        Suspect(
            "the products go through a softmax",
            "The products themselves are the proportions, without an exponential.",
            torch.softmax(products, -1) @ VALUES,
        ),
        Suspect(
            "the products go through a scaled softmax",
            "That is the attention of the lessons before. Here the products themselves are the proportions.",
            torch.softmax(products / 2**0.5, -1) @ VALUES,
        ),
        Suspect(
            "each feature is divided by its own total before the query asks",
            "The query's features weigh both sums; divide after that.",
            PHI_Q @ (sums / PHI_K.sum(0)[:, None]),
        ),
        Suspect("all keys count alike", "The features must have a say.", VALUES.mean(0).expand(3, 2)),
        Suspect(
            "the feature map is applied once more",
            "phi_q and phi_k are features already.",
            (PHI_Q + 1) @ ((PHI_K + 1).T @ VALUES) / ((PHI_Q + 1) @ (PHI_K + 1).sum(0))[:, None],
        ),
        Suspect(
            "the features are averaged, not the values", "What comes out is made of values.", weights @ PHI_K
        ),
    ]
    answer.gives(PHI_Q, PHI_K, VALUES, wanted=weights @ VALUES, suspects=suspects)


@linear.also
def _more() -> Iterator[tuple]:
    """other sizes."""
    yield numbers(3, 4).abs(), numbers(5, 4, seed=1).abs(), numbers(5, 2, seed=2)
    yield numbers(4, 3).exp(), numbers(3, 3, seed=1).exp(), numbers(3, 3, seed=2)
    yield (
        numbers(1, 6, dtype=torch.float64).abs(),
        numbers(7, 6, dtype=torch.float64).abs(),
        numbers(7, 1, dtype=torch.float64),
    )


@linear.check
def _no_map(answer: Answer) -> Mistake | None:
    """no map of queries and keys is made."""
    if sys.platform == "emscripten":  # the page's torch has no bytes to watch, but its steps are Python
        most = _largest_step(answer.function, *_long())
        seen = f"For 1,000 queries and 1,000 keys it made a tensor of {most:,} numbers."
        return _with_map(seen) if most >= 1_000_000 else None
    most = peak_bytes(answer.function, *_long())
    least = peak_bytes(answer.solved, *_long())
    if most < 4 * least:
        return None
    return _with_map(
        f"For 1,000 queries and 1,000 keys it held {most:,} bytes at a time, where {least:,} are enough."
    )


def _with_map(seen: str) -> Mistake:
    nudge = "The numbers are right. Now multiply the keys' features with the values first."
    return Mistake("the map of weights was made", seen, nudge)


def _largest_step(function: Callable[..., Any], *args: Tensor) -> int:
    """Count the numbers of the largest tensor that any Python function returns on the way."""
    sizes = [0]

    def watch(frame: object, event: str, value: object) -> None:
        if event == "return" and isinstance(value, Tensor):
            sizes.append(math.prod(value.shape))

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        function(*args)
    finally:
        sys.setprofile(before)
    return max(sizes)


def _long() -> tuple[Tensor, Tensor, Tensor]:
    return numbers(1000, 4).abs(), numbers(1000, 4, seed=1).abs(), numbers(1000, 4, seed=2)


def _causal(phi_q: Tensor, phi_k: Tensor, values: Tensor) -> Tensor:
    products = (phi_q @ phi_k.T).tril()
    return products @ values / products.sum(-1, keepdim=True)


linear.slip(
    "each query hears only the keys up to its own place",
    "A running sum is the causal form. Here the sums run over all keys.",
    _causal,
)
