//! All games of a contest, several at a time, told in their order.

use std::collections::BTreeMap;
use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

use super::bout::{self, Bout};
use super::judge::Judge;
use super::own::Own;
use super::seat::{Halt, Seat};
use super::tally::Tally;
use super::{Contest, Entrant, Kind, Summary};
use crate::external::Program;
use yomikiri_solve::SolveError;
use yomikiri_solve::evaluate::Playable;

/// Games that may be played ahead of an unfinished one, for each thread.
const AHEAD: u32 = 4;

/// Bytes of a thread's stack: searches go one call deeper with every move.
const STACK: usize = 16 << 20;

/// Why a contest ended before its last game.
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

/// Plays all games and tells each to `finished`, in their order. Once `stop` is set, games that are not over are dropped, and
/// those after them that are told after all. Returns what came out so far, and why that is not everything. `stop` is set at
/// the end if something failed.
pub fn run<G: Playable>(
    contest: &Contest<G>,
    stop: &AtomicBool,
    finished: &mut dyn FnMut(&Bout) -> io::Result<()>,
) -> (Summary, Option<Broken>) {
    let (jobs, numbers) = channel();
    let (news, bouts) = channel();
    let numbers = Mutex::new(numbers);
    let mut course = Course { tally: Tally::default(), waiting: BTreeMap::new(), next: 0, finished };
    let broken = std::thread::scope(|scope| {
        for _ in 0..contest.threads {
            let (news, numbers) = (news.clone(), &numbers);
            scope.spawn(move || work(contest, numbers, &news, stop));
        }
        drop(news);
        let broken = course.hand_out(contest, jobs, &bouts).err();
        if broken.is_some() {
            stop.store(true, Ordering::Relaxed);
        }
        let late = bouts.iter().flatten().map(|bout| (bout.number, bout));
        course.waiting.extend(late);
        match broken {
            Some(Broken::Untold(_)) | None => broken,
            Some(_) => course.tell_rest().err().or(broken),
        }
    });
    let stopped = broken.as_ref().map(Broken::to_string);
    (course.tally.summary(contest, stopped), broken)
}

/// Where a contest is.
struct Course<'a> {
    tally: Tally,
    /// Games that have been finished before an earlier one.
    waiting: BTreeMap<u32, Bout>,
    /// The first game that has not been told.
    next: u32,
    finished: &'a mut dyn FnMut(&Bout) -> io::Result<()>,
}

impl Course<'_> {
    /// Hands out the numbers of all games and takes the games in.
    fn hand_out<G: Playable>(
        &mut self,
        contest: &Contest<G>,
        jobs: Sender<u32>,
        bouts: &Receiver<Result<Bout, Broken>>,
    ) -> Result<(), Broken> {
        let ahead = AHEAD * contest.threads as u32;
        let mut handed = 0;
        while self.next < contest.games {
            while handed < contest.games.min(self.next.saturating_add(ahead)) {
                // Threads that are gone have said why.
                let _ = jobs.send(handed);
                handed += 1;
            }
            let bout = bouts.recv().map_err(|_| Broken::Stopped)??;
            self.waiting.insert(bout.number, bout);
            while let Some(bout) = self.waiting.remove(&self.next) {
                self.tell(&bout)?;
                self.next += 1;
            }
        }
        Ok(())
    }

    fn tell(&mut self, bout: &Bout) -> Result<(), Broken> {
        (self.finished)(bout).map_err(Broken::Untold)?;
        self.tally.add(bout);
        Ok(())
    }

    /// Tells the games that waited for one that will not be finished.
    fn tell_rest(&mut self) -> Result<(), Broken> {
        let rest = std::mem::take(&mut self.waiting);
        rest.values().try_for_each(|bout| self.tell(bout))
    }
}

/// Plays games until there are no more, or one cannot be played. The exact search has no other threads here, so that its
/// choices do not depend on their number.
fn work<G: Playable>(
    contest: &Contest<G>,
    numbers: &Mutex<Receiver<u32>>,
    news: &Sender<Result<Bout, Broken>>,
    stop: &AtomicBool,
) {
    let next = || numbers.lock().ok()?.recv().ok();
    let play_all = || -> Result<(), Halt> {
        let mut seats = seats(contest, stop)?;
        let judge = Judge::open(contest.game, &contest.folder).map_err(Halt::Broken)?;
        while let Some(number) = next() {
            if stop.load(Ordering::Relaxed) {
                return Err(Halt::Stopped);
            }
            let bout = bout::play(contest, number, &mut seats, judge.as_ref(), stop)?;
            // Nobody listens any more after another thread's failure.
            let _ = news.send(Ok(bout));
        }
        Ok(())
    };
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).stack_size(STACK).build();
    let played = match alone {
        Ok(pool) => pool.install(play_all).map_err(Broken::from),
        Err(error) => Err(SolveError::TooLarge(format!("cannot start threads: {error}")).into()),
    };
    if let Err(broken) = played {
        let _ = news.send(Err(broken));
    }
}

/// The players A and B at one board.
fn seats<'a, G: Playable>(contest: &'a Contest<'a, G>, stop: &AtomicBool) -> Result<[Box<dyn Seat<G> + 'a>; 2], Halt> {
    let seat = |entrant: &Entrant| -> Result<Box<dyn Seat<G> + 'a>, Halt> {
        match &entrant.kind {
            Kind::Own(style) => {
                let own = Own::new(contest, *style, entrant.limits);
                Ok(Box::new(own.map_err(|error| Halt::Broken(error.into()))?))
            }
            Kind::Usi(_, words) => Ok(Box::new(Program::start(words, entrant.limits, contest.grace, stop)?)),
        }
    };
    let [a, b] = &contest.players;
    Ok([seat(a)?, seat(b)?])
}
