//! Games that are known only at run time: types for positions, moves and values of any game, and the implementation of
//! [`Game`] for [`AnyGame`].
//!
//! Code that is written for [`AnyGame`] is compiled once, not once for each game. Each call of a method dispatches on
//! the game. Code that visits millions of positions should therefore call one method that does all the work, such as
//! [`Game::perft`].

use std::cmp::Ordering;

use crate::{
    AnyGame, Archive, ArchiveHeader, Archived, ArchivedOf, CodedValue, Distance, Family, Game, KeySpace, Measure,
    Notation, Outcome, ParityDistance, Presentation, Reason, Score, Side, TextError, Value, ValueCodec,
};

macro_rules! any {
    ($($folder:ident $Game:ident $kernel:ident;)*) => {
        $(use crate::games::$folder::$Game;)*

        /// A position of any of the games.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum AnyPosition {
            $(
                /// A position of this game.
                $Game(<$Game as Game>::Position),
            )*
        }

        /// A move of any of the games.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum AnyMove {
            $(
                /// A move of this game.
                $Game(<$Game as Game>::Move),
            )*
        }

        $(impl Registered for $Game {
            #[inline]
            fn of_any(game: &AnyGame) -> Option<&Self> {
                match game {
                    AnyGame::$Game(game) => Some(game),
                    _ => None,
                }
            }

            #[inline]
            fn position_of(position: &AnyPosition) -> &Self::Position {
                match position {
                    AnyPosition::$Game(position) => position,
                    _ => mixed(),
                }
            }

            #[inline]
            fn any_position(position: Self::Position) -> AnyPosition {
                AnyPosition::$Game(position)
            }

            #[inline]
            fn move_of(mv: AnyMove) -> Self::Move {
                match mv {
                    AnyMove::$Game(mv) => mv,
                    _ => mixed(),
                }
            }

            #[inline]
            fn any_move(mv: Self::Move) -> AnyMove {
                AnyMove::$Game(mv)
            }
        })*
    };
}

games!(any);

/// Panics, because a position, move or value of one game was passed to another game.
#[cold]
fn mixed() -> ! {
    panic!("a position, move or value belongs to another game")
}

/// A game that [`AnyGame`] can hold. It converts its positions, moves and values to and from those of [`AnyGame`].
/// Conversions from another game's positions, moves or values panic.
pub trait Registered: Presentation<Value: OfAnyValue> + Into<AnyGame> {
    /// Returns the game inside `game`, or `None` if `game` holds another game.
    fn of_any(game: &AnyGame) -> Option<&Self>;

    /// Returns the position in an [`AnyPosition`].
    fn position_of(position: &AnyPosition) -> &Self::Position;

    /// Wraps a position of this game in an [`AnyPosition`].
    fn any_position(position: Self::Position) -> AnyPosition;

    /// Returns the move in an [`AnyMove`].
    fn move_of(mv: AnyMove) -> Self::Move;

    /// Wraps a move of this game in an [`AnyMove`].
    fn any_move(mv: Self::Move) -> AnyMove;

    /// Returns the position in an [`AnyPosition`], as [`Registered::position_of`] does, for code that has the game but
    /// cannot name its type. The expression in [`crate::with_game!`] is such code.
    #[inline]
    fn own<'a>(&self, position: &'a AnyPosition) -> &'a Self::Position {
        Self::position_of(position)
    }

    /// Wraps a position in an [`AnyPosition`], as [`Registered::any_position`] does, for code that has the game but
    /// cannot name its type.
    #[inline]
    fn wrap(&self, position: Self::Position) -> AnyPosition {
        Self::any_position(position)
    }

    /// Returns the move in an [`AnyMove`], as [`Registered::move_of`] does, for code that has the game but cannot name
    /// its type.
    #[inline]
    fn own_move(&self, mv: AnyMove) -> Self::Move {
        Self::move_of(mv)
    }

    /// Wraps a move in an [`AnyMove`], as [`Registered::any_move`] does, for code that has the game but cannot name its
    /// type.
    #[inline]
    fn wrap_move(&self, mv: Self::Move) -> AnyMove {
        Self::any_move(mv)
    }

    /// Returns the value in an [`AnyValue`].
    fn own_value(&self, value: AnyValue) -> Self::Value {
        Self::Value::of_any(value)
    }
}

/// A value of any of the games. Values of different types are never equal, and have no order: [`Ord::cmp`] panics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnyValue {
    /// The value of a game whose codec is [`ValueCodec::Distance`].
    Distance(Distance),
    /// The value of a game whose codec is [`ValueCodec::ParityDistance`].
    ParityDistance(ParityDistance),
    /// The value of a game whose codec is [`ValueCodec::Score`].
    Score(Score),
}

/// A type of values that [`AnyValue`] can hold.
pub trait OfAnyValue: CodedValue + Into<AnyValue> {
    /// Returns the value in an [`AnyValue`]. Panics if `value` holds a value of another type.
    fn of_any(value: AnyValue) -> Self;
}

macro_rules! any_value {
    ($($Value:ident)*) => {
        $(impl From<$Value> for AnyValue {
            fn from(value: $Value) -> AnyValue {
                AnyValue::$Value(value)
            }
        }

        impl OfAnyValue for $Value {
            fn of_any(value: AnyValue) -> $Value {
                match value {
                    AnyValue::$Value(value) => value,
                    _ => mixed(),
                }
            }
        })*

        impl Ord for AnyValue {
            fn cmp(&self, other: &Self) -> Ordering {
                match (self, other) {
                    $((AnyValue::$Value(one), AnyValue::$Value(other)) => one.cmp(other),)*
                    _ => mixed(),
                }
            }
        }

        impl Value for AnyValue {
            fn outcome(self) -> Outcome {
                match self {
                    $(AnyValue::$Value(value) => value.outcome(),)*
                }
            }

            fn measure(self) -> Measure {
                match self {
                    $(AnyValue::$Value(value) => value.measure(),)*
                }
            }

            fn of_move(self) -> AnyValue {
                match self {
                    $(AnyValue::$Value(value) => value.of_move().into(),)*
                }
            }

            fn to_byte(self) -> u8 {
                match self {
                    $(AnyValue::$Value(value) => value.to_byte(),)*
                }
            }
        }

        impl AnyValue {
            /// Decodes a byte that [`Value::to_byte`] has encoded. Returns `None` for bytes that encode no value.
            pub fn from_byte(codec: ValueCodec, byte: u8) -> Option<AnyValue> {
                match codec {
                    $(ValueCodec::$Value => $Value::from_byte(byte).map(AnyValue::$Value),)*
                }
            }
        }
    };
}

any_value!(Distance ParityDistance Score);

impl PartialOrd for AnyValue {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Returns the format of `game`'s archives, which are binary files of recorded games, for use with [`AnyGame`]. Returns
/// `None` if the game reads no archives.
fn any_archive<G: Registered>(game: &G) -> Option<Archive<AnyGame>> {
    /// Returns the game of type `G` inside `game`, and the format of its archives. [`any_archive`] has found that there
    /// is one.
    fn own<G: Registered>(game: &AnyGame) -> (&G, Archive<G>) {
        let game = G::of_any(game).unwrap_or_else(|| mixed());
        (game, game.archive().unwrap_or_else(|| mixed()))
    }

    fn open<G: Registered>(game: &AnyGame, bytes: &[u8]) -> Result<ArchiveHeader, TextError> {
        let (game, archive) = own::<G>(game);
        (archive.open)(game, bytes)
    }

    fn read<G: Registered>(
        game: &AnyGame,
        header: &ArchiveHeader,
        bytes: &[u8],
    ) -> Result<ArchivedOf<AnyGame>, TextError> {
        let (game, archive) = own::<G>(game);
        Ok(match (archive.read)(game, header, bytes)? {
            Archived::Scored(position, value) => Archived::Scored(G::any_position(position), value.map(Into::into)),
            Archived::EndedEarly(empties) => Archived::EndedEarly(empties),
        })
    }

    let Archive { ending, first, header, record, .. } = game.archive()?;
    Some(Archive { ending, first, header, record, open: open::<G>, read: read::<G> })
}

/// Replaces the contents of `moves` by the legal moves of a position of `game`.
fn any_moves<G: Registered>(game: &G, position: &AnyPosition, moves: &mut Vec<AnyMove>) {
    moves.clear();
    moves.extend(game.legal_moves(G::position_of(position)).into_iter().map(G::any_move));
}

impl Game for AnyGame {
    type Position = AnyPosition;
    type Move = AnyMove;
    type Value = AnyValue;

    fn rules_revision(&self) -> u32 {
        with_game!(self, game => game.rules_revision())
    }

    fn codec(&self) -> ValueCodec {
        with_game!(self, game => game.codec())
    }

    #[inline]
    fn value_of_byte(&self, byte: u8) -> Option<AnyValue> {
        AnyValue::from_byte(self.codec(), byte)
    }

    fn parse(code: &str) -> Result<AnyGame, TextError> {
        AnyGame::parse(code)
    }

    fn code(&self) -> String {
        with_game!(self, game => game.code())
    }

    fn representative_code(&self) -> String {
        with_game!(self, game => game.representative_code())
    }

    fn start(&self) -> AnyPosition {
        with_game!(self, game => game.wrap(game.start()))
    }

    fn side(&self, position: &AnyPosition) -> Side {
        with_game!(self, game => game.side(game.own(position)))
    }

    fn ply(&self, position: &AnyPosition) -> u32 {
        with_game!(self, game => game.ply(game.own(position)))
    }

    fn points_variant(&self) -> Option<String> {
        with_game!(self, game => game.points_variant())
    }

    fn moves(&self, position: &AnyPosition, moves: &mut Vec<AnyMove>) {
        with_game!(self, game => any_moves(game, position, moves));
    }

    fn play(&self, position: &AnyPosition, mv: AnyMove) -> AnyPosition {
        with_game!(self, game => game.wrap(game.play(game.own(position), game.own_move(mv))))
    }

    fn perft(&self, position: &AnyPosition, depth: u32) -> u64 {
        with_game!(self, game => game.perft(game.own(position), depth))
    }

    fn terminal_value(&self, position: &AnyPosition) -> Option<AnyValue> {
        with_game!(self, game => game.terminal_value(game.own(position)).map(Into::into))
    }

    fn is_terminal(&self, position: &AnyPosition) -> bool {
        with_game!(self, game => game.is_terminal(game.own(position)))
    }

    fn canonical(&self, position: &AnyPosition) -> AnyPosition {
        with_game!(self, game => game.wrap(game.canonical(game.own(position))))
    }

    fn has_keys(&self) -> bool {
        with_game!(self, game => game.has_keys())
    }

    fn rank(&self, position: &AnyPosition) -> u64 {
        with_game!(self, game => game.rank(game.own(position)))
    }

    fn unrank(&self, key: u64) -> Option<AnyPosition> {
        with_game!(self, game => game.unrank(key).map(|position| game.wrap(position)))
    }

    fn key_space(&self) -> KeySpace {
        with_game!(self, game => game.key_space())
    }

    fn is_pass(&self, mv: AnyMove) -> bool {
        with_game!(self, game => game.is_pass(game.own_move(mv)))
    }
}

impl Notation for AnyGame {
    fn parse_position(&self, text: &str) -> Result<AnyPosition, TextError> {
        with_game!(self, game => game.parse_position(text).map(|position| game.wrap(position)))
    }

    fn parse_key(&self, text: &str) -> Result<AnyPosition, TextError> {
        with_game!(self, game => game.parse_key(text).map(|position| game.wrap(position)))
    }

    fn parse_notation(&self, text: &str) -> Result<AnyPosition, TextError> {
        with_game!(self, game => game.parse_notation(text).map(|position| game.wrap(position)))
    }

    fn parse_suite_line(&self, line: &str) -> Result<(AnyPosition, Option<AnyValue>), TextError> {
        with_game!(self, game => {
            let (position, value) = game.parse_suite_line(line)?;
            Ok((game.wrap(position), value.map(Into::into)))
        })
    }

    fn archive(&self) -> Option<Archive<AnyGame>> {
        with_game!(self, game => any_archive(game))
    }

    fn suite_score(&self, position: &AnyPosition, value: AnyValue) -> Option<i32> {
        with_game!(self, game => game.suite_score(game.own(position), game.own_value(value)))
    }

    fn position_text(&self, position: &AnyPosition) -> String {
        with_game!(self, game => game.position_text(game.own(position)))
    }

    fn parse_move(&self, position: &AnyPosition, text: &str) -> Result<AnyMove, TextError> {
        with_game!(self, game => {
            game.parse_move(game.own(position), text).map(|mv| game.wrap_move(mv))
        })
    }

    fn parse_playable_move(&self, position: &AnyPosition, text: &str) -> Result<AnyMove, TextError> {
        with_game!(self, game => {
            game.parse_playable_move(game.own(position), text).map(|mv| game.wrap_move(mv))
        })
    }

    fn move_text(&self, mv: AnyMove) -> String {
        with_game!(self, game => game.move_text(game.own_move(mv)))
    }

    fn edit(&self, position: &AnyPosition, text: &str) -> Option<Result<AnyPosition, TextError>> {
        with_game!(self, game => {
            let edited = game.edit(game.own(position), text)?;
            Some(edited.map(|position| game.wrap(position)))
        })
    }

    fn moves_text(&self, moves: &[AnyMove]) -> String {
        with_game!(self, game => {
            game.moves_text(&moves.iter().map(|&mv| game.own_move(mv)).collect::<Vec<_>>())
        })
    }
}

impl Presentation for AnyGame {
    fn family(&self) -> Family {
        with_game!(self, game => game.family())
    }

    fn settings(&self) -> Vec<(&'static str, String)> {
        with_game!(self, game => game.settings())
    }

    fn beyond_points(&self) -> Option<&'static str> {
        with_game!(self, game => game.beyond_points())
    }

    fn remark(&self, position: &AnyPosition, value: AnyValue) -> Option<String> {
        with_game!(self, game => game.remark(game.own(position), game.own_value(value)))
    }

    fn end_reason(&self, position: &AnyPosition) -> Option<Reason> {
        with_game!(self, game => game.end_reason(game.own(position)))
    }

    fn points(&self, position: &AnyPosition) -> Option<[String; 2]> {
        with_game!(self, game => game.points(game.own(position)))
    }

    fn marks(&self) -> [&'static str; 2] {
        with_game!(self, game => game.marks())
    }

    fn rule_diagrams(&self) -> Option<String> {
        with_game!(self, game => game.rule_diagrams())
    }

    fn board_text(&self, position: &AnyPosition) -> String {
        with_game!(self, game => game.board_text(game.own(position)))
    }

    fn plies_in_board_text(&self, position: &AnyPosition) -> Option<u32> {
        with_game!(self, game => game.plies_in_board_text(game.own(position)))
    }
}
