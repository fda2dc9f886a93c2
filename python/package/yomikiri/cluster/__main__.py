"""Runs work on the machines of a Ray cluster."""

import argparse
import re
import subprocess
import sys
from typing import NoReturn

from ..errors import Error


class Parser(argparse.ArgumentParser):
    """An argument parser that reports a wrong argument in one line."""

    def error(self, message: str) -> NoReturn:
        """Prints the message and exits with status 2."""
        self.exit(2, f"error: {message}; see {self.prog} --help\n")


def size(text: str) -> int:
    """Reads a number of bytes, such as 8G, 500M, 64K or 4096."""
    found = re.fullmatch(r"(\d+)([KMGT]?)", text, re.IGNORECASE)
    if not found or not int(found[1]):
        raise argparse.ArgumentTypeError("write a number with K, M, G or T after it")
    return int(found[1]) << {"": 0, "K": 10, "M": 20, "G": 30, "T": 40}[found[2].upper()]


def duration(text: str) -> float:
    """Reads a time such as 500ms, 90s, 1.5m, 12h or 90. Returns seconds."""
    found = re.fullmatch(r"(\d+\.?\d*|\.\d+)(ms|s|m|h|)", text)
    seconds = float(found[1]) * {"ms": 0.001, "": 1, "s": 1, "m": 60, "h": 3600}[found[2]] if found else 0.0
    if not 0.001 <= seconds <= 100_000 * 3600:
        raise argparse.ArgumentTypeError("write a number with ms, s, m or h after it, more than 0 and at most 100000h")
    return seconds


def parser() -> argparse.ArgumentParser:
    """Returns the parser of the command line."""
    command = Parser(prog="python -m yomikiri.cluster", description=__doc__)
    verbs = command.add_subparsers(dest="verb", required=True)
    cluster = Parser(add_help=False)
    cluster.add_argument("--address", help="the address of the cluster: HOST:PORT, or auto for the one of this machine "
                         "[start one on the cores of this machine]")
    cluster.add_argument("--patience", type=duration, default=duration("10m"), metavar="T",
                         help="give up if no task makes progress for this time, such as 90s, 30m or 12h [10m]; the "
                         "same command resumes")
    board = verbs.add_parser("analyze", parents=[cluster], help="make the table of a board of Binarsi",
                             description="Makes the table of a board of Binarsi tier by tier on all nodes. Resumes a "
                             "stopped run.")
    board.add_argument("code", help="rule code, such as bin5x5")
    board.add_argument("--storage", required=True, help="a folder that all nodes see, or s3://bucket/folder")
    board.add_argument("--memory", type=size, help="bytes of memory for each task, such as 6G "
                       "[threads times the least memory per core]")
    board.add_argument("--threads", type=int, default=1, help="number of threads of each task [1]")
    board.add_argument("--cut", type=size, metavar="ROWS", help="split tiers of more rows than this into parts "
                       "[1M if a whole tier does not fit in memory]")
    board.add_argument("--piece", type=size, default=size("1G"), help="size of a file of the table [1G]")
    board.add_argument("--keep", action="store_true", help="keep the files of the run when the table is complete")
    survey = verbs.add_parser("survey", parents=[cluster], help="answer one question about many variants",
                              description="Answers one question about many variants, a task for each, as yomikiri "
                              "survey does.")
    survey.add_argument("patterns", nargs="+", metavar="PATTERN", help="rule codes, with ranges")
    survey.add_argument("--answer", default="winner", choices=["winner", "first-moves", "plies", "fair-komi"])
    survey.add_argument("--out", required=True, help="write the answers to this file")
    survey.add_argument("--time", help="time limit for each variant, such as 90s, 30m or 12h; then it stays open")
    survey.add_argument("--memory", default="256M", help="memory for each variant [256M]")
    match = verbs.add_parser("match", parents=[cluster], help="play two players against each other",
                             description="Plays yomikiri match with its games divided among tasks, and prints the "
                             "same report. Takes all other options of yomikiri match.")
    match.add_argument("code", metavar="CODE", help="rule code, such as bin4x4")
    match.add_argument("players", nargs=2, metavar="PLAYER", help="player, such as table, random or search,depth=4")
    match.add_argument("--games", type=int, default=100, help="number of games [100]")
    match.add_argument("--out", required=True, help="write the results of all parts to this file")
    match.add_argument("--records", help="write the games to a new file")
    match.add_argument("--tables", action="append", help="folder that all nodes see, or address; may be repeated "
                       "[$YOMIKIRI_TABLES, else the user's folder for data]")
    match.add_argument("--json", action="store_true", help="print JSON")
    for verb in (survey, match):
        verb.add_argument("--command", default="yomikiri", help="path of the yomikiri command on every node [yomikiri]")
    return command


def ask(arguments: argparse.Namespace, further: list[str]) -> "subprocess.CompletedProcess[str]":
    """Makes a survey or plays a match. Returns the output and exit status of the last call of the command."""
    if arguments.verb == "survey":
        from .variants import survey

        return survey(arguments.patterns, arguments.answer, arguments.out, arguments.time, arguments.memory,
                      arguments.command, arguments.patience)
    from .games import match

    return match([arguments.code, *arguments.players, *further], arguments.games, arguments.out, arguments.records,
                 arguments.tables, arguments.json, arguments.command, arguments.patience)


def main() -> int:
    """Runs a verb and returns the exit status."""
    command = parser()
    arguments, further = command.parse_known_args()
    if further and arguments.verb != "match":
        command.error(f"unrecognized arguments: {' '.join(further)}")
    # Ray writes node events to sys.stdout from its own thread. Standard output is for answers only.
    answers, sys.stdout = sys.stdout, sys.stderr
    try:
        from . import nodes, waiting

        waiting.ends_after_errors = True
        nodes.join(arguments.address, arguments.patience)
        if arguments.verb in ("survey", "match"):
            done = ask(arguments, further)
            print(done.stdout, end="", file=answers, flush=True)
            print(done.stderr, end="", file=sys.stderr)
            return done.returncode
        from .board import make

        made = make(arguments.code, arguments.storage, arguments.memory, arguments.threads, arguments.piece,
                    arguments.keep, arguments.cut, arguments.patience)
        first, last = made.files[0], made.files[-1]
        name = first if first == last else f"{first} to {last}"
        made.report.end(f"{arguments.code}: {name}, {made.length} bytes,")
        return 0
    except KeyboardInterrupt:
        print("error: stopped; run the same command again to resume", file=sys.stderr)
        return 130
    except Error as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
