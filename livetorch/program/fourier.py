"""The one operator that torch lacks: a Fourier transform of complex numbers held as two real tensors."""

from __future__ import annotations

import torch
from torch import Tensor

_OURS = torch.library.Library("livetorch", "DEF")
_OURS.define("fourier(Tensor real, Tensor? imaginary, bool forward, int dim=-1) -> (Tensor, Tensor)")


def _fourier(real: Tensor, imaginary: Tensor | None, forward: bool, dim: int = -1) -> tuple[Tensor, Tensor]:
    """Transform along an axis, unscaled; no imaginary half stands for 0."""
    wide = real.double()
    values = torch.complex(wide, torch.zeros_like(wide) if imaginary is None else imaginary.double())
    if not real.numel():  # which MKL refuses
        return torch.zeros_like(real), torch.zeros_like(real)
    out = torch.fft.fft(values, dim=dim) if forward else torch.fft.ifft(values, dim=dim, norm="forward")
    if imaginary is None:  # the ends of a real signal are real, and never -0, whose angle is another
        size = real.shape[dim]
        out.imag.movedim(dim, -1)[..., :: max(size // 2, 1) if size % 2 == 0 else size] = 0
    return out.real.to(real.dtype), out.imag.to(real.dtype)


_OURS.impl("fourier", _fourier, "CompositeExplicitAutograd")
fourier = torch.ops.livetorch.fourier.default
