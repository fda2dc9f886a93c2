"""What is told of the work while it goes on."""

import sys
import time
from dataclasses import dataclass, field


def size(count: float) -> str:
    """Bytes as people read them."""
    for unit in ("B", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.2f} TB"


def span(seconds: float) -> str:
    """A time as people read it."""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}" if minutes >= 60 else f"{minutes}:{rest:02}"


@dataclass
class Report:
    """Counts what was done and moved, and says so: on a terminal a line that changes, else one at most every minute."""

    #: Cost of all groups, as a plan has it.
    total: int
    begun: float = field(default_factory=time.monotonic)
    done: int = 0
    cpu: float = 0.0
    read: int = 0
    written: int = 0
    _last: float = 0.0

    def add(self, cost: int, cpu: float, read: int, written: int) -> None:
        """A group has come through."""
        self.done += cost
        self.cpu += cpu
        self.read += read
        self.written += written

    def line(self, what: str) -> str:
        """How far the work is."""
        wall = time.monotonic() - self.begun
        left = f", {span(wall * (self.total - self.done) / self.done)} left" if 100 * self.done >= max(1, self.total) else ""
        share = 100 * self.done / max(1, self.total)
        return f"{what}: {share:.1f} % in {span(wall)}{left}; {self.cost()}"

    def cost(self) -> str:
        """What the work has taken so far."""
        return f"{self.cpu:.1f} CPU s, {size(self.read)} read, {size(self.written)} written"

    def tell(self, what: str) -> None:
        """Says how far the work is, if it is time to."""
        terminal, now = sys.stderr.isatty(), time.monotonic()
        if now - self._last >= (0.2 if terminal else 60.0):
            self._last = now
            print(f"\r\x1b[K{self.line(what)}" if terminal else self.line(what), end="" if terminal else "\n",
                  file=sys.stderr, flush=True)

    def end(self, what: str) -> None:
        """Says that the work is over."""
        clear = "\r\x1b[K" if sys.stderr.isatty() else ""
        print(f"{clear}{what} in {span(time.monotonic() - self.begun)}; {self.cost()}", file=sys.stderr, flush=True)
