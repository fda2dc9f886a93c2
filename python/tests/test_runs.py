"""Runs: the progress that they report, and the state that they leave when they are stopped."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
import yomikiri
from conftest import CODES, TableOf


class Enough(Exception):
    """Raised by a progress callback to stop a run."""


@pytest.mark.parametrize("code", CODES)
def test_runs_stopped_at_every_step_go_on(code: str, folder: Path, tmp_path: Path) -> None:
    steps = list[yomikiri.Step]()
    whole = yomikiri.analyze(code, tables=tmp_path / "whole", progress=steps.append)
    expected, seen = whole.path.read_bytes(), len(steps)
    assert [step.summary is None for step in steps].count(False) >= 1
    begun = [(step.name, step.total) for step in steps if step.summary is None and step.done == 0]
    assert len(dict(begun)) >= 2 and repr(steps[0]).startswith("<Step ")
    for stopped in range(seen):
        told = 0

        def stop(_: yomikiri.Step) -> None:
            nonlocal told
            told += 1
            if told > stopped:
                raise Enough(stopped)

        # The last runs may find fewer steps left than expected, or the table finished.
        try:
            yomikiri.analyze(code, tables=tmp_path / "stopped", progress=stop, threads=2)
        except Enough as enough:
            assert enough.args == (stopped,)
    finished = yomikiri.analyze(code, tables=tmp_path / "stopped")
    assert finished.path.read_bytes() == expected
    assert sorted(path.name for path in finished.path.parent.iterdir()) == [finished.path.name]
    # An existing table is opened without any progress.
    yomikiri.analyze(code, tables=tmp_path / "stopped", progress=lambda step: pytest.fail(repr(step)))


@pytest.mark.parametrize("code", ["bin4x3", "con5x4", "rev4x5", "pyon3x5-PNG"])
def test_a_run_stopped_in_the_midst_of_a_step_goes_on(code: str, tmp_path: Path, table_of: TableOf) -> None:
    """Each run is stopped further on, by a callback within a step, on all threads."""
    expected = table_of(code).path.read_bytes()
    stops = 0
    for further in range(4):

        def stop(step: yomikiri.Step) -> None:
            if step.done > further * step.total / 5:
                raise Enough

        try:
            yomikiri.analyze(code, tables=tmp_path, progress=stop)
        except Enough:
            stops += 1
    assert stops > 0
    assert yomikiri.analyze(code, tables=tmp_path).path.read_bytes() == expected


def test_nothing_is_printed_when_a_run_is_stopped(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    def stop(_: yomikiri.Step) -> None:
        raise Enough

    with pytest.raises(Enough):
        yomikiri.analyze("bin3x3", tables=tmp_path, progress=stop)
    assert capfd.readouterr() == ("", "")


def test_control_c_stops_a_run_which_can_go_on(tmp_path: Path) -> None:
    program = """
import sys, yomikiri
try:
    yomikiri.analyze("bin4x4", tables=sys.argv[1], progress=lambda step: print(step.name, flush=True))
except KeyboardInterrupt:
    print("stopped", flush=True)
"""
    arguments = [sys.executable, "-c", program, str(tmp_path)]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        # The run has begun its first step.
        assert process.stdout.readline().startswith("Step 1")
        sent = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert process.stdout.read().endswith("stopped\n") and process.wait(timeout=60) == 0
    assert time.monotonic() < sent + 30
    left = [path.name for path in tmp_path.iterdir()]
    assert "bin4x4.tbl" not in left


def test_other_threads_run_meanwhile(tmp_path: Path) -> None:
    counted, done = 0, threading.Event()

    def count() -> None:
        nonlocal counted
        while not done.is_set():
            counted += 1
            time.sleep(0.001)

    other = threading.Thread(target=count)
    other.start()
    begun, before = time.monotonic(), counted
    yomikiri.analyze("con4x4", tables=tmp_path)
    taken, turns = time.monotonic() - begun, counted - before
    done.set()
    other.join()
    assert turns > 20 * taken, f"{turns} turns in {taken} s"


def test_what_does_not_fit_is_refused_before_anything_is_done(tmp_path: Path) -> None:
    for code, memory in [("bin7x6", None), ("bin5x4", "1M"), ("con8x8", None)]:
        with pytest.raises(yomikiri.TooLargeError, match=code):
            yomikiri.analyze(code, tables=tmp_path, memory=memory)
    with pytest.raises(yomikiri.TooLargeError, match="this machine does not have"):
        yomikiri.analyze("bin3x3", tables=tmp_path, memory=2**62)
    assert list(tmp_path.iterdir()) == []


def test_settings_that_make_no_sense(tmp_path: Path) -> None:
    sizes: list[int | str] = ["1X", "", "0", 0]
    for memory in sizes:
        with pytest.raises(yomikiri.TextError, match="memory"):
            yomikiri.analyze("bin3x3", tables=tmp_path, memory=memory)
    with pytest.raises(TypeError, match="expected a number or a string"):
        yomikiri.analyze("bin3x3", tables=tmp_path, memory=1.5)  # type: ignore[arg-type]
    for threads in [0, -1, 1025, 10**30]:
        with pytest.raises(yomikiri.TextError, match="threads: must be from 1 to 1024"):
            yomikiri.analyze("bin3x3", tables=tmp_path, threads=threads)
    for memory in [-1, 2**64]:
        with pytest.raises(yomikiri.TextError, match="memory: must be from 1 to"):
            yomikiri.analyze("bin3x3", tables=tmp_path, memory=memory)
    for horizon in [-1, 99, 10**30]:
        with pytest.raises(yomikiri.TextError, match="horizon: must be from 0 to"):
            yomikiri.prove("bin3x3", horizon=horizon)
    for seconds in [-1, float("nan"), float("inf"), 1e300]:
        with pytest.raises(yomikiri.TextError, match="seconds: must be a number of seconds, at least 0"):
            yomikiri.query("bin3x3", seconds=seconds)
    with pytest.raises(yomikiri.TextError, match="nodes: must be from 0"):
        yomikiri.best_move(yomikiri.Game("bin3x3").start, nodes=-1)
    with pytest.raises(TypeError, match="expected a whole number, not str"):
        yomikiri.query("bin3x3", threads="two")  # type: ignore[arg-type]
    over = yomikiri.Game("rev4x4").start
    while over.moves:
        over = over.play(over.moves[0])
    with pytest.raises(yomikiri.TextError, match="the game is over"):
        yomikiri.analyze("rev4x4", tables=tmp_path, position=over)
    with pytest.raises(yomikiri.TextError, match="belongs to rev4x4, not to bin3x3"):
        yomikiri.analyze("bin3x3", tables=tmp_path, position=over)
    assert not any(tmp_path.iterdir())


def test_folders_that_cannot_be_are_exceptions(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(yomikiri.TableError):
        yomikiri.analyze("bin2x2", tables=tmp_path / "file")
    assert os.listdir(tmp_path) == ["file"]
