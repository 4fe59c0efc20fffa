"""A page may skip a check, or stop at it: what a later cell reads stands above the first assert."""

import ast
import symtable

import nbformat
import pytest
from built_site import ROOT

from pagepython.running.names import names_of

STORED = sorted((ROOT / "notebooks").glob("*.ipynb"))


def bound(body: list[ast.stmt]) -> set[str]:
    found = symtable.symtable(ast.unparse(body), "cell", "exec").get_symbols()
    return {each.get_name() for each in found if each.is_assigned() or each.is_imported()}


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_no_cell_reads_what_another_binds_below_its_first_assert(path):
    late: dict[str, str] = {}  # name -> the cell that binds it there
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "code":
            body, names = ast.parse(cell.source).body, names_of(cell.source)
            read = {*names["reads"], *names["later"]} - bound(body)
            assert not {name: late[name] for name in read & {*late}}, cell.id
            firm = [each for each in body if not isinstance(each, ast.FunctionDef)]
            has_assert = [
                each.lineno for each in firm for node in ast.walk(each) if isinstance(node, ast.Assert)
            ]
            below = bound([each for each in body if has_assert and each.lineno >= has_assert[0]])
            late = {name: at for name, at in late.items() if name not in bound(body)}
            late |= dict.fromkeys(below, cell.id)
