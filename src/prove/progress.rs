//! What is shown while a proof runs: some lines on a terminal, else a line now and then.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use yomikiri_rules::{Game, Side};
use yomikiri_solve::proof::{Candidate, Move, ProofGame, ProofNumbers, State};

use super::estimate::{self, Estimate};
use crate::output::{grouped, note};
use crate::progress::clock_text;

/// Time between two looks of somebody at a terminal, and between two lines elsewhere: the first comes sooner.
const SHOWN: Duration = Duration::from_secs(1);
const FIRST_LINE: Duration = Duration::from_secs(10);
const LINES: Duration = Duration::from_secs(60);

/// Moves shown.
const BEST: usize = 4;

/// Looks over which the rate is counted.
const LOOKS: usize = 10;

/// How long a proof has taken.
#[derive(Clone, Copy)]
pub struct Clock {
    begun: Instant,
    /// In earlier runs.
    pub before: Duration,
}

impl Clock {
    /// Begins to count now.
    pub fn begin() -> Clock {
        Clock { begun: Instant::now(), before: Duration::ZERO }
    }

    /// In this run.
    pub fn here(&self) -> Duration {
        self.begun.elapsed()
    }

    /// In all runs.
    pub fn in_all(&self) -> Duration {
        self.before + self.here()
    }

    /// In this run, and in all, at the same moment.
    pub fn times(&self) -> [Duration; 2] {
        let here = self.here();
        [here, self.before + here]
    }
}

pub struct Display {
    bar: ProgressBar,
    code: String,
    mover: Side,
    /// What is asked, with a colon, where that is not who wins.
    question: String,
    /// Whether there are lines where there is no terminal.
    lines: bool,
    next: Instant,
    /// Times and expansions of the last looks.
    looks: VecDeque<(Instant, u64)>,
}

impl Display {
    pub fn new<G: Game>(game: &G, position: &G::Position, quiet: bool) -> Display {
        let target = ProgressDrawTarget::stderr_with_hz(5);
        let style = ProgressStyle::with_template("{msg}").unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::with_draw_target(None, target).with_style(style);
        let next = Instant::now() + if bar.is_hidden() { FIRST_LINE } else { SHOWN };
        let (code, mover, looks) = (game.code(), game.side(position), VecDeque::new());
        Display { bar, code, mover, question: String::new(), lines: !quiet, next, looks }
    }

    /// Shows from now on what is asked. Another prover may answer, which counts anew.
    pub fn ask(&mut self, question: &str) {
        let question = format!("{question}: ");
        if question != self.question {
            self.looks.clear();
            self.question = question;
        }
    }

    /// Shows how far a proof is, if it is time to.
    pub fn show<P: ProofGame>(&mut self, state: &State<'_, P>, clock: &Clock) {
        if self.looks.back().is_none_or(|(time, _)| time.elapsed() >= SHOWN) {
            self.looks.push_back((Instant::now(), state.expansions()));
            if self.looks.len() > LOOKS {
                self.looks.pop_front();
            }
        }
        if Instant::now() < self.next {
            return;
        }
        if self.bar.is_hidden() {
            self.next = Instant::now() + LINES;
            if self.lines {
                note(&self.parts(state, clock).join("; "));
            }
        } else {
            self.next = Instant::now() + SHOWN;
            self.bar.set_message(self.parts(state, clock).join("\n"));
            self.bar.tick();
        }
    }

    /// What there is to say.
    fn parts<P: ProofGame>(&self, state: &State<'_, P>, clock: &Clock) -> Vec<String> {
        let refuted = state.moves.iter().filter(|candidate| candidate.numbers.mover_wins() == Some(false)).count();
        vec![
            format!(
                "{} {}, {} to move: {}{}",
                clock_text(clock.in_all()),
                self.code,
                self.mover,
                self.question,
                distances(state.numbers)
            ),
            format!("{refuted} of {} moves refuted, nearest {}", state.moves.len(), nearest(state)),
            format!("{}, {} positions read out", self.expansions(state), grouped(state.endgames)),
            format!("table {:.0} % full", 100.0 * state.fill()),
            estimate::text(Estimate::of(state.numbers, self.mover, clock.in_all())),
        ]
    }

    /// "1,234 expansions (567 a second)", once the rate is known.
    fn expansions<P: ProofGame>(&self, state: &State<'_, P>) -> String {
        let ends = self.looks.front().zip(self.looks.back()).filter(|(first, last)| first.0 < last.0);
        let rate = ends.map(|(first, last)| (last.1 - first.1) as f64 / (last.0 - first.0).as_secs_f64());
        let rate = rate.map_or(String::new(), |rate| format!(" ({} a second)", grouped(rate as u64)));
        format!("{} expansions{rate}", grouped(state.expansions()))
    }

    /// Writes a line beside what is shown.
    pub fn say(&self, line: &str) {
        self.bar.suspend(|| note(line));
    }

    /// Makes room for what is printed next.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// "12,345 to a win, 678 to a loss".
pub fn distances(numbers: ProofNumbers) -> String {
    format!("{} to a win, {} to a loss", distance(numbers.to_win()), distance(numbers.to_loss()))
}

/// A proof number; there is no way to what cannot be proved.
pub fn distance(number: Option<u32>) -> String {
    number.map_or("no way".into(), |number| grouped(number.into()))
}

/// The moves, nearest to a win first.
pub fn by_distance<M: Copy>(moves: &[Candidate<M>]) -> Vec<Candidate<M>> {
    let mut moves = moves.to_vec();
    moves.sort_by_key(|candidate| candidate.numbers.pn);
    moves
}

/// "4n 12,345/678, cs1 20,000/99, ...".
fn nearest<P: ProofGame>(state: &State<'_, P>) -> String {
    let text = |candidate: &Candidate<Move<P>>| {
        let [wins, loses] = [candidate.numbers.to_win(), candidate.numbers.to_loss()].map(distance);
        format!("{} {wins}/{loses}", state.rules().move_text(candidate.mv))
    };
    let open = |candidate: &&Candidate<Move<P>>| candidate.numbers.mover_wins() != Some(false);
    by_distance(&state.moves).iter().filter(open).take(BEST).map(text).collect::<Vec<_>>().join(", ")
}
