"""A small vision transformer: patches as tokens, a class token that reads them, pre-norm layers."""

import torch
from torch import Tensor, nn

from .. import _check
from ..multihead import MultiHeadAttention
from .patches import patch_grid, patchify

_START = 0.02  # standard deviation of class token and positions before training


class EncoderLayer(nn.Module):
    """Let tokens look at each other, then change each by itself; both steps add to what was there.

    Formula: x <- x + attention(norm(x)), then x <- x + W_2 gelu(W_1 norm(x))

    "Pre-norm": what enters a step is normalised, what is added to stays as it is.

    Args:
        d_model: size of a token.
        num_heads: must divide d_model.
        num_hiddens: hidden units of the second step.

    Call it with tokens (batch, length, d_model) and a mask as in `MultiHeadAttention`; it returns the new
    tokens and the weights (batch, heads, queries, keys).

    Raises:
        ValueError: num_heads does not divide d_model.

    Example:
        >>> import torch
        >>> tokens, weights = EncoderLayer(d_model=6, num_heads=2, num_hiddens=12)(torch.ones(1, 5, 6))
        >>> tokens.shape, weights.shape
        (torch.Size([1, 5, 6]), torch.Size([1, 2, 5, 5]))

    Source: Dosovitskiy et al. 2021, equations 2 and 3.
    Chapter: notebooks/12_vision_transformer.ipynb
    """

    def __init__(self, d_model: int, num_heads: int, num_hiddens: int) -> None:
        super().__init__()
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.change = nn.Sequential(
            nn.Linear(d_model, num_hiddens), nn.GELU(), nn.Linear(num_hiddens, d_model)
        )

    def forward(self, tokens: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Return tokens (batch, length, d_model) and weights (batch, heads, queries, keys)."""
        x = self.norm_1(tokens)
        seen, weights = self.attention(x, x, x, mask)
        tokens = tokens + seen
        return tokens + self.change(self.norm_2(tokens)), weights


class VisionTransformer(nn.Module):
    """Say what an image shows: cut it into patches, let them and a class token attend, read the class token.

    Formula: logits = W norm(z_0), z = layers([class token; patches E] + positions)

    Args:
        image_size: height and width in pixels.
        patch_size: must divide image_size.
        num_classes: number of answers.
        d_model: size of a token.
        num_heads: must divide d_model.
        num_layers: number of `EncoderLayer`s.
        num_hiddens: hidden units of each layer.
        positions: False leaves the position vectors out: the model then cannot tell where a patch was.

    Call it with (images, *, patch_mask=None): images (batch, height, width) between 0 and 1; patch_mask bool,
    (rows, columns) or (batch, rows, columns), True = the patch may be looked at. It returns logits (batch,
    classes) and weights (layers, batch, heads, 1 + patches, 1 + patches), where token 0 is the class token.

    Raises:
        TypeError: images of another dtype than the model, a patch_mask that is not bool.
        ValueError: patch_size does not divide image_size, images of another size or outside 0 to 1, a
            patch_mask of another shape.

    Example:
        >>> import torch
        >>> model = VisionTransformer()
        >>> logits, weights = model(torch.zeros(3, 8, 8))
        >>> logits.shape, weights.shape, sum(p.numel() for p in model.parameters())
        (torch.Size([3, 10]), torch.Size([2, 3, 4, 17, 17]), 18218)

    Source: Dosovitskiy et al. 2021, section 3.1.
    Chapter: notebooks/12_vision_transformer.ipynb
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
        self.layers = nn.ModuleList(EncoderLayer(d_model, num_heads, num_hiddens) for _ in range(num_layers))
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
        image_size: height and width that the model knows.

    Returns:
        None.

    Raises:
        TypeError: images not a floating-point tensor.
        ValueError: another shape, or numbers outside 0 to 1 (NaN included).

    Example:
        >>> import torch
        >>> check_images(torch.zeros(1, 28, 28), image_size=8)
        Traceback (most recent call last):
        ValueError: images must have shape (batch, height=8, width=8), got (1, 28, 28).

    Source: this book.
    Chapter: notebooks/12_vision_transformer.ipynb
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
