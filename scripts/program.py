"""Builds the program for a target."""
import json
import subprocess
from pathlib import Path

from licences import ROOT, cargo

#: The target that scripts/build-windows builds on other systems.
WINDOWS = "x86_64-pc-windows-gnu"


def host():
    """The target of this machine."""
    told = subprocess.run(["rustc", "-vV"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return next(line.removeprefix("host: ") for line in told.splitlines() if line.startswith("host: "))


def is_for_windows_elsewhere(target):
    """True if the target is that of scripts/build-windows, and this is another system."""
    return target == WINDOWS and "windows" not in host()


def built(target):
    """Builds the program for a target, or for this machine if it is None. Returns its path."""
    if is_for_windows_elsewhere(target):
        path = subprocess.run(["scripts/build-windows"], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
        return ROOT / path.decode().strip()
    asked = ["--target", target] if target else []
    subprocess.run(["cargo", "build", "--release", "--locked", *asked, "--bin", "yomikiri"], cwd=ROOT, check=True)
    metadata = json.loads(cargo("metadata", "--locked", "--format-version", "1", "--no-deps"))
    return Path(metadata["target_directory"], *asked[1:], "release", program_name(target or host()))


def program_name(target):
    """The name of the program's file for a target."""
    return "yomikiri.exe" if "windows" in target else "yomikiri"
