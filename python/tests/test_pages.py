"""The Python examples of the documents run as they are."""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yomikiri
from conftest import REPOSITORY


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_examples_run(page: str, tmp_path: Path) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```$", (REPOSITORY / page).read_text(), re.MULTILINE | re.DOTALL)
    assert blocks, "a page with examples"
    program = [sys.executable, "-W", "error", "-c", "\n".join(blocks)]
    # The usual folder would be that of the source tree.
    env = os.environ | {"YOMIKIRI_TABLES": str(tmp_path / "precomp")}
    done = subprocess.run(program, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


def test_the_example_of_the_package_runs() -> None:
    assert doctest.testmod(yomikiri) == (0, 3)
