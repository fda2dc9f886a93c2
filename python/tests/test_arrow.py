"""Arrow record batches, and the libraries that read them."""

from pathlib import Path

import duckdb
import numpy as np
import pandas
import polars
import pyarrow
import pytest
import yomikiri
from conftest import CODES, Command, KeysOf, TableOf


@pytest.mark.parametrize("code", CODES)
def test_batches_have_all_positions_in_the_order_of_keys(code: str, table_of: TableOf) -> None:
    table = table_of(code)
    batches = [pyarrow.record_batch(batch) for batch in table.batches()]
    assert all(batch.num_rows > 0 for batch in batches) and sum(batch.num_rows for batch in batches) == len(table)
    whole = pyarrow.Table.from_batches(batches)
    assert whole == pyarrow.table(table)
    keys = whole["key"].to_numpy()
    assert (np.diff(keys.astype(np.int64)) > 0).all()
    outcomes, measured = table.values(keys)
    assert (whole["outcome"].to_numpy() == outcomes).all()
    unknown = -1 if table.measure == "plies" else yomikiri.UNKNOWN
    assert (whole[table.measure].fill_null(unknown).to_numpy() == measured).all()
    assert whole[table.measure].null_count == ((outcomes == 0).sum() if table.measure == "plies" else 0)
    assert [str(field.type) for field in whole.schema] == [
        "uint64",
        "int8",
        "int16" if table.measure == "plies" else "int8",
    ]


@pytest.mark.parametrize("code", CODES)
def test_columns_of_positions_are_those_of_the_rules(code: str, table_of: TableOf) -> None:
    table = table_of(code)
    batch = next(iter(table.batches(columns=["position", "moves", "side", "ply", "key"])))
    assert batch.columns == ["position", "moves", "side", "ply", "key"]
    rows = pyarrow.record_batch(batch).slice(0, 300).to_pylist()
    for row in rows:
        position = table.game.position(row["key"])
        told = {"position": position.text, "moves": len(position.moves), "side": position.side, "ply": position.ply}
        assert row == told | {"key": position.key}


@pytest.mark.parametrize("code", CODES)
def test_ranges_of_keys_cut_anywhere(code: str, table_of: TableOf, keys_of: KeysOf) -> None:
    table = table_of(code)
    keys = keys_of(code)
    cuts = [0, *np.random.default_rng(1).choice(keys, 3).tolist(), *table.sections[1:3].tolist(), 2**64 - 1]
    cuts.sort()
    parts = [
        pyarrow.table(table.batches(columns=["key"], start=start, end=end))["key"].to_numpy()
        for start, end in zip(cuts, cuts[1:])
    ]
    assert (np.concatenate(parts) == keys).all()
    assert pyarrow.table(table.batches(start=7, end=7)).num_rows == 0


def test_sections_are_as_many_as_the_header_says(table_of: TableOf) -> None:
    for code in CODES:
        sections = table_of(code).sections
        header = table_of(code).path.read_bytes()[:48]
        assert sections.dtype == np.uint64 and len(sections) == int.from_bytes(header[32:40], "little")
        assert (np.diff(sections.astype(np.int64)) > 0).all()


def test_nothing_is_copied(table_of: TableOf) -> None:
    """Two importers of a batch share the same columns in memory, without a copy."""
    batch = next(iter(table_of("pyon2x3").batches()))
    first, second = pyarrow.record_batch(batch), pyarrow.record_batch(batch)
    places = [[column.buffers()[1].address for column in taken.columns] for taken in (first, second)]
    assert places[0] == places[1]
    series = polars.DataFrame(first)["key"]
    assert series.to_numpy(allow_copy=False).ctypes.data == places[0][0]
    expected = first.column(0).to_pylist()
    del batch, second
    assert first.column(0).to_pylist() == series.to_list() == expected


def test_libraries_count_as_stats_does(table_of: TableOf, command: Command) -> None:
    for code in ["bin3x3", "rev4x4", "con4x4"]:
        table, stats = table_of(code), command.json("stats", code)
        expected = {number: stats[name] for number, name in [(1, "wins"), (0, "draws"), (-1, "losses")]}
        expected = {number: count for number, count in expected.items() if count}
        frame = polars.DataFrame(table)
        assert dict(frame.group_by("outcome").len().rows()) == expected
        batches = table.batches()
        assert dict(duckdb.sql("select outcome, count(*) from batches group by all").fetchall()) == expected
        by_pandas: pandas.DataFrame = pyarrow.table(table).to_pandas()
        assert by_pandas["outcome"].value_counts().to_dict() == expected


def test_sides_are_words(table_of: TableOf) -> None:
    batches = table_of("bin3x3").batches(columns=["ply", "side"])
    frame = polars.DataFrame(batches).with_columns(polars.col("side").cast(polars.String))
    assert frame.select((polars.col("ply") % 2 == 0) == (polars.col("side") == "black")).to_series().all()
    found = duckdb.sql("select side, count(*) from batches group by all").fetchall()
    assert dict(found) == dict(frame.group_by("side").len().rows()) and len(found) == 2


def test_columns_that_are_not_there(table_of: TableOf) -> None:
    for columns, problem in [
        (["plys"], '"plys" is not one of key, outcome, plies, ply, side, moves, position'),
        (["score"], '"score" is not one of'),
        (["key", "key"], '"key" is given twice'),
    ]:
        with pytest.raises(yomikiri.TextError, match=problem):
            table_of("bin3x3").batches(columns=columns)  # type: ignore[arg-type]


def test_damage_ends_a_stream(table_of: TableOf, tmp_path: Path) -> None:
    changed = bytearray(table_of("con4x4").path.read_bytes())
    changed[len(changed) // 2] ^= 1
    (tmp_path / "con4x4.tbl").write_bytes(changed)
    table = yomikiri.Table.open(tmp_path / "con4x4.tbl")
    with pytest.raises(yomikiri.TableError, match="does not match its checksum"):
        list(table.batches())
    with pytest.raises(Exception, match="does not match its checksum"):
        pyarrow.table(table)
