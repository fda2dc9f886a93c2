"""The cluster: joining it, and what its nodes have."""

import logging
import os
import time

from ..errors import Error


class ClusterError(Error):
    """What a cluster lacks."""


try:
    import ray
except ModuleNotFoundError as error:
    raise ClusterError("needs Ray: pip install 'yomikiri[cluster]'") from error

#: Seconds in which a node has to join.
PATIENCE = 60.0

#: Bytes that a worker takes beside what its step needs.
BESIDE = 256 << 20


#: Whether this process was forked off one that had joined a cluster: Ray's threads and connections stay there.
_forked = False


def _after_fork() -> None:
    global _forked
    _forked = _forked or ray.is_initialized()


os.register_at_fork(after_in_child=_after_fork)


def check() -> None:
    """Raises ``ClusterError`` in a process that was forked off a driver, where Ray would wait for ever."""
    if _forked:
        raise ClusterError("this process was forked after its parent had joined the cluster: join it in a process that "
                           "was started by itself (multiprocessing: \"spawn\" or \"forkserver\")")


def join(address: str | None) -> None:
    """Joins the cluster at an address (``auto``: the one of this machine), or starts one of this machine's cores."""
    check()
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, RuntimeError, ValueError) as error:
        line = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise ClusterError(f"cannot join the cluster at {address or 'this machine'}: {line}") from error
    begun = time.monotonic()
    while not ray.cluster_resources().get("CPU"):
        if time.monotonic() - begun > PATIENCE:
            raise ClusterError(f"no node of the cluster at {address or 'this machine'} has a core for tasks")
        time.sleep(0.5)


def workers() -> int:
    """How many tasks of one core run at a time."""
    check()
    return max(1, int(ray.cluster_resources().get("CPU", 1)))


def memory_of_a_worker() -> int:
    """Bytes for each core of the node that has the least."""
    check()
    shares = [
        int(node["Resources"].get("memory", 0) / max(1, node["Resources"].get("CPU", 1)))
        for node in ray.nodes()
        if node["Alive"] and node["Resources"].get("CPU", 0) > 0
    ]
    return max(min(shares, default=0) - BESIDE, 0)


def memory_of_the_largest() -> int:
    """Bytes of the node that has the most."""
    check()
    return int(max((node["Resources"].get("memory", 0) for node in ray.nodes() if node["Alive"]), default=0))
