"""Hold what a browser's runtime computed against what torch makes of the same settings."""

from __future__ import annotations

import json
import random
import sys
from dataclasses import dataclass, field
from typing import Any

import report
import torch

sys.path[:0] = [str(report.ROOT / "tests"), str(report.ROOT / "tests" / "browser")]

from live_chapters import random_value, take_settings, tensor  # noqa: E402

ALLOWED = 1e-5  # error / (1 + size of the number)
ALLOWED_TRAINED = 1e-4  # of a figure that runs a trained model: many layers, one after the other
TRAINED_BYTES = 50_000  # constants of a figure beyond which it runs a trained model
ERROR_RULE = f"error / (1 + size) at most {ALLOWED:g}, with a trained model {ALLOWED_TRAINED:g}"


def runs_trained_model(spec: dict[str, Any]) -> bool:
    """Tell from the size of a figure's constants whether it runs a trained model."""
    return len(json.dumps(spec["pool"])) > TRAINED_BYTES


def random_settings(spec: dict[str, Any], number: int, seed: int = 0) -> list[dict[str, Any]]:
    """Draw settings of all of a figure's controls, in the browser's form."""
    draw = random.Random(f"{spec['name']} {seed}")  # as good alone as after other figures
    drawn = []
    for _ in range(number):
        values = {control["name"]: random_value(control, draw) for control in spec["controls"]}
        drawn.append({name: value for name, value in values.items() if value is not None})
    return drawn


@dataclass
class Agreement:
    """How far a figure's numbers are from torch's, over all settings that were compared."""

    settings: int = 0
    numbers: int = 0
    largest: float = 0.0
    broken: list[str] = field(default_factory=list)

    def compare(self, figure: Any, state: dict[str, Any], page_says: dict[str, Any]) -> None:
        """Compare all outputs of one setting: their names, shapes and numbers."""
        self.settings += 1
        wanted = take_settings(figure, state)
        if list(page_says) != list(wanted):
            self.broken.append(f"outputs {list(page_says)}, torch has {list(wanted)}")
            return
        allowed = ALLOWED_TRAINED if runs_trained_model(figure.spec) else ALLOWED
        for name, numbers in wanted.items():
            got, want = tensor(page_says[name]), numbers.detach().to(torch.float64)
            if got.shape != want.shape:
                self.broken.append(f"{name}: shape {tuple(got.shape)}, torch has {tuple(want.shape)}")
                continue
            finite = want.isfinite()
            same = torch.equal(got[~finite].nan_to_num(), want[~finite].nan_to_num())
            if (
                not same
                or not torch.equal(got.isfinite(), finite)
                or not torch.equal(got.isnan(), want.isnan())
            ):
                self.broken.append(f"{name}: NaN or infinity in other places at {str(state)[:200]}")
                continue
            error = ((got - want).abs() / (1 + want.abs()))[finite]
            worst = error.max().item() if error.numel() else 0.0
            self.numbers += want.numel()
            if numbers.dtype in (torch.float16, torch.bfloat16):
                # to the last place of the dtype; not mixed with what float32 gives
                if worst > torch.finfo(numbers.dtype).eps:
                    self.broken.append(f"{name}: {worst:.1e} off at {str(state)[:200]}")
                continue
            self.largest = max(self.largest, worst)
            if worst > allowed:
                self.broken.append(f"{name}: {worst:.1e} off, allowed {allowed:g}, at {str(state)[:200]}")
