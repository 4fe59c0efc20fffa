import torch
from hypothesis import strategies as st
from torch.testing import assert_close

from attn_helpers import (
    AdditiveAttention,
    DotProductAttention,
    scaled_dot_product_attention,
)

shapes = st.tuples(*(st.integers(1, 6) for _ in range(5)))


def test_documents_d_rows_sum_to_one_and_a_masked_last_key_is_renormalised():
    # documents.md, Part I, 04: q (1, 3, 8), k (1, 4, 8), v (1, 4, 16)
    q, k, v = torch.randn(1, 3, 8), torch.randn(1, 4, 8), torch.randn(1, 4, 16)
    output, full = scaled_dot_product_attention(q, k, v)
    _, masked = scaled_dot_product_attention(q, k, v, mask=torch.tensor([True, True, True, False]))
    assert output.shape == (1, 3, 16)
    assert_close(full.sum(-1), torch.ones(1, 3))
    assert (masked[..., 3] == 0).all()
    assert_close(masked[..., :3], full[..., :3] / full[..., :3].sum(-1, keepdim=True))


EXPECTED = torch.tensor([[[2.0, 3.0, 4.0, 5.0]], [[10.0, 11.0, 12.0, 13.0]]])


def documents_a(query_size):
    keys, values = torch.ones(2, 10, 2), torch.arange(40.0).reshape(1, 10, 4).repeat(2, 1, 1)
    return torch.randn(2, 1, query_size), keys, values, torch.tensor([2, 6])


def test_documents_a_additive_attention_averages_the_valid_values():
    # documents.md, Part I, 04: all keys are equal, so the weights are uniform over the valid ones
    attention = AdditiveAttention(key_size=2, query_size=20, num_hiddens=8, dropout=0.1).eval()
    output = attention(*documents_a(query_size=20))
    assert_close(output, EXPECTED)
    expected = torch.tensor([[0.5] * 2 + [0.0] * 8, [1 / 6] * 6 + [0.0] * 4]).unsqueeze(1)
    assert_close(attention.attention_weights, expected)


def test_documents_a_dot_product_attention_gives_the_same_rows():
    attention = DotProductAttention(dropout=0.5).eval()
    assert_close(attention(*documents_a(query_size=2)), EXPECTED)


def test_documents_a_printed_rows_are_what_dropout_left_on_can_give():
    # documents.md, Part I, 04: [0, 1, 2, 3] and [8, 9.3333, 10.6667, 12]
    attention = DotProductAttention(dropout=0.5)
    queries, keys, values, lens = documents_a(query_size=2)
    seen = torch.cat([attention(queries, keys, values, lens) for _ in range(300)], dim=1).round(decimals=4)
    assert [0.0, 1.0, 2.0, 3.0] in seen[0].tolist()
    printed = torch.tensor([8.0, 9.3333, 10.6667, 12.0])
    assert (seen[1] - printed).abs().amax(-1).min() < 2e-4


def test_dropout_in_training_mode_shows_as_weights_zero_or_doubled():
    attention = DotProductAttention(dropout=0.5)
    queries, keys, _, lens = documents_a(query_size=2)
    used = attention(queries, keys, torch.eye(10).expand(2, 10, 10), lens)  # the identity shows the weights
    assert set(used[0, 0, :2].tolist()) <= {0.0, 1.0}
    assert_close(attention.attention_weights.sum(-1), torch.ones(2, 1))  # kept before dropout
    attention.eval()
    assert torch.equal(
        attention(queries, keys, torch.eye(10).expand(2, 10, 10), lens), attention.attention_weights
    )
