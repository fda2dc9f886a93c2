//! Reversi for alpha-beta search. Scores are final differences of discs.

use arrayvec::ArrayVec;

use super::eval::{BOUNDLESS, DISC};
use super::machine::{
    Discs, EmptySquares, Machine, ORDERED_BY_SEARCH, PatternPosition, Recent, ReversiSearch, WeightedBoard, Worker,
};
use super::machines::Portable;
use super::masks::BoardMasks;
use super::order;
use crate::Search;
use crate::adapters::reversi::weights::Weights;
use crate::alphabeta::{AlphaBeta, Candidate, Candidates, Depths, NoMoves, Solver};
use yomikiri_rules::games::reversi::Reversi;
use yomikiri_rules::games::reversi::board::{Position, Squares};
use yomikiri_rules::games::reversi::moves::Move;
use yomikiri_rules::games::reversi::rules::Empties;
use yomikiri_rules::wide::Wide;

/// The depth, in plies, of a search with pattern weights for the first guess of a score. A second search is one ply
/// deeper, and the guess is the mean of both results.
const GUESSED: u32 = 4;

/// The minimum number of empty squares at which selective searches come before the exact search.
const GUESSED_FROM: u32 = 14;

/// The number of discs by which an evaluation must differ from `alpha` for a cutoff, indexed by the level of the
/// selective search minus 1.
const MARGINS: [i32; 5] = [20, 16, 12, 8, 4];
/// [`MARGINS`] for boards of at most 36 squares, where evaluations are more accurate.
const SMALL_MARGINS: [i32; 4] = [12, 9, 6, 3];

/// The size in bytes of the table of positions with few empty squares.
const RECENT: u64 = 256 << 10;

/// The maximum number of moves of a position.
const MAX_MOVES: usize = 64;

/// Creates a search with a transposition table of about `memory` bytes, and with the fastest code for the machine.
pub fn searcher(game: Reversi, memory: u64) -> Box<dyn Search<Reversi>> {
    match Wide::detected() {
        Some(wide) => Box::new(ReversiSearch::solver(game, wide, memory)),
        None => Box::new(ReversiSearch::solver(game, Portable, memory)),
    }
}

impl<K: Machine> ReversiSearch<K> {
    fn solver(game: Reversi, machine: K, memory: u64) -> Solver<Self> {
        let recent = Recent::new(RECENT);
        recent.begin(RECENT as usize);
        Solver::new(ReversiSearch { game, masks: BoardMasks::new(&game.rules), machine, recent }, memory)
    }

    /// Returns true if the board is larger than 6x6.
    fn is_large(&self) -> bool {
        self.masks.area > 36
    }

    #[inline(always)]
    fn margins(&self) -> &'static [i32] {
        if self.is_large() { &MARGINS } else { &SMALL_MARGINS }
    }
}

impl<K: Machine> AlphaBeta for ReversiSearch<K> {
    type Game = Reversi;
    type Position = Discs;
    /// The bit index of the square.
    type Move = u8;
    type Legal = Squares;
    type List = ArrayVec<Candidate<Self>, MAX_MOVES>;
    /// The whole position.
    type Key = [u64; 2];

    const DEPTHS: Depths =
        Depths { ordering: 9, table: 9, lookahead: 10, interrupt: 12, split: 15, selective: ORDERED_BY_SEARCH };

    fn rules(&self) -> &Reversi {
        &self.game
    }

    fn position(&self, position: &Position) -> Discs {
        Discs { own: position.own, other: position.other }
    }

    fn rules_move(&self, mv: Option<u8>) -> Option<Move> {
        Some(mv.map_or(Move::Pass, Move::Place))
    }

    /// Returns the number of empty squares.
    #[inline(always)]
    fn plies_left(&self, discs: &Discs) -> u32 {
        self.masks.empty(discs.own, discs.other).count_ones()
    }

    #[inline(always)]
    fn key(&self, discs: &Discs) -> [u64; 2] {
        [discs.own, discs.other]
    }

    #[inline(always)]
    fn legal(&self, discs: &Discs) -> Result<Squares, NoMoves<Discs>> {
        let &Discs { own, other } = discs;
        match self.masks.legal(own, other) {
            0 if self.masks.legal(other, own) == 0 => Err(NoMoves::Terminal(self.masks.final_score(own, other))),
            0 => Err(NoMoves::Pass(discs.passed())),
            legal => Ok(legal),
        }
    }

    #[inline(always)]
    fn candidates(&self, discs: &Discs, legal: Squares, first: [u8; 2], nodes: &mut u64) -> Candidates<Self> {
        order::candidates(self, *discs, legal, first, nodes)
    }

    /// Returns the upper bound that follows from the other side's stable discs, or `None` if the bound is above
    /// `alpha`.
    #[inline(always)]
    fn bound(&self, &Discs { own, other }: &Discs, alpha: i32) -> Option<i32> {
        self.masks.stable_bound(own, other, alpha)
    }

    #[inline(always)]
    fn search_node(worker: &mut Worker<K>, discs: Discs, alpha: i32) -> i32 {
        worker.game.machine.search_node(worker, discs, alpha)
    }

    #[inline(always)]
    fn endgame(worker: &mut Worker<K>, discs: Discs, alpha: i32) -> i32 {
        let masks = &worker.game.masks;
        let all = masks.empty(discs.own, discs.other);
        match all.count_ones() {
            0..4 => worker.fewer_than_four(discs, alpha),
            _ => worker.few(discs, alpha, EmptySquares { all, odd: masks.odd(all) }),
        }
    }

    fn parity(&self) -> Option<i32> {
        (self.game.rules.empties == Empties::Winner && self.masks.area % 2 == 0).then_some(0)
    }

    fn range(&self, _: &Discs) -> [i32; 2] {
        [-self.masks.area, self.masks.area]
    }

    fn evaluate(&self, discs: &Discs) -> i32 {
        let window = [-BOUNDLESS, BOUNDLESS];
        // An evaluation favours the side that made the last move of the search, so take the mean of an even and an odd
        // depth.
        let eval = match self.weights(self.plies_left(discs)) {
            None => self.machine.eval(&self.masks, *discs, 1, window),
            Some(weights) => {
                let board = WeightedBoard { weights, masks: &self.masks };
                let seen = PatternPosition::new(weights, *discs);
                let look = |depth| self.machine.look(board, &seen, depth, window, &mut 0);
                (look(GUESSED) + look(GUESSED + 1)) / 2
            }
        };
        (eval / DISC).clamp(-self.masks.area / 2, self.masks.area / 2)
    }

    fn selective_levels(&self, discs: &Discs) -> u8 {
        let empty = self.plies_left(discs);
        if empty >= GUESSED_FROM && self.weights(empty).is_some() { self.margins().len() as u8 } else { 0 }
    }

    /// Returns the key of a position for a selective search: both words are inverted, and the level is mixed into the
    /// bits of `own` in the second word. The inversion sets the bit of each empty square in both words. No key of an
    /// exact search has such a bit.
    #[inline(always)]
    fn selective_key(&self, &Discs { own, other }: &Discs, level: u8) -> [u64; 2] {
        const EVERY_THIRD: Squares = 0x9249_2492_4924_9249;
        [!own, !other ^ own & EVERY_THIRD.wrapping_mul(level.into())]
    }

    #[inline(always)]
    fn probcut(&self, level: u8, candidates: &Candidates<Self>, alpha: i32) -> Option<i32> {
        let above = candidates.estimate? - alpha * DISC;
        let margin = self.margins()[usize::from(level) - 1] * DISC;
        if above.abs() <= margin { None } else { Some(alpha + i32::from(above > 0)) }
    }

    /// Returns the number of buckets in 2 MiB for 20 empty squares, and twice as many for each further empty square.
    fn buckets(&self, empty: u32) -> usize {
        1 << empty.saturating_sub(6).min(usize::BITS - 2)
    }

    fn reach(&self, discs: &Discs) -> Result<(), String> {
        let (empty, most) = (self.plies_left(discs), if self.is_large() { 20 } else { 24 });
        let why = || {
            format!(
                "a search of every move is feasible up to {most} empty squares on this board; this position has {empty}"
            )
        };
        if empty <= most { Ok(()) } else { Err(why()) }
    }

    fn is_quick(&self, discs: &Discs) -> bool {
        self.plies_left(discs) <= if self.is_large() { 16 } else { 20 }
    }

    fn takes_hours(&self, discs: &Discs) -> bool {
        self.is_large() && self.plies_left(discs) > 26
    }
}

/// Returns the evaluation of a position for the side to move after a search of `depth` plies, in eighths of a disc.
/// Used to fit weights.
pub fn searched_eval(game: &Reversi, weights: &Weights, position: &Position, depth: u32) -> i32 {
    let masks = BoardMasks::new(&game.rules);
    let board = WeightedBoard { weights, masks: &masks };
    let seen = PatternPosition::new(weights, Discs { own: position.own, other: position.other });
    let window = [-BOUNDLESS, BOUNDLESS];
    match Wide::detected() {
        Some(wide) => wide.look(board, &seen, depth, window, &mut 0),
        None => Portable.look(board, &seen, depth, window, &mut 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adapters::reversi::search::stable::stable_discs;
    use crate::alphabeta::WindowResult;
    use yomikiri_rules::{Game, Notation};
    use yomikiri_table::Silent;

    /// Returns the position after a random move; `None` if there is no move.
    fn after_a_move(game: &Reversi, position: &Position, random: &mut fastrand::Rng) -> Option<Position> {
        let moves = game.legal_moves(position);
        random.choice(moves).map(|mv| game.play(position, mv))
    }

    /// Returns a random position with `empty` empty squares; `None` if the game ends earlier.
    fn late(game: &Reversi, empty: u32, random: &mut fastrand::Rng) -> Option<Position> {
        let mut position = game.start();
        while game.rules.board.area() - position.occupied().count_ones() > empty {
            position = after_a_move(game, &position, random)?;
        }
        game.terminal_value(&position).is_none().then_some(position)
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn both_kernels_do_the_same() {
        let wide = Wide::detected().expect("an x86-64 machine with AVX2, BMI, LZCNT and POPCNT to test their code on");
        let one_thread = yomikiri_table::threads::pool(1).unwrap();
        let mut compared = 0;
        for code in ["rev8x8", "rev8x8-w", "rev7x6", "rev6x6", "rev5x7", "rev8x3", "rev3x8-p"] {
            let game = Reversi::parse(code).unwrap();
            let mut random = fastrand::Rng::with_seed(1);
            for number in 0..60 {
                let Some(position) = late(&game, 3 + number % 12, &mut random) else { continue };
                let found = |wide: Option<Wide>| {
                    let alpha = number as i32 % 7 - 3;
                    one_thread.install(|| match wide {
                        Some(wide) => ReversiSearch::solver(game, wide, 1 << 20).null_window(&position, alpha, &Silent),
                        None => ReversiSearch::solver(game, Portable, 1 << 20).null_window(&position, alpha, &Silent),
                    })
                };
                let [portable, wide] = [None, Some(wide)].map(found);
                let told = |answer: WindowResult<Move>| (answer.score, answer.best, answer.nodes);
                assert_eq!(told(portable), told(wide), "{code}: {}", game.position_text(&position));
                compared += 1;
            }
        }
        assert!(compared > 250, "{compared}");
    }

    #[test]
    fn stable_discs_are_never_turned() {
        let (mut seen, mut random) = (0, fastrand::Rng::with_seed(1));
        for code in ["rev8x8", "rev5x6", "rev3x7", "rev6x6-p"].into_iter().cycle().take(600) {
            let game = Reversi::parse(code).unwrap();
            let masks = BoardMasks::new(&game.rules);
            let Some(mut position) = late(&game, 12, &mut random) else { continue };
            let (mover, [own, other]) = (position.side, [position.own, position.other]);
            let stable = [stable_discs(&masks, own, other), stable_discs(&masks, other, own)];
            seen += (stable[0] | stable[1]).count_ones();
            while let Some(next) = after_a_move(&game, &position, &mut random) {
                position = next;
                for (stable, side) in stable.into_iter().zip([mover, mover.other()]) {
                    assert_eq!(stable & !position.discs(side), 0, "{code}: {}", game.position_text(&position));
                }
            }
        }
        assert!(seen > 1000, "{seen}");
    }
}
