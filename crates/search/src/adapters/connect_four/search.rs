//! Connect Four for alpha-beta search.
//!
//! A searched position has no completed row, and the side to move cannot complete one at once, because the search skips
//! the moves that would allow this. If all moves of a position would be skipped, the position is lost in two plies.

use arrayvec::ArrayVec;

use crate::Search;
use crate::alphabeta::{AlphaBeta, Candidate, Candidates, Depths, NoMoves, Scored, Solver, Worker};
use crate::transposition::Key;
use yomikiri_rules::games::connect_four::ConnectFour;
use yomikiri_rules::games::connect_four::board::{BOTTOM, Board, FILE_STEP, Position, Squares};
use yomikiri_rules::games::connect_four::lines::{DIRECTIONS, starts};
use yomikiri_rules::games::connect_four::moves::{self, Move};
use yomikiri_rules::wide::{Wide, wide};
use yomikiri_rules::{Distance, Outcome};

/// The maximum number of moves of a position.
const MAX_MOVES: usize = 8;

/// The minimum number of plies to a win in a searched position whose value is not known at once. `LOSS_IN` is the
/// minimum to a loss.
const WIN_IN: u16 = 3;
const LOSS_IN: u16 = 4;

/// Board parameters that the search is monomorphised over.
trait Shape: Copy + Send + Sync + 'static {
    /// True if each file has a clear bit on top, which keeps rows from running on into the next file.
    const GUARDED: bool;
    type Key: Key;

    /// Returns the number of discs in a winning row.
    fn row(game: &ConnectFour) -> u32;

    fn key(board: Board, position: &Position) -> Self::Key;

    /// Calls [`Worker::search_node`].
    #[inline(always)]
    fn search_node(worker: &mut Worker<ConnectFourSearch<Self>>, position: Position, alpha: i32) -> i32 {
        worker.search_node(position, alpha)
    }
}

/// Boards of up to seven ranks, with `ROW` discs in a winning row.
#[derive(Clone, Copy)]
struct Guarded<const ROW: u32>;

/// Boards of up to seven ranks and rows of four, compiled for machines with wide registers.
#[derive(Clone, Copy)]
struct WideFour(Wide);

/// Boards of eight ranks, with `ROW` discs in a winning row.
#[derive(Clone, Copy)]
struct Tall<const ROW: u32>;

/// All boards, for programs that must be small.
#[derive(Clone, Copy)]
struct Any;

impl<const ROW: u32> Shape for Guarded<ROW> {
    const GUARDED: bool = true;
    type Key = u64;

    #[inline(always)]
    fn row(_: &ConnectFour) -> u32 {
        ROW
    }

    /// Returns a sum of two bit sets, read as numbers: the discs of the side to move, and all discs. If the sum for the
    /// mirror image is smaller, returns that sum. This is [`yomikiri_rules::games::connect_four::index::rank`] with
    /// eight bits per file.
    #[inline(always)]
    fn key(board: Board, position: &Position) -> u64 {
        let key = position.own + position.occupied();
        key.min(board.mirrored(key))
    }
}

impl Shape for WideFour {
    const GUARDED: bool = true;
    type Key = u64;

    #[inline(always)]
    fn row(_: &ConnectFour) -> u32 {
        4
    }

    #[inline(always)]
    fn key(board: Board, position: &Position) -> u64 {
        Guarded::<4>::key(board, position)
    }

    #[inline(always)]
    fn search_node(worker: &mut Worker<ConnectFourSearch<WideFour>>, position: Position, alpha: i32) -> i32 {
        let WideFour(wide) = worker.game.shape;
        wide!(wide, |worker: &mut Worker<ConnectFourSearch<WideFour>>, position: Position, alpha: i32| -> i32 {
            worker.search_node(position, alpha)
        })
    }
}

impl<const ROW: u32> Shape for Tall<ROW> {
    const GUARDED: bool = false;
    type Key = [u64; 2];

    #[inline(always)]
    fn row(_: &ConnectFour) -> u32 {
        ROW
    }

    #[inline(always)]
    fn key(board: Board, position: &Position) -> [u64; 2] {
        let Position { own, other } = position.canonical(board);
        [own, other]
    }
}

impl Shape for Any {
    const GUARDED: bool = false;
    type Key = [u64; 2];

    #[inline(always)]
    fn row(game: &ConnectFour) -> u32 {
        game.rules.row.into()
    }

    #[inline(always)]
    fn key(board: Board, position: &Position) -> [u64; 2] {
        Tall::<4>::key(board, position)
    }
}

/// The search of one variant.
struct ConnectFourSearch<S> {
    game: ConnectFour,
    squares: Squares,
    /// Every second rank from the top one down. A side gets these squares if it always answers in the file of the other
    /// side's last disc.
    upper: Squares,
    /// The score of a loss when the board is full.
    lost_at_last: i32,
    /// For each file, its negated distance from the middle, in half files.
    centrality: [i32; MAX_MOVES],
    shape: S,
}

/// Creates a search with a transposition table of about `memory` bytes.
pub fn searcher(game: ConnectFour, memory: u64) -> Box<dyn Search<ConnectFour>> {
    match (game.rules.board.ranks, game.rules.row) {
        // Pages download the program, and one search for all boards keeps it small.
        _ if cfg!(target_family = "wasm") => boxed(game, Any, memory),
        (8, 3) => boxed(game, Tall::<3>, memory),
        (8, 4) => boxed(game, Tall::<4>, memory),
        (8, _) => boxed(game, Tall::<5>, memory),
        (_, 3) => boxed(game, Guarded::<3>, memory),
        (_, 4) => match Wide::detected() {
            Some(wide) => boxed(game, WideFour(wide), memory),
            None => boxed(game, Guarded::<4>, memory),
        },
        _ => boxed(game, Guarded::<5>, memory),
    }
}

fn boxed<S: Shape>(game: ConnectFour, shape: S, memory: u64) -> Box<dyn Search<ConnectFour>> {
    Box::new(Solver::new(ConnectFourSearch::new(game, shape), memory))
}

/// Returns the squares that complete a row with `discs`. Some of the squares can be occupied or off the board.
#[inline(always)]
fn completing<S: Shape>(discs: Squares, row: u32) -> Squares {
    let mut squares = 0;
    for direction in DIRECTIONS {
        let step = direction.step;
        // `behind[at]` has the squares with `at` discs directly behind them, and `before[at]` the squares with `at`
        // discs directly before them.
        let (mut behind, mut before) = ([Squares::MAX; 5], [Squares::MAX; 5]);
        for at in 1..row as usize {
            behind[at] = behind[at - 1] & discs << (at as u32 * step);
            before[at] = before[at - 1] & discs >> (at as u32 * step);
        }
        for at in 0..row {
            let missing = behind[at as usize] & before[(row - 1 - at) as usize];
            let on_board = if S::GUARDED { Squares::MAX } else { starts(row, direction.rise) << (at * step) };
            squares |= missing & on_board;
        }
    }
    squares
}

impl<S: Shape> ConnectFourSearch<S> {
    fn new(game: ConnectFour, shape: S) -> ConnectFourSearch<S> {
        let middle = i32::from(game.rules.board.files) - 1;
        let centrality = std::array::from_fn(|file| -(2 * file as i32 - middle).abs());
        let Board { ranks, .. } = game.rules.board;
        let squares = game.rules.board.squares();
        let upper = (0..ranks).filter(|rank| (ranks - rank) % 2 == 1).fold(0, |upper, rank| upper | BOTTOM << rank);
        let lost_at_last = score(Outcome::Loss, game.rules.board.area(), 0);
        ConnectFourSearch { game, squares, upper: upper & squares, lost_at_last, centrality, shape }
    }

    fn board(&self) -> Board {
        self.game.rules.board
    }

    /// Returns the squares on which the next disc can land.
    #[inline(always)]
    fn landings(&self, occupied: Squares) -> Squares {
        if S::GUARDED { (occupied + BOTTOM) & self.squares } else { moves::landings(self.board(), occupied) }
    }

    /// Returns the empty squares that complete a row with `discs`.
    #[inline(always)]
    fn threats(&self, discs: Squares, occupied: Squares) -> Squares {
        completing::<S>(discs, S::row(&self.game)) & self.squares & !occupied
    }

    /// Returns the squares for the next disc after which the other side cannot complete a row at once.
    #[inline(always)]
    fn safe_landings(&self, position: &Position) -> Squares {
        let threats = self.threats(position.other, position.occupied());
        let landings = self.landings(position.occupied());
        let forced = landings & threats;
        let landings = match forced {
            0 => landings,
            _ if forced & (forced - 1) != 0 => 0,
            _ => forced,
        };
        landings & !(threats >> 1)
    }
}

/// Returns the score of a position with `discs` discs that is won or lost in `plies` plies.
fn score(outcome: Outcome, discs: u32, plies: u16) -> i32 {
    Distance::new(outcome, plies).to_score(discs)
}

impl<S: Shape> ConnectFourSearch<S> {
    /// Returns the bound by claimeven (Allis, A Knowledge-based Approach of Connect-Four, 1988), or `None` if there is
    /// no bound of at most `alpha`. If all files have an even number of empty squares, the other side can always answer
    /// in the same file. It then gets the upper square of each pair of empty squares. If all lower squares together
    /// complete no row of the side to move, that side does not win. If, in addition, all upper squares together
    /// complete a row of the other side, the side to move loses, at the latest when the board is full.
    #[inline(always)]
    fn bound_by_follow_up(&self, position: &Position, alpha: i32) -> Option<i32> {
        let occupied = position.occupied();
        if alpha < self.lost_at_last || self.landings(occupied) & self.upper != 0 {
            return None;
        }
        let empty = self.squares & !occupied;
        if self.game.rules.has_row(position.own | empty & !self.upper) {
            return None;
        }
        let lost = self.game.rules.has_row(position.other | empty & self.upper);
        let bound = if lost { self.lost_at_last } else { 0 };
        (bound <= alpha).then_some(bound)
    }
}

impl<S: Shape> AlphaBeta for ConnectFourSearch<S> {
    type Game = ConnectFour;
    type Position = Position;
    /// The index of the file.
    type Move = u8;
    /// The squares on which the next disc can land.
    type Legal = Squares;
    type List = ArrayVec<Candidate<Self>, MAX_MOVES>;
    /// The whole position.
    type Key = S::Key;

    const DEPTHS: Depths =
        Depths { ordering: 0, table: 8, lookahead: 16, interrupt: 12, split: 20, selective: u32::MAX };

    /// About one node in six is stored, so a bucket gets about three entries from 16 nodes. It has room for four or
    /// five.
    const NODES_PER_BUCKET: usize = 16;
    const GROWS_AT_ONCE: bool = true;

    fn rules(&self) -> &ConnectFour {
        &self.game
    }

    fn position(&self, position: &Position) -> Position {
        *position
    }

    fn rules_move(&self, mv: Option<u8>) -> Option<Move> {
        mv.map(Move)
    }

    #[inline(always)]
    fn plies_left(&self, position: &Position) -> u32 {
        (self.squares & !position.occupied()).count_ones()
    }

    #[inline(always)]
    fn key(&self, position: &Position) -> S::Key {
        S::key(self.board(), position)
    }

    /// Returns the score and the file of a move that completes a row. If there is none and no move is safe, returns the
    /// score of a loss in two plies and any legal move. Otherwise returns `None`.
    fn solved_at_once(&self, position: &Position) -> Option<(i32, u8)> {
        let (occupied, landings) = (position.occupied(), self.landings(position.occupied()));
        let discs = occupied.count_ones();
        let file = |landings: Squares| (landings.trailing_zeros() / FILE_STEP) as u8;
        match (landings & self.threats(position.own, occupied), self.safe_landings(position)) {
            (0, 0) => Some((score(Outcome::Loss, discs, 2), file(landings))),
            (0, _) => None,
            (wins, _) => Some((score(Outcome::Win, discs, 1), file(wins))),
        }
    }

    #[inline(always)]
    fn quick_bound(&self, position: &Position, alpha: i32) -> Option<i32> {
        let (discs, left) = (position.occupied().count_ones(), self.plies_left(position));
        if left > 0 && self.safe_landings(position) == 0 {
            return Some(score(Outcome::Loss, discs, 2));
        }
        if left <= 2 {
            return Some(0);
        }
        let (least, most) = (score(Outcome::Loss, discs, LOSS_IN), score(Outcome::Win, discs, WIN_IN));
        if most <= alpha {
            return Some(most);
        }
        if least > alpha {
            return Some(least);
        }
        self.bound_by_follow_up(position, alpha)
    }

    #[inline(always)]
    fn search_node(worker: &mut Worker<Self>, position: Position, alpha: i32) -> i32 {
        S::search_node(worker, position, alpha)
    }

    #[inline(always)]
    fn legal(&self, position: &Position) -> Result<Squares, NoMoves<Position>> {
        Ok(self.safe_landings(position))
    }

    /// Moves that make the most threats come first, then those nearest the middle.
    #[inline(always)]
    fn candidates(&self, position: &Position, mut legal: Squares, first: [u8; 2], _: &mut u64) -> Candidates<Self> {
        let mut candidates = Candidates::new(self.plies_left(position));
        let (occupied, is_forced) = (position.occupied(), legal & (legal - 1) == 0);
        while legal != 0 {
            let disc = legal & legal.wrapping_neg();
            legal &= legal - 1;
            let file = (disc.trailing_zeros() / FILE_STEP) as u8;
            let own = position.own | disc;
            // A forced move needs no priority.
            let threats = if is_forced { 0 } else { self.threats(own, occupied | disc).count_ones() as i32 };
            // The table stores one move for a position and its mirror image. So the code of a move is its file, counted
            // from the nearer edge.
            let code = file.min(self.board().files - 1 - file);
            let priority = match code {
                _ if code == first[0] => 2000,
                _ if code == first[1] => 1000,
                _ => 16 * threats + self.centrality[usize::from(file) % MAX_MOVES],
            };
            candidates.push(Candidate {
                mv: file,
                code,
                position: Position { own: position.other, other: own },
                priority,
            });
        }
        candidates
    }

    /// Asks about early ends of the game first, because the search for a win within few plies is short. If both sides
    /// can still win, asks about the side that can win earlier: does it win in the first half of the plies at which it
    /// still can? If only one side can still win, halves the interval from `lower` to `upper`.
    fn window(&self, lower: i32, upper: i32, _: i32) -> i32 {
        // The number of plies from the end of a won game to the end of the longest game, plus 1; negative for lost
        // games, and 0 for draws.
        let last = 1 + self.lost_at_last;
        let early = |score: i32| score + score.signum() * last;
        let (low, high) = (early(lower), early(upper));
        let asked = match (low < 0, high > 0) {
            (true, true) if -low >= high => low / 2,
            (true, true) => high / 2,
            _ => low + (high - low) / 2,
        };
        asked - asked.signum() * last
    }

    /// Returns the number of buckets in half a MiB, for keys of one word.
    fn buckets(&self, _: u32) -> usize {
        1 << 13
    }

    fn reach(&self, position: &Position) -> Result<(), String> {
        let (empty, most) = (self.plies_left(position), 32);
        let why =
            || format!("a search of every move is feasible up to {most} empty squares; this position has {empty}");
        if empty <= most { Ok(()) } else { Err(why()) }
    }

    fn is_quick(&self, position: &Position) -> bool {
        self.plies_left(position) <= 24
    }

    fn takes_hours(&self, position: &Position) -> bool {
        // With rows of three the first player wins in a few plies.
        self.game.rules.row > 3 && self.plies_left(position) > 42
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_rules::Game;

    /// Closes in on each score that a position with `discs` discs can have, by asking if the score is above the value
    /// of `window`. Returns the largest number of questions that a score takes.
    fn most_questions(code: &str, discs: u32) -> u32 {
        let game = ConnectFour::parse(code).unwrap();
        let left = game.rules.board.area() - discs;
        let search = ConnectFourSearch::new(game, Any);
        let narrow = |[lower, upper]: [i32; 2]| Distance::narrow(lower, upper, discs, left);
        let ends = |outcome| (1..=left as u16).map(move |plies| score(outcome, discs, plies));
        let questions = |score: i32| {
            let (mut bounds, mut count) = (narrow([-256, 256]), 0);
            while bounds[0] < bounds[1] {
                let [lower, upper] = bounds;
                let alpha = search.window(lower, upper, 0);
                assert!((lower..upper).contains(&alpha), "{code} {discs}: {alpha} for {lower} to {upper}");
                bounds = narrow(if score > alpha { [alpha + 1, upper] } else { [lower, alpha] });
                count += 1;
            }
            assert_eq!(bounds, [score; 2], "{code} {discs}");
            count
        };
        ends(Outcome::Win).chain(ends(Outcome::Loss)).chain([0]).map(questions).max().unwrap()
    }

    #[test]
    fn windows_close_in_on_every_score() {
        assert_eq!([0, 20, 41].map(|discs| most_questions("con7x6", discs)), [10, 9, 2]);
        assert!((0..64).all(|discs| most_questions("con8x8", discs) <= 12));
    }

    /// Returns the squares that complete a row with `discs`, found by trying each square.
    fn plain(game: &ConnectFour, discs: Squares) -> Squares {
        let squares = (0..64).map(|bit| 1 << bit).filter(|square| square & game.rules.board.squares() & !discs != 0);
        squares.filter(|square| game.rules.has_row(discs | square)).sum()
    }

    fn check<S: Shape>(row: u32, shape: S) -> u32 {
        let mut found = 0;
        let mut random = fastrand::Rng::with_seed(1);
        for (files, ranks) in (3..=8).flat_map(|files| (3..=8).map(move |ranks| (files, ranks))) {
            let Ok(game) = ConnectFour::parse(&format!("con{files}x{ranks}-k{row}")) else { continue };
            if S::GUARDED && ranks == 8 {
                continue;
            }
            let squares = game.rules.board.squares();
            let search = ConnectFourSearch::new(game, shape);
            for _ in 0..300 {
                let mut next = || random.u64(..);
                let discs = next() & next() & squares | next() & next() & next() & squares;
                if !game.rules.has_row(discs) {
                    let threats = search.threats(discs, discs);
                    assert_eq!(threats, plain(&game, discs), "{files}x{ranks} {row} {discs:x}");
                    found += threats.count_ones();
                }
            }
        }
        found
    }

    #[test]
    fn threats_are_the_squares_that_complete_rows() {
        let guarded = [check(3, Guarded::<3>), check(4, Guarded::<4>), check(5, Guarded::<5>)];
        let tall = [check(3, Tall::<3>), check(4, Tall::<4>), check(5, Tall::<5>)];
        let any = [3, 4, 5].map(|row| check(row, Any));
        let found = [guarded, tall, any];
        assert!(found.iter().flatten().all(|&found| found > 1000), "{found:?}");
    }
}
