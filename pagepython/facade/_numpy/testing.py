"""NumPy's checks of arrays."""

import absent
import numpy as np


def assert_allclose(actual, desired, rtol=1e-07, atol=0, err_msg="") -> None:
    """Refuse what is not close."""
    if not np.isclose(actual, desired, rtol, atol, equal_nan=True).all():
        raise AssertionError(
            f"\nNot equal to tolerance rtol={rtol:g}, atol={atol:g}\n{err_msg}\n ACTUAL: {actual!r}\n DESIRED: {desired!r}"
        )


def assert_array_equal(actual, desired, err_msg="") -> None:
    """Refuse what is not equal."""
    assert_allclose(actual, desired, 0, 0, err_msg)


def __getattr__(name: str):
    if name.startswith("__"):
        raise AttributeError(name)
    return absent.make(f"numpy.testing.{name}")
