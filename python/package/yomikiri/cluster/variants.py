"""Surveys over a cluster: a task for each variant, or for those that are decided together."""

import json
import sys
import tempfile
from pathlib import Path

import ray

from .journal import collect, lines, mend
from .nodes import check
from .program import failed, run


@ray.remote(max_retries=20)
def answer(command: str, codes: list[str], options: list[str]) -> list[str]:
    """The lines about some codes, asked on one thread."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.jsonl"
        # Tables that one node happens to have would answer in another way than the others.
        done = run([command, "survey", *codes, *options, "--threads", "1", "--out", str(out), "--tables", folder])
        # 1: some are open.
        if done.returncode > 1 or not out.exists():
            raise failed(done)
        return out.read_text().splitlines()


def decided(*files: Path) -> set[str]:
    """The codes that files of a survey have answers about, none that are open."""
    codes: set[str] = set()
    for line in (line for file in files for line in lines(file)):
        known = json.loads(line)
        (codes.discard if "open" in known else codes.add)(known["code"])
    return codes


def survey(patterns: list[str], question: str, out: str, time: str | None, memory: str, command: str) -> int:
    """Asks about all variants, and leaves the file that ``yomikiri survey`` would. Its exit status."""
    check()
    options = ["--answer", question, "--memory", memory, *(["--time", time] if time else [])]
    listed = run([command, "survey", *patterns, *options, "--list-jobs"])
    if listed.returncode:
        raise failed(listed)
    journal = Path(f"{out}.journal")
    mend(journal)
    known = decided(Path(out), journal)
    # What is decided together is asked all of it again if one is not known.
    jobs = [line.split() for line in listed.stdout.splitlines()]
    asked = [codes for codes in jobs if not known.issuperset(codes)]
    collect(journal, {answer.remote(command, codes, options): len(codes) for codes in asked}, list, "survey")
    # It finds nothing left to ask, and puts the lines into their order.
    done = run([command, "survey", *patterns, *options, "--out", out])
    print(done.stdout, end="")
    print(done.stderr, end="", file=sys.stderr)
    return done.returncode
