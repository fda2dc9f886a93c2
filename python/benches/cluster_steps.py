"""cluster_steps.py CODE [MEMORY [CUT]]: processor seconds of the steps of a board, in one process that does the work of
two workers, each group by one of them at random; with so much memory for each (7G), and with tiers of more than CUT
rows in parts, if that is said. Ray is not in it.
"""

import random
import sys
import tempfile
import time

from yomikiri._yomikiri import Run, Storage
from yomikiri.cluster.plan import STEPS, plan

code, memory = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "7G"
cut = int(sys.argv[3]) if len(sys.argv) > 3 else None

with tempfile.TemporaryDirectory() as folder:
    workers = [Run(code, Storage(folder), memory=memory, cut=cut) for _ in range(2)]
    units = {step: workers[0].units(step) for step in STEPS}
    spent, drawn = dict.fromkeys(STEPS, 0.0), random.Random(1)
    moved = {step: [0, 0] for step in STEPS}
    for group in plan(units, {}, len(workers)):
        begun = time.process_time()
        bytes_moved = drawn.choice(workers).work(group.step, group.units, threads=1)
        spent[group.step] += time.process_time() - begun
        moved[group.step] = [so_far + more for so_far, more in zip(moved[group.step], bytes_moved)]
    for step in STEPS:
        read, written = (number / 1e9 for number in moved[step])
        print(f"{step}: {spent[step]:.1f} CPU s, {read:.2f} GB read, {written:.2f} GB written", flush=True)
