"""cluster.py CODE [COMMAND [CUT]]: what a board costs on a cluster of one node with two workers, beside `yomikiri
analyze`; with tiers of more than CUT rows in parts, if that is said.

Processor seconds of both, those of all of Ray's own processes among them, and whether the tables are the same.
"""

import ctypes
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

code, command = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "target/release/yomikiri"

# Processes that outlive those that have started them become children of this one, which counts them.
PR_SET_CHILD_SUBREAPER = 36
if ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
    sys.exit("needs Linux")


def run(name: str, arguments: list[str]) -> float:
    """Runs a program, waits for all that it has left, and prints what it took."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    wall = time.monotonic() - begun
    if done.returncode:
        sys.exit(done.stderr)
    while True:
        try:
            os.wait()
        except ChildProcessError:
            break
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
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
