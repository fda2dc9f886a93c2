// Made from the types of the program: SNAPSHOTS=overwrite cargo test -p yomikiri-wasm

/**
 * A position of stones laid out by hand.
 */
export type Arrange = { rules: string, arrangement: Arrangement, };

/**
 * A stone on a square, by its name.
 */
export type ArrangedStone = { square: string, side: Side,
/**
 * In games with several kinds of pieces.
 */
piece?: PieceName, };

/**
 * What lies where.
 */
export type Arrangement = { stones: Array<ArrangedStone>,
/**
 * Black if nothing is said; where the stones tell whose turn it is, not looked at.
 */
to_move?: Side,
/**
 * Animal shogi: pieces in hand, nothing if nothing is said.
 */
hands?: BySide<Array<Held>>,
/**
 * Binarsi: names of locked ways.
 */
locks?: Array<string>,
/**
 * Binarsi: names of targets that were cleared; those that lie on the board are in any case.
 */
cleared?: Array<string>, };

/**
 * How a position goes on.
 */
export type BestLine = { rules: string, position: string,
/**
 * At most so many plies.
 */
plies: number, memory?: number, table?: number, certificate?: number, excerpt?: number, };

/**
 * Names of files, left to right, and of ranks, top to bottom, as the board is drawn.
 */
export type BoardNames = { files: Array<string>, ranks: Array<string>, };

/**
 * Something of each side's.
 */
export type BySide<T> = { black: T, white: T, };

/**
 * A move for the side to move.
 */
export type Choice = { move: string,
/**
 * What is known to say so; none if the move was found by looking ahead.
 */
source: Source | null, };

/**
 * A move for the side to move: by a table or a certificate where one knows, else by looking ahead.
 */
export type Choose = { rules: string, position: string,
/**
 * The moves from there on: positions that come again may draw.
 */
moves?: Array<string>,
/**
 * Positions to look at and plies to look ahead, at most; at least one of them.
 */
nodes?: number, depth?: number,
/**
 * From 0, any move, to 100, as good a move as can be found, which is what is made if nothing is said.
 */
strength?: number,
/**
 * Below 100 the same seed gives the same moves in the same game; 0 if nothing is said.
 */
seed?: number, table?: number, certificate?: number, excerpt?: number, };

/**
 * The position of a key, as `@41600`.
 */
export type Decode = { rules: string, key: string, };

/**
 * The position of a key.
 */
export type Decoded = { position: string,
/**
 * A picture in several lines.
 */
text: string, };

export type Direction = "across" | "diagonal" | "down";

/**
 * The end of a game.
 */
export type End = {
/**
 * None in a draw.
 */
winner: Side | null,
/**
 * A name for translations, as `reversi-full`, and the same in English; none where that needs no saying.
 */
reason: string | null, text: string | null,
/**
 * Of Black and White, where points that pictures do not show have decided.
 */
points: [string, string] | null,
/**
 * The squares that have decided, where squares did: a row, a goal, a lion and those who take it.
 */
squares: Array<string> | null, };

/**
 * Which rules a code belongs to, variants and goals apart.
 */
export type FamilyName = "binarsi" | "animal_shogi" | "pyonpyon" | "pyonpyon_shogi" | "reversi" | "connect_four";

/**
 * All games: `rules`.
 */
export type GameList = { games: Array<GameReport>, };

/**
 * A game as shown to people who have not chosen one yet.
 */
export type GameReport = {
/**
 * How its codes are written.
 */
codes: string,
/**
 * A rule code.
 */
example: string,
/**
 * Its name.
 */
game: string, };

/**
 * So many pieces of a kind, at least one.
 */
export type Held = { piece: PieceName, count: number, };

/**
 * The key of a position; none on boards without keys.
 */
export type KeyOf = { key: KeyText | null, };

/**
 * The text of a key, as `@41600`, which is a position to every verb. Text, because many programs read numbers of JSON
 * with 53 bits.
 */
export type KeyText = string;

/**
 * A legal move and the position after it.
 */
export type LegalMove = { move: string, position: string, key: KeyText | null, };

/**
 * The legal moves of a position in the order of the notation: `moves`.
 */
export type LegalMoves = { moves: Array<LegalMove>, };

/**
 * Why a line goes no further.
 */
export type LineEnd = "over" | "repeats" | "cut";

/**
 * A line as JSON.
 */
export type LineReport = { moves: Array<string>, ends: LineEnd, known_by: Source, };

/**
 * A stone of a line.
 */
export type LineStone = { square: string, side: Side, };

/**
 * A legal move with what it leads to.
 */
export type MoveReport = { move: string,
/**
 * For the side that moves; none where a certificate or an excerpt does not tell.
 */
outcome: Outcome | null,
/**
 * The position after it.
 */
position: string, key: KeyText | null, } & ({ plies: Plies | null, } | { score: number, });

/**
 * A legal move.
 */
export type MoveView = { move: string,
/**
 * The position after it.
 */
position: string, key: KeyText | null,
/**
 * Whether it leaves the turn to the other side and the board as it is.
 */
pass: boolean,
/**
 * How it ends the game, if it does.
 */
ends: End | null,
/**
 * The square that a piece leaves.
 */
from: string | null,
/**
 * The square that it comes to; where a disc comes to lie.
 */
to: string | null,
/**
 * The piece dropped from the hand.
 */
drop: PieceName | null, promotes: boolean,
/**
 * The piece taken, as it stood on the board.
 */
captures: PieceName | null,
/**
 * Binarsi: the way and the operator.
 */
way: string | null, operator: string | null,
/**
 * Binarsi: all that the way holds after the move.
 */
line: Array<LineStone> | null,
/**
 * Binarsi: targets that are cleared by the move and were not before.
 */
cleared: Array<string>,
/**
 * Pyonpyon: the squares of a step, or of as few jumps as lead there, first to last.
 */
path: Array<string> | null,
/**
 * Reversi: the squares whose discs are turned.
 */
flips: Array<string> | null, };

/**
 * An empty object.
 */
export type Nothing = Record<symbol, never>;

/**
 * What a rule code means.
 */
export type OfRules = { rules: string, };

/**
 * Result of a game for the side to move; ordered from bad to good.
 */
export type Outcome = "loss" | "draw" | "win";

/**
 * The pieces of animal shogi, then those of shogi but for the king.
 */
export type PieceName = "lion" | "elephant" | "giraffe" | "chick" | "hen" | "pawn" | "lance" | "knight" | "silver" | "gold" | "bishop" | "rook";

/**
 * Where a piece goes.
 */
export type PieceSteps = { piece: PieceName,
/**
 * Squares to the right and down for Black, whose board is drawn from its side: forward is up. White's pieces go
 * the same steps turned half round. Of pieces that slide over empty squares, all that the board has room for.
 */
steps: Array<[number, number]>, };

/**
 * A position: anything that the game reads, with moves behind it if there are any, and further moves.
 */
export type Place = { rules: string,
/**
 * The start if nothing is said.
 */
position?: string, moves?: Array<string>, };

/**
 * A distance in single moves (half moves) of either side.
 */
export type Plies = number;

/**
 * What the table of points tells of a position, seen by the side to move.
 */
export type Points = {
/**
 * The variant whose table tells.
 */
rules: string, outcome: Outcome,
/**
 * None in a draw.
 */
winner: Side | null, } & ({ plies: Plies | null, } | { score: number, });

/**
 * Why there is no answer, in one line.
 */
export type Problem = { error: string, };

/**
 * The value of a position and of its moves.
 */
export type Query = { rules: string, position: string,
/**
 * Bytes of memory for what no table reaches, 64 MiB if nothing is said.
 */
memory?: number, table?: number, certificate?: number, excerpt?: number, };

/**
 * The value of a position and of its moves: `query`.
 */
export type QueryReport = { rules: string, position: string,
/**
 * None on boards without keys.
 */
key: KeyText | null, to_move: Side, outcome: Outcome,
/**
 * None in a draw.
 */
winner: Side | null,
/**
 * Where the values come from; none if the game is over, which the rules tell.
 */
source?: Source,
/**
 * By how many points, where that is known.
 */
points?: Points,
/**
 * Where a certificate tells: whether it has been checked.
 */
certificate?: Trust,
/**
 * All legal moves, the best first.
 */
moves: Array<MoveReport>, } & ({ plies: Plies | null, } | { score: number, });

/**
 * A question: an object with one field, its name.
 */
export type Question = { "games": Nothing } | { "rules": OfRules } | { "view": Place } | { "arrange": Arrange } | { "encode": Place } | { "decode": Decode } | { "query": Query } | { "line": BestLine } | { "choose": Choose };

/**
 * What a rule code means: `rules CODE`.
 */
export type RulesReport = { rules: string,
/**
 * The code that stands for all codes of the same game: of mirrored starts, transposed boards and the like.
 */
same_game: string,
/**
 * Every setting of the variant by its name.
 */
settings: { [key in string]: string }, };

/**
 * One of the two players. Black moves first in every game of this crate.
 */
export type Side = "black" | "white";

/**
 * Where an answer comes from.
 */
export type Source = "table" | "subgame" | "certificate" | "search" | "excerpt";

/**
 * A stone, disc or piece on a square.
 */
export type Stone = { square: string, file: number, rank: number, side: Side,
/**
 * In games with several kinds of pieces.
 */
piece: PieceName | null, };

/**
 * A clear target of Binarsi.
 */
export type TargetView = { name: string, side: Side,
/**
 * Stones in a row.
 */
length: number, direction: Direction, cleared: boolean,
/**
 * The ply at which it was cleared; as the position has it.
 */
ply: number | null,
/**
 * Whether it is cleared or stones that can never change again leave room for it. Other things may still forbid it.
 */
possible: boolean,
/**
 * The squares on which it lies now, several lines taken together; none where it does not lie.
 */
squares: Array<string> | null, };

/**
 * Whether a certificate has passed `yomikiri check`.
 */
export type Trust = "checked" | "unchecked";

/**
 * A position with its moves and the game that led to it.
 */
export type View = {
/**
 * Rule code.
 */
rules: string, family: FamilyName,
/**
 * Where the moves begin, as a text that every verb reads: `startpos`, or a position with its side to move.
 */
start: string,
/**
 * The position on the board.
 */
position: string,
/**
 * None on boards without keys.
 */
key: KeyText | null, to_move: Side,
/**
 * As in counts of tables (in reversi the number of discs); none in games that can repeat.
 */
ply: number | null,
/**
 * The moves from `start` to the position.
 */
moves_played: Array<string>,
/**
 * A picture in several lines.
 */
text: string,
/**
 * How the pieces of Black and White look in that.
 */
marks: [string, string],
/**
 * How the game has ended; none while it goes on.
 */
over: End | null, board: BoardNames,
/**
 * By ranks, then files.
 */
stones: Array<Stone>,
/**
 * All legal moves, in the order of the notation.
 */
moves: Array<MoveView>,
/**
 * Animal shogi: pieces in hand.
 */
hands: BySide<Array<Held>> | null,
/**
 * Binarsi: files, then ranks.
 */
ways: Array<WayView> | null,
/**
 * Binarsi: b3, b4, b5, w3, w4, w5.
 */
targets: Array<TargetView> | null,
/**
 * Pyonpyon: the squares that each side has to reach.
 */
goals: BySide<Array<string>> | null,
/**
 * Games with several kinds of pieces: where those of the variant go.
 */
pieces: Array<PieceSteps> | null, };

/**
 * Bytes of a file that an answer needs.
 */
export type Wanted = { file: number, start: number, end: number, };

/**
 * Bytes of files are missing: hand them in and ask again.
 */
export type WantedRanges = { wanted: Array<Wanted>, };

export type WayKind = "file" | "rank";

/**
 * A file or rank of Binarsi.
 */
export type WayView = { name: string, kind: WayKind,
/**
 * Its place among the files or ranks.
 */
index: number, locked: boolean,
/**
 * Whether stones lie on it.
 */
holds: boolean, };
