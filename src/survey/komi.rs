//! From one komi to another: who wins with a komi wins with any better one.

use std::path::Path;

use yomikiri_rules::games::binarsi::Rules;
use yomikiri_table::Part;

use super::answer::Answer;
use super::ask::Asker;
use super::variants::{Job, Variant, with_komi};
use super::ways::{Found, Open};

/// The score of a win by targets.
const TARGETS: i64 = 64;

impl Asker {
    /// Decides variants whose komi are better for White from one to the next; `None` if the survey is to stop.
    pub fn decide_by_komi(&self, job: &Job, answer: Answer) -> Option<Vec<Found>> {
        let mut found = vec![None; job.variants.len()];
        self.decide_some(job, answer, 0, &mut found)?;
        found.into_iter().collect()
    }

    /// Decides the variants from number `first` on, as many as `found` has room for.
    fn decide_some(&self, job: &Job, answer: Answer, first: usize, found: &mut [Option<Found>]) -> Option<()> {
        if found.is_empty() {
            return Some(());
        }
        let middle = found.len() / 2;
        let variant = &job.variants[first + middle];
        let here = self.decide(variant, answer)?;
        let follows = Found { by: "komi".into(), ..here.clone() };
        let (better_for_black, rest) = found.split_at_mut(middle);
        let Some((place, better_for_white)) = rest.split_first_mut() else { return Some(()) };
        match here.winner.as_deref() {
            Some("black") => better_for_black.fill(Some(follows)),
            _ => self.decide_some(job, answer, first, better_for_black)?,
        }
        match here.winner.as_deref() {
            Some("white") => better_for_white.fill(Some(Found { by: "komi".into(), ..here.clone() })),
            _ => self.decide_some(job, answer, first + middle + 1, better_for_white)?,
        }
        *place = Some(here);
        Some(())
    }

    /// With which komi nobody has an advantage: by the value in points where all positions are few or a table is there,
    /// else by proofs.
    pub fn fair_komi(&self, variant: &Variant) -> Option<Found> {
        let Some(rules) = &variant.binarsi else {
            let found = self.ask_about(variant, Answer::FairKomi)?;
            return Some(Found { fair_komi: found.score, score: None, ..found });
        };
        let points = Variant::of(&rules.points_code()).ok()?;
        if self.is_cheap(&points) {
            let found = self.ask_about(&points, Answer::FairKomi)?;
            if found.open.is_none() {
                return Some(by_points(found));
            }
        }
        self.by_proofs(rules, &self.work.join(variant.code()).with_added_extension("komi"))
    }

    /// Narrows the komi with which Black just wins: at first near that of the usual game, then by halves. What has been
    /// found out about one komi outlives the survey in the folder `kept`, until the fair one is known.
    fn by_proofs(&self, rules: &Rules, kept: &Path) -> Option<Found> {
        let area = i32::from(rules.files) * i32::from(rules.ranks);
        // Black wins where White has `wins` and a half points, and loses where it has `loses` and a half.
        let (mut wins, mut loses): (Option<i32>, Option<i32>) = (None, None);
        let mut commands: [Option<String>; 2] = [None, None];
        let mut step = 1;
        loop {
            let next = match (wins, loses) {
                (None, None) => 0,
                (Some(wins), None) if wins < area => (wins + step).min(area),
                (None, Some(loses)) if loses > -area - 1 => (loses - step).max(-area - 1),
                (Some(wins), Some(loses)) if wins + 1 < loses => (wins + loses).div_euclid(2),
                _ => break,
            };
            step *= 2;
            let variant = Variant::of(&with_komi(rules, next)).ok()?;
            let found = self.winner_with(&variant, kept)?;
            match found.winner.as_deref() {
                Some("black") => (wins, commands[0]) = (Some(next), Some(found.command)),
                Some(_) => (loses, commands[1]) = (Some(next), Some(found.command)),
                None => {
                    let open = found.open.unwrap_or_default();
                    let why = format!("{}: {}", variant.code(), open.why);
                    let [at_least, at_most] = [wins.map(|wins| i64::from(wins) + 1), loses.map(i64::from)];
                    let far = Open { why, at_least, at_most, ..open };
                    return Some(Found { winner: None, open: Some(far), by: "proof".into(), ..found });
                }
            }
        }
        // Nothing but room is lost where it stays.
        let _ = std::fs::remove_dir_all(kept);
        let command = commands.into_iter().flatten().collect::<Vec<_>>().join("; ");
        let score = match (wins, loses) {
            (Some(wins), Some(_)) => i64::from(wins) + 1,
            (Some(_), None) => TARGETS,
            _ => -TARGETS,
        };
        let found = Found { score: Some(score), by: "proof".into(), command, ..Found::default() };
        Some(by_points(found))
    }

    /// Who wins with a komi; kept in a folder once it is decided.
    fn winner_with(&self, variant: &Variant, kept: &Path) -> Option<Found> {
        let file = kept.join(variant.code()).with_added_extension("json");
        let known = std::fs::read(&file).ok().and_then(|text| serde_json::from_slice(&text).ok());
        if known.is_some() {
            return known;
        }
        let found = self.ask_about(variant, Answer::Winner)?;
        if found.open.is_none() {
            // Without it, it would have to be found out once more after a kill.
            let _ = std::fs::create_dir_all(kept);
            let _ = Part::write(&file, &serde_json::to_vec(&found).unwrap_or_default());
        }
        Some(found)
    }
}

/// What the value of a board in points says of its fair komi, and of who wins with the usual one.
fn by_points(found: Found) -> Found {
    let score = found.score.unwrap_or(0);
    let by_targets = score.abs() == TARGETS;
    let winner = Some(if score > 0 { "black" } else { "white" }.to_string());
    Found { winner, score: None, fair_komi: (!by_targets).then_some(score), by_targets, plies: None, ..found }
}
