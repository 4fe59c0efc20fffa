"""Programs of torch that hypothesis writes: what they print must not depend on whose torch it is."""

from hypothesis import strategies as st

FLOATS = ("float32", "float64", "float16")
WHOLE = ("int64", "int32", "uint8", "int8", "bool")
SIZES = st.lists(st.integers(0, 4), max_size=3).map(tuple)
FULL = st.lists(st.integers(1, 4), min_size=1, max_size=3).map(tuple)
SPECIAL = ["0.0", "-0.0", "1.0", "float('nan')", "float('inf')", "-float('inf')", "1e-5", "1e5", "123456.0"]
NUMBERS = st.one_of(
    st.sampled_from(SPECIAL),
    st.floats(-1000, 1000, width=16).map(repr),
    st.integers(-9, 9).map(lambda n: f"{n}.0"),
)
PLAIN = st.integers(-12, 12).map(lambda n: f"{n / 4}")


def count(shape: tuple) -> int:
    """Count the numbers of a shape."""
    size = 1
    for length in shape:
        size *= length
    return size


@st.composite
def tensors(draw, shapes=SIZES, kinds=FLOATS + WHOLE, numbers=NUMBERS):
    """Write a tensor, as an expression."""
    shape, kind = draw(shapes), draw(st.sampled_from(kinds))
    if kind not in FLOATS:
        low = 0 if kind in ("uint8", "bool") else -9
        numbers = st.integers(low, 1 if kind == "bool" else 9).map(str)
    size = count(shape)
    values = ", ".join(draw(st.lists(numbers, min_size=size, max_size=size)))
    return f"torch.tensor([{values}]).to(torch.{kind}).reshape({shape})"


SLICES = st.tuples(*[st.one_of(st.none(), st.integers(-5, 5))] * 2, st.sampled_from([None, 1, 2, 3])).map(
    lambda edges: ":".join("" if edge is None else str(edge) for edge in edges)
)
PLACES = st.one_of(
    st.integers(-3, 3).map(str),
    SLICES,
    st.sampled_from(["None", "...", ":", "True"]),
    st.lists(st.integers(-2, 2), max_size=3).map(str),
    st.lists(st.integers(0, 1), min_size=1, max_size=4).map(lambda bits: f"torch.tensor({bits}).bool()"),
    st.lists(st.integers(-2, 2), min_size=2, max_size=2).map(lambda two: f"torch.tensor([{two}])"),
)
INDEX = (
    st.lists(PLACES, min_size=1, max_size=3)
    .map(", ".join)
    .filter(lambda text: text.count("...") < 2 and text.count("True") < 2)
)


@st.composite
def indexing(draw):
    """Read and write at a place."""
    x, place = draw(tensors(numbers=PLAIN)), draw(INDEX)
    value = draw(
        st.one_of(st.sampled_from(["1", "2.5", "True"]), tensors(numbers=PLAIN, kinds=("float32", "int64")))
    )
    write = draw(
        st.sampled_from(
            ["x[{}] = {}", "x[{}] += {}", "x[{}]", "x[{}].mul_(2)", "y = x[{}]; y -= {}; print(y)"]
        )
    )
    return f"x = {x}\n{write.format(place, value)}\nprint(x)\nprint(x[{place}])"


PAIRS = (
    "x + y", "x - y", "x * y", "x / y", "x // y", "x % y", "x == y", "x < y", "x >= y", "y - x", "y / x", "y // x", "y % x",
    "torch.where(x > 0, x, y)", "x & y", "x | y", "x ^ y", "x.add_(y)", "x.mul_(y)", "x.div_(y)", "x.sub_(y)", "x.copy_(y)",
    "torch.maximum(x, y)", "torch.fmin(x, y)", "x.masked_fill(x > 0, y)", "torch.atan2(x, y)", "x.clamp(min=y)", "x.eq(y).sum()",
    "torch.cat([x, y])", "torch.stack([x, y])", "torch.add(x, y, alpha=2)",
    "torch.full_like(x, y)", "torch.result_type(x, y)", "x.fill_(y)", "x ** 2", "x ** 0.5", "x.lerp(y, 0.5)", "torch.equal(x, y)",
)  # fmt: skip


@st.composite
def arithmetic(draw):
    """Compute with two tensors, or with a tensor and a number."""
    y = draw(
        st.one_of(
            tensors(), tensors(st.just(())), st.sampled_from(["2", "-3", "0.5", "True", "0", "1e10", "-1"])
        )
    )
    return f"x = {draw(tensors())}\ny = {y}\nz = {draw(st.sampled_from(PAIRS))}\nprint(z, x.dtype, getattr(z, 'dtype', 0))"


SUMS = (
    "x.sum({})", "x.mean({})", "x.prod({})", "x.max({})", "x.min({})", "x.argmax({})", "x.argmin({})", "x.amax({})", "x.all({})",
    "x.any({})", "x.cumsum({})", "x.cumprod({})", "x.sort({})[0]", "x.softmax({})", "x.logsumexp({})",
    "x.std({})", "x.var({})", "x.norm(dim={})", "x.median({}).values", "x.flip({})", "x.unbind({})", "x.cummax(-1).values",
    "x.diff(dim={})", "x.topk(1, {}).values", "x.log_softmax({})", "x.count_nonzero({})", "x.squeeze({})", "x.unsqueeze({})",
    "x.split(2, {})", "x.chunk(2, {})", "x.roll(1, {})", "x.nansum({})", "x.quantile(0.5, {})", "x.argmax({}, keepdim=True)",
    "x.sum({}, keepdim=True)", "x.max({}, keepdim=True)", "x.sum()", "x.max()", "x.mean()", "x.argmax()", "x.unique()", "x.all()",
    "x.isnan()", "x.nonzero()", "x.tolist()", "x.bool()", "x.half()", "x.abs()", "x.sign()", "x.floor()",
    "x.unique(return_counts=True)", "x.exp()", "x.relu()", "-x", "x.nan_to_num()", "x.tril()", "x.T", "x.mT", "len(x)",
    "bool(x)", "x.item()", "x.flatten()", "x.repeat(2, 1, 1)", "x.expand(2, -1, -1, -1)", "x.movedim(0, -1)", "x.view(-1)",
)  # fmt: skip


@st.composite
def reducing(draw):
    """Sum, sort, choose along an axis."""
    what = draw(st.sampled_from(SUMS)).format(draw(st.integers(-3, 3)))
    return f"x = {draw(tensors(FULL, FLOATS[:2], PLAIN))}\nz = {what}\nprint(z, getattr(z, 'dtype', 0))"


VIEWS = (
    "v.T", "v[0]", "v[-1]", "v[..., 1:]", "v[::2]", "v.flatten()", "v.reshape(-1)", "v.unsqueeze(0)", "v.squeeze()", "v.diagonal()",
    "v.transpose(0, -1)", "v.unbind(0)[0]", "v.split(1)[0]", "v.view(-1)", "v.mT", "v.expand(2, *v.shape)[1]", "v.unfold(0, 1, 1)",
    "v.clone()", "v.detach()", "v.contiguous()", "v[[0]]", "v.narrow(0, 0, 1)", "v[None, ..., None]", "v.movedim(0, -1)",
)  # fmt: skip
WRITES = (
    "v.add_(1)", "v.mul_(3)", "v.zero_()", "v[0] = 7.0", "v += v.clone().flip(0)", "v[..., 0] *= 2", "v.copy_(w.sum())", "v -= w.sum()",
    "w.mul_(2)", "v.clamp_(-1, 1)", "v.neg_()", "w[0] = 0.0", "v.masked_fill_(v > 1, 0.5)", "v.sub_(v.mean())", "v[v > 0] = -1.0",
    "v.relu_()", "w += 1", "v.t_()", "v.unsqueeze_(0)", "v[-1:] = w.max()",
)  # fmt: skip


@st.composite
def writing(draw, start: str = "x = {}\nw = x"):
    """Write into views, and look what became of all."""
    lines = [start.format(draw(tensors(FULL, ("float32",), PLAIN))), "v = w"]
    for _ in range(draw(st.integers(1, 3))):
        lines += [f"v = {draw(st.sampled_from(VIEWS))}", draw(st.sampled_from(WRITES))]
    return "\n".join([*lines, "print(x, w, v, v.shape, v.is_contiguous())"])


@st.composite
def taped(draw):
    """Write into views of what wants a gradient."""
    code = draw(writing(start="x = ({}).requires_grad_()\nw = x * 1.5"))
    return f"{code.rpartition(chr(10))[0]}\nprint(w.detach(), v.detach(), w.requires_grad, v.requires_grad)\n((w * w).sum() + v.sum()).backward()\nprint(x.grad)"
