"""Surveys over a cluster: a task for each variant, or for those that are decided together."""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

import ray

from .nodes import ClusterError
from .report import Report


def run(command: list[str]) -> "subprocess.CompletedProcess[str]":
    """Runs the program; one line if it is not there."""
    try:
        return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    except OSError as error:
        raise ClusterError(f"{command[0]}: {error.strerror}; --command names the program on every node") from error


def failed(done: "subprocess.CompletedProcess[str]") -> ClusterError:
    """What the program has said of its failure."""
    lines = done.stderr.strip().splitlines()
    return ClusterError(lines[-1].removeprefix("error: ") if lines else f"ended with status {done.returncode}")


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
    for file in files:
        text = file.read_text() if file.exists() else ""
        for line in text[: text.rfind("\n") + 1].splitlines():
            known = json.loads(line)
            (codes.discard if "open" in known else codes.add)(known["code"])
    return codes


def survey(patterns: list[str], question: str, out: str, time: str | None, memory: str, command: str) -> int:
    """Asks about all variants, and leaves the file that ``yomikiri survey`` would. Its exit status."""
    options = ["--answer", question, "--memory", memory, *(["--time", time] if time else [])]
    listed = run([command, "survey", *patterns, *options, "--list"])
    if listed.returncode:
        raise failed(listed)
    journal = Path(f"{out}.journal")
    known = decided(Path(out), journal)
    if journal.exists():
        # What a killed driver has left of a line.
        whole = journal.read_bytes().rfind(b"\n") + 1
        os.truncate(journal, whole)
    # Those that differ by komi alone are decided together, all of them again if one is not known.
    together: dict[str, list[str]] = defaultdict(list)
    for code in listed.stdout.split():
        together[re.sub(r"-k[bw][\d.]+", "", code)].append(code)
    asked = [codes for codes in together.values() if not known.issuperset(codes)]
    report = Report(sum(map(len, asked)))
    left = {answer.remote(command, codes, options): len(codes) for codes in asked}
    try:
        with journal.open("a") as kept:
            while left:
                ready, _ = ray.wait(list(left), num_returns=1, timeout=1.0)
                for ref in ready:
                    kept.write("".join(f"{line}\n" for line in ray.get(ref)))
                    kept.flush()
                    report.add(left.pop(ref), 0.0, 0, 0)
                report.tell("survey")
    except ray.exceptions.RayTaskError as error:
        raise error.cause if isinstance(error.cause, Exception) else error from None
    # It finds nothing left to ask, and puts the lines into their order.
    done = run([command, "survey", *patterns, *options, "--out", out])
    print(done.stdout, end="")
    print(done.stderr, end="", file=sys.stderr)
    return done.returncode
