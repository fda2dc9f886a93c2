"""Processes that are forked off or started by a process with open tables. They answer or raise an error; none hangs.

Each test runs forking.py in its own process, because the faults that it looks for kill or hang the process.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yomikiri
from conftest import Command, TableOf
from forking import CODES
from server import serving

#: Seconds. Even on a busy machine, only a process that hangs takes this long.
PATIENCE = 300


@pytest.fixture(scope="module")
def served(
    tmp_path_factory: pytest.TempPathFactory, table_of: TableOf, command: Command
) -> Iterator[tuple[Path, str]]:
    """A folder with tables and a certificate, and the address at which it is served."""
    folder = tmp_path_factory.mktemp("served")
    for code in CODES:
        (folder / f"{code}.tbl").write_bytes(table_of(code).path.read_bytes())
    yomikiri.prove("bin4x3", certificate=folder / "bin4x3.proof")
    yomikiri.Certificate.open("bin4x3", tables=folder).check()
    command.run("tables", "manifest", "--tables", str(folder))
    with serving(folder) as address:
        yield folder, address


def run(part: str, served: tuple[Path, str], *arguments: str) -> str:
    """Runs a part of forking.py. Returns its standard error."""
    folder, address = served
    program = [sys.executable, "-W", "ignore", str(Path(__file__).parent / "forking.py")]
    process = subprocess.Popen(
        [*program, part, str(folder), address, *arguments], stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        _, written = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        # Kills the whole process group, because a child may be the one that hangs.
        os.killpg(process.pid, signal.SIGKILL)
        pytest.fail(f"hangs: {process.communicate()[1]}")
    assert process.returncode == 0, written
    return written


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_children_answer_and_so_does_their_parent(method: str, served: tuple[Path, str]) -> None:
    run("children", served, method)


def test_what_a_thread_was_using_is_refused_in_the_child(served: tuple[Path, str]) -> None:
    run("in_use", served)


def test_a_child_of_a_callback_ends_with_it(served: tuple[Path, str]) -> None:
    assert "ended a process that was forked in a callback" in run("callbacks", served)
