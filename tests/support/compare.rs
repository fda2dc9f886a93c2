//! Checks of the JSON that `yomikiri compare` prints.

use serde_json::Value as Json;

pub const GROUPS: [&str; 3] = ["go_on", "over_in_first", "over_in_second"];
pub const OUTCOMES: [&str; 3] = ["win", "draw", "loss"];

/// Checks that the counts of a comparison add up, as they must in every comparison.
pub fn check_sums(json: &Json) {
    let number = |value: &Json| value.as_u64().unwrap_or_else(|| panic!("{value} is not a number"));
    let compared = |group: &str| number(&json[group]["compared"]);
    let only = |side: &str| number(&json[side]["count"]);
    for group in GROUPS {
        let matrix = |from: &str| OUTCOMES.iter().map(|to| number(&json[group]["outcomes"][from][to])).sum::<u64>();
        assert_eq!(OUTCOMES.iter().map(|from| matrix(from)).sum::<u64>(), compared(group), "matrix of {group}");
        let changes = json[group]["changes"].as_array().unwrap();
        let changed: u64 = changes.iter().map(|changes| number(&changes["count"])).sum();
        assert_eq!(changed + number(&json[group]["unchanged"]), compared(group), "changes of {group}");
        for changes in changes {
            if let Some((from, to)) = changes["change"].as_str().unwrap().split_once("_to_") {
                assert_eq!(changes["count"], json[group]["outcomes"][from][to]);
            }
        }
    }
    assert_eq!(number(&json["compared"]), GROUPS.map(compared).iter().sum::<u64>());
    let first = compared("go_on") + compared("over_in_second") + only("only_first");
    let second = compared("go_on") + compared("over_in_first") + only("only_second");
    assert_eq!([first, second], ["first", "second"].map(|side| number(&json[side]["positions"])));
}

/// Returns every list of examples of a comparison.
pub fn all_examples(json: &Json) -> Vec<&Vec<Json>> {
    let changes = GROUPS.iter().flat_map(|group| json[group]["changes"].as_array().unwrap());
    let lists = changes.chain([&json["only_first"], &json["only_second"]]);
    lists.map(|changes| changes["examples"].as_array().unwrap()).collect()
}
