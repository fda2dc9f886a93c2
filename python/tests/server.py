"""A server on the loopback for the files of a folder, whole and by ranges."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


@dataclass
class Gate:
    """Holds back answers while it is closed."""

    open: threading.Event = field(default_factory=threading.Event)
    #: Set when a request waits at the gate.
    waiting: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.open.set()

    def pass_through(self) -> None:
        if not self.open.is_set():
            self.waiting.set()
            self.open.wait()


@contextmanager
def serving(folder: Path, gate: Gate | None = None) -> Iterator[str]:
    """Serves a folder. Yields the address."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_HEAD(self) -> None:
            self.answer(with_body=False)

        def do_GET(self) -> None:
            self.answer(with_body=True)

        def answer(self, with_body: bool) -> None:
            if gate is not None:
                gate.pass_through()
            file = folder / self.path.lstrip("/")
            if not file.is_file():
                self.send_response(404)
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            content = file.read_bytes()
            length, asked = len(content), self.headers.get("Range")
            if asked is None:
                self.send_response(200)
            else:
                first, last = asked.removeprefix("bytes=").split("-")
                start, end = int(first), min(int(last), length - 1)
                content = content[start : end + 1]
                self.send_response(206)
                self.send_header("Content-Range", f"bytes {start}-{end}/{length}")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            if with_body:
                self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
