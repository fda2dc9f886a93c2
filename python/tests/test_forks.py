"""Processes that are forked off one that uses tables, or started by it: they answer, or say why not, and none hangs.

Each test has a process of its own do the work (forking.py), since the fault that it looks for ends or hangs one.
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

#: Seconds; only what hangs takes so long, on however busy a machine.
PATIENCE = 300


@pytest.fixture(scope="module")
def served(
    tmp_path_factory: pytest.TempPathFactory, table_of: TableOf, command: Command
) -> Iterator[tuple[Path, str]]:
    """A folder of tables and a certificate, and the address where it is served."""
    folder = tmp_path_factory.mktemp("served")
    for code in CODES:
        (folder / f"{code}.tbl").write_bytes(table_of(code).path.read_bytes())
    yomikiri.prove("bin4x3", certificate=folder / "bin4x3.proof")
    yomikiri.Certificate.open("bin4x3", tables=folder).check()
    command.run("tables", "manifest", "--tables", str(folder))
    with serving(folder) as address:
        yield folder, address


def run(part: str, served: tuple[Path, str], *arguments: str) -> str:
    """Does a part of forking.py; what it has written to its error output."""
    folder, address = served
    program = [sys.executable, "-W", "ignore", str(Path(__file__).parent / "forking.py")]
    process = subprocess.Popen(
        [*program, part, str(folder), address, *arguments], stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        _, written = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        # With the processes that hang.
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
    assert "a process that was forked in a callback ends with it" in run("callbacks", served)
