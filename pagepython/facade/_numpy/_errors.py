"""NumPy's own errors, where a tensor's stand behind a mistake with arrays."""

import functools
import re

import absent
import torch


class UFuncTypeError(TypeError):
    """A function of each number that has no form for such types."""


UFuncTypeError.__module__ = "numpy._core._exceptions"


class AxisError(ValueError, IndexError):
    """An axis that an array has not got."""


AxisError.__module__ = "numpy.exceptions"
INDICES = "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are valid indices"
# what PyTorch says, and what NumPy does
WORDS = (
    (r"shape '\[(.*)\]' is invalid for input of size (\d+)", ValueError, "cannot reshape array of size {1} into shape ({0})"),
    (
        r"Sizes of tensors must match except in dimension (\d+). Expected size (\d+) but got size (\d+) for tensor number (\d+)", ValueError,
        "all the input array dimensions except for the concatenation axis must match exactly, but the array at index 0 has size {1} "
        "and the array at index {3} has size {2}",
    ),
    (
        r"Tensors must have same number of dimensions: got (\d+) and (\d+)", ValueError,
        "all the input arrays must have same number of dimensions, but the array at index 0 has {0} dimension(s) and another has {1}",
    ),
    (r"stack expects each", ValueError, "all input arrays must have the same shape"),
    (r"expect\w* a non-empty", ValueError, "need at least one array to concatenate"),
    (r"a Tensor with \d+ elements", ValueError, "can only convert an array of size 1 to a Python scalar"),
    (r"(arg\w+)\(\): Expected reduction", ValueError, "attempt to get {0} of an empty sequence"),
    (r"a?(max|min)\(\): Expected reduction", ValueError, "zero-size array to reduction operation {0}imum which has no identity"),
    (r"Dimension out of range .*\[-(\d+), .*\], but got (-?\d+)", AxisError, "axis {1} is out of bounds for array of dimension {0}"),
    (r"appears multiple times in the list of dims", ValueError, "duplicate value in 'axis'"),
    (r"quantile\(\) q", ValueError, "Quantiles must be in the range [0, 1]"),
    (r"duplicate dims", ValueError, "repeated axis in transpose"),
    (r"repeated dim", ValueError, "repeated axis"),
    (r"negative dimension", ValueError, "negative dimensions are not allowed"),
    (r"only one dimension can be inferred", ValueError, "can only specify one unknown dimension"),
    (
        r"The size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\)", ValueError,
        "operands could not be broadcast together: an axis has length {0} in one and {1} in another",
    ),
    (r"too many indices for tensor of dimension (\d+)", IndexError, "too many indices for array: array is {0}-dimensional"),
    (r"(index -?\d+ is out of bounds for) dimension (.*)", IndexError, "{0} axis {1}"),
    (r"only integers, slices", IndexError, INDICES),
    (r"len\(\) of a 0-d", TypeError, "len() of unsized object"),
)  # fmt: skip


def worded(error: Exception) -> Exception:
    """Say in NumPy's words, and by NumPy's kind of error, what PyTorch complains of."""
    if found := re.search(r"(\w+)\(\) got an unexpected keyword argument '(\w+)'", str(error)):
        return absent.NotInPage(
            f"{found[2]}= of numpy.{found[1]} is not in the page; run this notebook in Jupyter."
        )
    for pattern, kind, words in WORDS:
        if found := re.search(pattern, str(error)):
            return kind(words.format(*(part.replace(", ", ",") for part in found.groups())))
    return ValueError(str(error)) if isinstance(error, RuntimeError) else error


def spoken(function):
    """Let a function of NumPy's raise NumPy's errors; a tensor that it is given has its own."""

    @functools.wraps(function)
    def act(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        except (RuntimeError, IndexError, TypeError) as error:
            own = type(error) not in (RuntimeError, IndexError, TypeError) or "requires grad" in str(error)
            if own or any(isinstance(one, torch.Tensor) for one in args[:2]):
                raise
            raise worded(error) from None

    return act
