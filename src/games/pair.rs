//! From two rule codes to two variants of one game.

use std::any::Any;

use super::registry::{Visitor, with_game};
use crate::game::{TextError, not_shared, shared_keys};
use crate::solve::Solvable;

/// Work to do with two variants whose keys stand for the same positions.
pub trait PairVisitor {
    type Output;
    fn visit<G: Solvable>(self, first: G, second: G) -> Self::Output;
}

/// Reads both codes and hands the variants to the visitor. Variants whose keys stand for different positions are an
/// error.
pub fn with_pair<V: PairVisitor>(first: &str, second: &str, visitor: V) -> Result<V::Output, TextError> {
    let first = with_game(first, Keep)?;
    with_game(second, Join { first, visitor })?
}

/// A variant whose type is not known any more.
struct Kept {
    game: Box<dyn Any>,
    code: String,
    /// What its keys number.
    positions: String,
}

struct Keep;

impl Visitor for Keep {
    type Output = Kept;

    fn visit<G: Solvable>(self, game: G) -> Kept {
        Kept { code: game.code(), positions: game.numbering().positions, game: Box::new(game) }
    }
}

struct Join<V> {
    first: Kept,
    visitor: V,
}

impl<V: PairVisitor> Visitor for Join<V> {
    type Output = Result<V::Output, TextError>;

    fn visit<G: Solvable>(self, second: G) -> Self::Output {
        let Kept { game, code, positions } = self.first;
        let Ok(first) = game.downcast::<G>() else {
            return Err(not_shared([code, second.code()], [&positions, &second.numbering().positions]));
        };
        shared_keys(first.as_ref(), &second)?;
        Ok(self.visitor.visit(*first, second))
    }
}
