"""Names the machine of a recorded run."""
import os
import platform
import re
from pathlib import Path


def machine():
    """Returns the number of cores, the processor and the system of this machine, as records have them."""
    cpus = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    model = re.search(r"model name\s*: (.*)", cpus)
    name = model[1] if model else platform.processor()
    return f"{os.cpu_count()} cores, {name}, {platform.system()} {platform.machine()}"
