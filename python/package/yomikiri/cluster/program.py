"""The program itself, which has to be on every node."""

import subprocess

from .nodes import ClusterError


def run(command: list[str]) -> "subprocess.CompletedProcess[str]":
    """Runs the program; one line if it is not there."""
    try:
        return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    except OSError as error:
        raise ClusterError(f"{command[0]}: {error.strerror}; --command names the program on every node") from error


def failed(done: "subprocess.CompletedProcess[str]") -> ClusterError:
    """What the program has said of its failure."""
    lines = done.stderr.strip().splitlines()
    return ClusterError(lines[-1].removeprefix("error: ") if lines else f"ended with status {done.returncode}")
