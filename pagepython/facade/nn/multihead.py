"""``nn.MultiheadAttention``, with torch's names and torch's polarity of masks (True = may not attend)."""

import math

import torch
from torch._absent import missing
from torch._call import call
from torch.nn import functional, init
from torch.nn.layers import Linear
from torch.nn.module import Module, Parameter


class NonDynamicallyQuantizableLinear(Linear):
    """What torch calls the last layer."""


def _of_one_rank(query, key, value) -> None:
    rank, others = query.dim(), (key.dim(), value.dim())
    if others != (rank, rank):
        kind = "batched (3-D)" if rank == 3 else "unbatched (2-D)"
        raise AssertionError(
            f"For {kind} `query`, expected `key` and `value` to be {rank}-D but found {others[0]}-D and {others[1]}-D tensors respectively"
        )


class MultiheadAttention(Module):
    """Torch's layer, for comparisons."""

    def __init__(
        self, embed_dim, num_heads, dropout=0.0, bias=True, add_bias_kv=False, add_zero_attn=False, kdim=None, vdim=None,
        batch_first=False,
    ) -> None:  # fmt: skip
        super().__init__()
        if embed_dim % num_heads:
            raise AssertionError("embed_dim must be divisible by num_heads")
        if add_bias_kv or add_zero_attn or kdim not in (None, embed_dim) or vdim not in (None, embed_dim):
            raise missing("MultiheadAttention with add_bias_kv, add_zero_attn, kdim or vdim")
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.dropout, self.batch_first, self.add_zero_attn = dropout, batch_first, False
        self.kdim, self.vdim, self._qkv_same_embed_dim = embed_dim, embed_dim, True
        self.bias_k = self.bias_v = self.q_proj_weight = self.k_proj_weight = self.v_proj_weight = None
        self.in_proj_weight = Parameter(torch.empty((3 * embed_dim, embed_dim)))
        self.register_parameter("in_proj_bias", Parameter(torch.empty(3 * embed_dim)) if bias else None)
        self.out_proj = NonDynamicallyQuantizableLinear(embed_dim, embed_dim, bias)
        self._reset_parameters()

    def _reset_parameters(self) -> None:
        init.xavier_uniform_(self.in_proj_weight)
        if self.in_proj_bias is not None:
            init.zeros_(self.in_proj_bias)
            init.zeros_(self.out_proj.bias)

    def _fitting(self, given, attn_mask, key_padding_mask) -> None:
        """Refuse shapes and types that do not fit, in PyTorch's words; what is given is (places, batch, width)."""
        query, key, value = given
        if query.shape[-1] != self.embed_dim:
            raise AssertionError(
                f"was expecting embedding dimension of {self.embed_dim}, but got {query.shape[-1]}"
            )
        if key.shape != value.shape:
            raise AssertionError(f"key shape {key.shape} does not match value shape {value.shape}")
        (queries, batch, _), keys = query.shape, key.shape[0]
        if key.shape[1] != batch:
            wanted = [keys, batch * self.num_heads, self.head_dim]
            raise RuntimeError(f"shape '{wanted}' is invalid for input of size {key.numel()}")
        for name, mask in (("key_padding_mask", key_padding_mask), ("attn_mask", attn_mask)):
            if mask is not None and mask.dtype != torch.bool and not mask.dtype.is_floating_point:
                raise AssertionError(f"only bool and floating types of {name} are supported")
        if attn_mask is not None:
            wanted = (queries, keys) if attn_mask.dim() == 2 else (batch * self.num_heads, queries, keys)
            if tuple(attn_mask.shape) != wanted:
                raise RuntimeError(
                    f"The shape of the {attn_mask.dim()}D attn_mask is {attn_mask.shape}, but should be {wanted}."
                )
        for axis, size in enumerate((batch, keys)):
            if key_padding_mask is not None and key_padding_mask.dim() == 2:
                found = key_padding_mask.shape[axis]
                if found != size:
                    raise AssertionError(
                        f"Expected key_padded_mask.shape[{axis}] to be {size}, but got {found}"
                    )

    def forward(
        self, query, key, value, key_padding_mask=None, need_weights=True, attn_mask=None, average_attn_weights=True,
        is_causal=False,
    ):  # fmt: skip
        batched = query.dim() == 3
        if query.dim() not in (2, 3):
            raise AssertionError(
                f"query should be unbatched 2D or batched 3D tensor but received {query.dim()}-D query tensor"
            )
        _of_one_rank(query, key, value)
        # torch's two ways differ where nothing may be seen: 0 by the function, NaN by the layer's own
        fast = (
            query is key is value
            and batched
            and self.batch_first
            and not self.training
            and not self.num_heads % 2
        )
        learns = torch.is_grad_enabled() and any(t.requires_grad for t in (query, *self.parameters()))
        if is_causal and attn_mask is None and (learns or not fast):
            raise RuntimeError(
                "Need attn_mask if specifying the is_causal hint. You may use the Transformer module method "
                "`generate_square_subsequent_mask` to create this mask."
            )
        turned = batched and self.batch_first
        given = [t if batched else t.unsqueeze(1) for t in (query, key, value)]
        given = [t.transpose(0, 1) if turned else t for t in given]  # (places, batch, width)
        self._fitting(given, attn_mask, key_padding_mask)
        weights = self.in_proj_weight.chunk(3)
        biases = (None,) * 3 if self.in_proj_bias is None else self.in_proj_bias.chunk(3)
        q, k, v = (
            functional.linear(t, w, b).unflatten(-1, (self.num_heads, self.head_dim)).permute(1, 2, 0, 3)
            for t, w, b in zip(given, weights, biases, strict=True)
        )
        scores = q / math.sqrt(self.head_dim) @ k.mT  # (batch, heads, queries, keys)
        for mask in (attn_mask, key_padding_mask):
            if mask is None:
                continue
            if mask is key_padding_mask:
                mask = (mask if batched else mask.unsqueeze(0)).unsqueeze(1).unsqueeze(1)
            elif mask.dim() == 3:
                mask = mask.unflatten(0, (-1, self.num_heads))
            if mask.dtype == torch.bool:  # added, so that NaN goes back where nothing may be seen, as there
                mask = torch.zeros(mask.shape, dtype=q.dtype).masked_fill(mask, -math.inf)
            scores = scores + mask
        by_hand = need_weights or (fast and not learns)
        shares = torch.softmax(scores, -1) if by_hand else call("_safe_softmax", scores, -1)
        shares = functional.dropout(shares, self.dropout, self.training)
        out = (shares @ v).permute(2, 0, 1, 3).flatten(-2)
        out = functional.linear(
            out, self.out_proj.weight, self.out_proj.bias
        )  # no hook hears of it, as there
        out = out.transpose(0, 1) if turned else out if batched else out.squeeze(1)
        if not need_weights:
            return out, None
        shares = shares.mean(1) if average_attn_weights else shares
        return out, shares if batched else shares.squeeze(0)
