"""Read a .safetensors file with nothing but json and torch."""

import json
from pathlib import Path

import torch
from torch import Tensor

_DTYPES = {
    "F64": torch.float64,
    "F32": torch.float32,
    "F16": torch.float16,
    "BF16": torch.bfloat16,
    "I64": torch.int64,
    "I32": torch.int32,
    "I8": torch.int8,
    "U8": torch.uint8,
    "BOOL": torch.bool,
}


def read_safetensors(path: Path) -> dict[str, Tensor]:
    """Read all tensors of a .safetensors file.

    The file starts with the length of its header (8 bytes, little endian). The header is JSON: for each
    tensor its name, dtype, shape, and where its bytes begin and end behind the header.

    Args:
        path: the file.

    Returns:
        name -> tensor, each with memory of its own.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: the file is cut short, its header is no JSON, or it holds a dtype that is not known here.

    Example:
        >>> import tempfile
        >>> header = b'{"x": {"dtype": "I8", "shape": [3], "data_offsets": [0, 3]}}'
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder) / "three.safetensors"
        ...     _ = path.write_bytes(len(header).to_bytes(8, "little") + header + bytes([1, 2, 3]))
        ...     read_safetensors(path)
        {'x': tensor([1, 2, 3], dtype=torch.int8)}

    Source: the format's description in the safetensors project.
    Chapter: notebooks/13_trained_model.ipynb
    """
    content = bytearray(Path(path).read_bytes())
    start = 8 + int.from_bytes(content[:8], "little")
    if len(content) < max(start, 9):
        raise ValueError(f"path must be a whole .safetensors file, got {len(content)} bytes in all.")
    try:
        header = json.loads(content[8:start])
    except ValueError as error:
        raise ValueError("path must be a .safetensors file, but its header is not JSON.") from error
    header.pop("__metadata__", None)
    body = memoryview(content)[start:]
    return {name: _tensor(name, entry, body) for name, entry in header.items()}


def _tensor(name: str, entry: dict, body: memoryview) -> Tensor:
    begin, end = entry["data_offsets"]
    if entry["dtype"] not in _DTYPES:
        raise ValueError(f"tensor {name!r} has dtype {entry['dtype']}, known are {', '.join(_DTYPES)}.")
    if end > len(body):
        raise ValueError(f"tensor {name!r} ends at byte {end}, but the file holds only {len(body)}.")
    dtype = _DTYPES[entry["dtype"]]
    if begin == end:
        return torch.empty(entry["shape"], dtype=dtype)
    return torch.frombuffer(body[begin:end], dtype=dtype).clone().reshape(entry["shape"])
