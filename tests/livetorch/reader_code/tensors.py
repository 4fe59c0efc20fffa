"""Einsums, dtypes, truth and complex numbers; single operators are in test_torchs_own_inputs.py."""

import torch
import torch.nn.functional as F  # noqa: N812

from reader_code._examples import example, noise

GIVEN = noise(2, 2)


@example(n=5, x=noise(6), flag=True)
def whole_numbers_and_truth(n, x, flag):
    return {
        "mask": torch.arange(6) < n,
        "chosen": torch.where(flag, x, -x),
        "half": (n + 1) // 2,
        "rest": n % 3,
        "quotient": n / 2,
        "both": (n > 3) & flag,
        "float": n.float(),
        "double": 2.0 * n,
        "counted": F.one_hot(n, 6),
    }


@example(x=noise(4))
def other_dtypes(x):
    return {
        "half": x.half() * 2.5,
        "bfloat16": x.bfloat16().exp(),
        "double": x.double() / 3,
        "long": x.long(),
        "bool": x.bool(),
        "mixed": x.double() * torch.arange(4) + x,
    }


@example(x=noise(3, 4))
def nothing_to_do(x):
    return {"same": x, "constant": GIVEN, "turned": x.t(), "number": torch.tensor(3)}


@example(x=noise(5, 2, 2), t=0.3)
def complex_numbers(x, t):
    z = torch.view_as_complex(x)
    turned = z * torch.exp(1j * t * torch.arange(5))[:, None]
    filtered = 1 / (1 - 0.5 * turned)
    return {
        "turned": torch.view_as_real(turned),
        "size": turned.abs(),
        "real": (z * z.conj()).real,
        "both": torch.view_as_real(torch.stack([filtered, z], -1)),
        "same": turned == z,
        "other": turned != z.roll(1),
    }


@example(x=noise(4, 6))
def copies_that_only_reshape(x):
    with torch.inference_mode():
        merged = x.view(2, 2, 6).transpose(1, 2).flatten(1)
        return {"merged": merged * 1, "each": x.T.repeat_interleave(2) + 0, "rolled": x.T.roll(1) + 0}
