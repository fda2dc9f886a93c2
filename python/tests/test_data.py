"""Files of `yomikiri export --to parquet`: DuckDB and Polars count in them what `stats --by` counts in tables."""

from pathlib import Path

import duckdb
import polars
import pytest
import yomikiri
from conftest import Command, TableOf

# Counts that the columns of a file can give. Sides do not matter in games that can repeat.
ASKED = {
    "bin3x3": ["ply,outcome", "winner,side", "ply,side,winner", "plies,outcome", "moves,outcome", "ply,moves,winner"],
    "bin4x3": ["ply,winner", "outcome,plies", "moves"],
    "bin4x3-p": ["ply,winner", "outcome,score"],
    "con4x4": ["ply,winner", "side,outcome", "plies,winner", "moves,ply"],
    "rev4x4": ["ply,winner", "score", "score,side", "moves,outcome"],
    "pyon2x3": ["outcome", "outcome,plies", "moves,outcome"],
    "pyon3x4": ["outcome,plies", "moves"],
}


@pytest.mark.parametrize("code", ASKED)
def test_counts_of_files_are_those_of_tables(code: str, table_of: TableOf, command: Command) -> None:
    table_of(code)
    told = command.run("export", code, "--to", "parquet")
    file = command.tables / f"r_{code}.parquet"
    assert told.endswith(f" rows\n{file}\n")
    for by in ASKED[code]:
        expected = counts_of_command(command, code, by)
        columns = by.split(",")
        in_file = f"select {by}, count(*) from read_parquet('{file}') group by all"
        assert comparable(duckdb.sql(in_file).fetchall()) == expected, by
        counts = polars.scan_parquet(file).group_by(columns).len().collect()
        assert comparable(counts.rows()) == expected, by


def test_counts_of_a_part_are_those_of_its_positions(table_of: TableOf, command: Command) -> None:
    table_of("con4x4")
    command.run("export", "con4x4", "--to", "parquet", "--ply", "5-9", "--outcome", "win")
    file = command.tables / "r_con4x4.parquet"
    counts = counts_of_command(command, "con4x4", "ply,outcome")
    expected = [row for row in counts if row[1] == "win" and row[0] in "56789"]
    found = duckdb.sql(f"select ply, outcome, count(*) from read_parquet('{file}') group by all").fetchall()
    assert comparable(found) == expected and len(expected) == 5


def test_files_have_the_positions_of_batches(table_of: TableOf, command: Command, tmp_path: Path) -> None:
    table = table_of("con4x4")
    command.run("export", "con4x4", "--to", "parquet")
    columns = ["key", "ply", "plies", "moves", "position"]
    batches = table.batches(columns=columns)
    file = polars.read_parquet(command.tables / "r_con4x4.parquet", columns=columns)
    assert polars.DataFrame(batches).equals(file.select(columns), null_equal=True)
    assert isinstance(table, yomikiri.Table) and file.height == len(table)


def counts_of_command(command: Command, code: str, by: str) -> list[tuple[str, ...]]:
    told = command.json("stats", code, "--by", by)["counts"]
    assert isinstance(told, list) and told
    rows = [tuple(row[name] for name in [*by.split(","), "count"]) for row in told]
    return comparable(rows)


def comparable(rows: list[tuple[object, ...]]) -> list[tuple[str, ...]]:
    """In one order, with the words of the command for nobody wins."""
    return sorted(tuple("draw" if cell is None else str(cell) for cell in row) for row in rows)
