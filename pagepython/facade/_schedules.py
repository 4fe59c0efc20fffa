"""Rates that change from step to step (``torch.optim.lr_scheduler``)."""

from __future__ import annotations

import bisect
import math
from collections import Counter


class LRScheduler:
    """Sets the rate of each group by the number of steps taken; a schedule says ``rate(base, step)``."""

    def __init__(self, optimizer, last_epoch=-1) -> None:
        self.optimizer, self.last_epoch = optimizer, last_epoch
        for group in optimizer.param_groups:
            group.setdefault("initial_lr", group["lr"])
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self.step()

    def step(self, epoch=None) -> None:
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        for number, group in enumerate(self.optimizer.param_groups):
            group["lr"] = self.rate(self.base_lrs[number], self.last_epoch, number)
        self._last_lr = self.get_last_lr()

    def get_last_lr(self) -> list[float]:
        return [group["lr"] for group in self.optimizer.param_groups]

    def get_lr(self) -> list[float]:
        return [self.rate(base, self.last_epoch, number) for number, base in enumerate(self.base_lrs)]

    def state_dict(self) -> dict:
        return {key: value for key, value in vars(self).items() if key != "optimizer" and not callable(value)}

    def load_state_dict(self, state_dict: dict) -> None:
        vars(self).update(state_dict)


class LambdaLR(LRScheduler):
    """A rate by a function of the step."""

    def __init__(self, optimizer, lr_lambda, last_epoch=-1) -> None:
        several = isinstance(lr_lambda, list | tuple)
        self.lr_lambdas = list(lr_lambda) if several else [lr_lambda] * len(optimizer.param_groups)
        super().__init__(optimizer, last_epoch)

    def rate(self, base, step, number):
        return base * self.lr_lambdas[number](step)


class StepLR(LRScheduler):
    """Another factor after so many steps."""

    def __init__(self, optimizer, step_size, gamma=0.1, last_epoch=-1) -> None:
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch)

    def rate(self, base, step, number):
        return base * self.gamma ** (step // self.step_size)


class MultiStepLR(LRScheduler):
    """Another factor at given steps."""

    def __init__(self, optimizer, milestones, gamma=0.1, last_epoch=-1) -> None:
        self.milestones, self.gamma = Counter(milestones), gamma
        super().__init__(optimizer, last_epoch)

    def rate(self, base, step, number):
        return base * self.gamma ** bisect.bisect_right(sorted(self.milestones.elements()), step)


class ConstantLR(LRScheduler):
    """A factor for the first steps."""

    def __init__(self, optimizer, factor=1 / 3, total_iters=5, last_epoch=-1) -> None:
        self.factor, self.total_iters = factor, total_iters
        super().__init__(optimizer, last_epoch)

    def rate(self, base, step, number):
        return base * (self.factor if step < self.total_iters else 1)


class LinearLR(LRScheduler):
    """A factor that goes in a straight line from one to another."""

    def __init__(self, optimizer, start_factor=1 / 3, end_factor=1.0, total_iters=5, last_epoch=-1) -> None:
        self.start_factor, self.end_factor, self.total_iters = start_factor, end_factor, total_iters
        super().__init__(optimizer, last_epoch)

    def rate(self, base, step, number):
        share = min(step, self.total_iters) / self.total_iters
        return base * (self.start_factor + (self.end_factor - self.start_factor) * share)


class ExponentialLR(LRScheduler):
    """A factor in each step."""

    def __init__(self, optimizer, gamma, last_epoch=-1) -> None:
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def rate(self, base, step, number):
        return base * self.gamma**step


class PolynomialLR(LRScheduler):
    """A power of the steps that are left."""

    def __init__(self, optimizer, total_iters=5, power=1.0, last_epoch=-1) -> None:
        self.total_iters, self.power = total_iters, power
        super().__init__(optimizer, last_epoch)

    def rate(self, base, step, number):
        return base * (1 - min(step, self.total_iters) / self.total_iters) ** self.power


class CosineAnnealingLR(LRScheduler):
    """Half a wave of the cosine."""

    def __init__(self, optimizer, T_max, eta_min=0.0, last_epoch=-1) -> None:
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)

    def rate(self, base, step, number):
        return self.eta_min + (base - self.eta_min) * (1 + math.cos(math.pi * step / self.T_max)) / 2


class ReduceLROnPlateau:
    """A factor where a measure does not get better."""

    def __init__(
        self, optimizer, mode="min", factor=0.1, patience=10, threshold=1e-4, threshold_mode="rel", cooldown=0, min_lr=0, eps=1e-8,
    ) -> None:  # fmt: skip
        if factor >= 1.0:
            raise ValueError("Factor should be < 1.0.")
        self.optimizer, self.mode, self.factor, self.patience, self.threshold = (
            optimizer,
            mode,
            factor,
            patience,
            threshold,
        )
        self.threshold_mode, self.cooldown, self.min_lr, self.eps = threshold_mode, cooldown, min_lr, eps
        self.best, self.num_bad_epochs, self.cooldown_counter, self.last_epoch = (
            math.inf if mode == "min" else -math.inf,
            0,
            0,
            0,
        )

    def _better(self, value: float) -> bool:
        sign = 1 if self.mode == "min" else -1
        room = self.threshold * (
            abs(self.best) if self.threshold_mode == "rel" and math.isfinite(self.best) else 1
        )
        return value < self.best - room if sign == 1 else value > self.best + room

    def step(self, metrics) -> None:
        value, self.last_epoch = float(metrics), self.last_epoch + 1
        if self._better(value):
            self.best, self.num_bad_epochs = value, 0
        else:
            self.num_bad_epochs += 1
        if self.cooldown_counter > 0:
            self.cooldown_counter, self.num_bad_epochs = self.cooldown_counter - 1, 0
        if self.num_bad_epochs > self.patience:
            for group in self.optimizer.param_groups:
                rate = max(group["lr"] * self.factor, self.min_lr)
                group["lr"] = rate if group["lr"] - rate > self.eps else group["lr"]
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0

    get_last_lr = LRScheduler.get_last_lr


ALL = {
    kind.__name__: kind
    for kind in (
        LRScheduler,
        LambdaLR,
        StepLR,
        MultiStepLR,
        ConstantLR,
        LinearLR,
        ExponentialLR,
        PolynomialLR,
        CosineAnnealingLR,
        ReduceLROnPlateau,
    )
}
for _kind in ALL.values():
    _kind.__module__ = "torch.optim.lr_scheduler"
