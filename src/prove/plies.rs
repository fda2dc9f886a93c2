//! The number of plies to a win.

use serde::{Deserialize, Serialize};
use yomikiri_rules::{Plies, Side};
use yomikiri_search::proof::{FullPosition, ProofGame, ProofState, Prover, WithDeadline};

use super::watch::ProofMonitor;
use crate::error::Failure;

/// A question about the plies to a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PliesQuestion {
    /// Asks if the winner wins within this number of plies.
    Within(u32),
    /// Asks in how many plies the winner wins.
    Length,
}

/// The known bounds of the number of plies to the win, and the work of finding them.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct PliesToWin {
    /// The number of plies asked about with [`PliesQuestion::Within`].
    within: Option<u32>,
    /// The bounds of the number of plies to the win, both inclusive.
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

/// Finds out how soon `winner` wins, with `memory` bytes and `threads` threads. `winner` must be the side that wins.
/// From this call on, `watch` writes no checkpoints.
///
/// # Errors
/// If draws count as wins of `winner`, since a draw has no number of plies to a win.
pub fn ask<P: ProofGame>(
    game: P,
    position: &FullPosition<P>,
    winner: Side,
    question: PliesQuestion,
    (memory, threads): (u64, usize),
    watch: &mut ProofMonitor,
) -> Result<PliesToWin, Failure> {
    if game.draws() == Some(winner) {
        let other = winner.other().name();
        return Err(Failure::Work(format!(
            "{winner} wins or draws, so there is no number of plies to a win; see --draws {other}"
        )));
    }
    // Checkpoints are for the proof of who wins, not for this proof.
    watch.keeping = None;
    let most = game.plies_left(&game.compact(position));
    let mut prover = Prover::new(WithDeadline::new(game, winner, position, 0), memory, threads);
    let (within, at_least, at_most, is_decided) = match question {
        PliesQuestion::Within(plies) if plies >= most => (Some(plies), 0, most, true),
        PliesQuestion::Within(plies) => {
            prover.extend_deadline(plies);
            let found = prover.winner(position, |state| look(watch, plies, state, position));
            match found.map(|found| found == winner) {
                Some(true) => (Some(plies), 0, plies, true),
                Some(false) => (Some(plies), plies + 1, most, true),
                None => (Some(plies), 0, most, false),
            }
        }
        PliesQuestion::Length => {
            match prover.plies_to_win(position, 0, |plies, state| look(watch, plies, state, position)) {
                Ok(plies) => (None, plies, plies, true),
                Err(not_within) => (None, not_within.map_or(0, |plies| plies + 1), most, false),
            }
        }
    };
    watch.clear();
    prover.check_threads()?;
    let state = prover.state(position);
    let work = [state.expansions(), state.endgames, state.endgame_nodes];
    Ok(PliesToWin { within, at_least, at_most, is_decided, work })
}

/// Updates the display. Returns false if it is time to stop.
fn look<P: ProofGame>(
    watch: &mut ProofMonitor,
    plies: u32,
    state: &ProofState<'_, P>,
    position: &FullPosition<P>,
) -> bool {
    watch.ask(&format!("within {plies} plies"));
    watch.look(state, position)
}
