//! Estimates the winner of an open proof and the time that it may still take.
//!
//! The proof number and the disproof number grow together for a long time, and neither shows how far away the end is.
//! The estimates use their ratio, larger to smaller. docs/prove.md has the measurements behind the thresholds: from a
//! ratio of 2 on, the side with the smaller number nearly always won; from a ratio of 20 on, the work left was at most
//! a small multiple of the work done. Below a ratio of 20 no time is estimated.

use std::time::Duration;

use indicatif::HumanDuration;
use serde::{Deserialize, Serialize};
use yomikiri_rules::Side;
use yomikiri_search::proof::ProofNumbers;

/// The minimum ratio of proof number and disproof number, larger to smaller, for an estimate of the winner.
const PARTED: f64 = 2.0;

/// The minimum ratio of proof number and disproof number, larger to smaller, for an estimate of the time left. The
/// estimate is then an upper limit: `TIMES` times the time spent.
const FAR: f64 = 20.0;
const TIMES: u32 = 7;

/// If both the proof number and the disproof number are below this number, nothing is estimated.
const TELLING: u32 = 20;

/// The likely winner of an open proof, and the time left. The estimate assumes that the proof develops like the proofs
/// of small boards.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProofEstimate {
    winner: Side,
    /// The upper limit of the expected time left in seconds, or `None` if the time is not estimated.
    seconds: Option<f64>,
}

impl ProofEstimate {
    /// Estimates the result of an open position from its proof number and disproof number, its side to move, and the
    /// time spent. Returns `None` if the numbers are too close to each other or too small.
    pub fn of(numbers: ProofNumbers, mover: Side, spent: Duration) -> Option<ProofEstimate> {
        let (win, loss) = (numbers.to_win()?, numbers.to_loss()?);
        let (near, far) = (win.min(loss), win.max(loss));
        let by = f64::from(far) / f64::from(near.max(1));
        let winner = if win < loss { mover } else { mover.other() };
        let seconds = (by >= FAR).then(|| (spent * TIMES).as_secs_f64().round());
        (by >= PARTED && far >= TELLING).then_some(ProofEstimate { winner, seconds })
    }
}

/// Formats an estimate. `None` gives "no estimate".
pub fn text(estimate: Option<ProofEstimate>) -> String {
    let Some(ProofEstimate { winner, seconds }) = estimate else { return "no estimate".into() };
    match seconds.map(Duration::from_secs_f64).map(HumanDuration) {
        Some(most) => format!("{winner} seems to win, judging by proofs of small boards; at most {most} left"),
        None => format!("{winner} seems to win, judging by proofs of small boards; no estimate of the time"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_an_estimate_once_the_numbers_have_parted() {
        let of = |pn, dn| ProofEstimate::of(ProofNumbers { pn, dn }, Side::Black, Duration::from_secs(90));
        for (pn, dn) in [(1, 1), (70, 77), (77, 70), (19, 10), (19, 1)] {
            assert_eq!(of(pn, dn), None, "{pn}/{dn}");
        }
        assert_eq!(ProofEstimate::of(ProofNumbers::WIN, Side::Black, Duration::ZERO), None);
        assert_eq!(of(300, 20), Some(ProofEstimate { winner: Side::White, seconds: None }));
        assert_eq!(of(20, 400), Some(ProofEstimate { winner: Side::Black, seconds: Some(630.0) }));
        assert_eq!(text(None), "no estimate");
        assert_eq!(text(of(300, 20)), "White seems to win, judging by proofs of small boards; no estimate of the time");
        assert_eq!(text(of(20, 600)), "Black seems to win, judging by proofs of small boards; at most 11 minutes left");
    }
}
