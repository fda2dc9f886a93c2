/* Chooses moves by a Yomikiri table: what a program that plays needs beside the rules of its game.
 *
 *     cc -std=c99 -O2 choose_move.c -o choose_move -lzstd
 *     choose_move TABLE
 *
 * Reads the moves of a position, one a line, and after an empty line writes the best of them, the outcome that it leads
 * to for the side that makes it, and in how many plies or by what score; then those of the next position. A line has a
 * move and the key of the position after it ("b1 @47217"), or, if the game is over there, the outcome for the side that
 * would be to move next, with the score in games that have one ("b1 loss", "b1 loss -8"). Exits as read_table does. */
#define WITHOUT_MAIN
#include "read_table.c"

static int fail(const char *about, const char *what, int status) {
    fprintf(stderr, "error: %s: %s\n", about, what);
    return status;
}

/* The higher the better for the side to move: wins that are near, draws, losses that are far. */
static int worth(int codec, value v) {
    return codec == SCORE ? v.number : v.outcome == DRAW ? 0 : v.outcome == WIN ? 1000 - v.number : v.number - 1000;
}

int main(int argc, char **argv) {
    static table t;
    static const char *const names[] = {"loss", "draw", "win"};
    if (argc != 2) return fail("choose_move TABLE", "names no table", 2);
    const char *wrong = table_open(&t, argv[1], 0);
    if (wrong) return fail(argv[1], wrong, 1);
    if (t.kind == REST_WINS) return fail(argv[1], "leaves wins out: how soon follows from the positions after them", 2);
    char line[128], move[32], word[32], best_move[32] = "";
    value best = {NONE, 0, 0};
    while (fgets(line, sizeof line, stdin)) {
        value v = {NONE, 0, 1};
        int words = sscanf(line, "%31s %31s %d", move, word, &v.number);
        if (words <= 0) { /* what is good for the other side is bad for this one */
            if (best.outcome == NONE) return fail(argv[1], "is asked for the best of no moves", 2);
            printf("%s %s", best_move, names[WIN - best.outcome]);
            if (t.codec == SCORE) printf(" %d", -best.number);
            else if (best.outcome != DRAW) printf(" %d", best.number + 1);
            puts("");
            fflush(stdout);
            best.outcome = NONE;
            continue;
        }
        if (words > 1 && *word == '@') {
            size_t count = strspn(word + 1, "0123456789");
            uint64_t key = (errno = 0, strtoull(word + 1, NULL, 10));
            if (errno || count < 1 || count > 20 || word[1 + count]) return fail(word, "is no key", 2);
            if ((wrong = table_value(&t, key, &v))) return fail(argv[1], wrong, 1);
        }
        for (int outcome = LOSS; words > 1 && *word != '@' && outcome <= WIN; outcome++)
            if (!strcmp(word, names[outcome])) v.outcome = outcome;
        if (v.outcome == NONE) return fail(move, "comes with neither an outcome nor a key that is stored", 2);
        if (best.outcome == NONE || worth(t.codec, v) < worth(t.codec, best)) best = v, strcpy(best_move, move);
    }
    return 0;
}
