"""How every public name of the small package is called."""

import torch

import attn_helpers as ah

QUERIES, KEYS, VALUES = torch.rand(2, 3, 5), torch.rand(2, 7, 5), torch.rand(2, 7, 11)
MASK, LENS = torch.rand(2, 3, 7) < 0.7, torch.tensor([2, 6])
X, Y, U = torch.rand(7), torch.rand(7), torch.rand(3, 4) * 2
SCORES = torch.rand(2, 3, 7)
W_Q, W_K, W_V = torch.rand(4, 5), torch.rand(4, 5), torch.rand(4)


def attends(x):
    return torch.softmax(x @ x.mT, dim=-1) @ x


def looked_inside(x, **options):
    return ah.look_inside(attends, x=x, **options).outputs


# name -> how to call it; a new public name needs a line here, and is then held to the rules below
CALLS = {
    "AdditiveAttention": (
        lambda: ah.AdditiveAttention(5, 5, 4),
        (QUERIES, KEYS, VALUES, LENS),
        {"mask": MASK},
    ),
    "BahdanauAttention": (lambda: ah.BahdanauAttention(5, 5, 4), (QUERIES, KEYS), {"mask": MASK}),
    "DotProductAttention": (
        lambda: ah.DotProductAttention(0.0),
        (QUERIES, KEYS, VALUES, LENS),
        {"mask": MASK},
    ),
    "LearnedPositions": (lambda: ah.LearnedPositions(7, 5), (KEYS,), {}),
    "LuongAttention": (lambda: ah.LuongAttention(5, 5, "general"), (QUERIES, KEYS), {"mask": MASK}),
    "MultiHeadAttention": (lambda: ah.MultiHeadAttention(5, 1), (QUERIES, KEYS, KEYS), {"mask": MASK}),
    "NadarayaWatson": (lambda: ah.NadarayaWatson(), (X, X, Y), {"mask": ~torch.eye(7).bool()}),
    "additive_scores": (None, (QUERIES, KEYS, W_Q, W_K, W_V), {}),
    "alibi_bias": (None, (torch.rand(4), 3), {}),
    "alibi_slopes": (None, (4,), {}),
    "apply_rotary": (None, (torch.rand(2, 3, 4), torch.rand(3, 2)), {}),
    "attend": (None, (QUERIES, KEYS, VALUES), {"mask": MASK, "valid_lens": LENS}),
    "bilinear_scores": (None, (QUERIES, KEYS, torch.rand(5, 5)), {}),
    "boxcar": (None, (U,), {}),
    "causal_mask": (None, (3, 5), {}),
    "combine_masks": (None, (MASK, MASK[:, :1]), {}),
    "dot_product_scores": (None, (QUERIES, KEYS), {}),
    "epanechnikov": (None, (U,), {}),
    "gaussian": (None, (U,), {}),
    "gaussian_scores": (None, (QUERIES, KEYS), {"width": torch.tensor(0.5)}),
    "kernel_weights": (None, (X, X), {"kernel": "boxcar", "width": torch.tensor(0.5), "mask": MASK[0, 0]}),
    "laplacian": (None, (U,), {}),
    "leave_one_out_mask": (None, (3,), {}),
    "length_mask": (None, (LENS, 7), {}),
    "look_inside": (lambda: looked_inside, (torch.rand(3, 5),), {"title": "Maps"}),
    "masked_softmax": (None, (SCORES, MASK), {"valid_lens": LENS}),
    "merge_heads": (None, (torch.rand(2, 3, 5, 7),), {}),
    "nadaraya_watson": (None, (X, X, Y), {"width": torch.tensor(0.5), "mask": MASK[0, 0]}),
    "new_axes": (None, (2,), {}),
    "quartic": (None, (U,), {}),
    "rotary_angles": (None, (3, 4), {}),
    "scaled_dot_product_attention": (None, (QUERIES, KEYS, VALUES), {"mask": MASK}),
    "scaled_dot_product_scores": (None, (QUERIES, KEYS), {"scale": torch.tensor(0.5)}),
    "score_function": (None, ("dot_product",), {}),
    "setup": (None, (), {}),
    "show_figure": (lambda: lambda y: ah.show_figure(ah.new_axes(), {"y": y}), (Y,), {}),
    "show_heatmaps": (None, (SCORES,), {"titles": ["a", "b"], "xticks": list("abcdefg")}),
    "show_lines": (None, (X, {"y": Y}), {"points": {"p": (X, Y)}}),
    "show_source": (None, (ah.attend,), {}),
    "sinusoidal_positions": (None, (3, 4), {}),
    "softmax_with_fill": (None, (SCORES, MASK), {"fill": -1e9}),
    "split_heads": (None, (torch.rand(2, 3, 6), 2), {}),
    "triangular": (None, (U,), {}),
    "window_mask": (None, (3, 5), {"reach": 1}),
}


def callable_of(name):
    make = CALLS[name][0]
    return make() if make else getattr(ah, name)


def tensors_in(tree):
    return [leaf for leaf in torch.utils._pytree.tree_leaves(tree) if isinstance(leaf, torch.Tensor)]
