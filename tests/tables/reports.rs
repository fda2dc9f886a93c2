//! Tests that the types of reports read the JSON that the command prints.

use std::path::Path;

use crate::support::command::{good_json, tables};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{from_value, to_value};
use yomikiri_answer::{
    Comparison, CostReport, GameList, LegalMoves, PuzzleReport, QueryReport, RulesReport, SearchReport, Stats,
};
use yomikiri_play::matches::MatchSummary;

/// Runs a command, and checks that a report of type `R` that is read from its JSON is written as the same JSON.
fn check<R: Serialize + DeserializeOwned>(folder: &Path, args: &[&str]) {
    let json = good_json(folder, &[args, &["--json"]].concat());
    let report: R = from_value(json.clone()).unwrap_or_else(|error| panic!("{args:?}: {error}"));
    assert_eq!(to_value(report).unwrap(), json, "{args:?}");
}

/// Reports with distances, with scores, and without keys.
#[test]
fn reports_are_read_as_they_are_written() {
    let codes = ["bin3x3", "bin3x3-n", "bin3x3-p", "rev4x4", "rev3x4", "pyon3x4"];
    let folder = tables(&codes);
    let folder = folder.path();
    for code in codes {
        check::<QueryReport>(folder, &["query", code]);
        check::<Stats>(folder, &["stats", code]);
        check::<RulesReport>(folder, &["rules", code]);
        check::<CostReport>(folder, &["estimate", code]);
        check::<MatchSummary>(folder, &["match", code, "table", "random", "--games", "4"]);
    }
    check::<QueryReport>(folder, &["query", "bin3x3-kw0.5"]);
    check::<Stats>(folder, &["stats", "bin3x3", "--longest", "3"]);
    check::<GameList>(folder, &["rules"]);
    check::<LegalMoves>(folder, &["moves", "rev8x8"]);
    check::<SearchReport>(folder, &["solve", "rev4x4", "--line"]);
    check::<Vec<PuzzleReport>>(folder, &["puzzle", "bin3x3", "--plies", "3"]);
    check::<Vec<PuzzleReport>>(folder, &["puzzle", "rev4x4"]);
    check::<Comparison>(folder, &["compare", "bin3x3", "bin3x3-n"]);
    check::<Comparison>(folder, &["compare", "rev4x4", "rev4x4"]);
}
