"""The stubs agree with the module, and the package and the tests are well typed by them."""

import os
import subprocess
import sys
from pathlib import Path

import yomikiri

HERE = Path(__file__).parent


def run(module: str, *arguments: str) -> None:
    done = subprocess.run([sys.executable, "-m", module, *arguments], cwd=HERE.parent, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_stubs_are_those_of_the_module() -> None:
    run("mypy.stubtest", "yomikiri._yomikiri", "--mypy-config-file", str(HERE.parent / "pyproject.toml"))


def test_the_package_and_the_tests_are_well_typed(tmp_path: Path) -> None:
    checked = ["mypy", "--config-file", str(HERE.parent / "pyproject.toml"), "--cache-dir", str(tmp_path)]
    # The second run reads from the cache what the first has found about other packages.
    run(*checked, str(HERE))
    run(*checked, "-p", "yomikiri")


def test_everything_has_a_docstring() -> None:
    for name in yomikiri.__all__:
        thing = getattr(yomikiri, name)
        if not isinstance(thing, (int, str)):
            assert thing.__doc__, name
            for member, value in vars(thing).items() if isinstance(thing, type) else []:
                assert member.startswith("_") or value.__doc__, f"{name}.{member}"


def test_the_package_says_that_it_is_typed() -> None:
    assert (Path(os.path.dirname(yomikiri.__file__)) / "py.typed").exists()
