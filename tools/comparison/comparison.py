"""A plugin of pytest: nbval runs the notebooks, their outputs are compared here, as numbers.

    PYTHONPATH=tools/comparison pytest --nbval -p comparison notebooks

Processors differ in the last bits of what they compute, and an output that differs from the stored one in no
more is as good. printed.py says what that means for text, figure_json.py for figures, pictures.py for SVG.
"""

import copy
import functools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import forked_kernel
import no_grammar  # noqa: F401
import pictures
import printed
import stored_html
from nbval.plugin import IPyNbCell, transform_streams_for_comparison

from livetorch.pools import put_back

MOST = 8  # differences of a cell that are written out
_CODE = re.compile(r"^(`{3,})[^\n]*\n.*?^\1$", re.MULTILINE | re.DOTALL)


def pytest_configure() -> None:
    """Let the kernel of each notebook be a fork of one process."""
    forked_kernel.use()


def pytest_unconfigure() -> None:
    """End what kernels are forked from."""
    forked_kernel.end()


def pytest_itemcollected(item: Any) -> None:
    """Give each cell of a notebook this comparison in place of nbval's own."""
    if isinstance(item, IPyNbCell):
        item.compare_outputs = functools.partial(_compare_outputs, item)


def _compare_outputs(cell: IPyNbCell, computed: Sequence[Any], stored: Sequence[Any], skipped=None) -> bool:
    """Do what nbval's method of this name does: say whether outputs agree, and keep what to show if not."""
    stored = whole(stored, cell.parent.path.parent)
    found = output_differences(stored, computed, skipped or cell.parent.skip_compare)
    more = [f"and {len(found) - MOST} more"] if len(found) > MOST else []
    cell.comparison_traceback = [*found[:MOST], *more]
    return not found


def whole(outputs: Sequence[Any], folder: Path) -> list[Any]:
    """Give stored outputs with the constants that lie beside their notebook, as a run gives them."""
    result = copy.deepcopy(list(outputs))
    for output in result:
        if "text/html" in output.get("data", {}):
            output["data"]["text/html"] = put_back(output["data"]["text/html"], folder)
    return result


def output_differences(stored: Sequence[Any], computed: Sequence[Any], skipped: Sequence[str]) -> list[str]:
    """Say where the outputs of a cell differ by more than processors do.

    Args:
        stored: the outputs that the notebook holds.
        computed: the outputs of the run.
        skipped: fields and MIME types that are left out.

    Returns:
        One line for each difference; an empty list if there is none.
    """
    old, new = (_by_kind(outputs, skipped) for outputs in (stored, computed))
    if list(map(len, old.values())) != list(map(len, new.values())) or list(old) != list(new):
        kinds = [
            ", ".join(f"{len(v)} x {kind}" for kind, v in each.items()) or "nothing" for each in (old, new)
        ]
        return [f"{kinds[0]} stored, {kinds[1]} computed"]
    return [
        f"{kind}: {fault}"
        for kind in old
        for before, after in zip(old[kind], new[kind], strict=True)
        for fault in _COMPARED.get(kind, printed.differences)(before, after)
    ]


def _by_kind(outputs: Sequence[Any], skipped: Sequence[str]) -> dict[str, list[Any]]:
    """Sort outputs by kind, as nbval does: the order of kinds does not count, the order within one does."""
    found: dict[str, list[Any]] = {}
    lasting = [each for each in outputs if each.get("metadata", {}).get("livetorch") != "progress"]
    for output in transform_streams_for_comparison(lasting):
        fields = {name: value for name, value in output.items() if name != "data"} | output.get("data", {})
        for kind, value in fields.items():
            if kind not in skipped:
                found.setdefault(kind, []).append(value)
    return dict(sorted(found.items()))


def _markdown(stored: str, computed: str) -> Iterator[str]:
    """Code is compared letter by letter, what stands around it as printed text."""
    codes = [[match[0] for match in _CODE.finditer(text)] for text in (stored, computed)]
    if codes[0] != codes[1]:
        yield "other code"
    yield from printed.differences(*(_CODE.sub("(code)", text) for text in (stored, computed)))


_COMPARED: Mapping[str, Callable[[Any, Any], Any]] = {
    "text/html": stored_html.differences,
    "text/markdown": _markdown,
    "image/svg+xml": pictures.differences,
}
