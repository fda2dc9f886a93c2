"""Tables and certificates at an address."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import yomikiri
from conftest import Command, KeysOf, TableOf
from server import serving


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """The address at which the files of ``tmp_path`` are served, whole and by ranges."""
    with serving(tmp_path) as address:
        yield address


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
        numbers = np.concatenate([keys, np.arange(60_000, dtype=np.uint64), np.array([2**63], dtype=np.uint64)])
        for found, expected in zip(table.values(numbers), table_of(code).values(numbers), strict=True):
            assert (found == expected).all()
        with pytest.raises(yomikiri.TextError, match="is not the key of a position"):
            table.value(2**63)
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
    with pytest.raises(yomikiri.MissingTableError, match="bin3x3.tbl: does not exist; the manifest at that"):
        yomikiri.Table.open("bin3x3", tables=address)
    with pytest.raises(yomikiri.MissingTableError, match="bin3x3.proof: does not exist; the manifest at that"):
        yomikiri.Certificate.open("bin3x3", tables=address)
    with pytest.raises(yomikiri.TableError, match="is an address; its files can be read but not written"):
        yomikiri.analyze("bin3x3", tables=address)
