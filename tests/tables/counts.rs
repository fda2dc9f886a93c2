//! Tests of `stats --by`: counts by two dimensions are the same as if the positions are counted one by one.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use crate::support::command::{fails, files, good_json, table};
use crate::support::forged::{forged, with_later_block};
use crate::support::games::any;
use crate::support::table::Parts;
use yomikiri_answer::Dimension;
use yomikiri_rules::{AnyGame, AnyPosition, AnyValue, Game, Measure, Value};
use yomikiri_solve::Solvable;
use yomikiri_table::Table;
use yomikiri_table::entries::ranges;
use yomikiri_table::probe::open;

/// Returns the label of a position in the dimension `name` as JSON, from the rules and the value of the position.
fn of(game: &AnyGame, position: &AnyPosition, value: AnyValue, name: &str) -> Json {
    match name {
        "ply" => json!(game.ply(position)),
        "side" => json!(game.side(position)),
        "outcome" => json!(value.outcome()),
        "winner" => json!(value.outcome().winner(game.side(position))),
        "plies" => json!(value.plies().map(|plies| plies.0)),
        "moves" => json!(game.legal_moves(position).len()),
        "score" => match value.measure() {
            Measure::Score { score } => json!(score),
            Measure::Distance { .. } => Json::Null,
        },
        other => panic!("{other} is not counted here"),
    }
}

/// Returns the positions that a table lists, with their values.
fn listed_positions(game: &AnyGame, table: &Table) -> Vec<(AnyPosition, AnyValue)> {
    let read = game.entry_reader(table).unwrap();
    let mut all = Vec::new();
    for range in ranges(table).unwrap() {
        let entries = read(range).unwrap();
        let positions = entries.keys.iter().map(|&key| game.unrank(key).unwrap());
        all.extend(positions.zip(entries.bytes.iter().map(|&byte| game.value_of_byte(byte).unwrap())));
    }
    all
}

/// Returns all positions of a game in which every key has a position, with their values.
fn all_positions(game: &AnyGame, table: &Table) -> Vec<(AnyPosition, AnyValue)> {
    let value = |position: &AnyPosition| {
        game.terminal_value(position).or_else(|| game.probe(table, position).unwrap()).expect("every position has one")
    };
    (0..).map_while(|key| game.unrank(key)).map(|position| (position, value(&position))).collect()
}

/// Checks the counts by every pair of dimensions of a game, and returns the number of pairs. `is_complete` is true if
/// every key has a position.
fn check(game: &AnyGame, is_complete: bool) -> usize {
    let code = game.code();
    let folder = table(&code);
    let table = open(game, &folder.path().join(format!("{code}.tbl"))).unwrap();
    let ended: u64 = table.meta().unwrap().ended.values().sum();
    let all = if is_complete { all_positions(game, &table) } else { listed_positions(game, &table) };
    let names = Dimension::ALL.into_iter().filter(|dimension| dimension.refusal(game).is_none()).map(Dimension::name);
    let names: Vec<&str> = names.collect();
    let mut tried = 0;
    for first in &names {
        for second in names.iter().filter(|second| *second != first) {
            let told = good_json(folder.path(), &["stats", &code, "--json", "--by", &format!("{first},{second}")]);
            assert_eq!((&told["rules"], &told["by"]), (&json!(code), &json!([first, second])));
            let mut expected: BTreeMap<(String, String), u64> = BTreeMap::new();
            for (position, value) in &all {
                let key = [first, second].map(|name| of(game, position, *value, name).to_string());
                *expected.entry(key.into()).or_default() += 1;
            }
            let groups = told["counts"].as_array().unwrap();
            let mut found: BTreeMap<(String, String), u64> = BTreeMap::new();
            for group in groups {
                let key = [first, second].map(|name| group[*name].to_string());
                assert!(found.insert(key.into(), group["count"].as_u64().unwrap()).is_none(), "{group} is given twice");
            }
            let positions: u64 = found.values().sum();
            assert_eq!(told["positions"], json!(positions));
            let listed = if is_complete { 0 } else { ended };
            assert_eq!(positions, all.len() as u64 + listed, "{code} by {first} and {second}");
            if listed == 0 {
                assert_eq!(found, expected, "{code} by {first} and {second}");
            } else {
                // Positions in which the game is over are counted, although the table does not list them.
                assert!(expected.iter().all(|(key, count)| found[key] >= *count));
            }
            tried += 1;
        }
    }
    tried
}

/// Tables are refused if the counts of their positions differ from those in the meta data, or if their index has gaps.
#[test]
fn tables_that_lie_are_refused() {
    for (code, sum) in [("bin3x3", "12"), ("pyon3x4", "1")] {
        let folder = table(code);
        let path = folder.path().join(format!("{code}.tbl"));
        let sound = std::fs::read(&path).unwrap();
        let ply = &|meta: &Json| meta["tally"]["plies"]["0"][sum].as_u64().unwrap();
        let other_counts = forged(&sound, |_, meta| meta["tally"]["plies"]["0"][sum] = json!(ply(meta) + 1));
        let gap = Parts::of(&sound).blocks.len() - 1;
        for bytes in [other_counts, with_later_block(&sound, gap, 1 << 13), with_later_block(&sound, gap, 1 << 50)] {
            std::fs::write(&path, bytes).unwrap();
            for args in [&["stats", code, "--by", "moves"][..], &["plot", code, "--what", "branching"]] {
                let line = fails(folder.path(), args, 1);
                assert!(line.contains(&format!("{code}.tbl: ")), "{line}");
            }
            assert_eq!(files(folder.path()), [format!("{code}.tbl")]);
        }
    }
}

#[test]
fn counts_are_those_of_the_positions() {
    let codes = ["bin3x3", "rev4x4", "con4x4", "pyon3x3", "pyon2x3", "pyon3x4B", "m00c1", "204go"];
    let check = |code: &str| {
        let is_complete = code.starts_with("pyon");
        check(&any(code), is_complete)
    };
    assert_eq!(codes.map(check), [30, 12, 30, 6, 6, 6, 6, 6]);
}
