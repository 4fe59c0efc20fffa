"""Losses as modules."""

from __future__ import annotations

from torch.nn import functional
from torch.nn.module import Module


def _loss(name: str, function):
    def start(self, weight=None, **options) -> None:
        Module.__init__(self)
        self._options = options | ({} if weight is None else {"weight": weight})

    def forward(self, input, target):
        return function(input, target, **self._options)

    return type(name, (Module,), {"__init__": start, "forward": forward, "__doc__": f"{name} as a module."})


MSELoss = _loss("MSELoss", functional.mse_loss)
L1Loss = _loss("L1Loss", functional.l1_loss)
NLLLoss = _loss("NLLLoss", functional.nll_loss)
CrossEntropyLoss = _loss("CrossEntropyLoss", functional.cross_entropy)
BCEWithLogitsLoss = _loss("BCEWithLogitsLoss", functional.binary_cross_entropy_with_logits)
