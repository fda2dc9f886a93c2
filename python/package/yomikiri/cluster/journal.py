"""Lines of JSON that tasks have brought so far: a driver that is started again goes on from them."""

import os
import re
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ray

from .nodes import ClusterError
from .report import Report

#: The last field of a line: the CRC-32 of all that is before it.
SUM = re.compile(r',"crc32":"([0-9a-f]{8})"\}')


def with_sum(whole: str) -> str:
    """The line of a JSON object with its checksum as the last field; without a line break."""
    fields = whole.removesuffix("}")
    return f'{fields},"crc32":"{zlib.crc32(fields.encode()):08x}"}}'


def mend(journal: Path) -> None:
    """Cuts off what a driver that was killed has left of a line, and says so. The lines before it have to be sound."""
    if not journal.exists():
        return
    text = journal.read_bytes()
    whole = text.rfind(b"\n") + 1
    sound(journal, text[:whole])
    if whole < len(text):
        torn = len(text) - whole
        print(f"{journal}: its last line was incomplete; {torn} bytes are cut off, and made again", file=sys.stderr)
        os.truncate(journal, whole)


def lines(file: Path) -> list[str]:
    """The lines of a file, whose checksums are right; none if it is not there."""
    return sound(file, file.read_bytes()) if file.exists() else []


def sound(file: Path, text: bytes) -> list[str]:
    """The lines of a text of a file, whose checksums are right."""
    try:
        found = text.decode().split("\n")
    except UnicodeDecodeError as error:
        raise ClusterError(f"{file}: is not UTF-8") from error
    if not found[-1]:
        found.pop()
    for number, line in enumerate(found, 1):
        at = line.rfind(',"crc32":')
        mark = SUM.fullmatch(line, at) if at >= 0 else None
        if not mark:
            raise ClusterError(f"{file}: line {number} has no checksum")
        if int(mark[1], 16) != zlib.crc32(line[:at].encode()):
            raise ClusterError(f"{file}: line {number} does not match its checksum")
    return found


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
