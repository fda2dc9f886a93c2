"""Prints the progress of a driver on standard error."""

import sys
import time
from dataclasses import dataclass, field


def size(count: float) -> str:
    """Formats a number of bytes, such as ``12.5 MB``."""
    for unit in ("B", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.2f} TB"


def span(seconds: float) -> str:
    """Formats a time as minutes and seconds, or as hours, minutes and seconds: ``1:05``, ``2:00:07``."""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}" if minutes >= 60 else f"{minutes}:{rest:02}"


#: Seconds between two progress lines if standard error is not a terminal.
AGAIN = 25.0


def clear() -> str:
    """Returns the control sequence that clears the line of a terminal, or an empty text if there is no terminal."""
    return "\r\x1b[K" if sys.stderr.isatty() else ""


def say(line: str) -> None:
    """Prints a line that later progress lines do not overwrite."""
    print(f"{clear()}{line}", file=sys.stderr, flush=True)


@dataclass
class Report:
    """Adds up the cost of finished tasks and prints it.

    On a terminal it redraws one line, at most 5 times a second. Elsewhere it prints a line every ``AGAIN`` seconds.
    """

    #: The cost of all tasks, in the unit of ``done``.
    total: int
    begun: float = field(default_factory=time.monotonic)
    done: int = 0
    cpu: float = 0.0
    read: int = 0
    written: int = 0
    _last: float = 0.0

    def add(self, cost: int, cpu: float, read: int, written: int) -> None:
        """Counts a finished task: its cost, CPU seconds, and bytes read and written."""
        self.done += cost
        self.cpu += cpu
        self.read += read
        self.written += written

    def line(self, what: str) -> str:
        """Returns the progress line: the finished share of the work, the time so far, the time left, and the cost."""
        wall = time.monotonic() - self.begun
        left = f", {span(wall * (self.total - self.done) / self.done)} left" if 100 * self.done >= max(1, self.total) else ""
        share = 100 * self.done / max(1, self.total)
        return f"{what}: {share:.1f} % in {span(wall)}{left}; {self.cost()}"

    def cost(self) -> str:
        """Returns the cost so far as text: CPU seconds, bytes read and written."""
        return f"{self.cpu:.1f} CPU s, {size(self.read)} read, {size(self.written)} written"

    def tell(self, what: str) -> None:
        """Prints the progress line, unless the last one was printed a moment ago."""
        terminal, now = sys.stderr.isatty(), time.monotonic()
        if now - self._last >= (0.2 if terminal else AGAIN):
            self._last = now
            print(f"{clear()}{self.line(what)}", end="" if terminal else "\n", file=sys.stderr, flush=True)

    def end(self, what: str) -> None:
        """Prints the last line of a finished run."""
        say(f"{what} in {span(time.monotonic() - self.begun)}; {self.cost()}")
