//! From one komi to another: who wins with a komi wins with any better one.

use yomikiri_rules::games::binarsi::Rules;

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
        self.by_proofs(rules)
    }

    /// Narrows the komi with which Black just wins: at first near that of the usual game, then by halves.
    fn by_proofs(&self, rules: &Rules) -> Option<Found> {
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
            let found = self.ask_about(&variant, Answer::Winner)?;
            match found.winner.as_deref() {
                Some("black") => (wins, commands[0]) = (Some(next), Some(found.command)),
                Some(_) => (loses, commands[1]) = (Some(next), Some(found.command)),
                None => {
                    let why = format!("{}: {}", variant.code(), found.open.map_or(String::new(), |open| open.why));
                    let bounds = [wins.map(|wins| i64::from(wins) + 1), loses.map(i64::from)];
                    let open = self.open(why);
                    let far = Open { at_least: bounds[0], at_most: bounds[1], ..open.open.unwrap_or_default() };
                    return Some(Found { open: Some(far), by: "proof".into(), command: found.command, ..open });
                }
            }
        }
        let command = commands.into_iter().flatten().collect::<Vec<_>>().join("; ");
        let score = match (wins, loses) {
            (Some(wins), Some(_)) => i64::from(wins) + 1,
            (Some(_), None) => TARGETS,
            _ => -TARGETS,
        };
        let found = Found { score: Some(score), by: "proof".into(), command, ..Found::default() };
        Some(by_points(found))
    }
}

/// What the value of a board in points says of its fair komi, and of who wins with the usual one.
fn by_points(found: Found) -> Found {
    let score = found.score.unwrap_or(0);
    let by_targets = score.abs() == TARGETS;
    let winner = Some(if score > 0 { "black" } else { "white" }.to_string());
    Found { winner, score: None, fair_komi: (!by_targets).then_some(score), by_targets, plies: None, ..found }
}
