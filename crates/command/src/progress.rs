//! Progress on standard error. On a terminal it is a bar for each step of the work, with rate and time left; elsewhere
//! it is a line at long intervals. The results of the steps can also be written as lines, with or without a terminal.

use std::fmt::Write;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use yomikiri_table::process::EndsWithoutMemory;
use yomikiri_table::{ESTIMATED_TOTAL, Progress, threads};

use super::output::{grouped, note};

/// The time before the first line about work that shows its progress as lines, because standard error is not a
/// terminal. `NEXT_LINE` is the time between two lines.
pub const FIRST_LINE: Duration = Duration::from_secs(10);
pub const NEXT_LINE: Duration = Duration::from_secs(60);

/// Draws progress bars on standard error, or writes lines if it is not a terminal.
pub struct TerminalProgress {
    step: Mutex<Step>,
    /// True if the result of each step is written as a line to standard error.
    pub lines: bool,
}

/// The current step of the work.
struct Step {
    bar: ProgressBar,
    clock: LineClock,
}

/// The clock that says when the next line is due. It runs through all steps of the work, so that many short steps are
/// not silent.
pub struct LineClock {
    next: Instant,
}

impl LineClock {
    /// Starts the clock.
    pub fn new(now: Instant) -> LineClock {
        LineClock { next: now + FIRST_LINE }
    }

    /// Returns true if a line is due, and then sets the time of the next one.
    pub fn is_due(&mut self, now: Instant) -> bool {
        let is_due = now >= self.next;
        if is_due {
            self.next = now + NEXT_LINE;
        }
        is_due
    }
}

impl TerminalProgress {
    pub fn new(lines: bool) -> TerminalProgress {
        let step = Step { bar: ProgressBar::hidden(), clock: LineClock::new(Instant::now()) };
        TerminalProgress { step: Mutex::new(step), lines }
    }

    fn with(&self, act: impl FnOnce(&mut Step)) {
        if let Ok(mut step) = self.step.lock() {
            act(&mut step);
        }
    }
}

impl Progress for TerminalProgress {
    fn begin(&self, name: &str, total: u64) {
        // The allocator keeps what the last step freed. It would count beside the memory of this step.
        EndsWithoutMemory::return_free_pages();
        let style = if total == ESTIMATED_TOTAL {
            "{prefix:20} [{bar:30}] {percent:>3}% {eta} left"
        } else if total > 0 {
            "{prefix:20} [{bar:30}] {percent:>3}% {human_pos}/{human_len} {rate} {eta} left"
        } else {
            "{prefix:20} {spinner} {human_pos} {rate}"
        };
        let style = ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar());
        let style = style.with_key("rate", |state: &ProgressState, text: &mut dyn Write| {
            let _ = write!(text, "{} a second", grouped(state.per_sec() as u64));
        });
        let target = ProgressDrawTarget::stderr_with_hz(5);
        let bar = ProgressBar::with_draw_target((total > 0).then_some(total), target).with_style(style);
        let bar = bar.with_prefix(name.to_string());
        // If no thread can be started for steady ticks, the bar moves only when work is done.
        if !bar.is_hidden() && threads::check(1).is_ok() {
            bar.enable_steady_tick(Duration::from_millis(500));
        }
        self.with(|step| step.bar = bar);
    }

    fn advance(&self, units: u64) {
        self.with(|step| {
            step.bar.inc(units);
            if step.bar.is_hidden() && step.clock.is_due(Instant::now()) {
                note(&line(&step.bar.prefix(), step.bar.position(), step.bar.length(), step.bar.elapsed()));
            }
        });
    }

    fn end(&self, summary: &str) {
        self.with(|Step { bar, .. }| {
            let name = bar.prefix();
            let taken = match bar.elapsed() {
                short if short < Duration::from_secs(1) => String::new(),
                long => format!(", in {:.0} s", long.as_secs_f64()),
            };
            bar.finish_and_clear();
            if self.lines {
                note(&format!("{name}: {summary}{taken}"));
            }
        });
    }
}

/// Formats the progress of a step: "0:01:10 export: 34 %, 340 of 1,000, about 0:02:15 left". `all` is the number of
/// units of work, or `None` if it is unknown. [`ESTIMATED_TOTAL`] units are no number of things.
fn line(name: &str, done: u64, all: Option<u64>, spent: Duration) -> String {
    let head = format!("{} {name}", clock_text(spent));
    let Some(all) = all.filter(|&all| all > 0) else { return format!("{head}: {}", grouped(done)) };
    let left = (done > 0).then(|| spent.mul_f64(all.saturating_sub(done) as f64 / done as f64));
    let left = left.map_or(String::new(), |left| format!(", about {} left", clock_text(left)));
    let percent = (100.0 * done as f64 / all as f64).min(100.0);
    let count = if all == ESTIMATED_TOTAL { String::new() } else { format!(", {} of {}", grouped(done), grouped(all)) };
    format!("{head}: {percent:.0} %{count}{left}")
}

/// Formats a time as hours, minutes and seconds: "0:12:34".
pub fn clock_text(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_terminal_progress_is_a_line_now_and_then() {
        let begun = Instant::now();
        let at = |seconds| begun + Duration::from_secs(seconds);
        let mut clock = LineClock::new(begun);
        let due: Vec<_> = (0..200).filter(|&second| clock.is_due(at(second))).collect();
        assert_eq!(due, [10, 70, 130, 190]);
        // A step that advances seldom is not told twice.
        let mut clock = LineClock::new(begun);
        assert!([(500, true), (559, false), (560, true)].into_iter().all(|(now, due)| clock.is_due(at(now)) == due));
    }

    #[test]
    fn lines_have_the_share_and_the_time_left() {
        let line = |done, all, seconds| line("export", done, all, Duration::from_secs(seconds));
        assert_eq!(line(1250, Some(5000), 70), "0:01:10 export: 25 %, 1,250 of 5,000, about 0:03:30 left");
        assert_eq!(line(0, Some(5000), 10), "0:00:10 export: 0 %, 0 of 5,000");
        assert_eq!(line(ESTIMATED_TOTAL / 2, Some(ESTIMATED_TOTAL), 10), "0:00:10 export: 50 %, about 0:00:10 left");
        assert_eq!(line(1250, None, 70), "0:01:10 export: 1,250");
        // The number of units may have been estimated too low.
        assert_eq!(line(6000, Some(5000), 10), "0:00:10 export: 100 %, 6,000 of 5,000, about 0:00:00 left");
    }
}
