/* Chooses moves by a Yomikiri table. A playing program needs this and the rules of its game.
 *
 *     cc -std=c99 -O2 choose_move.c -o choose_move -lzstd
 *     choose_move TABLE
 *
 * Reads the moves of a position, one a line. After an empty line, or at the end of the input, it prints the best move,
 * its outcome for the side to move, and the plies or the score (not for openings); then it reads the next position. A
 * line has a move and the key of the position after it ("b1 @47217"). If the move ends the game, the line has the
 * outcome for the other side instead, and the score in games that have one ("b1 loss", "b1 loss -8"). The exit status
 * is that of read_table. */
#define WITHOUT_MAIN
#include "read_table.c"

static int fail(const char *about, const char *what, int status) {
    fprintf(stderr, "error: %s: %s\n", about, what);
    return status;
}

/* Higher is better for the side to move: near wins, far wins, draws, far losses, near losses. */
static int worth(int codec, value v) {
    if (codec == OUTCOME) return v.outcome;
    return codec == SCORE ? v.number : v.outcome == DRAW ? 0 : v.outcome == WIN ? 1000 - v.number : v.number - 1000;
}

int main(int argc, char **argv) {
    static table t;
    static const char *const names[] = {"loss", "draw", "win"};
    if (argc != 2) return fail("choose_move TABLE", "no table is given", 2);
    const char *wrong = table_open(&t, argv[1], 0);
    if (wrong) return fail(argv[1], wrong, 1);
    if (t.kind == REST_WINS) return fail(argv[1], "stores no wins, so it does not give their distance", 2);
    char line[128], move[32], word[32], best_move[32] = "";
    value best = {NONE, 0, 0};
    for (int more = 1; more;) {
        value v = {NONE, 0, 1};
        more = fgets(line, sizeof line, stdin) != NULL;
        if (!more && best.outcome == NONE) break; /* an empty line has ended the last position */
        int words = more ? sscanf(line, "%31s %31s %d", move, word, &v.number) : 0;
        if (words <= 0) { /* values are for the other side, so the best move has the lowest value */
            if (best.outcome == NONE) return fail(argv[1], "got no moves", 2);
            printf("%s %s", best_move, names[WIN - best.outcome]);
            if (t.codec == SCORE) printf(" %d", -best.number);
            else if (t.codec != OUTCOME && best.outcome != DRAW) printf(" %d", best.number + 1);
            puts("");
            fflush(stdout);
            best.outcome = NONE;
            continue;
        }
        if (words > 1 && *word == '@') {
            size_t count = strspn(word + 1, "0123456789");
            uint64_t key = (errno = 0, strtoull(word + 1, NULL, 10));
            if (errno || count < 1 || count > 20 || word[1 + count]) return fail(word, "is not a key", 2);
            if ((wrong = table_value(&t, key, &v))) return fail(argv[1], wrong, 1);
        }
        for (int outcome = LOSS; words > 1 && *word != '@' && outcome <= WIN; outcome++)
            if (!strcmp(word, names[outcome])) v.outcome = outcome;
        if (v.outcome == NONE) return fail(move, "has neither an outcome nor a stored key", 2);
        if (best.outcome == NONE || worth(t.codec, v) < worth(t.codec, best)) best = v, strcpy(best_move, move);
    }
    return 0;
}
