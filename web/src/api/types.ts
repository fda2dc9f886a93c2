// Made from the types of the program: SNAPSHOTS=overwrite cargo test -p yomikiri-wasm

/**
 * A position whose stones are laid out by hand.
 */
export type Arrange = { rules: string, arrangement: Arrangement, };

/**
 * A stone on a square.
 */
export type ArrangedStone = {
/**
 * The name of the square.
 */
square: string,
/**
 * The side of the stone.
 */
side: Side,
/**
 * The kind of piece; required in games with several kinds.
 */
piece?: PieceName, };

/**
 * The stones on the board and the other parts of a position.
 */
export type Arrangement = {
/**
 * The stones, at most one on a square.
 */
stones: Array<ArrangedStone>,
/**
 * The side to move, Black by default; ignored if the stones determine it.
 */
to_move?: Side,
/**
 * Animal shogi: the pieces in hand, none by default.
 */
hands?: BySide<Array<Held>>,
/**
 * Binarsi: the names of locked ways.
 */
locks?: Array<string>,
/**
 * Binarsi: the names of cleared targets. Targets that are on the board count as cleared in any case.
 */
cleared?: Array<string>, };

/**
 * A question for a line of moves from a position.
 */
export type BestLine = { rules: string, position: string,
/**
 * The maximum number of plies of the line.
 */
plies: number, memory?: number, table?: number, certificate?: number, opening?: number, excerpt?: number, };

/**
 * The names of files, left to right, and of ranks, top to bottom, as the board is drawn.
 */
export type BoardNames = {
/**
 * The names of the files, left to right.
 */
files: Array<string>,
/**
 * The names of the ranks, top to bottom.
 */
ranks: Array<string>, };

/**
 * One value for each side.
 */
export type BySide<T> = {
/**
 * The value for Black.
 */
black: T,
/**
 * The value for White.
 */
white: T, };

/**
 * The move chosen for the side to move.
 */
export type Choice = {
/**
 * The move, in the game's notation.
 */
move: string,
/**
 * The source of the move; `null` if a search found it.
 */
source: Source | null, };

/**
 * A question for a move of the side to move. The move comes from a table or a certificate if one has the position,
 * else from a search.
 */
export type Choose = { rules: string, position: string,
/**
 * The moves from the position on. They matter because a repetition may be a draw.
 */
moves?: Array<string>,
/**
 * The maximum number of positions that are searched. `nodes`, `depth` or both are required.
 */
nodes?: number,
/**
 * The maximum depth of the search in plies.
 */
depth?: number,
/**
 * The strength, from 0 (a random move) to 100 (the best move found); 100 by default.
 */
strength?: number,
/**
 * The seed of the random choices below strength 100: the same seed gives the same moves in the same game; 0 by
 * default.
 */
seed?: number, table?: number, certificate?: number, opening?: number, excerpt?: number, };

/**
 * A question for the position of a key, such as `@41600`.
 */
export type Decode = { rules: string, key: string, };

/**
 * The position of a key.
 */
export type Decoded = {
/**
 * The position, in the game's notation.
 */
position: string,
/**
 * The board as text, in several lines.
 */
text: string, };

/**
 * The direction in which the stones of a target lie.
 */
export type Direction = "across" | "diagonal" | "down";

/**
 * The end of a game.
 */
export type End = {
/**
 * The side that wins; `null` in a draw.
 */
winner: Side | null,
/**
 * The reason as an identifier for translations, such as `reversi-full`; `null` if the end needs no explanation.
 */
reason: string | null,
/**
 * The reason in English; `null` without a reason.
 */
text: string | null,
/**
 * The points of Black and White, if points have decided the game and the board does not show them; else `null`.
 */
points: [string, string] | null,
/**
 * The squares that decided the game: a row, a goal, or a lion and its attackers. `null` if no squares did.
 */
squares: Array<string> | null, };

/**
 * The family of games of a rule code. Variants and goals of one game share a family.
 */
export type FamilyName = "binarsi" | "animal_shogi" | "pyonpyon" | "pyonpyon_shogi" | "reversi" | "connect_four";

/**
 * All games: the JSON of `rules`.
 */
export type GameList = {
/**
 * The games, one for each family.
 */
games: Array<GameReport>, };

/**
 * A game, as shown to people who have not chosen a game yet.
 */
export type GameReport = {
/**
 * The form of the game's rule codes.
 */
codes: string,
/**
 * An example of a rule code.
 */
example: string,
/**
 * The name of the game.
 */
game: string, };

/**
 * Pieces of one kind in hand, at least one.
 */
export type Held = {
/**
 * The kind of the pieces.
 */
piece: PieceName,
/**
 * The number of these pieces.
 */
count: number, };

/**
 * The key of a position; `null` on boards without keys.
 */
export type KeyOf = { key: KeyText | null, };

/**
 * A key as text, such as `@41600`. Every command accepts it as a position. It is text because many JSON readers keep
 * only 53 bits of a number.
 */
export type KeyText = string;

/**
 * A legal move and the position after it.
 */
export type LegalMove = {
/**
 * The move, in the game's notation.
 */
move: string,
/**
 * The position after the move.
 */
position: string,
/**
 * The key of the position after the move; `null` on boards without keys.
 */
key: KeyText | null, };

/**
 * The legal moves of a position: the JSON of `moves`.
 */
export type LegalMoves = {
/**
 * The moves, in the order of the notation; empty if the game is over.
 */
moves: Array<LegalMove>, };

/**
 * The reason why a line ends.
 */
export type LineEnd = "over" | "repeats" | "cut" | "open";

/**
 * A line of moves, as JSON.
 */
export type LineReport = {
/**
 * The moves, in the game's notation.
 */
moves: Array<string>,
/**
 * The reason why the line ends.
 */
ends: LineEnd,
/**
 * The source of the moves. With `certificate` or `opening`, the loser makes its first legal move each time.
 */
known_by: Source,
/**
 * The state of that certificate or opening; absent for other sources.
 */
certificate?: Trust, };

/**
 * A stone on a way.
 */
export type LineStone = {
/**
 * The name of the square.
 */
square: string,
/**
 * The side of the stone.
 */
side: Side, };

/**
 * A legal move, its value and the position after it.
 */
export type MoveReport = {
/**
 * The move, in the game's notation.
 */
move: string,
/**
 * The outcome for the side that moves; `null` if it is not known.
 */
outcome: Outcome | null,
/**
 * The position after the move.
 */
position: string,
/**
 * The key of the position after the move; `null` on boards without keys.
 */
key: KeyText | null, } & ({
/**
 * The number of plies, or `None` for a draw.
 */
plies: Plies | null, } | {
/**
 * The margin in points, from -64 to 64.
 */
score: number, });

/**
 * A legal move.
 */
export type MoveView = {
/**
 * The move, in the game's notation.
 */
move: string,
/**
 * The position after the move, as text with its side to move.
 */
position: string,
/**
 * The key of the position after the move; `null` on boards without keys.
 */
key: KeyText | null,
/**
 * True if the move is a pass, which changes only the side to move.
 */
pass: boolean,
/**
 * The end of the game after the move; `null` if the game goes on.
 */
ends: End | null,
/**
 * The square that a piece leaves.
 */
from: string | null,
/**
 * The square on which a piece or disc arrives.
 */
to: string | null,
/**
 * The piece dropped from the hand.
 */
drop: PieceName | null,
/**
 * True if the piece promotes.
 */
promotes: boolean,
/**
 * The captured piece, as it stood on the board.
 */
captures: PieceName | null,
/**
 * Binarsi: the name of the way to which the move applies its operator.
 */
way: string | null,
/**
 * Binarsi: the operator, in the notation of moves.
 */
operator: string | null,
/**
 * Binarsi: all stones on the way after the move.
 */
line: Array<LineStone> | null,
/**
 * Binarsi: the targets that the move clears.
 */
cleared: Array<string>,
/**
 * Pyonpyon: the squares of a step, or of a shortest sequence of jumps, first to last.
 */
path: Array<string> | null,
/**
 * Reversi: the squares whose discs are flipped.
 */
flips: Array<string> | null, };

/**
 * An empty object.
 */
export type Nothing = Record<symbol, never>;

/**
 * A question about the meaning of a rule code.
 */
export type OfRules = { rules: string, };

/**
 * The result of a game for the side to move, ordered from bad to good.
 */
export type Outcome = "loss" | "draw" | "win";

/**
 * The kinds of pieces: those of animal shogi, then those of shogi except the king.
 */
export type PieceName = "lion" | "elephant" | "giraffe" | "chick" | "hen" | "pawn" | "lance" | "knight" | "silver" | "gold" | "bishop" | "rook";

/**
 * The steps of a kind of piece.
 */
export type PieceSteps = {
/**
 * The kind of piece.
 */
piece: PieceName,
/**
 * The steps of a Black piece, each as `[right, down]` in squares. Black's side is at the bottom, so forward is up.
 * White's pieces have the same steps, rotated by half a turn. A piece that slides over empty squares has all steps
 * that fit on the board.
 */
steps: Array<[number, number]>, };

/**
 * A position: the text of a position, and the moves to make from it.
 */
export type Place = { rules: string,
/**
 * The position; the start by default.
 */
position?: string,
/**
 * The moves from the position on.
 */
moves?: Array<string>, };

/**
 * A distance in plies: single moves of either side.
 */
export type Plies = number;

/**
 * The value of a position in the variant whose values are points, for the side to move.
 */
export type Points = {
/**
 * The rule code of that variant.
 */
rules: string,
/**
 * The outcome for the side to move.
 */
outcome: Outcome,
/**
 * The side that wins; `null` in a draw.
 */
winner: Side | null, } & ({
/**
 * The number of plies, or `None` for a draw.
 */
plies: Plies | null, } | {
/**
 * The margin in points, from -64 to 64.
 */
score: number, });

/**
 * The error that prevented an answer, in one line.
 */
export type Problem = { error: string, };

/**
 * A question about the value of a position and of its moves.
 */
export type Query = { rules: string, position: string,
/**
 * The memory in bytes for solving positions that no table has; 64 MiB by default.
 */
memory?: number,
/**
 * The maximum number of slices of work, of some hundredths of a second each, for a proof of the winner. Without
 * this field, nothing is proved. If the winner is still open after this work, there is no outcome; ask again to
 * continue the proof.
 */
slices?: number, table?: number, certificate?: number, opening?: number, excerpt?: number, };

/**
 * A position, its value and its moves: the JSON of `query`.
 */
export type QueryReport = {
/**
 * The rule code, in its shortest form.
 */
rules: string,
/**
 * The position, in the game's notation.
 */
position: string,
/**
 * The key; `null` on boards without keys.
 */
key: KeyText | null,
/**
 * The side to move.
 */
to_move: Side,
/**
 * The outcome for the side to move; `null` if a proof ran out of time.
 */
outcome: Outcome | null,
/**
 * The side that wins; `null` in a draw, or if the winner is not known.
 */
winner: Side | null,
/**
 * The source of the values; absent if the game is over, because the rules give the value.
 */
source?: Source,
/**
 * The value in points; absent if it is not known.
 */
points?: Points,
/**
 * The state of the certificate or opening that names the winner; absent for other sources.
 */
certificate?: Trust,
/**
 * The lower bound of the value, inclusive, if a search has found one but not the value.
 */
at_least?: ValueBound,
/**
 * The upper bound of the value, inclusive, if a search has found one but not the value.
 */
at_most?: ValueBound,
/**
 * All legal moves, the best first. Moves of equal value are in the order of the notation.
 */
moves: Array<MoveReport>, } & ({
/**
 * The number of plies, or `None` for a draw.
 */
plies: Plies | null, } | {
/**
 * The margin in points, from -64 to 64.
 */
score: number, });

/**
 * A question: an object with one field, whose name is the kind of question.
 */
export type Question = { "games": Nothing } | { "rules": OfRules } | { "view": Place } | { "arrange": Arrange } | { "encode": Place } | { "decode": Decode } | { "query": Query } | { "line": BestLine } | { "choose": Choose };

/**
 * The meaning of a rule code: the JSON of `rules CODE`.
 */
export type RulesReport = {
/**
 * The rule code, in its shortest form.
 */
rules: string,
/**
 * The rule code that represents all codes of the same game, such as codes with mirrored starts or transposed
 * boards.
 */
same_game: string,
/**
 * All settings of the variant by name.
 */
settings: { [key in string]: string },
/**
 * The accepted formats, in words, of three kinds of text: `positions`, `games` and `suites`.
 */
formats: { [key in string]: string }, };

/**
 * One of the two players. Black moves first in every game of this crate.
 */
export type Side = "black" | "white";

/**
 * The source of an answer.
 */
export type Source = "table" | "subgame" | "certificate" | "opening" | "search" | "proof" | "excerpt";

/**
 * A stone, disc or piece on a square.
 */
export type Stone = {
/**
 * The name of the square.
 */
square: string,
/**
 * The file, counted from 0 at the left.
 */
file: number,
/**
 * The rank, counted from 0 at the top.
 */
rank: number,
/**
 * The side of the stone.
 */
side: Side,
/**
 * The kind of piece; `null` in games with one kind.
 */
piece: PieceName | null, };

/**
 * A target of Binarsi: a row of stones of one side.
 */
export type TargetView = {
/**
 * The name, such as `b3`.
 */
name: string,
/**
 * The side to which the target belongs.
 */
side: Side,
/**
 * The number of stones in the row.
 */
length: number,
/**
 * The direction of the row.
 */
direction: Direction,
/**
 * True if the target is cleared.
 */
cleared: boolean,
/**
 * The ply at which the target was cleared, as the position records it; `null` if it is not cleared.
 */
ply: number | null,
/**
 * True if the target is cleared, or if the stones that can never change again leave room for the target. Other
 * conditions may still rule it out.
 */
possible: boolean,
/**
 * The squares of all rows on the board that clear the target, as one list; `null` if there is no such row.
 */
squares: Array<string> | null, };

/**
 * The state of a certificate or an opening: checked if it has passed `yomikiri check`.
 */
export type Trust = "checked" | "unchecked";

/**
 * A bound of a value, for the side to move.
 */
export type ValueBound = {
/**
 * The outcome of the bound.
 */
outcome: Outcome, } & ({
/**
 * The number of plies, or `None` for a draw.
 */
plies: Plies | null, } | {
/**
 * The margin in points, from -64 to 64.
 */
score: number, });

/**
 * A position, its legal moves, and the game that led to it.
 */
export type View = {
/**
 * The rule code.
 */
rules: string,
/**
 * The family of games.
 */
family: FamilyName,
/**
 * The position before the first move, as text that every command reads: `startpos`, or a position with its side to
 * move.
 */
start: string,
/**
 * The position on the board, as text with its side to move.
 */
position: string,
/**
 * The key; `null` on boards without keys.
 */
key: KeyText | null,
/**
 * The side to move.
 */
to_move: Side,
/**
 * The ply by which tables count positions; in reversi, the number of discs. `null` in games with repetition.
 */
ply: number | null,
/**
 * The moves from `start` to the position.
 */
moves_played: Array<string>,
/**
 * The board as text, in several lines.
 */
text: string,
/**
 * The letters that stand for the pieces of Black and of White in `text`.
 */
marks: [string, string],
/**
 * The end of the game; `null` if the game goes on.
 */
over: End | null,
/**
 * The names of files and ranks.
 */
board: BoardNames,
/**
 * All stones, sorted by rank, then by file.
 */
stones: Array<Stone>,
/**
 * All legal moves, in the order of the notation.
 */
moves: Array<MoveView>,
/**
 * Animal shogi: the pieces in hand.
 */
hands: BySide<Array<Held>> | null,
/**
 * Binarsi: the files, then the ranks.
 */
ways: Array<WayView> | null,
/**
 * Binarsi: the targets b3, b4, b5, w3, w4, w5.
 */
targets: Array<TargetView> | null,
/**
 * Pyonpyon: the squares that each side has to reach.
 */
goals: BySide<Array<string>> | null,
/**
 * Games with several kinds of pieces: the steps of each kind in the variant.
 */
pieces: Array<PieceSteps> | null, };

/**
 * A range of a file that an answer needs.
 */
export type Wanted = {
/**
 * The number that identifies the file.
 */
file: number,
/**
 * The offset of the first byte.
 */
start: number,
/**
 * The offset after the last byte.
 */
end: number, };

/**
 * The ranges of files whose bytes are missing. Hand in these bytes and ask again.
 */
export type WantedRanges = { wanted: Array<Wanted>, };

/**
 * The kind of a way.
 */
export type WayKind = "file" | "rank";

/**
 * A way, that is, a file or rank of Binarsi.
 */
export type WayView = {
/**
 * The name, one letter or digit.
 */
name: string,
/**
 * The kind: a file or a rank.
 */
kind: WayKind,
/**
 * The index among the files or among the ranks, from 0.
 */
index: number,
/**
 * True if the way is locked.
 */
locked: boolean,
/**
 * True if stones lie on the way.
 */
holds: boolean, };
