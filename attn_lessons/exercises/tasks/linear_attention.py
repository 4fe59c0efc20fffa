"""Exercise of lesson 9c: average by products of features, without the map of weights."""

from collections.abc import Iterator

import torch

from attn_lessons.exercises.checking import Answer, Exercise, Reply, numbers, numbers_made

linear = Exercise(
    "linear-attention",
    "09c_move_the_brackets",
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
    answer.gives(PHI_Q, PHI_K, VALUES, wanted=products / products.sum(dim=-1, keepdim=True) @ VALUES)


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
def _no_map(answer: Answer) -> Reply | None:
    """no map of queries and keys is made."""
    given = numbers(300, 4).abs(), numbers(300, 4, seed=1).abs(), numbers(300, 4, seed=2)
    if numbers_made(answer.function, *given) < 300 * 300:
        return None
    seen = "For 300 queries and 300 keys it makes 90,000 numbers or more, one for each pair."
    nudge = "The numbers are right. Now multiply the keys' features with the values first."
    return Reply("the map of weights was made", seen, nudge)


@linear.mistake("the weights do not add up to 1")
def _not_divided(phi_q, phi_k, values):
    """Divide by the sum of the query's own products: its features times the sum of all keys' features."""
    return phi_q @ (phi_k.mT @ values)


@linear.mistake("the sums are divided by the number of keys")
def _mean_of_products(phi_q, phi_k, values):
    """Divide by the sum of the query's own products: its features times the sum of all keys' features."""
    return phi_q @ torch.einsum("kf,kv->fv", phi_k, values) / phi_k.shape[0]


@linear.mistake("all queries are divided by the same number")
def _one_divisor(phi_q, phi_k, values):
    """Divide by the sum of the query's own products: its features times the sum of all keys' features."""
    return phi_q @ (phi_k.T @ values) / phi_k.sum()


@linear.mistake("the products go through a softmax")
def _softmax(phi_q, phi_k, values):
    """The products themselves are the proportions, without an exponential."""
    return torch.softmax(phi_q @ phi_k.T, dim=-1) @ values


@linear.mistake("the products go through a scaled softmax")
def _torchs(phi_q, phi_k, values):
    """That is the attention of the lessons before. Here the products themselves are the proportions."""
    return torch.nn.functional.scaled_dot_product_attention(phi_q, phi_k, values)


@linear.mistake("each feature is divided by its own total before the query asks")
def _divided_early(phi_q, phi_k, values):
    """The query's features weigh both sums; divide after that."""
    return phi_q @ ((phi_k.T @ values) / phi_k.sum(dim=0)[:, None])


@linear.mistake("all keys count alike")
def _plain_mean(phi_q, phi_k, values):
    """The features must have a say."""
    return values.mean(dim=0).repeat(len(phi_q), 1)


@linear.mistake("the feature map is applied once more")
def _mapped_again(phi_q, phi_k, values):
    """phi_q and phi_k are features already."""
    q, k = torch.nn.functional.elu(phi_q) + 1, torch.nn.functional.elu(phi_k) + 1
    return q @ (k.T @ values) / (q @ k.sum(dim=0))[:, None]


@linear.mistake("the features are averaged, not the values")
def _averages_features(phi_q, phi_k, values):
    """What comes out is made of values."""
    return phi_q @ (phi_k.T @ phi_k) / (phi_q @ phi_k.sum(dim=0))[:, None]


@linear.mistake("each query hears only the keys up to its own place")
def _running_sums(phi_q, phi_k, values):
    """A running sum is the causal form. Here the sums run over all keys."""
    sums = (phi_k[:, :, None] * values[:, None]).cumsum(0)[: len(phi_q)]
    totals = phi_k.cumsum(0)[: len(phi_q)]
    return (phi_q[:, None] @ sums)[:, 0] / (phi_q * totals).sum(-1, keepdim=True)


@linear.mistake("the map of weights was made")
def _with_the_map(phi_q, phi_k, values):
    products = phi_q @ phi_k.T
    return products / products.sum(dim=-1, keepdim=True) @ values


@linear.mistake("the map of weights was made")
def _row_by_row(phi_q, phi_k, values):
    rows = [phi_k @ query for query in phi_q]
    return torch.stack([row @ values / row.sum() for row in rows])


@linear.mistake("the map of weights was made")
def _in_blocks(phi_q, phi_k, values):
    maps = [block @ phi_k.T for block in phi_q.split(4)]
    return torch.cat([one @ values / one.sum(-1, keepdim=True) for one in maps])
