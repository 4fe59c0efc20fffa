"""Settings of torch while a function is recorded."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import Any

import torch

from livetorch.tracing.recorder import Recorder


@contextlib.contextmanager
def recording(recorder: Recorder, watch: contextlib.AbstractContextManager) -> Iterator[None]:
    """Record in this block, with torch's fused kernels switched off: they hide the operators inside.

    Libraries ask `torch.jit.is_tracing` before they look at numbers, for a warning or a shortcut: they are
    told so, and torch, which means a recorder of its own, is not.
    """
    tracing = torch.jit.is_tracing  # type: ignore[attr-defined]
    fast = torch.backends.mha.get_fastpath_enabled()
    onednn: Any = torch.backends.mkldnn.enabled
    validate = torch.distributions.Distribution._validate_args
    torch.backends.mha.set_fastpath_enabled(False)
    torch._C._set_mkldnn_enabled(False)
    torch.distributions.Distribution.set_default_validate_args(False)  # it branches on the numbers
    torch.jit.is_tracing = lambda: (  # type: ignore[attr-defined]
        not sys._getframe(1).f_globals.get("__name__", "").startswith("torch.")
    )
    try:
        with (
            torch.inference_mode(False),
            torch.enable_grad(),
            torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH),
            watch,
            recorder,
        ):
            yield
    finally:
        torch.jit.is_tracing = tracing  # type: ignore[attr-defined]
        torch.backends.mha.set_fastpath_enabled(fast)
        torch._C._set_mkldnn_enabled(onednn)
        torch.distributions.Distribution.set_default_validate_args(validate)
        recorder.memory.restore()


@contextlib.contextmanager
def page_dtype() -> Iterator[None]:
    """Compute in this block with the page's default dtype, whatever torch.set_default_dtype was given."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float32)
    try:
        yield
    finally:
        torch.set_default_dtype(before)
