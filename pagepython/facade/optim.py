"""``torch.optim``: steps down a gradient."""

import math
from collections import defaultdict

import torch
from torch import _schedules
from torch._absent import namespace, refuser
from torch._surface import forms, hold

NAMES = {"lr": "learning rate", "eps": "epsilon value", "momentum": "momentum value", "weight_decay": "weight_decay value",
         "alpha": "alpha value", "lr_decay": "lr_decay value", "rho": "rho value"}  # fmt: skip
# how PyTorch lists the options where not as it takes them
ORDERS = dict.fromkeys(("Adam", "AdamW"), "lr betas eps weight_decay amsgrad maximize") | {
    "RMSprop": "lr momentum alpha eps centered weight_decay", "Adagrad": "lr lr_decay eps weight_decay",
    "Adadelta": "lr rho eps weight_decay maximize capturable",
}  # fmt: skip


class Optimizer:
    """What all optimizers have: groups of parameters, and a state for each parameter."""

    def __init__(self, params, defaults: dict) -> None:
        if isinstance(params, torch.Tensor):
            raise TypeError(
                f"params argument given to the optimizer should be an iterable of Tensors or dicts, but got torch.{torch._dtype.NAMES[params.dtype.name]}Tensor"
            )
        if not hasattr(params, "__iter__"):
            raise TypeError(f"'{type(params).__name__}' object is not iterable")
        self.defaults, self.state, self.param_groups = defaults, defaultdict(dict), []
        params = list(params)
        if not params:
            raise ValueError("optimizer got an empty parameter list")
        for group in params if isinstance(params[0], dict) else [{"params": params}]:
            self.add_param_group(group)

    def add_param_group(self, param_group: dict) -> None:
        params = param_group["params"]
        params = [params] if isinstance(params, torch.Tensor) else list(params)
        if params and all(isinstance(one, tuple) for one in params):
            param_group = {**param_group, "param_names": [name for name, _ in params]}
        params = [one[1] if isinstance(one, tuple) else one for one in params]
        for one in params:
            if not isinstance(one, torch.Tensor):
                raise TypeError(
                    f"optimizer can only optimize Tensors, but one of the params is {torch.typename(one)}"
                )
            if not one.is_leaf:
                raise ValueError("can't optimize a non-leaf Tensor")
            if any(one is other for group in self.param_groups for other in group["params"]):
                raise ValueError("some parameters appear in more than one parameter group")
        usual = {key: value for key, value in self.defaults.items() if key not in param_group}
        self.param_groups.append({**param_group, **usual, "params": params})

    def zero_grad(self, set_to_none: bool = True) -> None:
        for group in self.param_groups:
            for parameter in group["params"]:
                parameter.grad = (
                    None if set_to_none or parameter.grad is None else torch.zeros_like(parameter)
                )

    def step(self, closure=None):
        if closure is not None and not callable(closure):
            raise TypeError(f"'{type(closure).__name__}' object is not callable")
        if not hasattr(self, "_update"):
            raise NotImplementedError
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        with torch.no_grad():
            for group in self.param_groups:
                for parameter in group["params"]:
                    if parameter.grad is not None:
                        gradient = -parameter.grad if group.get("maximize") else parameter.grad
                        state = self.state.get(parameter, {})
                        self._update(parameter, gradient, group, state)
                        if state:
                            self.state[parameter] = state
        return loss

    def state_dict(self) -> dict:
        every = [p for group in self.param_groups for p in group["params"]]
        number = {id(p): k for k, p in enumerate(every)}
        groups = [
            {**{k: v for k, v in g.items() if k != "params"}, "params": [number[id(p)] for p in g["params"]]}
            for g in self.param_groups
        ]
        return {"state": {number[id(p)]: dict(s) for p, s in self.state.items()}, "param_groups": groups}

    def load_state_dict(self, state_dict: dict) -> None:
        given = state_dict["param_groups"]
        if [len(g["params"]) for g in given] != [len(g["params"]) for g in self.param_groups]:
            raise ValueError(
                "loaded state dict contains a parameter group that doesn't match the size of optimizer's group"
            )
        every = [p for group in self.param_groups for p in group["params"]]
        copied = lambda v: v.clone() if isinstance(v, torch.Tensor) else v  # noqa: E731
        given_state = {every[k]: {n: copied(v) for n, v in s.items()} for k, s in state_dict["state"].items()}
        self.state = defaultdict(dict, given_state)
        for place, other in enumerate(given):  # in the order of what is read; of its own, what is off anyway
            own = self.param_groups[place]
            off = {
                k: self.defaults[k] for k in own if k in self.defaults and self.defaults[k] in (None, False)
            }
            off = {k: v for k, v in off.items() if v is None or v is False}
            self.param_groups[place] = {
                **other,
                "params": own["params"],
                **{k: v for k, v in off.items() if k not in other},
            }

    def __repr__(self) -> str:
        lines = [f"{type(self).__name__} ("]
        for number, group in enumerate(self.param_groups):
            lines += [""] * (number > 0) + [f"Parameter Group {number}"]
            lines += [f"    {key}: {group[key]}" for key in sorted(group) if key != "params"]
        return "\n".join([*lines, ")"])


def _optimizer(name: str, text: str, update, check=lambda group: None, begin=None, **more):
    """Make an optimizer whose options are those of PyTorch's; ``update(parameter, gradient, group, state)`` is a step."""
    options = forms(f"optim.{name}")[0].parameters[1:]
    order = ORDERS.get(name, "").split()

    def start(self, params, *args, **kwargs) -> None:
        group = {p.name: p.default for p in options} | more
        group |= dict(zip([p.name for p in options], args, strict=False)) | kwargs
        group = {key: group[key] for key in dict.fromkeys([*order, *group])}
        for key, words in NAMES.items():
            if isinstance(group.get(key), str):
                raise TypeError("'<=' not supported between instances of 'float' and 'str'")
            if key in group and not float(group[key]) >= 0.0:
                raise ValueError(f"Invalid {words}: {group[key]}")
        betas = group.get("betas", ())
        if isinstance(betas, int | float):
            raise TypeError(f"'{type(betas).__name__}' object is not subscriptable")
        if "betas" in group and len(betas) < 2:
            raise IndexError("tuple index out of range")
        for number, beta in enumerate(betas):
            if not 0.0 <= beta < 1.0:
                raise ValueError(f"Invalid beta parameter at index {number}: {beta}")
        check(group)
        Optimizer.__init__(self, params, group)
        for each in self.param_groups if begin else ():
            self.state |= {parameter: begin(parameter, each) for parameter in each["params"]}

    start._takes = frozenset({"params", *(p.name for p in options)} - {"differentiable"})
    return type(
        name,
        (Optimizer,),
        {
            "__init__": start,
            "_update": lambda self, *given: update(*given),
            "__doc__": text,
            "__module__": "torch.optim",
        },
    )


def _decayed(parameter, gradient, group):
    return gradient + parameter * group["weight_decay"] if group["weight_decay"] else gradient


def _nesterov(group) -> None:
    if group["nesterov"] and (group["momentum"] <= 0 or group["dampening"] != 0):
        raise ValueError("Nesterov momentum requires a momentum and zero dampening")


def _sgd(parameter, gradient, group, state) -> None:
    gradient = _decayed(parameter, gradient, group)
    if group["momentum"]:
        before = state.get("momentum_buffer")
        state["momentum_buffer"] = held = (
            gradient.clone()
            if before is None
            else before * group["momentum"] + gradient * (1 - group["dampening"])
        )
        gradient = gradient + held * group["momentum"] if group["nesterov"] else held
    parameter.sub_(gradient * group["lr"])


def _adam(parameter, gradient, group, state) -> None:
    if not state:
        state.update(
            step=torch.tensor(0.0),
            exp_avg=torch.zeros_like(parameter),
            exp_avg_sq=torch.zeros_like(parameter),
        )
        if group["amsgrad"]:
            state["max_exp_avg_sq"] = torch.zeros_like(parameter)
    if group["weight_decay"] and group["decoupled_weight_decay"]:
        parameter.mul_(1 - group["lr"] * group["weight_decay"])
    else:
        gradient = _decayed(parameter, gradient, group)
    first, second = group["betas"]
    state["step"] += 1
    count = state["step"].item()
    state["exp_avg"] = torch.lerp(state["exp_avg"], gradient, 1 - first)
    state["exp_avg_sq"] = squares = (state["exp_avg_sq"] * second).addcmul(
        gradient, gradient, value=1 - second
    )
    if group["amsgrad"]:
        state["max_exp_avg_sq"] = squares = torch.maximum(state["max_exp_avg_sq"], squares)
    root = squares.sqrt() / math.sqrt(1 - second**count) + group["eps"]
    parameter.addcdiv_(state["exp_avg"], root, value=-group["lr"] / (1 - first**count))


def _adamax(parameter, gradient, group, state) -> None:
    gradient = _decayed(parameter, gradient, group)
    if not state:
        state.update(
            step=torch.tensor(0.0), exp_avg=torch.zeros_like(parameter), exp_inf=torch.zeros_like(parameter)
        )
    first, second = group["betas"]
    state["step"] += 1
    state["exp_avg"] = torch.lerp(state["exp_avg"], gradient, 1 - first)
    state["exp_inf"] = torch.maximum(state["exp_inf"] * second, gradient.abs() + group["eps"])
    parameter.addcdiv_(
        state["exp_avg"], state["exp_inf"], value=-group["lr"] / (1 - first ** state["step"].item())
    )


def _rmsprop(parameter, gradient, group, state) -> None:
    gradient = _decayed(parameter, gradient, group)
    squares = state.get("square_avg", torch.zeros_like(parameter))
    state["step"] = state.get("step", 0) + torch.tensor(1.0)
    state["square_avg"] = squares = (squares * group["alpha"]).addcmul(
        gradient, gradient, value=1 - group["alpha"]
    )
    if group["centered"]:
        state["grad_avg"] = mean = torch.lerp(
            state.get("grad_avg", torch.zeros_like(parameter)), gradient, 1 - group["alpha"]
        )
        squares = squares - mean * mean
    move = gradient / (squares.sqrt() + group["eps"])
    if group["momentum"] > 0:
        state["momentum_buffer"] = move = (
            state.get("momentum_buffer", torch.zeros_like(parameter)) * group["momentum"] + move
        )
    parameter.sub_(move * group["lr"])


def _sums(parameter, group) -> dict:
    sums = torch.full_like(parameter, group["initial_accumulator_value"], requires_grad=False)
    return {"step": torch.tensor(0.0), "sum": sums}


def _adagrad(parameter, gradient, group, state) -> None:
    gradient = _decayed(parameter, gradient, group)
    state["step"], state["sum"] = state["step"] + 1, state["sum"] + gradient * gradient
    rate = group["lr"] / (1 + (state["step"].item() - 1) * group["lr_decay"])
    parameter.addcdiv_(gradient, state["sum"].sqrt() + group["eps"], value=-rate)


def _adadelta(parameter, gradient, group, state) -> None:
    gradient, rho = _decayed(parameter, gradient, group), group["rho"]
    state["step"] = state.get("step", 0) + torch.tensor(1.0)
    squares, moves = (state.get(k, torch.zeros_like(parameter)) for k in ("square_avg", "acc_delta"))
    state["square_avg"] = squares = squares * rho + gradient * gradient * (1 - rho)
    move = (moves + group["eps"]).sqrt() / (squares + group["eps"]).sqrt() * gradient
    state["acc_delta"] = moves * rho + move * move * (1 - rho)
    parameter.sub_(move * group["lr"])


SGD = _optimizer("SGD", "A step against the gradient, with momentum.", _sgd, _nesterov)
Adam = _optimizer(
    "Adam", "A step by the mean of the gradient over the root of the mean of its square.", _adam
)
AdamW = _optimizer(
    "AdamW", "Adam whose weight decay is a step of its own.", _adam, decoupled_weight_decay=True
)
Adamax = _optimizer("Adamax", "Adam by the largest gradient.", _adamax)
RMSprop = _optimizer("RMSprop", "A step over the root of the mean square.", _rmsprop)
Adagrad = _optimizer("Adagrad", "A step over the root of the sum of all squares.", _adagrad, begin=_sums)
Adadelta = _optimizer("Adadelta", "A step whose size is learned from earlier steps.", _adadelta)
lr_scheduler = namespace("torch.optim.lr_scheduler", **_schedules.ALL)
hold("optim", globals())
hold("optim.lr_scheduler", vars(lr_scheduler))
__getattr__ = refuser(__name__)
