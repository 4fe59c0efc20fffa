"""What stands for many inside ``vmap``: its numbers cannot be looked at, and chance is asked for by name."""

mapped: list = []  # for each vmap that runs: the memories of what stands for many, and its randomness


def begin(tensors: list, randomness: str) -> None:
    """Let tensors stand for many, and what is made of them."""
    mapped.append(({id(t._store): t._store for t in tensors}, randomness))


def heard(_full: str, bound: dict, results: list) -> None:
    """Follow an operator: what is made of what stands for many does so, too."""
    for stores, _ in mapped:
        every = (one for v in bound.values() for one in (v if isinstance(v, list | tuple) else (v,)))
        if any(id(getattr(t, "_store", None)) in stores for t in every):
            stores.update({id(t._store): t._store for t in results if t is not None})


def stands_for_many(t) -> bool:
    """Tell whether a tensor stands for many."""
    return any(id(t._store) in stores for stores, _ in mapped)


def unmapped(t) -> None:
    """Refuse to look at the numbers of what stands for many."""
    if stands_for_many(t):
        raise RuntimeError(
            "vmap: It looks like you're calling .item() on a Tensor, or that your code depends on its numbers. That is not supported "
            "(nor, in the page's torch, an index or an inverse that hangs on them): please rewrite it with other operations."
        )


def by_chance() -> None:
    """Refuse random numbers where vmap was not told how they are drawn."""
    if mapped and mapped[-1][1] == "error":
        raise RuntimeError(
            "vmap: called random operation while in randomness error mode. Please either use the 'same' or 'different' "
            "randomness flags on vmap or perform the randomness operation out of vmap"
        )
