"""How a model is called with a text, with two, or with an image, and what is wrong before it is."""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from torch import Tensor, nn

from livetorch.inside.tokens import TokenizedText
from livetorch.program.errors import InputError

__all__ = ["check_model", "field", "pixels", "reads_image", "reads_text", "reads_two", "returns_any"]

_POSITIONS = ("max_position_embeddings", "n_positions", "max_seq_len", "n_ctx", "max_source_positions")
_LEAST = 16  # tokens that may be typed


def check_model(model: Any, tokenizer: Any, text: Any) -> None:
    """Raise where the arguments cannot be meant so."""
    if not callable(model):
        raise InputError(f"model must be a module or a function of torch, got {type(model).__name__}.")
    if isinstance(model, nn.Module) and model.training:
        raise InputError("model is in training mode, where dropout draws random numbers: call model.eval().")
    if tokenizer is not None and text is None:
        raise InputError("look_inside(model, tokenizer, text) needs a text (or with a processor an image).")
    if tokenizer is None and text is not None:
        raise InputError("a text needs the model's tokenizer: look_inside(model, tokenizer, text).")


def field(
    model: Any, tokenizer: Any, text: Any, length: int | None, first: int | None = None
) -> TokenizedText:
    """Make the field in which a text is typed, as long as the model can read.

    Raises:
        InputError: the text is longer, or the tokenizer has no tokenizer.json.
    """
    text, *others = [text] if isinstance(text, str) else list(text)
    pad = getattr(tokenizer, "pad_token_id", None)
    made = TokenizedText(text, tokenizer=tokenizer, first=first, pad=pad or 0, examples=others)
    count, most = len(made.tokens(text)), _positions(model, tokenizer)
    wanted = length or min(most, max(_LEAST, 4 * math.ceil(count * 1.5 / 4)))
    for number, words in ((count, f"the text has {count} tokens"), (wanted, f"length={length}")):
        if number > most:
            raise InputError(f"{words}, but the model reads at most {most}: it has no more positions.")
    if count > wanted:
        raise InputError(f"the text has {count} tokens, more than length={length}.")
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


def reads_text(model: Callable[..., Any]) -> Callable[..., Any]:
    """Call a model with the ids of one text."""
    named, more = _takes(model, "input_ids"), _plain(model)

    def run(text: Tensor) -> Tensor:
        ids = text[None]
        return first_tensor(model(input_ids=ids, **more) if named else model(ids, **more))

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


def reads_two(model: Callable[..., Any]) -> Callable[..., Any]:
    """Call an encoder and decoder with the ids of two texts."""
    named, more = _takes(model, "decoder_input_ids"), _plain(model)

    def run(source: Tensor, target: Tensor) -> Tensor:
        ids, read = source[None], target[None]
        if named:
            return first_tensor(model(input_ids=ids, decoder_input_ids=read, **more))
        return first_tensor(model(ids, read, **more))

    return run


def reads_image(model: Callable[..., Any]) -> Callable[..., Any]:
    """Call a model with the pixels of an image."""
    named = _takes(model, "pixel_values")

    def run(image: Tensor) -> Tensor:
        return first_tensor(model(pixel_values=image) if named else model(image))

    return run


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
    if not isinstance(made, Tensor) or made.ndim not in (3, 4):
        got = f"shape {tuple(made.shape)}" if isinstance(made, Tensor) else type(made).__name__
        raise InputError(f"processor must give pixels (channels, height, width), got {got}.")
    return made[None] if made.ndim == 3 else made[:1]


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
