"""Conditions that raise an error; in a file of its own, since pytest writes the asserts of tests anew."""


def positive(x):
    assert (x > 0).all()
    assert 0 < x[0] < 9
    if not bool(x[1] < 5) or (x == 2).any():
        raise ValueError(f"{x[1]} is too large, or 2")
    return x.log()


def caught(x):
    try:
        assert (x > 0).all()
    except AssertionError:
        return -x
    return x


def one_of(x):
    assert any(each > 0 for each in x)
    return x


def between(x):
    if 5 < x[0] < 9:
        raise ValueError
    return x


def returned(x):
    if (x < 5).all():
        if x.dim():
            return x * 2
        raise ValueError
    return x


def left(x):
    for _ in range(3):
        x = x * 2
        if (x < 50).all():
            if x.dim():
                break
            raise ValueError
    return x


class Endless:
    """What Python itself asks, and takes an error for an answer."""

    def __init__(self, x):
        self.x = x

    def __next__(self):
        if (self.x > 5).any():
            raise StopIteration
        return self.x

    def __getitem__(self, i):
        if (self.x * i > 5).any():
            raise IndexError(i)
        return self.x * i

    @property
    def first(self):
        if (self.x > 5).any():
            raise AttributeError
        return self.x


def ended(x):
    return next(Endless(x), x * 0)


def indexed(x):
    return next(iter(Endless(x)), x * 0)


def owned(x):
    return getattr(Endless(x), "first", x * 0)


BRANCHES = [caught, one_of, between, returned, left, ended, indexed, owned]
