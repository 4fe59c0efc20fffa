"""Can a list of pieces be read as a picture? The whole machine in plain PyTorch: pieces, class token, places.

It learns to read digits as a pocket calculator shows them, with noise. Run it: python vision_transformer.py
"""

import torch
from torch import nn

SEGMENTS = "abcdef bc abged abgcd fgbc afgcd afgedc abc abcdefg abcfgd".split()  # noqa: SIM905
UPPER, LOWER, WIDE = slice(1, 4), slice(3, 7), slice(2, 6)
ACROSS = {"a": (1, WIDE), "g": (3, WIDE), "d": (6, WIDE)}
STROKES = ACROSS | {"f": (UPPER, 2), "b": (UPPER, 5), "e": (LOWER, 2), "c": (LOWER, 5)}


def patchify(images, size: int) -> torch.Tensor:
    """Cut images (batch, height, width) into patches (batch, patches, size^2), row by row."""
    batch, height, width = images.shape
    blocks = images.reshape(batch, height // size, size, width // size, size)
    return blocks.transpose(2, 3).reshape(batch, -1, size**2)


class Attention(nn.Module):
    """Let every token ask every token, in several heads; give the weights too."""

    def __init__(self, d_model: int, num_heads: int) -> None:
        super().__init__()
        self.num_heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x) -> tuple[torch.Tensor, torch.Tensor]:
        batch, length, d_model = x.shape
        cut = lambda t: t.reshape(batch, length, self.num_heads, -1).transpose(1, 2)  # noqa: E731
        q, k, v = cut(self.W_q(x)), cut(self.W_k(x)), cut(self.W_v(x))  # (batch, heads, length, dim)
        weights = torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, length, d_model)), weights


class Block(nn.Module):
    """Two steps, each of which looks at the normalised tokens and adds to them: attention, then an MLP."""

    def __init__(self, d_model: int, num_heads: int, num_hiddens: int) -> None:
        super().__init__()
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = Attention(d_model, num_heads)
        self.grow, self.shrink = nn.Linear(d_model, num_hiddens), nn.Linear(num_hiddens, d_model)

    def forward(self, z) -> tuple[torch.Tensor, torch.Tensor]:
        answer, weights = self.attention(self.norm_1(z))
        z = z + answer
        return z + self.shrink(nn.functional.gelu(self.grow(self.norm_2(z)))), weights


class VisionTransformer(nn.Module):
    """Pieces to tokens, a class token in front, a vector for each place, blocks; token 0 answers."""

    def __init__(self, image_size=8, patch_size=2, classes=10, d_model=32, heads=4, layers=2, hiddens=64):
        super().__init__()
        self.patch_size, patches = patch_size, (image_size // patch_size) ** 2
        self.embed = nn.Linear(patch_size**2, d_model)
        self.class_token = nn.Parameter(0.02 * torch.randn(1, d_model))
        self.positions = nn.Parameter(0.02 * torch.randn(1 + patches, d_model))
        self.layers = nn.ModuleList(Block(d_model, heads, hiddens) for _ in range(layers))
        self.norm, self.classify = nn.LayerNorm(d_model), nn.Linear(d_model, classes)

    def forward(self, images) -> tuple[torch.Tensor, torch.Tensor]:
        pieces = self.embed(patchify(images, self.patch_size))  # (batch, patches, d_model)
        z, maps = torch.cat([self.class_token.expand(len(images), 1, -1), pieces], dim=1) + self.positions, []
        for layer in self.layers:
            z, weights = layer(z)
            maps.append(weights)
        return self.classify(self.norm(z[:, 0])), torch.stack(maps)  # (batch, classes), (layers, batch, ...)


def draw(number: int, generator) -> tuple[torch.Tensor, torch.Tensor]:
    """Draw digits: images (number, 8, 8) between 0 and 1, and labels (number,)."""
    labels = torch.randint(0, 10, (number,), generator=generator)
    images = 0.3 * torch.rand(number, 8, 8, generator=generator)
    for image, label in zip(images, labels, strict=True):
        for stroke in SEGMENTS[label]:
            image[STROKES[stroke]] = 1.0
        image.copy_(image.roll(torch.randint(-1, 2, (2,), generator=generator).tolist(), dims=(0, 1)))
    return images, labels


def train(model, steps: int = 300, seed: int = 0) -> float:
    """Train on fresh digits; gives the share of 500 new ones that are read rightly."""
    generator, optimiser = torch.Generator().manual_seed(seed), torch.optim.AdamW(model.parameters(), 0.004)
    for _ in range(steps):
        images, labels = draw(32, generator)
        loss = nn.functional.cross_entropy(model(images)[0], labels)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    images, labels = draw(500, generator)
    return (model(images)[0].argmax(dim=-1) == labels).float().mean().item()


if __name__ == "__main__":
    torch.manual_seed(0)
    print(f"right: {train(VisionTransformer()):.3f}")
