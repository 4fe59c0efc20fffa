"""``torch.func``: functions of functions."""

from torch import _mapped, _random, autograd
from torch._absent import refuser
from torch._autograd import enable_grad
from torch._call import call, counters
from torch._surface import hold
from torch._tensor import Tensor


def _map(function, tree):
    if isinstance(tree, Tensor):
        return function(tree)
    if isinstance(tree, dict):
        return {key: _map(function, value) for key, value in tree.items()}
    if isinstance(tree, tuple | list):
        made = [_map(function, value) for value in tree]
        return type(tree)(*made) if hasattr(tree, "_fields") else type(tree)(made)
    return tree


def _leaves(tree) -> list[Tensor]:
    found: list[Tensor] = []
    _map(found.append, tree)
    return found


def _fresh(t: Tensor) -> Tensor:
    """Give a tensor that counts as an input of its own, still on the tape of the one that it was."""
    return (
        call("clone", t)
        if t.requires_grad
        else t.detach().requires_grad_()
        if t.dtype.is_floating_point
        else t
    )


def _places(argnums, count: int) -> tuple:
    """Give the places of the arguments that are meant, which are there."""
    numbers = argnums if isinstance(argnums, tuple) else (argnums,)
    for number in numbers:
        if not -count <= number < count:
            raise RuntimeError(f"Got argnum={number}, but only {count} positional inputs")
    return tuple(number % count for number in numbers)


def grad_and_value(func, argnums=0, has_aux=False):
    def both(*args, **kwargs):
        numbers = _places(argnums, len(args))
        with enable_grad():
            args = [_map(_fresh, a) if k in numbers else a for k, a in enumerate(args)]
            found = func(*args, **kwargs)
            value, aux = found if has_aux else (found, None)
            if not isinstance(value, Tensor):
                raise RuntimeError(
                    f"grad_and_value(f)(*args): Expected f(*args) to return tensors, got unsupported type {type(value)}"
                )
            if value.dim():
                raise RuntimeError(
                    f"grad_and_value(f)(*args): Expected f(*args) to return a scalar Tensor, got tensor with {value.dim()} dims. Maybe you wanted to use the vjp or jacrev APIs instead?"
                )
            inputs = _leaves([args[k] for k in numbers])
            gradients = iter(autograd.grad(value, inputs, create_graph=True, materialize_grads=True))
        outside = any(t._node is not None for t in inputs)
        trees = tuple(_map(lambda _: _given(next(gradients), outside), args[k]) for k in numbers)
        trees = trees if isinstance(argnums, tuple) else trees[0]
        value, aux = _given(value, outside), _map(lambda t: _given(t, outside), aux)
        return (trees, (value, aux)) if has_aux else (trees, value)

    return both


def _given(t: Tensor, outside: bool) -> Tensor:
    return t if outside else t.detach()


def grad(func, argnums=0, has_aux=False):
    def gradient(*args, **kwargs):
        trees, value = grad_and_value(func, argnums, has_aux)(*args, **kwargs)
        return (trees, value[1]) if has_aux else trees

    return gradient


def vjp(func, *primals, has_aux=False):
    with enable_grad():
        inputs = [_map(_fresh, p) for p in primals]
        found = func(*inputs)
    output = found[0] if has_aux else found

    def back(*cotangents):
        gradients = iter(
            autograd.grad(
                _leaves(output),
                _leaves(inputs),
                _leaves(list(cotangents)),
                retain_graph=True,
                materialize_grads=True,
            )
        )
        return tuple(_map(lambda _: next(gradients), p) for p in inputs)

    plain = _map(lambda t: t.detach(), output)
    return (plain, back, found[1]) if has_aux else (plain, back)


def _rows(output: Tensor, input: Tensor) -> Tensor:
    found = [
        autograd.grad(one, input, retain_graph=True, create_graph=True, materialize_grads=True)[0]
        for one in output.reshape(-1).unbind()
    ]
    return _given(call("stack", found).reshape([*output.shape, *input.shape]), input._node is not None)


def jacrev(func, argnums=0):
    def jacobian(*args):
        numbers = _places(argnums, len(args))
        with enable_grad():
            args = [_map(_fresh, a) if k in numbers else a for k, a in enumerate(args)]
            output = func(*args)
            if not _leaves(output):
                raise RuntimeError(
                    f"vjp(f, *primals): expected f(*primals) to return only tensors, got unsupported type {type(output)}"
                )
            several = isinstance(argnums, tuple)

            def rows(t):
                found = tuple(_rows(t, args[k]) for k in numbers)
                return found if several else found[0]

            return _map(rows, output)

    return jacobian


jacfwd = jacrev


def hessian(func, argnums=0):
    return jacrev(jacrev(func, argnums), argnums)


def jvp(func, primals, tangents):
    """Go forwards, by going backwards twice: the way back is linear in what it is given."""
    with enable_grad():
        inputs = [_map(_fresh, p) for p in primals]
        output = func(*inputs)
        dummy = call("zeros_like", output.detach()).requires_grad_()
        back = autograd.grad(output, inputs, dummy, create_graph=True, materialize_grads=True)
        found = autograd.grad(list(back), dummy, list(tangents), materialize_grads=True)[0]
    return output.detach(), found


def _every(func, chosen: list, kwargs: dict, randomness: str) -> list:
    """Call a function for each of many arguments; inside, they stand for all."""
    found, state = [], _random.get_rng_state()
    counters.append(_mapped.heard)
    try:
        for args, many in chosen:
            if randomness == "same":
                _random.set_rng_state(state)
            _mapped.begin(many, randomness)
            try:
                found.append(func(*args, **kwargs))
            finally:
                _mapped.mapped.pop()
    finally:
        counters.remove(_mapped.heard)
    for one in found:
        rest = one if isinstance(one, tuple | list) else one.values() if isinstance(one, dict) else [one]
        wrong = next((v for v in rest if not isinstance(v, Tensor | tuple | list | dict)), Tensor)
        if wrong is not Tensor:
            name = getattr(func, "__name__", "f")
            raise ValueError(
                f"vmap({name}, ...): `{name}` must only return Tensors, got type {type(wrong)}. Did you mean to set out_dims= to None for output?"
            )
    return found


def vmap(func, in_dims=0, out_dims=0, randomness="error"):
    """Call a function for each entry of an axis, and stack what it gives."""

    def mapped(*args, **kwargs):
        axes = in_dims if isinstance(in_dims, tuple) else (in_dims,) * len(args)
        every = [(a, axis) for a, axis in zip(args, axes, strict=True) if axis is not None]
        for a, axis in every:
            told = f"vmap({getattr(func, '__name__', 'f')}, in_dims={in_dims}, ...)(<inputs>): Got in_dim={axis} for"
            if isinstance(a, int | float | str):
                raise ValueError(f"{told} an input but the input is of type {type(a)}.")
            for t in _leaves(a):
                if not -t.dim() <= axis < t.dim():
                    raise ValueError(
                        f"{told} some input, but that input is a Tensor of dimensionality {t.dim()}."
                    )
        lengths = {t.shape[axis] for a, axis in every for t in _leaves(a)[:1]}
        if len(lengths) != 1:
            raise ValueError(
                f"vmap: Expected all tensors to have the same size in the mapped dimension, got sizes {sorted(lengths)} for the mapped dimension"
            )
        chosen = []
        for place in range(lengths.pop()):
            many: list = []

            def one(t, axis, place=place, many=many):
                many.append(t.select(axis, place))
                return many[-1]

            pairs = zip(args, axes, strict=True)
            chosen.append(
                (
                    [
                        a if axis is None else _map(lambda t, axis=axis, one=one: one(t, axis), a)
                        for a, axis in pairs
                    ],
                    many,
                )
            )
        found = _every(func, chosen, kwargs, randomness)
        if isinstance(out_dims, tuple):
            parts = zip(zip(*found, strict=True), out_dims, strict=True)
            return tuple(call("stack", list(part), axis) for part, axis in parts)
        columns = [iter([one[k] for one in map(_leaves, found)]) for k in range(len(_leaves(found[0])))]
        rows = iter(columns)
        return _map(lambda _: call("stack", list(next(rows)), out_dims), found[0])

    return mapped


def functional_call(module, parameters_and_buffer_dicts, args=None, kwargs=None):
    """Call a module with other parameters."""
    given = parameters_and_buffer_dicts
    if isinstance(given, tuple | list):
        given = {name: value for one in given for name, value in one.items()}
    args = args if isinstance(args, tuple) else () if args is None else (args,)
    before = []
    try:
        for name, value in given.items():
            *path, last = name.split(".")
            owner = module.get_submodule(".".join(path))
            tables = (owner._parameters, owner._buffers)
            table = next(
                (each for each in tables if last in each), vars(owner)
            )  # another name: for this call only
            before.append((table, last, table.get(last, table)))
            table[last] = value
        return module(*args, **(kwargs or {}))
    finally:
        for table, name, value in reversed(before):
            table[name] = value
            if value is table:
                del table[name]


hold("func", globals())
__getattr__ = refuser(__name__)
