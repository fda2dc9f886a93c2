"""Runs the command that was installed with the package: ``python -m yomikiri query bin4x4``."""

import os
import subprocess
import sys

from ._installed import program


def main() -> int:
    """Runs the command with the arguments of this process, and returns its exit status."""
    command = program()
    if command is None:
        sys.stderr.write("error: this package was installed without the command; a wheel of `make wheel` has it\n")
        return 1
    arguments = [str(command), *sys.argv[1:]]
    if os.name == "nt":
        return subprocess.run(arguments).returncode
    os.execv(command, arguments)


if __name__ == "__main__":
    sys.exit(main())
