"""Modules of torch, and one of the reader's own."""

import torch
import torch.nn.functional as F  # noqa: N812
from torch import nn

from reader_code._examples import example, module, noise

X = noise(2, 5, 8)
TABLE, KERNEL = noise(5, 4), noise(4, 3, 3, 3)


def settled(made: nn.Module) -> nn.Module:
    """A module whose weights are the same on every processor: torch's own differ in their last bits."""
    with torch.no_grad():
        for number, weight in enumerate(made.parameters()):
            weight.copy_(noise(*weight.shape, seed=number) * 0.3)
    return made.eval()


ENCODER = settled(nn.TransformerEncoderLayer(8, 2, 16, batch_first=True))
DECODER = settled(nn.TransformerDecoderLayer(8, 2, 16, activation="gelu"))
GRU_CELL, GRU = settled(nn.GRUCell(8, 6)), settled(nn.GRU(8, 6, batch_first=True, bidirectional=True))
LSTM, RNN = settled(nn.LSTM(8, 6, 2, batch_first=True)), settled(nn.RNN(8, 6, batch_first=True))

module("encoder_layer", ENCODER, src=X)
module("decoder_layer", DECODER, tgt=X, memory=noise(3, 5, 8))
module("batch_norm", settled(nn.BatchNorm1d(5)), input=X)


@example(x=X)
def encoder_without_gradients(x):
    with torch.inference_mode():
        return ENCODER(x)


@example(x=X)
def recurrent(x):
    return {"gru": GRU(x)[0], "lstm": LSTM(x)[0], "rnn": RNN(x)[0]}


@example(ids=torch.tensor([[1, 2, 0], [3, 1, 1]]))
def embedding(ids):
    gradient = torch.func.grad(lambda t: F.embedding(ids, t).pow(2).sum())(TABLE)
    return {"rows": F.embedding(ids, TABLE), "gradient": gradient, "one_hot": F.one_hot(ids, 5)}


@example(x=X)
def norms(x):
    return {
        "layer": F.layer_norm(x, (8,)),
        "rms": F.rms_norm(x, (8,)),
        "group": F.group_norm(x.transpose(1, 2), 2),
        "length": x.norm(dim=-1),
        "one": x.norm(1, -1),
        "matrix": torch.linalg.norm(x[0]),
    }


@example(x=X)
def activations(x):
    names = "relu gelu silu elu selu celu softplus mish leaky_relu hardtanh hardswish hardsigmoid logsigmoid"
    out = {name: getattr(F, name)(x) for name in names.split()}
    return out | {"gelu_tanh": F.gelu(x, approximate="tanh"), "prelu": F.prelu(x, torch.tensor([0.2]))}


@example(image=noise(2, 4, 9, 7), kernel=noise(6, 2, 3, 2))
def convolutions(image, kernel):
    def convolve(a, b):
        return F.conv2d(a, b, torch.ones(6), stride=(2, 1), padding=(1, 2), dilation=(1, 2), groups=2)

    gradients = torch.func.grad(lambda a, b: convolve(a, b).tanh().sum(), argnums=(0, 1))(image, kernel)
    transposed = F.conv_transpose2d(image, KERNEL, stride=2, padding=1, output_padding=(0, 1), groups=2)
    return {
        "output": convolve(image, kernel),
        "image": gradients[0],
        "kernel": gradients[1],
        "back": transposed,
    }


@example(image=noise(2, 3, 9, 7))
def pooling(image):
    gradient = torch.func.grad(
        lambda z: (
            (F.max_pool2d(z, 3, 2, 1) ** 2).sum()
            + F.avg_pool2d(z, 2).tanh().sum()
            + F.adaptive_max_pool2d(z, 3).exp().sum()
        )
    )
    return {
        "largest": F.max_pool2d(image, 3, 2, 1),
        "ceil": F.max_pool2d(image, 2, ceil_mode=True),
        "mean": F.avg_pool2d(image, 3, 2, 1, count_include_pad=False),
        "line": F.max_pool1d(image[0], 2),
        "adaptive": F.adaptive_avg_pool2d(image, (2, 3)),
        "uneven": F.adaptive_max_pool2d(image, (2, 3)),
        "resized": F.interpolate(image, scale_factor=2, mode="bilinear"),
        "gradient": gradient(image),
    }
