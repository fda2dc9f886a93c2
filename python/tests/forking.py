"""forking.py PART FOLDER ADDRESS [METHOD]: the part of a test of test_forks.py that needs its own process.

The folder and the address have the tables of CODES and the certificate bin4x3.proof. Exits with status 0 if the part
passes.
"""

import multiprocessing
import os
import sys
import tempfile
import threading
from collections.abc import Callable
from multiprocessing.queues import Queue
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import yomikiri
from server import Gate, serving

#: Seconds. Even on a busy machine, only a process that hangs takes this long. The test kills it then.
PATIENCE = 250.0

#: The first table is larger than the bytes that are fetched when a table is opened.
CODES = ("bin4x3", "pyon3x4", "con4x4")

#: The tables and certificates that this process or its parent has opened, by place.
OPENED: dict[str, Any] = {}


def opened(place: str) -> tuple[list[yomikiri.Table], yomikiri.Certificate]:
    """Returns the tables and the certificate of a place, a folder or an address. Opens them at the first call."""
    if place not in OPENED:
        tables = [yomikiri.Table.open(code, tables=place) for code in CODES]
        OPENED[place] = tables, yomikiri.Certificate.open("bin4x3", tables=place)
    found: tuple[list[yomikiri.Table], yomikiri.Certificate] = OPENED[place]
    return found


def little(place: str) -> None:
    """Asks few questions, so that most of the files stays unread."""
    tables, certificate = opened(place)
    for table in tables:
        assert table.value(table.root) is not None
    assert certificate.winner_of("startpos") == certificate.winner


def answers(place: str) -> list[object]:
    """Returns answers of all kinds, which are the same in every process."""
    found: list[object] = []
    tables, certificate = opened(place)
    for table in [*tables, yomikiri.Table.open("con4x4", tables=place)]:
        keys = np.concatenate([batch_keys(table), np.arange(3_000, dtype=np.uint64)])
        outcomes, measured = table.values(keys)
        answer, line = table.query(table.root), table.line()
        assert answer is not None and line is not None
        children = table.game.children(batch_keys(table)[:500])[1]
        found += [keys.tobytes(), outcomes.tobytes(), measured.tobytes(), children.tobytes(), table.sections.tobytes()]
        found += [[repr(table.value(int(key))) for key in batch_keys(table)[:50]], [move for move, _ in line]]
        found += [[(move.text, repr(move.value)) for move in answer.moves], table.root.text, len(table)]
    found += [certificate.winner_of("startpos"), certificate.winning_move("startpos"), certificate.check().entries]
    game = yomikiri.Game("bin3x3")
    found.append(yomikiri.best_move(game.start, tables=place).text)
    found.append(yomikiri.best_move(yomikiri.Game("rev4x4").start, tables=place, depth=4, threads=2).text)
    found.append(yomikiri.prove("bin3x3", threads=2, memory="16M").winner)
    with tempfile.TemporaryDirectory() as folder:
        made = yomikiri.analyze("con3x4", tables=folder, threads=2, progress=lambda step: None)
        again = yomikiri.analyze("bin2x3", tables=folder)
        found += [len(made), repr(made.value(made.root)), len(again)]
    return found


def batch_keys(table: yomikiri.Table) -> "np.ndarray[Any, np.dtype[np.uint64]]":
    """Returns the keys of a table, from its record batches."""
    keys: "np.ndarray[Any, np.dtype[np.uint64]]" = pyarrow.table(table.batches(columns=["key"]))["key"].to_numpy()
    return keys


def work(place: str, method: str, told: "Queue[tuple[int, list[object]]]", deeper: int) -> None:
    """The work of a child: it answers, and if ``deeper`` is not 0, it starts its own child and answers again."""
    told.put((os.getpid(), answers(place)))
    if deeper:
        context: Any = multiprocessing.get_context(method)
        child = context.Process(target=work, args=(place, method, told, deeper - 1))
        child.start()
        told.put((os.getpid(), answers(place)))
        child.join(PATIENCE)
        assert child.exitcode == 0
    told.put((os.getpid(), answers(place)))


def children(folder: str, address: str, method: str) -> None:
    """Parent, children and a grandchild answer at the same time, from a folder and from an address."""
    context: Any = multiprocessing.get_context(method)
    for place in (address, folder):
        little(place)
        told: "Queue[tuple[int, list[object]]]" = context.Queue()
        arguments = [(place, method, told, deeper) for deeper in (1, 0)]
        started = [context.Process(target=work, args=given) for given in arguments]
        for child in started:
            child.start()
        expected = answers(place)
        for _ in range(7):
            process, found = told.get(timeout=PATIENCE)
            assert process != os.getpid() and found == expected
            assert answers(place) == expected
        for child in started:
            child.join(PATIENCE)
            assert child.exitcode == 0


def forked(act: Callable[[], None]) -> int:
    """Calls ``act`` in a fork of this process. Returns the exit status of the fork."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            act()
            status = 0
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def refused(ask: Callable[[], object]) -> None:
    """Makes a call that must be refused, because another thread was in such a call when this process was forked."""
    try:
        ask()
    except (yomikiri.TableError, pyarrow.ArrowException, OSError) as error:
        assert "another thread was using it when this process was forked" in str(error), error
    else:
        raise AssertionError("not refused")


def in_use(folder: str, _address: str) -> None:
    """Another thread waits for a server while this one forks. The child must not wait for that thread."""
    gate, keys = Gate(), batch_keys(yomikiri.Table.open("bin4x3", tables=folder))
    middle = int(keys[len(keys) // 2])
    with serving(Path(folder), gate) as address:
        tables = [yomikiri.Table.open("bin4x3", tables=address) for _ in range(5)]
        batches = iter(tables[3].batches(start=middle))
        asks: list[Callable[[], object]] = [
            lambda: tables[0].value(middle),
            lambda: tables[1].values(keys),
            lambda: pyarrow.table(tables[2]),
            lambda: next(batches),
            lambda: tables[4].query(middle),
        ]
        for ask, table in zip(asks, tables, strict=True):
            gate.waiting.clear()
            gate.open.clear()
            asking = threading.Thread(target=ask)
            asking.start()
            assert gate.waiting.wait(PATIENCE)
            statuses = [forked(lambda: refused(ask)), forked(lambda: refused(lambda: table.value(0)))]
            gate.open.set()
            asking.join(PATIENCE)
            assert statuses == [0, 0] and not asking.is_alive()
        # A child forked while no call is under way can use the tables.
        expected = [table.value(middle) for table in tables]

        def again() -> None:
            assert [table.value(middle) for table in tables] == expected
            assert yomikiri.Table.open("bin4x3", tables=address).value(middle) == expected[0]

        assert forked(again) == 0


def callbacks(folder: str, _address: str) -> None:
    """A callback forks: the child ends with the callback, and the run goes on in the parent."""
    statuses: list[int] = []

    def fork(end: Callable[[], None]) -> Callable[[yomikiri.Step], None]:
        left = [True]

        def progress(_step: yomikiri.Step) -> None:
            if left:
                left.clear()
                child = os.fork()
                if child == 0:
                    end()
                else:
                    statuses.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))

        return progress

    def fail() -> None:
        raise ValueError("in the child")

    ends: list[Callable[[], None]] = [lambda: None, lambda: sys.exit(7), lambda: sys.exit(), fail]
    for end in ends:
        with tempfile.TemporaryDirectory() as tables:
            assert len(yomikiri.analyze("con3x4", tables=tables, progress=fork(end))) > 0
    assert statuses == [1, 7, 0, 1]
    statuses.clear()
    yomikiri.prove("bin7x6", progress=fork(lambda: sys.exit(5)), seconds=1, memory="64M")
    assert statuses == [5]
    statuses.clear()
    # A child of multiprocessing, which does its work inside the callback.
    context = multiprocessing.get_context("fork")

    def answer(_step: yomikiri.Step) -> None:
        if not statuses:
            child = context.Process(target=little, args=(folder,))
            child.start()
            child.join(PATIENCE)
            statuses.append(-1 if child.exitcode is None else child.exitcode)

    with tempfile.TemporaryDirectory() as tables:
        yomikiri.analyze("con3x4", tables=tables, progress=answer)
    assert statuses == [0]


if __name__ == "__main__":
    part, *arguments = sys.argv[1:]
    {"children": children, "in_use": in_use, "callbacks": callbacks}[part](*arguments)  # type: ignore[operator]
