"""Files of `yomikiri export --to parquet`: DuckDB and Polars find the counts that `stats --by` finds in tables."""

import duckdb
import polars
import pytest
from conftest import Command, TableOf

# Groups of columns whose counts are compared, for games of every kernel and every column.
ASKED = {
    "bin3x3": ["ply,outcome", "winner,side", "ply,side,winner", "plies,outcome", "moves,outcome", "ply,moves,winner"],
    "bin4x3": ["ply,winner", "outcome,plies", "moves"],
    "bin4x3-p": ["ply,winner", "outcome,score"],
    "con4x4": ["ply,winner", "side,outcome", "plies,winner", "moves,ply"],
    "rev4x4": ["ply,outcome", "score", "moves,outcome"],
    "m00c1": ["outcome,plies", "plies,moves"],
    "pyon2x3": ["outcome,plies", "plies,moves,outcome"],
    "pyon3x4": ["outcome,plies", "plies,moves"],
}

# Games whose `stats` count positions in which the game is over, and the plies of these positions.
ENDED = {"m00c1": 1, "pyon2x3": 0, "pyon3x4": 0}


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
    file = command.tables / "r_con4x4_selection.parquet"
    counts = counts_of_command(command, "con4x4", "ply,outcome")
    expected = [row for row in counts if row[1] == "win" and row[0] in "56789"]
    found = duckdb.sql(f"select ply, outcome, count(*) from read_parquet('{file}') group by all").fetchall()
    assert comparable(found) == expected and len(expected) == 5


def test_files_have_the_positions_of_batches(table_of: TableOf, command: Command) -> None:
    table = table_of("con4x4")
    command.run("export", "con4x4", "--to", "parquet")
    frame = polars.DataFrame(table.batches(columns=["key", "ply", "plies", "moves", "position"]))
    file = polars.read_parquet(command.tables / "r_con4x4.parquet")
    assert frame.height == len(table) and frame["plies"].null_count() == (file["outcome"] == "draw").sum() > 0
    assert frame.with_columns(polars.col("plies").cast(polars.UInt16)).equals(file.select(frame.columns))


def counts_of_command(command: Command, code: str, by: str) -> list[tuple[str, ...]]:
    told = command.json("stats", code, "--by", by)["counts"]
    assert isinstance(told, list) and told
    if code in ENDED:
        # Positions in which the game is over have no row in the file.
        ended = [row for row in told if row["plies"] == ENDED[code] and row.get("moves", 0) == 0]
        assert sum(row["count"] for row in ended) == command.json("stats", code)["ended"]
        told = [row for row in told if row not in ended]
    return comparable([tuple(row[name] for name in [*by.split(","), "count"]) for row in told])


def comparable(rows: list[tuple[object, ...]]) -> list[tuple[str, ...]]:
    """Sorts the rows. Writes no winner as `draw`, as the command does."""
    return sorted(tuple("draw" if cell is None else str(cell) for cell in row) for row in rows)
