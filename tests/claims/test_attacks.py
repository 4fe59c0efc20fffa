"""What broke a verdict when each of the 49 was attacked stands on the page, beyond its condition's border.

An attack is an input inside a condition that was chosen to break it. Fifteen broke when this was first done,
and ten, one of them new, when it was done once more. The others held, which no line of code here can change.
"""

import pytest

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


@pytest.mark.parametrize(("statement", "case"), ON_THE_PAGE.items())
def test_what_broke_a_verdict_stands_on_the_page_beyond_its_border(page, statement, case):
    (claim,) = [claim for claim in page["claims"] if claim.statement == statement]
    assert claim.beyond[case] is False
    assert all(claim.cases.values())
