//! Those who sit at a board.

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::{Action, Session};
use yomikiri_rules::game::Game;
use yomikiri_rules::value::Outcome;
use yomikiri_solve::SolveError;

/// One of the two players of a contest at one board, game after game.
pub trait Seat<G: Game> {
    /// Gets ready for a game; the seed is for players that play at random.
    fn begin(&mut self, seed: u64, stop: &AtomicBool) -> Result<(), Halt>;

    /// What it does in a game that is not over. It gives up soon once `stop` is set.
    fn answer(&mut self, session: &Session<G>, stop: &AtomicBool) -> Result<Action<G::Move>, Halt>;

    /// The game has ended so for it; a fault of its own has been a loss.
    fn end(&mut self, outcome: Outcome);
}

/// Why there is no answer.
#[derive(Debug)]
pub enum Halt {
    /// The player has lost by it.
    Fault(Fault),
    /// `stop` was set.
    Stopped,
    /// The contest cannot go on.
    Broken(SolveError),
}

/// What an external program did wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// No move came within the time, or within what is waited at most.
    Late(Duration),
    /// The word is no legal move.
    Illegal(String),
    /// The program has ended, or closed its output.
    Ended,
    /// The program could not be started again, or did not say that it was ready.
    Unready(String),
}

impl Fault {
    /// What has to be counted together, in a word or two.
    pub fn kind(&self) -> &'static str {
        match self {
            Fault::Late(_) => "time",
            Fault::Illegal(_) => "illegal move",
            Fault::Ended => "program ended",
            Fault::Unready(_) => "program not ready",
        }
    }
}

/// As the end of a sentence about the player.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Late(waited) => write!(f, "sent no move within {} ms", waited.as_millis()),
            Fault::Illegal(word) => write!(f, "sent \"{word}\", which is no legal move"),
            Fault::Ended => f.write_str("ended in the middle of the game"),
            Fault::Unready(why) => f.write_str(why),
        }
    }
}
