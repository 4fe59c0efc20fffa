"""An induction head without training: every number of a two-layer model set by hand.

Chapter: notebooks/11a_induction_by_hand.ipynb
"""

import torch

from attn_lessons.studies.induction.attention_only import AttentionOnly


def repeater_by_hand(
    vocabulary: int, max_length: int, *, sharpness: float = 20.0, skip_first: bool = True
) -> AttentionOnly:
    """Set the matrices of two attention layers so that they continue a repeated sequence.

    Formula: x = [token | position | previous | next]. Layer 1 copies the token before into "previous";
        layer 2 compares its token with the keys' "previous" and copies what it finds into "next".
    Source: Elhage et al. 2021, section on induction heads (K-composition).

    Args:
        sharpness: score of a key that fits, where others have 0.
        skip_first: keep layer 2 from the first token, which has noted itself, as nothing stands before it.
    Returns: the model, with d_model = 3 vocabulary + max_length and no normalisation. Its logits are the
        weights of layer 2, added up for each token.

    >>> model = repeater_by_hand(3, 4)
    >>> logits, _ = model(torch.tensor([[0, 1, 2, 0]]))
    >>> logits[0, -1].detach().round(decimals=2)  # after the second 0: what followed the first
    tensor([0., 1., 0.])
    """
    d_model = 3 * vocabulary + max_length
    model = AttentionOnly(vocabulary, max_length, d_model, norm=False)
    parts = torch.eye(d_model).split((vocabulary, max_length, vocabulary, vocabulary))
    token, position, previous, following = parts  # each (size, d_model): where the part stands in x
    scale = sharpness * d_model**0.5  # the scores are divided by the root
    keep_out = position[:1].T @ token.sum(0, keepdim=True) if skip_first else 0.0
    matrices = {
        "embedding": token.T,
        "positions": position.T,
        "layers.0.W_q": scale * position[1:].T @ position[:-1],  # a position asks for the one before
        "layers.0.W_k": position.T @ position,
        "layers.0.W_v": token.T @ token,
        "layers.0.W_o": token.T @ previous,
        "layers.1.W_q": scale * token.T @ token,  # a token asks: who came after a copy of me?
        "layers.1.W_k": previous.T @ token - keep_out,
        "layers.1.W_v": token.T @ token,
        "layers.1.W_o": token.T @ following,
        "unembed": following.T,
    }
    # x @ matrix in the formulas; the layers store matrices the other way round
    for name, matrix in matrices.items():
        layer = model.get_submodule(name)
        del layer.weight  # a parameter is something learned
        layer.register_buffer("weight", matrix.T.contiguous())
    return model.eval()
