//! The interface of a player at a board, the faults of players, and the built-in players.

use std::fmt;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::player_spec::Style;
use super::schedule::MatchSettings;
use crate::{
    Action, CombinedPlayer, GreedyPlayer, Limits, Listener, Player, RandomPlayer, SearchPlayer, Session, TablePlayer,
};
use yomikiri_answer::Answerer;
use yomikiri_rules::{Game, Outcome};
use yomikiri_solve::SolveError;
use yomikiri_table::location::one_of;
use yomikiri_table::{Result, TableError, name};

/// A player at a board. It plays one game after another.
pub trait Seat {
    /// Prepares for a game. Players that play at random use `seed`.
    fn begin(&mut self, seed: u64, stop: &AtomicBool) -> Result<(), Halt>;

    /// Returns the player's action in a game that is not over. Returns [`Halt::Stopped`] soon after `stop` is set.
    fn answer(&mut self, session: &Session, stop: &AtomicBool) -> Result<Action, Halt>;

    /// Tells the player the outcome of the game. A fault of the player counts as a loss.
    fn end(&mut self, outcome: Outcome);
}

/// The reason why a player gave no answer.
#[derive(Debug)]
pub enum Halt {
    /// The player lost the game by a fault.
    Fault(PlayerFault),
    /// The flag `stop` was set.
    Stopped,
    /// The match cannot go on.
    Broken(GameError),
}

impl<E: Into<GameError>> From<E> for Halt {
    fn from(error: E) -> Halt {
        Halt::Broken(error.into())
    }
}

/// The reason why a game cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum GameError {
    /// A player failed, or the table that counts mistakes could not be read.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// No random opening of the wanted length was found.
    #[error("{code}: no random opening of {plies} plies found, because games end earlier; give a smaller --opening")]
    NoOpening {
        /// The rule code.
        code: String,
        /// The wanted length.
        plies: u32,
    },
    /// A fault of a player outside of a game, so that no game is lost by it.
    #[error("a player {0}")]
    Fault(PlayerFault),
    /// A program did not start, or did not answer as a USI engine.
    #[error("program {program}: {fault}")]
    Program {
        /// The name of the program.
        program: String,
        /// The fault at the start of the program.
        fault: PlayerFault,
    },
    /// A program lost too many games in a row by faults.
    #[error("program {program}: lost {games} games in a row by faults; in the last one it {last}")]
    Faults {
        /// The name of the program.
        program: String,
        /// The number of games.
        games: u32,
        /// The fault that lost the last game.
        last: PlayerFault,
    },
}

/// A fault of an external program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerFault {
    /// No move came within this time.
    Late(Duration),
    /// The program sent this word, which is not a legal move.
    Illegal(String),
    /// The program has ended, or closed its output.
    Ended,
    /// The program could not be started, or did not say that it was ready. The text says why.
    Unready(String),
}

impl PlayerFault {
    /// Returns a short name, under which faults of this kind are counted.
    pub fn kind(&self) -> &'static str {
        match self {
            PlayerFault::Late(_) => "time",
            PlayerFault::Illegal(_) => "illegal move",
            PlayerFault::Ended => "program ended",
            PlayerFault::Unready(_) => "program not ready",
        }
    }
}

/// Formats the fault as the end of a sentence that begins with the player, as in "the player sent no move".
impl fmt::Display for PlayerFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerFault::Late(waited) => write!(f, "sent no move within {} ms", waited.as_millis()),
            PlayerFault::Illegal(word) => write!(f, "sent \"{word}\", which is not a legal move"),
            PlayerFault::Ended => f.write_str("ended in the middle of the game"),
            PlayerFault::Unready(why) => f.write_str(why),
        }
    }
}

/// A built-in player. It begins each game without any memory of earlier games.
pub struct OwnPlayer<'a> {
    mind: BuiltInPlayer<'a>,
    limits: Limits,
    /// The memory of the search in bytes.
    memory: usize,
}

enum BuiltInPlayer<'a> {
    Table(Box<TablePlayer<'a>>),
    Computer(Box<CombinedPlayer<'a>>),
    Search(SearchPlayer),
    Random(RandomPlayer),
    Greedy(GreedyPlayer),
}

impl<'a> OwnPlayer<'a> {
    /// Creates a player. Reads tables from the location in the settings.
    pub fn new(settings: &'a MatchSettings<'a>, style: Style, limits: Limits) -> Result<Self> {
        let MatchSettings { location, memory, .. } = settings;
        let game = settings.game;
        let mind = match style {
            Style::Table => {
                let paths = || location.candidates(|folder| name::whole(folder, &game.code()));
                let missing = || TableError::io(Path::new(&one_of(&paths())))(ErrorKind::NotFound.into());
                let oracle = Answerer::new(game, location).whole_table()?.ok_or_else(missing)?;
                BuiltInPlayer::Table(Box::new(TablePlayer::new(oracle)))
            }
            Style::Computer => BuiltInPlayer::Computer(Box::new(CombinedPlayer::new(game, location))),
            Style::Search => BuiltInPlayer::Search(SearchPlayer::new(0)),
            Style::Random => BuiltInPlayer::Random(RandomPlayer::new(0)),
            Style::Greedy => BuiltInPlayer::Greedy(GreedyPlayer::new(0)),
        };
        Ok(OwnPlayer { mind, limits, memory: *memory })
    }
}

impl Seat for OwnPlayer<'_> {
    /// Frees the old transposition table before it allocates the new one.
    fn begin(&mut self, seed: u64, _: &AtomicBool) -> Result<(), Halt> {
        match &mut self.mind {
            BuiltInPlayer::Table(_) => {}
            BuiltInPlayer::Computer(player) => {
                player.set_memory(0)?;
                player.set_memory(self.memory)?;
            }
            BuiltInPlayer::Search(player) => {
                *player = SearchPlayer::new(0);
                *player = SearchPlayer::try_new(self.memory)?;
            }
            BuiltInPlayer::Random(player) => *player = RandomPlayer::new(seed),
            BuiltInPlayer::Greedy(player) => *player = GreedyPlayer::new(seed),
        }
        Ok(())
    }

    fn answer(&mut self, session: &Session, stop: &AtomicBool) -> Result<Action, Halt> {
        let player: &mut dyn Player = match &mut self.mind {
            BuiltInPlayer::Table(player) => player.as_mut(),
            BuiltInPlayer::Computer(player) => player.as_mut(),
            BuiltInPlayer::Search(player) => player,
            BuiltInPlayer::Random(player) => player,
            BuiltInPlayer::Greedy(player) => player,
        };
        let choice = player.choose(session, &self.limits, &mut Stoppable(stop))?;
        if stop.load(Ordering::Relaxed) { Err(Halt::Stopped) } else { Ok(Action::Move(choice.mv)) }
    }

    fn end(&mut self, _: Outcome) {}
}

/// A listener that stops the player's thinking once the match is stopped.
struct Stoppable<'a>(&'a AtomicBool);

impl Listener for Stoppable<'_> {
    fn should_stop(&mut self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
