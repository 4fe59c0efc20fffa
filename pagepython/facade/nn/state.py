"""What a module holds, written out and read back."""

from collections import OrderedDict, namedtuple

import torch


class _IncompatibleKeys(namedtuple("_IncompatibleKeys", "missing_keys unexpected_keys")):
    """What did not match."""

    def __repr__(self) -> str:
        return super().__repr__() if any(self) else "<All keys matched successfully>"


class State:
    """Numbers of all parameters and buffers by name."""

    def state_dict(self, *, prefix: str = "", keep_vars: bool = False):
        found = OrderedDict()
        found._metadata = {}  # who wrote this knows of which version it is
        for path, module in self.named_modules(prefix=prefix.rstrip("."), remove_duplicate=False):
            for table in ("_parameters", "_buffers"):
                for name, value in module.__dict__[table].items():
                    if value is not None and name not in module._transient:
                        found[f"{path}.{name}" if path else name] = value if keep_vars else value.detach()
        return found

    def load_state_dict(self, state_dict, strict: bool = True, assign: bool = False):
        if not isinstance(state_dict, dict):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        own = self.state_dict(keep_vars=True)
        counts = hasattr(state_dict, "_metadata")
        missing = [
            n for n in own if n not in state_dict and (counts or not n.endswith("num_batches_tracked"))
        ]
        unexpected = [name for name in state_dict if name not in own]
        strange = [n for n in own if n in state_dict and not isinstance(state_dict[n], torch.Tensor)]
        unfit = [  # one number may come in a vector, as it did of old
            n
            for n in own
            if n in state_dict
            and n not in strange
            and tuple(state_dict[n].shape) not in [tuple(own[n].shape), (1,) * (not own[n].dim())]
        ]
        wrong = [
            f"size mismatch for {n}: copying a param with shape {state_dict[n].shape} from checkpoint, the shape in current model is {own[n].shape}."
            for n in unfit
        ]
        wrong += [
            f'While copying the parameter named "{n}", expected torch.Tensor or Tensor-like object from checkpoint but received {type(state_dict[n])}'
            for n in strange
        ]
        told = []
        if strict and missing:
            told.append("Missing key(s) in state_dict: " + ", ".join(f'"{n}"' for n in missing) + ". ")
        if strict and unexpected:
            told.append("Unexpected key(s) in state_dict: " + ", ".join(f'"{n}"' for n in unexpected) + ". ")
        with torch.no_grad():
            for name, value in own.items():
                if name not in state_dict or name in (*unfit, *strange):
                    continue
                if assign:
                    value.data = state_dict[name].detach()
                else:
                    value.copy_(state_dict[name].reshape(value.shape))
        if told or wrong:
            raise RuntimeError(
                f"Error(s) in loading state_dict for {type(self).__name__}:\n\t" + "\n\t".join(told + wrong)
            )
        return _IncompatibleKeys(missing, unexpected)
