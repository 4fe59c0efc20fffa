"""Rates that change from step to step (``torch.optim.lr_scheduler``)."""

import math
from bisect import bisect_right
from collections import Counter
from types import FunctionType

from torch._surface import forms


class LRScheduler:
    """Sets the rate of each group at each step; a schedule says ``rate(now, step, number)`` of a group's."""

    def __init__(self, optimizer, last_epoch=-1) -> None:
        if not hasattr(optimizer, "param_groups"):
            raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
        for number, group in enumerate(optimizer.param_groups):
            if last_epoch != -1 and "initial_lr" not in group:
                told = f"param 'initial_lr' is not specified in param_groups[{number}] when resuming scheduler with last_epoch >= 0"
                raise KeyError(told)
            group.setdefault("initial_lr", group["lr"])
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self.optimizer, self.last_epoch, self._step_count = optimizer, last_epoch, 0
        self._is_initial = self._get_lr_called_within_step = False
        self.step()

    def step(self, epoch=None) -> None:
        if epoch is not None:  # all steps up to there, from the first rate on
            self.last_epoch = -1
            for group, base in zip(self.optimizer.param_groups, self.base_lrs, strict=True):
                group["lr"] = base
        for _ in range(1 if epoch is None else epoch + 1):
            self.last_epoch, self._step_count = self.last_epoch + 1, self._step_count + 1
            for group, rate in zip(self.optimizer.param_groups, self.get_lr(), strict=True):
                group["lr"] = rate
        self._last_lr = [group["lr"] for group in self.optimizer.param_groups]

    def get_last_lr(self) -> list[float]:
        return self._last_lr

    def get_lr(self) -> list[float]:
        groups = enumerate(self.optimizer.param_groups)
        return [self.rate(group["lr"], self.last_epoch, number) for number, group in groups]

    def state_dict(self) -> dict:
        kept = {key: value for key, value in vars(self).items() if key not in ("optimizer", "lr_lambdas")}
        functions = [
            None if isinstance(f, FunctionType) else dict(vars(f)) for f in getattr(self, "lr_lambdas", ())
        ]
        return kept | ({"lr_lambdas": functions} if functions else {})

    def load_state_dict(self, state_dict: dict) -> None:
        if hasattr(self, "lr_lambdas") and "lr_lambdas" not in state_dict:
            raise KeyError("lr_lambdas")
        vars(self).update({key: value for key, value in state_dict.items() if key != "lr_lambdas"})


class LambdaLR(LRScheduler):
    """A rate by a function of the step."""

    def __init__(self, optimizer, lr_lambda, last_epoch=-1) -> None:
        several = isinstance(lr_lambda, list | tuple)
        self.lr_lambdas = list(lr_lambda) if several else [lr_lambda] * len(optimizer.param_groups)
        super().__init__(optimizer, last_epoch)

    def rate(self, now, step, number):
        return self.base_lrs[number] * self.lr_lambdas[number](step)


class _Plain(LRScheduler):
    """One that keeps what it is given, by PyTorch's names."""

    def __init__(self, optimizer, *args, **options) -> None:
        kind = next(k for k in type(self).__mro__ if k.__name__ in ALL)  # or before it one of the reader's
        known = forms(f"optim.lr_scheduler.{kind.__name__}")[0].parameters[1:]
        given = {p.name: p.default for p in known}
        given |= dict(zip(given, args, strict=False)) | options
        if "milestones" in given:
            given["milestones"] = Counter(given["milestones"])
        last_epoch = given.pop("last_epoch")
        vars(self).update(given)
        super().__init__(optimizer, last_epoch)


class MultiplicativeLR(LambdaLR):
    """A factor by a function of the step."""

    def rate(self, now, step, number):
        return now * self.lr_lambdas[number](step) if step else now


class CosineAnnealingWarmRestarts(_Plain):
    """Half a wave of the cosine, again and again, each longer by a factor."""

    def step(self, epoch=None) -> None:
        at = self.last_epoch + 1 if epoch is None else epoch
        if at < 0:
            raise ValueError(f"Expected non-negative epoch, but got {at}")
        self.last_epoch, self.T_cur, self.T_i = math.floor(at), at, self.T_0
        while self.T_cur >= self.T_i:
            self.T_cur, self.T_i = self.T_cur - self.T_i, self.T_i * self.T_mult
        for group, rate in zip(self.optimizer.param_groups, self.get_lr(), strict=True):
            group["lr"] = rate
        self._last_lr = self.get_lr()

    def rate(self, now, step, number):
        rise = (self.base_lrs[number] - self.eta_min) * (1 + math.cos(math.pi * self.T_cur / self.T_i))
        return self.eta_min + rise / 2


class StepLR(_Plain):
    """Another factor after so many steps."""

    def rate(self, now, step, number):
        return now * self.gamma if step and step % self.step_size == 0 else now


class MultiStepLR(_Plain):
    """Another factor at given steps."""

    def rate(self, now, step, number):
        return now * self.gamma ** self.milestones[step]


class ConstantLR(_Plain):
    """A factor for the first steps."""

    def rate(self, now, step, number):
        return now * (self.factor if step == 0 else 1 / self.factor if step == self.total_iters else 1)


class LinearLR(_Plain):
    """A factor that goes in a straight line from one to another."""

    def rate(self, now, step, number):
        if step == 0 or step > self.total_iters:
            return now * (1 if step else self.start_factor)
        rise = self.end_factor - self.start_factor
        return now * (1.0 + rise / (self.total_iters * self.start_factor + (step - 1) * rise))


class ExponentialLR(_Plain):
    """A factor in each step."""

    def rate(self, now, step, number):
        return now * self.gamma if step else now


class PolynomialLR(_Plain):
    """A power of the steps that are left."""

    def rate(self, now, step, number):
        if step == 0 or step > self.total_iters:
            return now
        return now * ((1.0 - step / self.total_iters) / (1.0 - (step - 1) / self.total_iters)) ** self.power


class CosineAnnealingLR(_Plain):
    """Half a wave of the cosine."""

    def rate(self, now, step, number):
        if step == 0:
            return now
        if (step - 1 - self.T_max) % (2 * self.T_max) == 0:  # up again
            rise = (self.base_lrs[number] - self.eta_min) * (1 - math.cos(math.pi / self.T_max)) / 2
            return now + rise
        here, before = (1 + math.cos(math.pi * each / self.T_max) for each in (step, step - 1))
        return here / before * (now - self.eta_min) + self.eta_min


class OneCycleLR(LRScheduler):
    """Up to a largest rate and down to far below the first one, while the momentum goes the other way."""

    def __init__(
        self, optimizer, max_lr, total_steps=None, epochs=None, steps_per_epoch=None, pct_start=0.3, anneal_strategy="cos",
        cycle_momentum=True, base_momentum=0.85, max_momentum=0.95, div_factor=25.0, final_div_factor=1e4, three_phase=False,
        last_epoch=-1,
    ) -> None:  # fmt: skip
        if total_steps is None and (epochs is None or steps_per_epoch is None):
            raise ValueError("You must define either total_steps OR (epochs AND steps_per_epoch)")
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(
                f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}"
            )
        self.total_steps, self._anneal_func_type = total_steps or epochs * steps_per_epoch, anneal_strategy
        names = ["initial_lr", "max_lr", *["initial_lr"] * three_phase, "min_lr"]
        powers = ["max_momentum", "base_momentum", *["max_momentum"] * three_phase, "max_momentum"]
        up, end = float(pct_start * self.total_steps) - 1, self.total_steps - 1
        self._schedule_phases = [
            {
                "end_step": step,
                "start_lr": names[k],
                "end_lr": names[k + 1],
                "start_momentum": powers[k],
                "end_momentum": powers[k + 1],
            }
            for k, step in enumerate([up, 2 * up, end] if three_phase else [up, end])
        ]
        groups = optimizer.param_groups
        if cycle_momentum and not any(key in groups[0] for key in ("momentum", "betas")):
            raise ValueError("optimizer must support momentum or beta1 with `cycle_momentum` option enabled")
        largest = list(max_lr) if isinstance(max_lr, list | tuple) else [max_lr] * len(groups)
        for group, most in zip(groups, largest, strict=True):
            first = most / div_factor
            group.update(initial_lr=first, max_lr=most, min_lr=first / final_div_factor)
            if cycle_momentum:
                group.update(max_momentum=max_momentum, base_momentum=base_momentum)
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self.use_beta1 = "betas" in groups[0]
        super().__init__(optimizer, last_epoch)

    def _between(self, group, what, step):
        start = 0.0
        for phase in self._schedule_phases:
            end = phase["end_step"]
            if step <= end or phase is self._schedule_phases[-1]:
                share = (step - start) / (end - start)
                low, high = group[phase[f"start_{what}"]], group[phase[f"end_{what}"]]
                if self._anneal_func_type == "linear":
                    return (high - low) * share + low
                return high + (low - high) / 2.0 * (math.cos(math.pi * share) + 1)
            start = end

    def step(self, epoch=None) -> None:
        if self.last_epoch + 1 > self.total_steps:
            raise ValueError(
                f"Tried to step {self.last_epoch + 1} times. The total number of steps is {self.total_steps}"
            )
        super().step(epoch)
        for group in self.optimizer.param_groups if self.cycle_momentum else []:
            momentum = self._between(group, "momentum", self.last_epoch)
            if self.use_beta1:
                group["betas"] = (momentum, *group["betas"][1:])
            else:
                group["momentum"] = momentum

    def rate(self, now, step, number):
        return self._between(self.optimizer.param_groups[number], "lr", step)


class ReduceLROnPlateau(LRScheduler):
    """A factor where a measure does not get better."""

    def __init__(
        self, optimizer, mode="min", factor=0.1, patience=10, threshold=1e-4, threshold_mode="rel", cooldown=0, min_lr=0, eps=1e-8,
    ) -> None:  # fmt: skip
        if factor >= 1.0:
            raise ValueError("Factor should be < 1.0.")
        self.factor, self.optimizer, self.default_min_lr = factor, optimizer, min_lr
        groups = len(optimizer.param_groups)
        self.min_lrs = list(min_lr) if isinstance(min_lr, list | tuple) else [min_lr] * groups
        self.patience, self.cooldown, self.eps, self.last_epoch = patience, cooldown, eps, 0
        self._last_lr = [group["lr"] for group in optimizer.param_groups]
        self.mode_worse = math.inf if mode == "min" else -math.inf
        self.mode, self.threshold, self.threshold_mode = mode, threshold, threshold_mode
        self.best = self.mode_worse
        self.cooldown_counter = self.num_bad_epochs = 0

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
            for group, least in zip(self.optimizer.param_groups, self.min_lrs, strict=True):
                rate = max(group["lr"] * self.factor, least)
                group["lr"] = rate if group["lr"] - rate > self.eps else group["lr"]
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0
        self._last_lr = [group["lr"] for group in self.optimizer.param_groups]


class _Several(LRScheduler):
    """What leads several schedules of one optimiser."""

    def _lead(self, optimizer, schedulers) -> None:
        name = type(self).__name__
        if not schedulers:
            raise ValueError(f"{name} expects at least one scheduler, but got no scheduler.")
        for number, one in enumerate(schedulers):
            if not hasattr(one, "optimizer"):
                raise TypeError(f"{name} at index {number} should have `optimizer` as its attribute.")
            if isinstance(one, ReduceLROnPlateau) or one.optimizer is not (
                optimizer or schedulers[0].optimizer
            ):
                raise ValueError(
                    f"{name} does not take the scheduler at index {number}: another optimizer's, or a plateau's"
                )
        self._schedulers, self.optimizer = schedulers, optimizer or schedulers[0].optimizer

    def state_dict(self) -> dict:
        kept = {key: value for key, value in vars(self).items() if key not in ("optimizer", "_schedulers")}
        return kept | {"_schedulers": [one.state_dict() for one in self._schedulers]}

    def load_state_dict(self, state_dict: dict) -> None:
        vars(self).update({key: value for key, value in state_dict.items() if key != "_schedulers"})
        for one, kept in zip(self._schedulers, state_dict["_schedulers"], strict=True):
            one.load_state_dict(kept)


class SequentialLR(_Several):
    """One schedule after the other."""

    def __init__(self, optimizer, schedulers, milestones, last_epoch=-1) -> None:
        self._lead(optimizer, schedulers)
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(
                "Sequential Schedulers expects number of schedulers provided to be one more than the number of milestone points, "
                f"but got number of schedulers {len(schedulers)} and the number of milestones to be equal to {len(milestones)}"
            )
        self._milestones, self.last_epoch = milestones, last_epoch + 1
        for group in optimizer.param_groups:
            group["lr"] = group["initial_lr"]
        self.recursive_undo()
        first = schedulers[bisect_right(milestones, 0)]
        first._step_count = 0
        first.step()
        self._last_lr = first.get_last_lr()

    def recursive_undo(self, sched=None) -> None:
        for one in (self if sched is None else sched)._schedulers:
            if hasattr(one, "_schedulers"):
                self.recursive_undo(one)
            else:
                one.last_epoch -= 1

    def step(self) -> None:
        self.last_epoch += 1
        number = bisect_right(self._milestones, self.last_epoch)
        begins = number > 0 and self._milestones[number - 1] == self.last_epoch
        self._schedulers[number].step(*[0] * begins)
        self._last_lr = self._schedulers[number].get_last_lr()


class ChainedScheduler(_Several):
    """Several schedules at once."""

    def __init__(self, schedulers, optimizer=None) -> None:
        self._lead(optimizer, schedulers)
        self._last_lr = [group["lr"] for group in self.optimizer.param_groups]

    def step(self) -> None:
        for one in self._schedulers:
            one.step()
        self._last_lr = [group["lr"] for group in self.optimizer.param_groups]


ALL = {
    kind.__name__: kind
    for kind in (
        LRScheduler, LambdaLR, MultiplicativeLR, *_Plain.__subclasses__(), OneCycleLR, ReduceLROnPlateau, SequentialLR, ChainedScheduler,
    )
}  # fmt: skip
for _kind in ALL.values():
    _kind.__module__ = "torch.optim.lr_scheduler"
