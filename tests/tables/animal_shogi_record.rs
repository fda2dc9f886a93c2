//! The recorded run of val1n: its counts are the published ones, and its spots are found by looking ahead.

use crate::support::games::animal_shogi;
use crate::support::repository::record;
use serde_json::Value as Json;
use yomikiri_rules::game::Game;
use yomikiri_rules::games::animal_shogi::{AnimalShogi, Position};
use yomikiri_rules::value::{Outcome, ParityDistance, Plies, Value};

/// Outcome and plies by plain minimax, if the end is no more than `plies` away.
fn look_ahead(game: &AnimalShogi, position: &Position, plies: u16) -> Option<ParityDistance> {
    if let Some(value) = game.terminal_value(position) {
        return value.plies().is_some_and(|distance| distance.0 <= plies).then_some(value);
    }
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let values: Vec<_> = moves
        .iter()
        .map(|&mv| {
            let left = plies.checked_sub(1)?;
            look_ahead(game, &game.play(position, mv), left).map(Value::of_move)
        })
        .collect();
    let best = values.iter().flatten().max().copied();
    match best.map(Value::outcome) {
        Some(Outcome::Win) => best,
        // A loss needs every move to be known.
        Some(_) if values.iter().all(Option::is_some) => best,
        _ => None,
    }
}

#[test]
fn the_counts_are_the_published_ones() {
    let stats = &record("expected/val1n.json")["stats"];
    let count = |name: &str| stats[name].as_u64().unwrap();
    assert_eq!(count("positions"), 246_803_167);
    assert_eq!(count("ended"), 140_298_614 + 7_018_985);
    assert_eq!(count("losses"), 47_347_380);
    assert_eq!(count("wins"), 196_773_087);
    assert_eq!(count("draws"), 2_682_700);
    assert_eq!(count("max_plies"), 173);
    assert_eq!((&stats["start"]["outcome"], stats["start"]["plies"].as_u64()), (&Json::from("loss"), Some(78)));
    let by_plies = stats["by_plies"].as_object().unwrap();
    assert_eq!(by_plies["0"].as_u64(), Some(7_018_985), "lost to a try");
    let decided: u64 = by_plies.values().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(decided + count("draws"), count("positions"));
}

#[test]
fn recorded_values_near_the_end_are_found_by_looking_ahead() {
    let game = animal_shogi("val1n");
    let record = record("expected/val1n.json");
    let spots = record["spots"].as_array().unwrap();
    assert!(spots.len() >= 20);
    for spot in spots {
        let text = spot["position"].as_str().unwrap();
        let plies = spot["plies"].as_u64().unwrap() as u16;
        let found = look_ahead(&game, &game.parse_position(text).unwrap(), plies);
        assert_eq!(found, Some(ParityDistance::Decided(Plies(plies))), "{text}");
        let outcome = if plies % 2 == 1 { "win" } else { "loss" };
        assert_eq!(spot["outcome"].as_str(), Some(outcome), "{text}");
    }
}
