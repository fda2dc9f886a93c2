//! Variants and their codes: `pyon[<F>x<R>][A|B]-<pieces>`.
//!
//! Before the dash stands a code of the pyonpyon game: board, and who is looked at after a move. Behind it a letter for
//! each file from `a` on names the piece that Black has there at the start; White's are those of Black turned half
//! round.

use super::board::{Kinds, Position};
use super::kinds::Kind;
use crate::games::pyonpyon::moves::bits;
use crate::games::pyonpyon::{self, Board};
use crate::{Distance, Side, TextError};

/// One variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// Board, start squares and goals.
    pub race: pyonpyon::Rules,
    /// Black's pieces by file; what stands behind the last file is not looked at.
    army: [Kind; 5],
}

impl Rules {
    /// Reads a rule code. Spelled-out defaults are accepted.
    pub fn parse(code: &str) -> Result<Rules, TextError> {
        let bad = |problem: String| TextError::new(format!("rule code \"{code}\""), problem);
        let (race, pieces) = code.split_once('-').ok_or_else(|| bad("has no pieces, as in pyon3x4-PGP".into()))?;
        let race = pyonpyon::Rules::parse(race).map_err(|error| bad(error.problem))?;
        let (files, count) = (usize::from(race.board.files), pieces.chars().count());
        if count != files {
            return Err(bad(format!("has {count} pieces, the board has {files} files")));
        }
        let mut army = [Kind::Pawn; 5];
        for (place, letter) in army.iter_mut().zip(pieces.chars()) {
            let kind = Kind::from_letter(letter);
            *place = kind.ok_or_else(|| bad(format!("\"{letter}\" is no piece; pieces are P, L, N, S, G, B, R")))?;
        }
        Ok(Rules { race, army })
    }

    /// The shortest code of this variant.
    pub fn code(&self) -> String {
        let letters: String = self.kinds().iter().map(|kind| kind.letter()).collect();
        format!("{}-{letters}", self.race.code())
    }

    /// Black's pieces by file.
    pub fn kinds(&self) -> &[Kind] {
        &self.army[..usize::from(self.race.board.files)]
    }

    /// Every setting in words.
    pub fn settings(&self) -> Vec<(&'static str, String)> {
        let Board { files, ranks } = self.race.board;
        let names: Vec<&str> = self.kinds().iter().map(|kind| kind.name()).collect();
        vec![
            ("game", "pyonpyon with shogi pieces".into()),
            ("board", format!("{files} files x {ranks} ranks")),
            ("pieces", format!("{}, by Black's files; White's are turned half round", names.join(" "))),
            ("goals", format!("rank 1 for Black, rank {ranks} for White")),
            ("win", self.race.reading.words().into()),
            ("no move", "nobody wins if the side to move has none".into()),
            ("repetition", "a position that neither side can force is a draw".into()),
        ]
    }

    /// The start: each side sees its own pieces as the other sees its own. Black is to move.
    pub fn start(&self) -> Position {
        let board = self.race.board;
        let squares = self.race.start();
        let mut kinds = Kinds::default();
        for bit in bits(squares.own) {
            let (file, _) = board.file_and_rank(bit);
            kinds.put(bit, self.army[usize::from(file)]);
        }
        let kinds = kinds.and(kinds.map(|squares| board.turned(squares)));
        Position { own: squares.own, other: squares.other, kinds, side: Side::Black }
    }

    /// The value for the side to move of a position in which a side has its pattern. What the pieces are makes no
    /// difference.
    #[inline]
    pub fn end(&self, position: &Position) -> Option<Distance> {
        let Position { own, other, side, .. } = *position;
        self.race.end(&pyonpyon::Position { own, other, side })
    }
}
