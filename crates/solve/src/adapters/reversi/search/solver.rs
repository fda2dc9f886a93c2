//! Exact scores by a row of questions with null windows.

use super::field::Field;
use super::kernel::{Kernel, Portable};
use super::memory::Memory;
use super::outlook::{BOUNDLESS, DISC, outlook};
use super::split::Split;
use super::worker::Worker;
use crate::{Search, Solution};
use yomikiri_rules::game::Game;
use yomikiri_rules::games::reversi::Reversi;
use yomikiri_rules::games::reversi::board::Position;
use yomikiri_rules::games::reversi::moves::{self, Move};
use yomikiri_rules::games::reversi::wide::Wide;
use yomikiri_rules::value::Score;
use yomikiri_table::progress::Progress;
use yomikiri_table::progress::SHARES;

/// Searches positions of one variant.
pub struct Solver {
    game: Reversi,
    field: Field,
    memory: Memory,
}

/// What a search with a null window found.
struct Asked {
    /// A bound of the score.
    score: i32,
    /// The move that gives it.
    best: Move,
    nodes: u64,
}

/// What is known of the score of a position.
struct Bounds {
    lower: i32,
    upper: i32,
    /// A move that gives at least the lower bound.
    best: Move,
}

impl Solver {
    /// A search that remembers positions in about so many bytes.
    pub fn new(game: Reversi, memory: u64) -> Solver {
        Solver { game, field: Field::new(&game.rules), memory: Memory::new(memory) }
    }

    /// Searches with the null window above `alpha`.
    fn ask(&self, position: &Position, alpha: i32, progress: &dyn Progress) -> Asked {
        match Wide::detected() {
            Some(wide) => self.ask_with(wide, position, alpha, progress),
            None => self.ask_with(Portable, position, alpha, progress),
        }
    }

    fn ask_with<K: Kernel>(&self, kernel: K, position: &Position, alpha: i32, progress: &dyn Progress) -> Asked {
        let split = Split::root();
        let mut worker = Worker::new(kernel, &self.field, &self.memory, &split, progress, SHARES);
        let (score, best) = match moves::legal(self.field.board, position) {
            0 => (-worker.search(position.other, position.own, !alpha), Move::Pass),
            _ => {
                let (score, square) = worker.search_root(position.own, position.other, alpha);
                (score, Move::Place(square))
            }
        };
        Asked { score, best, nodes: worker.nodes }
    }

    fn any_move(&self, position: &Position) -> Move {
        let legal = moves::each(moves::legal(self.field.board, position));
        legal.map(Move::Place).next().unwrap_or(Move::Pass)
    }

    fn empty_squares(&self, position: &Position) -> u32 {
        self.field.empty(position.own, position.other).count_ones()
    }

    /// Whether positions of this board have more moves than those of 6x6.
    fn is_large(&self) -> bool {
        self.field.area > 36
    }

    /// A score to ask about first.
    fn guess(&self, position: &Position) -> i32 {
        let field = &self.field;
        let outlook = outlook(Portable, field, [position.own, position.other], 1, [-BOUNDLESS, BOUNDLESS]);
        (outlook / DISC).clamp(-field.area / 2, field.area / 2)
    }

    /// Asks until both bounds meet, from a guess by steps of 2, 2, 4, 8 and so on as long as all answers point the same
    /// way. Scores of full boards of even size are even.
    fn close_in(&self, position: &Position, nodes: &mut u64, progress: &dyn Progress) -> Bounds {
        let mut bounds = Bounds { lower: -self.field.area, upper: self.field.area, best: self.any_move(position) };
        let mut guess = self.guess(position);
        let mut answers = [0u32; 2];
        while bounds.lower < bounds.upper {
            let alpha = guess.clamp(bounds.lower + 1, bounds.upper) - 1;
            progress.begin(&format!("score above {alpha:+}"), SHARES);
            let asked = self.ask(position, alpha, progress);
            *nodes += asked.nodes;
            let more = asked.score > alpha;
            match more {
                true => (bounds.lower, bounds.best) = (asked.score, asked.best),
                false => bounds.upper = asked.score,
            }
            let answer = if more { "yes, at least" } else { "no, at most" };
            progress.end(&format!("{answer} {:+} ({:.1} million positions)", asked.score, asked.nodes as f64 / 1e6));
            answers[usize::from(more)] += 1;
            let step = match answers {
                [0, same] | [same, 0] => 1 << (same - 1).clamp(1, 6),
                _ => 1,
            };
            guess = if more { asked.score + step } else { asked.score - step + 1 };
        }
        bounds
    }
}

impl Search<Reversi> for Solver {
    fn solve(&self, position: &Position, progress: &dyn Progress) -> Solution<Reversi> {
        if let Some(value) = self.game.end(position) {
            return Solution { value, best: None, nodes: 0 };
        }
        self.memory.begin(self.empty_squares(position));
        let mut nodes = 0;
        let bounds = self.close_in(position, &mut nodes, progress);
        Solution { value: Score::new(bounds.lower), best: Some(bounds.best), nodes }
    }

    fn reach(&self, position: &Position) -> Result<(), String> {
        let (empty, most) = (self.empty_squares(position), if self.is_large() { 20 } else { 24 });
        let why =
            || format!("a search of every move takes at most {most} empty squares on this board, here are {empty}");
        if empty <= most { Ok(()) } else { Err(why()) }
    }

    fn is_quick(&self, position: &Position) -> bool {
        self.empty_squares(position) <= if self.is_large() { 16 } else { 20 }
    }

    fn takes_hours(&self, position: &Position) -> bool {
        self.is_large() && self.empty_squares(position) > 26
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adapters::reversi::search::stable::stable_discs;
    use yomikiri_table::progress::Silent;

    /// The position so many discs before the board is full, after moves that depend on `seed`; `None` if the game ends
    /// before.
    fn late(game: &Reversi, empty: u32, seed: u64) -> Option<Position> {
        let (mut position, mut seed) = (game.start(), seed);
        while game.rules.board.area() - position.occupied().count_ones() > empty {
            let mut moves = Vec::new();
            game.moves(&position, &mut moves);
            seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            position = game.play(&position, *moves.get((seed >> 33) as usize % moves.len().max(1))?);
        }
        game.end(&position).is_none().then_some(position)
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn both_kernels_do_the_same() {
        let wide = Wide::detected().expect("an x86-64 machine with AVX2, BMI, LZCNT and POPCNT to test their code on");
        let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let mut compared = 0;
        for code in ["rev8x8", "rev8x8-w", "rev6x6", "rev5x7", "rev8x3", "rev3x8-p"] {
            let game = Reversi::parse(code).unwrap();
            for (empty, seed) in (0..60).map(|seed| (3 + seed as u32 % 12, seed)) {
                let Some(position) = late(&game, empty, seed) else { continue };
                let found = |wide: Option<Wide>| {
                    let solver = Solver::new(game, 1 << 20);
                    let alpha = seed as i32 % 7 - 3;
                    one_thread.install(|| match wide {
                        Some(wide) => solver.ask_with(wide, &position, alpha, &Silent),
                        None => solver.ask_with(Portable, &position, alpha, &Silent),
                    })
                };
                let [portable, wide] = [None, Some(wide)].map(found);
                let told = |asked: Asked| (asked.score, asked.best, asked.nodes);
                assert_eq!(told(portable), told(wide), "{code}: {}", game.position_text(&position));
                compared += 1;
            }
        }
        assert!(compared > 250, "{compared}");
    }

    #[test]
    fn stable_discs_are_never_turned() {
        let mut seen = 0;
        for (code, seed) in ["rev8x8", "rev5x6", "rev3x7", "rev6x6-p"].into_iter().flat_map(|code| {
            let seeds = 0..150;
            seeds.map(move |seed| (code, seed))
        }) {
            let game = Reversi::parse(code).unwrap();
            let field = Field::new(&game.rules);
            let Some(mut position) = late(&game, 12, seed) else { continue };
            let discs = [position.own, position.other];
            let stable = [stable_discs(&field, discs[0], discs[1]), stable_discs(&field, discs[1], discs[0])];
            let mover = position.side;
            seen += (stable[0] | stable[1]).count_ones();
            let mut seed = seed;
            while game.end(&position).is_none() {
                let mut moves = Vec::new();
                game.moves(&position, &mut moves);
                seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(3);
                position = game.play(&position, moves[(seed >> 33) as usize % moves.len()]);
                for (stable, side) in stable.into_iter().zip([mover, mover.other()]) {
                    assert_eq!(stable & !position.discs(side), 0, "{code}: {}", game.position_text(&position));
                }
            }
        }
        assert!(seen > 1000, "{seen}");
    }
}
