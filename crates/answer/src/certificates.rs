//! The certificates of one game, and its opening: winners and winning moves.

use std::path::{Path, PathBuf};

use super::oracle::{Source, Trust};
use yomikiri_rules::{AnyGame, AnyMove, AnyPosition, Game, Side};
use yomikiri_search::Searchable;
use yomikiri_search::Strategy;
use yomikiri_search::opening::OpeningFile;
use yomikiri_table::{Location, Result, TableError, name};

/// The certificates of one game at a location, and the opening of that game if
/// [`Certificates::add_opening`] was called.
pub struct Certificates<'a> {
    game: &'a AnyGame,
    strategies: Vec<CheckedStrategy>,
    /// The error of the first file that could not be opened. It counts only for positions that no other file knows.
    refused: Option<TableError>,
}

/// A certificate or an opening.
struct CheckedStrategy {
    strategy: Box<dyn Strategy<AnyGame>>,
    /// The path of the file if it has not passed `yomikiri check` at its location, else `None`.
    unchecked: Option<PathBuf>,
}

impl CheckedStrategy {
    fn source(&self) -> (Source, Trust) {
        let source = if self.strategy.is_opening() { Source::Opening } else { Source::Certificate };
        (source, Trust::of(self.unchecked.is_none()))
    }
}

impl<'a> Certificates<'a> {
    /// Wraps certificates and openings that the caller vouches for. They count as checked.
    pub(super) fn of(game: &'a AnyGame, strategies: impl IntoIterator<Item = Box<dyn Strategy<AnyGame>>>) -> Self {
        let strategies = strategies.into_iter().map(|strategy| CheckedStrategy { strategy, unchecked: None });
        Certificates { game, strategies: strategies.collect(), refused: None }
    }

    /// Opens the certificates of `game` at `location`. A damaged certificate is an error only for positions that no
    /// other file knows.
    pub fn open(game: &'a AnyGame, location: impl Into<Location>) -> Self {
        let location = &location.into();
        let mut certificates = Certificates { game, strategies: Vec::new(), refused: None };
        for path in name::all_proofs(location, &game.code()) {
            let strategy = location.open(&path).and_then(|file| game.strategy(file, &path));
            certificates.add(strategy, path, location);
        }
        certificates
    }

    /// Adds the opening at the location, if there is one. Certificates take precedence over the opening.
    pub fn add_opening(&mut self, location: &Location) {
        if let Some(path) = name::opening_at(location, &self.game.code()) {
            let opening = location.open(&path).and_then(|file| OpeningFile::open(self.game, file, &path));
            self.add(opening.map(|opening| Box::new(opening) as _), path, location);
        }
    }

    fn add(&mut self, strategy: Result<Box<dyn Strategy<AnyGame>>>, path: PathBuf, location: &Location) {
        match strategy {
            Ok(strategy) => {
                let unchecked = (!location.is_checked(&path, strategy.hash())).then_some(path);
                self.strategies.push(CheckedStrategy { strategy, unchecked });
            }
            Err(error) => self.refused = self.refused.take().or(Some(error)),
        }
    }

    /// Returns the winner of a position, or `None` if it is not known. A file that could not be opened is an error if
    /// no other knows the winner.
    pub fn winner(&self, position: &AnyPosition) -> Result<Option<Side>> {
        match (self.known_winner(position)?, &self.refused) {
            (None, Some(error)) => Err(error.again()),
            (known, _) => Ok(known),
        }
    }

    /// Like [`Certificates::winner`], but files that could not be opened do not matter.
    pub fn known_winner(&self, position: &AnyPosition) -> Result<Option<Side>> {
        self.first_known(|listed| listed.strategy.winner(position))
    }

    /// Returns the winner of a position beyond the horizon of a certificate. Such a position is so near the end that a
    /// short search decides it. Returns `None` for any other position, and if the search cannot tell a win from a draw.
    pub fn winner_near_end(&self, position: &AnyPosition) -> Option<Side> {
        self.strategies.iter().find_map(|listed| listed.strategy.winner_near_end(position))
    }

    /// Returns the source that names the winner of a position, and the [`Trust`] in that source. The winner must be
    /// known ([`Certificates::winner`]).
    pub fn source(&self, position: &AnyPosition) -> Result<(Source, Trust)> {
        let source = self.naming(position)?.map(CheckedStrategy::source);
        Ok(source.unwrap_or((Source::Certificate, Trust::Unchecked)))
    }

    /// Returns the path of the file that names the winner of a position, if that file is unchecked. Returns `None` if
    /// it is checked, or if the winner is not known.
    pub fn unchecked_file(&self, position: &AnyPosition) -> Result<Option<&Path>> {
        Ok(self.naming(position)?.and_then(|listed| listed.unchecked.as_deref()))
    }

    /// Returns the certificate or opening that names the winner of a position, or `None` if the winner is not known.
    fn naming(&self, position: &AnyPosition) -> Result<Option<&CheckedStrategy>> {
        self.first_known(|listed| Ok(listed.strategy.winner(position)?.map(|_| listed)))
    }

    /// Returns a winning move for the side to move, or `None` if no winning move is known.
    pub fn winning_move(&self, position: &AnyPosition) -> Result<Option<AnyMove>> {
        self.first_known(|listed| listed.strategy.winning_move(position))
    }

    /// Returns true if the side to move is known to win the position, but no winning move is known. This happens in the
    /// last ply of an opening, because the opening does not tell who wins after the next move.
    pub fn lack_move(&self, position: &AnyPosition) -> Result<bool> {
        Ok(self.winner(position)? == Some(self.game.side(position)) && self.winning_move(position)?.is_none())
    }

    /// Returns a line of at most `most` plies: each move with the position after it. The winner makes winning moves;
    /// the loser makes its first legal move. The line ends when the game is over, or when the winner or a winning move
    /// is no longer known.
    pub fn line(&self, position: &AnyPosition, most: usize) -> Result<Vec<(AnyMove, AnyPosition)>> {
        let (mut line, mut here, mut legal) = (Vec::new(), *position, Vec::new());
        while line.len() < most
            && let Some(winner) = self.winner(&here)?
        {
            let mv = if winner == self.game.side(&here) {
                self.winning_move(&here)?
            } else {
                self.game.moves(&here, &mut legal);
                legal.first().copied()
            };
            let Some(mv) = mv else { break };
            here = self.game.play(&here, mv);
            line.push((mv, here));
        }
        Ok(line)
    }

    /// Asks the certificates and the opening in turn. Returns the first answer or error, or `Ok(None)` if none of them
    /// knows an answer.
    fn first_known<'s, T>(
        &'s self,
        mut ask: impl FnMut(&'s CheckedStrategy) -> Result<Option<T>>,
    ) -> Result<Option<T>> {
        self.strategies.iter().find_map(|listed| ask(listed).transpose()).transpose()
    }
}
