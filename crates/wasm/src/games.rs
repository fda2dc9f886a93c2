//! Keeps variants by rule code, so that the same variant is not made again for each question.

use std::cell::RefCell;
use std::rc::Rc;

use yomikiri_rules::{AnyGame, TextError};

/// The maximum number of variants kept. It takes up to a few tens of milliseconds to make the internal tables of a
/// variant.
const KEPT_VARIANTS: usize = 4;

/// The variants of the most recent questions.
#[derive(Default)]
pub struct Games {
    /// Pairs of a rule code, as the question writes it, and its variant. The most recent pair is first.
    kept: RefCell<Vec<(String, Rc<AnyGame>)>>,
}

impl Games {
    /// Returns the variant of a rule code. A code that is not valid is an error.
    pub fn find(&self, code: &str) -> Result<Rc<AnyGame>, TextError> {
        let mut kept = self.kept.borrow_mut();
        match kept.iter().position(|(other, _)| other == code) {
            Some(place) => kept[..=place].rotate_right(1),
            None => {
                kept.insert(0, (code.into(), Rc::new(AnyGame::parse(code)?)));
                kept.truncate(KEPT_VARIANTS);
            }
        }
        Ok(Rc::clone(&kept[0].1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_rules::Game;

    #[test]
    fn the_last_ones_are_kept() {
        let games = Games::default();
        let codes = ["bin2x2", "rev3x3", "con4x4", "pyon2x3"];
        let first: Vec<_> = codes.iter().map(|code| games.find(code).unwrap()).collect();
        assert!(games.find("draughts").is_err());
        for (code, game) in codes.iter().zip(&first) {
            assert!(Rc::ptr_eq(&games.find(code).unwrap(), game) && game.code() == *code);
        }
        games.find("bin3x3").unwrap();
        assert!(!Rc::ptr_eq(&games.find("bin2x2").unwrap(), &first[0]));
        assert!(Rc::ptr_eq(&games.find("pyon2x3").unwrap(), &first[3]));
    }
}
