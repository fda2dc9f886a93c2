"""A lease makes sure that a board has at most one driver at a time.

It is a file in the storage that names the driver. The driver keeps renewing it.
"""

import json
import os
import socket
import threading
import time
import uuid
from types import TracebackType

from .._yomikiri import Storage
from ..errors import Error, TableError

#: Seconds between two renewals, and seconds without a renewal after which a driver counts as dead.
EVERY = 5.0
DEAD = 30.0

#: The first bytes of every lease. A file that begins otherwise is not overwritten.
BEGINNING = b'{"driver": "'


class LeaseError(Error):
    """Another driver is at work on the same board."""


class Lease:
    """The lease that the driver of a run holds. ``lost`` is set when another driver has taken it over."""

    def __init__(self, storage: Storage, name: str) -> None:
        self.storage = storage
        self.name = name
        self.own = {"driver": uuid.uuid4().hex, "host": socket.gethostname(), "process": os.getpid()}
        self.lost = threading.Event()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._renew, daemon=True)

    def _text(self) -> bytes:
        return json.dumps({**self.own, "time": time.time()}).encode()

    def _holder(self) -> dict[str, object] | None:
        text = self.storage.get(self.name)
        try:
            holder = json.loads(text) if text else None
        except ValueError:
            return None
        return holder if isinstance(holder, dict) else None

    def _is_dead(self, holder: dict[str, object]) -> bool:
        """Returns true if the lease has expired, or if its holder is a process of this machine that has ended."""
        try:
            age = time.time() - float(str(holder.get("time", 0)))
        except ValueError:
            return True
        if age > DEAD or holder.get("host") != self.own["host"]:
            return age > DEAD
        try:
            os.kill(int(str(holder.get("process", 0))), 0)
        except ProcessLookupError:
            return True
        except (OSError, OverflowError, ValueError):
            pass
        return False

    def __enter__(self) -> "Lease":
        while not self.storage.create(self.name, self._text()):
            holder = self._holder()
            if holder is not None and not self._is_dead(holder):
                who = f"process {holder.get('process')} on {holder.get('host')}"
                raise LeaseError(f"{self.storage.path(self.name)}: another driver is at work on this board: {who}")
            # If two drivers find the same dead holder, the driver that writes last gets the lease.
            self.storage.put(self.name, self._text(), BEGINNING)
            time.sleep(1.0)
            if (self._holder() or {}).get("driver") == self.own["driver"]:
                break
        self._thread.start()
        return self

    def _renew(self) -> None:
        while not self._over.wait(EVERY):
            try:
                if (self._holder() or {}).get("driver") != self.own["driver"]:
                    self.lost.set()
                    return
                self.storage.put(self.name, self._text(), BEGINNING)
            except TableError:
                # The storage may answer again before this driver counts as dead.
                continue

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if os.getpid() != self.own["process"]:
            # This process was forked off the driver, which keeps the lease.
            return
        self._over.set()
        self._thread.join()
        if not self.lost.is_set():
            self.storage.delete(self.name)
