"""``torch.autograd``: gradients of what was computed, and functions with a derivative of their own."""

from functools import wraps

from torch import _autograd
from torch._absent import namespace, refuser
from torch._autograd import enable_grad, no_grad, set_grad_enabled
from torch._create import ones_like
from torch._kept import saved_tensors_hooks
from torch._surface import hold
from torch._tape import Node, Saved
from torch._tensor import Tensor

__all__ = ["Function", "backward", "enable_grad", "grad", "no_grad", "set_grad_enabled"]


def _seeds(outputs: list, gradients: list) -> list:
    seeds = []
    for output, gradient in zip(outputs, gradients, strict=True):
        if not output.requires_grad:
            raise RuntimeError("element 0 of tensors does not require grad and does not have a grad_fn")
        if gradient is None:
            if output.numel() != 1:
                raise RuntimeError("grad can be implicitly created only for scalar outputs")
            gradient = ones_like(output)
        elif tuple(gradient.shape) != tuple(output.shape):
            raise RuntimeError(
                f"Mismatch in shape: grad_output[0] has a shape of {gradient.shape} and output[0] has a shape of {output.shape}."
            )
        seeds.append(gradient)
    return seeds


def _list(value) -> list:
    return [value] if isinstance(value, Tensor) or not hasattr(value, "__iter__") else list(value)


def grad(
    outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False, allow_unused=None, materialize_grads=False,
) -> tuple:  # fmt: skip
    """Give the gradient of outputs with respect to each input."""
    outputs, inputs = _list(outputs), _list(inputs)
    gradients = [None] * len(outputs) if grad_outputs is None else _list(grad_outputs)
    if not inputs:
        raise RuntimeError("`inputs` argument to `grad()` cannot be empty.")
    for tensor in inputs:
        if not isinstance(tensor, Tensor):
            told = type(tensor).__name__
            raise RuntimeError(f"all inputs have to be Tensors or GradientEdges, but got {told}")
    seeds = _seeds(outputs, gradients)
    for tensor in inputs:
        if not tensor.requires_grad:
            raise RuntimeError("One of the differentiated Tensors does not require grad")
    keep = create_graph if retain_graph is None else retain_graph
    found = _autograd.backward(outputs, seeds, keep=keep, create=create_graph, wanted=inputs)
    results = []
    for place, tensor in enumerate(inputs):
        if id(tensor) in found:
            results.append(found[id(tensor)][1])
        elif materialize_grads:
            results.append(tensor.detach() * 0)
        elif allow_unused:
            results.append(None)
        else:
            raise RuntimeError(
                f"The differentiated Tensor at index {place} appears to not have been used in the graph. Set allow_unused=True if this is the desired behavior."
            )
    return tuple(results)


def backward(tensors, grad_tensors=None, retain_graph=None, create_graph=False, inputs=None) -> None:
    """Add the gradients of tensors to the ``grad`` of the leaves."""
    outputs = _list(tensors)
    gradients = [None] * len(outputs) if grad_tensors is None else _list(grad_tensors)
    keep = create_graph if retain_graph is None else retain_graph
    wanted = None if inputs is None else _list(inputs)
    if wanted == []:
        raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
    for tensor in wanted or ():
        tensor.retain_grad()
    found = _autograd.backward(
        outputs, _seeds(outputs, gradients), keep=keep, create=create_graph, wanted=wanted
    )
    for tensor, gradient in found.values():
        if tensor._node is not None:  # it has kept its gradient; torch runs its call as well
            tensor._node.saved._freed |= not keep
        elif create_graph:
            tensor.grad = gradient.clone() if tensor.grad is None else tensor.grad + gradient
        elif tensor.grad is None:  # memory of its own, that nobody else writes into
            tensor.grad = gradient.detach().clone()
        else:
            with no_grad():
                tensor.grad.add_(gradient)


class _Context:
    def __init__(self) -> None:
        self._kept, self._zeros, self._saved = (), True, None

    def save_for_backward(self, *tensors) -> None:
        self._kept = tensors

    @property
    def saved_tensors(self) -> tuple:
        return self._saved._checked(self._kept) if self._saved else self._kept

    def mark_non_differentiable(self, *tensors) -> None:
        self._flat = {id(t) for t in tensors}

    def set_materialize_grads(self, value: bool) -> None:
        self._zeros = value


def _expandable(name: str, number: int, given, wanted) -> None:
    """Refuse a gradient that cannot be summed to the shape of what it belongs to."""
    sizes = [*given][len(given) - len(wanted) :]
    if len(given) < len(wanted) or any(w not in (1, g) for g, w in zip(sizes, wanted, strict=True)):
        raise RuntimeError(
            f"Function {name}Backward returned an invalid gradient at index {number} - got {list(given)} but expected shape compatible with {list(wanted)}"
        )


class Function:
    """A function whose backward is written by hand."""

    def __init__(self, *_args, **_options) -> None:
        """It is of no use as a thing, and may be made."""

    def __call__(self, *args, **kwargs):
        raise RuntimeError(
            "Legacy autograd function with non-static forward method is deprecated. Please use new-style autograd function with "
            "static forward method. (Example: https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function)"
        )

    @staticmethod
    def forward(*args, **kwargs):
        raise NotImplementedError("You must implement the forward function for custom autograd.Function.")

    @staticmethod
    def backward(ctx, *grad_outputs):
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom autograd.Function to use it with backward mode AD."
        )

    @classmethod
    def apply(cls, *args):
        context = _Context()
        context.needs_input_grad = tuple(isinstance(a, Tensor) and a.requires_grad for a in args)
        with no_grad():
            if "setup_context" in vars(cls):
                found = cls.forward(*args)
                cls.setup_context(context, args, found)
            else:
                found = cls.forward(context, *args)
        results = [r.detach() if any(r is a for a in args) else r for r in _list(found)]
        bound = {f"input{k}": a for k, a in enumerate(args)}
        flat = getattr(context, "_flat", set())

        def rule(saved: Saved, gradients):
            context._saved = saved
            gradients = [
                g if g is not None or not context._zeros else r.detach() * 0
                for g, r in zip(_list(gradients), results, strict=True)
            ]
            back = _list(cls.backward(context, *gradients))
            if len(back) < len(args) or any(g is not None for g in back[len(args) :]):
                raise RuntimeError(
                    f"function {cls.__name__}Backward returned an incorrect number of gradients (expected {len(args)}, got {len(back)})"
                )
            for number, (given, argument) in enumerate(zip(back, args, strict=False)):
                if isinstance(given, Tensor) and isinstance(argument, Tensor):
                    _expandable(cls.__name__, number, given.shape, argument.shape)
            return {f"input{k}": g for k, g in enumerate(back)}

        rule.zeros = context._zeros
        _autograd.remember(
            f"{cls.__name__}Backward", bound, [None if id(r) in flat else r for r in results], rule
        )
        return results[0] if not isinstance(found, tuple | list) else tuple(results)


def Variable(data=None, requires_grad=False, volatile=False):  # noqa: N802
    """Give a tensor of the same numbers, as it was written of old."""
    return data.detach().requires_grad_(requires_grad)


function = namespace("torch.autograd.function", Function=Function, once_differentiable=lambda method: method)
graph = namespace("torch.autograd.graph", Node=Node, saved_tensors_hooks=saved_tensors_hooks)


def _apart(found):
    """Give tensors without the tape that they stand on."""
    return tuple(map(_apart, found)) if isinstance(found, tuple | list) else found.detach()


def _off_tape(act):
    """Make a function whose results stand on no tape, and whose inputs neither."""

    @wraps(act)
    def made(func, inputs, *v, **more):
        return _apart(act(func, _apart(inputs), *v, **more))

    return made


@_off_tape
def _jacobian(func, inputs):
    from torch import func as functions

    if not isinstance(inputs, tuple):
        return functions.jacrev(func)(inputs)
    return tuple(functions.jacrev(func, k)(*inputs) for k in range(len(inputs)))


@_off_tape
def _hessian(func, inputs):
    from torch import func as functions

    if not isinstance(inputs, tuple):
        return functions.hessian(func)(inputs)
    return tuple(
        tuple(functions.jacrev(functions.jacrev(func, a), b)(*inputs) for b in range(len(inputs)))
        for a in range(len(inputs))
    )


@_off_tape
def _vjp(func, inputs, v=None):
    from torch import func as functions

    several = isinstance(inputs, tuple)
    output, back = functions.vjp(func, *(inputs if several else (inputs,)))
    found = back(v if v is not None else ones_like(output))
    return output, found if several else found[0]


@_off_tape
def _jvp(func, inputs, v=None):
    from torch import func as functions

    several = isinstance(inputs, tuple)
    v = v if v is not None else ones_like(inputs)
    return functions.jvp(func, inputs if several else (inputs,), v if several else (v,))


functional = namespace("torch.autograd.functional", jacobian=_jacobian, hessian=_hessian, vjp=_vjp, jvp=_jvp)
hold("autograd.functional", vars(functional))
hold("autograd", globals())
__getattr__ = refuser(__name__)
