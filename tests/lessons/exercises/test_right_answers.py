"""Right answers in other words than the solution's are accepted: a checker must not insist on one way."""

import pytest
import torch
import torch.nn.functional as functional

import attn_helpers as ah
from attn_lessons.exercises import check


def _decoder_mask(valid_lens, length):
    return ah.combine_masks(ah.causal_mask(length), ah.length_mask(valid_lens, length)[:, None])


def _attention(queries, keys, values, valid_lens):
    return ah.attend(queries, keys, values, score="scaled_dot_product", valid_lens=valid_lens)


def _torchs_heads(x, W_q, W_k, W_v, W_o, num_heads):
    layer = torch.nn.MultiheadAttention(x.shape[-1], num_heads, bias=False, batch_first=True)
    layer.in_proj_weight.data = torch.cat([W_q.T, W_k.T, W_v.T])
    layer.out_proj.weight.data = W_o.T
    return tuple(part.detach() for part in layer(x, x, x, average_attn_weights=False))


def _self_attention(x, W_q, W_k, W_v):
    q, k, v = x @ W_q, x @ W_k, x @ W_v
    return ah.scaled_dot_product_attention(q, k, v, mask=ah.causal_mask(len(x)))


def _rotary(x, start):
    return ah.apply_rotary(x, ah.rotary_angles(x.shape[1], x.shape[2], start=start))


def _lowest_number(scores, mask):
    fill = torch.finfo(scores.dtype).min
    return torch.softmax(torch.where(mask, scores, fill), dim=-1) * mask


def _out_of_place(scores, mask):
    scores = scores.clone()
    scores[~mask] = -torch.inf
    has_key = mask.any(-1)
    weights = torch.zeros_like(scores)
    weights[has_key] = scores[has_key].softmax(-1)
    return weights


def _bahdanau(state, states, W_s, W_h, v, valid_lens):
    scores = ah.additive_scores(state[:, None], states, W_s, W_h, v)
    weights = ah.masked_softmax(scores, valid_lens=valid_lens)
    return (weights @ states)[:, 0], weights[:, 0]


def _leave_one_out(x, y, width):
    return ah.nadaraya_watson(x, x, y, width=width, mask=ah.leave_one_out_mask(len(x)))[0]


def _alibi(slopes, num_queries, num_keys):
    return ah.alibi_bias(slopes, num_queries, num_keys)


def _dot_average(query, keys, values):
    return ah.attend(query[None], keys, values, score="dot_product")[0][0]


def _length_shares(weights, vectors):
    brought = torch.einsum("qk,kd->qkd", weights, vectors).norm(dim=-1)
    return torch.nn.functional.normalize(brought, p=1, dim=-1)


def _diagonals(kernel, length):
    reach = len(kernel) // 2
    near = range(max(-reach, 1 - length), min(reach, length - 1) + 1)
    parts = (torch.diag(kernel[reach + at].expand(length - abs(at)), at) for at in near)
    return sum(parts)


def _luong(decoder_states, encoder_states, W):
    return ah.masked_softmax(ah.bilinear_scores(decoder_states, encoder_states, W))


def _whole_rows(written, targets, valid_lens):
    rows = zip(written, targets, valid_lens.tolist(), strict=True)
    return torch.tensor([float(torch.equal(w[:n], t[:n])) for w, t, n in rows]).mean()


def _dropout(weights, p, training):
    return functional.dropout(weights, p, training)


def _centred_by_a_matrix(x):
    centred = x @ (torch.eye(x.shape[-1]) - 1 / x.shape[-1])  # float32: a float64 input stops it
    return centred * torch.rsqrt(centred.square().mean(-1, keepdim=True) + 1e-5)


def _positions_in_float32(x):
    table = torch.empty(x.shape[1:])
    angles = torch.arange(x.shape[1])[:, None] / 10000 ** (torch.arange(0, x.shape[2], 2) / x.shape[2])
    table[:, 0::2], table[:, 1::2] = angles.sin(), angles.cos()
    return x + table


def _word_by_word(x, W_q, W_k, W_v):
    q, k, v = x @ W_q, x @ W_k, x @ W_v
    weights = torch.zeros(len(x), len(x))  # float32: a bfloat16 input stops it
    for i in range(len(x)):
        weights[i, : i + 1] = torch.softmax(k[: i + 1] @ q[i] / k.shape[1] ** 0.5, 0)
    return weights @ v, weights


OTHERS = [
    ("add-positions", _positions_in_float32),
    ("self-attention", _word_by_word),
    ("layer-norm", _centred_by_a_matrix),
    ("layer-norm", lambda x: functional.layer_norm(x.float(), x.shape[-1:])),
    ("kernel-weights", lambda q, k, width: ah.kernel_weights(q, k, width=width)),
    ("leave-one-out", _leave_one_out),
    ("average-by-scores", _dot_average),
    ("weight-times-length", _length_shares),
    ("scaled-scores", ah.scaled_dot_product_scores),
    ("additive-scores", ah.additive_scores),
    ("masked-softmax", ah.masked_softmax),
    ("masked-softmax", _lowest_number),
    ("masked-softmax", _out_of_place),
    ("causal-mask", ah.causal_mask),
    ("causal-mask", lambda q, k: torch.ones(q, k, dtype=torch.bool).tril(k - q)),
    ("decoder-mask", _decoder_mask),
    ("scaled-dot-product-attention", _attention),
    ("weight-dropout", _dropout),
    ("bahdanau-step", _bahdanau),
    ("luong-general", _luong),
    ("exact-match", _whole_rows),
    ("self-attention", _self_attention),
    ("band-matrix", _diagonals),
    ("add-positions", lambda x: x + ah.sinusoidal_positions(*x.shape[1:], dtype=x.dtype)),
    ("rotary", _rotary),
    ("alibi-bias", _alibi),
    ("split-heads", ah.split_heads),
    ("split-heads", lambda x, heads: torch.stack(x.chunk(heads, dim=-1), dim=1)),
    ("merge-heads", ah.merge_heads),
    ("merge-heads", lambda heads: torch.cat(heads.unbind(1), dim=-1)),
    ("multi-head-attention", _torchs_heads),
]


@pytest.mark.parametrize(("name", "function"), OTHERS)
def test_a_right_answer_in_other_words_is_accepted(name, function):
    verdict = check(name, function)
    assert verdict.correct, verdict


def test_where_the_task_says_nothing_of_types_a_word_is_said_of_them():
    assert "By the way: float64 inputs meet float32" in repr(check("layer-norm", _centred_by_a_matrix))
    wrong = check("layer-norm", lambda x: _centred_by_a_matrix(x) * 2)
    assert not wrong.correct
