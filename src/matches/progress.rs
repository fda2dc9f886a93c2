//! The line that shows where a contest is. Without a terminal there is none.

use std::cell::Cell;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use yomikiri_play::contest::Bout;
use yomikiri_rules::value::Outcome;

/// Draws on standard error.
pub struct Line {
    bar: ProgressBar,
    /// Wins of A, draws, wins of B.
    counts: Cell<[u32; 3]>,
}

impl Line {
    pub fn new(games: u32) -> Line {
        let style = ProgressStyle::with_template("[{bar:30}] {pos}/{len} games, {msg}, {eta} left");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        let target = ProgressDrawTarget::stderr_with_hz(5);
        let bar = ProgressBar::with_draw_target(Some(games.into()), target).with_style(style);
        let line = Line { bar, counts: Cell::default() };
        line.show([0; 3]);
        if !line.bar.is_hidden() {
            line.bar.enable_steady_tick(Duration::from_millis(500));
        }
        line
    }

    fn show(&self, counts: [u32; 3]) {
        let [wins, draws, losses] = counts;
        self.counts.set(counts);
        self.bar.set_message(format!("A won {wins}, drew {draws}, lost {losses}"));
    }

    /// Takes in a game.
    pub fn advance(&self, bout: &Bout) {
        let mut counts = self.counts.get();
        counts[match Outcome::of_winner(bout.finish.winner(), bout.a) {
            Outcome::Win => 0,
            Outcome::Draw => 1,
            Outcome::Loss => 2,
        }] += 1;
        self.show(counts);
        self.bar.inc(1);
    }

    /// Makes room for what is printed next.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}
