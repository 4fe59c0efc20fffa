"""Trees of tensors."""

from torch.func import _leaves, _map

tree_leaves, tree_map = _leaves, _map
__all__ = ["tree_leaves", "tree_map"]
