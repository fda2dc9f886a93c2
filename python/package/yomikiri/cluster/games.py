"""Plays a match on a cluster: one task for each part of the games."""

import json
import os
import subprocess
import tempfile
from pathlib import Path

import ray

from .._yomikiri import places_of
from .journal import collect, lines, mend, with_sum
from .nodes import PATIENCE, ClusterError, check
from .program import failed, run

#: The maximum number of parts of a match. It is large enough for a large or growing cluster, and small enough that the
#: starts of the parts cost little.
PARTS = 256


@ray.remote(max_retries=20)
def play(command: str, match: list[str], part: str, keeps_records: bool) -> tuple[str, str | None]:
    """Plays one part of a match. Returns its result line, and the records of its games if ``keeps_records`` is true."""
    with tempfile.TemporaryDirectory() as folder:
        records = Path(folder) / "records"
        asked = ["--part", part, "--threads", "1", *(["--records", str(records)] if keeps_records else [])]
        done = run([command, "match", *match, *asked])
        if done.returncode:
            raise failed(done)
        return done.stdout.strip(), records.read_text() if keeps_records else None


def with_part(part: str, games: str) -> str:
    """Returns the line that keeps the records of a part until the match is over."""
    return with_sum(json.dumps({"part": part, "games": games}))


def match(
    options: list[str], games: int, out: str, records: str | None, tables: list[str] | None, as_json: bool,
    command: str, patience: float = PATIENCE
) -> "subprocess.CompletedProcess[str]":
    """Plays a match. Returns the output and the exit status of ``yomikiri match``.

    Raises ``ClusterError`` if no task runs for ``patience`` seconds. The same call resumes the match.
    """
    check()
    if records and os.path.exists(records):
        raise ClusterError(f"{records}: already exists; write the records to a new file")
    places = [place if "://" in place else os.path.abspath(place) for place in places_of(tables)]
    options = [*options, "--games", str(games), *(f"--tables={place}" for place in places)]
    journal, kept_games = Path(f"{out}.journal"), Path(f"{out}.journal.games")
    mend(journal)
    if records:
        mend(kept_games)
    # Raises the error of a bad match before anything is played. Status 1 only means that parts are missing.
    summed = run([command, "match", *options, "--parts", str(journal) if journal.exists() else os.devnull])
    if summed.returncode > 1:
        raise failed(summed)
    done = {json.loads(line)["part"] for line in lines(journal)}
    if records and not done.issubset(json.loads(line)["part"] for line in lines(kept_games)):
        raise ClusterError(f"{journal}: has parts without records; delete it to play them again")
    of = int(min(done).split("/")[1]) if done else min((games + 1) // 2, PARTS)
    left = [part for part in (f"{number}/{of}" for number in range(1, of + 1)) if part not in done]
    tasks = {play.remote(command, options, part, records is not None): 1 for part in left}

    def brought(played: tuple[str, str | None]) -> list[str]:
        line, games = played
        # Writes the records first, so that they are kept for every part whose line is in the journal.
        if games is not None:
            with kept_games.open("a") as file:
                file.write(with_part(json.loads(line)["part"], games) + "\n")
        return [line]

    def number(line: str) -> int:
        return int(json.loads(line)["part"].split("/")[0])

    collect(journal, tasks, brought, "match", patience)
    Path(out).write_text("".join(f"{line}\n" for line in sorted(lines(journal), key=number)))
    summed = run([command, "match", *options, "--parts", out, *(["--json"] if as_json else [])])
    if summed.returncode:
        raise failed(summed)
    if records:
        of_parts = {number(line): json.loads(line)["games"] for line in lines(kept_games)}
        with open(records, "x") as file:
            file.writelines(of_parts[part] for part in sorted(of_parts))
        kept_games.unlink(missing_ok=True)
    journal.unlink()
    return summed
