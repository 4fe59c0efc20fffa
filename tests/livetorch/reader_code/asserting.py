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
