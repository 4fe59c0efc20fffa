"""Find a Chromium for the browser tests; with ``--install``, get the lightest where apt-get can."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

SHELL = "chromium-headless-shell"  # the same engine without windows: half the work for a page
NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome")
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-dev-shm-usage")
# Resolves once a page's scripts are there: they come after it has been painted.
AWAKE = """() => new Promise((done, fail) => {
  const page = document.documentElement;
  const end = performance.now() + 60000;
  const look = () => {
    if (!page.matches("[data-scripted]:not([data-awake])")) done();
    else if (performance.now() > end) fail(new Error("the page's scripts did not come in a minute"));
    else setTimeout(look, 20);
  };
  look();
})"""
HOW_TO_GET = "No Chromium or Chrome found: install one (Debian: apt-get install chromium) or set CHROME_PATH."


def find(shell: bool = False) -> str | None:
    """Give the path of an installed Chromium or Chrome; with shell, rather of the one without windows."""
    names = (SHELL, *NAMES) if shell else (*NAMES, SHELL)
    candidates = [os.environ.get("CHROME_PATH"), *map(shutil.which, names), *PLACES]
    return next((path for path in candidates if path and Path(path).exists()), None)


def install() -> str | None:
    """Try to install the light Chromium where apt-get can, else any; then look again."""
    light = shutil.which(SHELL) or "CHROME_PATH" in os.environ
    if not light and shutil.which("apt-get") and os.geteuid() == 0:
        quiet = {**dict.fromkeys(("stdout", "stderr"), subprocess.DEVNULL), "check": False}
        quiet["env"] = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        apt = ["apt-get", *("-o", "Acquire::http::Timeout=10", "-o", "Acquire::Retries=0")]
        packages = (SHELL,) if find() else (SHELL, "chromium")
        if subprocess.run([*apt, "install", "-y", packages[0]], **quiet).returncode:
            subprocess.run([*apt, "update"], **quiet)
            any(subprocess.run([*apt, "install", "-y", one], **quiet).returncode == 0 for one in packages)
    return find(shell=True)


if __name__ == "__main__":
    program = install() if "--install" in sys.argv else find(shell=True)
    if program is None:
        sys.exit(HOW_TO_GET)
    print(f"Browser: {program}")
