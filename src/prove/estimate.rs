//! Who seems to win and how long a proof may take yet, as far as proofs on small boards can tell.
//!
//! Both proof numbers grow together for a long time, and the way to the end cannot be seen. In proofs from the start
//! of fifteen boards of 18 to 30 squares (docs/prove.md) the nearer result was the true one whenever the larger
//! number was twice the smaller one and more. Up to 258 times the time taken was left then, the more the larger the
//! board, so of time nothing is said; but at most 6 times where it was twenty times as large, on all boards alike.

use std::time::Duration;

use indicatif::HumanDuration;
use serde::Serialize;
use yomikiri_rules::Side;
use yomikiri_solve::proof::ProofNumbers;

/// By how much the numbers have to part to tell the winner.
const PARTED: f64 = 2.0;

/// By how much they have to part to tell the time, and how many times the time so far may then be left at most.
const FAR: f64 = 20.0;
const TIMES: u32 = 7;

/// Below this both numbers are too small to tell anything.
const TELLING: u32 = 20;

/// What is to be expected, if it goes as on small boards.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    winner: Side,
    /// Seconds left, at most; `None` if nothing can be said of that.
    seconds: Option<f64>,
}

impl Estimate {
    /// By the numbers of a position that is not decided, its side to move, and the time it has taken; `None` if
    /// nothing can be said.
    pub fn of(numbers: ProofNumbers, mover: Side, spent: Duration) -> Option<Estimate> {
        let (win, loss) = (numbers.to_win()?, numbers.to_loss()?);
        let (near, far) = (win.min(loss), win.max(loss));
        let by = f64::from(far) / f64::from(near.max(1));
        let winner = if win < loss { mover } else { mover.other() };
        let seconds = (by >= FAR).then(|| (spent * TIMES).as_secs_f64().round());
        (by >= PARTED && far >= TELLING).then_some(Estimate { winner, seconds })
    }
}

/// An estimate in words.
pub fn text(estimate: Option<Estimate>) -> String {
    let Some(Estimate { winner, seconds }) = estimate else { return "no estimate".into() };
    match seconds.map(Duration::from_secs_f64).map(HumanDuration) {
        Some(most) => format!("{winner} seems to win, in up to {most} more if it goes as on small boards"),
        None => format!("{winner} seems to win if it goes as on small boards, nobody knows when"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_an_estimate_once_the_numbers_have_parted() {
        let of = |pn, dn| Estimate::of(ProofNumbers { pn, dn }, Side::Black, Duration::from_secs(90));
        for (pn, dn) in [(1, 1), (70, 77), (77, 70), (19, 10), (19, 1)] {
            assert_eq!(of(pn, dn), None, "{pn}/{dn}");
        }
        assert_eq!(Estimate::of(ProofNumbers::WIN, Side::Black, Duration::ZERO), None);
        assert_eq!(of(300, 20), Some(Estimate { winner: Side::White, seconds: None }));
        assert_eq!(of(20, 400), Some(Estimate { winner: Side::Black, seconds: Some(630.0) }));
        assert_eq!(text(None), "no estimate");
        assert_eq!(text(of(300, 20)), "White seems to win if it goes as on small boards, nobody knows when");
        assert_eq!(text(of(20, 600)), "Black seems to win, in up to 11 minutes more if it goes as on small boards");
    }
}
