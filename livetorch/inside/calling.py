"""How a model is called with a text, with two, or with an image, and what is wrong before it is."""

import functools
import inspect
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from torch import Tensor, nn

from livetorch.inside.tokens import TokenizedText
from livetorch.program.errors import InputError
from livetorch.tracing.reader.reader_code import function_name

__all__ = [
    "check_model",
    "field",
    "is_text",
    "pixels",
    "reads",
    "returns_any",
]

_POSITIONS = ("max_position_embeddings", "n_positions", "max_seq_len", "n_ctx", "max_source_positions")
_NAMES = {"text": "input_ids", "source": "input_ids", "target": "decoder_input_ids", "image": "pixel_values"}
_LEAST = 16  # tokens that may be typed


def check_model(model: Any, tokenizer: Any, text: Any, target: Any, others: Collection[str]) -> None:
    """Raise where the arguments cannot be meant so."""
    if not callable(model):
        raise InputError(f"model must be a module or a function of torch, got {type(model).__name__}.")
    if isinstance(model, nn.Module):
        _check_state(model)
    if tokenizer is not None and text is None:
        raise InputError("look_inside(model, tokenizer, text) needs a text (or with a processor an image).")
    if tokenizer is None and text is not None:
        raise InputError(
            "a text needs the model's tokenizer, an image its processor: look_inside(model, tokenizer, text)."
        )
    if tokenizer is None:
        return
    if others:
        raise InputError(
            f"{', '.join(others)} cannot be given beside a tokenizer: write a function of the ids."
        )
    if is_text(text) and _takes(model, "pixel_values") and not _takes(model, "input_ids"):
        raise InputError(f"{function_name(model)} reads an image, got text={text!r:.60}: open it first.")
    if not is_text(text) and hasattr(tokenizer, "encode"):
        raise InputError(f"text must be a text that is not empty, or a list of them, got text={text!r:.60}.")
    if target is not None and (not isinstance(target, str) or not target.strip()):
        raise InputError(f"target must be a text that is not empty, got target={target!r}.")
    if not hasattr(model, "config"):
        return
    both = bool(getattr(model.config, "is_encoder_decoder", False)) and _takes(model, "decoder_input_ids")
    if both and target is None and is_text(text):
        raise InputError(
            f"{type(model).__name__} is an encoder and decoder, and target says what the decoder reads: "
            "look_inside(model, tokenizer, text, target)."
        )
    if target is not None and not both:
        raise InputError(f"{type(model).__name__} reads one text, got target={target!r}.")


def is_text(text: Any) -> bool:
    """Tell whether this is a text, or a list of texts, to begin with."""
    first, *others = text if isinstance(text, list) and text else [text]
    return isinstance(first, str) and bool(first.strip()) and all(isinstance(each, str) for each in others)


def _check_state(model: nn.Module) -> None:
    """Raise where a module is not as it is in use."""
    training = next((name for name, module in model.named_modules() if module.training), None)
    if training is not None:
        where = f"model.{training} is" if training else "model is"
        raise InputError(f"{where} in training mode, where dropout draws random numbers: call model.eval().")
    for name, tensor in model.named_parameters():
        if tensor.is_meta:
            raise InputError(f"model.{name} has no numbers (device meta): load the model's weights.")
        if tensor.device.type != "cpu":
            raise InputError(f"model.{name} is on {tensor.device}: call model.cpu().")


def field(
    model: Any, tokenizer: Any, text: Any, length: int | None, first: int | None = None
) -> TokenizedText:
    """Make the field in which a text is typed, as long as the model can read.

    Raises:
        InputError: the text is longer, or the tokenizer has no tokenizer.json.
    """
    if length is not None and (type(length) is not int or length < 2):
        raise InputError(f"length must be a whole number of tokens, at least 2, got length={length!r}.")
    text, *others = [text] if isinstance(text, str) else list(text)
    pad = getattr(tokenizer, "pad_token_id", None)
    made = TokenizedText(text, tokenizer=tokenizer, first=first, pad=pad or 0, length=_LEAST, examples=others)
    counts = {each: made.count(each) for each in (text, *others)}
    longest, most = max(counts, key=counts.__getitem__), _positions(model, tokenizer)
    count = counts[longest]
    says = f"the text {longest[:40]!r} has {count} tokens"
    wanted = length or min(most, max(_LEAST, 4 * math.ceil(count * 1.5 / 4)))
    for number, words in ((count, says), (wanted, f"length={length}")):
        if number > most:
            raise InputError(f"{words}, but the model has positions for {most}: give less.")
    if count > wanted:
        raise InputError(f"{says}, more than length={length}.")
    return replace(made, length=wanted)


def _positions(model: Any, tokenizer: Any) -> int:
    holders = [
        getattr(model, "config", None),
        getattr(getattr(model, "config", None), "text_config", None),
        model,
    ]
    known = [getattr(holder, name, None) for holder in holders for name in _POSITIONS]
    known.append(getattr(tokenizer, "model_max_length", None))
    return min([n for n in known if isinstance(n, int) and 0 < n < 10**6], default=4096)


def reads(model: Callable[..., Any], names: Iterable[str]) -> Callable[..., Any]:
    """Call a model with the ids of a text or two, or with pixels, by the names of libraries."""
    words = {name: _NAMES[name] for name in names}
    named, more = _takes(model, [*words.values()][-1]), {} if "image" in words else _plain(model)

    def run(**given: Tensor) -> Tensor:
        tensors = {words[name]: given[name] if name == "image" else given[name][None] for name in words}
        return first_tensor(model(**tensors, **more) if named else model(*tensors.values(), **more))

    alone = inspect.Parameter.KEYWORD_ONLY
    run.__signature__ = inspect.Signature([inspect.Parameter(name, alone) for name in words])  # type: ignore[attr-defined]
    # a message names the model and its lines, not those of the call that is made here
    run.__name__, run.stands_for = function_name(model), model  # type: ignore[attr-defined]
    return run


def returns_any(model: Callable[..., Any]) -> Callable[..., Any]:
    """Call a function or module as it is; of a tuple, a list or what a library returns, name the tensors."""
    call = model.forward if isinstance(model, nn.Module) else model

    @functools.wraps(call)
    def run(*args: Any, **kwargs: Any) -> Any:
        output = model(*args, **kwargs)
        if isinstance(output, Tensor) or output is None:
            return output
        found = dict(_tensors(output, ""))
        return found or output

    return run


def _tensors(output: Any, name: str) -> Iterator[tuple[str, Tensor]]:
    """List the tensors in nested dicts, lists and tuples, each with its way."""
    if isinstance(output, Tensor):
        yield name, output
    elif isinstance(output, Mapping | list | tuple):
        items = output.items() if isinstance(output, Mapping) else enumerate(output)
        for key, part in items:
            yield from _tensors(part, f"{name}.{key}" if name else str(key))


def pixels(processor: Any, image: Any) -> Tensor:
    """Turn an image into what the model reads, (1, channels, height, width).

    Raises:
        InputError: the processor gives no such tensor.
    """
    if isinstance(image, Tensor):
        made = image
    elif "pixel_values" in getattr(processor, "model_input_names", ()):
        made = processor(images=image, return_tensors="pt")["pixel_values"]
    else:
        made = processor(image)
    if not isinstance(made, Tensor) or made.ndim not in (3, 4) or (made.ndim == 4 and len(made) != 1):
        got = f"shape {tuple(made.shape)}" if isinstance(made, Tensor) else type(made).__name__
        raise InputError(f"processor must give the pixels of one image (channels, height, width), got {got}.")
    return made[None] if made.ndim == 3 else made


def first_tensor(output: Any) -> Tensor:
    """Give the first tensor of what a library's model returns: hidden states, or logits."""
    if isinstance(output, Tensor):
        return output
    parts = (
        output.values() if isinstance(output, Mapping) else output if isinstance(output, list | tuple) else ()
    )
    for part in parts:
        if isinstance(part, Tensor) and part.is_floating_point():
            return part
    raise InputError(f"the model returned no tensor, but {type(output).__name__}.")


def _plain(model: Any) -> dict[str, Any]:
    """Switch off what only speeds up generation: a cache has the lengths of one text in it."""
    return {"use_cache": False} if _takes(model, "use_cache") else {}


def _takes(model: Any, name: str) -> bool:
    call = model.forward if isinstance(model, nn.Module) else model
    try:
        parameters = inspect.signature(call).parameters
    except (ValueError, TypeError):
        return False
    by_rest = any(each.kind == each.VAR_KEYWORD for each in parameters.values())
    config = getattr(model, "config", None)
    if name in parameters or not by_rest or config is None:
        return name in parameters
    return hasattr(config, name) or name == "input_ids"
