//! A listener that keeps what it hears.

use yomikiri_play::{Listener, Report};

/// Keeps every report, and wants an answer after so many reports or questions.
pub struct Recorder<M> {
    pub reports: Vec<Report<M>>,
    /// How often it was asked whether it wants an answer.
    pub asked: u64,
    pub most_reports: usize,
    pub most_asked: u64,
}

impl<M> Recorder<M> {
    /// One that never wants an answer.
    pub fn patient() -> Recorder<M> {
        Recorder { reports: Vec::new(), asked: 0, most_reports: usize::MAX, most_asked: u64::MAX }
    }
}

impl<M> Listener<M> for Recorder<M> {
    fn hear(&mut self, report: Report<M>) {
        self.reports.push(report);
    }

    fn wants_answer(&mut self) -> bool {
        self.asked += 1;
        self.reports.len() >= self.most_reports || self.asked >= self.most_asked
    }
}
