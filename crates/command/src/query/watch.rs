//! Monitors a proof of the winner or a search for values: shows its results, and stops it at the time limit, on Ctrl-C
//! or on SIGTERM.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;
use yomikiri_answer::{MoveReport, ProofObserver, QueryReport};
use yomikiri_rules::{AnyGame, Game, Measure, Presentation, Side};
use yomikiri_search::Searchable;

use super::text::line;
use crate::CommandResult;
use crate::error::Failure;
use crate::output::{note, print, print_json};
use crate::progress::{LineClock, clock_text};
use crate::settings::verdict;
use crate::signals::set_on_stop_then_end;
use crate::stop::StopReason;

/// The default time limit of a proof or a search.
pub const USUAL_TIME: Duration = Duration::from_secs(30);

/// The output during a proof or a search.
pub enum Shown {
    Nothing,
    /// A changing line on standard error if that is a terminal, else a line now and then.
    Progress,
    /// As [`Shown::Progress`] on standard error. Standard output gets this text, then every result.
    Text(String),
    /// Every result as a line of JSON on standard output.
    Lines,
}

/// Monitors a proof of the winner or a search for values.
pub struct QueryMonitor {
    code: String,
    /// True for a search for values, false for a proof of the winner.
    is_search: bool,
    /// The words for a win that counts more than any number of points ([`Presentation::beyond_points`]), or `None` if
    /// the game has no such wins.
    beyond: Option<&'static str>,
    limit: Duration,
    shown: Shown,
    begun: Option<Instant>,
    interrupted: Arc<AtomicBool>,
    bar: ProgressBar,
    /// The clock of the lines that stand for the bar if standard error is not a terminal.
    lines: LineClock,
    stop: Option<StopReason>,
    /// The first error that occurred when a result was written.
    written: Result<(), Failure>,
}

/// A line of JSON about the winner of the position.
#[derive(Serialize)]
struct WinnerFound {
    /// `None` for a draw.
    winner: Option<Side>,
    /// The number of plies to the end, or the score. `None` if it is not known.
    #[serde(flatten)]
    measure: Option<Measure>,
}

/// A line of JSON about a move.
#[derive(Serialize)]
struct MoveFound<'a> {
    /// The number of moves that are decided so far.
    decided: usize,
    /// The total number of legal moves.
    of: usize,
    #[serde(flatten)]
    found: &'a MoveReport,
}

impl QueryMonitor {
    /// Creates a monitor that stops a proof or a search after `limit`. If nothing is shown, the monitor can watch any
    /// number of them one after another, otherwise only one.
    pub fn new(game: &AnyGame, limit: Duration, shown: Shown) -> QueryMonitor {
        QueryMonitor {
            code: game.code(),
            is_search: !game.has_proofs(),
            beyond: game.beyond_points(),
            limit,
            shown,
            begun: None,
            interrupted: Arc::default(),
            bar: ProgressBar::hidden(),
            lines: LineClock::new(Instant::now()),
            stop: None,
            written: Ok(()),
        }
    }

    /// Returns the name of the monitored work, for messages.
    fn work(&self) -> &'static str {
        if self.is_search { "searching" } else { "proving who wins" }
    }

    /// Removes the display. Returns true if the results have been shown as text.
    ///
    /// # Errors
    /// Returns the first error that occurred when a result was written.
    pub fn end(&mut self) -> Result<bool, Failure> {
        self.bar.finish_and_clear();
        std::mem::replace(&mut self.written, Ok(()))?;
        Ok(self.begun.is_some() && matches!(self.shown, Shown::Text(_)))
    }

    /// If the work was stopped, prints a note about what is still open: the undecided moves, or, if there are none, the
    /// value that a search has not found. If `plies` is true, also the number of plies that a proof has not found. It is
    /// an error if the work was stopped and the winner is open.
    pub fn remark(&self, report: &QueryReport, plies: bool) -> CommandResult {
        let Some(stop) = self.stop else { return Ok(()) };
        let longer = match stop {
            StopReason::Time(limit) => format!("; try a longer time: --time {}s", (4 * limit).as_secs().max(1)),
            StopReason::Signal => String::new(),
        };
        let open = report.moves.iter().filter(|mv| mv.outcome.is_none()).count();
        if report.outcome.is_none() {
            return Err(stop.failure(&self.code).followed_by(longer));
        }
        if open > 0 {
            note(&format!("{open} of {} moves are still undecided{longer}", report.moves.len()));
        } else if let Some(winner) = report.winner.filter(|_| report.is_distance_open()) {
            let what = match (self.is_search, plies) {
                (true, _) => "the exact value",
                (false, true) => "the number of plies",
                (false, false) => return Ok(()),
            };
            note(&format!("{winner} wins, but {what} is still open{longer}"));
        }
        Ok(())
    }

    /// Returns a line that says what the bar would show: "0:00:10 proving who wins: 12 of 23 moves decided". Returns
    /// `None` if there is a bar, if nothing is shown, or if no line is due at the time `now`.
    fn line_of_progress(&mut self, now: Instant) -> Option<String> {
        let shows_progress = matches!(self.shown, Shown::Progress | Shown::Text(_));
        (shows_progress && self.bar.is_hidden() && self.lines.is_due(now)).then(|| {
            let time = self.begun.map_or(Duration::ZERO, |begun| now.duration_since(begun));
            let message = self.bar.message();
            let result = if message == self.work() { String::new() } else { format!(": {message}") };
            format!("{} {}{result}", clock_text(time), self.work())
        })
    }

    /// Shows a result as text or as JSON, if results are shown.
    fn show(&mut self, text: impl FnOnce() -> String, json: &impl Serialize) {
        let written = match &self.shown {
            Shown::Nothing | Shown::Progress => return,
            Shown::Text(_) => self.bar.suspend(|| print(&text())),
            Shown::Lines => print_json(json),
        };
        if self.written.is_ok() {
            self.written = written;
        }
    }
}

impl ProofObserver for QueryMonitor {
    fn begin(&mut self) {
        self.stop = None;
        self.begun = Some(Instant::now());
        self.lines = LineClock::new(Instant::now());
        if matches!(self.shown, Shown::Nothing) {
            return;
        }
        // If the handlers cannot be set, a signal ends the process at once.
        self.interrupted = Arc::default();
        let _ = set_on_stop_then_end(&self.interrupted);
        if let Shown::Text(head) = &self.shown {
            self.written = print(head);
        }
        let style = ProgressStyle::with_template("{msg} ({elapsed})");
        self.bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(5))
            .with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
            .with_message(self.work());
    }

    fn go_on(&mut self) -> bool {
        self.bar.tick();
        if let Some(line) = self.line_of_progress(Instant::now()) {
            note(&line);
        }
        let is_late = self.begun.is_some_and(|begun| begun.elapsed() >= self.limit);
        if is_late {
            self.stop = Some(StopReason::Time(self.limit));
        }
        if self.interrupted.load(Ordering::Relaxed) {
            self.stop = Some(StopReason::Signal);
        }
        self.stop.is_none() && self.written.is_ok()
    }

    fn found_winner(&mut self, winner: Option<Side>, measure: Option<Measure>) {
        let text = match (winner, measure) {
            (Some(winner), None) => format!("{winner} wins"),
            (winner, measure) => {
                verdict(winner, measure.unwrap_or(Measure::Distance { plies: None }), false, self.beyond)
            }
        };
        self.bar.set_message(text.clone());
        self.show(|| text + ".", &WinnerFound { winner, measure });
    }

    fn found_move(&mut self, report: &MoveReport, decided: usize, all: usize) {
        self.bar.set_message(format!("{decided} of {all} moves decided"));
        self.show(|| format!("      {}", line(report)), &MoveFound { decided, of: all, found: report });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_rules::AnyGame;

    #[test]
    fn without_a_terminal_progress_is_a_line_after_ten_seconds() {
        let game = AnyGame::parse("bin7x6").unwrap();
        for (shown, has_lines) in [(Shown::Progress, true), (Shown::Lines, false), (Shown::Nothing, false)] {
            let mut monitor = QueryMonitor::new(&game, USUAL_TIME, shown);
            let begun = Instant::now();
            monitor.begun = Some(begun);
            monitor.bar.set_message(monitor.work());
            let after = |seconds| begun + Duration::from_secs(seconds);
            assert_eq!(monitor.line_of_progress(after(9)), None);
            let line = monitor.line_of_progress(after(11));
            assert_eq!(line.as_deref(), has_lines.then_some("0:00:11 proving who wins"));
            monitor.bar.set_message("12 of 23 moves decided");
            assert_eq!(monitor.line_of_progress(after(60)), None);
            let line = monitor.line_of_progress(after(72));
            assert_eq!(line.as_deref(), has_lines.then_some("0:01:12 proving who wins: 12 of 23 moves decided"));
        }
    }
}
