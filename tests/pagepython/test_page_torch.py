"""The page's torch gives what PyTorch gives: values, types, gradients, text, random numbers, errors."""

import pytest
from both_torches import differs, in_page, in_torch
from programs import program
from sampling import few

PRINTED = [
    f"import torch\nprint({expression})"
    for expression in (
        "torch.zeros(0)",
        "torch.zeros(2, 0)",
        "torch.tensor([1e10, 1.0])",
        "torch.tensor([float('nan'), 1, float('inf')])",
        "torch.tensor([1e-5, 2.0])",
        "torch.arange(2000.0).reshape(40, 50)",
        "torch.tensor(3)",
        "torch.tensor([True, False])",
        "torch.tensor([1, 2], dtype=torch.int32)",
        "torch.tensor([1.5, 2], dtype=torch.float64)",
        "torch.tensor([0.0, 0.0])",
        "torch.tensor([-1.0, 20.0])",
        "torch.arange(1001)",
        "torch.tensor([1.5], dtype=torch.float16)",
        "torch.tensor([[1, 2], [3, 400]])",
        "torch.tensor(2.5, requires_grad=True)",
        "torch.arange(60.0).reshape(3, 4, 5) / 7",
        "torch.Size([2, 3])",
        "torch.float32",
        "torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU(), torch.nn.Dropout(0.1))",
        "torch.tensor(1.0).exp()",
        "torch.ones(2, requires_grad=True) * 2",
        "torch.finfo(torch.float16).max",
        "torch.tensor([[0.5, -0.25]]).tolist()",
        "f'{torch.tensor(0.123456):.3f}'",
        "torch.max(torch.tensor([[1.0, 3.0], [2.0, 0.0]]), dim=1)",
        "torch.device('cpu')",
    )
]
DRAWN = [
    "import torch\ntorch.set_printoptions(precision=6)\ntorch.manual_seed(3)\n"
    f"print({expression})\nprint(torch.rand(2))"
    for expression in (
        "torch.rand(5)",
        "torch.rand(5, dtype=torch.float64)",
        "torch.randn(3)",
        "torch.randn(16)",
        "torch.randn(37)",
        "torch.randn(2, dtype=torch.float64)",
        "torch.randn(20, dtype=torch.float64)",
        "torch.randint(0, 10, (7,))",
        "torch.randperm(9)",
        "torch.bernoulli(torch.full((6,), 0.3))",
        "torch.empty(6).bernoulli_(0.3)",
        "torch.multinomial(torch.tensor([0.1, 0.2, 0.7]), 2)",
        "torch.empty(4).uniform_(-1, 1)",
        "torch.empty(4).exponential_()",
        "torch.nn.Linear(3, 2).weight",
        "torch.nn.Embedding(4, 5).weight",
        "torch.nn.functional.dropout(torch.ones(8), 0.5)",
        "torch.rand(3, generator=torch.Generator().manual_seed(1))",
        "torch.nn.GRU(3, 4)(torch.ones(2, 1, 3))[0]",
        "torch.nn.Conv1d(2, 3, 3)(torch.ones(1, 2, 5)).detach()",
        "torch.randint(0, 2**40, (3,))",
    )
]
NUMPYS = """import numpy as np
np.random.seed(3)
print(np.random.rand(2, 3).tolist(), np.random.rand(), np.random.uniform(-1, 1, 2).tolist())
print(np.random.randn(3).tolist(), np.random.randn(), np.random.normal(1, 2, (2, 2)).tolist())
print(np.random.randint(0, 10, (2, 3)).tolist(), np.random.randint(5), np.random.permutation(6).tolist())
cards, rows = [1, 2, 3, 4], np.arange(6).reshape(3, 2)
np.random.shuffle(cards)
np.random.shuffle(rows)
print(cards, rows.tolist(), np.random.random(2).tolist(), np.array([0.1, 1 / 3]).tolist())
"""
SHARED = """import torch
x = torch.arange(6.0).reshape(2, 3)
row, across = x[0], x.T
row += 10
across[1] = 5
x[x > 11] = 0
x[:, 0] -= 1
x.mul_(2)
print(x, row, across, x.is_contiguous(), across.is_contiguous(), x.view(3, 2))
"""
TAPE = """import torch
from torch import nn
torch.manual_seed(0)
layer = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
how = torch.optim.{}
data, wanted = torch.randn(5, 3), torch.tensor([0, 1, 1, 0, 1])
for _ in range(5):
    loss = nn.functional.cross_entropy(layer(data), wanted)
    how.zero_grad()
    loss.backward()
    how.step()
print(loss.item(), [p.detach().sum().item() for p in layer.parameters()])
"""
TRAINED = [
    TAPE.format(how)
    for how in (
        "SGD(layer.parameters(), lr=0.5, momentum=0.9)",
        "Adam(layer.parameters(), lr=0.1)",
        "AdamW(layer.parameters(), lr=0.1)",
    )
]
TWICE = """import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
(first,) = torch.autograd.grad((x**3).sum(), x, create_graph=True)
print(first, torch.autograd.grad(first.sum(), x)[0])
print(torch.func.grad(lambda z: torch.func.grad(lambda w: (w**4).sum())(z).sum())(torch.tensor([1.0, 2.0])))
print(torch.func.vmap(lambda a, b: a @ b)(torch.ones(3, 2), torch.ones(3, 2)))
print(torch.func.jacrev(lambda z: z * z)(torch.ones(2)))
"""
# an array of NumPy beside a tensor; a layer of another type keeps its parameters, which an optimiser has
BESIDE = [
    "import numpy as np\nimport torch\na, i = np.array([1.0, 2.0]), np.array([1, 2])\n"
    f"t = torch.tensor([1, 2])\n{code}"
    for code in (
        "print(i * 0.5, i / 3, (i * 0.5).dtype, 1.5 + i, i / 2.0, i + 1, -i)",
        "print(torch.as_tensor(i * 0.5), torch.from_numpy(i / 2))",
        "print((np.float32(1) * i).dtype, (torch.ones(2).numpy() * i).dtype, (np.array([True]) * 0.5).dtype)",
        "print(t + a, t * a, t - i, a / t, a == t)",
        "a * t",
        "m = torch.zeros(2, 2)\nn = m.numpy()\nn[0, 1] = 4\nn[1] = i\nprint(m)",
        "net = torch.nn.Linear(1, 1)\nopt = torch.optim.SGD(net.parameters(), lr=0.5)\nkept = net.weight\n"
        "net.double()(torch.ones(1, 1).double()).sum().backward()\nwas = kept.item()\nopt.step()\n"
        "print(net.weight is kept, round(was - kept.item(), 6), net.half().weight.grad)",
        "with torch.device('cpu'):\n    print(torch.ones(1))",
        "torch.linalg.inv(torch.ones(2, 2))",
        "print(torch.tensor([1 + 2j, 3j]).reshape(2, 1))",
        "t = [t]\nt.append(t)\ntry:\n    torch.stack(t)\nexcept Exception:\n    print('a list in itself')",
    )
]
FAULTS = [
    f"import torch\n{code}"
    for code in (
        "torch.ones(2, 3) @ torch.ones(2, 3)",
        "torch.ones(3)[5]",
        "torch.ones(2, 3).view(4)",
        "torch.ones(2) + torch.ones(3)",
        "bool(torch.ones(2))",
        "torch.ones(2).item()",
        "torch.tensor([[1], [1, 2]])",
        "x = torch.ones(2, requires_grad=True)\nx += 1",
        "x = torch.ones(2, requires_grad=True)\ny = x.exp()\ny += 1\ny.sum().backward()",
        "torch.ones(2).sum().backward()",
        "x = torch.ones(2, requires_grad=True)\ny = x.sum()\ny.backward()\ny.backward()",
        "torch.arange(3).mean()",
        "x = torch.arange(3)\nx += 0.5",
        "torch.ones(2).half().masked_fill(torch.tensor([True, False]), 1e6)",
        "torch.ones(2, 3).permute(0)",
        "torch.nn.Linear(2, 3)(torch.ones(4))",
        "torch.ones(2).no_such_method()",
        "torch.stack([torch.ones(2), torch.ones(3)])",
        "torch.nn.Module().forward()",
        "torch.zeros(2).softmax(1)",
        "torch.ones(2)[0.5]",
        "torch.full((2,), 1e6, dtype=torch.float16)",
    )
]
WORDS = [
    "import torch\nimport numpy as np\nfrom torch import nn\nfrom torch.nn import functional as F\n"
    "x = torch.ones(2, 3)\nr = torch.ones(2, requires_grad=True)\n"
    "mix = nn.MultiheadAttention(4, 2, batch_first=True)\nd, e = torch.ones(1, 3, 4), torch.ones(1, 2, 4)\n"
    f"try:\n    {code}\nexcept Exception as error:\n    print(error)\nelse:\n    print('nothing is wrong')"
    for code in (
        "torch.tensor([1, 2], requires_grad=True)",
        "torch.tensor([1, 2]).requires_grad_()",
        "x[torch.tensor([0, 5])]",
        "x[0] = torch.ones(4)",
        "x.masked_fill(torch.ones(2, 2).bool(), 0)",
        "torch.where(torch.tensor([True]), torch.ones(2), torch.ones(3))",
        "torch.bmm(torch.ones(2, 3, 4), torch.ones(3, 4, 5))",
        "F.mse_loss(torch.ones(64), torch.ones(63))",
        "torch.distributions.Normal(torch.ones(2, 3), torch.ones(4, 2, 1, 2))",
        "torch.allclose(torch.tensor([1]), torch.ones(1))",
        "nn.Sequential(F.softmax)",
        "torch.tensor([1]) // torch.tensor([0])",
        "torch.roll(x, (1, 2), 0)",
        "x.repeat(2)",
        "torch.cdist(x, torch.ones(2, 4))",
        "torch.einsum('ij,jk->ik', x, x)",
        "torch.softmax(x)",
        "torch.zeros(2.5)",
        "torch.exp([4.0])",
        "torch.from_numpy([1, 2])",
        "torch.Tensor(1.5)",
        "F.mse_loss(x)",
        "nn.Linear(2)",
        "nn.Linear(2, 3)([1.0, 2.0])",
        "nn.GRU(3, 4)(torch.ones(2, 5, 3), torch.ones(1, 2, 4))",
        "nn.LSTM(3, 4)(torch.ones(2, 5, 3), (torch.ones(1, 5, 4), torch.ones(2, 5, 4)))",
        "nn.RNN(3, 4)(torch.ones(1, 2, 5, 3))",
        "nn.LSTM(3, 4, dropout=2.0)",
        "nn.BatchNorm1d(4)(x)",
        "F.gelu(x, approximate='other')",
        "F.scaled_dot_product_attention(x[0], x[0], x[0])",
        "print(round(F.cross_entropy(x[0], torch.tensor([1])).item(), 4))",
        "mix(d, d, d, attn_mask=torch.zeros(2, 2))",
        "mix(d, d, d, key_padding_mask=torch.zeros(1, 3).long())",
        "mix(d, d, d, key_padding_mask=torch.zeros(1, 2).bool())",
        "mix(d, e, d)",
        "mix(torch.ones(1, 3, 5), d, d)",
        "torch.utils.data.DataLoader([1, 2], batch_size=0)",
        "nn.Linear(1, 1).register_buffer('weight', torch.ones(1))",
        "nn.Linear(1, 1).weight = torch.ones(1)",
        "print(nn.Sequential(nn.Linear(1, 1)).load_state_dict({}, strict=False))",
        "torch.optim.lr_scheduler.StepLR(nn.Linear(1, 1), 1)",
        "print(torch.backends.mps.is_available())",
        "import torch.nn.foo",
        "torch.tensordot(x, x, ((0, 0), (0, 0)))",
        "F.max_pool2d(torch.ones(1, 2, 2).bool(), 2)",
        "torch.trapezoid(x, torch.ones(2))",
        "torch.trapezoid(torch.tensor(1.0))",
        "torch.addr(x, torch.ones(3), torch.ones(3), beta=0)",
        "torch.addr(x.long(), torch.ones(2).long(), torch.ones(3).long(), beta=0.5)",
        "F.dropout(x, 0.5, 1)",
        "F.dropout1d(x, 0.5, training=1)",
        "F.batch_norm(x, None, None, training=1)",
        "np.ones((2, 3)).sum((0, 0))",
        "np.ones((2, 3)).mean(5)",
        "np.array([1, 2]) @ 3",
        "np.matmul(3, np.array([1, 2]))",
        "np.ones((2, 2, 3)) @ np.ones((3, 3, 2))",
        "np.dot(np.ones((2, 3)), np.ones((2, 3)))",
        "np.quantile([], 0.5)",
        "np.percentile([1, 2], 101)",
        "np.linspace(0, 1, -1)",
        "np.linalg.inv(np.ones((2, 3)))",
        "np.linalg.slogdet(np.ones(2))",
        "torch.cumsum(x, 0, dtype=torch.double, out=torch.empty(2, 3))",
        "torch.cumsum(x, 0, dtype=torch.bool)",
        "torch.softmax(x, 0, out=torch.empty(2, 3, dtype=torch.double))",
        "torch.ones(2, dtype=torch.double, out=torch.empty(2))",
        "torch.cat([x, x], out=torch.empty(4, 3, dtype=torch.long))",
        "torch.sort(x, out=(torch.empty(2, 3).double(), torch.empty(2, 3).long()))",
        "F.cross_entropy(x, torch.tensor([0, 1]), torch.ones(3, requires_grad=True))",
        "F.binary_cross_entropy_with_logits(x, x, pos_weight=torch.ones(3, requires_grad=True))",
        "nn.BCEWithLogitsLoss(pos_weight=2.0)",
        "F.adaptive_avg_pool2d(x, 2)",
        "F.adaptive_avg_pool2d(x[None], -1)",
        "torch.fliplr(torch.ones(2))",
        "torch.addmv(torch.ones(2), x, torch.ones(2))",
        "torch.addmv(torch.ones(2), x.long(), torch.ones(3))",
        "torch.addmm(torch.ones(3, 3), x, torch.ones(3, 3))",
        "torch.addmm(x, x, x[0])",
        "torch.narrow(torch.tensor(1.0), 0, 0, 1)",
        "x.narrow(2, 0, 1)",
        "torch.linalg.matrix_power(torch.ones(3), 2)",
        "nn.Linear(2.5, 3)",
        "nn.Linear(3, 4 / 2)",
        "nn.Embedding('a', 2)",
        "torch.zeros(3, 4 / 2)",
        "torch.zeros(4 / 2, 3)",
        "torch.zeros((3, 4 / 2))",
        "x.view(2, 3.0)",
        "x.reshape(3.0)",
        "x.expand('a')",
        "x.transpose('a', 1)",
        "x.softmax('a')",
        "x.mul('a')",
        "torch.cat((x, 1))",
        "torch.cat(x, 1)",
        "F.relu(3)",
        "nn.LayerNorm(2)([1.0, 2.0])",
        "F.dropout([1.0])",
        "nn.CrossEntropyLoss()([1.0], 0)",
        "nn.CrossEntropyLoss()(x, [0, 1])",
        "torch.optim.SGD([r], lr=0.1).step(x)",
        "x.max(-1).shape",
        "x.mm(torch.ones(3))",
        "x[None].bmm(torch.ones(3, 4))",
        "F.mse_loss(x, 1.0)",
        "torch.optim.Adam(nn.Linear(1, 1), lr=0.1)",
        "torch.optim.Adam([r], betas=0.9)",
        "torch.optim.Adam([r], betas=(0.9,))",
        "nn.LSTM(3, 4)(torch.ones(2, 5, 3), torch.ones(1, 5, 4))",
        "nn.LSTM(3, 4)(torch.ones(2, 5, 3), torch.ones(2, 5, 4))",
        "nn.Linear(3, 2, bias=False)(x.long())",
        "x @ torch.ones(3).long()",
        "h = r.exp(); h.add_(1); h.sum().backward()",
        "h = r * 2; w = h**2; h += 1; w.sum().backward()",
        "w = (r * r).sum(); r.detach().add_(1); w.backward()",
        "torch.einsum('ii', x)",
        "torch.broadcast_shapes((5,), (3, 1), (4,))",
        "torch.finfo(torch.int32)",
        "x['cat']",
        "np.array([[1, 2], [3]])",
        "np.zeros(2, 3)",
        "np.ones(2) + torch.ones(2)",
        "np.ones(2) ** torch.ones(2)",
        "np.ones(2) < torch.ones(2)",
        "np.concatenate(np.ones(2), np.ones(2))",
        "torch.autograd.grad(torch.ones(1, requires_grad=True).sum(), [])",
        "torch.autograd.grad(torch.ones(1, requires_grad=True).sum(), torch.ones(1, requires_grad=True))",
    )
]
GROUPS = {
    "printed text": (PRINTED, 0.0),
    "random numbers": (DRAWN, 1e-6),
    "NumPy's random numbers": ([NUMPYS], 1e-14),
    "memory that views share": ([SHARED], 0.0),
    "training": (TRAINED, 1e-5),
    "gradients of gradients": ([TWICE], 1e-5),
    "kinds of errors": (FAULTS, 0.0),
    "words of errors": (WORDS, 0.0),
    "beside NumPy": (BESIDE, 1e-6),
    "random programs": ([program(seed) for seed in range(few(100, 300))], 2e-4),
}


@pytest.fixture(scope="module")
def found(tmp_path_factory) -> dict[str, list[str]]:
    """Run everything in the page's Python, in one process."""
    texts = in_page([code for codes, _ in GROUPS.values() for code in codes], tmp_path_factory.mktemp("page"))
    rest = iter(texts)
    return {name: [next(rest) for _ in codes] for name, (codes, _) in GROUPS.items()}


@pytest.mark.parametrize("name", GROUPS)
def test_the_page_gives_what_pytorch_gives(name, found):
    codes, tolerance = GROUPS[name]
    wanted = in_torch(codes)
    wrong = [
        f"{code}\n-> page\n{page}\n-> torch\n{torch}"
        for code, page, torch in zip(codes, found[name], wanted, strict=True)
        if differs(page, torch, tolerance)
    ]
    assert wrong == [], f"{len(wrong)} of {len(codes)}\n" + "\n\n".join(wrong[:12])


def test_a_difference_is_seen():
    assert differs("tensor([1.0000])", "tensor([1.0001])", 1e-5)
    assert differs("tensor([1.])", "tensor([1])", 0)
    assert differs("[1.0, 2.0]", "[1.0]", 1.0)
    assert not differs("[1.0000001, nan]", "[1.0, nan]", 1e-5)
