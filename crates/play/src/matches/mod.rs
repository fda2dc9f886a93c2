//! Matches: two players, many games, and the result.
//!
//! `player_spec` names a player (`search,depth=4`), `seat` is one at a board that is asked for moves, `schedule` says
//! who plays which side from which opening, `game` plays one game, `judge` counts mistakes by the table, `tally`
//! adds games up and `summary` is what they come to, `part` is one of several parts of a match and `played_part` what came of it, and `record_file` keeps
//! games. This file plays all games, several at a time, and reports them in their order.
//!
//! Players without a time limit play the same games again with the same seed, on any number of threads.

mod game;
mod judge;
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
pub use part::Part;
pub use played_part::{NoMatch, PlayedPart};
pub use player_spec::{Kind, PlayerSpec, Style, parse_time};
pub use record_file::RecordFile;
pub use schedule::MatchSettings;
pub use seat::{Fault, Halt, Seat};
pub use summary::{Ended, Failures, Lengths, Margins, PlayerSummary, Results, Share, Summary};
pub use tally::Tally;

use judge::Judge;
use program::Program;
use seat::OwnPlayer;
use yomikiri_solve::{Playable, SolveError};
use yomikiri_table::threads;

/// Games that may be played ahead of an unfinished one, for each thread.
const AHEAD: u32 = 4;

/// Why a match ended before its last game.
#[derive(Debug, thiserror::Error)]
pub enum Broken {
    /// `stop` was set.
    #[error("stopped")]
    Stopped,
    #[error(transparent)]
    Failed(#[from] SolveError),
    /// The one who was told about a game could not take it.
    #[error(transparent)]
    Untold(io::Error),
}

impl From<Halt> for Broken {
    fn from(halt: Halt) -> Broken {
        match halt {
            Halt::Stopped => Broken::Stopped,
            Halt::Broken(error) => Broken::Failed(error),
            Halt::Fault(fault) => Broken::Failed(SolveError::Wrong(format!("a player {fault}"))),
        }
    }
}

/// Plays all games and tells each to `finished`, in their order. Once `stop` is set, games that are not over are
/// dropped, and those after them that are told after all. Returns what came out so far, and why that is not
/// everything of the part that was asked for. `stop` is set at the end if something failed.
pub fn run<G: Playable>(
    settings: &MatchSettings<G>,
    stop: &AtomicBool,
    finished: &mut dyn FnMut(&PlayedGame) -> io::Result<()>,
) -> (Tally, Option<Broken>) {
    let (jobs, numbers) = channel();
    let (news, played_games) = channel();
    let numbers = Mutex::new(numbers);
    let next = settings.part.games(settings.games).start;
    let mut course = Course { tally: Tally::default(), waiting: BTreeMap::new(), next, finished };
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
                Some(SolveError::from(refused).into())
            }
        };
        if broken.is_some() {
            stop.store(true, Ordering::Relaxed);
        }
        let late = played_games.iter().flatten().map(|played| (played.number, played));
        course.waiting.extend(late);
        match broken {
            Some(Broken::Untold(_)) | None => broken,
            Some(_) => course.tell_rest().err().or(broken),
        }
    });
    (course.tally, broken)
}

/// Where a match is.
struct Course<'a> {
    tally: Tally,
    /// Games that have been finished before an earlier one.
    waiting: BTreeMap<u32, PlayedGame>,
    /// The first game that has not been told.
    next: u32,
    finished: &'a mut dyn FnMut(&PlayedGame) -> io::Result<()>,
}

impl Course<'_> {
    /// Hands out the numbers of all games and takes the games in.
    fn hand_out<G: Playable>(
        &mut self,
        settings: &MatchSettings<G>,
        jobs: Sender<u32>,
        played_games: &Receiver<Result<PlayedGame, Broken>>,
    ) -> Result<(), Broken> {
        let ahead = AHEAD * settings.threads as u32;
        let Range { start: mut handed, end } = settings.part.games(settings.games);
        while self.next < end {
            while handed < end.min(self.next.saturating_add(ahead)) {
                // Threads that are gone have said why.
                let _ = jobs.send(handed);
                handed += 1;
            }
            let played = played_games.recv().map_err(|_| Broken::Stopped)??;
            self.waiting.insert(played.number, played);
            while let Some(played) = self.waiting.remove(&self.next) {
                self.tell(&played)?;
                self.next += 1;
            }
        }
        Ok(())
    }

    fn tell(&mut self, played: &PlayedGame) -> Result<(), Broken> {
        (self.finished)(played).map_err(Broken::Untold)?;
        self.tally.add(played);
        Ok(())
    }

    /// Tells the games that waited for one that will not be finished.
    fn tell_rest(&mut self) -> Result<(), Broken> {
        let rest = std::mem::take(&mut self.waiting);
        rest.values().try_for_each(|played| self.tell(played))
    }
}

/// Plays games until there are no more, or one cannot be played. The exact search has no other threads here, so that
/// its choices do not depend on their number.
fn work<G: Playable>(
    settings: &MatchSettings<G>,
    numbers: &Mutex<Receiver<u32>>,
    news: &Sender<Result<PlayedGame, Broken>>,
    stop: &AtomicBool,
) {
    let next = || numbers.lock().ok()?.recv().ok();
    let play_all = || -> Result<(), Halt> {
        let mut seats = seats(settings, stop)?;
        let judge = Judge::open(settings.game, &settings.location).map_err(Halt::Broken)?;
        while let Some(number) = next() {
            if stop.load(Ordering::Relaxed) {
                return Err(Halt::Stopped);
            }
            let played = game::play(settings, number, &mut seats, judge.as_ref(), stop)?;
            // Nobody listens any more after another thread's failure.
            let _ = news.send(Ok(played));
        }
        Ok(())
    };
    let played = match threads::pool(1) {
        Ok(pool) => pool.install(play_all).map_err(Broken::from),
        Err(refused) => Err(SolveError::from(refused).into()),
    };
    if let Err(broken) = played {
        let _ = news.send(Err(broken));
    }
}

/// The players A and B at one board.
fn seats<'a, G: Playable>(
    settings: &'a MatchSettings<'a, G>,
    stop: &AtomicBool,
) -> Result<[Box<dyn Seat<G> + 'a>; 2], Halt> {
    let seat = |spec: &PlayerSpec| -> Result<Box<dyn Seat<G> + 'a>, Halt> {
        match &spec.kind {
            Kind::Own(style) => {
                let own = OwnPlayer::new(settings, *style, spec.limits);
                Ok(Box::new(own.map_err(|error| Halt::Broken(error.into()))?))
            }
            Kind::Usi(_, words) => Ok(Box::new(Program::start(words, spec.limits, settings.grace, stop)?)),
        }
    };
    let [a, b] = &settings.players;
    Ok([seat(a)?, seat(b)?])
}
