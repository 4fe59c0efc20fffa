"""The one operator that torch lacks: a Fourier transform of complex numbers held as two real tensors."""

from collections.abc import Sequence

import torch
from torch import Tensor

_OURS = torch.library.Library("livetorch", "DEF")
_OURS.define("fourier(Tensor real, Tensor? imaginary, bool forward, int[1] dim=-1) -> (Tensor, Tensor)")


def _fourier(
    real: Tensor, imaginary: Tensor | None, forward: bool, dim: Sequence[int] = (-1,)
) -> tuple[Tensor, Tensor]:
    """Transform along axes, unscaled; no imaginary half stands for 0."""
    if not real.numel():  # which MKL refuses
        return torch.zeros_like(real), torch.zeros_like(real)
    wide = real.double()
    values = torch.complex(wide, torch.zeros_like(wide) if imaginary is None else imaginary.double())
    for turn, axis in enumerate(dim):
        values = (
            torch.fft.fft(values, dim=axis) if forward else torch.fft.ifft(values, dim=axis, norm="forward")
        )
        if imaginary is None and turn == 0:  # the ends are real, and never -0, whose angle is another
            size = real.shape[axis]
            values.imag.movedim(axis, -1)[..., :: max(size // 2, 1) if size % 2 == 0 else size] = 0
    halves = [
        half.to(real.dtype).clone(memory_format=torch.contiguous_format)
        for half in (values.real, values.imag)
    ]
    return halves[0], halves[1]  # of their own memory, also where nothing is cast


_OURS.impl("fourier", _fourier, "CompositeExplicitAutograd")
fourier = torch.ops.livetorch.fourier.default
