"""A page of its own with one figure for each kind of control, opened from disk: no server, no kernel."""

from collections.abc import Callable
from pathlib import Path

import torch
from built_site import ROOT
from playwright.sync_api import Page

from livetorch import Heatmap, History, LiveFigure, Mask, Matrix, Points, Slider, Table, Text, explore

DIST = ROOT / "livetorch" / "built" / "pages"
KEYS = torch.tensor([0.0, 1.0, 2.5, 4.0])
VALUES = torch.tensor([1.0, -1.0, 0.5, 2.0])
EVIL = '"><img src=x onerror="window.harmed = 1"><script>window.harmed = 1</script>'


def weights(width, kind):
    distances = (KEYS[:, None] - KEYS) / width
    return torch.softmax(-(distances**2) / 2 if kind == "gaussian" else -distances.abs(), dim=-1)


def learn(width, rate):
    def loss_of(w):
        scores = -(((KEYS[:, None] - KEYS) * w) ** 2) / 2
        scores = scores.masked_fill(torch.eye(4, dtype=torch.bool), -1e9)
        return ((torch.softmax(scores, dim=-1) @ VALUES - VALUES) ** 2).mean()

    gradient, loss = torch.func.grad_and_value(loss_of)(width)
    return {"new_width": width - rate * gradient, "loss": loss}


def bench(q, k, mask, m):
    scores = q @ m @ k.T
    return {"scores": scores, "weights": torch.softmax(scores.masked_fill(~mask, -1e9), dim=-1)}


def embed(words, words_length):
    one_hot = torch.nn.functional.one_hot(words, 4).float()
    seen = torch.arange(5) < words_length
    return torch.softmax((one_hot @ one_hot.T).masked_fill(~seen, -torch.inf), dim=-1)


def never(x):
    return x * torch.ones(2, 2)


def figures() -> dict[str, LiveFigure]:
    """Make one figure for each kind of control."""
    vocabulary = ["<pad>", "a", "b", "我"]
    made = [
        explore(
            weights, width=(0.1, 4.0), kind=["gaussian", "laplace"], title="Kernel weights", view=Heatmap()
        ),
        explore(
            learn,
            carry={"width": "new_width"},
            width=Slider(0.1, 3.0, value=0.5),
            rate=Slider(0.01, 2.0, value=0.2, log=True),
            view=[Table(outputs=["new_width", "loss"]), History(outputs=["loss"])],
        ),
        explore(
            bench,
            q=Points([[1.0, 0.0], [0.0, 1.0]], labels=["我", "你"], domain=(-3, 3)),
            k=Points([[1.0, 0.0], [0.5, 2.0], [1.0, 1.0]], domain=(-3, 3)),
            mask=Mask(torch.ones(2, 3).bool()),
            m=Matrix([[1, 0], [0, 1]], step=0.5),
            view=[Heatmap("scores", scale="diverging"), Heatmap("weights")],
        ),
        explore(embed, words=Text("a b", vocabulary=vocabulary, unit="word", length=5)),
        explore(never, x=Slider(0.0, 1.0, label=EVIL), title=EVIL, caption=EVIL, view=Heatmap(xlabel=EVIL)),
    ]
    return {figure.spec["name"]: figure for figure in made}


def write_live_page(folder: Path) -> str:
    """Write the page and give its address."""
    page = folder / "page.html"
    head = f'<link rel="stylesheet" href="{DIST.as_uri()}/livetorch.css">'
    head += f'<script defer src="{DIST.as_uri()}/livetorch.js"></script>'
    body = "\n".join(figure.to_html() for figure in figures().values())
    page.write_text(
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        f'<title>Figures</title><meta name="viewport" content="width=device-width">{head}'
        f"<main><h1>Figures</h1>{body}</main></html>",
        encoding="utf-8",
    )
    return page.as_uri()


Opener = Callable[..., Page]


def tensor(page: Page, name: str, output: str = "output") -> torch.Tensor:
    """Return an output of a figure, as the page has computed it."""
    got = page.evaluate(
        """([name, output]) => {
          const figure = document.querySelector(`figure[data-name=${name}]`);
          const { shape, data } = figure.livetorch.outputs()[output];
          return { shape, data: Array.from(data) };
        }""",
        [name, output],
    )
    return torch.tensor(got["data"]).reshape(got["shape"])


def call(page: Page, name: str, script: str):
    """Do something with a figure's handle `f`."""
    return page.evaluate(f"(f => {script})(document.querySelector('figure[data-name={name}]').livetorch)")
