//! `stats --by`: counts by two things are those of the positions, looked at one by one.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use crate::support::command::{good_json, table};
use yomikiri_answer::Dimension;
use yomikiri_rules::{AnyGame, Measure, Value, with_game};
use yomikiri_solve::Solvable;
use yomikiri_table::entries::ranges;
use yomikiri_table::probe::open;

/// What a position has of a dimension, as JSON, by the rules and its value.
fn of<G: Solvable>(game: &G, position: &G::Position, value: G::Value, name: &str) -> Json {
    match name {
        "ply" => json!(game.ply(position)),
        "side" => json!(game.side(position)),
        "outcome" => json!(value.outcome()),
        "winner" => json!(value.outcome().winner(game.side(position))),
        "plies" => json!(value.plies().map(|plies| plies.0)),
        "score" => match value.measure() {
            Measure::Score { score } => json!(score),
            Measure::Distance { .. } => Json::Null,
        },
        other => panic!("{other} is not counted here"),
    }
}

fn check<G: Solvable>(game: &G) -> usize {
    let code = game.code();
    let folder = table(&code);
    let table = open(game, &folder.path().join(format!("{code}.tbl"))).unwrap();
    let read = game.entry_reader(&table).unwrap();
    let mut all = Vec::new();
    for range in ranges(&table).unwrap() {
        let entries = read(range).unwrap();
        let positions = entries.keys.iter().map(|&key| game.unrank(key).unwrap());
        all.extend(positions.zip(entries.bytes.iter().map(|&byte| G::Value::from_byte(byte).unwrap())));
    }
    let ended: u64 = table.meta().unwrap().ended.values().sum();
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
                assert!(found.insert(key.into(), group["count"].as_u64().unwrap()).is_none(), "{group} is there twice");
            }
            let positions: u64 = found.values().sum();
            assert_eq!(told["positions"], json!(positions));
            assert_eq!(positions, all.len() as u64 + ended, "{code} by {first} and {second}");
            if ended == 0 {
                assert_eq!(found, expected, "{code} by {first} and {second}");
            } else {
                // Positions in which the game is over are counted, but not in the table.
                assert!(expected.iter().all(|(key, count)| found[key] >= *count));
            }
            tried += 1;
        }
    }
    tried
}

#[test]
fn counts_are_those_of_the_positions() {
    let codes = ["bin3x3", "rev4x4", "con4x4", "pyon3x3"];
    let tried = codes.map(|code| with_game!(AnyGame::parse(code).unwrap(), game => check(&game)));
    assert_eq!(tried, [20, 6, 20, 2]);
}
