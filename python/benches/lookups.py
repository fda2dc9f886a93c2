"""lookups.py TABLE [KEYS]: looks random keys of positions up in a table, and prints what that takes.

Of tables with dense keys, numbers are drawn, and those kept that are keys of positions which are not decided at once.
For numbers on one core: RAYON_NUM_THREADS=1 taskset -c 0 python lookups.py /path/val1n.tbl
"""

import resource
import sys
import time

import numpy as np
import pyarrow
import yomikiri

path, wanted = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 10_000_000
random = np.random.default_rng(17)


def clocks() -> tuple[float, float]:
    return time.perf_counter(), time.process_time()


def draw(table: yomikiri.Table) -> np.ndarray:
    """Keys of positions: of a table with dense keys by trial, of others by reading them all."""
    if len(table.sections) > 1:
        return random.choice(pyarrow.table(table.batches(columns=["key"]))["key"].to_numpy(), wanted)
    drawn = np.array([], dtype=np.uint64)
    while len(drawn) < wanted:
        keys = random.integers(0, 4 * len(table), wanted, dtype=np.uint64)
        outcomes, plies = table.values(keys)
        known = (plies > 1) | (outcomes == 0)
        drawn = np.concatenate([drawn, keys[known]])
    return drawn[:wanted]


keys = draw(yomikiri.Table.open(path))
assert len(keys) == wanted
table = yomikiri.Table.open(path)
for what in ["first look-up", "second look-up"]:
    wall, cpu = clocks()
    outcomes, _ = table.values(keys)
    wall, cpu = (after - before for after, before in zip(clocks(), (wall, cpu)))
    print(f"{what}: {wanted} keys in {wall:.2f} s, {cpu:.2f} s of CPU time; {(outcomes == 1).mean():.1%} are won")
print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB")
