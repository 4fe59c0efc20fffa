"""`look_inside`: a model and a text in, a live figure of all its maps of attention out.

Chapter: notebooks/13b_does_a_map_explain.ipynb
"""

from collections.abc import Callable
from typing import Any

from livetorch.inside.calling import check_model, field, is_text, pixels, reads, returns_any
from livetorch.inside.figure import look_inside_function
from livetorch.inside.widget import InsideFigure


def look_inside(
    model: Callable[..., Any],
    tokenizer: Any = None,
    text: Any = None,
    target: str | None = None,
    *,
    length: int | None = None,
    live: bool = True,
    weights: str = "float32",
    name: str = "inside",
    title: str | None = None,
    caption: str | None = None,
    **inputs: Any,
) -> InsideFigure:
    """Make a live figure of everything that a model attends to, for a text that the reader may change.

    Args:
        model: a model of transformers, timm, torchvision or x-transformers, any `nn.Module`, or a function
            of torch. It is looked at as it is in use: call `.eval()` first.
        tokenizer: the model's tokenizer, a fast one of transformers or one of the package tokenizers; for an
            image its processor, or what else makes pixels of it.
        text: what the figure starts with; or a list of texts, of which the others are buttons; or an image.
        target: for an encoder and decoder, what the decoder reads.
        length: how many tokens may be typed; by default half as many again as the text has, at least 16.
        live: False stores the maps of this text in place of the model, which may then be of any size.
        weights: "float32", "float16" or "int8": how the model's numbers are kept in the page.
        name, title, caption: as in `explore`.
        inputs: without a tokenizer, what the function is called with: a tensor, or what `explore` takes.

    Returns:
        The figure. `figure.save("dog.html")` writes it as one file.

    Raises:
        ValueError: nothing attends, the text is too long, the model cannot be recorded; each says what to do.

    Example:
        >>> def attend(x):
        ...     return torch.softmax(x @ x.T, dim=-1) @ x
        >>> look_inside(attend, x=torch.eye(3)).outputs["weights"].shape
        torch.Size([3, 3])
    """
    model = getattr(model, "_orig_mod", model)  # what torch.compile was given
    check_model(model, tokenizer, text, target, inputs)
    picture = tokenizer is not None and not is_text(text)
    given: dict[str, Any]
    if tokenizer is None:
        given = inputs
    elif picture:
        given = {"image": pixels(tokenizer, text)}
    elif target is None:
        given = {"text": field(model, tokenizer, text, length)}
    else:
        first = getattr(getattr(model, "config", None), "decoder_start_token_id", None)
        given = {
            "source": field(model, tokenizer, text, length),
            "target": field(model, tokenizer, target, length, first),
        }
    return look_inside_function(
        returns_any(model) if tokenizer is None else reads(model, given),
        given,
        image="image" if picture else None,
        live=live,
        weights=weights,
        name=name,
        title=title,
        caption=caption,
    )
