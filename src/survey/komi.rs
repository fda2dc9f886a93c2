//! From one komi to another: who wins with a komi wins with any better one.

use yomikiri_answer::survey::{DecidedBy, Finding, Open, OpenReason, Question, Winner};
use yomikiri_rules::games::binarsi::Rules;

use super::ask::Asker;
use super::kept::Kept;
use super::variants::{Job, Variant, with_komi};

/// The score of a win by targets.
const TARGETS: i16 = 64;

impl Asker {
    /// Decides variants whose komi are better for White from one to the next; `None` if the survey is to stop.
    pub fn decide_by_komi(&self, job: &Job, question: Question) -> Option<Vec<Finding>> {
        let mut found = vec![None; job.variants.len()];
        self.decide_some(job, question, 0, &mut found)?;
        found.into_iter().collect()
    }

    /// Decides the variants from number `first` on, as many as `found` has room for.
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

    /// With which komi nobody has an advantage: by the value in points where all positions are few or a table is there,
    /// else by proofs.
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
        self.by_proofs(rules, &Kept::of(&self.work, &variant.code()))
    }

    /// Narrows the komi with which Black just wins: at first near that of the usual game, then by halves. What has been
    /// found out about one komi outlives the survey in `kept`, until the fair one is known.
    fn by_proofs(&self, rules: &Rules, kept: &Kept) -> Option<Finding> {
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
        kept.delete();
        let command = commands.into_iter().flatten().collect::<Vec<_>>().join("; ");
        let score = match (wins, loses) {
            (Some(wins), Some(_)) => wins as i16 + 1,
            (Some(_), None) => TARGETS,
            _ => -TARGETS,
        };
        let found = Finding { score: Some(score), by: DecidedBy::Proof, command, ..Finding::default() };
        Some(by_points(found))
    }

    /// Who wins with a komi; kept once it is decided.
    fn winner_with(&self, variant: &Variant, kept: &Kept) -> Option<Finding> {
        let code = variant.code();
        if let Some(known) = kept.read(&code) {
            return Some(known);
        }
        let found = self.ask_about(variant, Question::Winner)?;
        if found.open.is_none() {
            kept.write(&code, &found);
        }
        Some(found)
    }
}

/// What the value of a board in points says of its fair komi, and of who wins with the usual one.
fn by_points(found: Finding) -> Finding {
    let score = found.score.unwrap_or(0);
    let by_targets = score.abs() == TARGETS;
    let winner = Some(if score > 0 { Winner::Black } else { Winner::White });
    Finding { winner, score: None, fair_komi: (!by_targets).then_some(score), by_targets, plies: None, ..found }
}
