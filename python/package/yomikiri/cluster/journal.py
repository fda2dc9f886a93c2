"""Lines of JSON that tasks have brought so far: a driver that is started again goes on from them."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ray

from .report import Report


def mend(journal: Path) -> None:
    """Cuts off what a driver that was killed has left of a line."""
    if journal.exists():
        os.truncate(journal, journal.read_bytes().rfind(b"\n") + 1)


def lines(file: Path) -> list[str]:
    """The lines of a file; none if it is not there."""
    return file.read_text().splitlines() if file.exists() else []


def collect(journal: Path, tasks: dict[Any, int], brought: Callable[[Any], list[str]], what: str) -> None:
    """Waits for tasks, each of so much work, and adds the lines that they bring to the journal."""
    report = Report(sum(tasks.values()))
    try:
        with journal.open("a") as kept:
            while tasks:
                ready, _ = ray.wait(list(tasks), num_returns=1, timeout=1.0)
                for ref in ready:
                    kept.write("".join(f"{line}\n" for line in brought(ray.get(ref))))
                    kept.flush()
                    report.add(tasks.pop(ref), 0.0, 0, 0)
                report.tell(what)
    except ray.exceptions.RayTaskError as error:
        raise error.cause if isinstance(error.cause, Exception) else error from None
