/* Reads values of positions from a Yomikiri table. Based on docs/format.md alone.
 *
 *     cc -std=c99 -O2 read_table.c -o read_table -lzstd
 *     read_table [--check] TABLE [KEY...]
 *
 * Prints for each key (@41600 or 41600) the outcome for the side to move, and the plies to the end or the score (not
 * for openings). Without KEY, reads keys from standard input, one a line. --check verifies the checksum of every piece
 * that is read. Exit status: 0 success, 1 damaged or no table, 2 bad arguments. choose_move.c uses these functions. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { HEADER = 136, ENTRY = 32, BLOCKS = 256, COLUMNS = 37, LONGEST = 11 * 4096 }; /* bytes; BLOCKS: blocks a page */
enum { TIERS = 1, SORTED_KEYS, REST_WINS, REST_DRAWS, DISTANCE = 1, PARITY, SCORE, OUTCOME = 5 }; /* kinds; codecs */
enum { LOSS, DRAW, WIN, NONE };

/* `number` is the plies or the score. An unlisted key has the outcome of all positions that the table leaves out. */
typedef struct { int outcome, number, is_listed; } value;
typedef struct {
    FILE *file;
    int check, kind, codec;
    uint64_t length, blocks, pages; /* length of the file in bytes */
    unsigned char *directory, index[COLUMNS * BLOCKS], plain[LONGEST];
} table;

static uint64_t number(const unsigned char *at, int bytes) {
    uint64_t sum = 0;
    while (bytes--) sum = sum << 8 | at[bytes];
    return sum;
}

/* ---- XXH3-64 with seed 0. Lengths from 1 to 8 are missing: no zstd frame is that short. ---- */

static const uint64_t P1 = 0x9E3779B185EBCA87, P2 = 0xC2B2AE3D27D4EB4F, P3 = 0x165667B19E3779F9,
    P4 = 0x85EBCA77C2B2AE63, P5 = 0x27D4EB2F165667C5, Q1 = 0x9E3779B1, Q2 = 0x85EBCA77, Q3 = 0xC2B2AE3D;
static const unsigned char *const secret = (const unsigned char *)
    "\xb8\xfe\x6c\x39\x23\xa4\x4b\xbe\x7c\x01\x81\x2c\xf7\x21\xad\x1c\xde\xd4\x6d\xe9\x83\x90\x97\xdb\x72\x40\xa4\xa4"
    "\xb7\xb3\x67\x1f\xcb\x79\xe6\x4e\xcc\xc0\xe5\x78\x82\x5a\xd0\x7d\xcc\xff\x72\x21\xb8\x08\x46\x74\xf7\x43\x24\x8e"
    "\xe0\x35\x90\xe6\x81\x3a\x26\x4c\x3c\x28\x52\xbb\x91\xc3\x00\xcb\x88\xd0\x65\x8b\x1b\x53\x2e\xa3\x71\x64\x48\x97"
    "\xa2\x0d\xf9\x4e\x38\x19\xef\x46\xa9\xde\xac\xd8\xa8\xfa\x76\x3f\xe3\x9c\x34\x3f\xf9\xdc\xbb\xc7\xc7\x0b\x4f\x1d"
    "\x8a\x51\xe0\x4b\xcd\xb4\x59\x31\xc8\x9f\x7e\xc9\xd9\x78\x73\x64\xea\xc5\xac\x83\x34\xd3\xeb\xc3\xc5\x81\xa0\xff"
    "\xfa\x13\x63\xeb\x17\x0d\xdd\x51\xb7\xf0\xda\x49\xd3\x16\x55\x26\x29\xd4\x68\x9e\x2b\x16\xbe\x58\x7d\x47\xa1\xfc"
    "\x8f\xf8\xb8\xd1\x7a\xd0\x31\xce\x45\xcb\x3a\x8f\x95\x16\x04\x28\xaf\xd7\xfb\xca\xbb\x4b\x40\x7e";

static uint64_t mixed(uint64_t a, uint64_t b) { /* the upper 64 bits of the product xor the lower 64 bits */
    uint64_t low = (uint32_t)a * (b & 0xFFFFFFFF), one = (a >> 32) * (uint32_t)b + (low >> 32);
    uint64_t two = (uint32_t)a * (b >> 32) + (uint32_t)one;
    return ((a >> 32) * (b >> 32) + (one >> 32) + (two >> 32)) ^ (two << 32 | (uint32_t)low);
}
static uint64_t mixed_at(const unsigned char *in, const unsigned char *key) {
    return mixed(number(in, 8) ^ number(key, 8), number(in + 8, 8) ^ number(key + 8, 8));
}
static uint64_t avalanche(uint64_t h) {
    h = (h ^ h >> 37) * 0x165667919E3779F9;
    return h ^ h >> 32;
}
static void add_stripe(uint64_t *sums, const unsigned char *in, const unsigned char *key) {
    for (uint64_t i = 0, keyed; i < 8; sums[i] += (uint32_t)keyed * (keyed >> 32), i++)
        sums[i ^ 1] += number(in + 8 * i, 8), keyed = number(in + 8 * i, 8) ^ number(key + 8 * i, 8);
}
static uint64_t xxh3(const unsigned char *in, uint64_t length) {
    uint64_t h = length * P1, sums[8] = {Q3, P1, P2, P3, P4, Q2, P5, Q1}, at = 0, turned = 0;
    if (length == 0) return 0x2D06800538D394C2;
    if (length <= 16) {
        uint64_t low = number(in, 8) ^ number(secret + 24, 8) ^ number(secret + 32, 8);
        uint64_t high = number(in + length - 8, 8) ^ number(secret + 40, 8) ^ number(secret + 48, 8);
        for (int i = 0; i < 64; i += 8) turned = turned << 8 | (low >> i & 255);
        return avalanche(length + turned + high + mixed(low, high));
    }
    if (length <= 128) {
        for (int i = (int)(length - 1) / 32 * 16; i >= 0; i -= 16)
            h += mixed_at(in + i, secret + 2 * i) + mixed_at(in + length - i - 16, secret + 2 * i + 16);
        return avalanche(h);
    }
    if (length <= 240) {
        for (; at < length / 16; h = at++ == 7 ? avalanche(h) : h)
            h += mixed_at(in + 16 * at, at < 8 ? secret + 16 * at : secret + 16 * (at - 8) + 3);
        return avalanche(h + mixed_at(in + length - 16, secret + 136 - 17));
    }
    for (; at + 64 < length; at += 64) {
        add_stripe(sums, in + at, secret + at % 1024 / 8);
        for (int i = 0; i < 8 && at % 1024 == 960; i++)
            sums[i] = (sums[i] ^ sums[i] >> 47 ^ number(secret + 128 + 8 * i, 8)) * Q1;
    }
    add_stripe(sums, in + length - 64, secret + 128 - 7);
    for (int i = 0; i < 8; i += 2)
        h += mixed(sums[i] ^ number(secret + 11 + 8 * i, 8), sums[i + 1] ^ number(secret + 19 + 8 * i, 8));
    return avalanche(h);
}

/* ---- The file. Functions return an error message, or NULL on success. ---- */

static const char *read_at(table *t, uint64_t at, uint64_t bytes, unsigned char *to) {
    if (at > t->length || bytes > t->length - at || fseek(t->file, (long)at, SEEK_SET)) return "is cut off";
    return fread(to, 1, bytes, t->file) == bytes ? NULL : "cannot be read";
}

/* Decompresses a piece of the file, one zstd frame, to exactly `bytes` bytes. */
static const char *inflate(table *t, uint64_t at, uint64_t packed, uint64_t hash, unsigned char *to, uint64_t bytes) {
    unsigned char *frame = packed < 9 || packed > t->length || bytes > LONGEST ? NULL : malloc(packed);
    const char *wrong = frame ? read_at(t, at, packed, frame) : "has a piece of an impossible length";
    if (!wrong && t->check && xxh3(frame, packed) != hash) wrong = "has a piece that does not match its checksum";
    if (!wrong && ZSTD_decompress(to, bytes, frame, packed) != bytes) wrong = "has a piece that cannot be decompressed";
    free(frame);
    return wrong;
}

const char *table_open(table *t, const char *path, int check) {
    unsigned char h[HEADER];
    if (!(t->file = fopen(path, "rb"))) return strerror(errno);
    t->length = fseek(t->file, 0, SEEK_END) ? 0 : (uint64_t)ftell(t->file);
    if (read_at(t, 0, HEADER, h) || memcmp(h, "YOMIKIRI", 8)) return "is not a Yomikiri table";
    if (number(h + 8, 2) != 2 || number(h + 16, 4) != 1 << 16 || memcmp(h + 20, "DONE", 4))
        return "is not a finished table of format version 2 in one part";
    if (check && xxh3(h, 128) != number(h + 128, 8)) return "has a header that does not match its checksum";
    t->check = check, t->kind = h[10], t->codec = h[11], t->blocks = number(h + 40, 8);
    if (t->kind < TIERS || t->kind > REST_DRAWS || !memchr("\1\2\3\5", t->codec, 4)) return "has an unknown kind";
    t->pages = t->blocks / BLOCKS + (t->blocks % BLOCKS > 0);
    uint64_t start = number(h + 56, 8), bytes = t->pages * ENTRY;
    if (start > t->length || t->pages > t->length / ENTRY || t->length - start - bytes != number(h + 72, 8))
        return "does not have the length that its header states";
    const char *wrong = (t->directory = malloc(bytes + 1)) ? read_at(t, start, bytes, t->directory) : "is too large";
    return !wrong && check && xxh3(t->directory, bytes) != number(h + 64, 8) ? "has a damaged directory" : wrong;
}

/* Decompresses the last block whose first key is at most `key`. Sets `first` to that key, `rows` to 0 if none is. */
static const char *find_block(table *t, uint64_t key, uint64_t *first, uint64_t *rows, uint64_t *bytes) {
    uint64_t page = 0, count = BLOCKS, begin = 0, end = 0, at = 0, packed = 0, hash = 0;
    while (page < t->pages && number(t->directory + page * ENTRY, 8) <= key) page++;
    if ((*rows = 0, page == 0)) return NULL;
    const unsigned char *entry = t->directory + --page * ENTRY, *n = t->index;
    if (page + 1 == t->pages) count = t->blocks - page * BLOCKS;
    if (number(entry + 20, 4) != 0x101) return "has blocks of another form; run \"yomikiri tables unpack\"";
    uint64_t offset = number(entry + 8, 8), length = number(entry + 16, 4), sum = number(entry + 24, 8);
    const char *wrong = inflate(t, offset, length, sum, t->index, COLUMNS * count);
    for (uint64_t i = 0; !wrong && i < count && (begin += number(n + 8 * i, 8)) <= key; i++) {
        at = end + number(n + 8 * (count + i), 8), packed = number(n + 16 * count + 4 * i, 4), end = at + packed;
        *bytes = number(n + 20 * count + 4 * i, 4), *rows = number(n + 24 * count + 4 * i, 4), *first = begin;
        hash = number(n + 29 * count + 8 * i, 8);
    }
    return wrong || *rows == 0 ? wrong : inflate(t, at, packed, hash, t->plain, *bytes);
}

const char *table_value(table *t, uint64_t key, value *v) {
    uint64_t first, rows, bytes, at = 0, place = 0;
    const char *bad = "has a block of the wrong size", *wrong = find_block(t, key, &first, &rows, &bytes);
    *v = (value){NONE, 0, 0};
    if (wrong || rows == 0) return wrong;
    if (rows > bytes / (t->kind == SORTED_KEYS ? 1 : 8)) return bad;
    if (t->kind == SORTED_KEYS) {
        for (; place < rows && first < key; place++)
            for (int shift = 0, more = place + 1 < rows; more; shift += 7, at++) {
                if (at >= bytes - rows || shift > 63) return bad;
                first += (uint64_t)(t->plain[at] & 127) << shift, more = t->plain[at] > 127;
            }
        v->is_listed = place < rows && first == key, at = bytes - rows + place;
    } else if ((place = key - first) < 64 * rows) { /* the rows are one set of bits */
        v->is_listed = t->plain[place / 8] >> place % 8 & 1, at = 8 * rows;
        for (uint64_t bit = 0; bit < place; bit++) at += t->plain[bit / 8] >> bit % 8 & 1;
        if (!v->is_listed) v->outcome = t->kind == REST_WINS ? WIN : t->kind == REST_DRAWS ? DRAW : NONE;
    }
    if (!v->is_listed || at >= bytes) return v->is_listed ? bad : NULL;
    int byte = t->plain[at], is_loss = t->codec == DISTANCE ? byte < 128 : byte % 2 == 0, is_score = t->codec == SCORE;
    v->number = byte - (is_score ? 128 : is_loss || t->codec == PARITY ? 2 : 128), v->is_listed = byte != 0;
    if (byte) v->outcome = byte == (is_score ? 128 : 1) ? DRAW : (is_score ? byte < 128 : is_loss) ? LOSS : WIN;
    return NULL;
}

#ifndef WITHOUT_MAIN
static int fail(const char *about, const char *what, int status) {
    return fprintf(stderr, "error: %s: %s\n", about, what), status;
}

int main(int argc, char **argv) {
    static table t;
    static const char *const names[] = {"loss", "draw", "win"};
    int check = argc > 1 && !strcmp(argv[1], "--check"), from = check + 2;
    if (argc < from) return fail("read_table [--check] TABLE [KEY...]", "no table is given", 2);
    const char *path = argv[from - 1], *wrong = table_open(&t, path, check);
    value v; char line[64] = ""; /* longer lines are no keys */
    for (int i = from; !wrong && (from < argc ? i < argc : fgets(line, sizeof line, stdin) != NULL); i++) {
        const char *text = from < argc ? argv[i] : line, *digits = text + (*text == '@');
        uint64_t key = (errno = 0, strtoull(digits, NULL, 10));
        line[strcspn(line, "\n")] = 0;
        size_t count = strspn(digits, "0123456789");
        if (errno || count < 1 || count > 20 || digits[count]) return fail(text, "is not a key", 2);
        if ((wrong = table_value(&t, key, &v))) break;
        printf("@%" PRIu64 " ", key);
        if (v.is_listed && (t.codec < SCORE ? v.outcome != DRAW : t.codec == SCORE))
            printf("%s %d\n", names[v.outcome], v.number);
        else if (v.is_listed || v.outcome == NONE) puts(v.is_listed ? names[v.outcome] : "not stored");
        else printf("not stored: a %s, if it can arise and is not over\n", names[v.outcome]);
    }
    return wrong ? fail(path, wrong, 1) : 0;
}
#endif
