"""Makes a survey on a cluster: one task for each variant, or for each group of variants that one job answers."""

import json
import subprocess
import tempfile
from pathlib import Path

import ray

from .journal import collect, lines, mend
from .nodes import PATIENCE, check
from .program import failed, run


@ray.remote(max_retries=20)
def answer(command: str, codes: list[str], options: list[str]) -> list[str]:
    """Answers the rule codes of one job on one thread. Returns their records, one line each."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.jsonl"
        # The folder of tables is empty, because a node that happens to have tables would answer differently.
        done = run([command, "survey", *codes, *options, "--threads", "1", "--out", str(out), "--tables", folder])
        # Status 1 only means that some variants are open.
        if done.returncode > 1 or not out.exists():
            raise failed(done)
        return out.read_text().splitlines()


def decided(*files: Path) -> set[str]:
    """Returns the codes that are decided, not open, in the files of a survey. The last line of a code counts."""
    codes: set[str] = set()
    for line in (line for file in files for line in lines(file)):
        known = json.loads(line)
        (codes.discard if "open" in known else codes.add)(known["code"])
    return codes


def survey(patterns: list[str], question: str, out: str, time: str | None, memory: str, command: str,
           patience: float = PATIENCE) -> "subprocess.CompletedProcess[str]":
    """Surveys all variants and writes the same file as ``yomikiri survey``.

    Returns the output and the exit status of that command.

    Raises ``ClusterError`` if no task runs for ``patience`` seconds. The same call resumes the survey.
    """
    check()
    options = ["--answer", question, "--memory", memory, *(["--time", time] if time else [])]
    listed = run([command, "survey", *patterns, *options, "--list-jobs"])
    if listed.returncode:
        raise failed(listed)
    journal = Path(f"{out}.journal")
    mend(journal)
    known = decided(Path(out), journal)
    # If one code of a job is not decided, the whole job is asked again.
    jobs = [line.split() for line in listed.stdout.splitlines()]
    asked = [codes for codes in jobs if not known.issuperset(codes)]
    tasks = {answer.remote(command, codes, options): len(codes) for codes in asked}
    collect(journal, tasks, list, "survey", patience)
    # The command finds nothing left to ask. It sorts the lines and prints the summary.
    return run([command, "survey", *patterns, *options, "--out", out])
