"""The server that book/hosting.md describes: its headers, and a class of 200 that opens a lesson at once.

Prints what it measured: ``pytest -s tests/rare/test_hosting.py``.
"""

import asyncio
import re
import shutil
import socket
import subprocess
import time
from pathlib import Path

import content_policy
import psutil
import pytest

ROOT = Path(__file__).resolve().parents[2]
SITE = content_policy.SITE
LESSON = "/notebooks/06a_self_attention.html"
READERS = 200
OWN = re.compile(r'(?:src|href)="\.\./(_static/[^"]+)"')
NGINX = shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/bin")
pytestmark = pytest.mark.skipif(not (NGINX and SITE.exists()), reason="needs nginx, and make book")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """Start nginx with the page's own text; only its port and its folder are others."""
    folder = tmp_path_factory.mktemp("nginx")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    block = (
        content_policy.server_text(SITE)
        .replace("listen 80", f"listen 127.0.0.1:{port}")
        .replace("/srv/attention-live", str(SITE))
    )
    config = folder / "nginx.conf"
    config.write_text(
        "daemon off; worker_processes 2; pid nginx.pid; error_log stderr;\n"
        "events { worker_connections 1024; }\n"
        f"http {{ include /etc/nginx/mime.types; access_log off; client_body_temp_path {folder};\n{block} }}",
        encoding="utf-8",
    )
    # user: or a server that root starts reads as nobody, who may not enter this folder
    process = subprocess.Popen([NGINX, "-p", folder, "-c", config, "-g", "user root;"])
    deadline = time.monotonic() + 10
    while socket.socket().connect_ex(("127.0.0.1", port)):
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.05)
    yield port, psutil.Process(process.pid)
    process.terminate()
    process.wait()


async def fetch(reader, writer, path: str) -> tuple[dict[str, str], bytes]:
    """Ask for one file over a connection that stays open."""
    writer.write(f"GET {path} HTTP/1.1\r\nHost: book\r\nAccept-Encoding: gzip\r\n\r\n".encode())
    status, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
    assert " 200 " in status, (path, status)
    headers = dict(line.lower().split(": ", 1) for line in lines if line)
    if "content-length" in headers:
        return headers, await reader.readexactly(int(headers["content-length"]))
    body = b""  # compressed on the way, so its length comes piece by piece
    while size := int(await reader.readline(), 16):
        body += await reader.readexactly(size)
        await reader.readline()
    await reader.readline()
    return headers, body


async def read_lesson(port: int, paths: list[str]) -> tuple[float, int]:
    """Fetch a lesson and all its files; gives the seconds and the bytes."""
    began, size = time.perf_counter(), 0
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for path in paths:
        size += len((await fetch(reader, writer, path))[1])
    writer.close()
    return time.perf_counter() - began, size


def files() -> list[str]:
    """Give the paths of a lesson and of all that it loads."""
    found = OWN.findall((SITE / LESSON[1:]).read_text(encoding="utf-8"))
    return [LESSON, *dict.fromkeys(f"/{path}" for path in found)]


def test_it_sends_what_the_page_promises(server):
    async def ask(path: str) -> dict[str, str]:
        return (await fetch(*await asyncio.open_connection("127.0.0.1", server[0]), path))[0]

    page = asyncio.run(ask(LESSON))
    assert page["content-encoding"] == "gzip"
    assert page["cache-control"] == "max-age=600"
    assert page["content-security-policy"] == content_policy.policy(SITE).lower()
    script = asyncio.run(ask(next(path for path in files() if ".js?v=" in path)))
    assert script["content-encoding"] == "gzip"
    assert "immutable" in script["cache-control"]
    embedded = next((SITE / "embed").glob("*.html")).name
    assert asyncio.run(ask(f"/embed/{embedded}"))["content-security-policy"] == content_policy.SHOWN_ANYWHERE


def test_a_class_of_200_opens_a_lesson_at_once(server):
    port, process = server
    paths = files()

    async def all_at_once() -> list[tuple[float, int]]:
        return await asyncio.gather(*(read_lesson(port, paths) for _ in range(READERS)))

    took = sorted(asyncio.run(all_at_once()))
    family = [process, *process.children()]
    worked = sum(sum(each.cpu_times()[:2]) for each in family)
    memory = sum(each.memory_info().rss for each in family)
    size = took[0][1]
    print(
        f"\n{READERS} readers, {len(paths)} files and {size / 1e3:.0f} kB each: the last has all after "
        f"{took[-1][0]:.1f} s; nginx worked {worked:.1f} s and holds {memory / 1e6:.0f} MB"
    )
    assert {each[1] for each in took} == {size}
    assert size < 1e6
    assert worked < 10
