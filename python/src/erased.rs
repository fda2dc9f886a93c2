//! Positions of any game: Python knows one class of them, the crates a type for each game.

use yomikiri_rules::Game;
use yomikiri_solve::Playable;

/// A game whose positions can be handed to Python and back.
pub trait Erased: Playable {
    /// A position of this game as one of any.
    fn erase(position: Self::Position) -> AnyPosition;

    /// A position of this game; panics if it is one of another.
    fn own(position: &AnyPosition) -> &Self::Position;
}

macro_rules! positions {
    ($($folder:ident $Game:ident $kernel:ident;)*) => {
        /// A position of any of the games. Whoever keeps one keeps its game beside it.
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
