"""A figure as a file of its own: a page that works from disk, or a picture for a paper."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, Protocol

import torch

from livetorch.embed import embed_page
from livetorch.figure.still import picture
from livetorch.figure.stored import figure_html
from livetorch.pools import compact, in_parts, take_out
from livetorch.program.encoding import Constant
from livetorch.program.errors import InputError
from livetorch.program.program import Program, Repeated
from livetorch.program.weights import MOST_BYTES, Sizes, narrowed, pooled

__all__ = ["save_figure"]

_KINDS = (".html", ".svg", ".png")
_PART = 4_000_000  # characters of a file of weights: more files would only cost requests
_MANY = (
    1_000_000  # numbers of a model that a page computes in a worker, and shows its first outputs until then
)
_MOST_STILL = 1_000_000  # characters of a picture: a larger one would come after the figure itself
_FIGURE = '<figure class="livetorch"'
_SHARP = 2  # pixels of a PNG for one of the page


class Saved(Protocol):
    """What is asked of a figure: `LiveFigure` has it all."""

    @property
    def card(self) -> dict[str, Any]:
        """What the page reads, but for Programs and their pool."""

    @property
    def outputs(self) -> dict[str, torch.Tensor]:
        """The numbers at the present settings."""

    @property
    def exact_programs(self) -> Sequence[Program]:
        """The Programs with the numbers that torch has."""

    def settings_in_js(self) -> dict[str, Any]:
        """Give each control's present setting."""

    def inputs_now(self) -> dict[str, torch.Tensor]:
        """Give what the Programs are run with."""

    def place_now(self) -> int:
        """Say which of the Programs runs at the present settings."""

    def seen(self, place: int, outputs: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        """Give of a Program's outputs what a reader sees."""


def save_figure(figure: Saved, path: str | Path, weights: str = "float32", large: bool = False) -> Path:
    """Write a figure at its present settings; `LiveFigure.save` says how."""
    path = Path(path)
    if large:
        return _save_folder(figure, path, weights)
    if path.suffix not in _KINDS:
        raise InputError(
            f"path must end in {', '.join(_KINDS)}, got {path.name!r}; a folder needs large=True."
        )
    if path.suffix == ".html":
        path.write_text(_page(figure, weights), encoding="utf-8")
        return path
    svg = _drawn(figure)
    if path.suffix == ".svg":
        path.write_text(svg, encoding="utf-8")
    else:
        path.write_bytes(_pixels(svg))
    return path


def _drawn(figure: Saved) -> str:
    spec = figure.card
    svg = picture(spec["views"], spec["rows"], _present(figure), figure.outputs)
    if svg is None:
        raise RuntimeError(
            "a picture is drawn by the page's own code in Node, and there is none: install Node."
        )
    return svg


def _present(figure: Saved) -> list[dict[str, Any]]:
    """Give the controls' JSON with the present settings as those that the figure begins with."""
    controls = figure.settings_in_js()
    return [{**control, "value": controls[control["name"]]} for control in figure.card["controls"]]


def _pixels(svg: str) -> bytes:
    try:
        import resvg_py
    except ImportError:
        raise RuntimeError(
            'a .png needs the package resvg-py ("pip install resvg-py"); .svg needs none.'
        ) from None
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, zoom=_SHARP))


def _page(figure: Saved, weights: str) -> str:
    programs = list(figure.exact_programs)
    sizes = Sizes.of_programs(programs)
    if sizes.of(weights) > MOST_BYTES:
        raise InputError(
            f"this figure has {sizes.advice()} With its weights beside the page it may be larger: "
            "figure.save(folder, large=True)."
        )
    html, error, below = _written(figure, programs, weights, apart=True)
    return _sized(lambda said: embed_page(html, said, below=below), weights, error)


def _sized(page: Callable[[str], str], weights: str, error: float, beside: int = 0) -> str:
    """Write a page whose last line says how large it is, with what lies beside it."""
    size = len(page(_said(weights, beside, error)).encode()) + beside
    return page(_said(weights, size, error))


def _save_folder(figure: Saved, folder: Path, weights: str) -> Path:
    if folder.suffix in _KINDS:
        raise InputError(f"large=True writes a folder, got {folder.name!r}: leave the ending out.")
    html, error, _ = _written(figure, list(figure.exact_programs), weights)
    html, files = take_out(html, large=0, url=lambda name: f"weights/{name}", part=_PART)
    (folder / "weights").mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / "weights" / name).write_text(text, encoding="utf-8")
    beside = sum(map(len, files.values()))
    page = _sized(lambda said: embed_page(html, said, files=True), weights, error, beside)
    (folder / "index.html").write_text(page, encoding="utf-8")
    return folder


def _written(
    figure: Saved, programs: Sequence[Program], weights: str, apart: bool = False
) -> tuple[str, float, str]:
    """Give the figure's HTML with numbers kept in a way, the error that this costs, what stands apart."""
    kept = narrowed(programs, weights)
    written, pool = pooled(kept)
    spec = {**figure.card, "programs": written, "pool": pool, "controls": _present(figure)}
    if Sizes.of_programs(kept).numbers > _MANY:
        now = kept[figure.place_now()]
        first = now.run(**_taken(now, figure.inputs_now()))
        spec["first"] = {name: Constant.of(each, _stored(each)).to_dict() for name, each in first.items()}
    data, below = _below(spec) if apart and "first" in spec else ("", "")
    text = repr(figure)
    title = spec["title"] or f"Live figure {spec['name']}"
    svg = picture(spec["views"], spec["rows"], spec["controls"], figure.outputs)
    if svg and len(svg) > _MOST_STILL:
        svg = None
    html = figure_html(spec, svg, text, f"{title}. Its numbers follow.")
    return html.replace(_FIGURE, _FIGURE + data, 1), _error(figure, programs, kept), below


def _below(spec: dict[str, Any]) -> tuple[str, str]:
    """Take out what a figure can wait for: give the attributes that name it, and its HTML."""
    parts = in_parts(spec["pool"], _PART)
    texts = [*map(compact, parts), compact({"programs": spec["programs"]})]
    names = [f"#lt-{i}" for i in range(len(texts))]
    spec |= {"programs": [], "pool": [{"shape": each["shape"]} for each in spec["pool"] if "shape" in each]}
    size = f"{sum(map(len, texts)) / 1e6:.1f} MB"
    data = f' data-pool="{" ".join(names[:-1])}" data-programs="{names[-1]}" data-size="{size}"'
    blocks = (
        f'<script type="application/json" id="{name[1:]}">{text}</script>'
        for name, text in zip(names, texts, strict=True)
    )
    return data, "\n".join(blocks)


def _stored(output: torch.Tensor) -> str | None:
    """Say how first numbers are kept: maps of long texts in half the space."""
    return "float16" if output.numel() > _MANY else None


def _error(figure: Saved, exact: Sequence[Program], kept: Sequence[Program]) -> float:
    """Measure the largest difference of any float that the views show, at the present settings."""
    if all(one is other for one, other in zip(exact, kept, strict=True)):
        return 0.0
    return max(map(_differs, list(_seen(figure, exact)), _seen(figure, kept)), default=0.0)


def _seen(figure: Saved, programs: Sequence[Program]) -> Iterator[dict[str, torch.Tensor]]:
    """Yield what the views show of each Program that can run now; what Programs begin with runs once."""
    inputs, repeated = figure.inputs_now(), Repeated()
    for place, program in enumerate(programs):
        if all(spec.name in inputs for spec in program.inputs):
            repeated.begin()
            yield figure.seen(place, program.run_by(_taken(program, inputs), repeated.run))


def _taken(program: Program, inputs: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    return {spec.name: inputs[spec.name] for spec in program.inputs}


def _differs(one: Mapping[str, torch.Tensor], other: Mapping[str, torch.Tensor]) -> float:
    pairs = [
        (tensor, other[name]) for name, tensor in one.items() if tensor.is_floating_point() and tensor.numel()
    ]
    return max((float((a - b).abs().nan_to_num().max()) for a, b in pairs), default=0.0)


def _said(weights: str, size: int, error: float) -> str:
    size_said = f"{size / 1e6:.1f} MB"
    if weights == "float32":
        return escape(f"Saved with livetorch, with the numbers of PyTorch: {size_said}.")
    return escape(
        f"Saved with livetorch: {size_said}. Its numbers are kept as {weights}; at the "
        f"settings shown first, what the views show differs from float32 by at most {error:.2g}."
    )
