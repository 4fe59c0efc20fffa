"""Equal numbers keep their order: in the function, in the Program, in Python and in Node."""

import pytest
import torch

from livetorch import trace
from livetorch.program.ties import stable_order  # the name by which others import it

SCORES = torch.tensor([0.0, 1.0, 0.0, 0.0, 1.0, float("nan"), 0.0, 1.0, 0.0, 0.0, 0.0, 0.0] * 4)
FUNCTIONS = {
    "topk": lambda x: x.topk(7).indices,
    "smallest": lambda x: x.topk(7, largest=False).indices,
    "sort": lambda x: x.sort(descending=True).indices,
    "argsort": lambda x: x.argsort(descending=True),
    "kthvalue": lambda x: x.nan_to_num().kthvalue(3).indices,
    "median": lambda x: x.nan_to_num().median(0).indices,
    "nanmedian": lambda x: x.nanmedian(0).indices,
    "mode": lambda x: x.nan_to_num().mode(0).indices,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_equal_numbers_keep_their_order(name, node):
    function = FUNCTIONS[name]
    with stable_order():
        want = function(SCORES)
    program = trace(function, x=SCORES)
    assert torch.equal(program.run(x=SCORES)["output"], want)
    assert torch.equal(node.run(program, {"x": SCORES})["output"], want)


def test_the_order_is_that_of_a_stable_sort():
    with stable_order():
        stable = SCORES.sort(stable=True, descending=True).indices
        assert torch.equal(SCORES.topk(9).indices, stable[:9])
        assert torch.zeros(50).median(0).indices == 24


def test_gradients_go_where_the_order_says():
    def kept(x):
        return torch.func.grad(lambda scores: scores.topk(2).values.sum())(x)

    x = torch.zeros(30)
    with stable_order():
        called = kept(x)
    for gradient in (called, trace(kept, x=x).run(x=x)["output"]):
        assert gradient.nonzero().flatten().tolist() == [0, 1]


def test_torchs_own_errors_stay():
    with stable_order(), pytest.raises(RuntimeError, match="out of range"):
        torch.zeros(3).topk(4)


MATRIX = torch.tensor([[2.0, -1.0, 0.0], [-1.0, 2.0, -1.0], [0.0, -1.0, 2.5]])


@pytest.mark.parametrize("sign", [1, -1])
def test_eigenvectors_and_singular_vectors_have_one_sign(sign, node):
    def vectors(x):
        u, _, vh = torch.linalg.svd(x[:, :2])
        return {"eigen": torch.linalg.eigh(x).eigenvectors, "left": u, "right": vh}

    x = sign * MATRIX
    program = trace(vectors, x=x)
    for got in (program.run(x=x), node.run(program, {"x": x})):
        for columns in (got["eigen"], got["left"]):
            assert columns.gather(0, columns.abs().argmax(0, keepdim=True)).min() > 0
    with stable_order():
        torch.testing.assert_close(node.run(program, {"x": x}), vectors(x))


def test_equal_large_entries_leave_the_sign_to_the_first():
    with stable_order():
        vectors = torch.linalg.eigh(torch.tensor([[0.0, 1.0], [1.0, 0.0]])).eigenvectors
    assert (vectors[0] > 0).all()
