"""Bad arguments: one line that names what and where."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yomikiri
from conftest import TableOf


def test_the_hierarchy() -> None:
    for error in ["TextError", "TableError", "MissingTableError", "TooLargeError", "AuditError"]:
        assert issubclass(getattr(yomikiri, error), yomikiri.Error)
    assert issubclass(yomikiri.TextError, ValueError) and issubclass(yomikiri.MissingTableError, FileNotFoundError)
    assert issubclass(yomikiri.MissingTableError, yomikiri.TableError)


def test_texts_that_are_none() -> None:
    game = yomikiri.Game("bin3x3")
    cases: list[tuple[Callable[[], object], str]] = [
        (lambda: yomikiri.Game("go"), 'rule code "go": no game has such codes'),
        (lambda: yomikiri.Game("bin9x9"), "files"),
        (lambda: game.position("nonsense"), "SFEN: has 1 of the five fields"),
        (lambda: game.position("startpos moves 2n zz"), "number 2 of moves"),
        (lambda: game.position(2**64 - 1), 'key "@18446744073709551615": is that of no position'),
        (lambda: game.position(-1), "key -1: is no number from 0 to"),
        (lambda: game.position(2**70), "key 1180591620717411303424: is no number"),
        (lambda: game.position("@5x"), 'key "@5x": is no number'),
        (lambda: game.start.play("2n", "zz"), 'move "zz"'),
        (lambda: game.position("a\nb"), r"a\\nb|SFEN"),
        (lambda: game.children([0, 2**64 - 1]), "is that of no position"),
        (lambda: yomikiri.Game("con8x8").children([0]), "positions of con8x8 have no keys"),
        (lambda: yomikiri.Table.open("con8x8"), "positions of con8x8 have no keys"),
    ]
    for act, problem in cases:
        with pytest.raises(yomikiri.TextError, match=problem) as raised:
            act()
        assert isinstance(raised.value, ValueError) and "\n" not in str(raised.value)


def test_arguments_of_other_types(table_of: TableOf) -> None:
    game, table = yomikiri.Game("bin3x3"), table_of("bin3x3")
    wrong: list[Callable[[], object]] = [
        lambda: yomikiri.Game(3),  # type: ignore[arg-type]
        lambda: game.position(1.5),  # type: ignore[arg-type]
        lambda: game.position(None),  # type: ignore[arg-type]
        lambda: table.values(np.array([1.0, 2.0])),
        lambda: table.values(["a"]),  # type: ignore[list-item]
        lambda: table.values([1.5]),  # type: ignore[list-item]
        lambda: yomikiri.analyze(None),  # type: ignore[arg-type]
        lambda: yomikiri.Table.open(3),  # type: ignore[arg-type]
    ]
    for act in wrong:
        with pytest.raises(TypeError) as raised:
            act()
        assert "\n" not in str(raised.value)


def test_arrays_that_hold_no_keys(table_of: TableOf) -> None:
    table = table_of("bin3x3")
    cases: list[tuple[Any, str]] = [
        (np.zeros((2, 2), dtype=np.uint64), "an array of 2 dimensions, not of one"),
        (np.array([3, -1]), "a number is below 0"),
        ([3, -1], "key -1: is no number from 0 to"),
    ]
    for keys, problem in cases:
        with pytest.raises(yomikiri.TextError, match=problem):
            table.values(keys)


def test_positions_of_other_games(table_of: TableOf) -> None:
    other = yomikiri.Game("bin4x4").start
    for act in [table_of("bin3x3").value, table_of("bin3x3").query, yomikiri.Game("bin3x3").position]:
        with pytest.raises(yomikiri.TextError, match="position: is one of bin4x4, not of bin3x3"):
            act(other)


def test_missing_tables_say_how_to_make_them(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r'bin3x3.tbl: not there; make it with yomikiri.analyze\("bin3x3"\)'):
        yomikiri.Table.open("bin3x3", tables=tmp_path)
    with pytest.raises(yomikiri.MissingTableError, match="other.tbl: not there"):
        yomikiri.Table.open(tmp_path / "other.tbl")
