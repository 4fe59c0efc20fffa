"""Write the weights that a recipe trained, as `load_weights` of the lessons reads them."""

from pathlib import Path

import numpy as np
import torch
from torch import nn


def save_weights(path: Path, model: nn.Module, losses: list[float]) -> None:
    """Write a model's parameters as float16, with the losses of its training, to a compressed .npz file.

    Args:
        path: the file to write, its name ending in .npz.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_weights(Path(folder) / "line.npz", nn.Linear(1, 1), losses=[0.5, 0.25])
    ...     with np.load(Path(folder) / "line.npz") as stored:
    ...         sorted(stored.files)
    ['bias', 'losses', 'weight']
    """
    arrays = {name: tensor.to(torch.float16).numpy() for name, tensor in model.state_dict().items()}
    np.savez_compressed(path, **arrays, losses=np.asarray(losses, dtype=np.float32))
