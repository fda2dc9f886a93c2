//! Infers the winner with one komi from the winner with another: a side that wins with some komi also wins with any
//! komi that is better for it.

use yomikiri_answer::survey::{DecidedBy, Finding, Open, OpenReason, Question, Winner};
use yomikiri_rules::games::binarsi::Rules;

use super::ask::Runner;
use super::komi_proofs::KomiProofs;
use super::variants::{Job, Variant, with_komi};

/// The score of a win by targets (lines of stones of one colour), in Binarsi for points.
const TARGETS: i16 = 64;

impl Runner {
    /// Decides the variants of a job, which differ only in komi and are in ascending order of White's komi. Returns a
    /// finding for each variant in the same order, or `None` if the survey is to stop.
    pub fn decide_by_komi(&self, job: &Job, question: Question) -> Option<Vec<Finding>> {
        let mut found = vec![None; job.variants.len()];
        self.decide_some(job, question, 0, &mut found)?;
        found.into_iter().collect()
    }

    /// Decides `found.len()` neighbouring variants of the job by bisection, and writes the findings to `found`. `first`
    /// is the index of the first of these variants in the job. Returns `None` if the survey is to stop.
    fn decide_some(&self, job: &Job, question: Question, first: usize, found: &mut [Option<Finding>]) -> Option<()> {
        if found.is_empty() {
            return Some(());
        }
        let middle = found.len() / 2;
        let variant = &job.variants[first + middle];
        let here = self.decide(variant, question)?;
        let follows = Finding { by: DecidedBy::Komi, ..here.clone() };
        let (better_for_black, rest) = found.split_at_mut(middle);
        let Some((place, better_for_white)) = rest.split_first_mut() else { return Some(()) };
        match here.winner {
            Some(Winner::Black) => better_for_black.fill(Some(follows)),
            _ => self.decide_some(job, question, first, better_for_black)?,
        }
        match here.winner {
            Some(Winner::White) => better_for_white.fill(Some(Finding { by: DecidedBy::Komi, ..here.clone() })),
            _ => self.decide_some(job, question, first + middle + 1, better_for_white)?,
        }
        *place = Some(here);
        Some(())
    }

    /// Finds the komi with which neither side has an advantage. For Binarsi, takes it from the score of the same board
    /// played for points, if that score is cheap to find. Otherwise proves the winner with several values of komi. For
    /// other games, the fair komi is the score of the start position. Returns `None` if the survey is to stop.
    pub fn fair_komi(&self, variant: &Variant) -> Option<Finding> {
        let Some(rules) = &variant.binarsi else {
            let found = self.ask_about(variant, Question::FairKomi)?;
            return Some(Finding { fair_komi: found.score, score: None, ..found });
        };
        let points = Variant::of(&rules.points_code()).ok()?;
        if self.is_cheap(&points) {
            let found = self.ask_about(&points, Question::FairKomi)?;
            if found.open.is_none() {
                return Some(by_points(found));
            }
        }
        self.by_proofs(rules, &KomiProofs::of(&self.work, &variant.code()))
    }

    /// Finds the fair komi by searching for White's largest komi with which Black still wins: first in doubling steps
    /// from half a point, then by bisection. `proofs` keeps the findings for later surveys until the fair komi is
    /// known. Returns `None` if the survey is to stop.
    fn by_proofs(&self, rules: &Rules, proofs: &KomiProofs) -> Option<Finding> {
        let area = i32::from(rules.files) * i32::from(rules.ranks);
        // Black wins if White's komi is `wins` and a half points, and loses if it is `loses` and a half.
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
            let found = self.winner_with(&variant, proofs)?;
            match found.winner {
                Some(Winner::Black) => (wins, commands[0]) = (Some(next), Some(found.command)),
                Some(_) => (loses, commands[1]) = (Some(next), Some(found.command)),
                None => {
                    let open = found.open.unwrap_or_default();
                    let why = OpenReason::from(format!("{}: {}", variant.code(), open.why));
                    let [at_least, at_most] = [wins.map(|wins| i64::from(wins) + 1), loses.map(i64::from)];
                    let far = Open { why, at_least, at_most, ..open };
                    return Some(Finding { winner: None, open: Some(far), by: DecidedBy::Proof, ..found });
                }
            }
        }
        proofs.delete();
        let command = commands.into_iter().flatten().collect::<Vec<_>>().join("; ");
        let score = match (wins, loses) {
            (Some(wins), Some(_)) => wins as i16 + 1,
            (Some(_), None) => TARGETS,
            _ => -TARGETS,
        };
        let found = Finding { score: Some(score), by: DecidedBy::Proof, command, ..Finding::default() };
        Some(by_points(found))
    }

    /// Returns the finding about who wins `variant`. If `proofs` does not have it, asks another subcommand for the
    /// winner, and saves the finding in `proofs` unless the winner is still open. Returns `None` if the survey is to
    /// stop.
    fn winner_with(&self, variant: &Variant, proofs: &KomiProofs) -> Option<Finding> {
        let code = variant.code();
        if let Some(known) = proofs.read(&code) {
            return Some(known);
        }
        let found = self.ask_about(variant, Question::Winner)?;
        if found.open.is_none() {
            proofs.write(&code, &found);
        }
        Some(found)
    }
}

/// Converts `found`, whose score is the value of the start position in Binarsi for points. The new finding has the fair
/// komi, and the winner with the usual komi.
fn by_points(found: Finding) -> Finding {
    let score = found.score.unwrap_or(0);
    let by_targets = score.abs() == TARGETS;
    let winner = Some(if score > 0 { Winner::Black } else { Winner::White });
    Finding { winner, score: None, fair_komi: (!by_targets).then_some(score), by_targets, plies: None, ..found }
}
