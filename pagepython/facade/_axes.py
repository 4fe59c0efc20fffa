"""Views with their axes in another order."""

from torch._views import _view, alias, axis_of, ints


def permute(self, dims, told="permute"):
    if len(dims) != self.dim():
        raise RuntimeError(
            f"permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired ordering of dimensions i.e. input.dim() = {self.dim()} is not equal to len(dims) = {len(dims)}"
        )
    order = [axis_of(d, self.dim()) for d in dims]
    if len(set(order)) < len(order):
        raise RuntimeError("permute(): duplicate dims are not allowed.")
    strides = self.stride()
    back = [order.index(axis) for axis in range(len(order))]
    return _view(
        "permute",
        self,
        [self.shape[a] for a in order],
        [strides[a] for a in order],
        self.storage_offset(),
        told,
        back=back,
    )


def transpose(self, dim0, dim1):
    order = list(range(self.dim()))
    first, second = axis_of(dim0, self.dim()), axis_of(dim1, self.dim())
    if order:
        order[first], order[second] = order[second], order[first]
    return permute(self, order, told="transpose")


swapdims = transpose


def swapaxes(self, axis0, axis1):
    return transpose(self, axis0, axis1)


def mT(self):  # noqa: N802
    if self.dim() == 1:
        raise RuntimeError("tensor.mT is only supported on matrices or batches of matrices. Got 1-D tensor.")
    return transpose(self, -2, -1) if self.dim() else self


def H(self):  # noqa: N802
    if self.dim() not in (0, 2):
        raise RuntimeError(
            f"tensor.H is only supported on matrices (2-D tensors). Got {self.dim()}-D tensor."
            + " For batches of matrices, consider using tensor.mH" * (self.dim() > 2)
        )
    return mT(self)


def t(self):
    if self.dim() > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {self.dim()}D")
    return permute(self, [1, 0], told="t") if self.dim() == 2 else alias(self)


def movedim(self, source, destination):
    source, destination = ints((source,)), ints((destination,))
    if len(source) != len(destination):
        raise RuntimeError(
            f"movedim: Invalid source or destination dims: source ({[*source]} dims) should contain the same number of "
            f"dims as destination ({[*destination]} dims)"
        )
    rank = self.dim()
    source, destination = [axis_of(d, rank) for d in source], [axis_of(d, rank) for d in destination]
    order = [d for d in range(rank) if d not in source]
    for place, axis in sorted(zip(destination, source, strict=True)):
        order.insert(place, axis)
    return permute(self, order)


moveaxis = movedim
