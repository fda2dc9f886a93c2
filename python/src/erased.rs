//! A single type for the positions of all games. Python has one class for them, but the crates have a type for each
//! game.

use yomikiri_rules::Game;
use yomikiri_solve::Playable;

/// A game whose positions can be converted to [`AnyPosition`] and back.
pub trait Erased: Playable {
    /// Converts a position of this game to an [`AnyPosition`].
    fn erase(position: Self::Position) -> AnyPosition;

    /// Returns the position in this game's own type. Panics if the position belongs to another game.
    fn own(position: &AnyPosition) -> &Self::Position;
}

macro_rules! positions {
    ($($folder:ident $Game:ident $kernel:ident;)*) => {
        /// A position of any game. It does not contain the game, which its owner keeps separately.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum AnyPosition {
            $($Game(<yomikiri_rules::games::$folder::$Game as Game>::Position),)*
        }

        $(impl Erased for yomikiri_rules::games::$folder::$Game {
            fn erase(position: Self::Position) -> AnyPosition {
                AnyPosition::$Game(position)
            }

            fn own(position: &AnyPosition) -> &Self::Position {
                match position {
                    AnyPosition::$Game(position) => position,
                    other => panic!("a position of another game: {other:?}"),
                }
            }
        })*
    };
}

yomikiri_rules::games!(positions);
