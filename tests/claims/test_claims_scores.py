"""Properties of scores and weights: the package has them, the wrong versions of the claims page do not."""

import itertools

import torch
from torch.nn.functional import normalize

from attn_helpers import (
    additive_scores,
    bilinear_scores,
    epanechnikov,
    kernel_weights,
    masked_softmax,
    scaled_dot_product_scores,
    show_heatmaps,
)


def close(one, other):
    return torch.allclose(one, other, atol=1e-5)


def random_scores(score, dim):
    generator = torch.Generator().manual_seed(dim)
    queries, keys = torch.randn(2, 200, 8, dim, generator=generator)
    return score(queries, keys)


def spread_stays(score):
    small, large = (random_scores(score, dim).std() for dim in (4, 400))
    return 0.8 < small / large < 1.25


def test_the_spread_of_scores_does_not_grow_with_dim(page):
    assert spread_stays(scaled_dot_product_scores)
    assert not spread_stays(page["unscaled"])


def sharpness_stays(score):
    small, large = (torch.softmax(random_scores(score, dim), -1).amax(-1).mean() for dim in (4, 400))
    return large - small < 0.05


def test_sharpness_does_not_grow_with_dim(page):
    assert sharpness_stays(scaled_dot_product_scores)
    assert not sharpness_stays(page["unscaled"])


def right_on(weights, size):
    queries, keys = torch.randn(3, 4), torch.randn(5, 4)
    queries = queries * size / (queries @ keys.T).abs().max()
    return close(weights(queries, keys), masked_softmax(scaled_dot_product_scores(queries, keys)))


def test_small_scores_tell_scalings_apart(page):
    assert right_on(page["right_weights"], 1)
    assert [name for name, way in page["wrong_scalings"].items() if right_on(way, 1)] == []


def shift_changes_nothing(softmax):
    scores = torch.randn(3, 5)
    return all(close(softmax(scores + shift), softmax(scores)) for shift in (-200.0, 7.0, 200.0))


def test_adding_a_number_to_all_scores_changes_no_weight(page):
    assert shift_changes_nothing(masked_softmax)
    assert not shift_changes_nothing(page["naive_softmax"])


def rows_sum_to_one(softmax):
    return close(softmax(torch.randn(2, 3, 5)).sum(-1), torch.ones(2, 3))


def test_each_row_sums_to_one(page):
    assert rows_sum_to_one(masked_softmax)
    assert not rows_sum_to_one(page["softmax_over_axis_1"])


def nearest_key_weighs_most(weights):
    query, keys = torch.zeros(1, 4), torch.randn(5, 4)
    query[0, 0] = 1
    keys[2] = query[0]
    keys[4] = 10 * query[0]  # in the same direction, far away
    return int(weights(query, keys).argmax()) == 2


def test_the_nearest_key_gets_the_largest_weight(page):
    assert nearest_key_weighs_most(page["by_distance"])
    assert not nearest_key_weighs_most(page["by_dot_product"])
    queries, keys = torch.randn(3, 4), normalize(torch.randn(5, 4), dim=-1)
    assert close(page["by_distance"](queries, keys), page["by_dot_product"](queries, keys))


def network_on_the_pair(scores):
    queries, keys, w_q, w_k = torch.randn(4, 3), torch.randn(5, 3), torch.randn(6, 3), torch.randn(6, 3)
    w_v, both = torch.randn(6), torch.cat([w_q, w_k], dim=1)
    wanted = [[torch.tanh(both @ torch.cat([q, k])) @ w_v for k in keys] for q in queries]
    return close(scores(queries, keys, w_q, w_k, w_v), torch.tensor(wanted))


def test_additive_scores_are_a_network_on_the_pair(page):
    assert network_on_the_pair(additive_scores)
    assert not network_on_the_pair(page["one_matrix_for_both"])


def bias_moves(weights):
    queries, keys, weight = torch.randn(2, 3), torch.randn(5, 3), torch.randn(3, 3)
    plain = torch.softmax(bilinear_scores(queries, keys, weight), -1)
    return not close(weights(queries, keys, weight, torch.randn(3)), plain)


def test_a_bias_moves_the_weights(page):
    assert bias_moves(page["bias_on_queries"])
    assert not bias_moves(page["bias_on_keys"])


def is_a_parabola_of_area_one(kernel):
    u = torch.linspace(-1, 1, 2001, dtype=torch.float64)
    height = kernel(u)
    bend = height.diff().diff()
    return close(torch.trapezoid(height, u), torch.ones((), dtype=u.dtype)) and close(
        bend / bend[0], torch.ones_like(bend)
    )


def test_the_epanechnikov_kernel_is_a_parabola_of_area_one(page):
    assert is_a_parabola_of_area_one(epanechnikov)
    assert not is_a_parabola_of_area_one(page["called_epanechnikov"])


def rows_are_queries(weights):
    found = weights(torch.randn(3), torch.randn(5))
    return found.shape == (3, 5) and close(found.sum(-1), torch.ones(3))


def test_rows_belong_to_queries(page):
    assert rows_are_queries(kernel_weights)
    assert not rows_are_queries(page["drawn_keys_first"])


def colours_tell_weights(numbers, colours):
    pairs = itertools.combinations(zip(numbers.flatten().tolist(), colours, strict=True), 2)
    return all((a == b) == (s == t) for (a, s), (b, t) in pairs)


def test_panels_share_one_colour_scale(page):
    panels = page["panels"]
    axes = show_heatmaps(panels[:, None]).axes[:2]
    drawn = [tuple(c) for ax in axes for c in ax.collections[0].to_rgba(ax.collections[0].get_array()[0])]
    assert colours_tell_weights(panels, drawn)
    assert not colours_tell_weights(panels, page["shade"](panels, shared=False).flatten().tolist())
