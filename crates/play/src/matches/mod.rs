//! Matches: many games between two players, and their results.
//!
//! `player_spec` parses the name of a player (`search,depth=4`), and `command_words` the command line of a program.
//! `seat` is a player at a board. `schedule` assigns sides and openings to games, and `openings` reads openings from a
//! file. `game` plays one game, and `judge` counts the players' mistakes, as judged by the table. `tally` adds up the
//! results of games, and `summary` is the result of the match. `part` is a part of a match, and `played_part` the
//! result of a part. `record_file` writes the records of games. [`run`] plays all games, several at a time, and passes
//! them on in order.
//!
//! With the same seed, built-in players without a time limit repeat the same games, on any number of threads.

mod command_words;
mod game;
mod judge;
mod openings;
mod part;
mod played_part;
mod player_spec;
mod program;
mod record_file;
mod schedule;
mod seat;
mod summary;
mod tally;

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

pub use game::{Finish, PlayedGame, TimeUsed};
pub use judge::Mistakes;
pub use openings::Openings;
pub use part::Part;
pub use played_part::{PartResult, PartsError};
pub use player_spec::{PlayerKind, PlayerSpec, Style, parse_time};
pub use record_file::RecordFile;
pub use schedule::MatchSettings;
pub use seat::{GameError, Halt, PlayerFault, Seat};
pub use summary::{EndCount, Failures, Lengths, Margins, MatchSummary, PlayerSummary, PointShare, Results};
pub use tally::MatchTally;

use judge::Judge;
use program::Program;
use seat::OwnPlayer;
use yomikiri_solve::SolveError;
use yomikiri_table::threads;

/// The maximum number of games per thread that are queued or in progress. A finished game still counts until all
/// earlier games are finished.
const AHEAD: u32 = 4;

/// The reason why a match ended before its last game.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// The flag `stop` of [`run`] was set.
    #[error("stopped")]
    Stopped,
    /// A game could not be played.
    #[error(transparent)]
    Failed(GameError),
    /// The callback `finished` returned this error for a game.
    #[error(transparent)]
    Callback(io::Error),
}

impl From<Halt> for MatchError {
    fn from(halt: Halt) -> MatchError {
        match halt {
            Halt::Stopped => MatchError::Stopped,
            Halt::Broken(error) => MatchError::Failed(error),
            Halt::Fault(fault) => MatchError::Failed(GameError::Fault(fault)),
        }
    }
}

/// Plays the games of the match, or of the part in `settings`. Passes each finished game to `finished`, in the order of
/// the serial numbers. Once `stop` is set, drops unfinished games, but still passes on finished games with higher
/// serial numbers. Returns the tally of the games passed on and, if games are missing, the reason. Sets `stop` after an
/// error.
pub fn run(
    settings: &MatchSettings,
    stop: &AtomicBool,
    finished: &mut dyn FnMut(&PlayedGame) -> io::Result<()>,
) -> (MatchTally, Option<MatchError>) {
    let (jobs, numbers) = channel();
    let (news, played_games) = channel();
    let numbers = Mutex::new(numbers);
    let next = settings.part.games(settings.games).start;
    let mut course = Course { tally: MatchTally::default(), waiting: BTreeMap::new(), next, finished };
    let broken = std::thread::scope(|scope| {
        let mut started = Ok(());
        for _ in 0..settings.threads {
            let (news, numbers) = (news.clone(), &numbers);
            started = threads::start_scoped(scope, "game", move || work(settings, numbers, &news, stop)).map(drop);
            if started.is_err() {
                break;
            }
        }
        drop(news);
        let broken = match started {
            Ok(()) => course.hand_out(settings, jobs, &played_games).err(),
            Err(refused) => {
                drop(jobs);
                Some(Halt::from(SolveError::from(refused)).into())
            }
        };
        if broken.is_some() {
            stop.store(true, Ordering::Relaxed);
        }
        let late = played_games.iter().flatten().map(|played| (played.number, played));
        course.waiting.extend(late);
        match broken {
            Some(MatchError::Callback(_)) | None => broken,
            Some(_) => course.tell_rest().err().or(broken),
        }
    });
    (course.tally, broken)
}

/// The progress of a match.
struct Course<'a> {
    tally: MatchTally,
    /// Finished games that wait until an earlier game is finished, by serial number.
    waiting: BTreeMap<u32, PlayedGame>,
    /// The serial number of the first game that has not been passed on.
    next: u32,
    finished: &'a mut dyn FnMut(&PlayedGame) -> io::Result<()>,
}

impl Course<'_> {
    /// Sends the serial numbers of all games to the threads, and collects the finished games.
    fn hand_out(
        &mut self,
        settings: &MatchSettings,
        jobs: Sender<u32>,
        played_games: &Receiver<Result<PlayedGame, MatchError>>,
    ) -> Result<(), MatchError> {
        let ahead = AHEAD * settings.threads as u32;
        let Range { start: mut handed, end } = settings.part.games(settings.games);
        while self.next < end {
            while handed < end.min(self.next.saturating_add(ahead)) {
                // A thread that has ended has sent its error, which is received below.
                let _ = jobs.send(handed);
                handed += 1;
            }
            let played = played_games.recv().map_err(|_| MatchError::Stopped)??;
            self.waiting.insert(played.number, played);
            while let Some(played) = self.waiting.remove(&self.next) {
                self.tell(&played)?;
                self.next += 1;
            }
        }
        Ok(())
    }

    fn tell(&mut self, played: &PlayedGame) -> Result<(), MatchError> {
        (self.finished)(played).map_err(MatchError::Callback)?;
        self.tally.add(played);
        Ok(())
    }

    /// Passes on all finished games that are still waiting, although an earlier game is missing.
    fn tell_rest(&mut self) -> Result<(), MatchError> {
        let rest = std::mem::take(&mut self.waiting);
        rest.values().try_for_each(|played| self.tell(played))
    }
}

/// Plays games until there are no more serial numbers, or until a game cannot be played. The players' exact search uses
/// only one thread, so that its choices do not depend on the number of threads.
fn work(
    settings: &MatchSettings,
    numbers: &Mutex<Receiver<u32>>,
    news: &Sender<Result<PlayedGame, MatchError>>,
    stop: &AtomicBool,
) {
    let next = || numbers.lock().ok()?.recv().ok();
    let play_all = || -> Result<(), Halt> {
        let mut seats = seats(settings, stop)?;
        let judge = Judge::open(settings.game, &settings.location)?;
        while let Some(number) = next() {
            if stop.load(Ordering::Relaxed) {
                return Err(Halt::Stopped);
            }
            let played = game::play(settings, number, &mut seats, judge.as_ref(), stop)?;
            // After a failure of another thread, the receiver may be gone.
            let _ = news.send(Ok(played));
        }
        Ok(())
    };
    let played = match threads::pool(1) {
        Ok(pool) => pool.install(play_all).map_err(MatchError::from),
        Err(refused) => Err(Halt::from(SolveError::from(refused)).into()),
    };
    if let Err(broken) = played {
        let _ = news.send(Err(broken));
    }
}

/// Creates the players A and B, in this order. A thread plays all its games with the same two players.
fn seats<'a>(settings: &'a MatchSettings<'a>, stop: &AtomicBool) -> Result<[Box<dyn Seat + 'a>; 2], Halt> {
    let seat = |spec: &PlayerSpec| -> Result<Box<dyn Seat + 'a>, Halt> {
        match &spec.kind {
            PlayerKind::Own(style) => {
                Ok(Box::new(OwnPlayer::new(settings, *style, spec.limits).map_err(SolveError::from)?))
            }
            PlayerKind::Usi(_, words) => Ok(Box::new(Program::start(words, spec.limits, settings.grace, stop)?)),
        }
    };
    let [a, b] = &settings.players;
    Ok([seat(a)?, seat(b)?])
}
