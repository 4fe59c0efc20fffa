"""``torch.nn.utils``."""

import torch
from torch._absent import namespace, refuser
from torch._surface import hold
from torch.nn import _packed


def parameters_to_vector(parameters):
    return torch.cat([p.reshape(-1) for p in parameters])


def vector_to_parameters(vec, parameters) -> None:
    at = 0
    with torch.no_grad():
        for parameter in parameters:
            parameter.copy_(vec[at : at + parameter.numel()].reshape(parameter.shape))
            at += parameter.numel()


def clip_grad_value_(parameters, clip_value) -> None:
    gradients = _gradients(parameters)
    if not gradients:
        raise RuntimeError("Expected !nested_tensorlist[0].empty() to be true, but got false.")
    for gradient in gradients:
        gradient.clamp_(-clip_value, clip_value)


def _gradients(parameters) -> list:
    parameters = [parameters] if isinstance(parameters, torch.Tensor) else parameters
    return [p.grad for p in parameters if p.grad is not None]


def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False):
    gradients = _gradients(parameters)
    if not gradients:
        return torch.tensor(0.0)
    total = torch.linalg.vector_norm(
        torch.stack([torch.linalg.vector_norm(g, norm_type) for g in gradients]), norm_type
    )
    if error_if_nonfinite and not bool(total.isfinite()):
        raise RuntimeError(
            f"The total norm of order {norm_type} for gradients from `parameters` is non-finite, so it cannot be clipped."
        )
    factor = (max_norm / (total + 1e-6)).clamp(max=1.0)
    for gradient in gradients:
        gradient.mul_(factor)
    return total


def _pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    sequences = list(sequences)
    if not sequences:
        raise RuntimeError("received an empty list of sequences")
    longest = max(t.shape[0] for t in sequences)
    rows = []
    for t in sequences:
        fill = t.new_full((longest - t.shape[0], *t.shape[1:]), padding_value)
        rows.append(torch.cat([t, fill] if padding_side == "right" else [fill, t]))
    return torch.stack(rows, 0 if batch_first else 1)


def _pack_sequence(sequences, enforce_sorted=True):
    lengths = [len(one) for one in sequences]
    return _packed.pack_padded_sequence(_pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


_NAMES = (
    "PackedSequence",
    "pack_padded_sequence",
    "pad_packed_sequence",
    "unpad_sequence",
    "unpack_sequence",
)
_SPACE = {name: getattr(_packed, name) for name in _NAMES}
rnn = namespace("torch.nn.utils.rnn", pad_sequence=_pad_sequence, pack_sequence=_pack_sequence, **_SPACE)
hold("nn.utils.rnn", vars(rnn))
hold("nn.utils", globals())
__getattr__ = refuser(__name__)
