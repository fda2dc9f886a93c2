"""Finds the program that the package has installed."""

from importlib import metadata
from os.path import abspath
from pathlib import Path

NAMES = ("yomikiri", "yomikiri.exe")


def program() -> Path | None:
    """Returns the path of the program; ``None`` if the package was installed without it."""
    try:
        files = metadata.files("yomikiri") or []
    except metadata.PackageNotFoundError:
        files = []
    found = [Path(abspath(file.locate())) for file in files if file.name in NAMES]
    # `pip install --target` moves the program, and the list of files still has its old place.
    beside = [Path(__file__).parents[1] / "bin" / name for name in NAMES]
    return next((path for path in found + beside if path.is_file()), None)
