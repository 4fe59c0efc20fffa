"""Write, run and check the book's notebooks in one normal form (normal_form.py says what that is).

    python tools/notebooks/notebooks.py check   [NOTEBOOK ...]   say what is not in normal form (exit code 1)
    python tools/notebooks/notebooks.py write   [NOTEBOOK ...]   bring to normal form without running
    python tools/notebooks/notebooks.py execute [NOTEBOOK ...]   run each in a fresh kernel, then write;
                                                                 stores nothing if a cell raises
    python tools/notebooks/notebooks.py from-script DRAFT.py NOTEBOOK [--execute]  percent script to notebook
    python tools/notebooks/notebooks.py to-script NOTEBOOK DRAFT.py  notebook to percent script

Without a NOTEBOOK, all of ``notebooks/*.ipynb``. In a percent script a title names the cell:
``# %% worked-example`` and ``# %% [markdown] the-question`` become its id,
``# %% tags=["hide-input"]`` its tags.
"""

import argparse
import sys
from pathlib import Path

import large_constants
import nbformat
from normal_form import normal, problems, slug, text_of

ROOT = Path(__file__).resolve().parents[2]


def read(path: Path):
    """Read one notebook."""
    return nbformat.read(path, as_version=4)


def write(path: Path, notebook) -> bool:
    """Store a notebook in normal form, its large constants beside it; True if the file changed."""
    light, files = large_constants.lightened(normal(notebook))
    text = text_of(light)
    changed = not path.exists() or path.read_text(encoding="utf-8") != text
    if changed:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    large_constants.store(path.parent, files)
    return changed


def execute(notebook, folder: Path, timeout: int = 300):
    """Run a notebook in a fresh kernel and give it back with its outputs; a cell that raises raises here."""
    from nbclient import NotebookClient

    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell["outputs"], cell["execution_count"] = [], None
    client = NotebookClient(
        notebook,
        timeout=timeout,
        kernel_name="python3",
        record_timing=False,
        store_widget_state=False,
        resources={"metadata": {"path": str(folder)}},
    )
    return client.execute()


def from_script(text: str):
    """Turn a percent script into a notebook; a cell's title, or its ``id``, becomes its id."""
    import jupytext

    notebook = jupytext.reads(text, fmt="py:percent")
    for cell in notebook.cells:
        name = cell.metadata.pop("id", None) or slug(cell.metadata.pop("title", "") or "", most=64)
        cell["id"] = name or ""
    return normal(notebook)


def to_script(notebook) -> str:
    """Turn a notebook into a percent script that ``from_script`` reads back."""
    import jupytext

    notebook = normal(notebook)
    notebook.metadata["jupytext"] = {"notebook_metadata_filter": "-all"}
    for cell in notebook.cells:
        cell.metadata["id"] = cell.id
    return jupytext.writes(notebook, fmt="py:percent")


def _run(path: Path) -> bool:
    from nbclient.exceptions import CellExecutionError, CellTimeoutError

    try:
        notebook = execute(read(path), path.parent)
    except (CellExecutionError, CellTimeoutError) as error:
        print(f"{path}: not stored, a cell failed:\n{error}", file=sys.stderr)
        return False
    print(f"{path}: {'written' if write(path, notebook) else 'unchanged'}")
    return _report(path)


def _report(path: Path) -> bool:
    notebook = read(path)
    found = problems(notebook, path.read_text(encoding="utf-8"))
    found += large_constants.complaints(notebook, path.parent)
    for problem in found:
        print(f"{path}: {problem}", file=sys.stderr)
    return not found


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("check", "write", "execute"):
        commands.add_parser(name).add_argument("notebooks", nargs="*", type=Path)
    script = commands.add_parser("from-script")
    script.add_argument("script", type=Path)
    script.add_argument("notebook", type=Path)
    script.add_argument("--execute", action="store_true", help="run it too; write nothing if a cell raises")
    script = commands.add_parser("to-script")
    script.add_argument("notebook", type=Path)
    script.add_argument("script", type=Path)
    return parser.parse_args()


def main() -> int:
    """Carry out one command; the exit code says whether all went well."""
    arguments = _arguments()
    if arguments.command == "from-script":
        notebook = from_script(arguments.script.read_text(encoding="utf-8"))
        if arguments.execute:
            arguments.notebook.parent.mkdir(parents=True, exist_ok=True)
            notebook = execute(notebook, arguments.notebook.parent)
        write(arguments.notebook, notebook)
        return 0 if not arguments.execute or _report(arguments.notebook) else 1
    if arguments.command == "to-script":
        arguments.script.write_text(to_script(read(arguments.notebook)), encoding="utf-8")
        return 0
    paths = arguments.notebooks or sorted((ROOT / "notebooks").glob("*.ipynb"))
    if arguments.command == "write":
        for path in paths:
            print(f"{path}: {'written' if write(path, read(path)) else 'unchanged'}")
        return 0
    one = {"check": _report, "execute": _run}[arguments.command]
    results = [one(path) for path in paths]
    print(f"{sum(results)} of {len(results)} notebooks in normal form")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
