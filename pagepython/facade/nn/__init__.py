"""``torch.nn``: modules and what they are made of."""

from torch._absent import refuser
from torch._surface import hold
from torch.nn import functional, functions, init, layers, utils
from torch.nn.containers import ModuleDict, ModuleList, ParameterDict, ParameterList, Sequential
from torch.nn.convolution import Conv1d, Conv2d
from torch.nn.functions import Identity, PReLU
from torch.nn.module import Buffer, Module, Parameter
from torch.nn.multihead import MultiheadAttention
from torch.nn.recurrent import GRU, LSTM, RNN, GRUCell, LSTMCell, RNNCell
from torch.nn.transformer import (
    Transformer,
    TransformerDecoder,
    TransformerDecoderLayer,
    TransformerEncoder,
    TransformerEncoderLayer,
)

globals().update({name: vars(functions)[name] for name in functions.NAMES})
globals().update(
    {
        name: kind
        for name, kind in vars(layers).items()
        if getattr(kind, "__module__", "") == layers.__name__ and name[0] != "_"
    }
)
hold("nn", globals())
__getattr__ = refuser(__name__)
