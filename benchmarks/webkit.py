"""Open lessons in WebKit (GTK), hold their live figures against torch, and edit and run a cell.

    python benchmarks/webkit.py [--site _build/html] [--settings 3] [--pages NAME ...]

WebKit is driven by its own WebDriver (Debian: apt-get install webkit2gtk-driver xvfb). Where it cannot be
had, this says so, and nothing fails.
"""

import contextlib
import io
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import report
import torch
from firefox import COLUMNS, EDIT, TRY, WAKE, judge, plan
from site_server import serving

MINI = next(Path("/usr/lib").glob("**/webkit2gtk-4.*/MiniBrowser"), None)
SECONDS = 300  # that a script may take on a busy machine
AWAKE = "return document.documentElement.matches(':not([data-scripted]), [data-awake]')"


class Session:
    """A window of WebKit, spoken to over WebDriver."""

    def __init__(self, driver: str) -> None:
        self.address = f"{driver}/session"
        options = {"binary": str(MINI), "args": ["--automation"]}
        found = self._ask("", {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}})
        self.address += f"/{found['sessionId']}"
        self.version = "WebKitGTK {browserVersion}".format(**found["capabilities"])
        self._ask("/timeouts", {"script": 1000 * SECONDS, "pageLoad": 1000 * SECONDS})

    def _ask(self, command: str, body: dict[str, Any]) -> Any:
        request = urllib.request.Request(
            self.address + command, json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        try:
            with urllib.request.urlopen(request, timeout=SECONDS + 60) as answer:
                return json.loads(answer.read())["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.loads(error.read())["value"]["message"]) from error

    def open(self, address: str) -> None:
        """Open a page, and wait for its scripts."""
        self._ask("/url", {"url": address})
        end = time.monotonic() + SECONDS
        while not self._ask("/execute/sync", {"script": AWAKE, "args": []}):
            if time.monotonic() > end:
                raise RuntimeError("its scripts do not come")
            time.sleep(0.2)

    def call(self, function: str, *given: Any) -> Any:
        """Run a function of the page; a promise is waited for."""
        # as text, so that names keep their order
        script = f"""
          const done = arguments[1];
          const end = (kind) => (value) => done(JSON.stringify({{ [kind]: value }}));
          ({function})(arguments[0]).then(end("value"), (error) => end("fault")(String(error)));
        """
        answer = json.loads(self._ask("/execute/async", {"script": script, "args": [list(given)]}))
        if "fault" in answer:
            raise RuntimeError(answer["fault"])
        return answer["value"]


@contextlib.contextmanager
def driver(program: str) -> Iterator[str]:
    """Start the driver, with a screen of its own where there is none; gives its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [program, f"--port={port}", "--host=127.0.0.1"]
    if "DISPLAY" not in os.environ:
        command = ["xvfb-run", "-a", *command]
    process = subprocess.Popen(command, start_new_session=True, stderr=subprocess.DEVNULL)
    try:
        for _ in range(300):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.2)
        yield f"http://127.0.0.1:{port}"
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()


def visit(session: Session, wanted: dict[str, Any]) -> dict[str, Any]:
    """Open a page and try its figures; gives what Firefox's driver gives."""
    found = {"page": wanted["page"], "scheme": wanted["scheme"], "figures": {}, "question": None}
    found |= {"errors": [], "foreign": [], "edited": None}
    try:
        session.open(f"{wanted['home']}/{wanted['page']}.html")
        found["names"] = session.call(WAKE)
        for figure, drawn in wanted["settings"].items():
            found["figures"][figure] = {"tries": session.call(TRY, figure, [[], *drawn]), "pressed": None}
        if wanted["edit"]:
            found["edited"] = session.call(EDIT, *wanted["edit"])
    except RuntimeError as error:
        found["errors"].append(str(error))
    return found


def main() -> int:
    options = report.options(__doc__, site=report.SITE, settings=3, pages=report.some_chapters())
    program = shutil.which("WebKitWebDriver")
    if not program or not MINI or not ("DISPLAY" in os.environ or shutil.which("xvfb-run")):
        print("WebKit was not tried: it is not here (Debian: apt-get install webkit2gtk-driver xvfb).")
        return 0
    torch.set_num_threads(1)
    with serving(options.site.resolve()) as home, driver(program) as address:
        session = Session(address)
        with contextlib.redirect_stdout(io.StringIO()):  # the chapters' own prints
            visits = plan(options.pages, {"http": home}, options.settings)
            rows = [judge(visit(session, each)) for each in visits]
    broken = [f"{row['page']}: {line}" for row in rows for line in row.pop("broken")]
    return report.finish(
        "webkit",
        what="Lessons of each kind in WebKit; live figures held against torch, a cell edited and run",
        rules=["every number within 1e-5 of torch's", "a cell that was edited prints what torch prints"],
        browser=session.version,
        comparisons=sum(row["numbers"] for row in rows),
        rows={"visits": rows},
        broken=broken,
        columns={key: said for key, said in COLUMNS.items() if key not in ("question", "foreign")},
    )


if __name__ == "__main__":
    sys.exit(main())
