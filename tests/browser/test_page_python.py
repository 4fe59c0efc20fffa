"""Python in a page of the built site: started, run, stopped, out of room; under the site's content policy."""

import gzip
import json
import subprocess
import zipfile
from pathlib import Path

import content_policy
import pytest
import site_server
from built_site import ROOT
from page_python import NOTE_REFUSALS, client, need_python, open_bare
from sampling import weekly
from waiting import wait_until


def make_wheel(folder: Path) -> Path:
    """Write a wheel of a torch that has a version and nothing else."""
    folder.mkdir()
    path = folder / "torch-9.9-py3-none-any.whl"
    about = "Metadata-Version: 2.1\nName: torch\nVersion: 9.9\n"
    kind = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    texts = {"METADATA": about, "WHEEL": kind, "RECORD": ""}
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr("torch/__init__.py", "__version__ = '9.9'\n")
        for name, text in texts.items():
            wheel.writestr(f"torch-9.9.dist-info/{name}", text)
    return path


@pytest.fixture(scope="module")
def script(site, tmp_path_factory):
    need_python(site)
    return client(tmp_path_factory.mktemp("client"))


@pytest.fixture(scope="module")
def bare(chromium, site, server, script):
    """Open the page once for the tests that leave Python running; it must not complain."""
    context = chromium.new_context()
    context.add_init_script(NOTE_REFUSALS)
    page, errors = context.new_page(), []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda m: errors.append(m.text) if m.type in ("error", "warning") else None)
    yield open_bare(page, server, content_policy.policy(site), script)
    assert page.evaluate("refused") == []
    assert errors == []
    context.close()


def test_nothing_is_fetched_before_it_is_wanted_and_then_little_from_one_host(bare, server):
    requests = []
    bare.page.on("request", lambda r: requests.append(r.url))
    fetched = bare.page.evaluate("performance.getEntriesByType('resource').map((entry) => entry.name)")
    own = {f"{server}/bare/{name}" for name in ("test.js", "client.js")}
    assert set(fetched) - {f"{server}/favicon.ico"} == own  # which the browser seeks by itself, or not
    seen = bare.page.evaluate(
        """async () => {
          const seen = [];
          await py.start({ onProgress: (progress) => seen.push(progress) });
          return seen;
        }"""
    )
    loaded = [one["loaded"] for one in seen]
    assert loaded == sorted(loaded)
    assert loaded[-1] == seen[-1]["total"] < 7e6
    assert loaded[0] < loaded[-1] / 2  # how often it is told hangs on how the network cuts its pieces
    assert len(seen) >= 4  # at least once for each part
    assert {one["what"] for one in seen} == {"loading Python", "starting Python"}
    assert requests
    assert [url for url in requests if not url.startswith(server)] == []
    assert bare.page.evaluate("[states, py.state]") == [["starting", "ready"], "ready"]


def test_all_that_a_press_fetches_is_at_most_7_mb(site):
    files = [
        path for path in (site / "_static/page").glob("*.*") if path.suffix in (".js", ".css", ".zip", ".bin")
    ]
    assert {"edit.js", "worker.js", "pyodide.asm.js", "python_stdlib.zip"} <= {path.name for path in files}
    assert sum(len(gzip.compress(path.read_bytes(), 6)) for path in files) < 7e6


def test_cells_run_one_after_the_other_and_say_how_they_went(bare):
    done = bare.run("import torch\nx = torch.arange(3.0)\nprint(x.sum())\nx.softmax(-1)")
    assert [(one["kind"], one["text"]) for one in done["shown"]] == [
        ("stream", "tensor(3.)\n"),
        ("text", "tensor([0.0900, 0.2447, 0.6652])"),
    ]
    found = bare.page.evaluate(
        """async () => {
          const order = [];
          const runs = ["y = 1", "y += 1", "y += 1\\ny"].map((source, i) =>
            py.run(source, { onOutput: ({ text }) => order.push(text) }).then(() => order.push(i)));
          await Promise.all(runs);
          return order;
        }"""
    )
    assert found == [0, 1, "3", 2]
    failed = bare.run("torch.fft.fft(x)", "cell 7")
    assert failed["absent"]
    assert failed["error"]["missing"] == "torch.fft.fft"
    assert failed["error"]["frames"] == [{"cell": "cell 7", "line": 1, "text": "torch.fft.fft(x)"}]


def test_modules_come_compiled(bare):
    stored = bare.run(
        "import attn_helpers, importlib.util, torch\n"
        "file = importlib.util.cache_from_source(attn_helpers.__file__)\n"
        "torch.__file__[-4:], open(file, 'rb').read()[4]"
    )
    assert stored["shown"][0]["text"] == "('.pyc', 1)"


def test_help_is_there_and_what_was_left_out_of_the_library_says_so(bare):
    assert "Return the sum" in bare.run("help(sum)")["shown"][0]["text"]
    for name in ("doctest", "xml.etree"):
        said = bare.run(f"import {name}")["error"]["message"]
        assert said == f"{name} is not in the page; run this notebook in Jupyter."
    assert bare.run("import urllib.request, unittest.mock, asyncio, pydoc")["ok"]


def test_the_page_goes_on_while_a_cell_computes_and_printed_text_comes_at_once(bare):
    counted = bare.page.evaluate(
        """async () => {
          let ticks = 0, first = 0;
          const timer = setInterval(() => ticks++, 10);
          await py.run("import time\\nfor k in range(4):\\n    print(k)\\n    time.sleep(0.2)", {
            onOutput: () => (first ||= ticks + 1),
          });
          clearInterval(timer);
          return [ticks, first];
        }"""
    )
    ticks, first = counted
    assert first < ticks / 2
    assert ticks > 8


@weekly
def test_a_cell_that_wants_all_memory_gets_an_error_and_the_next_one_runs(bare):
    for code in (
        "[0] * 10**9",
        "many = []\nwhile True:\n    many.append(bytearray(10**7))",
        "import torch\ntorch.ones(200_000, 200_000)",
        "import torch\nmany = []\nwhile True:\n    many.append(torch.ones(1000, 1000))",
    ):
        failed = bare.run(code)
        assert failed["error"]["name"] == "MemoryError", failed
    assert bare.run("many = None\n1 + 1")["shown"][0]["text"] == "2"


@weekly
def test_an_endless_loop_is_stopped_what_waits_is_told_and_python_starts_again(bare):
    found = bare.page.evaluate(
        """async () => {
          const printed = [];
          const endless = py.run("z = 1\\nwhile True:\\n    print(z)", {
            onOutput: ({ text }) => printed.push(text),
          });
          const waiting = py.run("1");
          const end = performance.now() + 60_000;
          while (!printed.length) {
            if (performance.now() > end) throw new Error(`nothing was printed, Python is ${py.state}`);
            await new Promise((done) => setTimeout(done, 20));
          }
          const busy = py.state;
          await py.stop();
          const answers = [await endless, await waiting];
          const off = py.state;
          const after = await py.run("z");
          return { answers, busy, off, after, state: py.state, characters: printed.join("").length };
        }"""
    )
    assert found["answers"] == [{"ok": False, "stopped": True}] * 2
    assert [found["busy"], found["off"], found["state"]] == ["busy", "off", "ready"]
    assert found["after"]["error"]["name"] == "NameError"
    assert found["characters"] < 201_000


@weekly
def test_python_that_ends_by_itself_is_started_again_and_that_is_said(bare):
    found = bare.page.evaluate(
        """async () => {
          const answer = await py.run("import js\\njs.reportError(js.Error.new('gone'))\\nwhile True: pass");
          const end = performance.now() + 60_000;
          while (!crashes.length || py.state !== "ready") {
            if (performance.now() > end) throw new Error(`${crashes.length} crashes, ${py.state}`);
            await new Promise((done) => setTimeout(done, 50));
          }
          return { answer, crashes, next: await py.run("1") };
        }"""
    )
    assert found["answer"] == {"ok": False, "stopped": True}
    assert len(found["crashes"]) == 1
    assert "have to be run again" in found["crashes"][0]
    assert found["next"]["ok"]


@weekly
def test_starting_can_be_cancelled_and_begun_again(bare):
    found = bare.page.evaluate(
        """async () => {
          const other = new PagePython({ base: "../_static/page/" });
          const hand = new AbortController();
          const starting = other.start({ signal: hand.signal, onProgress: () => hand.abort() });
          const name = await starting.then(() => "started", (error) => error.name);
          const off = other.state;
          const result = await other.run("6 * 7");
          await other.stop();
          return [name, off, result.ok, other.state];
        }"""
    )
    assert found == ["AbortError", "off", True, "off"]


@weekly
def test_a_file_that_does_not_come_is_said_and_another_try_works(bare):
    page = bare.page
    page.route("**/contents.bin*", lambda route: route.fulfill(status=404, body=""))
    page.evaluate("window.third = new PagePython({ base: '../_static/page/' })")
    said = page.evaluate("third.start().catch((error) => [error.message, third.state])")
    assert "contents.bin" in said[0]
    assert "404" in said[0]
    assert said[1] == "off"
    page.unroute("**/contents.bin*")
    page.evaluate("third.start()")
    assert page.evaluate("third.state") == "ready"
    page.evaluate("third.stop()")


@weekly
def test_a_site_may_bring_a_torch_of_its_own(chromium, script, tmp_path):
    page = tmp_path / "_static" / "page"
    wheel = make_wheel(tmp_path / "_static")
    options = json.dumps({"torch": f"_static/{wheel.name}"})
    subprocess.run(["node", ROOT / "pagepython/build/build.mjs", page, options], check=True)
    policy = content_policy.policy(tmp_path)
    with site_server.serving(tmp_path, policy=policy) as home:
        bare = open_bare(chromium.new_page(), home, policy, script)
        done = bare.run("import torch\ntorch.__version__")
        bare.page.close()
    assert [one["text"] for one in done["shown"]] == ["'9.9'"], done


def test_from_disk_it_says_that_code_needs_http_and_how(chromium, tmp_path, script):
    (tmp_path / "client.js").write_text(script.replace("export {", "window.made = {"), encoding="utf-8")
    (tmp_path / "index.html").write_text('<!doctype html><script src="client.js"></script>', encoding="utf-8")
    page = chromium.new_page()
    page.goto(f"file://{tmp_path}/index.html")
    wait_until(page, "'made' in window")
    name, said = page.evaluate(
        "new made.PagePython({ base: '_static/page/' }).start().catch(({ name, message }) => [name, message])"
    )
    page.close()
    assert name == "NeedsHttp"
    assert "make serve" in said
    assert "http" in said
