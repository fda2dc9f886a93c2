"""Waits for tasks, and for nodes that can take them. Reports what is missing, and gives up after some time."""

import math
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import ray

from .nodes import ClusterError, Offer, State, state
from .report import AGAIN, Report, say, span

#: Seconds between two queries to the head of the cluster.
EVERY = 2.0

#: Seconds without an answer after which the head counts as lost.
SILENT = 12.0

#: Seconds that a problem lasts before the driver reports it, because a cluster needs a moment to start a task. The head
#: takes about 15 seconds to see that a node has died, and the report is due within 30 seconds.
GRACE = 5.0

#: The maximum number of seconds that count as waiting between two looks, because a suspended driver has not waited.
STEP = 5.0


@dataclass(frozen=True, order=True)
class Need:
    """The number of cores and the bytes of memory that a task needs on its node."""

    cores: int = 1
    memory: int = 0

    def fits(self, offer: Offer) -> bool:
        """Returns true if an idle node can take the task."""
        return offer.cores >= self.cores and offer.memory >= self.memory

    def __str__(self) -> str:
        memory = f" and {math.ceil(self.memory / (1 << 20))} MiB of memory" if self.memory else ""
        return f"{cores(self.cores)}{memory}"


@dataclass(frozen=True)
class Task:
    """A task of the cluster: its need, its cost, and the tasks that it depends on."""

    need: Need
    cost: int
    after: frozenset[Any] = frozenset()


class Problem(NamedTuple):
    """The reason why no task makes progress, and the remedy."""

    text: str
    remedy: str


def cores(count: float) -> str:
    """Formats a number of cores: ``1 core``, ``2 cores``."""
    return f"{count:g} core{'' if count == 1 else 's'}"


def largest(offers: Iterable[Offer]) -> list[Offer]:
    """Returns the offers that no other offer equals or exceeds in both cores and memory, most cores first."""
    found: list[Offer] = []
    for offer in sorted(offers, key=lambda offer: (offer.cores, offer.memory), reverse=True):
        if not found or offer.memory > found[-1].memory:
            found.append(offer)
    return found


def lacking(needs: Iterable[Need], offers: list[Offer]) -> str | None:
    """Returns the reason why no node can take any task: the smallest need, and the largest offers of the nodes.

    Returns ``None`` if a node can take a task, or if there is no task.
    """
    least: Need | None = None
    for need in needs:
        if any(need.fits(offer) for offer in offers):
            return None
        least = need if least is None else min(least, need)
    if least is None:
        return None
    if not offers:
        return f"a task needs {least}, but no node of the cluster has cores for tasks"
    most = " or ".join(f"{cores(offer.cores)} and {int(offer.memory) >> 20} MiB of memory" for offer in largest(offers))
    have = "the only node of the cluster has"
    if len(offers) > 1:
        have = f"the largest of the {len(offers)} nodes of the cluster has"
    return f"a task needs {least} on one node, but {have} {most}"


def without_a_node(seen: State, age: float, needs: Iterable[Need]) -> Problem | None:
    """Returns the reason why no node can take a task, or ``None`` if one can. ``seen`` is ``age`` seconds old."""
    if age > SILENT:
        return Problem(f"the head of the cluster has not answered for {span(age)}", "start the cluster")
    missing = lacking(needs, seen.offers)
    return Problem(missing, "start nodes") if missing else None


def stopped(seen: State, age: float, needs: Iterable[Need]) -> Problem | None:
    """Returns the reason why no task makes progress, or ``None`` if one does. ``seen`` is ``age`` seconds old.

    A busy core counts as progress, although it may work for another driver: the head does not say. An old state says
    nothing about busy cores.
    """
    found = without_a_node(seen, age, needs)
    if found is None and seen.busy == 0 and age <= 2 * EVERY:
        return Problem("no task runs, but a node could take one", "look at Ray's logs and restart the cluster")
    return found


@dataclass
class Waiting:
    """Counts the seconds without progress, reports them every ``AGAIN`` seconds, and gives up after ``patience``."""

    what: str
    patience: float
    tell: Callable[[str], None] = say
    #: Seconds without progress so far.
    lasted: float = 0.0
    #: True if the current problem has been reported.
    is_told: bool = False
    _before: float | None = None
    _told: float = 0.0

    def look(self, now: float, wrong: Problem | None) -> None:
        """Takes note of the current problem, or of ``None`` if tasks make progress. ``now`` is in seconds.

        Raises ``ClusterError`` once the problem has lasted for ``patience`` seconds.
        """
        if wrong is None:
            if self.is_told:
                self.tell(f"{self.what}: resumed")
            self.lasted, self.is_told, self._before = 0.0, False, None
            return
        self.lasted += 0.0 if self._before is None else min(now - self._before, STEP)
        self._before = now
        if self.lasted >= self.patience:
            raise ClusterError(f"{self.what}: {wrong.text}; gave up after {span(self.lasted)}; {wrong.remedy}, then run "
                               "the same command again to resume")
        if self.lasted >= GRACE and not (self.is_told and now - self._told < AGAIN):
            left = math.ceil(self.patience - self.lasted)
            self.tell(f"{self.what}: waiting: {wrong.text}; gives up in {span(left)}")
            self.is_told, self._told = True, now


class Watch:
    """Asks for the state of the cluster on a thread of its own, because the question hangs if the head is lost."""

    def __init__(self) -> None:
        self._state = State([], 0.0)
        self._seen = time.monotonic()
        self._first = threading.Event()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def _watch(self) -> None:
        while True:
            try:
                self._state = state()
            except Exception:
                # Ray raises errors of many kinds if it gets no answer. The age of the last state shows that as well.
                pass
            else:
                self._seen = time.monotonic()
                self._first.set()
            if self._over.wait(EVERY):
                return

    def last(self) -> tuple[State, float]:
        """Returns the last state and its age in seconds."""
        return self._state, time.monotonic() - self._seen

    def __enter__(self) -> "Watch":
        self._thread.start()
        # If there is no answer after this time, the head counts as lost.
        self._first.wait(SILENT + 1)
        return self

    def __exit__(self, *_: object) -> None:
        # The thread is not joined: it may hang in a question to the head.
        self._over.set()


#: True in a process that ends after the first error. Ray then ends its tasks. It can crash while it cancels a task that
#: is just finishing, and the error would not be told.
ends_after_errors = False


def ready(left: Mapping[Any, Task]) -> Iterable[Need]:
    """Returns the needs of the tasks that wait for no other task."""
    return (task.need for task in left.values() if not any(ref in left for ref in task.after))


def take(tasks: Mapping[Any, Task], what: str, report: Report, patience: float, done: Callable[[Task, Any], None],
         check: Callable[[], None] = lambda: None) -> None:
    """Waits for all tasks. Calls ``done`` with each finished task and its result, and ``check`` at least every second.

    Raises the first error of a task, or ``ClusterError`` after ``patience`` seconds without progress. Cancels the
    remaining tasks before it raises an error, unless ``ends_after_errors`` is true.
    """
    left, waiting = dict(tasks), Waiting(what, patience)
    try:
        with Watch() as watch:
            while left:
                finished, _ = ray.wait(list(left), num_returns=1, timeout=1.0)
                for ref in finished:
                    result = ray.get(ref)
                    done(left.pop(ref), result)
                waiting.look(time.monotonic(), None if finished else stopped(*watch.last(), ready(left)))
                if not waiting.is_told:
                    report.tell(what)
                check()
    except ray.exceptions.RayTaskError as error:
        raise error.cause if isinstance(error.cause, Exception) else error from None
    except ray.exceptions.RayError as error:
        raise ClusterError(f"{what}: {first_line(error)}; run the same command again to resume") from error
    finally:
        if not ends_after_errors:
            for ref in left:
                ray.cancel(ref, force=True)


def for_a_node(need: Need, what: str, patience: float, check: Callable[[], None] = lambda: None) -> State:
    """Waits until a node can take a task, and returns the state of the cluster. Calls ``check`` twice a second.

    Raises ``ClusterError`` if there is no such node within ``patience`` seconds.
    """
    waiting = Waiting(what, patience)
    with Watch() as watch:
        while True:
            seen, age = watch.last()
            wrong = without_a_node(seen, age, [need])
            waiting.look(time.monotonic(), wrong)
            if wrong is None:
                return seen
            check()
            time.sleep(0.5)


def first_line(error: BaseException) -> str:
    """Returns the first line of an error, or its type if it has no text."""
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
