"""Let the trained encoder read sentences, and note what each head did."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from attn_helpers.multihead import split_heads
from attn_lessons.studies.minilm.readings import Reading
from attn_lessons.studies.minilm.tokens import MASK, SPECIAL
from tools.minilm.bert_encoder import BertEncoder, mean_embedding

if TYPE_CHECKING:
    from tokenizers import BertWordPieceTokenizer


def read_sentence(model: BertEncoder, cut: "BertWordPieceTokenizer", text: str) -> Reading:
    """Run the model on one sentence, and again with each word replaced by [MASK]."""
    pieces = cut.encode(text)
    tokens, ids = pieces.tokens, torch.tensor([pieces.ids])  # (1, length)
    most = model.positions.num_embeddings
    if len(tokens) > most:
        raise ValueError(f"text must have at most {most} tokens, got {len(tokens)}.")
    with torch.no_grad():
        encoded = model(ids)
        inputs = zip(model.layers, encoded.hidden[:-1], strict=True)
        norms = torch.stack([layer.value_norms(x)[0] for layer, x in inputs])  # (layers, heads, keys)
        replaced = _one_masked(ids[0], tokens, cut.token_to_id(MASK))  # (keys, length)
        masked = model(replaced).hidden[-1]  # (keys, length, d_model)
    last = encoded.hidden[-1]
    effects = 1 - torch.cosine_similarity(masked, last, dim=-1).T  # (queries, keys)
    effect = 1 - mean_embedding(masked) @ mean_embedding(last)[0]  # (keys,)
    return Reading(
        text, tuple(tokens), ids[0], encoded.weights[:, 0], norms, effects.clamp(min=0), effect.clamp(min=0)
    )


def head_effects(model: BertEncoder, ids: Tensor, instead: Tensor | None = None) -> Tensor:
    """Switch off one head after the other and compare the sentence's embedding; gives (layers, heads).

    Formula: effect[l, h] = 1 - cos(embedding, embedding without head h of layer l)

    A head that is off gives every token `instead`, (layers, heads, value_dim), such as the `mean_outputs` of
    other sentences, or zeros.

    Source: Michel et al. 2019, section 2.2.
    """
    layers, heads = len(model.layers), model.layers[0].attention.num_heads
    with torch.no_grad():
        whole = mean_embedding(model(ids[None]).hidden[-1])[0]
        result = torch.zeros(layers, heads)
        for layer in range(layers):
            for head in range(heads):
                given = 0 if instead is None else instead[layer, head]
                with _handed_on(model, layer, head, given):
                    result[layer, head] = 1 - mean_embedding(model(ids[None]).hidden[-1])[0] @ whole
    return result.clamp(min=0)


def mean_outputs(model: BertEncoder, sentences: Sequence[Tensor]) -> Tensor:
    """Return what each head hands on in the mean over all tokens, (layers, heads, value_dim)."""
    tokens = []
    with torch.no_grad():
        for ids in sentences:
            encoded, outputs = model(ids[None]), []
            for layer, inputs, weights in zip(
                model.layers, encoded.hidden[:-1], encoded.weights, strict=True
            ):
                values = split_heads(layer.attention.W_v(inputs), layer.attention.num_heads)
                outputs.append((weights @ values)[0])  # (heads, length, value_dim)
            tokens.append(torch.stack(outputs))
    return torch.cat(tokens, dim=2).mean(dim=2)


def head_values(model: BertEncoder, ids: Tensor, layer: int, head: int) -> Tensor:
    """Return the values (keys, value_dim) that one head averages."""
    attention = model.layers[layer].attention
    with torch.no_grad():
        inputs = model(ids[None]).hidden[layer]
        return split_heads(attention.W_v(inputs), attention.num_heads)[0, head]


@contextmanager
def _handed_on(model: BertEncoder, layer: int, head: int, given: Tensor | int) -> Iterator[None]:
    """Let one head hand on the same vector at every token, whatever it has looked at."""
    attention = model.layers[layer].attention

    def replace(_: nn.Module, inputs: tuple[Tensor, ...]) -> Tensor:
        merged = inputs[0].clone()  # (batch, length, d_model), one head behind the other
        size = merged.shape[-1] // attention.num_heads
        merged[..., head * size : (head + 1) * size] = given
        return merged

    hook = attention.W_o.register_forward_pre_hook(replace)
    try:
        yield
    finally:
        hook.remove()


def _one_masked(ids: Tensor, tokens: list[str], mask_id: int) -> Tensor:
    """Return the sentence once for each token, that token replaced by [MASK]; [CLS] and [SEP] stay."""
    replaced = ids.repeat(len(ids), 1)  # (keys, length)
    for place, token in enumerate(tokens):
        if token not in SPECIAL:
            replaced[place, place] = mask_id
    return replaced
