"""``torch.optim``: steps down a gradient."""

from __future__ import annotations

import math

import torch
from torch._absent import namespace, refuser


class Optimizer:
    """What all optimizers have: groups of parameters, and a state for each parameter."""

    def __init__(self, params, defaults: dict) -> None:
        params = list(params)
        if not params:
            raise ValueError("optimizer got an empty parameter list")
        groups = params if isinstance(params[0], dict) else [{"params": params}]
        self.defaults = defaults
        self.param_groups = [defaults | group | {"params": list(group["params"])} for group in groups]
        self.state: dict = {}

    def zero_grad(self, set_to_none: bool = True) -> None:
        for group in self.param_groups:
            for parameter in group["params"]:
                parameter.grad = (
                    None if set_to_none or parameter.grad is None else torch.zeros_like(parameter)
                )

    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        with torch.no_grad():
            for group in self.param_groups:
                for parameter in group["params"]:
                    if parameter.grad is not None:
                        self._update(parameter, parameter.grad, group, self.state.setdefault(parameter, {}))
        return loss


class SGD(Optimizer):
    """A step against the gradient, with momentum."""

    def __init__(
        self,
        params,
        lr=1e-3,
        momentum=0.0,
        dampening=0.0,
        weight_decay=0.0,
        nesterov=False,
        *,
        maximize=False,
        **_,
    ) -> None:
        super().__init__(
            params,
            {
                "lr": lr,
                "momentum": momentum,
                "dampening": dampening,
                "weight_decay": weight_decay,
                "nesterov": nesterov,
                "maximize": maximize,
            },
        )

    def _update(self, parameter, gradient, group, state) -> None:
        gradient = -gradient if group["maximize"] else gradient
        if group["weight_decay"]:
            gradient = gradient + parameter * group["weight_decay"]
        if group["momentum"]:
            before = state.get("momentum_buffer")
            state["momentum_buffer"] = (
                gradient.clone()
                if before is None
                else before * group["momentum"] + gradient * (1 - group["dampening"])
            )
            gradient = (
                gradient + state["momentum_buffer"] * group["momentum"]
                if group["nesterov"]
                else state["momentum_buffer"]
            )
        parameter.sub_(gradient * group["lr"])


class Adam(Optimizer):
    """A step by the mean of the gradient over the root of the mean of its square."""

    apart = False

    def __init__(
        self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0, amsgrad=False, **_
    ) -> None:
        if amsgrad:
            raise NotImplementedError("amsgrad is not in the page's torch.")
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay})

    def _update(self, parameter, gradient, group, state) -> None:
        if not state:
            state.update(step=0, exp_avg=torch.zeros_like(parameter), exp_avg_sq=torch.zeros_like(parameter))
        if group["weight_decay"]:
            if self.apart:
                parameter.mul_(1 - group["lr"] * group["weight_decay"])
            else:
                gradient = gradient + parameter * group["weight_decay"]
        first, second = group["betas"]
        state["step"] += 1
        state["exp_avg"] = torch.lerp(state["exp_avg"], gradient, 1 - first)
        state["exp_avg_sq"] = (state["exp_avg_sq"] * second).addcmul(gradient, gradient, value=1 - second)
        size = group["lr"] / (1 - first ** state["step"])
        root = state["exp_avg_sq"].sqrt() / math.sqrt(1 - second ** state["step"]) + group["eps"]
        parameter.addcdiv_(state["exp_avg"], root, value=-size)


class AdamW(Adam):
    """Adam whose weight decay is a step of its own."""

    apart = True

    def __init__(
        self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2, amsgrad=False, **more
    ) -> None:
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, **more)


class LambdaLR:
    """A rate by a function of the step."""

    def __init__(self, optimizer, lr_lambda, last_epoch=-1) -> None:
        self.optimizer, self.of, self.last_epoch = optimizer, lr_lambda, last_epoch
        self.base_lrs = [group["lr"] for group in optimizer.param_groups]
        self.step()

    def step(self) -> None:
        self.last_epoch += 1
        for group, base in zip(self.optimizer.param_groups, self.base_lrs, strict=True):
            group["lr"] = base * self.of(self.last_epoch)

    def get_last_lr(self) -> list[float]:
        return [group["lr"] for group in self.optimizer.param_groups]


lr_scheduler = namespace("torch.optim.lr_scheduler", LambdaLR=LambdaLR)
__getattr__ = refuser(__name__)
