"""``nn.TransformerEncoder``: torch's block and a stack of them, for comparisons."""

import copy

import torch
from torch.nn import functional
from torch.nn.containers import ModuleList
from torch.nn.layers import Dropout, LayerNorm, Linear
from torch.nn.module import Module
from torch.nn.multihead import MultiheadAttention


class TransformerEncoderLayer(Module):
    """Attention, then a small network for each place, each with a shortcut and a norm."""

    def __init__(
        self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation=functional.relu, layer_norm_eps=1e-5,
        batch_first=False, norm_first=False, bias=True,
    ) -> None:  # fmt: skip
        super().__init__()
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first)
        self.linear1 = Linear(d_model, dim_feedforward, bias)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, layer_norm_eps, bias=bias)
        self.norm2 = LayerNorm(d_model, layer_norm_eps, bias=bias)
        self.dropout1, self.dropout2 = Dropout(dropout), Dropout(dropout)
        self.activation = getattr(functional, activation) if isinstance(activation, str) else activation

    def _attend(self, x, mask, padding, causal):
        found, _ = self.self_attn(x, x, x, padding, False, mask, is_causal=causal)
        return self.dropout1(found)

    def _think(self, x):
        return self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(x)))))

    def forward(self, src, src_mask=None, src_key_padding_mask=None, is_causal=False):
        given = src_mask, src_key_padding_mask, is_causal
        if self.norm_first:
            src = src + self._attend(self.norm1(src), *given)
            return src + self._think(self.norm2(src))
        src = self.norm1(src + self._attend(src, *given))
        return self.norm2(src + self._think(src))


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
