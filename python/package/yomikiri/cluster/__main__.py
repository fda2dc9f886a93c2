"""Work of many machines on a Ray cluster."""

import argparse
import os
import re
import sys

from ..errors import Error


def size(text: str) -> int:
    """Reads 8G, 500M, 64K or a number of bytes."""
    found = re.fullmatch(r"(\d+)([KMGT]?)", text, re.IGNORECASE)
    if not found or not int(found[1]):
        raise argparse.ArgumentTypeError("write a number with K, M, G or T after it")
    return int(found[1]) << {"": 0, "K": 10, "M": 20, "G": 30, "T": 40}[found[2].upper()]


def parser() -> argparse.ArgumentParser:
    """The command line."""
    command = argparse.ArgumentParser(prog="python -m yomikiri.cluster", description=__doc__)
    verbs = command.add_subparsers(dest="verb", required=True)
    cluster = argparse.ArgumentParser(add_help=False)
    cluster.add_argument("--address", help="of the cluster: auto for the one of this machine, or HOST:PORT; without it "
                         "the cores of this machine are one")
    board = verbs.add_parser("analyze", parents=[cluster], help="make the table of a board of Binarsi",
                             description="Makes the table of a board of Binarsi tier by tier on all nodes; goes on where "
                             "a run has stopped.")
    board.add_argument("code", help="rule code, as bin5x5")
    board.add_argument("--storage", required=True, help="a folder that all nodes see, or s3://bucket/folder")
    board.add_argument("--memory", type=size, help="for each task, as 6G [a core's share of its node]")
    board.add_argument("--threads", type=int, default=1, help="of each task [1]")
    board.add_argument("--cut", type=size, metavar="ROWS", help="make tiers of more rows in parts [1M, if a whole one does "
                       "not fit the memory]")
    board.add_argument("--piece", type=size, default=size("1G"), help="bytes of one file of the table [1G]")
    board.add_argument("--keep", action="store_true", help="leave the files of the run beside the table")
    survey = verbs.add_parser("survey", parents=[cluster], help="one question about many variants",
                              description="Answers one question about many variants, a task for each, as yomikiri "
                              "survey does.")
    survey.add_argument("patterns", nargs="+", metavar="PATTERN", help="rule codes, with ranges")
    survey.add_argument("--answer", default="winner", choices=["winner", "first-moves", "plies", "fair-komi"])
    survey.add_argument("--out", required=True, help="the file of answers")
    survey.add_argument("--time", help="leave a variant open after so long, as 90s, 30m or 12h")
    survey.add_argument("--memory", default="256M", help="for each variant [256M]")
    match = verbs.add_parser("match", parents=[cluster], help="two players against each other",
                             description="Plays the games of yomikiri match, some in each task, and prints what it "
                             "prints. Other options than these are those of yomikiri match.")
    match.add_argument("code", metavar="CODE", help="rule code, as bin4x4")
    match.add_argument("players", nargs=2, metavar="PLAYER", help="as table, random or search,depth=4")
    match.add_argument("--games", type=int, default=100, help="number of games [100]")
    match.add_argument("--out", required=True, help="the file of what each part of the games came to")
    match.add_argument("--records", help="write the games to a new file")
    match.add_argument("--tables", default=os.environ.get("YOMIKIRI_TABLES", "precomp"),
                       help="a folder that all nodes see, or an address [$YOMIKIRI_TABLES, else precomp]")
    match.add_argument("--json", action="store_true", help="print JSON")
    for verb in (survey, match):
        verb.add_argument("--command", default="yomikiri", help="the program, on every node [yomikiri]")
    return command


def main() -> int:
    """Runs a command; its exit status."""
    command = parser()
    arguments, further = command.parse_known_args()
    if further and arguments.verb != "match":
        command.error(f"unrecognized arguments: {' '.join(further)}")
    try:
        from . import nodes

        nodes.join(arguments.address)
        if arguments.verb == "survey":
            from .variants import survey

            return survey(arguments.patterns, arguments.answer, arguments.out, arguments.time, arguments.memory,
                          arguments.command)
        if arguments.verb == "match":
            from .games import match

            return match([arguments.code, *arguments.players, *further], arguments.games, arguments.out,
                         arguments.records, arguments.tables, arguments.json, arguments.command)
        from .board import make

        made = make(arguments.code, arguments.storage, arguments.memory, arguments.threads, arguments.piece,
                    arguments.keep, arguments.cut)
        first, last = made.files[0], made.files[-1]
        name = first if first == last else f"{first} to {last}"
        made.report.end(f"{arguments.code}: {name}, {made.length} bytes,")
        return 0
    except KeyboardInterrupt:
        print("error: stopped; the same command goes on", file=sys.stderr)
        return 130
    except Error as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
