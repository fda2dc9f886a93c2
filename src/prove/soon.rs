//! How soon a position is won.

use serde::Serialize;
use yomikiri_rules::{Plies, Side};
use yomikiri_solve::proof::{FullPosition, ProofGame, Prover, State, Within};

use super::watch::Watch;
use crate::error::Failure;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Whether the winner wins within so many plies.
    Within(u32),
    /// In how many plies.
    Length,
}

/// What is known of how soon the winner wins, and what that took.
#[derive(Clone, Copy, Serialize)]
pub struct Soon {
    /// The plies asked about, if any were.
    within: Option<u32>,
    /// The winner wins in so many plies at the least and at the most.
    at_least: u32,
    at_most: u32,
    #[serde(skip)]
    pub is_decided: bool,
    /// Expansions, positions read out, and positions looked at for that.
    #[serde(skip)]
    pub work: [u64; 3],
}

impl Soon {
    /// "in 15 plies".
    pub fn text(&self) -> String {
        let Soon { within, at_least, at_most, is_decided, .. } = *self;
        match (is_decided, within) {
            (true, Some(plies)) if at_most <= plies => format!("within {}", Plies(plies as u16)),
            (true, Some(plies)) => format!("not within {}", Plies(plies as u16)),
            (true, None) => format!("in {}", Plies(at_most as u16)),
            (false, _) => format!("open: in {at_least} to {at_most} plies"),
        }
    }
}

/// Asks how soon `winner` wins, by a prover with so much memory and so many threads. An error if its win is no more
/// than a draw.
pub fn ask<P: ProofGame>(
    game: P,
    position: &FullPosition<P>,
    winner: Side,
    question: Question,
    (memory, threads): (u64, usize),
    watch: &mut Watch,
) -> Result<Soon, Failure> {
    if game.draws() == Some(winner) {
        let other = winner.other().name();
        return Err(Failure::Work(format!("{winner} wins or draws, and a draw has no length; see --draws {other}")));
    }
    // What was kept is the proof of who wins.
    watch.keeping = None;
    let most = game.plies_left(&game.compact(position));
    let mut prover = Prover::new(Within::new(game, winner, position, 0), memory, threads);
    let (within, at_least, at_most, is_decided) = match question {
        Question::Within(plies) if plies >= most => (Some(plies), 0, most, true),
        Question::Within(plies) => {
            prover.put_off(plies);
            let found = prover.winner(position, |state| look(watch, plies, state, position));
            match found.map(|found| found == winner) {
                Some(true) => (Some(plies), 0, plies, true),
                Some(false) => (Some(plies), plies + 1, most, true),
                None => (Some(plies), 0, most, false),
            }
        }
        Question::Length => match prover.length(position, 0, |plies, state| look(watch, plies, state, position)) {
            Ok(plies) => (None, plies, plies, true),
            Err(not_within) => (None, not_within.map_or(0, |plies| plies + 1), most, false),
        },
    };
    watch.clear();
    prover.check_threads()?;
    let state = prover.state(position);
    let work = [state.expansions(), state.endgames, state.endgame_nodes];
    Ok(Soon { within, at_least, at_most, is_decided, work })
}

/// Shows how far it is; false if it is time to stop.
fn look<P: ProofGame>(watch: &mut Watch, plies: u32, state: &State<'_, P>, position: &FullPosition<P>) -> bool {
    watch.ask(&format!("within {plies} plies"));
    watch.look(state, position)
}
