#!/usr/bin/env python3
"""Reads values of positions from a Yomikiri table. Based on docs/format.md alone.

    pip install zstandard
    python3 read_table.py [--check] TABLE [KEY...]

Prints for each key (@41600 or 41600) the outcome for the side to move, and the plies to the end or the score (not for
openings). Without KEY, reads keys from standard input, one a line. --check verifies the checksum of every piece that is
read. Exit status: 0 success, 1 damaged or no table, 2 bad arguments. Needs Python 3.10 or newer.
"""
import struct
import sys
from bisect import bisect_right
from functools import lru_cache
from itertools import accumulate

import zstandard

TIERS, SORTED_KEYS, REST_WINS, REST_DRAWS = 1, 2, 3, 4  # index kinds
DISTANCE, PARITY, SCORE, OUTCOME = 1, 2, 3, 5  # value codecs
HEADER, ENTRY, BLOCKS, LONGEST = 136, 32, 256, 11 * 4096  # bytes; BLOCKS: blocks a page


class Table:
    """A finished table. Methods raise ValueError if it is damaged."""

    def __init__(self, path, check=False):
        self.file, self.check = open(path, "rb"), check
        self.length = self.file.seek(0, 2)
        header = self.read(0, min(HEADER, self.length))
        if len(header) < HEADER or header[:8] != b"YOMIKIRI":
            raise ValueError("is not a Yomikiri table")
        version, self.kind, self.codec, _, part, parts = struct.unpack_from("<HBBIHH", header, 8)
        if (version, part, parts, header[20:24]) != (2, 0, 1, b"DONE"):
            raise ValueError("is not a finished table of format version 2 in one part")
        self.blocks, _, start, checksum, meta = struct.unpack_from("<5Q", header, 40)
        self.compare("header", header[:128], struct.unpack_from("<Q", header, 128)[0])
        if not TIERS <= self.kind <= REST_DRAWS or self.codec not in (DISTANCE, PARITY, SCORE, OUTCOME):
            raise ValueError("has an unknown kind")
        length = -(-self.blocks // BLOCKS) * ENTRY
        if start + length + meta != self.length:
            raise ValueError("does not have the length that its header states")
        directory = self.read(start, length)
        self.compare("directory", directory, checksum)
        self.pages = list(struct.iter_unpack("<QQIIQ", directory))  # first key, offset, length, form, checksum

    def read(self, offset, length):
        if offset + length > self.length:
            raise ValueError("is cut off")
        self.file.seek(offset)
        return self.file.read(length)

    def compare(self, what, data, checksum):
        if self.check and xxh3(data) != checksum:
            raise ValueError(f"has a {what} that does not match its checksum")

    def inflate(self, what, offset, length, checksum, plain):
        """Decompresses a piece of the file, one zstd frame, to exactly `plain` bytes."""
        if length < 9 or plain > LONGEST:
            raise ValueError(f"has a {what} of an impossible length")
        frame, data = self.read(offset, length), b""
        self.compare(what, frame, checksum)
        try:
            # zstandard allocates the length that a frame states, so a wrong length is refused first.
            if zstandard.frame_content_size(frame) in (-1, plain):
                data = zstandard.ZstdDecompressor().decompress(frame, max_output_size=plain)
        except zstandard.ZstdError:
            pass
        if len(data) != plain:
            raise ValueError(f"has a {what} that cannot be decompressed")
        return data

    @lru_cache(64)
    def page(self, page):
        """Returns the first keys of the blocks of a page, and offset, length, plain length, rows, checksum of each."""
        _, offset, length, form, checksum = self.pages[page]
        if form != 0x101:
            raise ValueError("has blocks of another form; run \"yomikiri tables unpack\"")
        n = min(BLOCKS, self.blocks - page * BLOCKS)
        columns = struct.unpack(f"<{2 * n}Q{3 * n}I{n}B{n}Q", self.inflate("page", offset, length, checksum, 37 * n))
        keys, gaps, lengths, plains, rows, _, checksums = (columns[at:at + n] for at in range(0, 7 * n, n))
        offsets = accumulate(gap + before for gap, before in zip(gaps, (0, *lengths)))
        keys, offsets = ([one % 2**64 for one in all] for all in (accumulate(keys), offsets))
        return keys, list(zip(offsets, lengths, plains, rows, checksums))

    @lru_cache(64)
    def block(self, page, at):
        """Returns the keys of a block relative to its first, as a list or a bit set in an int, and the value bytes."""
        offset, length, plain, rows, checksum = self.page(page)[1][at]
        data = self.inflate("block", offset, length, checksum, plain)
        if self.kind != SORTED_KEYS and 8 * rows <= plain:
            return int.from_bytes(data[:8 * rows], "little"), data[8 * rows:]
        places, place, shift = [0], 0, 0
        for byte in data[:max(plain - rows, 0)]:
            place, shift = place + ((byte & 127) << shift), shift + 7
            if byte < 128:
                places.append(place)
                shift = 0
        if self.kind != SORTED_KEYS or len(places) != rows:
            raise ValueError("has a block of the wrong size")
        return places, data[plain - rows:]

    def value(self, key):
        """Returns the outcome, the plies or score (each None if unknown), and true if the table lists the key. An
        unlisted key has the outcome of all positions that the table leaves out."""
        page = bisect_right(self.pages, key, key=lambda entry: entry[0]) - 1
        keys, blocks = self.page(page) if page >= 0 else ([], [])
        at = bisect_right(keys, key) - 1
        if at < 0 or self.kind != SORTED_KEYS and key - keys[at] >= 64 * blocks[at][3]:
            return None, None, False
        (listed, values), place = self.block(page, at), key - keys[at]
        if self.kind == SORTED_KEYS:
            rank = bisect_right(listed, place) - 1
            is_listed = listed[rank] == place
        else:
            is_listed, rank = listed >> place & 1, (listed & (1 << place) - 1).bit_count()
        if not is_listed:
            return {REST_WINS: "win", REST_DRAWS: "draw"}.get(self.kind), None, False
        if rank >= len(values):
            raise ValueError("has a block of the wrong size")
        byte = values[rank]
        if byte == 0:
            return None, None, False
        if self.codec == SCORE:
            return "win" if byte > 128 else "draw" if byte == 128 else "loss", byte - 128, True
        if byte == 1:
            return "draw", None, True
        is_win, less = (byte >= 128, 128 if byte >= 128 else 2) if self.codec == DISTANCE else (byte % 2 == 1, 2)
        return "win" if is_win else "loss", None if self.codec == OUTCOME else byte - less, True


P, Q = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63), 0x9E3779B1
SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221"
    "b8084674f743248ee03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
    "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb"
    "170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e")


def xxh3(data):
    """Returns the XXH3-64 with seed 0. Lengths from 1 to 8 are missing: no zstd frame is that short."""
    def word(data, at):
        return int.from_bytes(data[at:at + 8], "little")
    def mixed(one, two):
        return one * two % 2**64 ^ one * two >> 64
    def mixed_at(at, key):
        return mixed(word(data, at) ^ word(SECRET, key), word(data, at + 8) ^ word(SECRET, key + 8))
    def avalanche(h):
        h = (h % 2**64 ^ h % 2**64 >> 37) * 0x165667919E3779F9 % 2**64
        return h ^ h >> 32

    if not data:
        return 0x2D06800538D394C2
    if (n := len(data)) <= 16:
        low = word(data, 0) ^ word(SECRET, 24) ^ word(SECRET, 32)
        high = word(data, n - 8) ^ word(SECRET, 40) ^ word(SECRET, 48)
        return avalanche(n + int.from_bytes(low.to_bytes(8, "little"), "big") + high + mixed(low, high))
    if n <= 128:
        pairs = (mixed_at(at, 2 * at) + mixed_at(n - 16 - at, 2 * at + 16) for at in range(0, (n + 31) // 32 * 16, 16))
        return avalanche(n * P[0] + sum(pairs))
    if n <= 240:
        first = avalanche(n * P[0] + sum(mixed_at(at, at) for at in range(0, 128, 16)))
        return avalanche(first + sum(mixed_at(at, at - 125) for at in range(128, n - 15, 16)) + mixed_at(n - 16, 119))
    sums = [0xC2B2AE3D, *P, 0x85EBCA77, 0x27D4EB2F165667C5, Q]
    for at, key in [*((at, at % 1024 // 8) for at in range(0, n - 64, 64)), (n - 64, 121)]:
        words = struct.unpack_from("<8Q", data, at)
        for i, part in enumerate(struct.unpack_from("<8Q", SECRET, key)):
            keyed = words[i] ^ part
            sums[i] = (sums[i] + words[i ^ 1] + keyed % 2**32 * (keyed >> 32)) % 2**64
        if key == 120:
            sums = [(h ^ h >> 47 ^ part) * Q % 2**64 for h, part in zip(sums, struct.unpack_from("<8Q", SECRET, 128))]
    keyed = [h ^ part for h, part in zip(sums, struct.unpack_from("<8Q", SECRET, 11))]
    return avalanche(n * P[0] + sum(mixed(keyed[i], keyed[i + 1]) for i in (0, 2, 4, 6)))


def main(arguments):
    """Answers the keys. Returns an error message and the exit status, or None on success."""
    check = arguments[:1] == ["--check"]
    if not arguments[check:]:
        return "read_table.py [--check] TABLE [KEY...]: no table is given", 2
    path, *keys = arguments[check:]
    try:
        table = Table(path, check)
        for text in keys or map(str.strip, sys.stdin):
            digits = text.removeprefix("@")
            if not (digits.isascii() and digits.isdigit() and len(digits) < 21 and int(digits) < 2**64):
                return f"{text}: is not a key", 2
            outcome, amount, is_listed = table.value(int(digits))
            rest = f": a {outcome}, if it can arise and is not over" if outcome else ""
            words = outcome if amount is None else f"{outcome} {amount}"
            print(f"@{int(digits)} {words}" if is_listed else f"@{int(digits)} not stored{rest}")
    except (OSError, ValueError) as error:
        return f"{path}: {getattr(error, 'strerror', error)}", 1


if __name__ == "__main__":
    if wrong := main(sys.argv[1:]):
        print("error:", wrong[0], file=sys.stderr)
        sys.exit(wrong[1])
