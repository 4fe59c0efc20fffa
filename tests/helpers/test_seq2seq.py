import math

import pytest
import torch
from torch.testing import assert_close

from attn_helpers import BahdanauAttention, LuongAttention, length_mask

BATCH, QUERIES, KEYS, DECODER, ENCODER, HIDDEN = 2, 3, 5, 7, 11, 13
SAME_SUMS = {"rtol": 1e-5, "atol": 1e-6}  # float32, sums in another order
MAKERS = {
    "bahdanau": lambda: BahdanauAttention(DECODER, ENCODER, HIDDEN),
    "general": lambda: LuongAttention(DECODER, ENCODER, "general"),
    "general with bias": lambda: LuongAttention(DECODER, ENCODER, "general", bias=True),
    "concat": lambda: LuongAttention(DECODER, ENCODER, "concat", num_hiddens=HIDDEN),
    "dot": lambda: LuongAttention(ENCODER, ENCODER),
}
every_kind = pytest.mark.parametrize("kind", MAKERS)


def states(kind, dtype=torch.float32):
    decoder_size = ENCODER if kind == "dot" else DECODER
    return torch.randn(BATCH, QUERIES, decoder_size, dtype=dtype), torch.randn(
        BATCH, KEYS, ENCODER, dtype=dtype
    )


def slow_score(attention, kind, s, h):
    """One score, from plain sums."""
    if kind == "bahdanau":
        hidden = attention.W_decoder.weight @ s + attention.W_encoder.weight @ h
        return sum(
            v * math.tanh(x) for v, x in zip(attention.v.weight[0].tolist(), hidden.tolist(), strict=True)
        )
    if kind == "concat":
        return (attention.v.weight @ torch.tanh(attention.W.weight @ torch.cat([s, h]))).item()
    return (s @ (attention.W(h) if kind != "dot" else h)).item()


@every_kind
def test_scores_equal_a_slow_loop(kind):
    attention, (s, h) = MAKERS[kind](), states(kind)
    slow = [
        [[slow_score(attention, kind, s[b, i], h[b, j]) for j in range(KEYS)] for i in range(QUERIES)]
        for b in range(BATCH)
    ]
    assert_close(attention.scores(s, h), torch.tensor(slow), **SAME_SUMS)


@every_kind
def test_the_context_is_the_average_of_the_encoder_states(kind):
    attention, (s, h) = MAKERS[kind](), states(kind)
    context, weights = attention(s, h)
    assert context.shape == (BATCH, QUERIES, ENCODER)
    assert_close(weights, attention.scores(s, h).softmax(dim=-1), **SAME_SUMS)
    assert_close(context, torch.einsum("bqk,bkd->bqd", weights, h), **SAME_SUMS)


@every_kind
def test_padding_gets_no_weight_and_what_it_holds_does_not_matter(kind):
    attention, (s, h) = MAKERS[kind](), states(kind)
    lens = torch.tensor([2, 5])
    context, weights = attention(s, h, valid_lens=lens)
    other = h.clone()
    other[0, 2:] = 100.0
    assert not weights[0, :, 2:].any()
    assert_close(attention(s, other, valid_lens=lens)[0], context)


@every_kind
def test_a_mask_does_what_the_lengths_do(kind):
    attention, (s, h) = MAKERS[kind](), states(kind)
    lens = torch.tensor([2, 4])
    assert_close(attention(s, h, length_mask(lens, KEYS)), attention(s, h, valid_lens=lens))


@every_kind
def test_a_source_that_is_all_padding_gives_zeros_and_finite_gradients(kind):
    attention, (s, h) = MAKERS[kind](), states(kind)
    h.requires_grad_()
    context, weights = attention(s, h, valid_lens=torch.tensor([0, 5]))
    context.sum().backward()
    assert not weights[0].any()
    assert not context[0].any()
    assert h.grad.isfinite().all()


@every_kind
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
def test_the_dtype_is_kept(kind, dtype):
    attention, (s, h) = MAKERS[kind]().to(dtype), states(kind, dtype)
    context, weights = attention(s, h)
    assert context.dtype == weights.dtype == dtype
    assert context.isfinite().all()


@every_kind
def test_gradients_equal_finite_differences(kind):
    attention = MAKERS[kind]().double()
    s, h = (x.requires_grad_() for x in states(kind, torch.float64))
    assert torch.autograd.gradcheck(lambda a, b: attention(a, b, valid_lens=[5, 3])[0], (s, h))


@every_kind
def test_arguments_are_left_as_they_were(kind):
    attention, (s, h) = MAKERS[kind](), states(kind)
    before = s.clone(), h.clone()
    attention(s, h, valid_lens=torch.tensor([1, 2]))
    assert torch.equal(s, before[0])
    assert torch.equal(h, before[1])


def test_luongs_concat_score_is_bahdanaus_with_the_two_matrices_side_by_side():
    luong, bahdanau = MAKERS["concat"](), MAKERS["bahdanau"]()
    with torch.no_grad():
        luong.W.weight.copy_(torch.cat([bahdanau.W_decoder.weight, bahdanau.W_encoder.weight], dim=1))
        luong.v.weight.copy_(bahdanau.v.weight)
    s, h = states("concat")
    assert_close(luong(s, h), bahdanau(s, h), **SAME_SUMS)


def test_the_general_score_has_no_bias_unless_it_is_asked_for():
    assert [name for name, _ in MAKERS["general"]().named_parameters()] == ["W.weight"]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: LuongAttention(7, 11),
            ValueError,
            "decoder_size = encoder_size, got decoder_size=7, encoder_size=11",
        ),
        (
            lambda: LuongAttention(7, 7, "cosine"),
            ValueError,
            "unknown score 'cosine'; choose one of dot, general, concat",
        ),
        (lambda: LuongAttention(7, 7, "dot", bias=True), ValueError, 'bias belongs to score="general"'),
        (
            lambda: LuongAttention(7, 7, "dot", num_hiddens=3),
            ValueError,
            'num_hiddens belongs to score="concat"',
        ),
        (
            lambda: BahdanauAttention(7, 0, 3),
            ValueError,
            "encoder_size must be at least 1, got encoder_size=0",
        ),
        (lambda: BahdanauAttention(7, 11, 2.0), TypeError, "num_hiddens must be an int"),
    ],
)
def test_sizes_and_options_that_do_not_fit_are_named(call, error, message):
    with pytest.raises(error, match=message):
        call()


@pytest.mark.parametrize(
    ("decoder_shape", "encoder_shape", "message"),
    [
        ((2, 3, 5), (2, 5, 11), r"decoder_states must have shape \(batch, queries, 7\), got \(2, 3, 5\)"),
        ((2, 3, 7), (2, 5, 7), r"encoder_states must have shape \(batch, keys, 11\), got \(2, 5, 7\)"),
        ((7,), (2, 5, 11), r"decoder_states must have shape \(batch, queries, 7\), got \(7,\)"),
        ((2, 3, 7), (2, 0, 11), r"encoder_states must have at least one key, got \(2, 0, 11\)"),
    ],
)
@pytest.mark.parametrize("kind", ["bahdanau", "general", "concat"])
def test_states_that_do_not_fit_are_named(kind, decoder_shape, encoder_shape, message):
    with pytest.raises(ValueError, match=message):
        MAKERS[kind]()(torch.ones(decoder_shape), torch.ones(encoder_shape))
