//! A listener for tests, which keeps the reports of a player.

use yomikiri_play::{Listener, PlayerReport};

/// Keeps every report. Tells the player to stop after `most_reports` reports, or when the player asks for the
/// `most_asked`-th time.
pub struct Recorder {
    pub reports: Vec<PlayerReport>,
    /// The number of times that the player has asked whether it should stop.
    pub asked: u64,
    pub most_reports: usize,
    pub most_asked: u64,
}

impl Recorder {
    /// Returns a recorder that never tells the player to stop.
    pub fn patient() -> Recorder {
        Recorder { reports: Vec::new(), asked: 0, most_reports: usize::MAX, most_asked: u64::MAX }
    }
}

impl Listener for Recorder {
    fn report(&mut self, report: PlayerReport) {
        self.reports.push(report);
    }

    fn should_stop(&mut self) -> bool {
        self.asked += 1;
        self.reports.len() >= self.most_reports || self.asked >= self.most_asked
    }
}
