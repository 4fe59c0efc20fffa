"""Arrays in files: what ``numpy.load`` reads of an .npz."""

import ast
import struct
import zipfile

import torch

_TYPES = {
    "b1": torch.bool, "u1": torch.uint8, "i1": torch.int8, "i2": torch.int16, "i4": torch.int32,
    "i8": torch.int64, "f2": torch.float16, "f4": torch.float32, "f8": torch.float64, "u2": torch.int16,
}  # fmt: skip


class Texts:
    """An array of texts, or a single one."""

    def __init__(self, texts: list[str], shape: tuple) -> None:
        self._texts, self.shape = texts, shape

    def tolist(self):
        """Give the texts."""
        return self._texts if self.shape else self._texts[0]

    def __str__(self) -> str:
        return str(self.tolist())

    def __len__(self) -> int:
        return len(self._texts)

    def __getitem__(self, place):
        return self._texts[place]


def _array(raw: bytes):
    """Read an array as a .npy file holds it."""
    wide = raw[6] > 1
    start = 12 if wide else 10
    (length,) = struct.unpack("<I" if wide else "<H", raw[8:start])
    header = ast.literal_eval(raw[start : start + length].decode("latin-1"))
    order, kind, body, shape = header["descr"][0], header["descr"][1:], raw[start + length :], header["shape"]
    if kind[0] == "U":
        size = 4 * int(kind[1:])
        texts = [body[k : k + size].decode("utf-32-le").rstrip("\0") for k in range(0, len(body), size)]
        return Texts(texts, shape)
    if kind not in _TYPES or order == ">":
        raise ValueError(f"arrays of type {header['descr']!r} are not in the page's NumPy.")
    from numpy import ndarray

    flat = torch.frombuffer(body, dtype=_TYPES[kind]) if body else torch.zeros(0, dtype=_TYPES[kind])
    if kind == "u2":  # held in a wider type
        flat = flat.to(torch.int32) & 0xFFFF
    if header["fortran_order"]:
        return ndarray(flat.reshape(shape[::-1]).permute(*reversed(range(len(shape)))))
    return ndarray(flat.reshape(shape))


class _Stored:
    """The arrays of an .npz, by name."""

    def __init__(self, file) -> None:
        self._zip = zipfile.ZipFile(file)
        self.files = [name.removesuffix(".npy") for name in self._zip.namelist()]

    def __getitem__(self, name: str):
        return _array(self._zip.read(f"{name}.npy"))

    def __enter__(self):
        return self

    def __exit__(self, *_) -> None:
        self._zip.close()


def load(file) -> _Stored:
    """Open an .npz."""
    return _Stored(file)
