//! The audit of tables of all positions: checks every key once, in an order in which successive positions have nearby
//! children.
//!
//! The audit makes the moves of each position itself. A stored value must be that of the best move. A position in which
//! the game is over must not be stored. The audit must visit every key exactly once, so that no position is missing or
//! counted twice.

use super::{Auditor, ValueGrades};
use crate::counts::ByteCounts;
use crate::retrograde::{Complete, Verdict, read};
use crate::space::{Batch, SharedSet};
use crate::{Breach, Result};
use yomikiri_rules::{HasDistance, Value};
use yomikiri_table::memory::Zeros;
use yomikiri_table::memory::prefetch;
use yomikiri_table::{IndexKind, Progress, Table, Tally, parallel};

/// The state of an audit.
struct Audit<'a, G: Complete> {
    auditor: Auditor<'a, G>,
    data: G::AuditData,
    /// The table byte of each key. Ended positions have bytes, too, although the table does not store them.
    bytes: Zeros<u8>,
    grades: ValueGrades,
    visited: SharedSet,
}

/// The number of positions by table byte, for one of the parts into which the audit divides all positions
/// ([`Complete::parts`]). The first element counts nonterminal positions, the second element terminal ones.
type PartCounts = [ByteCounts; 2];

/// Checks every position of a table of the whole game, and the counts of the table.
pub fn audit_retrograde_of_all<G: Complete>(game: &G, table: &Table, progress: &dyn Progress) -> Result<()> {
    let auditor = Auditor { game, table };
    auditor.expect_kind(&[IndexKind::UnlistedWins, IndexKind::UnlistedDraws])?;
    progress.begin("Step 3: audit", game.open_keys().into());
    let mut bytes = read(game, table)?;
    for (key, outcome) in game.ends() {
        let byte = &mut bytes[key.into() as usize];
        if *byte != 0 {
            let text = game.position_text(&game.position(key));
            return Err(table.damaged(format!("has a value for {text}, in which the game is over")).into());
        }
        *byte = G::Value::of(outcome, 0).to_byte();
    }
    let visited = SharedSet::new(bytes.len() as u64)?;
    let audit = Audit { auditor, data: game.audit_data(), bytes, grades: ValueGrades::new::<G::Value>(), visited };
    let check = |part: usize| audit.check_part(part as u32, progress);
    let merge = |[open, over]: PartCounts, [more, ended]: PartCounts| [open.merged(more), over.merged(ended)];
    let counts = parallel::try_reduce(game.parts() as usize, check, merge)?;
    audit.counts_agree(&counts)?;
    progress.end(&format!("{} positions, every value agrees with its moves", audit.visited.count()));
    Ok(())
}

impl<G: Complete> Audit<'_, G> {
    fn check_part(&self, part: u32, progress: &dyn Progress) -> Result<PartCounts> {
        let mut counts = PartCounts::default();
        let (mut checked, mut bad) = (0, None);
        let mut check = |(key, expected, is_over): (G::Key, u8, bool)| {
            let byte = self.bytes[key.into() as usize];
            let found = if is_over { byte } else { self.grades.of_position[usize::from(byte)] };
            if found != expected || expected == 0 || !self.visited.insert(key.into()) {
                bad = bad.or(Some(key));
            }
            counts[usize::from(is_over)].add(byte);
        };
        let mut waiting = Batch::new();
        self.auditor.game.check_part(&self.data, part, &self.bytes, &self.grades.of_move, |key, verdict| {
            checked += 1;
            prefetch(&self.bytes[key.into() as usize]);
            self.visited.prefetch(key.into());
            let (expected, is_over) = match verdict {
                Verdict::Over(outcome) => (G::Value::of(outcome, 0).to_byte(), true),
                Verdict::Best(worth) => (worth, false),
            };
            waiting.push((key, expected, is_over), &mut check);
        });
        waiting.flush(&mut check);
        progress.advance(checked);
        match bad {
            None => Ok(counts),
            Some(key) => Err(self.auditor.error(key.into(), Breach::WrongValue)),
        }
    }

    /// Checks that every key was visited, and that the counts in the meta data are right.
    fn counts_agree(&self, [open, over]: &PartCounts) -> Result<()> {
        let (mut tally, ended) = (Tally::default(), over.values().collect());
        open.add_to(&mut tally, 0);
        let whole = self.visited.count() == self.bytes.len() as u64;
        self.auditor
            .check_counts(&tally, &ended)
            .and_then(|()| if whole { Ok(()) } else { Err(self.auditor.wrong_counts()) })
    }
}
