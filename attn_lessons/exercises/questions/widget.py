"""`Question`: what a cell shows for a question, in a kernel, on the site and as text."""

from pathlib import Path
from typing import Any

import anywidget
import traitlets

from attn_lessons.exercises.questions.stored import question_html, question_text
from livetorch.figure.widget import STYLE

_BUILT = Path(__file__).parent / "built"


class Question(anywidget.AnyWidget):
    """A question that the reader answers in the page, as `ask_choice`, `ask_number` and `ask_cells` make it.

    A notebook stores its text and a form that works without JavaScript; the site's script, or a kernel,
    makes it one that replies.

    >>> from attn_lessons.exercises import ask_number
    >>> ask_number("What is 1 / 2?", 0.5, explain="One half.", name="half").spec["kind"]
    'number'
    """

    # a widget's script is a module and needs an export; figures bring the colours and buttons of their cards
    _esm = (_BUILT / "questions.js").read_text(encoding="utf-8") + (
        "\nexport default globalThis.AttnQuestions.questionWidget;\n"
    )
    _css = STYLE + (_BUILT / "questions.css").read_text(encoding="utf-8")
    _spec = traitlets.Dict().tag(sync=True)

    def __init__(self, spec: dict[str, Any]) -> None:
        super().__init__(_spec=spec)

    @property
    def spec(self) -> dict[str, Any]:
        """The question's JSON, as it is stored in the notebook."""
        return self._spec

    def to_html(self) -> str:
        """Return the HTML that the notebook stores: the question, its answer folded, and its JSON."""
        return question_html(self._spec)

    def __repr__(self) -> str:
        """Return the question, then the answer with its explanation."""
        return question_text(self._spec)

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        made = super()._repr_mimebundle_(**kwargs)
        data, metadata = made if isinstance(made, tuple) else (made or {}, {})
        data = {key: value for key, value in data.items() if key != "text/plain"}
        return {"text/plain": repr(self), "text/html": self.to_html(), **data}, metadata
