//! Progress on standard error. On a terminal it is a bar for each step of the work, with rate and time left. The
//! results of the steps can also be written as lines, with or without a terminal.

use std::fmt::Write;
use std::sync::Mutex;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use yomikiri_table::process::EndsWithoutMemory;
use yomikiri_table::{ESTIMATED_TOTAL, Progress, threads};

use super::output::{grouped, note};

/// The time before the first line about work that shows its progress as lines, because standard error is not a
/// terminal. `NEXT_LINE` is the time between two lines.
pub const FIRST_LINE: Duration = Duration::from_secs(10);
pub const NEXT_LINE: Duration = Duration::from_secs(60);

/// Draws progress bars on standard error.
pub struct TerminalProgress {
    bar: Mutex<ProgressBar>,
    /// True if the result of each step is written as a line to standard error.
    pub lines: bool,
}

impl TerminalProgress {
    pub fn new(lines: bool) -> TerminalProgress {
        TerminalProgress { bar: Mutex::new(ProgressBar::hidden()), lines }
    }

    fn with(&self, act: impl FnOnce(&mut ProgressBar)) {
        if let Ok(mut bar) = self.bar.lock() {
            act(&mut bar);
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
        self.with(|current| *current = bar);
    }

    fn advance(&self, units: u64) {
        self.with(|bar| bar.inc(units));
    }

    fn end(&self, summary: &str) {
        self.with(|bar| {
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

/// Formats a time as hours, minutes and seconds: "0:12:34".
pub fn clock_text(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}
