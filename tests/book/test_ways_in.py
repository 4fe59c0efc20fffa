"""The ways into the book: Colab, the wheels, the zip of the pages, and `make` told what it needs."""

import os
import re
import subprocess
import sys
import zipfile

import pytest
import zip_site
from built_site import ROOT
from sampling import weekly

WAYS_IN = (ROOT / "book" / "ways_in.md").read_text(encoding="utf-8")


def test_the_first_cell_for_colab_installs_the_pinned_widget():
    (cell,) = re.findall(r"```ipython3\n(.*?)```", WAYS_IN, re.DOTALL)
    (pin,) = re.findall(r"anywidget==[\d.]+", cell)
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    assert pin in [line.partition("  #")[0] for line in lines]


# only to rebuild what is built, or for whoever works on it
NOT_PACKED = re.compile(r"livetorch/(js|example|page|pyproject|hatch_build|README|LICENSE)")
USED = """
import attn_lessons, livetorch, torch
from attn_lessons.exercises.questions import widget
figure = livetorch.explore(lambda x: torch.softmax(torch.tensor([1.0, 2.0]) * x, -1), x=(0.0, 1.0))
assert "<script" in figure.to_html() and len(figure._esm) > 100_000
print(livetorch.__file__)
"""


@pytest.fixture(scope="module")
def wheels(tmp_path_factory):
    """Build both wheels from a fresh clone, which holds no built script, as Colab does."""
    folder = tmp_path_factory.mktemp("wheels")
    copy = folder / "copy"
    subprocess.run(["git", "clone", "--quiet", "--depth", "1", ROOT.as_uri(), copy], check=True)
    (copy / "node_modules").symlink_to(ROOT / "node_modules")
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*build, "--wheel-dir", folder, copy / "livetorch", copy], check=True, cwd=folder)
    listed = subprocess.run(["git", "ls-files"], cwd=copy, capture_output=True, text=True, check=True)
    return {path: zipfile.ZipFile(path).namelist() for path in folder.glob("*.whl")}, listed.stdout.split()


@weekly
def test_the_wheels_bring_all_files_of_the_packages_and_each_file_once(wheels):
    packed = [name for names in wheels[0].values() for name in names]
    packages = ("attn_helpers/", "attn_lessons/", "livetorch/")
    wanted = {name for name in wheels[1] if name.startswith(packages) and not NOT_PACKED.match(name)}
    assert wanted - set(packed) == set()
    assert len(packed) == len(set(packed)), "two distributions own one file"
    (engine,) = [names for path, names in wheels[0].items() if path.name.startswith("livetorch-")]
    assert [name for name in engine if not name.startswith("livetorch")] == []


@weekly
def test_the_wheels_work_without_node_and_without_the_checkout(wheels, tmp_path):
    pip = [sys.executable, "-m", "pip", "--quiet", "install", "--no-deps", "--target", tmp_path / "packages"]
    subprocess.run([*pip, *wheels[0]], check=True)
    env = {"PATH": "", "HOME": str(tmp_path), "PYTHONPATH": str(tmp_path / "packages")}
    run = subprocess.run([sys.executable, "-c", USED], cwd=tmp_path, env=env, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert str(tmp_path) in run.stdout


def test_the_zip_of_the_same_pages_is_the_same_each_time(tmp_path):
    for name in ("first", "second"):
        for page in sorted(("book/intro.html", "index.html"), reverse=name == "second"):
            (tmp_path / name / page).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name / page).write_text("<title>Attention</title>")
            os.utime(tmp_path / name / page, (len(name) * 10**8,) * 2)
        zip_site.pack(tmp_path / name, tmp_path / f"{name}.zip")
    assert (tmp_path / "first.zip").read_bytes() == (tmp_path / "second.zip").read_bytes()


def test_the_zip_holds_every_page(site, tmp_path):
    size = zip_site.pack(site, tmp_path / "first.zip")
    inside = set(zipfile.ZipFile(tmp_path / "first.zip").namelist())
    names = [path.relative_to(site).as_posix() for path in site.rglob("*.html")]
    pages = {f"{zip_site.TOP}/{name}" for name in names if not name.startswith("embed/")}
    assert len(pages) > 20
    assert pages <= inside
    assert not any(name.startswith(f"{zip_site.TOP}/embed/") for name in inside)
    files = zipfile.ZipFile(tmp_path / "first.zip").infolist()
    packed, weights = (
        sum(one.compress_size for one in files if folder in one.filename)
        for folder in ("/_static/page/", "/_static/live/")
    )
    assert size - packed - weights < 8e6, "what is read"
    assert weights < 14e6, "weights of figures, a whole MiniLM among them"
    assert packed < 14e6, "Python in the pages, with every model of the lessons"


def test_windows_gets_the_commands_of_make_lab_and_asks_for_the_python_first():
    (commands,) = re.findall(r"```powershell\n(.*?)```", WAYS_IN, re.DOTALL)
    first, package, rest, lab = commands.strip().splitlines()
    assert first == "py -m venv .venv"
    # pip reads requires-python here
    assert package.endswith("pip install --no-deps --editable livetorch --editable .")
    assert rest.endswith("pip install -r requirements.txt")
    assert (ROOT / lab.rpartition("--config=")[2].replace("\\", "/")).is_file()


def test_an_old_python_is_refused_by_make_in_one_line(tmp_path):
    old = tmp_path / "python"
    old.write_text("#!/bin/sh\necho 3.10.12\n")
    old.chmod(0o755)
    run = subprocess.run(["make", "lab", f"PYTHON={old}"], cwd=ROOT, capture_output=True, text=True)
    (line,) = run.stderr.strip().splitlines()
    assert "This book needs Python 3.11 or newer" in line
    assert "3.10.12" in line
    assert run.returncode
