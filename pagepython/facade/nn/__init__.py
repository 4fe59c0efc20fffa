"""``torch.nn``: modules and what they are made of."""

from torch._absent import refuser
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
from torch.nn.convolution import AdaptiveAvgPool2d, AvgPool2d, Conv1d, Conv2d, MaxPool2d
from torch.nn.layers import Dropout, Embedding, Flatten, LayerNorm, Linear, RMSNorm
from torch.nn.losses import BCEWithLogitsLoss, CrossEntropyLoss, L1Loss, MSELoss, NLLLoss
from torch.nn.module import Buffer, Module, Parameter
from torch.nn.multihead import MultiheadAttention
from torch.nn.recurrent import GRU, GRUCell
from torch.nn.transformer import TransformerEncoderLayer

__getattr__ = refuser(__name__)
