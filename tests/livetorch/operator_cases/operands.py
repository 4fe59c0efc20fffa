"""Two operands that broadcast, or a tensor and a number."""

from operator_draw import ANY


def two(d, dtypes=ANY, low=-3, high=3, odd=False):
    """Two tensors that broadcast; each of any dtype."""
    a, b = d.pair_of_shapes()
    return [d.tensor(shape, d.pick(dtypes), low, high, odd) for shape in (a, b)]


def tensor_and_number(d, dtypes=ANY, low=-3, high=3, odd=False):
    return [d.tensor(dtype=d.pick(dtypes), low=low, high=high, odd=odd), d.number(low, high)]


NOT_BOOL = [t for t in ANY if t != "bool"]
