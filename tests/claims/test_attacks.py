"""Each of the 49 verdicts is attacked: an input inside its condition that was chosen to break it.

Fifteen broke when this was first done, and ten, one of them new, when it was done once more. Their conditions
were mended, and the input that broke each last stands on the page beyond the border (`ON_THE_PAGE`).
The others held; their inputs are here.
"""

import math

import pytest
import torch
from torch import nn
from torch.nn import functional as F  # noqa: N812

from attn_helpers import (
    LearnedPositions,
    MultiHeadAttention,
    additive_scores,
    apply_rotary,
    causal_mask,
    epanechnikov,
    masked_softmax,
    rotary_angles,
    scaled_dot_product_attention,
    split_heads,
    triangular,
)
from attn_helpers.efficient import linear_attention_weights

ON_THE_PAGE = {
    "Weights as expected on a test input show that the scaling is right": "d = 4, and log2(d) in place of the root",  # noqa: E501
    "Gaussian kernel and dot product give the same weights": "one length, but a query of length 7,000 in float32",  # noqa: E501
    "The bias of Luong's general score is learned": "added to the query, but all values are equal",
    "The sums tell which side of a map is the queries": "every second weight is dropped out",
    "Cells of the same colour carry the same weight": "one scale of 256 shades, weights of 0.3000 and 0.3001",
    "A large negative fill is as good as minus infinity": "scores 20 above, and a million masked keys",
    "Minus infinity is the safe fill": "all scores have become minus infinity",
    "Padded query rows must be masked too": "it counts all, but both words are the same",
    "Masking leaves my scores alone": "not contiguous: the first 4 of 5 columns",
    "In evaluation mode attention has no dropout": "`nn.Dropout`, its layer in a plain list",
    "`nn.MultiheadAttention` returns the weights of its heads": "2 heads, `average_attn_weights=False`, dropout in training mode",  # noqa: E501
    "`pe[:x.size(0)]` gives each position its own vector": "12 words, and 10 vectors in pe",
    "Position vectors with all sines first are wrong": "mixed, d = 2",
    "A key/value cache gives the same outputs as starting over": "causal, with dropout in training mode",
    "Other weights, other output": "3 keys, 2 numbers, 0.000001 off a line",
    "A convolutional network takes images of any size": "two 3 x 3 convolutions on a 4 x 4 image",
}
HELD = {}


def attack(statement):
    """Enter a function that is true if the verdict held."""

    def enter(function):
        HELD[statement] = function
        return function

    return enter


def drawn(*shape, seed=0, dtype=torch.float64):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=dtype)


def softmax_of(q, k):
    return torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), -1)


@attack("Divided by the root of d, scores keep their size at every d")
def rare_large_numbers():
    """Mean 0 and variance 1 from numbers that are 0 in 99 of 100 cases, and else 10 or -10."""
    generator, sizes = torch.Generator().manual_seed(0), []
    for d in (4, 256):
        q, k = (
            torch.randint(-1, 2, (2, 20_000, d), generator=generator)
            * 10.0
            * (torch.rand(2, 20_000, d, generator=generator) < 0.015)
        )
        sizes.append(((q * k).sum(-1) / d**0.5).square().mean().sqrt().item())
    return all(0.7 < size < 1.4 for size in sizes)


@attack("Long unscaled vectors make attention less sharp")
def positive_numbers():
    """All numbers of one sign, so that all scores are large and alike: longer ones are sharper still."""
    rows = [torch.softmax(drawn(200, 1, d).abs() @ drawn(200, 8, d, seed=1).abs().mT, -1) for d in (4, 1024)]
    return torch.special.entr(rows[1]).sum(-1).mean() < torch.special.entr(rows[0]).sum(-1).mean()


@attack("`exp(s) / exp(s).sum()` is a softmax")
def just_inside_the_bounds():
    """Sums next to either end, one exponential below float32's smallest normal number."""
    for scores in (torch.tensor([-87.0, -100.0]), torch.tensor([88.0, 87.0, -20.0])):
        wrong = scores.exp() / scores.exp().sum() - torch.softmax(scores.double(), -1)
        if wrong.abs().max() > 2e-7:
            return False
    return True


@attack("`softmax(dim=1)` normalises over the keys")
def keys_in_the_middle():
    """(queries, keys, batch, heads) with as many of each: nothing but the axis says what is what."""
    scores = drawn(3, 3, 3, 3)
    right = torch.softmax(scores.permute(2, 3, 0, 1), -1).permute(2, 3, 0, 1)
    return torch.allclose(torch.softmax(scores, dim=1), right)


@attack("Additive attention scores a pair by a network on [q; k]")
def very_different_sizes():
    """A query of one number, keys of nine, and numbers that saturate every tanh."""
    q, k, W_q, W_k, w = (
        1e3 * drawn(2, 1),
        drawn(3, 9, seed=1),
        drawn(1, 5, seed=2),
        drawn(9, 5, seed=3),
        drawn(5, seed=4),
    )
    pairs = torch.cat([q[:, None].expand(2, 3, 1), k.expand(2, 3, 9)], -1)
    joined = torch.tanh(pairs @ torch.cat([W_q, W_k])) @ w
    return torch.allclose(additive_scores(q, k, W_q.T, W_k.T, w), joined)


@attack("The Epanechnikov kernel is a triangle")
def of_the_same_height():
    """Even scaled to the same height they differ between the ends."""
    u = torch.tensor([0.0, 0.5, 1.0])
    return not torch.allclose(epanechnikov(u) / epanechnikov(u[:1]), triangular(u))


@attack("Filling with -1e9 makes a fully masked row NaN")
def a_single_key():
    """One key: any softmax of one finite number would be 1."""
    filled = torch.where(torch.tensor([False]), torch.ones(1, dtype=torch.float16), -1e9)
    return bool(torch.softmax(filled, -1).isnan().all())


@attack("PyTorch gives zeros for a fully masked row")
def other_types_and_shapes():
    """16-bit numbers, float64, a mask with heads, and gradients."""
    mask = torch.ones(2, 1, 3, 4, dtype=torch.bool)
    mask[1, :, 2] = False
    for dtype in (torch.float64, torch.bfloat16, torch.float16):
        q, k, v = (drawn(2, 2, n, 8, seed=n).to(dtype).requires_grad_() for n in (3, 4, 4))
        output = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        if output[1, :, 2].any() or not output.isfinite().all():
            return False
    return True


@attack("Multiplying the scores by a 0/1 mask hides padding")
def all_scores_high_or_low():
    """Scores of 50 do hide it, so the padding seems gone; scores of -50 give it everything."""
    weight = [
        torch.softmax(torch.tensor([s, s, s]) * torch.tensor([1.0, 1, 0]), -1)[2] for s in (50.0, -50.0)
    ]
    return bool(weight[0] < 1e-9 and weight[1] > 0.99)


@attack("Setting padded values to zero hides padding")
def a_low_padded_score():
    """A very low padded score does hide it; the average is still too small at an ordinary one."""
    values, outputs = torch.tensor([10.0, 20.0, 0.0]), []
    for padded in (-50.0, 0.0):
        outputs.append(torch.softmax(torch.tensor([0.0, 0.0, padded]), -1) @ values)
    return bool(abs(outputs[0] - 15) < 1e-4 and abs(outputs[1] - 10) < 1e-4)


@attack("If nothing is NaN, the mask is on the right axis")
def a_square_map():
    """A square map and a finite fill: no shape and no NaN betrays the rows that were masked."""
    real = torch.tensor([True, True, False])
    weights = torch.softmax(drawn(3, 3).masked_fill(~real[:, None], -1e4), -1)
    return bool(weights.isfinite().all() and weights[:2, 2].min() > 0)


@attack('True means "may attend" in every library')
def two_calls_of_one_library():
    """PyTorch's function and PyTorch's layer, one mask, float64."""
    layer = nn.MultiheadAttention(1, 1, bias=False, batch_first=True, dtype=torch.float64)
    with torch.no_grad():
        layer.in_proj_weight.fill_(1.0), layer.out_proj.weight.fill_(1.0)
        x, mask = drawn(1, 2, 1), torch.eye(2, dtype=torch.bool)
        by_layer = layer(x, x, x, attn_mask=mask)[0]
        by_function = F.scaled_dot_product_attention(x, x, x, attn_mask=mask)
    return torch.allclose(by_function, x) and torch.allclose(by_layer, x.flip(1))


@attack("`is_causal=True` is right for decoding with a cache")
def one_and_many():
    """As many queries as keys: one of each, and seven."""
    for n in (1, 7):
        q, k, v = drawn(3, 2, n, 4)
        right = scaled_dot_product_attention(q, k, v, mask=causal_mask(n)[None])[0]
        if not torch.allclose(F.scaled_dot_product_attention(q, k, v, is_causal=True), right):
            return False
    return True


@attack("A (batch, keys) mask broadcasts by itself")
def one_sentence():
    """For a batch of one it does; for as many sentences as queries it is silently another mask."""
    mask, x = torch.tensor([[True, False], [True, True]]), drawn(2, 2, 3)
    one = F.scaled_dot_product_attention(x[:1], x[:1], x[:1], attn_mask=mask[:1])
    both = F.scaled_dot_product_attention(x, x, x, attn_mask=mask)
    right = scaled_dot_product_attention(x, x, x, mask=mask[:, None])[0]
    return torch.allclose(one, right[:1]) and not torch.allclose(both, right)


@attack("100 % accuracy shows that the decoder has learned")
def three_alphabets():
    """A map that points at the answer is right for every alphabet, with nothing learned."""
    for symbols in (2, 10, 1000):
        text = torch.randint(symbols, (200,), generator=torch.Generator().manual_seed(symbols))
        points = torch.diag(torch.ones(199), 1)[:199]  # (queries, keys): the next position
        if not torch.equal((points @ F.one_hot(text, symbols).float()).argmax(-1), text[1:]):
            return False
    return True


@attack("Attention weights always sum to 1")
def mild_dropout():
    """Dropout of a thousandth: on average the sums are 1, and single rows are not."""
    torch.manual_seed(0)
    sums = F.dropout(torch.full((500, 1000), 1e-3, dtype=torch.float64), 0.001).sum(-1)
    return bool(abs(sums.mean() - 1) < 1e-3 and (sums - 1).abs().max() > 1e-3)


@attack("Heads may be averaged instead of concatenated")
def equal_projections():
    """The same projection for each head: still what concatenation and the stacked matrix give."""
    heads, W = drawn(4, 5, 3), drawn(3, 12, seed=1).expand(4, 3, 12)
    joined = heads.transpose(0, 1).flatten(1) @ W.reshape(12, 12)
    return torch.allclose(joined, 4 * torch.stack([h @ w for h, w in zip(heads, W, strict=True)]).mean(0))


@attack("More heads need more parameters")
def size_one():
    """Heads of size 1 that keep it: each head more costs four rows or columns."""
    count = lambda heads: 4 * 1 * heads  # noqa: E731  (d_model = 1, dim = 1: W_q, W_k, W_v and W_o)
    fixed = [sum(p.numel() for p in MultiHeadAttention(6, h, bias=False).parameters()) for h in (1, 2, 6)]
    return count(1) < count(2) < count(3) and len(set(fixed)) == 1


@attack("`reshape(batch, heads, length, dim)` splits into heads")
def a_batch_of_three():
    """One head and several tokens, several heads and one token, three sentences."""
    return all(
        torch.equal(x.reshape(3, heads, x.shape[1], -1), split_heads(x, heads))
        for x, heads in ((drawn(3, 5, 6), 1), (drawn(3, 1, 6), 3))
    )


@attack("`query = W_q[h](query)` in a loop over heads is multi-head attention")
def two_calls_of_one_head():
    """One head: calling the layer twice must not remember the projected query."""
    x, W = drawn(4, 3), drawn(3, 3, seed=1)

    def loop(query):
        for _ in range(1):
            query = query @ W
            output = softmax_of(query, x) @ x
        return output

    return torch.equal(loop(x), softmax_of(x @ W, x) @ x) and torch.equal(loop(x), loop(x))


@attack("Keys and values are the same tokens, so either can be averaged")
def almost_equal():
    """Equal to the last number: equal outputs; one number off by 1e-6: other outputs."""
    k, q = drawn(5, 3), drawn(2, 3, seed=1)
    moved = k.clone()
    moved[0, 0] += 1e-6
    weights = softmax_of(q, k)
    return torch.equal(weights @ k, weights @ k.clone()) and not torch.equal(weights @ k, weights @ moved)


@attack("A layer that trains has its projections right")
def both_projections():
    """Values through both matrices: each has a gradient, and the output is another one."""
    x, W_k, W_v = drawn(4, 3), drawn(3, 3, seed=1).requires_grad_(), drawn(3, 3, seed=2).requires_grad_()
    output = softmax_of(x, x @ W_k) @ (x @ W_k @ W_v)
    output.square().sum().backward()
    learns = all(W.grad.abs().min() > 0 for W in (W_k, W_v))
    return learns and not torch.allclose(output, softmax_of(x, x @ W_k) @ (x @ W_v))


@attack("`x + f(norm(x))` and `norm(x + f(x))` are the same layer")
def a_normalised_input():
    """The same for a normalised x and f = 0; another layer for the same x and f(x) = x / 2 + 1."""
    norm = lambda x: F.layer_norm(x, x.shape[-1:])  # noqa: E731
    x = norm(drawn(2, 6))
    nothing = torch.allclose(x, norm(x), atol=1e-4)
    f = lambda x: x.roll(1, -1)  # noqa: E731
    return nothing and not torch.allclose(x + f(norm(x)), norm(x + f(x)), atol=1e-2)


@attack("`nn.MultiheadAttention` reads (batch, length, size)")
def as_many_sentences_as_words():
    """batch = length, so that no shape can tell: the other sentences reach nothing."""
    layer = nn.MultiheadAttention(4, 2, batch_first=True, dtype=torch.float64)
    x = drawn(3, 3, 4)
    other = torch.cat([x[:1], drawn(2, 3, 4, seed=5)])
    return torch.allclose(layer(x, x, x)[0][0], layer(other, other, other)[0][0])


@attack("The exponents 2i/d and 2(i+1)/d with i = 0, 2, 4, ... are the paper's")
def a_single_pair():
    """d = 2, one pair: sine and cosine already have different wavelengths."""
    p = torch.arange(5.0, dtype=torch.float64)[:, None]
    table = torch.cat([p.sin(), (p / 10_000.0).cos()], -1)
    products = table @ table.T
    return not torch.allclose(products[0, 1], products[1, 2])


@attack("Rotary positions turn vectors and leave their lengths alone")
def far_out():
    """A position of 100,000 and a vector with numbers of very different size."""
    x = torch.tensor([[1e4, 1e-4, -3.0, 7e2]])
    turned = apply_rotary(x, rotary_angles(1, 4, start=100_000))
    return bool((turned.norm() / x.norm() - 1).abs() < 1e-6)


@attack("Attention without positions cannot see the order")
def three_hundred_tokens():
    """Three hundred large tokens in a random order: the outputs only change places."""
    x, order = 5 * drawn(300, 8), torch.randperm(300, generator=torch.Generator().manual_seed(1))
    attend = lambda x: scaled_dot_product_attention(x, x, x)[0]  # noqa: E731
    return torch.allclose(attend(x)[order], attend(x[order]), atol=1e-9)


@attack("num_patches + 1 positions fit a vision transformer")
def not_square():
    """An image of 12 x 8 in patches of 4 x 4, and one token added: six patches and one."""
    patches = nn.Conv2d(1, 5, 4, stride=4)(torch.zeros(2, 1, 12, 8)).flatten(2).mT
    tokens = torch.cat([torch.zeros(2, 1, 5), patches], dim=1)
    return LearnedPositions(6 + 1, 5)(tokens).shape == (2, 7, 5)


@attack("A text longer than the window must be cropped")
def started_late():
    """Eight tokens fit a table of eight, but not from position 1 on."""
    place, x = LearnedPositions(8, 4), torch.zeros(8, 4)
    place(x)
    with pytest.raises(ValueError, match="8"):
        place(x, start=1)
    return True


@attack("Linear attention approximates softmax attention")
def nearly_even_scores():
    """Where all scores are nearly equal the two agree; with scores of ordinary size they do not."""
    q, k = drawn(2, 16, 8)
    gaps = [
        (linear_attention_weights(s * q, s * k) - softmax_of(s * q, s * k)).abs().max() for s in (0.01, 2.0)
    ]
    return bool(gaps[0] < 0.01 and gaps[1] > 0.2)


@attack("Flash attention is exact")
def from_very_low_to_very_high(by_tiles=None):
    """Scores from -10,000 to 10,000, the largest in the last tile."""
    q, k, v = torch.ones(1, 1).double(), torch.linspace(-1e4, 1e4, 9)[:, None].double(), drawn(9, 2)
    assert by_tiles is not None
    dense = torch.softmax(q @ k.T, -1) @ v
    return all(torch.allclose(by_tiles(q, k, v, size), dense, atol=1e-12) for size in (1, 2, 4, 100))


@attack("The key with the largest weight matters most")
def no_small_weights():
    """Nine values drawn by chance, no weight below 0.05: the heaviest key is often not what counts."""
    misses = 0
    for seed in range(200):
        weights, values = torch.softmax(0.3 * drawn(9, seed=seed), 0), drawn(9, 4, seed=seed + 1000)
        moved = weights / (1 - weights) * (values - weights @ values).norm(dim=-1)
        misses += int(moved.argmax() != weights.argmax() and weights.min() > 0.05)
    return misses > 50


@attack("A test that passes shows that the attention is right")
def a_strong_test():
    """Sums, padding and order at once on large random input: dividing by d passes all three."""
    q, k, mask = drawn(6, 16), drawn(9, 16, seed=1), torch.arange(9) < 7
    wrong = lambda q, k, mask: masked_softmax(q @ k.T / 16, mask)  # noqa: E731
    weights, order = wrong(q, k, mask), torch.arange(8, -1, -1)
    sums = torch.allclose(weights.sum(-1), torch.ones(6, dtype=torch.float64))
    turned = torch.allclose(wrong(q, k[order], mask[order]) @ k[order], weights @ k)
    return (
        sums and not weights[:, 7:].any() and turned and not torch.allclose(weights, softmax_of(q, k) * mask)
    )


def test_every_verdict_was_attacked(page):
    statements = [claim.statement for claim in page["claims"]]
    assert sorted([*ON_THE_PAGE, *HELD]) == sorted(statements)
    assert (len(ON_THE_PAGE), len(HELD)) == (16, 33)


@pytest.mark.parametrize(("statement", "case"), ON_THE_PAGE.items())
def test_what_broke_a_verdict_stands_on_the_page_beyond_its_border(page, statement, case):
    (claim,) = [claim for claim in page["claims"] if claim.statement == statement]
    assert claim.beyond[case] is False
    assert all(claim.cases.values())


@pytest.mark.parametrize("statement", HELD)
def test_a_verdict_holds_on_an_input_that_was_chosen_to_break_it(page, statement):
    held = HELD[statement]
    extra = {"by_tiles": page["by_tiles"]} if statement == "Flash attention is exact" else {}
    assert held(**extra)
