//! The players at a board: what is asked of them, what they may do wrong, and those of this program.

use std::fmt;
use std::io::ErrorKind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::player_spec::Style;
use super::schedule::MatchSettings;
use crate::{
    Action, CombinedPlayer, GreedyPlayer, Limits, Listener, Player, RandomPlayer, Report, SearchPlayer, Session,
    TablePlayer,
};
use yomikiri_answer::Answerer;
use yomikiri_rules::{Game, Outcome};
use yomikiri_solve::{Playable, SolveError};
use yomikiri_table::{Result, TableError, name};

/// One of the two players of a match at one board, game after game.
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
    /// The match cannot go on.
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

/// A player that begins each game as if it had played none before.
pub struct OwnPlayer<'a, G: Playable> {
    mind: Mind<'a, G>,
    limits: Limits,
    /// Bytes for what a search finds.
    memory: usize,
}

enum Mind<'a, G: Playable> {
    Table(Box<TablePlayer<'a, G>>),
    Computer(Box<CombinedPlayer<'a, G>>),
    Search(SearchPlayer),
    Random(RandomPlayer),
    Greedy(GreedyPlayer),
}

impl<'a, G: Playable> OwnPlayer<'a, G> {
    /// A player with its table where the settings say.
    pub fn new(settings: &'a MatchSettings<'a, G>, style: Style, limits: Limits) -> Result<Self> {
        let MatchSettings { location, memory, .. } = settings;
        let game = settings.game;
        let mind = match style {
            Style::Table => {
                let missing =
                    || TableError::io(&name::whole(location.path(), &game.code()))(ErrorKind::NotFound.into());
                let oracle = Answerer::new(game, location).whole_table()?.ok_or_else(missing)?;
                Mind::Table(Box::new(TablePlayer::new(oracle)))
            }
            Style::Computer => Mind::Computer(Box::new(CombinedPlayer::new(game, location))),
            Style::Search => Mind::Search(SearchPlayer::new(0)),
            Style::Random => Mind::Random(RandomPlayer::new(0)),
            Style::Greedy => Mind::Greedy(GreedyPlayer::new(0)),
        };
        Ok(OwnPlayer { mind, limits, memory: *memory })
    }
}

impl<G: Playable> Seat<G> for OwnPlayer<'_, G> {
    /// What a search has found before is let go before it gets its memory.
    fn begin(&mut self, seed: u64, _: &AtomicBool) -> Result<(), Halt> {
        match &mut self.mind {
            Mind::Table(_) => {}
            Mind::Computer(player) => {
                let given = player.set_memory(0).and_then(|()| player.set_memory(self.memory));
                given.map_err(Halt::Broken)?;
            }
            Mind::Search(player) => {
                *player = SearchPlayer::new(0);
                *player = SearchPlayer::try_new(self.memory).map_err(Halt::Broken)?;
            }
            Mind::Random(player) => *player = RandomPlayer::new(seed),
            Mind::Greedy(player) => *player = GreedyPlayer::new(seed),
        }
        Ok(())
    }

    fn answer(&mut self, session: &Session<G>, stop: &AtomicBool) -> Result<Action<G::Move>, Halt> {
        let player: &mut dyn Player<G> = match &mut self.mind {
            Mind::Table(player) => player.as_mut(),
            Mind::Computer(player) => player.as_mut(),
            Mind::Search(player) => player,
            Mind::Random(player) => player,
            Mind::Greedy(player) => player,
        };
        let choice = player.choose(session, &self.limits, &mut Stoppable(stop)).map_err(Halt::Broken)?;
        if stop.load(Ordering::Relaxed) { Err(Halt::Stopped) } else { Ok(Action::Move(choice.mv)) }
    }

    fn end(&mut self, _: Outcome) {}
}

/// Wants an answer once the match is stopped.
struct Stoppable<'a>(&'a AtomicBool);

impl<M> Listener<M> for Stoppable<'_> {
    fn hear(&mut self, _: Report<M>) {}

    fn wants_answer(&mut self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
