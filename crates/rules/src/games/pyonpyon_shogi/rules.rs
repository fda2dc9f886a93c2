//! Variants and their codes: `pyon[<F>x<R>][A|B]-<pieces>`.
//!
//! The part before the dash is a code of the pyonpyon game: the board, and the reading of the rule about wins. The
//! letters after the dash are Black's pieces at the start, one for each file from `a` on. White has the same pieces,
//! rotated by 180 degrees.

use super::board::{Kinds, Position};
use super::kinds::Kind;
use crate::bits::set_bits;
use crate::games::pyonpyon::{self, Board};
use crate::{Distance, Side, TextError};

/// One variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// The board, the starting squares and the goals.
    pub base: pyonpyon::Rules,
    /// Black's pieces by file. Entries beyond the last file are unused.
    army: [Kind; 5],
}

impl Rules {
    /// Reads a rule code. Defaults may be spelled out.
    pub fn parse(code: &str) -> Result<Rules, TextError> {
        let bad = |problem: String| TextError::new(format!("rule code \"{code}\""), problem);
        let (base, pieces) =
            code.split_once('-').ok_or_else(|| bad("has no pieces; write them as in pyon3x4-PGP".into()))?;
        let base = pyonpyon::Rules::parse(base).map_err(|error| bad(error.problem))?;
        let (files, count) = (usize::from(base.board.files), pieces.chars().count());
        if count != files {
            return Err(bad(format!("has {count} pieces, but the board has {files} files")));
        }
        let mut army = [Kind::Pawn; 5];
        for (place, letter) in army.iter_mut().zip(pieces.chars()) {
            let kind = Kind::from_letter(letter);
            *place = kind.ok_or_else(|| bad(format!("\"{letter}\" is not a piece; pieces are P, L, N, S, G, B, R")))?;
        }
        Ok(Rules { base, army })
    }

    /// Returns the shortest code of this variant.
    pub fn code(&self) -> String {
        let letters: String = self.kinds().iter().map(|kind| kind.letter()).collect();
        format!("{}-{letters}", self.base.code())
    }

    /// Black's pieces by file.
    pub fn kinds(&self) -> &[Kind] {
        &self.army[..usize::from(self.base.board.files)]
    }

    /// Returns all settings, defaults included, as pairs of name and value. The first is `game`.
    pub fn settings(&self) -> Vec<(&'static str, String)> {
        let Board { files, ranks } = self.base.board;
        let names: Vec<&str> = self.kinds().iter().map(|kind| kind.name()).collect();
        vec![
            ("game", "pyonpyon with shogi pieces".into()),
            ("board", format!("{files} files x {ranks} ranks")),
            ("pieces", format!("{}, by Black's files; White has the same, rotated by 180 degrees", names.join(" "))),
            ("goals", format!("rank 1 for Black, rank {ranks} for White")),
            ("win", self.base.reading.words().into()),
            ("no move", "nobody wins if the side to move has none".into()),
            ("repetition", "a position that neither side can force is a draw".into()),
        ]
    }

    /// Returns the starting position, which is the same when rotated by 180 degrees with the sides exchanged. Black is
    /// to move.
    pub fn start(&self) -> Position {
        let board = self.base.board;
        let squares = self.base.start();
        let mut kinds = Kinds::default();
        for bit in set_bits(squares.own) {
            let (file, _) = board.file_and_rank(bit);
            kinds.put(bit, self.army[usize::from(file)]);
        }
        let kinds = kinds.and(kinds.map(|squares| board.rotated(squares)));
        Position { own: squares.own, other: squares.other, kinds, side: Side::Black }
    }

    /// Returns the value for the side to move if a side has completed its pattern, otherwise `None`. The kinds of the
    /// pieces do not matter.
    #[inline]
    pub fn end(&self, position: &Position) -> Option<Distance> {
        let Position { own, other, side, .. } = *position;
        self.base.end(&pyonpyon::Position { own, other, side })
    }
}
