"""Recording: each operator that depends on an input becomes a line of a Program, as it is called.

A value is known by where it lies: its memory, how often that was written to, its offset, shape and strides. What
depends on no input is a constant.
"""

import contextlib
import sys

_current: list = []


class CannotRecord(Exception):  # noqa: N818 (it becomes one of livetorch's errors)
    """A function does what a Program cannot say; ``kind`` names the error that livetorch has for it."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind


class Ref:
    """The place of a value: of an input, a constant, or a result of a line."""

    def __init__(self, group: str, number: int, result: int = 0) -> None:
        self.group, self.number, self.result = group, number, result


def current():
    """Give the recorder at work, or None."""
    return _current[-1] if _current else None


@contextlib.contextmanager
def paused():
    """Record nothing inside."""
    _current.append(None)
    try:
        yield
    finally:
        _current.pop()


def of_cell(frame) -> bool:
    """Tell whether a line of the reader's runs in a frame."""
    return frame.f_code.co_filename.startswith(("<cell ", "<In ["))


def _key(t) -> tuple:
    return id(t._store), t._store.version, t._store.past, *t._form()


class Recorder:
    """What was recorded: constants, and lines ``(operator, arguments, number of results)``.

    ``places`` has for each line the code of the reader's cell that called it, and where in it; None outside
    of cells, and beyond the code of ``boundary``.
    """

    def __init__(self, inputs, boundary=None) -> None:
        self.constants, self.lines, self.places, self._alive, self._constant = [], [], [], [], {}
        self._boundary = boundary
        self._values, self._touched = {}, set()
        for number, t in enumerate(inputs):
            self._put(t, Ref("input", number))

    def __enter__(self):
        _current.append(self)
        return self

    def __exit__(self, *_) -> None:
        _current.pop()

    def _put(self, t, ref: Ref) -> None:
        self._values[_key(t)] = ref
        self._touched.add(id(t._store))
        self._alive.append(t._store)  # its id belongs to no other while this lives

    def depends(self, t) -> bool:
        """Tell whether a tensor depends on an input."""
        if _key(t) in self._values:
            return True
        if t._base is not None and _key(t._base) in self._values:  # what it is a view of was written into
            self.view("as_strided", t._base, t, {})
            return True
        if id(t._store) in self._touched:
            raise CannotRecord(
                "UnsupportedOperatorError",
                "a view of a tensor was written into, and the tensor was read again; write into the whole tensor, or use torch.where.",
            )
        return False

    def ref(self, t) -> Ref:
        """Give the place of a value; what is not known is a constant."""
        if self.depends(t):
            return self._values[_key(t)]
        key = _key(t)
        if key not in self._constant:
            self._constant[key] = Ref("constant", len(self.constants))
            self._alive.append(t._store)
            with paused():
                self.constants.append(t.detach().clone())
        return self._constant[key]

    def call(self, full: str, arguments: list, results: list) -> None:
        """Note an operator, if it depends on an input; tensors among the arguments become places."""
        tensors = [
            t for a in arguments for t in (a if isinstance(a, list | tuple) else [a]) if hasattr(t, "_store")
        ]
        if not any(self.depends(t) for t in tensors):
            return
        written = [self._written(a) for a in arguments]
        for result, t in enumerate(results):
            if t is not None:
                self._put(t, Ref("line", len(self.lines), result))
        self.lines.append((full, written, len(results)))
        self.places.append(self._place())

    def _place(self):
        frame = sys._getframe(2)
        while frame is not None and frame.f_code is not self._boundary:
            if of_cell(frame):
                return frame.f_code, frame.f_lasti
            frame = frame.f_back
        return None

    def _written(self, value):
        if hasattr(value, "_store"):
            return self.ref(value)
        return [self._written(v) for v in value] if isinstance(value, list | tuple) else value

    def view(self, name: str, self_, made, more: dict) -> None:
        """Note a view."""
        if _key(made) in self._values or not self.depends(self_):
            return
        if name == "permute":
            order = [more["back"].index(axis) for axis in range(made.dim())]
            self.call("permute.default", [self_, order], [made])
        elif name in ("reshape", "expand"):
            self.call(f"{name}.default", [self_, list(made.shape)], [made])
        elif name == "select":
            self.call("select.int", [self_, more["dim"], more["index"]], [made])
        elif name == "slice":
            self.call("slice.Tensor", [self_, more["dim"], more["start"], more["stop"], more["step"]], [made])
        elif self_.is_contiguous():
            offset = made.storage_offset() - self_.storage_offset()
            self.call("as_strided.default", [self_, list(made.shape), list(made.stride()), offset], [made])
        else:  # memory has another order than the Program: what is seen is picked by its places
            from torch._views import call, places, reshape

            spots = places(self_._form(), made._form())
            picked = reshape(call("index", reshape(self_, -1), [spots]), made.shape)
            self._put(made, self.ref(picked))

    def written(self, t, result) -> None:
        """Note that a tensor now holds a result; ``result`` was read before the writing."""
        if result is not None:
            self._put(t, result)

    def same(self, t, other) -> None:
        """Note that a tensor holds what another one holds."""
        if self.depends(t):
            self.call("expand.default", [t, list(other.shape)], [other])

    def looked(self, t) -> None:
        """Refuse that Python reads a number that depends on an input."""
        if self.depends(t):
            raise CannotRecord(
                "DataDependentError",
                "the figure is computed for all settings at once, so Python cannot read here what is another number at each (if, while, float(), .item(), .tolist()); use torch.where, or compute with tensors.",
            )
