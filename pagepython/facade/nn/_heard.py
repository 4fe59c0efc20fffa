"""What the backward hooks of a module hear: the gradients at its results and at its arguments."""

from torch._tensor import Tensor
from torch.autograd import Function


class BackwardHookFunction(Function):
    """Gives tensors on, and a function its gradients."""

    @staticmethod
    def forward(ctx, heard, *tensors):
        ctx.heard = heard
        ctx.set_materialize_grads(False)
        return tensors

    @staticmethod
    def backward(ctx, *gradients):
        return None, *ctx.heard(gradients)


def _through(values: tuple, heard) -> tuple:
    """Let the tensors among some values be heard; what they are given is as long as the values."""
    places = [k for k, value in enumerate(values) if isinstance(value, Tensor)]

    def spread(gradients):
        every = [None] * len(values)
        for k, gradient in zip(places, gradients, strict=True):
            every[k] = gradient
        found = heard(tuple(every))
        return [found[k] for k in places]

    made = iter(BackwardHookFunction.apply(spread, *(values[k] for k in places)) if places else ())
    return tuple(next(made) if k in places else value for k, value in enumerate(values))


class Heard:
    """One call of a module with backward hooks."""

    def __init__(self, module, args: tuple) -> None:
        self._module, self._at_result = module, None
        self._wanted = any(isinstance(a, Tensor) and a.requires_grad for a in args)
        self.args = _through(args, self._at_arguments) if self._wanted else args

    def _at_arguments(self, gradients: tuple) -> tuple:
        for hook in list(self._module._backward.values()):
            changed = hook(self._module, gradients, self._at_result)
            if changed is not None and not self._wanted:
                raise RuntimeError(
                    "Backward hook for Modules where no input requires gradient should always return None."
                )
            changed = (changed,) if isinstance(changed, Tensor) else changed
            if changed is not None and len(changed) != len(gradients):
                raise RuntimeError(
                    f"Backward hook returned an invalid number of grad_input, got {len(changed)}, but expected {len(gradients)}"
                )
            gradients = gradients if changed is None else changed
        return gradients

    def _heard(self, gradients: tuple) -> tuple:
        self._at_result = gradients
        if not self._wanted:
            self._at_arguments((None,) * len(self.args))
        return gradients

    def result(self, value):
        """Let the result be heard, where a gradient can come."""
        values = value if isinstance(value, tuple) else (value,)
        if not any(isinstance(v, Tensor) and v.requires_grad for v in values):
            return value
        values = _through(values, self._heard)
        return values if isinstance(value, tuple) else values[0]
