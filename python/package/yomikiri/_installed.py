"""Finds the program that the package has installed."""

from importlib import metadata
from os.path import abspath
from pathlib import Path


def program() -> Path | None:
    """Returns the path of the program; ``None`` if the package was installed without it."""
    try:
        files = metadata.files("yomikiri") or []
    except metadata.PackageNotFoundError:
        return None
    found = [Path(abspath(file.locate())) for file in files if file.name in ("yomikiri", "yomikiri.exe")]
    return next((path for path in found if path.is_file()), None)
