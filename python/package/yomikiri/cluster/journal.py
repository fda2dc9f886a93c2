"""Lines of JSON that tasks have brought so far: a driver that is started again goes on from them."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ray

from .report import Report


def whole_lines(file: Path) -> list[str]:
    """The lines of a file that have been written to their ends; none if it is not there."""
    text = file.read_text() if file.exists() else ""
    return text[: text.rfind("\n") + 1].splitlines()


def collect(journal: Path, tasks: dict[Any, int], lines: Callable[[Any], list[str]], what: str) -> None:
    """Waits for tasks, each of so much work, and adds the lines that they bring to the journal."""
    if journal.exists():
        # What a killed driver has left of a line.
        os.truncate(journal, journal.read_bytes().rfind(b"\n") + 1)
    report = Report(sum(tasks.values()))
    try:
        with journal.open("a") as kept:
            while tasks:
                ready, _ = ray.wait(list(tasks), num_returns=1, timeout=1.0)
                for ref in ready:
                    kept.write("".join(f"{line}\n" for line in lines(ray.get(ref))))
                    kept.flush()
                    report.add(tasks.pop(ref), 0.0, 0, 0)
                report.tell(what)
    except ray.exceptions.RayTaskError as error:
        raise error.cause if isinstance(error.cause, Exception) else error from None
