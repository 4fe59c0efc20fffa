"""Run a notebook's code cells in the page's Python; print a line of JSON for each, as soon as it is done."""

import ast
import contextlib
import io
import json
import sys

sys.path.insert(0, "/page/plain")
NOTEBOOK, LEFT_OUT = sys.argv[1], set(sys.argv[2:])


class Display:
    """What shows a value before a cell ends: its text."""

    def __init__(self, out) -> None:
        self.out = out

    def __call__(self, *values, display_id=None, **_):
        """Show values."""
        for value in values:
            print(repr(value), file=self.out[-1])
        return self

    update = __call__


def text_of(bundle):
    """Give the text of what a cell's last line gives, or nothing."""
    return "" if bundle is None else repr(bundle)


def run(source: str, space: dict, outs: list) -> dict:
    """Run one cell; gives its text, or the error that it raised."""
    outs.append(io.StringIO())
    source = "\n".join(line for line in source.splitlines() if not line.startswith(("%", "!")))
    try:
        tree, last = ast.parse(source), None
        if tree.body and isinstance(tree.body[-1], ast.Expr) and not source.rstrip().endswith(";"):
            last = ast.Expression(tree.body.pop().value)
        with contextlib.redirect_stdout(outs[-1]):
            exec(compile(tree, "<cell>", "exec"), space)
            value = None if last is None else eval(compile(last, "<cell>", "eval"), space)
            if value is not None:
                print(text_of(value))
    except BaseException as error:
        said = f"{type(error).__name__}: {error}".splitlines()[0]
        return {"text": outs[-1].getvalue(), "error": said, "absent": type(error).__name__ == "NotInPage"}
    return {"text": outs[-1].getvalue(), "error": None, "absent": False}


def stored(cell: dict) -> tuple[str, str | None]:
    """Give the text and the error that a notebook stores for a cell."""
    text, error = "", None
    for out in cell["outputs"]:
        if out["output_type"] == "stream":
            text += "".join(out["text"])
        elif out["output_type"] == "error":
            error = out["ename"]
        else:
            text += "".join(out["data"].get("text/plain", "")) + "\n"
    return text, error


outs: list = []
space = {"__name__": "__main__"}
space["display"] = Display(outs)
import builtins  # noqa: E402

builtins.display = space["display"]
with open(NOTEBOOK, encoding="utf-8") as file:
    cells = json.load(file)["cells"]
for number, cell in enumerate(cells):
    if cell["cell_type"] != "code":
        continue
    if str(number) in LEFT_OUT:
        found = {"text": "", "error": "left out", "absent": True}
    else:
        found = run("".join(cell["source"]), space, outs)
    text, error = stored(cell)
    sys.stdout.write(json.dumps({"cell": number, **found, "wanted": text, "wanted_error": error}) + "\n")
