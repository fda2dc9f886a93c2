"""Reads the surveys recorded in precomp/surveys, for the scripts that make pages and pictures of them."""
import json
import re
import sys
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RECORDS = ROOT / "precomp" / "surveys"
LETTERS = "abcdef"
# The options of Binarsi for modifies that change nothing: allowed, -n and -m.
OPTIONS = ["", "-n", "-m"]
# The size of the board of `pyon`, whose codes leave out the usual size.
PYONPYON = 5, 5


def lines_of(file):
    """Yields the lines of a survey file. Exits if a checksum is wrong (docs/survey.md)."""
    for number, line in enumerate(file.read_bytes().splitlines(), 1):
        fields, _, mark = line.rpartition(b',"crc32":')
        if mark != b'"%08x"}' % zlib.crc32(fields):
            sys.exit(f"{file}: line {number} does not match its checksum")
        yield json.loads(line)


def survey(*names):
    """Returns the lines of surveys by code. Skips surveys that have not been recorded."""
    files = [RECORDS / f"{name}.jsonl" for name in names]
    lines = [line for file in files if file.exists() for line in lines_of(file)]
    return {line["code"]: line for line in lines}


def proved(code):
    """Returns the winner by a recorded proof, or None if there is none."""
    file = ROOT / "precomp" / "proofs" / f"{code}.json"
    return json.loads(file.read_text())["proof"]["winner"] if file.exists() else None


def shape(code):
    """Returns the number of files and ranks of a board."""
    size = re.search(r"(\d)x(\d)", code)
    return (int(size[1]), int(size[2])) if size else PYONPYON


def order(code):
    """Returns the sort key of a code: small boards first."""
    files, ranks = shape(code)
    return files * ranks, files, code


def starts():
    """Returns the decided lines about Binarsi by board, option and start square.

    Of squares that are equal under symmetry, only the least has a line.
    """
    grids = {}
    for code, line in survey("binarsi-starts", "binarsi-large", "binarsi-full").items():
        line = line | {"winner": line["winner"] or proved(code)}
        if line["winner"] is None:
            continue
        board, start, option = re.match(r"(bin\dx\d)(?:-s(\d[a-f]))?(-[nm])?$", code).groups()
        files, ranks = shape(board)
        start = start or f"{max(1, files // 2)}{LETTERS[max(1, ranks // 2) - 1]}"
        grids.setdefault(board, {}).setdefault(option or "", {})[start] = line
    return grids


def mark(script, records, text):
    """Returns the CRC-32 over a script, this file, the records, and the text that the script has made of them."""
    mark = 0
    for file in (Path(script), Path(__file__), *records):
        mark = zlib.crc32(file.read_bytes(), mark)
    return f"{zlib.crc32(text.encode(), mark):08x}"
