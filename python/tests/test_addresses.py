"""Tables and certificates at an address."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import yomikiri
from conftest import Command, KeysOf, TableOf


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Where the files of a folder are served, whole and by ranges."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_HEAD(self) -> None:
            self.answer(with_body=False)

        def do_GET(self) -> None:
            self.answer(with_body=True)

        def answer(self, with_body: bool) -> None:
            file = tmp_path / self.path.lstrip("/")
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
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_tables_and_certificates_are_read_at_an_address(
    address: str, table_of: TableOf, keys_of: KeysOf, command: Command, tmp_path: Path
) -> None:
    for code in ["bin3x3", "pyon3x4"]:
        (tmp_path / f"{code}.tbl").write_bytes(table_of(code).path.read_bytes())
    yomikiri.prove("bin4x3", certificate=tmp_path / "bin4x3.proof")
    here = yomikiri.Certificate.open("bin4x3", tables=tmp_path)
    here.check()
    command.run("tables", "manifest", "--tables", str(tmp_path))
    for code in ["bin3x3", "pyon3x4"]:
        table, keys = yomikiri.Table.open(code, tables=address), keys_of(code)
        assert table.address == f"{address}/{code}.tbl" and len(table) == len(table_of(code))
        assert table_of(code).address is None
        for found, expected in zip(table.values(keys), table_of(code).values(keys), strict=True):
            assert (found == expected).all()
        assert table.line() == table_of(code).line()
    there = yomikiri.Certificate.open("bin4x3", tables=address)
    assert (there.address, here.address) == (f"{address}/bin4x3.proof", None)
    assert there.is_checked and there.winner == here.winner and there.position == here.position
    assert there.winning_move(there.position) == here.winning_move(here.position)
    assert there.check().entries == here.check().entries
    choice = yomikiri.best_move(yomikiri.Game("bin3x3").start, tables=address)
    assert (choice.source, choice.value) == ("table", table_of("bin3x3").value("startpos"))


def test_what_is_not_at_an_address_is_an_exception(address: str, table_of: TableOf, tmp_path: Path) -> None:
    with pytest.raises(yomikiri.TableError, match="manifest.json"):
        yomikiri.Table.open("bin3x3", tables=address)
    (tmp_path / "manifest.json").write_text('{"manifest":1,"files":[]}')
    with pytest.raises(yomikiri.MissingTableError, match="bin3x3.tbl: not there; it is not in the list of files"):
        yomikiri.Table.open("bin3x3", tables=address)
    with pytest.raises(yomikiri.MissingTableError, match="bin3x3.proof: not there; it is not in the list of files"):
        yomikiri.Certificate.open("bin3x3", tables=address)
    with pytest.raises(yomikiri.TableError, match="is an address: files there can be read, not written"):
        yomikiri.analyze("bin3x3", tables=address)
