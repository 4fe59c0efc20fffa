"""Random programs of torch: values, shapes, types and gradients of chains that nobody thought of."""

import random

ALONE = (
    "x.exp()",
    "x.tanh()",
    "x.sigmoid()",
    "x.abs()",
    "x.relu()",
    "x.square()",
    "(x * x + 1).sqrt()",
    "(x * x + 1).log()",
    "x.softmax(-1)",
    "x.log_softmax(0)",
    "x.cumsum(-1)",
    "x.flip(0)",
    "x.roll(1, 0)",
    "-x",
    "x.clamp(-0.5, 0.5)",
    "x.erf()",
    "x.sin() * x.cos()",
    "torch.where(x > 0, x, x * 0.1)",
    "x.masked_fill(x > 1, 0.5)",
    "x.tril()",
    "x.sort(-1).values",
    "torch.nn.functional.gelu(x)",
    "torch.nn.functional.silu(x)",
    "torch.nn.functional.elu(x)",
    "x.pow(3)",
    "x.atan()",
    "torch.nn.functional.layer_norm(x, x.shape[-1:])",
    "torch.nn.functional.softplus(x)",
    "x / (1 + x.abs())",
    "x.to(torch.float64)",
    "x - x.mean(-1, keepdim=True)",
    "x / x.norm(dim=-1, keepdim=True).clamp_min(0.1)",
    "x.logsumexp(-1, keepdim=True) + x",
    "torch.cat([x, x * 2], -1)",
    "torch.stack([x, -x]).sum(0)",
    "x.repeat(1, 2)",
    "x.expand(2, *x.shape).mean(0)",
    "x[..., ::2]",
    "x[[0, -1]]",
    "x.diagonal().unsqueeze(0) + x[:1, : x.diagonal().shape[0]]",
    "x.transpose(0, 1)",
    "x.reshape(-1, 1)",
    "x.unflatten(0, (1, -1)).squeeze(0)",
    "x @ x.mT",
    "x.mT @ x",
    "x * x.amax(-1, keepdim=True)",
    "x.unsqueeze(1).squeeze(1)",
    "x.gather(-1, x.argsort(-1))",
    "x.std(-1, keepdim=True) * x",
    "x.var(0, correction=0) + x",
    "torch.outer(x[0], x[-1])",
    "x.prod(-1, keepdim=True) + x",
    "torch.maximum(x, x.flip(-1) * 0.9)",
    "x.narrow(-1, 0, 1) * x",
    "x.where(x > 0, -x)",
    "x.chunk(2, -1)[0]",
    "x.triu(1) + x",
    "torch.nn.functional.pad(x, (1, 0))",
    "x.median(-1, keepdim=True).values + x",
    "x.index_select(0, torch.tensor([0, 0]))",
    "x.remainder(0.7)",
    "torch.lerp(x, x * 2, 0.25)",
)
ENDS = (
    "x.sum()",
    "x.mean()",
    "(x * torch.linspace(-1, 1, x.numel()).reshape(x.shape)).sum()",
    "x.amax()",
    "x.std()",
    "x.norm()",
)


def program(seed: int) -> str:
    """Write one program: it prints each value's shape, type and numbers, and the gradient of the first."""
    draw = random.Random(seed)
    rows, columns = draw.choice([(2, 3), (3, 3), (4, 2), (3, 5)])
    numbers = [[round(draw.uniform(-2, 2), 2) for _ in range(columns)] for _ in range(rows)]
    lines = ["import torch", f"start = torch.tensor({numbers}, requires_grad=True)", "x = start"]
    lines += [f"x = {draw.choice(ALONE)}" for _ in range(draw.randint(2, 5))]
    lines += [
        f"y = {draw.choice(ENDS)}",
        "print(x.shape, x.dtype, x.detach().double().sum().item(), y.item())",
    ]
    return "\n".join([*lines, "print(torch.autograd.grad(y, start)[0].tolist())"])
