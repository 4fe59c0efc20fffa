"""The statement that holds a part of a text of Python, on one line."""

import ast
import linecache
from functools import lru_cache
from pathlib import Path

from livetorch.program.errors import Line
from livetorch.program.source import SourceLine

_LONG = 200  # letters: of a longer statement only the running line is kept

Span = tuple[int, int, int, int]  # first line, last line (from 1), first column, last column (bytes)


def statement(line: Line) -> tuple[SourceLine, int, int] | None:
    """Give the statement, and from which letter to which the part that ran; None where there is no source."""
    rows = tuple(linecache.getlines(line.file))
    if not rows or line.span is None or line.span[1] > len(rows):
        return None
    outer = _enclosing(rows, line.span)
    text, start, end = _on_one_line(rows, outer, line.span)
    if len(text) > _LONG:
        first, last, begin, stop = line.span
        row = (first, first, _indent(rows[first - 1]), len(rows[first - 1].rstrip().encode()))
        text, start, end = _on_one_line(rows, row, (first, first, begin, stop if last == first else row[3]))
    return SourceLine(text, _file(line.file), line.function), start, end


def _file(file: str) -> str:
    """Name a file without its folders; cells and typed-in code have names that differ from run to run."""
    return "" if file.startswith("<") or "ipykernel" in file else Path(file).name


def _indent(row: str) -> int:
    return len(row) - len(row.lstrip())


@lru_cache(maxsize=64)
def _statements(rows: tuple[str, ...]) -> list[ast.stmt | ast.Lambda]:
    """List statements and lambdas from the outside in; none of a cell with magic commands."""
    try:
        tree = ast.parse("".join(rows))
    except SyntaxError:
        return []
    return [node for node in ast.walk(tree) if isinstance(node, ast.stmt | ast.Lambda)]


def _enclosing(rows: tuple[str, ...], span: Span) -> Span:
    """Find the innermost statement, or lambda, around a part; of a block only its head."""
    best = (span[0], span[0], _indent(rows[span[0] - 1]), len(rows[span[0] - 1].rstrip().encode()))
    for node in _statements(rows):
        if not _around(node, span):
            continue
        first, last = node.lineno, node.end_lineno or node.lineno
        begin, stop = node.col_offset, node.end_col_offset or 0
        body = getattr(node, "body", None)
        if isinstance(body, list):  # def, for, if, with: up to the colon
            if _before(span, body[0]):
                last = max(first, body[0].lineno - 1)
                stop = len(rows[last - 1].rstrip().encode())
            else:
                continue
        best = (first, last, begin, stop)
    return best


def _around(node: ast.stmt | ast.Lambda, span: Span) -> bool:
    first, last, begin, stop = span
    return (node.lineno, node.col_offset) <= (first, begin) and (last, stop) <= (
        node.end_lineno or node.lineno,
        node.end_col_offset or 0,
    )


def _before(span: Span, node: ast.AST) -> bool:
    return (span[1], span[3]) <= (getattr(node, "lineno", 0), getattr(node, "col_offset", 0))


def _on_one_line(rows: tuple[str, ...], outer: Span, part: Span) -> tuple[str, int, int]:
    """Join the lines of `outer`, and count where `part` begins and ends in them."""
    first, last, begin, stop = outer
    text, start, end = "", 0, 0
    for number in range(first, last + 1):
        row = rows[number - 1].encode()
        left = begin if number == first else _indent(rows[number - 1])
        right = stop if number == last else len(row.rstrip())
        piece = row[left:right].decode(errors="replace")
        joint = "" if not text or text[-1] in "([{" or piece[:1] in ")]}" else " "

        def place(column: int, left: int = left, row: bytes = row, at: int = len(text) + len(joint)) -> int:
            return at + len(row[left : max(left, column)].decode(errors="replace"))

        text += joint + piece
        if number == part[0]:
            start = place(part[2])
        if number == part[1]:
            end = place(part[3])
    return text, min(start, len(text)), min(max(start, end), len(text))
