//! What the command prints as JSON, as types. Field names and their order are the contract; other programs may rely on them.
//!
//! Positions and moves are in the game's notation, rule codes in their shortest form. Values are seen by the side to move.

use serde::Serialize;

use super::certificates::Certificates;
use super::oracle::Answer;
use yomikiri_rules::game::Game;
use yomikiri_rules::value::{Measure, Outcome, Side, Value};
use yomikiri_solve::Solvable;

/// The value of a position and of its moves: `query`.
#[derive(Clone, Debug, Serialize)]
pub struct QueryReport {
    pub rules: String,
    pub position: String,
    pub to_move: Side,
    pub outcome: Outcome,
    #[serde(flatten)]
    pub measure: Measure,
    /// None in a draw.
    pub winner: Option<Side>,
    /// All legal moves, the best first.
    pub moves: Vec<MoveReport>,
}

/// A legal move with what it leads to.
#[derive(Clone, Debug, Serialize)]
pub struct MoveReport {
    #[serde(rename = "move")]
    pub mv: String,
    /// For the side that moves; none where a certificate does not tell.
    pub outcome: Option<Outcome>,
    /// Counted from before the move.
    #[serde(flatten)]
    pub measure: Measure,
    /// The position after it.
    pub position: String,
}

impl QueryReport {
    /// By exact values.
    pub fn exact<G: Game>(game: &G, position: &G::Position, answer: &Answer<G>) -> QueryReport {
        let moves = answer.moves.iter().map(|mv| MoveReport {
            mv: game.move_text(mv.mv),
            outcome: Some(mv.value.outcome()),
            measure: mv.value.measure(),
            position: game.position_text(&mv.position),
        });
        let to_move = game.side(position);
        QueryReport {
            rules: game.code(),
            position: game.position_text(position),
            to_move,
            outcome: answer.value.outcome(),
            measure: answer.value.measure(),
            winner: answer.value.outcome().winner(to_move),
            moves: moves.collect(),
        }
    }

    /// By certificates, which tell who wins but not how soon.
    pub fn certified<G: Solvable>(game: &G, position: &G::Position, certificates: &Certificates<G>) -> QueryReport {
        let (winner, to_move) = (certificates.winner(position), game.side(position));
        let measure = Measure::Distance { plies: None };
        let moves = certificates.moves(position).into_iter().map(|mv| MoveReport {
            mv: game.move_text(mv.mv),
            outcome: mv.winner.map(|winner| Outcome::of_winner(Some(winner), to_move)),
            measure,
            position: game.position_text(&mv.position),
        });
        QueryReport {
            rules: game.code(),
            position: game.position_text(position),
            to_move,
            outcome: Outcome::of_winner(winner, to_move),
            measure,
            winner,
            moves: moves.collect(),
        }
    }
}
