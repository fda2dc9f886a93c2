//! Positions as web pages draw them: squares, stones, and the effect of each move. A view needs only the rules, no
//! tables.
//!
//! `report` holds the types. `played` reads positions and games. `arrangement` makes positions from stones laid out by
//! hand. `viewed` defines the trait that each game implements in its own file.

mod animal_shogi;
mod any;
mod arrangement;
mod binarsi;
mod connect_four;
mod played;
mod pyonpyon;
mod pyonpyon_shogi;
mod report;
mod reversi;
mod squares;
mod viewed;

use super::key_text::KeyText;
use yomikiri_rules::{AnyGame, AnyMove, AnyPosition, Game, Notation, Presentation, TextError, Value};
use yomikiri_solve::Solvable;

pub use arrangement::{ArrangedStone, Arrangement};
pub use played::Played;
pub use report::{
    BoardNames, BySide, Direction, Effect, End, FamilyName, Held, LineStone, MoveView, Parts, PieceName, PieceSteps,
    Stone, TargetView, View, WayKind, WayView,
};
pub use viewed::Viewed;

impl View {
    /// Returns the view of the position at the end of `played`.
    pub fn of(game: &AnyGame, played: &Played) -> View {
        let position = played.position(game);
        let mut stones = game.stones(&position);
        stones.sort_by_key(|stone| (stone.rank, stone.file));
        let legal = game.legal_moves(&position);
        View {
            rules: game.code(),
            family: game.name(),
            start: played.start_text(game),
            position: game.text_with_side(&position),
            key: KeyText::of(game, &position),
            to_move: game.side(&position),
            ply: (!game.is_cyclic()).then(|| game.ply(&position)),
            moves_played: played.moves.iter().map(|&mv| game.move_text(mv)).collect(),
            text: game.board_text(&position),
            marks: game.marks().map(Into::into),
            over: end(game, &position).or_else(|| repetition(game, played, &position)),
            board: game.board(),
            stones,
            parts: game.parts(&position),
            moves: legal.into_iter().map(|mv| move_view(game, &position, mv)).collect(),
        }
    }

    /// Returns the view of a position laid out by hand. An arrangement that is not a position is an error.
    pub fn arranged(game: &AnyGame, arrangement: &Arrangement) -> Result<View, TextError> {
        let text = game.arrange(arrangement)?;
        Ok(View::of(game, &Played { start: game.parse_position(&text)?, moves: Vec::new() }))
    }
}

fn move_view(game: &AnyGame, position: &AnyPosition, mv: AnyMove) -> MoveView {
    let after = game.play(position, mv);
    MoveView {
        mv: game.move_text(mv),
        position: game.text_with_side(&after),
        key: KeyText::of(game, &after),
        pass: game.is_pass(mv),
        ends: end(game, &after),
        effect: game.effect(position, mv, &after),
    }
}

/// Describes the draw of a game whose last position, `position`, has occurred for the third time. Returns `None` if it
/// has not.
fn repetition(game: &AnyGame, played: &Played, position: &AnyPosition) -> Option<End> {
    // In other games no position occurs twice.
    if !game.is_cyclic() {
        return None;
    }
    let is_same = |other: &AnyPosition| other == position && game.side(other) == game.side(position);
    let (mut here, mut count) = (played.start, 0);
    for &mv in &played.moves {
        count += u32::from(is_same(&here));
        here = game.play(&here, mv);
    }
    let text = "the position has occurred three times";
    let end =
        End { winner: None, reason: Some("repetition".into()), text: Some(text.into()), points: None, squares: None };
    (count >= 2).then_some(end)
}

/// Describes the end of the game at `position`, or returns `None` if the game goes on.
fn end(game: &AnyGame, position: &AnyPosition) -> Option<End> {
    let value = game.terminal_value(position)?;
    let winner = value.outcome().winner(game.side(position));
    let reason = game.end_reason(position);
    Some(End {
        winner,
        reason: reason.map(|reason| reason.id.into()),
        text: reason.map(|reason| reason.text.into()),
        points: game.points(position),
        squares: winner.and_then(|winner| game.deciding(position, winner)),
    })
}
