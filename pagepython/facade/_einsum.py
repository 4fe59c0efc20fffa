"""Sums of products over letters: ``einsum`` and what is said by it."""

import string
from itertools import count

from torch import _axes, _slices, _views
from torch._call import call


def _letters(equation: str, operands: list) -> tuple[list[str], str]:
    """Read an equation; axes that ``...`` stands for get letters of their own."""
    left, arrow, right = equation.replace(" ", "").partition("->")
    for place, sign in enumerate(equation):
        if not (sign.isascii() and sign.isalpha()) and sign not in ",.-> ":
            raise RuntimeError(
                f"einsum(): invalid subscript given at index {place} in the equation string, subscripts must be in [a-zA-Z]"
            )
    terms = left.split(",")
    if len(terms) != len(operands):
        raise RuntimeError(
            "einsum(): more operands were provided than specified in the equation"
            if len(terms) < len(operands)
            else "einsum(): fewer operands were provided than specified in the equation"
        )
    ranks = [t.dim() - len(term.replace("...", "")) for term, t in zip(terms, operands, strict=True)]
    for place, (term, rank) in enumerate(zip(terms, ranks, strict=True)):
        if rank < 0 or (rank and "..." not in term):
            raise RuntimeError(
                f"einsum(): the number of subscripts in the equation ({len(term.replace('...', ''))}) does not match the number "
                f"of dimensions ({operands[place].dim()}) for operand {place}"
                + " and no ellipsis was given"
                * ("..." not in term)
            )
    sizes: dict = {}
    for place, (term, operand) in enumerate(zip(terms, operands, strict=True)):
        for letter, size in zip(term, operand.shape, strict=False) if "..." not in term else ():
            seen = sizes.setdefault(letter, size)
            if (own := operand.shape[term.index(letter)]) != size:
                raise RuntimeError(
                    f"einsum(): subscript {letter} is repeated for operand {place} but the sizes don't match, {size} != {own}"
                )
            if seen != size and 1 not in (seen, size):
                raise RuntimeError(
                    f"einsum(): subscript {letter} has size {size} for operand {place} which does not broadcast "
                    f"with previously seen size {seen}"
                )
            sizes[letter] = max(seen, size)
    spare = "".join(map(chr, range(0x100, 0x100 + max([0, *ranks]))))
    terms = [term.replace("...", spare[len(spare) - rank :]) for term, rank in zip(terms, ranks, strict=True)]
    if not arrow:
        once = sorted(x for x in set(left) & set(string.ascii_letters) if left.count(x) == 1)
        right = "..." + "".join(once)
    right = right.replace("...", spare)
    for letter in right:
        if right.count(letter) > 1:
            raise RuntimeError(f"einsum(): output subscript {letter} appears more than once in the output")
        if not any(letter in term for term in terms):
            raise RuntimeError(
                f"einsum(): output subscript {letter} does not appear in the equation for any input operand"
            )
    return terms, right


def _once(term: str, operand):
    """Take the diagonal where a letter stands twice."""
    for letter in dict.fromkeys(term):
        while term.count(letter) > 1:
            first, second = term.index(letter), term.rindex(letter)
            if operand.shape[first] != operand.shape[second]:
                sizes = f"{operand.shape[second]} != {operand.shape[first]}"  # with "...", else it was seen before
                raise RuntimeError(
                    f"einsum(): subscript {letter} is repeated for operand 0 but the sizes don't match, {sizes}"
                )
            operand = _slices.diagonal(operand, 0, first, second)
            term = "".join(x for k, x in enumerate(term) if k not in (first, second)) + letter
    return term, operand


def _placed(term: str, operand, wanted: str, sizes: dict):
    """Put axes in order, each as long as it is elsewhere."""
    moved = _axes.permute(operand, [term.index(x) for x in wanted])
    return _views.expand(moved, [sizes[x] for x in wanted])


def _pair(one: tuple, two: tuple, kept: str) -> tuple:
    """Multiply two operands and sum over what nobody wants any more: one product of matrices."""
    (left, a), (right, b) = one, two
    sizes: dict = {}
    for term, operand in (one, two):
        for letter, length in zip(term, operand.shape, strict=True):
            sizes[letter] = length if sizes.get(letter, 1) == 1 else sizes[letter]
            if length not in (1, sizes[letter]):
                raise RuntimeError(
                    f"einsum(): operands do not broadcast with remapped shapes [original->remapped]: {list(a.shape)} {list(b.shape)}"
                )
    a, left = _summed(left, a, right + kept)
    b, right = _summed(right, b, left + kept)
    both = [x for x in left if x in right]
    batch, inner = ["".join(x for x in both if (x in kept) == wanted) for wanted in (True, False)]
    rows, columns = ["".join(x for x in t if x not in both) for t in (left, right)]
    lengths = [[sizes[x] for x in part] for part in (batch, rows, columns)]
    a = _placed(left, a, batch + rows + inner, sizes).reshape(
        [*lengths[0], _size(rows, sizes), _size(inner, sizes)]
    )
    b = _placed(right, b, batch + inner + columns, sizes).reshape(
        [*lengths[0], _size(inner, sizes), _size(columns, sizes)]
    )
    if not inner:
        return batch + rows + columns, (a * b).reshape(lengths[0] + lengths[1] + lengths[2])
    return batch + rows + columns, call("matmul", a, b).reshape(lengths[0] + lengths[1] + lengths[2])


def _size(letters: str, sizes: dict) -> int:
    out = 1
    for letter in letters:
        out *= sizes[letter]
    return out


def _summed(term: str, operand, kept: str) -> tuple:
    """Sum over the axes that stand in no other term."""
    axes = [k for k, x in enumerate(term) if x not in kept]
    return (operand.sum(axes) if axes else operand), "".join(x for x in term if x in kept)


def einsum(equation, *operands):
    """Sum products over letters; places may stand for letters, after each operand."""
    if not isinstance(equation, str):
        every = [equation, *operands]
        operands, places = every[0 : len(every) // 2 * 2 : 2], [*every[1::2], *every[len(every) // 2 * 2 :]]
        spelled = ["".join("..." if p is ... else chr(97 + p) for p in one) for one in places]
        equation = ",".join(spelled[: len(operands)]) + "".join(
            "->" + one for one in spelled[len(operands) :]
        )
    if len(operands) == 1 and isinstance(operands[0], tuple | list):
        operands = operands[0]
    terms, right = _letters(equation, list(operands))
    found = [_once(term, operand) for term, operand in zip(terms, operands, strict=True)]
    while len(found) > 1:
        one, two, *rest = found
        found = [_pair(one, two, right + "".join(term for term, _ in rest)), *rest]
    operand, term = _summed(*found[0], right)
    return _axes.permute(operand, [term.index(x) for x in right])


def tensordot(a, b, dims=2):
    """Multiply and sum over several axes."""
    if isinstance(dims, int):
        if dims > min(a.dim(), b.dim()):
            raise RuntimeError(f"tensordot expects dims < ndim_a or ndim_b, but got dims={dims}")
        dims = list(range(a.dim() - dims, a.dim())), list(range(dims))
    first, second = [[d % t.dim() for d in part] for part, t in zip(dims, (a, b), strict=True)]
    for m, n in zip(first, second, strict=True):
        if a.shape[m] != b.shape[n] and 1 not in (a.shape[m], b.shape[n]):
            raise RuntimeError(
                f"contracted dimensions need to match, but first has size {a.shape[m]} in dim {m - a.dim()} and second has size {b.shape[n]} in dim {n}"
            )
    fresh = count(0x200)
    left = [chr(next(fresh)) for _ in range(a.dim())]
    right = [left[first[second.index(k)]] if k in second else chr(next(fresh)) for k in range(b.dim())]
    rest = [x for x in left + right if (x in left) != (x in right)]
    return _pair(("".join(left), a), ("".join(right), b), "".join(rest))[1]


def kron(self, other):
    """Put a copy of a tensor, scaled, in the place of each number of another."""
    rank = max(self.dim(), other.dim())
    a, b = (t.reshape([1] * (rank - t.dim()) + list(t.shape)) for t in (self, other))
    pairs = [(n, m) for n, m in zip(a.shape, b.shape, strict=True)]
    spread = a.reshape([k for n, _ in pairs for k in (n, 1)]) * b.reshape(
        [k for _, m in pairs for k in (1, m)]
    )
    return spread.reshape([n * m for n, m in pairs])
