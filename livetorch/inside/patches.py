"""Where the keys of a map are patches of a picture: the picture, and one row of weights laid over it."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from livetorch.inside.draft import Draft
from livetorch.inside.maps import AttentionMap

_MOST_EXTRA = 8  # tokens before the patches: a class token, registers
_SIDE = 56  # cells of the picture, at most


@dataclass(frozen=True)
class Patches:
    """A picture, and how its patches lie.

    Args:
        image: the picture in grey, (rows, columns), a whole number of cells for each patch.
        before: how many tokens stand before the patches.
        rows, cols: of patches.
    """

    image: Tensor
    before: int
    rows: int
    cols: int

    @property
    def spans(self) -> tuple[int, int]:
        """How many cells of the picture lie below one patch."""
        return self.image.shape[0] // self.rows, self.image.shape[1] // self.cols

    def names(self) -> list[str]:
        """Name the tokens: those before, then row and column of each patch."""
        before = ["class", *(f"register {i}" for i in range(1, self.before))][: self.before]
        return before + [f"{r + 1},{c + 1}" for r in range(self.rows) for c in range(self.cols)]

    def outputs(self, draft: Draft, weights: int) -> dict[str, int]:
        """Add the picture, and the weights of the chosen query as a map of patches."""
        asked = draft.input("query", (), torch.int64)
        at = draft.add("aten.sub.Scalar", ({"v": asked}, 1))
        at = draft.add("aten.view.default", ({"v": at}, [1]))
        row = draft.add("aten.index_select.default", ({"v": weights}, 0, {"v": at}))
        end = self.before + self.rows * self.cols
        row = draft.add("aten.slice.Tensor", ({"v": row}, 1, self.before, end))
        over = draft.add("aten.view.default", ({"v": row}, [self.rows, self.cols]))
        numbers = draft.constant(torch.tensor(self.queries()))
        chosen = draft.add("aten.eq.Tensor", ({"v": numbers}, {"v": asked}))
        return {"picture": draft.constant(self.image), "patches": over, "chosen": chosen}

    def queries(self, fine: bool = False) -> list[list[int]]:
        """Give the number of each patch among the tokens, from 1; `fine`: for each cell of the picture."""
        count = torch.arange(self.rows * self.cols).reshape(self.rows, self.cols) + self.before + 1
        tall, wide = self.spans if fine else (1, 1)
        return list(count.repeat_interleave(tall, 0).repeat_interleave(wide, 1).tolist())


def patches_of(image: Tensor, maps: Sequence[AttentionMap]) -> Patches | None:
    """Find how the keys of all maps are patches of an image, (1, channels, rows, columns), if they are."""
    if image.ndim != 4 or len({(map_.groups, map_.queries, map_.keys) for map_ in maps}) != 1:
        return None
    keys, (height, width) = maps[0].keys, image.shape[2:]
    if maps[0].groups != 1 or maps[0].queries != keys:
        return None
    for size in range(1, min(height, width) + 1):
        before = keys - (height // size) * (width // size)
        if height % size == 0 and width % size == 0 and 0 <= before <= _MOST_EXTRA:
            rows, cols = height // size, width // size
            fine = max(1, min(size, _SIDE // max(rows, cols)))
            grey = image[0].detach().float().mean(0)
            grey = (grey - grey.min()) / (grey.max() - grey.min()).clamp_min(1e-9)
            small = functional.adaptive_avg_pool2d(grey[None], (rows * fine, cols * fine))[0]
            return Patches(small, before, rows, cols)
    return None
