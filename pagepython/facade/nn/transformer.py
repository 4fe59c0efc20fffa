"""``nn.Transformer``: torch's blocks, stacks of them and the whole, for comparisons."""

import copy

import torch
from torch.nn import functional, init
from torch.nn.containers import ModuleList
from torch.nn.layers import Dropout, LayerNorm, Linear
from torch.nn.module import Module
from torch.nn.multihead import MultiheadAttention


class _Layer(Module):
    """What the layers of both stacks have in common."""

    parts = 2  # with a shortcut and a norm each

    def __init__(
        self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation=functional.relu, layer_norm_eps=1e-5,
        batch_first=False, norm_first=False, bias=True,
    ) -> None:  # fmt: skip
        super().__init__()
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first)
        if self.parts == 3:
            self.multihead_attn = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first)
        self.linear1 = Linear(d_model, dim_feedforward, bias)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias)
        self.norm_first = norm_first
        for part in range(1, self.parts + 1):
            setattr(self, f"norm{part}", LayerNorm(d_model, layer_norm_eps, bias=bias))
        for part in range(1, self.parts + 1):
            setattr(self, f"dropout{part}", Dropout(dropout))
        if not callable(activation) and activation not in ("relu", "gelu"):
            raise RuntimeError(f"activation should be relu/gelu, not {activation}")
        self.activation = getattr(functional, activation) if isinstance(activation, str) else activation

    def _attend(self, x, mask, padding, causal):
        found, _ = self.self_attn(x, x, x, padding, False, mask, is_causal=causal)
        return self.dropout1(found)

    def _think(self, x):
        drop = self.dropout2 if self.parts == 2 else self.dropout3
        return drop(self.linear2(self.dropout(self.activation(self.linear1(x)))))

    def _through(self, x, *works):
        for part, work in enumerate(works, 1):
            norm = getattr(self, f"norm{part}")
            x = x + work(norm(x)) if self.norm_first else norm(x + work(x))
        return x


class TransformerEncoderLayer(_Layer):
    """Attention, then a small network for each place, each with a shortcut and a norm."""

    def forward(self, src, src_mask=None, src_key_padding_mask=None, is_causal=False):
        given = src_mask, src_key_padding_mask, is_causal
        return self._through(src, lambda x: self._attend(x, *given), self._think)


class TransformerDecoderLayer(_Layer):
    """Attention to itself, attention to what the encoder gave, then the small network."""

    parts = 3

    def _look(self, x, memory, mask, padding, causal):
        found, _ = self.multihead_attn(x, memory, memory, padding, False, mask, is_causal=causal)
        return self.dropout2(found)

    def forward(
        self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None,
        memory_key_padding_mask=None, tgt_is_causal=False, memory_is_causal=False,
    ):  # fmt: skip
        own = tgt_mask, tgt_key_padding_mask, tgt_is_causal
        other = memory, memory_mask, memory_key_padding_mask, memory_is_causal
        return self._through(
            tgt, lambda x: self._attend(x, *own), lambda x: self._look(x, *other), self._think
        )


class TransformerEncoder(Module):
    """Several blocks, one after the other."""

    def __init__(self, encoder_layer, num_layers, norm=None, enable_nested_tensor=True) -> None:
        super().__init__()
        self.layers = ModuleList([copy.deepcopy(encoder_layer) for _ in range(num_layers)])
        self.num_layers, self.norm, self.enable_nested_tensor = num_layers, norm, enable_nested_tensor

    def _clears(self, padding) -> bool:
        """Whether PyTorch takes its quick way, which leaves padding at the end out and gives zeros there."""
        first = self.layers[0]
        attend = first.self_attn
        if padding is None or padding.dtype != torch.bool or not self.enable_nested_tensor or first.training:
            return False
        if first.norm_first or not attend.batch_first or attend.in_proj_bias is None or attend.num_heads % 2:
            return False
        if first.activation not in (functional.relu, functional.gelu) or first.norm1.eps != first.norm2.eps:
            return False
        if torch.is_grad_enabled() and any(each.requires_grad for each in first.parameters()):
            return False
        return bool((padding[:, 1:] >= padding[:, :-1]).all())

    def forward(self, src, mask=None, src_key_padding_mask=None, is_causal=None):
        cleared = mask is None and src.dim() == 3 and self._clears(src_key_padding_mask)
        for layer in self.layers:
            src = layer(src, mask, src_key_padding_mask, bool(is_causal))
        if cleared:
            src = src.masked_fill(src_key_padding_mask[..., None], 0.0)
        return src if self.norm is None else self.norm(src)


class TransformerDecoder(Module):
    """Several of its layers, one after the other."""

    def __init__(self, decoder_layer, num_layers, norm=None) -> None:
        super().__init__()
        self.layers = ModuleList([copy.deepcopy(decoder_layer) for _ in range(num_layers)])
        self.num_layers, self.norm = num_layers, norm

    def forward(
        self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None,
        memory_key_padding_mask=None, tgt_is_causal=None, memory_is_causal=False,
    ):  # fmt: skip
        masks = tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask
        for layer in self.layers:
            tgt = layer(tgt, memory, *masks, bool(tgt_is_causal), memory_is_causal)
        return tgt if self.norm is None else self.norm(tgt)


class Transformer(Module):
    """An encoder and a decoder that looks at it."""

    def __init__(
        self, d_model=512, nhead=8, num_encoder_layers=6, num_decoder_layers=6, dim_feedforward=2048, dropout=0.1,
        activation=functional.relu, custom_encoder=None, custom_decoder=None, layer_norm_eps=1e-5,
        batch_first=False, norm_first=False, bias=True,
    ) -> None:  # fmt: skip
        super().__init__()
        given = dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias

        def stack(layer, kind, count):
            return kind(layer(d_model, nhead, *given), count, LayerNorm(d_model, layer_norm_eps, bias=bias))

        self.encoder, self.decoder = custom_encoder, custom_decoder
        if custom_encoder is None:
            self.encoder = stack(TransformerEncoderLayer, TransformerEncoder, num_encoder_layers)
        if custom_decoder is None:
            self.decoder = stack(TransformerDecoderLayer, TransformerDecoder, num_decoder_layers)
        for each in self.parameters():
            if each.dim() > 1:
                init.xavier_uniform_(each)
        self.d_model, self.nhead, self.batch_first = d_model, nhead, batch_first

    @staticmethod
    def generate_square_subsequent_mask(sz, device=None, dtype=None):
        return torch.full((sz, sz), -torch.inf, dtype=dtype).triu(1)

    def forward(
        self, src, tgt, src_mask=None, tgt_mask=None, memory_mask=None, src_key_padding_mask=None,
        tgt_key_padding_mask=None, memory_key_padding_mask=None, src_is_causal=None, tgt_is_causal=None,
        memory_is_causal=False,
    ):  # fmt: skip
        batch = 0 if self.batch_first else 1
        if src.dim() == 3 and src.shape[batch] != tgt.shape[batch]:
            raise RuntimeError("the batch number of src and tgt must be equal")
        if not src.shape[-1] == tgt.shape[-1] == self.d_model:
            raise RuntimeError("the feature number of src and tgt must be equal to d_model")
        memory = self.encoder(src, src_mask, src_key_padding_mask, src_is_causal)
        return self.decoder(
            tgt, memory, tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask, tgt_is_causal,
            memory_is_causal,
        )  # fmt: skip
