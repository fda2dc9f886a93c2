"""The engine plays perfectly with a table and reasonably without one."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yomikiri
from conftest import CODES, TableOf, walks


@pytest.mark.parametrize("code", CODES)
def test_moves_by_a_table_keep_the_value(code: str, folder: Path, table_of: TableOf) -> None:
    table = table_of(code)
    for position in walks(table.game, 30):
        if position.over is not None:
            continue
        choice, answer = yomikiri.best_move(position, tables=folder), table.query(position)
        assert answer is not None and choice.source == "table" and choice.guess is None
        assert [move.value for move in answer.moves if move.text == choice.text] == [answer.value]
        assert choice.value == answer.value and str(choice) == choice.text


def test_search_finds_wins_that_are_near(table_of: TableOf, tmp_path: Path) -> None:
    table, found = table_of("bin3x3"), 0
    for position in walks(table.game, 120):
        value = table.value(position)
        if position.over is None and value is not None and value.outcome == "win" and value.plies == 3:
            choice = yomikiri.best_move(position, tables=tmp_path, depth=4)
            assert choice.source == "search" and choice.value == value
            found += 1
    assert found > 3


def test_repetitions_count(tmp_path: Path) -> None:
    """The moves are history: when the start arises for the third time, the game is over."""
    start = yomikiri.Game("val1n").start
    there_and_back = ["1d1c", "3a3b", "1c1d", "3b3a"]
    choice = yomikiri.best_move(start, there_and_back, tables=tmp_path, depth=2)
    assert choice.text in start.play(*there_and_back).moves
    with pytest.raises(yomikiri.TextError, match="move 2"):
        yomikiri.best_move(start, ["1d1c", "1d1c"], tables=tmp_path)
    with pytest.raises(yomikiri.TextError, match="the game is over"):
        yomikiri.best_move(start, 2 * there_and_back, tables=tmp_path)


def test_limits(tmp_path: Path) -> None:
    start, begun = yomikiri.Game("bin7x6").start, time.monotonic()
    choice = yomikiri.best_move(start, tables=tmp_path, seconds=0.2)
    assert time.monotonic() < begun + 10 and choice.text in start.moves
    assert (choice.value, choice.source) == (None, "search") and choice.guess is not None
    assert yomikiri.best_move(start, tables=tmp_path, depth=1).depth == 1
    few = yomikiri.best_move(start, tables=tmp_path, nodes=500)
    assert few.nodes is not None and few.nodes < 5_000
    with pytest.raises(yomikiri.TextError, match="seconds"):
        yomikiri.best_move(start, seconds=-1)


def test_control_c_stops_the_engine(tmp_path: Path) -> None:
    program = """
import sys, yomikiri
print("begun", flush=True)
try:
    yomikiri.best_move(yomikiri.Game("bin7x6").start, tables=sys.argv[1], seconds=600)
except KeyboardInterrupt:
    print("stopped", flush=True)
"""
    arguments = [sys.executable, "-c", program, str(tmp_path)]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "begun\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        assert process.stdout.read() == "stopped\n" and process.wait(timeout=60) == 0
