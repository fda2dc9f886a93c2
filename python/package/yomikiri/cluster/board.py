"""Makes, audits and packs the table of a board on a cluster."""

import contextlib
import functools
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import ray

from .._yomikiri import Run, Storage
from ..errors import TableError, TooLargeError
from . import nodes
from .lease import Lease, LeaseError
from .plan import STEPS, Group, plan
from .report import Report
from .waiting import Need, Task, for_a_node, take

#: Default size of a file of a table, in bytes. A larger table takes several files.
PIECE = 1 << 30

#: Tiers of at most this number of rows (arrangements of stones) are not worth cutting into parts.
CUT = 1 << 20

#: The number of retries of a task whose node has died, and of attempts of a task that cannot read or write files.
NODE_RETRIES = 20
FILE_RETRIES = 4


@dataclass(frozen=True)
class Done:
    """The cost of a finished task: CPU seconds, and bytes read from and written to the storage."""

    cpu: float
    read: int
    written: int


@dataclass(frozen=True)
class Job:
    """The settings of the run, which every task gets."""

    code: str
    storage: str
    memory: int
    threads: int
    #: Tiers of more rows than this are made in parts; ``None`` cuts no tier.
    cut: int | None


@functools.lru_cache(maxsize=1)
def run_of(job: Job) -> Run:
    """Returns the run of a job. A worker keeps the run, and the data that the run has in memory, for its next tasks."""
    return Run(job.code, Storage(job.storage), memory=job.memory, cut=job.cut)


@dataclass(frozen=True)
class Made:
    """A finished table: its files, its length in bytes and its cost."""

    files: list[str]
    length: int
    report: Report


def patiently(act: Callable[[], tuple[int, int]]) -> tuple[int, int]:
    """Calls a function that reads and writes files. Repeats the call if it fails, because a remote storage may recover.

    Makes at most ``FILE_RETRIES`` calls in all.
    """
    for again in range(FILE_RETRIES):
        try:
            return act()
        except TableError:
            if again + 1 == FILE_RETRIES:
                raise
            time.sleep(2.0**again)
    raise AssertionError("the last attempt returns or raises")


@ray.remote(max_retries=NODE_RETRIES)
def work(job: Job, step: str, units: list[int], *_after: Done) -> Done:
    """Carries out a step for some units. Ray waits for the results in ``_after`` before it starts this task."""
    begun = time.process_time()
    read, written = patiently(lambda: run_of(job).work(step, units, threads=job.threads))
    return Done(time.process_time() - begun, read, written)


@ray.remote(max_retries=NODE_RETRIES)
def write(job: Job, piece: tuple[str, int, int]) -> Done:
    """Writes a file of the table. ``piece`` is its name, and its start and end in the table in bytes."""
    begun = time.process_time()
    read, written = patiently(lambda: run_of(job).write([piece], threads=job.threads))
    return Done(time.process_time() - begun, read, written)


def pieces(code: str, length: int, most: int) -> list[tuple[str, int, int]]:
    """Returns the name, start and end of each file of a table, in bytes. ``most`` is the maximum size of a file."""
    if length <= most:
        return [(f"{code}.tbl", 0, length)]
    starts = range(0, length, most)
    return [(f"{code}.tbl.{number:04}", start, min(start + most, length)) for number, start in enumerate(starts)]


def need(job: Job, group: Group) -> Need:
    """Returns the cores and the memory that the task of a group needs."""
    return Need(job.threads, group.memory + nodes.BESIDE)


def submit(job: Job, groups: list[Group]) -> dict[Any, Task]:
    """Submits all groups to the cluster, each after the groups that it depends on."""
    refs: list[ray.ObjectRef[Done]] = []
    tasks: dict[Any, Task] = {}
    for group in groups:
        asked, after = need(job, group), [refs[number] for number in sorted(group.after)]
        task = work.options(num_cpus=asked.cores, memory=asked.memory, name=f"{group.step} ply {group.ply}")
        refs.append(task.remote(job, group.step, group.units, *after))
        tasks[refs[-1]] = Task(asked, group.cost, frozenset(after))
    return tasks


def begin(code: str, place: Storage, memory: int, cut: int | None) -> tuple[Run, int | None]:
    """Opens the run of a board. Returns the run, and its ``cut``: tiers of more rows than this are made in parts.

    If ``cut`` is ``None`` and a whole tier does not fit in memory, tiers of more than ``CUT`` rows are cut.
    """
    try:
        return Run(code, place, memory=memory, cut=cut), cut
    except TooLargeError:
        if cut is not None:
            raise
        return Run(code, place, memory=memory, cut=CUT), CUT


def make(code: str, storage: str, memory: int | None = None, threads: int = 1, piece: int = PIECE,
         keep: bool = False, cut: int | None = None, patience: float = nodes.PATIENCE) -> Made:
    """Makes the table of a board in a storage, on the cluster that this process has joined. Resumes a stopped run.

    ``memory`` is the number of bytes that a task may use. The default is the least memory per core of all nodes, less
    ``nodes.BESIDE``, times ``threads``. ``threads`` is the number of threads of a task, ``piece`` the size of a file of
    the table in bytes. Tiers of more than ``cut`` rows are made in parts. ``keep`` leaves the files of the run beside
    the table.

    Raises ``ClusterError`` if for ``patience`` seconds no node can take a task or no task runs. Finished work is kept:
    the same call resumes it.
    """
    nodes.check()
    place = Storage(storage)
    # Raises the error of a bad code before the driver waits for anything.
    with contextlib.suppress(TooLargeError):
        Run(code, place)
    seen = for_a_node(Need(threads), code, patience)
    share = memory or seen.memory_of_a_worker() * threads
    try:
        run, cut = begin(code, place, max(share, 1 << 20), cut)
    except TooLargeError as error:
        raise TooLargeError(f"{error}; use more threads for each task, or fewer workers on each node") from None
    job = Job(code, storage, share, threads, cut)
    with Lease(place, f"{run.code}.lease") as lease:

        def check() -> None:
            if lease.lost.is_set():
                raise LeaseError(f"{place.path(lease.name)}: another driver has taken over the run")

        run.begin()
        units = {step: run.units(step) for step in STEPS}

        finished = {step: run.finished(step) for step in STEPS}
        groups = plan(units, finished, seen.workers(threads))
        if groups:
            # Waits for a node that can take the largest task: without it, no work would lead to a finished table.
            seen = for_a_node(max(need(job, group) for group in groups), code, patience, check)
            # More nodes may have joined in the meantime.
            groups = plan(units, finished, seen.workers(threads))
        report = Report(sum(group.cost for group in groups))

        def count(task: Task, done: Done) -> None:
            report.add(task.cost, done.cpu, done.read, done.written)

        take(submit(job, groups), code, report, patience, count, check)
        length = run.length()
        files = pieces(run.code, length, piece)
        # The first file is written last: without it, the other files are not a table yet.
        for part in (files[1:], files[:1]):
            written = {write.options(num_cpus=threads).remote(job, file): Task(Need(threads), 0) for file in part}
            take(written, f"{code}: table", report, patience, count, check)
        if not keep:
            run.clean()
    return Made([name for name, _, _ in files], length, report)
