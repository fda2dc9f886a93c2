"""The installed package brings the command, and what ships with it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yomikiri
from conftest import REPOSITORY
from yomikiri import _installed


def run(*arguments: str, data: str | None = None, status: int = 0) -> str:
    """Runs the command of the package and returns what it prints. ``data`` is the value of ``$YOMIKIRI_DATA``."""
    environment = os.environ | {"YOMIKIRI_TABLES": "nowhere", "LC_ALL": "C"}
    environment.pop("YOMIKIRI_DATA")
    if data is not None:
        environment["YOMIKIRI_DATA"] = data
    done = subprocess.run(
        [sys.executable, "-m", "yomikiri", *arguments], capture_output=True, text=True, env=environment
    )
    assert done.returncode == status, done.stderr
    return done.stdout + done.stderr


def test_the_module_runs_the_command() -> None:
    assert run("--version") == f"yomikiri {yomikiri.__version__}\n"
    assert "White wins in 10 plies." in run("query", "bin3x3")
    assert run("query", "bin9x9", status=2).startswith("error: ")


def test_the_command_is_beside_the_interpreter() -> None:
    program = _installed.program()
    assert program is not None and program.parent == Path(sys.executable).parent and os.access(program, os.X_OK)


def test_knowledge_of_the_full_board_ships(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    shipped = Path(sys.prefix) / "share/yomikiri"
    assert (shipped / "proofs/bin7x6.proof").is_file()
    monkeypatch.setenv("YOMIKIRI_DATA", str(shipped))
    asked = yomikiri.query("bin7x6", tables=tmp_path)
    assert (asked.winner, asked.source) == ("black", "certificate")
    assert {move.text: move.value and move.value.outcome for move in asked.moves} == {
        "dn": "win",
        "2n": "loss",
        "4n": "loss",
        "bn": "loss",
    }


def test_without_the_command_it_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from yomikiri import __main__

    monkeypatch.setattr(__main__, "program", lambda: None)
    assert __main__.main() == 1
    assert capsys.readouterr().err.startswith("error: this package was installed without the command")


def wheel() -> Path:
    """Returns the path of the wheel that was built."""
    built = Path(os.environ.get("CARGO_TARGET_DIR", "target")) / "wheels"
    [found] = (REPOSITORY / built).glob("yomikiri-*.whl")
    return found


def test_the_wheel_fits_its_platform() -> None:
    """The module and the program need nothing that systems of the wheel's platform lack."""
    assert yomikiri.__version__ in wheel().name
    done = subprocess.run([sys.executable, "-m", "auditwheel", "show", wheel()], capture_output=True, text=True)
    platform = wheel().stem.rpartition("-")[2]
    assert done.returncode == 0 and f'"{platform}"' in done.stdout, done.stdout + done.stderr


def test_a_folder_of_packages_has_the_command_too(tmp_path: Path) -> None:
    target = tmp_path / "packages of ü"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    subprocess.run([*pip, "--target", target, wheel()], check=True)
    environment = os.environ | {"PYTHONPATH": str(target)}
    where = "from yomikiri._installed import program; print(program())"
    for arguments, expected in [
        (["-c", where], str(target / "bin/yomikiri")),
        (["-m", "yomikiri", "--version"], f"yomikiri {yomikiri.__version__}"),
    ]:
        done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, env=environment)
        assert done.stdout == f"{expected}\n", done.stderr
