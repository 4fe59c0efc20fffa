"""What is reduced, and along which axes."""

from operator_draw import FLOATS


def reduced(d, dtypes=FLOATS, min_side=0, low=-3, high=3, odd=True):
    return d.tensor(d.shape(min_side=min_side), d.pick(dtypes), low, high, odd)


def axes_or_none(d, x):
    return d.pick([None, d.axes(x.dim())])


def keep(d):
    return d.pick([[], [True], [False]])
