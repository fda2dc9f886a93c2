//! The number of plies to a win.

use serde::{Deserialize, Serialize};
use yomikiri_rules::{Plies, Side};
use yomikiri_search::position_proof::{self, PliesQuestion, PositionProof};

use super::watch::ProofMonitor;
use crate::error::Failure;

/// The known bounds of the number of plies to the win, and the work of finding them.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct PliesToWin {
    /// The number of plies that [`PliesQuestion::Within`] asked about, or `None` for another question.
    within: Option<u32>,
    /// The lower bound of the number of plies to the win. `at_most` is the upper bound. Both are inclusive.
    pub at_least: u32,
    pub at_most: u32,
    #[serde(skip)]
    pub is_decided: bool,
    /// Three counts: expansions, positions that the endgame solver solved, and nodes that the endgame solver visited.
    #[serde(skip)]
    pub work: [u64; 3],
}

impl PliesToWin {
    /// Formats the bounds: "in 15 plies".
    pub fn text(&self) -> String {
        let PliesToWin { within, at_least, at_most, is_decided, .. } = *self;
        match (is_decided, within) {
            (true, Some(plies)) if at_most <= plies => format!("within {}", Plies(plies as u16)),
            (true, Some(plies)) => format!("not within {}", Plies(plies as u16)),
            (true, None) => format!("in {}", Plies(at_most as u16)),
            (false, _) => format!("open: in {at_least} to {at_most} plies"),
        }
    }
}

/// Finds the number of plies in which `winner` wins. `winner` must be the side that wins. From this call on, `watch`
/// writes no checkpoints.
///
/// # Errors
/// Returns an error if draws count as wins of `winner`, since a draw has no number of plies to a win.
pub fn ask(
    proof: Box<dyn PositionProof>,
    winner: Side,
    question: PliesQuestion,
    watch: &mut ProofMonitor,
) -> Result<PliesToWin, Failure> {
    if proof.draws() == Some(winner) {
        let other = winner.other().name();
        return Err(Failure::work(format!(
            "{winner} wins or draws, and a draw has no number of plies to a win; to ask whether {winner} wins, give \
             --draws {other} (it is a draw if {other_side} wins or draws then)",
            other_side = winner.other(),
        )));
    }
    // Checkpoints are for the proof of who wins, not for this proof.
    watch.keeping = None;
    let found = proof.plies_to_win(winner, question, &mut |plies, state| {
        watch.ask(&format!("within {plies} plies"));
        watch.look(state)
    });
    watch.clear();
    let position_proof::PliesToWin { at_least, at_most, is_decided, expansions, endgames: [endgames, nodes] } = found?;
    let within = match question {
        PliesQuestion::Within(plies) => Some(plies),
        PliesQuestion::Length => None,
    };
    Ok(PliesToWin { within, at_least, at_most, is_decided, work: [expansions, endgames, nodes] })
}
