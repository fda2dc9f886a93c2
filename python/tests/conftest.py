"""Fixtures: tables of every family of games, made once, and the command that answers are compared with."""

import functools
import json
import os
import random
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow
import pytest
import yomikiri

TableOf = Callable[[str], yomikiri.Table]
KeysOf = Callable[[str], npt.NDArray[np.uint64]]

REPOSITORY = Path(__file__).parents[2]

# Certificates and openings that ship with the program would answer some questions of the tests.
os.environ["YOMIKIRI_DATA"] = ""

# One code for each kernel and kind of table: tiers, sorted keys, occupancies, sorted keys of a game that can repeat,
# all positions of such a game with wins left out, and all positions with draws left out. One kind is missing because
# its tables take seconds: reachable positions by dense keys, with wins left out (pyon3x5-PNG).
CODES = ["bin3x3", "con4x4", "rev4x4", "m00c1", "pyon2x3", "pyon3x4"]


class Command:
    """The command that the module must agree with: ``$YOMIKIRI_UNDER_TEST``, or the release build."""

    def __init__(self, tables: Path) -> None:
        built = REPOSITORY / os.environ.get("CARGO_TARGET_DIR", "target") / "release" / "yomikiri"
        self.program = os.environ.get("YOMIKIRI_UNDER_TEST", str(built))
        self.tables = tables

    def run(self, *arguments: str, lines: list[str] | None = None, status: int = 0) -> str:
        """Returns its standard output; if ``status`` is not 0, its standard error."""
        done = subprocess.run(
            [self.program, *arguments],
            input="".join(f"{line}\n" for line in lines or []),
            capture_output=True,
            text=True,
            env=os.environ | {"YOMIKIRI_TABLES": str(self.tables)},
        )
        assert done.returncode == status, done.stderr
        return done.stdout if status == 0 else done.stderr

    def json(self, *arguments: str) -> dict[str, object]:
        found: dict[str, object] = json.loads(self.run(*arguments, "--json"))
        return found


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the tables."""
    return tmp_path_factory.mktemp("tables")


@pytest.fixture(scope="session")
def table_of(folder: Path) -> Callable[[str], yomikiri.Table]:
    """Returns the table of a rule code, made at the first call."""
    return functools.cache(lambda code: yomikiri.analyze(code, tables=folder))


@pytest.fixture(scope="session")
def keys_of(table_of: Callable[[str], yomikiri.Table]) -> Callable[[str], npt.NDArray[np.uint64]]:
    """Returns the keys of all positions of a table, ascending."""

    def keys(code: str) -> npt.NDArray[np.uint64]:
        found: npt.NDArray[np.uint64] = pyarrow.table(table_of(code).batches(columns=["key"]))["key"].to_numpy()
        return found

    return functools.cache(keys)


@pytest.fixture(scope="session")
def command(folder: Path) -> Command:
    return Command(folder)


def walks(game: yomikiri.Game, count: int, seed: int = 17) -> list[yomikiri.Position]:
    """Returns the first ``count`` positions of random games, which end after at most 60 positions."""
    drawn, found = random.Random(seed), list[yomikiri.Position]()
    while len(found) < count:
        here = game.start
        for _ in range(60):
            found.append(here)
            children = here.children
            if not children:
                break
            here = drawn.choice(children)[1]
    return found[:count]
