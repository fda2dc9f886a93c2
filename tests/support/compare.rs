//! Checks of the report that `yomikiri compare` prints.

use yomikiri_answer::{ComparedPositions, Comparison, Example, ValueChange};
use yomikiri_rules::Outcome;

pub const OUTCOMES: [Outcome; 3] = [Outcome::Win, Outcome::Draw, Outcome::Loss];

/// Returns the groups of positions that both variants have, each with its name in JSON.
pub fn groups(report: &Comparison) -> [(&'static str, &ComparedPositions); 3] {
    [("go_on", &report.go_on), ("over_in_first", &report.over_in_first), ("over_in_second", &report.over_in_second)]
}

/// Checks that the counts of a comparison add up, as they must in every comparison.
pub fn check_sums(report: &Comparison) {
    for (name, group) in groups(report) {
        let row = |from| OUTCOMES.iter().map(|&to| group.outcomes.of(from).of(to)).sum::<u64>();
        assert_eq!(OUTCOMES.map(row).iter().sum::<u64>(), group.compared, "matrix of {name}");
        let changed: u64 = group.changes.iter().map(|changes| changes.positions.count).sum();
        assert_eq!(changed + group.unchanged, group.compared, "changes of {name}");
        for changes in &group.changes {
            if let ValueChange::Outcome { from, to } = changes.change {
                assert_eq!(changes.positions.count, *group.outcomes.of(from).of(to));
            }
        }
    }
    let [go_on, over_in_first, over_in_second] = groups(report).map(|(_, group)| group.compared);
    assert_eq!(report.compared, go_on + over_in_first + over_in_second);
    assert_eq!(report.first.positions, go_on + over_in_second + report.only_first.count);
    assert_eq!(report.second.positions, go_on + over_in_first + report.only_second.count);
}

/// Returns every list of examples of a comparison.
pub fn all_examples(report: &Comparison) -> Vec<&Vec<Example>> {
    let changes = groups(report).into_iter().flat_map(|(_, group)| &group.changes).map(|changes| &changes.positions);
    changes.chain([&report.only_first, &report.only_second]).map(|positions| &positions.examples).collect()
}
