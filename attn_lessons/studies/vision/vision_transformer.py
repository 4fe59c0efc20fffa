"""A small vision transformer: patches as tokens, a class token that reads them, pre-norm layers.

Chapter: notebooks/12a_picture_in_pieces.ipynb
"""

import torch
from torch import Tensor, nn

from attn_helpers import _check
from attn_lessons.studies.transformer import Block
from attn_lessons.studies.vision.patches import patch_grid, patchify

_START = 0.02  # standard deviation of class token and positions before training


class VisionTransformer(nn.Module):
    """Say what an image shows: cut it into patches, let them and a class token attend, read the class token.

    Formula: logits = W norm(z_0), z = layers([class token; patches E] + positions)
    Source: Dosovitskiy et al. 2021, section 3.1.

    Call it with (images, *, patch_mask=None): images (batch, height, width) between 0 and 1; patch_mask bool,
    (rows, columns) or (batch, rows, columns), True = the patch may be looked at. It returns logits (batch,
    classes) and weights (layers, batch, heads, 1 + patches, 1 + patches), where token 0 is the class token.

    Args:
        patch_size: must divide image_size.
        num_heads: must divide d_model.
        positions: False leaves the position vectors out: the model then cannot tell where a patch was.

    >>> model = VisionTransformer()
    >>> logits, weights = model(torch.zeros(3, 8, 8))
    >>> logits.shape, weights.shape, sum(p.numel() for p in model.parameters())
    (torch.Size([3, 10]), torch.Size([2, 3, 4, 17, 17]), 18218)
    """

    def __init__(
        self,
        image_size: int = 8,
        patch_size: int = 2,
        num_classes: int = 10,
        *,
        d_model: int = 32,
        num_heads: int = 4,
        num_layers: int = 2,
        num_hiddens: int = 64,
        positions: bool = True,
    ) -> None:
        super().__init__()
        self.image_size, self.patch_size = image_size, patch_size
        self.grid = patch_grid(image_size, image_size, patch_size)  # (rows, columns)
        length = 1 + self.grid[0] * self.grid[1]
        self.embed = nn.Linear(patch_size**2, d_model)
        self.class_token = nn.Parameter(_START * torch.randn(1, d_model))
        self.positions = nn.Parameter(_START * torch.randn(length, d_model)) if positions else None
        self.layers = nn.ModuleList(Block(d_model, num_heads, num_hiddens) for _ in range(num_layers))
        self.norm = nn.LayerNorm(d_model)
        self.classify = nn.Linear(d_model, num_classes)

    def forward(self, images: Tensor, *, patch_mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Return logits (batch, classes) and weights (layers, batch, heads, queries, keys)."""
        mask = None if patch_mask is None else self._token_mask(patch_mask, images)
        return self.encode(self.tokens(images), mask)

    def tokens(self, images: Tensor) -> Tensor:
        """Return class token and patches with their positions (batch, 1 + patches, d_model)."""
        self._check_images(images)
        patches = self.embed(patchify(images, self.patch_size))  # (batch, patches, d_model)
        first = self.class_token.expand(len(images), 1, -1)  # (batch, 1, d_model)
        tokens = torch.cat([first, patches], dim=1)  # (batch, 1 + patches, d_model)
        return tokens if self.positions is None else tokens + self.positions

    def encode(self, tokens: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Return logits and weights from tokens; mask as in `MultiHeadAttention`."""
        weights = []
        for layer in self.layers:
            tokens, seen = layer(tokens, mask)
            weights.append(seen)
        return self.classify(self.norm(tokens[:, 0])), torch.stack(weights)

    def _token_mask(self, patch_mask: Tensor, images: Tensor) -> Tensor:
        """Return a mask (batch, 1, 1 + patches) in which the class token may always be looked at."""
        if not isinstance(patch_mask, Tensor) or patch_mask.dtype != torch.bool:
            got = patch_mask.dtype if isinstance(patch_mask, Tensor) else type(patch_mask).__name__
            raise TypeError(f"patch_mask must be a bool torch.Tensor (True = may be looked at), got {got}.")
        batched = patch_mask if patch_mask.dim() == 3 else patch_mask.unsqueeze(0)
        if batched.shape[1:] != self.grid or batched.shape[0] not in (1, images.shape[0]):
            rows, columns = self.grid
            raise ValueError(
                f"patch_mask must have shape (rows={rows}, columns={columns}) or (batch, rows, columns), "
                f"got {_check.shape_text(patch_mask)} for images {_check.shape_text(images)}."
            )
        flat = batched.expand(images.shape[0], -1, -1).flatten(1)  # (batch, patches)
        return torch.cat([torch.ones_like(flat[:, :1]), flat], dim=1).unsqueeze(1)

    def _check_images(self, images: Tensor) -> None:
        check_images(images, self.image_size)
        if images.dtype != self.embed.weight.dtype:
            raise TypeError(
                f"images must have the model's dtype {self.embed.weight.dtype}, got {images.dtype}."
            )


def check_images(images: Tensor, image_size: int) -> None:
    """Refuse images of another size, dtype or range than a model was trained on.

    Args:
        images: (batch, image_size, image_size), floating-point, 0 (paper) to 1 (ink).

    >>> check_images(torch.zeros(1, 28, 28), image_size=8)
    Traceback (most recent call last):
    ValueError: images must have shape (batch, height=8, width=8), got (1, 28, 28).
    """
    _check.floating(images=images)
    if images.dim() != 3 or images.shape[1:] != (image_size, image_size):
        raise ValueError(
            f"images must have shape (batch, height={image_size}, width={image_size}), "
            f"got {_check.shape_text(images)}."
        )
    # `not (inside)` rather than `outside`: NaN is refused too
    if _check.values_known(images) and not bool(((images >= 0) & (images <= 1)).all()):
        low, high = images.min().item(), images.max().item()
        raise ValueError(
            f"images must lie between 0 (paper) and 1 (ink), got {low:g} to {high:g}. "
            "Pixels from 0 to 16 must be divided by 16."
        )
