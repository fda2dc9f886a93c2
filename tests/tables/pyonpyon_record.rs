//! The recorded runs of both readings: their counts agree with what can be counted without them, and their spots are
//! found by looking ahead with the naive rules.

use crate::naive::pyonpyon::Naive;
use crate::support::games::pyonpyon;
use crate::support::repository::record;
use yomikiri_rules::value::{Outcome, Plies};
use yomikiri_solve::retrograde::Complete;

const CODES: [&str; 2] = ["pyon", "pyonB"];

#[test]
fn the_counts_fit_together() {
    for code in CODES {
        let stats = &record(&format!("expected/{code}.json"))["stats"];
        let count = |name: &str| stats[name].as_u64().unwrap();
        assert_eq!(count("positions"), 411_883_560, "{code}");
        assert_eq!(count("wins") + count("losses") + count("draws"), 411_883_560, "{code}");
        assert_eq!(stats["start"]["outcome"].as_str(), Some("draw"), "{code}");
        let by_plies = stats["by_plies"].as_object().unwrap();
        let decided: u64 = by_plies.values().map(|count| count.as_u64().unwrap()).sum();
        assert_eq!(decided + count("draws"), count("positions"), "{code}");
        let ends = pyonpyon(code).ends().len() as u64;
        assert_eq!((count("ended"), by_plies["0"].as_u64()), (ends, Some(ends)), "{code}");
    }
}

/// Who wins a position in at most `plies` plies, by trying everything: the outcome for the side to move.
fn look_ahead(naive: &Naive, text: &str, plies: u16) -> Option<(Outcome, Plies)> {
    if let Some(winner) = naive.winner(text) {
        let outcome = if text.ends_with(winner) { Outcome::Win } else { Outcome::Loss };
        return Some((outcome, Plies(0)));
    }
    let left = plies.checked_sub(1)?;
    let (mut win, mut loss) = (None::<u16>, Some(0));
    for mv in naive.legal_moves(text) {
        match look_ahead(naive, &naive.play(text, &mv), left) {
            Some((Outcome::Loss, Plies(n))) => win = Some(win.map_or(n + 1, |best| best.min(n + 1))),
            Some((Outcome::Win, Plies(n))) => loss = loss.map(|worst| worst.max(n + 1)),
            _ => loss = None,
        }
    }
    win.map(|n| (Outcome::Win, Plies(n))).or(loss.map(|n| (Outcome::Loss, Plies(n))))
}

#[test]
fn recorded_values_near_the_end_are_found_by_looking_ahead() {
    for code in CODES {
        let (naive, record) = (Naive::from_code(code), record(&format!("expected/{code}.json")));
        let spots = record["spots"].as_array().unwrap();
        assert!(spots.len() >= 20, "{code}");
        for spot in spots {
            let text = spot["position"].as_str().unwrap();
            let outcome = if spot["outcome"] == "win" { Outcome::Win } else { Outcome::Loss };
            let plies = spot["plies"].as_u64().unwrap() as u16;
            assert_eq!(look_ahead(&naive, text, plies), Some((outcome, Plies(plies))), "{text} in {code}");
            assert!(plies < 2 || look_ahead(&naive, text, plies - 1).is_none(), "{text} in {code} takes {plies} plies");
        }
    }
}
