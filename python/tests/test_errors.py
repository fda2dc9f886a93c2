"""Bad arguments and refused memory give an error of one line that names the thing at fault."""

import subprocess
import sys
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
        (lambda: yomikiri.Game("go"), 'rule code "go": no game has codes of this form'),
        (lambda: yomikiri.Game("bin9x9"), "files"),
        (lambda: game.position("nonsense"), "SFEN: has 1 of the five fields"),
        (lambda: game.position("startpos moves 2n zz"), "move 2"),
        (lambda: game.position(2**64 - 1), 'key "@18446744073709551615": is not the key of a position'),
        (lambda: game.position(-1), "key -1: is not a number from 0 to"),
        (lambda: game.position(2**70), "key 1180591620717411303424: is not a number"),
        (lambda: game.position("@5x"), 'key "@5x": is not a number'),
        (lambda: game.start.play("2n", "zz"), 'move "zz"'),
        (lambda: game.position("a\nb"), r"a\\nb|SFEN"),
        (lambda: game.children([0, 2**64 - 1]), "is not the key of a position"),
        (lambda: yomikiri.Game("con8x8").children([0]), "positions of con8x8 have no keys"),
        (lambda: yomikiri.Table.open("con8x8"), "con8x8 has too many positions for keys"),
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
        (np.zeros((2, 2), dtype=np.uint64), "the array has 2 dimensions instead of one"),
        (np.array([3, -1]), "a key is negative"),
        ([3, -1], "key -1: is not a number from 0 to"),
    ]
    for keys, problem in cases:
        with pytest.raises(yomikiri.TextError, match=problem):
            table.values(keys)


def test_positions_of_other_games(table_of: TableOf) -> None:
    other = yomikiri.Game("bin4x4").start
    for act in [table_of("bin3x3").value, table_of("bin3x3").query, yomikiri.Game("bin3x3").position]:
        with pytest.raises(yomikiri.TextError, match="position: belongs to bin4x4, not to bin3x3"):
            act(other)


def test_missing_tables_say_how_to_make_them(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r'bin3x3.tbl: does not exist; make it with yomikiri.analyze\("bin3x3"\)'):
        yomikiri.Table.open("bin3x3", tables=tmp_path)
    with pytest.raises(yomikiri.MissingTableError, match="other.tbl: does not exist"):
        yomikiri.Table.open(tmp_path / "other.tbl")


def test_refused_memory_is_an_error_or_one_line(table_of: TableOf, folder: Path) -> None:
    table_of("bin3x3")
    program = """
import resource, sys
import numpy as np
import yomikiri

table = yomikiri.Table.open("bin3x3", tables=sys.argv[1])
table.values([0])  # starts the threads
keys = np.zeros(4_000_000, dtype=np.uint64)
used = next(int(line.split()[1]) << 10 for line in open("/proc/self/status") if line.startswith("VmSize:"))
limit = used + (int(sys.argv[2]) << 20)
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
try:
    print(len(table.values(keys)[0]))
except MemoryError as error:
    print(type(error).__name__, error)
"""
    said: list[str] = []
    # The keys take 32 MB, bytes and outcomes 4 MB each, plies 8 MB.
    for mebibytes in (0, 2, 16, 33, 37, 41, 46, 1000):
        asked = [sys.executable, "-c", program, str(folder), str(mebibytes)]
        done = subprocess.run(asked, capture_output=True, text=True)
        if done.returncode == 1:
            assert done.stderr.startswith("error: yomikiri: the system refused ") and done.stderr.count("\n") == 1, done
        else:
            assert done.returncode == 0 and not done.stderr, done
            said.append(done.stdout)
    assert said[-1] == "4000000\n" and any("TooLargeError the system refused" in line for line in said), said
