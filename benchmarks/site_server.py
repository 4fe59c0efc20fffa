"""Serve a folder on this machine as a web host does: compressed, with the headers that a host sends.

python benchmarks/site_server.py [FOLDER] [--port 8000] [--policy]
"""

import argparse
import contextlib
import functools
import gzip
import http.server
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools" / "site"))

from content_policy import EMBED, SHOWN_ANYWHERE, SITE, policy  # noqa: E402

COMPRESSED = (".html", ".js", ".mjs", ".css", ".svg", ".json", ".txt", ".ttf", ".inv")


class CompressingHandler(http.server.SimpleHTTPRequestHandler):
    """Files of a folder, gzip where the browser takes it; a connection is kept for the next file."""

    protocol_version = "HTTP/1.1"

    def __init__(self, *args, policy: str | None = None, **kwargs) -> None:
        self.policy = policy
        super().__init__(*args, **kwargs)

    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path))
        if path.is_dir():
            path = path / "index.html"
        if not path.is_file():
            self.send_error(404)
            return
        body = path.read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Cache-Control", "max-age=600")
        if self.policy:
            embedded = self.path.startswith(f"/{EMBED}/")
            self.send_header("Content-Security-Policy", SHOWN_ANYWHERE if embedded else self.policy)
        if path.suffix in COMPRESSED and "gzip" in self.headers.get("Accept-Encoding", ""):
            body = gzip.compress(body, 6, mtime=0)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_) -> None:
        pass


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of a browser that left in the middle of a file, as at every closed page."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


@contextlib.contextmanager
def serving(folder: Path = SITE, *, port: int = 0, policy: str | None = None) -> Iterator[str]:
    """Serve `folder` while the block runs; gives the address."""
    handler = functools.partial(CompressingHandler, directory=str(folder), policy=policy)
    with _Server(("127.0.0.1", port), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, nargs="?", default=SITE)
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--policy", action="store_true", help="send the content security policy")
    options = parser.parse_args()
    header = policy(options.folder) if options.policy else None
    with serving(options.folder, port=options.port, policy=header) as address:
        print(f"{address} (Ctrl-C stops)")
        with contextlib.suppress(KeyboardInterrupt):
            threading.Event().wait()


if __name__ == "__main__":
    main()
