"""Times whole runs of programs: user and system CPU seconds, wall seconds, peak memory."""
import os
import re
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Run:
    """The costs and the output of a run. Times are in seconds, peak memory in bytes."""
    cpu: float
    wall: float
    memory: int
    output: str


def run(command, cwd=None, env=None, stdin=os.devnull):
    """Runs a command to its end with the file `stdin` as its input. CPU time includes all threads. Raises an error with
    the output if it fails."""
    with tempfile.TemporaryFile() as output, open(stdin, "rb") as input_file:
        begun = time.monotonic()
        child = subprocess.Popen(command, cwd=cwd, env=env and {**os.environ, **env}, stdin=input_file,
                                 stdout=output, stderr=subprocess.STDOUT)
        _, status, used = os.wait4(child.pid, 0)
        wall = time.monotonic() - begun
        child.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        printed = output.read().decode(errors="replace")
    if child.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}: exit status {child.returncode}\n{printed}")
    return Run(used.ru_utime + used.ru_stime, wall, used.ru_maxrss * 1024, printed)


def holds(printed, answer, command):
    """Raises an error unless the output of a command contains the pattern `answer`."""
    if not re.search(answer, printed, re.MULTILINE):
        raise RuntimeError(f"{' '.join(map(str, command))}: the output does not contain {answer!r}\n{printed}")


def recorded_sums():
    """Returns the SHA-256 of recorded tables and certificates by file name."""
    sums = Path(__file__).resolve().parent.parent / "precomp" / "SHA256SUMS"
    return {name: digest for digest, name in (line.split() for line in sums.read_text().splitlines())}
