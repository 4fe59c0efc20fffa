"""Names of heads: prose counts layers and heads from 1, tensors from 0.

Chapter: notebooks/13a_a_heads_name.ipynb, notebooks/13b_does_a_map_explain.ipynb
"""


def head_name(layer: int, head: int) -> str:
    """Name a head as prose does, counted from 1, from its place in a tensor, counted from 0.

    Returns: layer and head with a point between them.

    >>> head_name(3, 1)
    '4.2'
    """
    return f"{layer + 1}.{head + 1}"


def head_place(name: str, layers: int = 6, heads: int = 12) -> tuple[int, int]:
    """Return layer and head, counted from 0, of a head that is named from 1.

    Returns: its place in a tensor (layers, heads, ...).

    >>> head_place("4.2")
    (3, 1)
    """
    layer, _, head = name.partition(".")
    if not (layer.isdecimal() and head.isdecimal() and 1 <= int(layer) <= layers and 1 <= int(head) <= heads):
        raise ValueError(f"name must be a head from 1.1 to {layers}.{heads}, got {name!r}.")
    return int(layer) - 1, int(head) - 1
