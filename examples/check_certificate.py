#!/usr/bin/env python3
"""Proves the winner of a game of Binarsi by a Yomikiri certificate. Based on docs/binarsi.md and docs/format.md alone.

    pip install zstandard
    python3 check_certificate.py CODE.proof...

Plays the listed moves of the winner and all moves of the loser from the start, searches the positions near the end
completely, and prints a line for each file. Boards of up to 20 squares take seconds to minutes. Exit status: 0 all are
proved, 1 a file proves nothing, 2 bad arguments. Needs Python 3.10 or newer.
"""
import json
import re
import struct
import sys

import zstandard

# A square is bit 8 * rank + file. A position is (stones, rect, locks, targets): a bitboard of the black stones; width,
# height, first file and first rank of the occupied rectangle; a bit for each locked way, files from bit 0 and ranks
# from bit 7; and a bit for each cleared target, b3 b4 b5 w3 w4 w5 from bit 0.
FILE, RANK = 0x0101010101010101, 0x7F
BLACK, WHITE = 0b000111, 0b111000
OPERATORS = ("a", "n", "nH", "nL", "na", "no", "o", "s1", "s2", "s3", "s4", "s5", "s6", "xn", "xo")
CODE = re.compile(r"bin([2-7])x([2-6])(-s[1-7][a-f])?(-t[2-9]{3})?(-k[bw](?:\d|[1-9]\d)\.5)?(-n|-m)?")


def squares_of(rect):
    width, height, file, rank = rect
    return sum(((1 << width) - 1 << file) << 8 * (rank + at) for at in range(height))


class Rules:
    """The rules of one variant."""

    def __init__(self, code):
        match = CODE.fullmatch(code)
        if not match:
            raise ValueError(f"is about {code}, which is not a code of Binarsi")
        self.files, self.ranks = files, ranks = int(match[1]), int(match[2])
        start = (match[3] or "")[2:] or f"{max(1, files // 2)}{'abcdef'[max(1, ranks // 2) - 1]}"
        self.start = (0, (1, 1, int(start[0]) - 1, "abcdef".index(start[1])), 0, 0)
        if self.start[1][2] >= files or self.start[1][3] >= ranks:
            raise ValueError(f"is about {code}, which starts outside the board")
        lengths = (match[4] or "")[2:] or [min(most, files, ranks) for most in (3, 4, 5)]
        short, diagonal, long = (int(length) for length in lengths)
        self.lines = ((0, 0, 1, short), (1, 0, 9, diagonal), (1, 0, 7, diagonal), (2, 0, 8, long),
                      (3, 1, 8, short), (4, 1, 9, diagonal), (4, 1, 7, diagonal), (5, 1, 1, long))
        komi = (match[5] or "-kw0.5")[2:]
        self.komi = float(komi[1:]) * (1 if komi[0] == "b" else -1)  # in Black's favour
        self.option = match[6]
        self.plies = 2 * (files + ranks) - 2
        self.squares, self.bases, base = {}, {}, 0
        for width in range(1, files + 1):
            for height in range(1, ranks + 1):
                for file in range(files - width + 1):
                    for rank in range(ranks - height + 1):
                        rect = (width, height, file, rank)
                        self.squares[rect], self.bases[rect] = squares_of(rect), base
                        base += 2 ** (width * height + width + height + 6)

    def ply(self, position):
        (width, height, _, _), locks = position[1], position[2]
        return width + height - 2 + locks.bit_count()

    def black_moves(self, position):
        return self.ply(position) % 2 == 0

    def cleared(self, found, stones, rect):
        """Returns the targets that are in `found` or are cleared by the stones on the board."""
        colours = stones, self.squares[rect] & ~stones
        for bit, side, step, length in self.lines:
            if not found >> bit & 1:
                row = colours[side]
                for at in range(1, length):
                    row &= colours[side] >> step * at
                found |= (row != 0) << bit
        return found

    def black_has_more(self, stones, rect):
        black = stones.bit_count()
        return black + self.komi > self.squares[rect].bit_count() - black

    def ended(self, position):
        """Returns the winner by targets, true for Black; None if targets have not ended the game."""
        stones, rect, _, targets = position
        black, white = targets & BLACK == BLACK, targets & WHITE == WHITE
        return self.black_has_more(stones, rect) if black and white else black if black or white else None

    def results(self, position, way):
        """Returns the content of the way after each operator, its mask, and the new rectangle and locks; None if the
        way has no moves."""
        stones, (width, height, file, rank), locks, _ = position
        if locks >> way & 1:
            return None
        is_file = way < 7
        at, first, size, step = (way, file, width, 1) if is_file else (way - 7, rank, height, 8)
        rect = (width, height, file, rank)
        if not first - 1 <= at <= first + size or at < 0 or at >= (self.files if is_file else self.ranks):
            return None
        is_new = not first <= at < first + size
        if is_new:
            low = min(at, first)
            rect = (width + 1, height, low, rank) if is_file else (width, height + 1, file, low)
        mask = self.squares[rect] & (FILE << way if is_file else RANK << 8 * (way - 7))
        below = lambda steps: stones << step * steps & mask
        above = lambda steps: stones >> step * steps & mask
        if is_new:
            near = below if at > first else above
            one, two = near(1), near(2) if size > 1 else None
            found = {"n": ~one & mask}
        else:
            one = below(1) if at > first else None
            two = above(1) if at + 1 < first + size else None
            found = {} if one is None else {"nL": ~one & mask}
            if two is not None:
                found["nH"] = ~two & mask
            own, along, length = stones & mask, 9 - step, mask.bit_count()
            for turn in range(1, length):
                found[f"s{turn}"] = (own << along * turn | own >> along * (length - turn)) & mask
        if one is not None and two is not None:
            both, either, differ = one & two, one | two, one ^ two
            found |= {"a": both, "o": either, "xo": differ}
            found |= {"na": ~both & mask, "no": ~either & mask, "xn": ~differ & mask}
        if not is_new and self.option:
            found = {name: after for name, after in found.items() if not self.is_idle(position, mask, after)}
        return found, mask, rect, locks if is_new else locks | 1 << way

    def is_idle(self, position, mask, after):
        """Returns true if -n or -m forbids a modify: the board stays equal, or becomes its own mirror image."""
        before = position[0]
        now = before & ~mask | after
        images = ((True, False), (False, True)) if self.option == "-m" else ()
        all_stones = self.squares[position[1]]
        return now == before or any(
            self.mirrored_squares(all_stones, *image) == all_stones and self.mirrored_squares(before, *image) == now
            for image in images)

    def after(self, position, after):
        """Returns the position after a move: `after` is the new content of a way, its mask, the rectangle and locks."""
        content, mask, rect, locks = after
        stones = position[0] & ~mask | content
        return stones, rect, locks, self.cleared(position[3], stones, rect)

    def children(self, position):
        """Returns the positions after all moves. Moves of one way that lead to the same position count once."""
        found = []
        for way in (*range(self.files), *range(7, 7 + self.ranks)):
            if results := self.results(position, way):
                found += (self.after(position, (content, *results[1:])) for content in set(results[0].values()))
        return found

    def mirrored_squares(self, squares, files, ranks):
        rows = [squares >> 8 * rank & 127 for rank in range(self.ranks)]
        if files:
            rows = [int(f"{row:0{self.files}b}"[::-1], 2) for row in rows]
        return sum(row << 8 * at for at, row in enumerate(rows[::-1] if ranks else rows))

    def mirrored(self, position, files, ranks):
        stones, (width, height, file, rank), locks, targets = position
        of_files, of_ranks = locks & 127, locks >> 7
        if files:
            file, of_files = self.files - width - file, int(f"{of_files:0{self.files}b}"[::-1], 2)
        if ranks:
            rank, of_ranks = self.ranks - height - rank, int(f"{of_ranks:0{self.ranks}b}"[::-1], 2)
        stones = self.mirrored_squares(stones, files, ranks)
        return stones, (width, height, file, rank), of_files | of_ranks << 7, targets

    def number(self, position):
        stones, rect, locks, targets = position
        width, height, file, rank = rect
        row = sum((stones >> 8 * (rank + at) + file & (1 << width) - 1) << width * at for at in range(height))
        lock = locks >> file & (1 << width) - 1 | (locks >> 7 + rank & (1 << height) - 1) << width
        return self.bases[rect] + ((lock << width * height | row) << 6 | targets)

    def canonical(self, position):
        """Returns the key of a position, which is the least number of its mirror images, and that image."""
        images = (self.mirrored(position, *image) for image in ((0, 0), (1, 0), (0, 1), (1, 1)))
        return min((self.number(image), image) for image in images)

    def text(self, position):
        """Returns the text of a position without locks and cleared targets, such as the start."""
        stones, rect, _, _ = position
        rows = []
        for rank in range(self.ranks):
            here = (8 * rank + file for file in range(self.files))
            row = "".join("x" if stones >> at & 1 else "o" if self.squares[rect] >> at & 1 else "." for at in here)
            rows.append(re.sub(r"\.+", lambda empty: str(len(empty[0])), row))
        return f"{'/'.join(rows)} b - - 0"

    def black_wins(self, position, known):
        """Returns true if Black wins, by a full search. Moves to many stones of the mover's colour come first."""
        if position in known:
            return known[position]
        if (winner := self.ended(position)) is None:
            black = self.black_moves(position)
            children = self.children(position)
            if not children:
                winner = self.black_has_more(*position[:2])
            else:
                children.sort(key=lambda child: child[0].bit_count(), reverse=black)
                winner = black if any(self.black_wins(child, known) == black for child in children) else not black
        known[position] = winner
        return winner


def certificate(path):
    """Returns the rule code, the metadata and the moves by key. Raises ValueError if the file is no certificate."""
    data = open(path, "rb").read()
    if len(data) < 136 or data[:8] != b"YOMIKIRI" or data[20:24] != b"DONE":
        raise ValueError("is not a finished certificate")
    version, kind, codec, revision, part, parts = struct.unpack_from("<HBBIHH", data, 8)
    if (version, kind, codec, revision, part, parts) != (2, 2, 4, 1, 0, 1):
        raise ValueError("is not a certificate of format version 2 and rules revision 1")
    blocks, _, directory, _, length = struct.unpack_from("<5Q", data, 40)
    inflate, moves = zstandard.ZstdDecompressor().decompress, {}
    for first in range(0, blocks, 256):
        count = min(256, blocks - first)
        offset, size = struct.unpack_from("<QI", data, directory + first // 256 * 32 + 8)
        page = inflate(data[offset:offset + size], max_output_size=37 * count)
        words = struct.unpack_from(f"<{2 * count}Q", page)
        sizes, plains, rows = (struct.unpack_from(f"<{count}I", page, at * count) for at in (16, 20, 24))
        key = end = 0
        for at in range(count):
            key, offset = (key + words[at]) % 2**64, (end + words[count + at]) % 2**64
            end = offset + sizes[at]
            plain = inflate(data[offset:end], max_output_size=min(plains[at], 11 * 4096))
            here, place = key, 0
            for number, move in enumerate(plain[len(plain) - rows[at]:]):
                shift, byte = 0, 128 if number else 0
                while byte > 127:
                    byte, place = plain[place], place + 1
                    here, shift = here + ((byte & 127) << shift), shift + 7
                moves[here] = move
    code = data[88:128].rstrip(b"\0").decode("ascii")
    return code, json.loads(data[len(data) - length:]), moves


def prove(code, meta, moves):
    """Plays everything. Returns the numbers of listed moves, of positions with all replies, and of searched positions.
    Raises ValueError if the certificate proves nothing."""
    rules = Rules(code)
    if meta["position"] != rules.text(rules.start):
        raise ValueError("is not about the start of the game")
    if meta["winner"] not in ("black", "white"):
        raise ValueError("does not name a winner")
    black, horizon = meta["winner"] == "black", meta["horizon"]
    unused, seen, counts, known, open_ones = dict(moves), set(), [0, 0, 0], {}, [rules.start]
    while open_ones:
        position = open_ones.pop()
        if (winner := rules.ended(position)) is None:
            key, position = rules.canonical(position)
            if key in seen:
                continue
            seen.add(key)
            if rules.plies - rules.ply(position) <= horizon:
                winner = rules.black_wins(position, known)
                counts[2] += 1
            elif rules.black_moves(position) == black:
                byte = unused.pop(key, None)
                results = rules.results(position, byte >> 4) if byte is not None and byte & 15 < 15 else None
                if results and OPERATORS[byte & 15] in results[0]:
                    open_ones.append(rules.after(position, (results[0][OPERATORS[byte & 15]], *results[1:])))
                    counts[0] += 1
                elif byte is not None or rules.children(position):
                    raise ValueError(f"has no legal move for @{key}")
                else:  # With -n and -m, a game also ends where no move is left.
                    winner = rules.black_has_more(*position[:2])
            else:
                children = rules.children(position)
                winner = None if children else rules.black_has_more(*position[:2])
                open_ones += children
                counts[1] += 1
        if winner is not None and winner != black:
            raise ValueError("proves nothing: the other side wins a game")
    if unused:
        raise ValueError(f"lists @{min(unused)}, which no game reaches")
    return counts


def main(paths):
    """Checks the files and returns the exit status."""
    if not paths or paths[0].startswith("-"):
        print("error: check_certificate.py CODE.proof...: no file is given", file=sys.stderr)
        return 2
    status = 0
    for path in paths:
        try:
            code, meta, moves = certificate(path)
            listed, answered, read_out = prove(code, meta, moves)
            print(f"{code}: {meta['winner'].capitalize()} wins: proved by {listed} listed moves, "
                  f"all moves in {answered} positions, {read_out} positions read out", flush=True)
        except (OSError, ValueError, KeyError, IndexError, TypeError, struct.error, zstandard.ZstdError) as error:
            print(f"error: {path}: {getattr(error, 'strerror', None) or error}", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
