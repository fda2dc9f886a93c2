"""cluster.py CODE [COMMAND [CUT]]: what a board costs on a cluster of one node with two workers, beside `yomikiri
analyze`; with tiers of more than CUT rows in parts, if that is said.

Processor seconds of both, those of all of Ray's own processes among them, and whether the tables are the same.
"""

import ctypes
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

code, command = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "target/release/yomikiri"

# Processes that outlive those that have started them become children of this one, which counts them.
PR_SET_CHILD_SUBREAPER = 36
if ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
    sys.exit("needs Linux")


class Meter(threading.Thread):
    """Adds up the processor time of all processes below this one, as the kernel tells it until they end: whoever starts
    processes need not have waited for them."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.seconds: dict[tuple[int, int], float] = {}
        self.is_done = threading.Event()

    def look(self) -> None:
        """Reads the clocks of all processes that are there."""
        tick = os.sysconf("SC_CLK_TCK")
        parents, clocks = dict[int, int](), dict[int, tuple[int, float]]()
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
                except OSError:
                    continue
                parents[int(entry.name)] = int(fields[1])
                clocks[int(entry.name)] = int(fields[19]), (int(fields[11]) + int(fields[12])) / tick
        for process, (begun, seconds) in clocks.items():
            above = process
            while above in parents and above != os.getpid():
                above = parents[above]
            if above == os.getpid() != process:
                self.seconds[process, begun] = seconds

    def run(self) -> None:
        while not self.is_done.wait(0.2):
            self.look()


def run(name: str, arguments: list[str]) -> float:
    """Runs a program, waits for all that it has left, and prints what it took."""
    meter, begun = Meter(), time.monotonic()
    meter.start()
    done = subprocess.run(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    wall = time.monotonic() - begun
    if done.returncode:
        sys.exit(done.stderr)
    while True:
        try:
            os.wait()
        except ChildProcessError:
            break
    meter.is_done.set()
    meter.join()
    cpu = sum(meter.seconds.values())
    print(f"{name}: {cpu:.1f} CPU s, {wall:.1f} s; {done.stderr.strip().splitlines()[-1] if done.stderr else ''}", flush=True)
    return cpu


with tempfile.TemporaryDirectory() as folder:
    one, many = Path(folder) / "one", Path(folder) / "many"
    alone = run("one machine", [command, "analyze", code, "--tables", str(one), "--threads", "2"])
    shared = [sys.executable, "-m", "yomikiri.cluster", "analyze", code, "--storage", str(many)]
    together = run("a cluster", [*shared, "--cut", sys.argv[3]] if len(sys.argv) > 3 else shared)
    name = f"{code}.tbl"
    same = (one / name).read_bytes() == (many / name).read_bytes()
    print(f"the same bytes: {'yes' if same else 'NO'}; {together / alone:.2f} times the processor time")
    sys.exit(not same)
