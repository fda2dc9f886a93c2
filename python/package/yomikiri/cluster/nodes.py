"""Joins the cluster and reads the state of its nodes."""

import contextlib
import logging
import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass

from ..errors import Error
from .report import AGAIN, say


class ClusterError(Error):
    """A cluster that lacks nodes, does not answer, or cannot do what was asked."""


try:
    import ray
except ModuleNotFoundError as error:
    raise ClusterError("Ray is missing; install it with pip install 'yomikiri[cluster]'") from error

#: Seconds without progress after which a driver gives up.
PATIENCE = 600.0

#: The environment variable for the number of seconds after which Ray ends a process that cannot reach the head.
LIFE = "RAY_gcs_rpc_server_reconnect_timeout_s"

#: Bytes of memory that a worker needs in addition to its step.
BESIDE = 256 << 20


#: True if this process was forked off a process that had joined a cluster. Ray's threads and connections stay there.
_forked = False


def _after_fork() -> None:
    global _forked
    _forked = _forked or ray.is_initialized()


os.register_at_fork(after_in_child=_after_fork)


def check() -> None:
    """Raises ``ClusterError`` in a process that was forked off a driver, because Ray would wait forever in it."""
    if _forked:
        raise ClusterError("this process was forked after its parent joined the cluster; join it in a new process "
                           "(multiprocessing method \"spawn\" or \"forkserver\")")


@contextlib.contextmanager
def living(seconds: float) -> Iterator[None]:
    """Sets the time for which Ray keeps a process alive without a head, unless the environment sets it.

    The variable is set while the context lasts, because Ray reads it at its start.
    """
    if LIFE in os.environ:
        yield
        return
    # Ray holds the time as milliseconds in 32 bits.
    os.environ[LIFE] = str(min(int(seconds), 7 * 86400))
    try:
        yield
    finally:
        del os.environ[LIFE]


@contextlib.contextmanager
def telling(line: str) -> Iterator[None]:
    """Prints a line every ``AGAIN`` seconds while the context lasts."""
    over = threading.Event()

    def tell() -> None:
        while not over.wait(AGAIN):
            say(line)

    threading.Thread(target=tell, daemon=True).start()
    try:
        yield
    finally:
        over.set()


def join(address: str | None, patience: float = PATIENCE) -> None:
    """Joins the cluster at an address. ``auto`` is the cluster of this machine; ``None`` starts one on its cores.

    ``patience`` is the number of seconds for which the drivers will wait if the head of the cluster is lost.
    """
    check()
    place = address or "this machine"
    # If this call starts the head, the default stays: the processes of the cluster must not outlive the head for long.
    life = contextlib.nullcontext() if address is None else living(patience + 120)
    try:
        with life, telling(f"joining the cluster at {place}"):
            ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except (OSError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
        line = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise ClusterError(f"cannot join the cluster at {place}: {line}") from error


@dataclass(frozen=True)
class Offer:
    """The cores and the bytes of memory that a node has for tasks."""

    cores: float
    memory: float


@dataclass(frozen=True)
class State:
    """The living nodes that have at least one core, and the number of their busy cores."""

    offers: list[Offer]
    busy: float

    def workers(self, threads: int) -> int:
        """Returns the number of tasks with ``threads`` threads that can run at the same time, at least 1."""
        return max(1, int(sum(offer.cores for offer in self.offers)) // threads)

    def memory_of_a_worker(self) -> int:
        """Returns the bytes that a task may use for each of its cores, by the node with the least memory per core."""
        shares = [int(offer.memory / max(1, offer.cores)) for offer in self.offers]
        return max(min(shares, default=0) - BESIDE, 0)


def state() -> State:
    """Asks the head for the state of the cluster. If the head is lost, the call hangs until Ray ends the process."""
    alive = [node["Resources"] for node in ray.nodes() if node["Alive"]]
    offers = [Offer(has["CPU"], has.get("memory", 0)) for has in alive if has.get("CPU", 0) > 0]
    free = ray.available_resources().get("CPU", 0)
    return State(offers, max(0.0, round(sum(offer.cores for offer in offers) - free, 3)))
