"""Questions about any position agree with tables and the command, and end when they should."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yomikiri
from conftest import CODES, Command, TableOf, walks

# Nine plies before the end of the full board at the latest. No table has it.
LATE = "1ooxx2/1oxox2/1ooxx2/1oxox2/1ooxx2/1ooxx2 w 3abcdef //15/8// 15"


@pytest.mark.parametrize("code", CODES)
def test_tables_answer_as_they_do_themselves(code: str, folder: Path, table_of: TableOf) -> None:
    table = table_of(code)
    for position in walks(table.game, 30):
        asked, answer = yomikiri.query(table.game, position, tables=folder), table.query(position)
        assert answer is not None and asked.value == answer.value
        assert [(move.text, move.value, move.position) for move in asked.moves] == [
            (move.text, move.value, move.position) for move in answer.moves
        ]
        assert asked.source == (None if position.over else "table")
        sides = {"win": position.side, "draw": None, "loss": "white" if position.side == "black" else "black"}
        assert asked.winner == sides[answer.value.outcome]


def test_proofs_agree_with_tables(tmp_path: Path) -> None:
    """Without the table, early positions of these boards are proved, and late ones solved."""
    sources = set()
    for code in ("bin4x4", "con4x4"):
        table = yomikiri.analyze(code, tables=tmp_path / "tables")
        for position in walks(table.game, 40):
            asked = yomikiri.query(code, position.text, tables=tmp_path / "none", plies=True, memory="16M", threads=1)
            answer = table.query(position)
            assert answer is not None and asked.value == answer.value
            assert {move.text: move.value for move in asked.moves} == {move.text: move.value for move in answer.moves}
            sources.add(asked.source)
    assert {"proof", "subgame"} <= sources, sources


def test_the_full_board_answers_as_the_command_does(tmp_path: Path) -> None:
    asked, report = yomikiri.query("bin7x6", LATE, tables=tmp_path), Command(tmp_path).json("query", "bin7x6", LATE)
    assert asked.source == report["source"] == "proof" and asked.winner == report["winner"]
    moves = report["moves"]
    assert isinstance(moves, list) and len(moves) == 39
    assert [(move.text, move.value and move.value.outcome) for move in asked.moves] == [
        (move["move"], move["outcome"]) for move in moves
    ]
    alone = yomikiri.query("bin7x6", LATE, tables=tmp_path, moves=False)
    assert alone.winner == asked.winner


def test_a_game_with_a_search_is_searched_move_by_move(tmp_path: Path) -> None:
    steps: list[yomikiri.Step] = []
    asked = yomikiri.query("con7x6", "44444422", tables=tmp_path, seconds=600, progress=steps.append)
    assert (asked.winner, asked.source, asked.value and asked.value.plies) == ("black", "search", 3)
    assert {move.text: move.value and move.value.outcome for move in asked.moves} == {
        "1": "draw", "2": "loss", "3": "win", "5": "loss", "6": "draw", "7": "draw"
    }  # fmt: skip
    assert any((step.name, step.total) == ("search", 6) for step in steps)
    points = yomikiri.query("bin4x4-p", tables=tmp_path, seconds=600)
    assert (points.source, points.value and points.value.score) == ("search", 0)
    early = yomikiri.query("con7x6", tables=tmp_path, seconds=0)
    assert (early.winner, early.value, early.source) == (None, None, "search")
    assert [move.value for move in early.moves] == [None] * 7
    assert (asked.at_least, asked.at_most) == (None, None)
    # Black wins in 41 plies. The search takes far longer than the first bounds of it.
    times = (yomikiri.query("con7x6", tables=tmp_path, seconds=seconds, moves=False) for seconds in range(1, 100))
    bounded = next(asked for asked in times if asked.at_least)
    least, most = bounded.at_least, bounded.at_most
    assert bounded.value is None and least is not None
    assert least.outcome != "win" or least.plies is not None and least.plies >= 41
    assert most is None or most.outcome == "win" and most.plies is not None and most.plies <= 41


def test_what_is_open_at_the_end_of_the_time_is_none(tmp_path: Path) -> None:
    begun = time.monotonic()
    asked = yomikiri.query("bin7x6", tables=tmp_path, seconds=0)
    assert time.monotonic() < begun + 30 and (asked.winner, asked.value, asked.source) == (None, None, "proof")
    assert [move.value for move in asked.moves] == [None] * len(yomikiri.Game("bin7x6").start.moves)
    assert repr(asked) == f"<Verdict not known, {len(asked.moves)} moves, {len(asked.moves)} of them not known>"
    assert repr(asked.moves[0]) == f"<JudgedMove {asked.moves[0]}: not known>"


def test_faults(tmp_path: Path) -> None:
    with pytest.raises(yomikiri.TextError, match="seconds"):
        yomikiri.query("bin7x6", seconds=-1)
    with pytest.raises(yomikiri.TextError, match="fields"):
        yomikiri.query("bin7x6", "nowhere")
    with pytest.raises(yomikiri.TooLargeError, match="no table has"):
        yomikiri.query("val1n", tables=tmp_path, memory="1M")


def test_progress_counts_moves_and_can_stop(tmp_path: Path) -> None:
    seen: list[yomikiri.Step] = []
    asked = yomikiri.query("bin7x6", LATE, tables=tmp_path, progress=seen.append)
    first = next(step for step in seen if step.name == "proof")
    assert (first.done, first.total) == (0, len(asked.moves))
    assert seen[-1].summary == f"{len(asked.moves)} of {len(asked.moves)} moves decided"

    def enough(step: yomikiri.Step) -> None:
        if step.name == "proof":
            raise TimeoutError(step.name)

    begun = time.monotonic()
    with pytest.raises(TimeoutError, match="proof"):
        yomikiri.query("bin7x6", tables=tmp_path, seconds=600, progress=enough)
    assert time.monotonic() < begun + 120


def test_control_c_ends_a_question(tmp_path: Path) -> None:
    program = """
import sys, yomikiri
print("begun", flush=True)
try:
    yomikiri.query("bin7x6", tables=sys.argv[1], seconds=600)
except KeyboardInterrupt:
    print("stopped", flush=True)
"""
    arguments = [sys.executable, "-c", program, str(tmp_path)]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "begun\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        assert process.stdout.read() == "stopped\n" and process.wait(timeout=60) == 0
