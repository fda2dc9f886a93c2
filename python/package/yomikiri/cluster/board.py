"""A whole board, made, audited and packed by a cluster."""

import functools
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import ray

from .._yomikiri import Run, Storage
from ..errors import TableError, TooLargeError
from . import nodes
from .lease import Lease, LeaseError
from .plan import STEPS, Group, plan
from .report import Report

#: Bytes of one file of a table that is larger.
PIECE = 1 << 30

#: Rows of a tier that is not worth cutting.
CUT = 1 << 20

#: How often a task is done again whose node has died, and how often one that could not read or write.
NODE_RETRIES = 20
FILE_RETRIES = 4


@dataclass(frozen=True)
class Done:
    """What a task has taken: seconds of a processor, bytes read from the storage and written there."""

    cpu: float
    read: int
    written: int


@dataclass(frozen=True)
class Job:
    """What a task needs to know of the run."""

    code: str
    storage: str
    memory: int
    threads: int
    #: Rows that a tier has at most that is not cut.
    cut: int | None


@functools.lru_cache(maxsize=1)
def run_of(job: Job) -> Run:
    """The run of a job; a worker has one for all its tasks, with the sheets that these have left."""
    return Run(job.code, Storage(job.storage), memory=job.memory, cut=job.cut)


@dataclass(frozen=True)
class Made:
    """A finished table: its files, and what it took."""

    files: list[str]
    length: int
    report: Report


def patiently(act: Callable[[], tuple[int, int]]) -> tuple[int, int]:
    """Does something that reads and writes files, again if that fails: a storage far away may answer later."""
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
    """Takes units through a step."""
    begun = time.process_time()
    read, written = patiently(lambda: run_of(job).work(step, units, threads=job.threads))
    return Done(time.process_time() - begun, read, written)


@ray.remote(max_retries=NODE_RETRIES)
def write(job: Job, piece: tuple[str, int, int]) -> Done:
    """Writes a piece of the table."""
    begun = time.process_time()
    read, written = patiently(lambda: run_of(job).write([piece], threads=job.threads))
    return Done(time.process_time() - begun, read, written)


def pieces(code: str, length: int, most: int) -> list[tuple[str, int, int]]:
    """The files of a table, with where they begin and end in it; the one that comes first is written last."""
    if length <= most:
        return [(f"{code}.tbl", 0, length)]
    starts = range(0, length, most)
    return [(f"{code}.tbl.{number:04}", start, min(start + most, length)) for number, start in enumerate(starts)]


def wait(refs: "Iterable[tuple[ray.ObjectRef[Done], int]]", what: str, report: Report, lease: Lease) -> None:
    """Waits for tasks, references with their costs, and counts what they have taken. The first error is raised."""
    left = dict(refs)
    try:
        while left:
            ready, _ = ray.wait(list(left), num_returns=1, timeout=1.0)
            for ref in ready:
                done = ray.get(ref)
                report.add(left.pop(ref), done.cpu, done.read, done.written)
            report.tell(what)
            if lease.lost.is_set():
                raise LeaseError(f"{lease.storage.path(lease.name)}: another driver has taken the run over")
    except ray.exceptions.RayTaskError as error:
        raise error.cause if isinstance(error.cause, Exception) else error from None
    finally:
        for ref in left:
            ray.cancel(ref, force=True)


def submit(job: Job, groups: list[Group]) -> "list[ray.ObjectRef[Done]]":
    """Hands all groups to the cluster, each behind those that it waits for."""
    refs: list[ray.ObjectRef[Done]] = []
    for group in groups:
        memory = group.memory + nodes.BESIDE
        task = work.options(num_cpus=job.threads, memory=memory, name=f"{group.step} ply {group.ply}")
        refs.append(task.remote(job, group.step, group.units, *(refs[number] for number in sorted(group.after))))
    return refs


def begin(code: str, place: Storage, memory: int, cut: int | None) -> tuple[Run, int | None]:
    """The run of a board, and the rows of its largest tier that is not cut. Where nothing is said tiers are cut if a
    whole one does not fit."""
    try:
        return Run(code, place, memory=memory, cut=cut), cut
    except TooLargeError:
        if cut is not None:
            raise
        return Run(code, place, memory=memory, cut=CUT), CUT


def make(code: str, storage: str, memory: int | None = None, threads: int = 1, piece: int = PIECE,
         keep: bool = False, cut: int | None = None) -> Made:
    """Makes the table of a board on the cluster that was joined, in the storage, or goes on where a run has stopped.

    ``memory`` is what a task may use, in bytes (a core's share of its node), ``threads`` how many it has, ``piece`` the
    bytes of one file of the table. ``cut`` has tiers of more rows made in parts. ``keep`` leaves what the run has made
    beside the table.
    """
    nodes.check()
    place = Storage(storage)
    share = memory or nodes.memory_of_a_worker() * threads
    try:
        run, cut = begin(code, place, max(share, 1 << 20), cut)
    except TooLargeError as error:
        raise TooLargeError(f"{error}; give a task more threads, or fewer workers to a node") from None
    job = Job(code, storage, share, threads, cut)
    with Lease(place, f"{run.code}.lease") as lease:
        units = {step: run.units(step) for step in STEPS}
        groups = plan(units, {step: run.finished(step) for step in STEPS}, max(1, nodes.workers() // threads))
        largest, most = max((group.memory for group in groups), default=0) + nodes.BESIDE, nodes.memory_of_the_largest()
        if groups and largest > most:
            raise TooLargeError(f"{code}: a step needs {largest} bytes of memory, the largest node has {most}")
        report = Report(sum(group.cost for group in groups))
        refs = submit(job, groups)
        wait([(ref, group.cost) for ref, group in zip(refs, groups)], code, report, lease)
        length = run.length()
        files = pieces(run.code, length, piece)
        packed = [(write.options(num_cpus=threads).remote(job, file), 0) for file in files[1:]]
        wait(packed, f"{code}: table", report, lease)
        wait([(write.options(num_cpus=threads).remote(job, files[0]), 0)], f"{code}: table", report, lease)
        if not keep:
            run.clean()
    return Made([name for name, _, _ in files], length, report)
