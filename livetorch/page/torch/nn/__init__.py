"""``torch.nn``: modules and what they are made of."""

from torch.nn import functional, init, utils
from torch.nn.activations import (
    ELU,
    GELU,
    Identity,
    LeakyReLU,
    LogSoftmax,
    ReLU,
    Sigmoid,
    SiLU,
    Softmax,
    Softplus,
    Tanh,
)
from torch.nn.containers import ModuleDict, ModuleList, ParameterDict, ParameterList, Sequential
from torch.nn.convolution import Conv1d, Conv2d
from torch.nn.layers import Dropout, Embedding, Flatten, LayerNorm, Linear
from torch.nn.losses import BCEWithLogitsLoss, CrossEntropyLoss, L1Loss, MSELoss, NLLLoss
from torch.nn.module import Buffer, Module, Parameter
from torch.nn.multihead import MultiheadAttention
from torch.nn.recurrent import GRU, GRUCell

__all__ = [
    "ELU", "GELU", "GRU", "BCEWithLogitsLoss", "Buffer", "Conv1d", "Conv2d", "CrossEntropyLoss", "Dropout", "Embedding", "Flatten", "GRUCell",
    "Identity", "L1Loss", "LayerNorm", "LeakyReLU", "Linear", "LogSoftmax", "MSELoss", "Module", "ModuleDict", "ModuleList",
    "MultiheadAttention", "NLLLoss", "Parameter", "ParameterDict", "ParameterList", "ReLU", "Sequential", "SiLU", "Sigmoid",
    "Softmax", "Softplus", "Tanh", "functional", "init", "utils",
]  # fmt: skip


def __getattr__(name: str):
    raise AttributeError(f"torch.nn.{name} is not in the page's torch; run this notebook in Jupyter.")
