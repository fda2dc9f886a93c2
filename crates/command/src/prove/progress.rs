//! Shows a running proof: on a terminal as a few lines that change, otherwise as new lines at long intervals.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use yomikiri_rules::{AnyGame, AnyMove, AnyPosition, Game, Notation, Side};
use yomikiri_search::position_proof::ProofProgress;
use yomikiri_search::proof::{Candidate, ProofNumbers};

use super::estimate::{self, ProofEstimate};
use crate::output::{grouped, note};
use crate::progress::{FIRST_LINE, NEXT_LINE, clock_text};

/// The time between two updates on a terminal.
const SHOWN: Duration = Duration::from_secs(1);

/// The maximum number of moves that are shown.
const BEST: usize = 4;

/// The number of recent samples that determine the displayed expansions per second.
const LOOKS: usize = 10;

/// The time that a proof has taken.
#[derive(Clone, Copy)]
pub struct ProofClock {
    begun: Instant,
    /// The time that earlier runs of the same proof took.
    pub before: Duration,
}

impl ProofClock {
    /// Starts the clock.
    pub fn begin() -> ProofClock {
        ProofClock { begun: Instant::now(), before: Duration::ZERO }
    }

    /// Returns the time of this run.
    pub fn here(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Returns the time of all runs.
    pub fn in_all(&self) -> Duration {
        self.before + self.here()
    }

    /// Returns the time of this run and the time of all runs, both measured at the same moment.
    pub fn times(&self) -> [Duration; 2] {
        let here = self.here();
        [here, self.before + here]
    }
}

pub struct Display {
    bar: ProgressBar,
    game: AnyGame,
    mover: Side,
    /// The question, followed by a colon and a blank. Empty if the proof is about the winner.
    question: String,
    /// True if lines are written when standard error is not a terminal.
    lines: bool,
    next: Instant,
    /// The last samples: time and number of expansions.
    looks: VecDeque<(Instant, u64)>,
}

impl Display {
    pub fn new(game: &AnyGame, position: &AnyPosition, quiet: bool) -> Display {
        let target = ProgressDrawTarget::stderr_with_hz(5);
        let style = ProgressStyle::with_template("{msg}").unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::with_draw_target(None, target).with_style(style);
        let next = Instant::now() + if bar.is_hidden() { FIRST_LINE } else { SHOWN };
        let (mover, looks) = (game.side(position), VecDeque::new());
        Display { bar, game: game.clone(), mover, question: String::new(), lines: !quiet, next, looks }
    }

    /// Sets the question that is shown. If it differs from the last one, discards the samples: another prover works on
    /// a new question, and its count of expansions begins at 0.
    pub fn ask(&mut self, question: &str) {
        let question = format!("{question}: ");
        if question != self.question {
            self.looks.clear();
            self.question = question;
        }
    }

    /// Shows the state of a proof, if an update is due.
    pub fn show(&mut self, state: &dyn ProofProgress, clock: &ProofClock) {
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
            self.next = Instant::now() + NEXT_LINE;
            if self.lines {
                note(&self.parts(state, clock).join("; "));
            }
        } else {
            self.next = Instant::now() + SHOWN;
            self.bar.set_message(self.parts(state, clock).join("\n"));
            self.bar.tick();
        }
    }

    /// Returns the lines of the display.
    fn parts(&self, state: &dyn ProofProgress, clock: &ProofClock) -> Vec<String> {
        let (moves, numbers, [endgames, _]) = (state.moves(), state.numbers(), state.endgames());
        let refuted = moves.iter().filter(|candidate| candidate.numbers.mover_wins() == Some(false)).count();
        vec![
            format!(
                "{} {}, {} to move: {}{}",
                clock_text(clock.in_all()),
                self.game.code(),
                self.mover,
                self.question,
                distances(numbers)
            ),
            format!("{refuted} of {} moves refuted, nearest to a win: {}", moves.len(), self.nearest(&moves)),
            format!("{}, {} endgames solved by search", self.expansions(state), grouped(endgames)),
            format!("table {:.0} % full", 100.0 * state.fill()),
            estimate::text(ProofEstimate::of(numbers, self.mover, clock.in_all())),
        ]
    }

    /// Formats the expansions: "1,234 expansions (567 a second)". The rate needs two samples.
    fn expansions(&self, state: &dyn ProofProgress) -> String {
        let ends = self.looks.front().zip(self.looks.back()).filter(|(first, last)| first.0 < last.0);
        let rate = ends.map(|(first, last)| (last.1 - first.1) as f64 / (last.0 - first.0).as_secs_f64());
        let rate = rate.map_or(String::new(), |rate| format!(" ({} a second)", grouped(rate as u64)));
        format!("{} expansions{rate}", grouped(state.expansions()))
    }

    /// Formats the moves nearest to a win, each with its proof numbers to a win and to a loss: "4n 12,345/678, cs1
    /// 20,000/99".
    fn nearest(&self, moves: &[Candidate<AnyMove>]) -> String {
        let text = |candidate: &Candidate<AnyMove>| {
            let [wins, loses] = [candidate.numbers.to_win(), candidate.numbers.to_loss()].map(distance);
            format!("{} {wins}/{loses}", self.game.move_text(candidate.mv))
        };
        let open = |candidate: &&Candidate<AnyMove>| candidate.numbers.mover_wins() != Some(false);
        by_distance(moves).iter().filter(open).take(BEST).map(text).collect::<Vec<_>>().join(", ")
    }

    /// Writes a line above the display.
    pub fn say(&self, line: &str) {
        self.bar.suspend(|| note(line));
    }

    /// Removes the display.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// Formats proof numbers: "proof numbers 12,345 to a win, 678 to a loss".
pub fn distances(numbers: ProofNumbers) -> String {
    format!("proof numbers {} to a win, {} to a loss", distance(numbers.to_win()), distance(numbers.to_loss()))
}

/// Formats the proof number of a win or of a loss. `None` means that this result is impossible.
pub fn distance(number: Option<u32>) -> String {
    number.map_or("impossible".into(), |number| grouped(number.into()))
}

/// Returns the moves sorted by the proof number of a win, smallest first.
pub fn by_distance(moves: &[Candidate<AnyMove>]) -> Vec<Candidate<AnyMove>> {
    let mut moves = moves.to_vec();
    moves.sort_by_key(|candidate| candidate.numbers.pn);
    moves
}
