"""Runs the ``yomikiri`` command, which must be installed on every node."""

import subprocess

from .nodes import ClusterError


def run(command: list[str]) -> "subprocess.CompletedProcess[str]":
    """Runs a command line. Raises ``ClusterError`` if the program cannot be started."""
    try:
        return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    except OSError as error:
        advice = "set --command to the path of yomikiri on every node"
        raise ClusterError(f"{command[0]}: {error.strerror}; {advice}") from error


def failed(done: "subprocess.CompletedProcess[str]") -> ClusterError:
    """Returns the error for a failed call. Its text is the last line that the program printed, or the exit status."""
    lines = done.stderr.strip().splitlines()
    return ClusterError(lines[-1].removeprefix("error: ") if lines else f"ended with status {done.returncode}")
