"""``torch.distributions``: the five that students use, and the distances between two of a kind."""

import math

import torch
from torch import _dtype
from torch._absent import missing, namespace, refuser
from torch._form import Size
from torch._surface import hold
from torch.nn.functional import binary_cross_entropy_with_logits, softplus

_REAL = ("Real()", lambda x: x == x)
_POSITIVE = ("GreaterThan(lower_bound=0.0)", lambda x: x > 0.0)
_CHANCES = ("Interval(lower_bound=0.0, upper_bound=1.0)", lambda x: (x >= 0.0) & (x <= 1.0))


def _tensors(*values) -> list:
    """Give parameters one shape; numbers become tensors, of the type of those that are tensors."""
    for value in values:
        if not isinstance(value, torch.Tensor | int | float):
            raise ValueError(
                "Input arguments must all be instances of Number, torch.Tensor or objects implementing "
                "__torch_function__."
            )
    kind = next((v.dtype for v in values if isinstance(v, torch.Tensor)), _dtype.get_default_dtype())
    made = [v if isinstance(v, torch.Tensor) else torch.tensor(v, dtype=kind) for v in values]
    return list(torch.broadcast_tensors(*made))


def _inside(chances):
    """Keep chances away from 0 and 1, so that they have a logarithm."""
    eps = torch.finfo(chances.dtype).eps
    return chances.clamp(min=eps, max=1 - eps)


class Distribution:
    """What all distributions have: shapes, drawing, and the check of what is given."""

    _validate_args, has_rsample, has_enumerate_support = True, False, False
    _names: tuple = ()

    def __init__(self, batch_shape=None, event_shape=None, validate_args=None) -> None:
        self._batch_shape, self._event_shape = Size(batch_shape or ()), Size(event_shape or ())
        if validate_args is not None:
            self._validate_args = validate_args
        for name, (said, holds) in self._limits().items() if self._validate_args else ():
            value = vars(self).get(name)
            if value is not None and not bool(holds(value).all()):
                raise ValueError(
                    f"Expected parameter {name} ({type(value).__name__} of shape {tuple(value.shape)}) of "
                    f"distribution {self!r} to satisfy the constraint {said}, but found invalid values:\n{value}"
                )

    @staticmethod
    def set_default_validate_args(value: bool) -> None:
        """Switch the checks of what is given on or off."""
        Distribution._validate_args = value

    batch_shape = property(lambda self: self._batch_shape)
    event_shape = property(lambda self: self._event_shape)
    stddev = property(lambda self: self.variance.sqrt())

    def _limits(self) -> dict:
        return {}

    def _extended_shape(self, sample_shape=()) -> Size:
        return Size((*sample_shape, *self._batch_shape, *self._event_shape))

    def _checked(self, value) -> None:
        """Complain of a value that cannot be drawn."""
        if not self._validate_args:
            return
        if not isinstance(value, torch.Tensor):
            raise ValueError("The value argument to log_prob must be a Tensor")
        for a, b in zip(reversed(value.shape), reversed(self._extended_shape()), strict=False):
            if a != 1 and b != 1 and a != b:
                raise ValueError(
                    f"Value is not broadcastable with batch_shape+event_shape: {value.shape} vs "
                    f"{self._extended_shape()}."
                )
        said, holds = self._support()
        if not bool(holds(value).all()):
            raise ValueError(
                f"Expected value argument ({type(value).__name__} of shape {tuple(value.shape)}) to be within "
                f"the support ({said}) of the distribution {self!r}, but found invalid values:\n{value}"
            )

    def sample(self, sample_shape=()):
        """Draw, without a gradient."""
        with torch.no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape=()):
        """Draw so that the draw has a gradient, where there is a way."""
        raise NotImplementedError

    def sample_n(self, n):
        """Draw n times."""
        return self.sample((n,))

    def perplexity(self):
        """Give e to the entropy."""
        return self.entropy().exp()

    def __repr__(self) -> str:
        held = {name: vars(self)[name] for name in self._names if name in vars(self)}
        parts = [f"{name}: {v if v.numel() == 1 else v.size()}" for name, v in held.items()]
        return f"{type(self).__name__}({', '.join(parts)})"

    def __getattr__(self, name: str):
        if name.startswith("_") or not hasattr(_PUBLIC, name):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        raise missing(f"torch.distributions.{type(self).__name__}.{name}")


class _PUBLIC:
    """What PyTorch's distributions have besides."""

    arg_constraints = support = expand = enumerate_support = cdf = icdf = mode = None


class Normal(Distribution):
    """The bell curve."""

    has_rsample, _names = True, ("loc", "scale")

    def __init__(self, loc, scale, validate_args=None) -> None:
        self.loc, self.scale = _tensors(loc, scale)
        super().__init__(self.loc.shape, validate_args=validate_args)

    mean = mode = property(lambda self: self.loc)
    stddev = property(lambda self: self.scale)
    variance = property(lambda self: self.scale**2)

    def _limits(self) -> dict:
        return {"loc": _REAL, "scale": _POSITIVE}

    def _support(self):
        return _REAL

    def sample(self, sample_shape=()):
        """Draw, without a gradient."""
        shape = self._extended_shape(sample_shape)
        with torch.no_grad():
            return torch.normal(self.loc.expand(shape), self.scale.expand(shape))

    def rsample(self, sample_shape=()):
        """Draw so that the draw has a gradient."""
        return self.loc + torch.randn(self._extended_shape(sample_shape), dtype=self.loc.dtype) * self.scale

    def log_prob(self, value):
        self._checked(value)
        return (
            -((value - self.loc) ** 2) / (2 * self.scale**2)
            - self.scale.log()
            - math.log(math.sqrt(2 * math.pi))
        )

    def cdf(self, value):
        self._checked(value)
        return 0.5 * (1 + torch.erf((value - self.loc) * self.scale.reciprocal() / math.sqrt(2)))

    def icdf(self, value):
        return self.loc + self.scale * torch.erfinv(2 * value - 1) * math.sqrt(2)

    def entropy(self):
        return 0.5 + 0.5 * math.log(2 * math.pi) + torch.log(self.scale)


class Uniform(Distribution):
    """All numbers between two alike."""

    has_rsample, _names = True, ("low", "high")

    def __init__(self, low, high, validate_args=None) -> None:
        self.low, self.high = _tensors(low, high)
        super().__init__(self.low.shape, validate_args=validate_args)

    mean = property(lambda self: (self.high + self.low) / 2)
    mode = property(lambda self: math.nan * self.high)
    stddev = property(lambda self: (self.high - self.low) / 12**0.5)
    variance = property(lambda self: (self.high - self.low) ** 2 / 12)

    def _limits(self) -> dict:
        return {
            "low": (f"LessThan(upper_bound={self.high})", lambda x: x < self.high),
            "high": (f"GreaterThan(lower_bound={self.low})", lambda x: x > self.low),
        }

    def _support(self):
        said = f"Interval(lower_bound={self.low}, upper_bound={self.high})"
        return said, lambda x: (x >= self.low) & (x <= self.high)

    def rsample(self, sample_shape=()):
        """Draw so that the draw has a gradient."""
        drawn = torch.rand(self._extended_shape(sample_shape), dtype=self.low.dtype)
        return self.low + drawn * (self.high - self.low)

    def log_prob(self, value):
        self._checked(value)
        inside = self.low.le(value).type_as(self.low) * self.high.gt(value).type_as(self.low)
        return torch.log(inside) - torch.log(self.high - self.low)

    def cdf(self, value):
        self._checked(value)
        return ((value - self.low) / (self.high - self.low)).clamp(min=0, max=1)

    def icdf(self, value):
        return value * (self.high - self.low) + self.low

    def entropy(self):
        return torch.log(self.high - self.low)


class Exponential(Distribution):
    """How long one waits for what comes at a rate."""

    has_rsample, _names = True, ("rate",)

    def __init__(self, rate, validate_args=None) -> None:
        (self.rate,) = _tensors(rate)
        super().__init__(self.rate.shape, validate_args=validate_args)

    mean = stddev = property(lambda self: self.rate.reciprocal())
    mode = property(lambda self: torch.zeros_like(self.rate))
    variance = property(lambda self: self.rate**-2)

    def _limits(self) -> dict:
        return {"rate": _POSITIVE}

    def _support(self):
        return "GreaterThanEq(lower_bound=0.0)", lambda x: x >= 0.0

    def rsample(self, sample_shape=()):
        """Draw so that the draw has a gradient."""
        return (
            torch.empty(self._extended_shape(sample_shape), dtype=self.rate.dtype).exponential_() / self.rate
        )

    def log_prob(self, value):
        self._checked(value)
        return self.rate.log() - self.rate * value

    def cdf(self, value):
        self._checked(value)
        return 1 - torch.exp(-self.rate * value)

    def icdf(self, value):
        return -torch.log1p(-value) / self.rate

    def entropy(self):
        return 1.0 - torch.log(self.rate)


class _OfChances(Distribution):
    """A distribution that is given by its chances or by their logits; the others are made when they are asked for."""

    _names = ("probs", "logits")

    def __init__(self, probs, logits, shape, validate_args) -> None:
        vars(self).update({k: v for k, v in (("probs", probs), ("logits", logits)) if v is not None})
        self._param = probs if probs is not None else logits
        super().__init__(shape, validate_args=validate_args)

    @staticmethod
    def _one(probs, logits) -> None:
        if (probs is None) == (logits is None):
            raise ValueError("Either `probs` or `logits` must be specified, but not both.")

    param_shape = property(lambda self: self._param.size())

    def __getattr__(self, name: str):
        if name in ("probs", "logits") and "_param" in vars(self):
            vars(self)[name] = self._other(name, self._param)
            return vars(self)[name]
        return super().__getattr__(name)


class Categorical(_OfChances):
    """One of several classes."""

    has_enumerate_support = True

    def __init__(self, probs=None, logits=None, validate_args=None) -> None:
        self._one(probs, logits)
        given, name = (logits, "logits") if probs is None else (probs, "probs")
        if given.dim() < 1:
            raise ValueError(f"`{name}` parameter must be at least one-dimensional.")
        if probs is None:
            logits = logits - logits.logsumexp(dim=-1, keepdim=True)
        else:
            probs = probs / probs.sum(-1, keepdim=True)
        self._num_events = given.shape[-1]
        super().__init__(probs, logits, given.shape[:-1], validate_args)

    def _other(self, name: str, param):
        return param.softmax(-1) if name == "probs" else _inside(param).log()

    def _limits(self) -> dict:
        whole = lambda x: (x >= 0).all(-1) & ((x.sum(-1) - 1).abs() < 1e-6)  # noqa: E731
        return {"probs": ("Simplex()", whole), "logits": ("IndependentConstraint(Real(), 1)", _REAL[1])}

    def _support(self):
        last = self._num_events - 1
        said = f"IntegerInterval(lower_bound=0, upper_bound={last})"
        return said, lambda x: (x % 1 == 0) & (x >= 0) & (x <= last)

    mean = variance = property(
        lambda self: torch.full(self._extended_shape(), math.nan, dtype=self.probs.dtype)
    )
    mode = property(lambda self: self.probs.argmax(dim=-1))

    def sample(self, sample_shape=()):
        """Draw classes."""
        rows = self.probs.reshape(-1, self._num_events)
        drawn = torch.multinomial(rows, math.prod(sample_shape), True).T
        return drawn.reshape(self._extended_shape(sample_shape))

    def log_prob(self, value):
        self._checked(value)
        value, logits = torch.broadcast_tensors(value.long().unsqueeze(-1), self.logits)
        return logits.gather(-1, value[..., :1]).squeeze(-1)

    def entropy(self):
        logits = torch.clamp(self.logits, min=torch.finfo(self.logits.dtype).min)
        return -(logits * self.probs).sum(-1)

    def enumerate_support(self, expand=True):
        """List all classes."""
        values = torch.arange(self._num_events).view((-1,) + (1,) * len(self._batch_shape))
        return values.expand((-1, *self._batch_shape)) if expand else values


class Bernoulli(_OfChances):
    """Yes or no, as 1 or 0."""

    has_enumerate_support = True

    def __init__(self, probs=None, logits=None, validate_args=None) -> None:
        self._one(probs, logits)
        (given,) = _tensors(logits if probs is None else probs)
        pair = (None, given) if probs is None else (given, None)
        super().__init__(*pair, given.shape, validate_args)

    def _other(self, name: str, param):
        if name == "probs":
            return param.sigmoid()
        near = _inside(param)
        return torch.log(near) - torch.log1p(-near)

    def _limits(self) -> dict:
        return {"probs": _CHANCES, "logits": _REAL}

    def _support(self):
        return "Boolean()", lambda x: (x == 0) | (x == 1)

    mean = property(lambda self: self.probs)
    variance = property(lambda self: self.probs * (1 - self.probs))

    @property
    def mode(self):
        """Give what is likelier; NaN where both are alike."""
        return torch.where(self.probs == 0.5, math.nan, (self.probs >= 0.5).to(self.probs.dtype))

    def sample(self, sample_shape=()):
        """Draw, without a gradient."""
        with torch.no_grad():
            return torch.bernoulli(self.probs.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value):
        self._checked(value)
        logits, value = _tensors(self.logits, value)
        return -binary_cross_entropy_with_logits(logits, value, reduction="none")

    def entropy(self):
        return binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none")

    def enumerate_support(self, expand=True):
        """List 0 and 1."""
        values = torch.arange(2, dtype=self._param.dtype).view((-1,) + (1,) * len(self._batch_shape))
        return values.expand((-1, *self._batch_shape)) if expand else values


def _normals(p, q):
    ratio = (p.scale / q.scale) ** 2
    return 0.5 * (ratio + ((p.loc - q.loc) / q.scale) ** 2 - 1 - ratio.log())


def _classes(p, q):
    t = p.probs * (p.logits - q.logits)
    t = torch.where(q.probs == 0, math.inf, t)
    return torch.where(p.probs == 0, 0.0, t).sum(-1)


def _yes_or_no(p, q):
    def part(a, b, log):
        term = torch.where(b == 0, math.inf, a * log)
        return torch.where(a == 0, 0.0, term)

    yes = softplus(-q.logits) - softplus(-p.logits)
    no = softplus(q.logits) - softplus(p.logits)
    return part(p.probs, q.probs, yes) + part(1 - p.probs, 1 - q.probs, no)


def _waits(p, q):
    ratio = q.rate / p.rate
    return -ratio.log() + ratio - 1


def _spans(p, q):
    far = torch.log((q.high - q.low) / (p.high - p.low))
    return torch.where((q.low > p.low) | (q.high < p.high), math.inf, far)


_DISTANCES = {
    Normal: _normals, Categorical: _classes, Bernoulli: _yes_or_no, Exponential: _waits, Uniform: _spans
}  # fmt: skip


def kl_divergence(p, q):
    """Tell how far one distribution is from another of its kind, by Kullback and Leibler."""
    distance = _DISTANCES.get(type(p)) if type(p) is type(q) else None
    if distance is None:
        raise missing(f"torch.distributions.kl_divergence of {type(p).__name__} and {type(q).__name__}")
    return distance(p, q)


hold("distributions", globals())
kl = namespace("torch.distributions.kl", kl_divergence=kl_divergence)
for _name, _one in {"normal": Normal, "categorical": Categorical, "bernoulli": Bernoulli, "uniform": Uniform,
                    "exponential": Exponential, "distribution": Distribution}.items():  # fmt: skip
    globals()[_name] = namespace(f"torch.distributions.{_name}", **{_one.__name__: _one})
__getattr__ = refuser(__name__)
