"""The journal of a driver: the JSON lines that its finished tasks have returned. A restarted driver resumes from it."""

import os
import re
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .nodes import ClusterError
from .report import Report
from .waiting import Need, Task, take

#: The last field of a line: the CRC-32 of everything before it.
SUM = re.compile(r',"crc32":"([0-9a-f]{8})"\}')


def with_sum(whole: str) -> str:
    """Returns the line of a JSON object with its checksum as the last field, without a line break."""
    fields = whole.removesuffix("}")
    return f'{fields},"crc32":"{zlib.crc32(fields.encode()):08x}"}}'


def mend(journal: Path) -> None:
    """Cuts off an incomplete last line, which a killed driver leaves behind, and reports it on standard error.

    Raises ``ClusterError`` if one of the complete lines is damaged.
    """
    if not journal.exists():
        return
    text = journal.read_bytes()
    whole = text.rfind(b"\n") + 1
    sound(journal, text[:whole])
    if whole < len(text):
        torn = len(text) - whole
        print(f"{journal}: the last line was incomplete; {torn} bytes were cut off and will be made again",
              file=sys.stderr)
        os.truncate(journal, whole)


def lines(file: Path) -> list[str]:
    """Checks the lines of a file and returns them. Returns no lines if the file does not exist."""
    return sound(file, file.read_bytes()) if file.exists() else []


def sound(file: Path, text: bytes) -> list[str]:
    """Splits the text of a file into lines and checks them.

    Raises ``ClusterError``, which names ``file``, if the text is not UTF-8 or a checksum is missing or wrong.
    """
    try:
        found = text.decode().split("\n")
    except UnicodeDecodeError as error:
        raise ClusterError(f"{file}: not UTF-8") from error
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


def collect(journal: Path, tasks: dict[Any, int], brought: Callable[[Any], list[str]], what: str,
            patience: float) -> None:
    """Waits for one-core tasks and appends their lines to the journal.

    ``tasks`` maps each task to its cost. ``brought`` converts the result of a task to lines.
    """
    report = Report(sum(tasks.values()))
    with journal.open("a") as kept:

        def keep(task: Task, result: Any) -> None:
            kept.write("".join(f"{line}\n" for line in brought(result)))
            kept.flush()
            report.add(task.cost, 0.0, 0, 0)

        take({ref: Task(Need(), cost) for ref, cost in tasks.items()}, what, report, patience, keep)
