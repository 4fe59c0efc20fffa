"""Run a notebook's code cells in the page's Python; print a line of JSON for each, as soon as it is done."""

import json
import sys

from pagepython.running.cell import Kernel

NOTEBOOK, LEFT_OUT = sys.argv[1], set(sys.argv[2:])
said: list[str] = []


def heard(kind: str, _content: str, text: str) -> None:
    """Note the text of what a cell shows."""
    said.append(text if kind == "stream" else f"{text}\n")


def run(source: str, cell: str) -> dict:
    """Run one cell; gives its text, or the error that it raised."""
    said.clear()
    result = json.loads(kernel.run(source, cell))
    error = result.get("error")
    line = f"{error['name']}: {error['message']}".splitlines()[0] if error else None
    text, absent = "".join(said), result.get("absent", False)
    return {"text": text, "error": line, "absent": absent, "milliseconds": result["milliseconds"]}


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


kernel = Kernel(heard)
with open(NOTEBOOK, encoding="utf-8") as file:
    cells = json.load(file)["cells"]
for number, cell in enumerate(cells):
    if cell["cell_type"] != "code":
        continue
    if str(number) in LEFT_OUT:
        continue
    found = run("".join(cell["source"]), f"In [{cell['execution_count']}]")
    text, error = stored(cell)
    sys.stdout.write(json.dumps({"cell": number, **found, "wanted": text, "wanted_error": error}) + "\n")
