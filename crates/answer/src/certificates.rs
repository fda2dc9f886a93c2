//! Answers from certificates: who wins and how, where nothing says how soon.

use std::path::{Path, PathBuf};

use super::oracle::{Oracle, Source};
use yomikiri_rules::game::Game;
use yomikiri_rules::value::Side;
use yomikiri_solve::{Solvable, SolveError, Strategy};
use yomikiri_table::progress::Progress;
use yomikiri_table::source::open_file;
use yomikiri_table::{Table, TableError, name};

/// Memory of all positions below one that are solved in the time in which a certificate is read.
const FEW: u64 = 2 << 20;

/// The certificates of one game that lie in a folder.
pub struct Certificates<'a, G: Game> {
    game: &'a G,
    strategies: Vec<Box<dyn Strategy<G>>>,
}

/// A legal move, the position after it, and who wins that, where it is known.
pub struct JudgedMove<G: Game> {
    pub mv: G::Move,
    pub position: G::Position,
    pub winner: Option<Side>,
}

impl<'a, G: Solvable> Certificates<'a, G> {
    /// Reads them. A damaged one is an error.
    pub fn open(game: &'a G, folder: &Path) -> Result<Self, TableError> {
        let paths = name::all_proofs(folder, &game.code());
        let read = |path: &PathBuf| game.strategy(&mut open_file(path)?, path);
        let strategies = paths.iter().map(read).collect::<Result<_, _>>()?;
        Ok(Certificates { game, strategies })
    }

    /// These alone.
    pub fn of(game: &'a G, strategies: Vec<Box<dyn Strategy<G>>>) -> Self {
        Certificates { game, strategies }
    }

    /// None at all.
    pub fn none(game: &'a G) -> Self {
        Certificates { game, strategies: Vec::new() }
    }

    /// Who wins a position, where that is known.
    pub fn winner(&self, position: &G::Position) -> Option<Side> {
        self.strategies.iter().find_map(|strategy| strategy.winner(position))
    }

    /// A move that wins for the side to move, where one is known.
    pub fn winning_move(&self, position: &G::Position) -> Option<G::Move> {
        self.strategies.iter().find_map(|strategy| strategy.winning_move(position))
    }

    /// All moves, those first that are known to win, and those last that are known to lose.
    pub fn moves(&self, position: &G::Position) -> Vec<JudgedMove<G>> {
        let (mut legal, mover) = (Vec::new(), self.game.side(position));
        self.game.moves(position, &mut legal);
        let judged = legal.into_iter().map(|mv| {
            let position = self.game.play(position, mv);
            JudgedMove { mv, position, winner: self.winner(&position) }
        });
        let mut moves: Vec<JudgedMove<G>> = judged.collect();
        moves.sort_by_key(|mv| mv.winner.map_or(1, |winner| if winner == mover { 0 } else { 2 }));
        moves
    }

    /// A game from a position whose winner is known to one that is not known any more, or to its end: the winner makes moves that win,
    /// the loser the first there is.
    pub fn line(&self, position: &G::Position) -> Vec<(G::Move, G::Position)> {
        let (mut line, mut here, mut legal) = (Vec::new(), *position, Vec::new());
        while self.winner(&here).is_some() {
            self.game.moves(&here, &mut legal);
            let Some(mv) = self.winning_move(&here).or(legal.first().copied()) else { break };
            here = self.game.play(&here, mv);
            line.push((mv, here));
        }
        line
    }
}

/// What answers about a position.
pub enum Knower<'a, G: Game> {
    /// Exact values.
    Exact(Oracle<'a, G>),
    /// Who wins, where values are out of reach.
    Certified(Certificates<'a, G>),
}

impl<'a, G: Solvable> Knower<'a, G> {
    /// Finds out what answers about `position`: a table, all positions below it if they are few, a certificate, or else what
    /// [`Oracle::find`] finds with so many bytes of memory. Damaged files are errors.
    pub fn find(
        game: &'a G,
        folder: &Path,
        position: &G::Position,
        memory: u64,
        progress: &'a dyn Progress,
    ) -> Result<Self, SolveError> {
        match Oracle::by_table(game, folder, position)? {
            Some(oracle) => Ok(Knower::Exact(oracle)),
            None => Knower::beyond_tables(Certificates::open(game, folder)?, folder, position, memory, progress),
        }
    }

    /// As [`Knower::find`], with a table and certificates that are open.
    pub fn among(
        table: Option<Table>,
        certificates: Certificates<'a, G>,
        position: &G::Position,
        memory: u64,
        progress: &'a dyn Progress,
    ) -> Result<Self, SolveError> {
        let oracle = table.map(|table| Oracle { game: certificates.game, source: Source::Table(table) });
        match oracle {
            Some(oracle) if oracle.known(position)?.is_some() => Ok(Knower::Exact(oracle)),
            _ => Knower::beyond_tables(certificates, Path::new(""), position, memory, progress),
        }
    }

    fn beyond_tables(
        certificates: Certificates<'a, G>,
        folder: &Path,
        position: &G::Position,
        memory: u64,
        progress: &'a dyn Progress,
    ) -> Result<Self, SolveError> {
        let is_certified = certificates.winner(position).is_some();
        let memory = if is_certified { memory.min(FEW) } else { memory };
        match Oracle::beyond_tables(certificates.game, folder, position, memory, progress) {
            Err(SolveError::TooLarge(_)) if is_certified => Ok(Knower::Certified(certificates)),
            found => found.map(Knower::Exact),
        }
    }
}
