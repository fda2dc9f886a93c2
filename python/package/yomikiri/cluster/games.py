"""Matches over a cluster: a task for each part of the games."""

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import ray

from .journal import collect, lines, mend
from .nodes import ClusterError
from .program import failed, run

#: Most parts of a match: enough for a large cluster, or one that grows, and few beside what a part costs to begin.
PARTS = 256


@ray.remote(max_retries=20)
def play(command: str, match: list[str], part: str, keeps_records: bool) -> dict[str, Any]:
    """The line of a part of a match, with its games in it if they are to be kept."""
    with tempfile.TemporaryDirectory() as folder:
        records = Path(folder) / "records"
        asked = ["--part", part, "--threads", "1", *(["--records", str(records)] if keeps_records else [])]
        done = run([command, "match", *match, *asked])
        if done.returncode:
            raise failed(done)
        line: dict[str, Any] = json.loads(done.stdout)
        return line | ({"records": records.read_text()} if keeps_records else {})


def match(
    options: list[str], games: int, out: str, records: str | None, tables: str, as_json: bool, command: str
) -> int:
    """Plays a match, and prints what ``yomikiri match`` would. Its exit status."""
    if records and os.path.exists(records):
        raise ClusterError(f"{records}: is there already; records go to a new file")
    place = tables if "://" in tables else os.path.abspath(tables)
    options = [*options, "--games", str(games), "--tables", place]
    journal = Path(f"{out}.journal")
    mend(journal)
    # 1: not all parts are there. What is wrong with the match is said before anything is played.
    summed = run([command, "match", *options, "--parts", str(journal) if journal.exists() else os.devnull])
    if summed.returncode > 1:
        raise failed(summed)
    kept = [json.loads(line) for line in lines(journal)]
    if records and any("records" not in line for line in kept):
        raise ClusterError(f"{journal}: the games of the parts so far were not kept; delete it to play them again")
    done = {line["part"] for line in kept}
    of = int(min(done).split("/")[1]) if done else min((games + 1) // 2, PARTS)
    left = [part for part in (f"{number}/{of}" for number in range(1, of + 1)) if part not in done]
    tasks = {play.remote(command, options, part, records is not None): 1 for part in left}
    collect(journal, tasks, lambda line: [json.dumps(line)], "match")
    kept = sorted(map(json.loads, lines(journal)), key=lambda line: int(line["part"].split("/")[0]))
    played = [line.pop("records", "") for line in kept]
    Path(out).write_text("".join(f"{json.dumps(line)}\n" for line in kept))
    summed = run([command, "match", *options, "--parts", out, *(["--json"] if as_json else [])])
    if summed.returncode:
        raise failed(summed)
    if records:
        with open(records, "x") as file:
            file.writelines(played)
    journal.unlink()
    print(summed.stdout, end="")
    print(summed.stderr, end="", file=sys.stderr)
    return 0
