"""State that flows on: which outputs are fed back as inputs of the next step."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from livetorch.figure.compile import Binding


@dataclass
class Carry:
    """Which outputs become the next step's inputs, and how a run of steps goes.

    Args:
        names: argument name to the name of the output that it gets in the next step.
        steps: a run stops by itself after this many steps.
        pace: steps a second while running, so that each can be seen; None: as many as the browser manages.
        run: the word on the button that starts a run, such as "Train".
        restart: controls whose change begins again at step 0: what was carried belongs to the old value.
    Raises:
        TypeError: `names` is not a mapping from text to text.
        ValueError: it is empty, or `steps` or `pace` is not positive.

    >>> Carry({"width": "new_width"}, steps=200).to_spec()
    {'names': {'width': 'new_width'}, 'steps': 200, 'pace': 60, 'run': 'Run'}
    """

    names: Mapping[str, str]
    steps: int = field(default=1000, kw_only=True)
    pace: float | None = field(default=60, kw_only=True)
    run: str = field(default="Run", kw_only=True)
    restart: Sequence[str] = field(default=(), kw_only=True)

    def __post_init__(self) -> None:
        texts = isinstance(self.names, Mapping) and all(
            isinstance(t, str) for p in self.names.items() for t in p
        )
        if not texts:
            raise TypeError(f'carry must be a dict such as {{"width": "new_width"}}, got {self.names!r}.')
        if not self.names:
            raise ValueError("carry must name at least one argument and output, got an empty dict.")
        if not (isinstance(self.steps, int) and self.steps > 0):
            raise ValueError(f"steps must be a positive integer, got steps={self.steps!r}.")
        if self.pace is not None and not self.pace > 0:
            raise ValueError(f"pace must be positive (steps a second), got pace={self.pace!r}.")

    def check(self, binding: Binding, settings: dict[str, Any], outputs: dict[str, torch.Tensor]) -> None:
        """Raise when an argument or output does not exist, or when their shapes or kinds of number differ.

        Args:
            binding: the function and its controls.
            settings: the settings that were tried.
            outputs: what came out for them.
        Raises:
            ValueError: the two ends of a carried name do not fit.
        """
        if unknown := [name for name in self.restart if name not in binding.controls]:
            raise ValueError(
                f"carry restarts at {', '.join(unknown)}, which is no control; "
                f"the controls are: {', '.join(binding.controls)}."
            )
        inputs = binding.inputs(settings)
        for name, output in self.names.items():
            if name not in inputs:
                fed = ", ".join(inputs) or "none"
                why = "gets a Python value, not a tensor" if name in binding.given else "is not a control"
                raise ValueError(f"carry names {name}, which {why}; it can carry on: {fed}.")
            if output not in outputs:
                raise ValueError(
                    f"carry wants the output {output} for {name}, "
                    f"but {binding.name} returns: {', '.join(outputs)}."
                )
            given, made = inputs[name], outputs[output]
            if given.shape != made.shape or given.dtype != made.dtype:
                raise ValueError(
                    f"carry needs {output} to be like {name}: "
                    f"{name} is {given.dtype} of shape {tuple(given.shape)}, "
                    f"{output} is {made.dtype} of shape {tuple(made.shape)}."
                )

    def next_settings(
        self, binding: Binding, settings: dict[str, Any], outputs: dict[str, torch.Tensor]
    ) -> dict[str, Any]:
        """Return the settings of the next step.

        Args:
            binding: the function and its controls.
            settings: the present settings.
            outputs: what came out for them.
        Returns: New settings; the old ones are left as they are.
        """
        after = dict(settings)
        for name, output in self.names.items():
            control = binding.controls.get(name)
            if control is not None:
                after[name] = control.check(name, control.from_output(outputs[output]), free=True)
        return after

    def to_spec(self) -> dict[str, Any]:
        """Return the JSON form.

        Returns: The fields `names`, `steps`, `pace` and `run`; `restart` where it names controls.
        """
        spec = {"names": dict(self.names), "steps": self.steps, "pace": self.pace, "run": self.run}
        return spec | ({"restart": list(self.restart)} if self.restart else {})
