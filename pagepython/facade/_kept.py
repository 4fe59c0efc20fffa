"""What is kept for the way back, handed to hooks: ``torch.autograd.graph.saved_tensors_hooks``."""

import contextlib

from torch import _autograd, _call
from torch._create import ones_like
from torch._tape import Saved


class Kept(Saved):
    """What a rule reads, packed by a function when it is kept and unpacked by another when it is read."""

    def __init__(self, saved: Saved, rule, edges: dict, results: list, pack, unpack) -> None:
        vars(self).update(vars(saved))
        self._unpack, self._packed, read = unpack, {}, {}
        self._read = lambda t: read.setdefault(id(t), t)
        with _autograd.no_grad(), _outside():  # which tensors the rule reads is seen by trying it
            seeds = [None if t is None else ones_like(t) for t in results]
            found = rule(self, seeds if len(seeds) > 1 else seeds[0])
            for name in edges:
                way = found[name[0]] if isinstance(name, tuple) else found.get(name)
                _ = way() if callable(way) and not hasattr(way, "_store") else way
            self._packed = {key: pack(t.detach()) for key, t in read.items()}
        self._read = self._opened

    def _opened(self, t):
        opened = self._unpack(self._packed[id(t)])
        if opened is not t:
            opened = opened.detach()
            opened._node, opened._number, opened._wants = t._node, t._number, t._wants
        return opened

    def _checked(self, value):
        value = super()._checked(value)
        if isinstance(value, list | tuple):
            return [self._read(t) if hasattr(t, "_store") else t for t in value]
        return self._read(value) if hasattr(value, "_store") else value


@contextlib.contextmanager
def _outside():
    lists = _autograd.hooks, _call.counters
    before = [list(one) for one in lists]
    try:
        for one in lists:
            one.clear()
        yield
    finally:
        for one, content in zip(lists, before, strict=True):
            one[:] = content


class saved_tensors_hooks:
    """Inside, each tensor that is kept for the way back goes through two functions."""

    def __init__(self, pack_hook, unpack_hook) -> None:
        self._pair = pack_hook, unpack_hook

    def __enter__(self) -> None:
        _autograd.hooks.append(self._pair)

    def __exit__(self, *_) -> None:
        _autograd.hooks.pop()
