"""Python for the pages is made beside them; without Node or its modules the site is built all the same."""

import json
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest
from sphinx.errors import ExtensionError

from pagepython import sphinx as page_python

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "pagepython"


@pytest.fixture
def app(tmp_path):
    (tmp_path / "mine").mkdir()
    config = SimpleNamespace(
        page_python={"packages": ["mine"], "start": "mine.page:start"},
        page_torch="t.whl",
        html_static_path=[],
    )
    folders = {"srcdir": tmp_path, "outdir": tmp_path / "html", "doctreedir": tmp_path / "made" / "trees"}
    return SimpleNamespace(config=config, builder=SimpleNamespace(format="html"), **folders)


@pytest.fixture
def script(tmp_path, monkeypatch):
    def write(code: str) -> None:
        path = tmp_path / "build.mjs"
        path.write_text(code, encoding="utf-8")
        monkeypatch.setattr(page_python, "SCRIPT", path)

    return write


def test_the_script_is_told_where_to_write_and_what_cells_may_import(app, script, tmp_path):
    script(
        'import { mkdirSync, writeFileSync } from "node:fs"; const [out, options] = process.argv.slice(2);'
        'mkdirSync(out, { recursive: true }); writeFileSync(out + "/told.json", options);'
    )
    page_python.build(app)
    assert json.loads((tmp_path / "html/_static/page/told.json").read_text("utf-8")) == {
        "packages": [str(tmp_path / "mine")],
        "start": "mine.page:start",
        "torch": "t.whl",
        "keep": str(tmp_path / "made" / "page"),
    }


def test_without_node_or_its_modules_nothing_of_a_former_build_stays(app, script, tmp_path, monkeypatch):
    old = tmp_path / "html/_static/page/worker.js"
    for missing in ("modules", "node"):
        old.parent.mkdir(parents=True)
        old.write_text("old", encoding="utf-8")
        script("process.exit(3);")
        if missing == "node":
            monkeypatch.setenv("PATH", "")
        page_python.build(app)
        assert not old.parent.exists()


def test_a_fault_of_the_script_is_said_and_leaves_nothing(app, script, tmp_path):
    script(
        'import { mkdirSync } from "node:fs"; mkdirSync(process.argv[2], { recursive: true });'
        'throw new Error("no such lock");'
    )
    with pytest.raises(ExtensionError, match="no such lock"):
        page_python.build(app)
    assert not (tmp_path / "html/_static/page").exists()


def test_other_builders_and_books_without_the_setting_get_nothing(app, script):
    script("process.exit(1);")
    app.builder.format = "latex"
    page_python.build(app)
    app.builder.format, app.config.page_python = "html", {}
    page_python.build(app)


def test_the_real_script_says_by_its_exit_that_its_modules_are_not_there(tmp_path):
    for name in ("build.mjs", "collect.mjs", "editor.mjs"):
        shutil.copy(PAGE / "build" / name, tmp_path)
    done = subprocess.run(
        ["node", tmp_path / "build.mjs", tmp_path / "out"], capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (page_python.WITHOUT_MODULES, b"")
    assert not (tmp_path / "out").exists()


def test_what_the_site_is_built_with_is_what_tests_run_with():
    ours = json.loads((PAGE / "package.json").read_text("utf-8"))["dependencies"]
    package = json.loads((ROOT / "package.json").read_text("utf-8"))
    tests = package["dependencies"] | package["devDependencies"]
    assert {name: tests.get(name) for name in ("pyodide", "esbuild")} == {
        name: ours[name] for name in ("pyodide", "esbuild")
    }
    assert all(version[0].isdigit() for version in ours.values()), "versions are pinned"
    lock = json.loads((PAGE / "package-lock.json").read_text("utf-8"))
    assert lock["packages"][""]["dependencies"] == ours


def test_a_package_that_is_not_there_is_named(app):
    app.config.page_python["packages"] = ["mine", "yours"]
    with pytest.raises(ExtensionError, match="packages that are not there: yours"):
        page_python.build(app)
