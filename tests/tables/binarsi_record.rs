//! The recorded runs of Binarsi in precomp/expected: small ones are made again, large ones spot-checked without their
//! tables.

use crate::support::repository;
use crate::support::solving::job;
use serde_json::Value as Json;
use std::mem::offset_of;
use yomikiri_answer::{Answerer, Stats};
use yomikiri_rules::game::Game;
use yomikiri_rules::games::binarsi::Binarsi;
use yomikiri_rules::value::{Distance, Outcome, Value};
use yomikiri_solve::{SolveError, SolveOptions, levels, pipeline};
use yomikiri_table::format::{HEADER, Header};
use yomikiri_table::probe::probe;
use yomikiri_table::progress::Silent;

/// Runs with more positions are not repeated here.
const REPEATED: u64 = 50_000_000;

fn records() -> Vec<Json> {
    let of_binarsi = |record: &Json| record["stats"]["rules"].as_str().unwrap().starts_with("bin");
    let records: Vec<Json> = repository::records("expected").into_iter().filter(of_binarsi).collect();
    assert!(records.len() >= 3, "recorded runs are missing");
    records
}

fn game_of(record: &Json) -> Binarsi {
    Binarsi::parse(record["stats"]["rules"].as_str().unwrap()).unwrap()
}

#[test]
fn small_runs_give_the_recorded_counts_and_bytes() {
    let small: Vec<Json> =
        records().into_iter().filter(|record| record["stats"]["positions"].as_u64().unwrap() < REPEATED).collect();
    assert!(small.len() >= 2);
    for record in small {
        let game = game_of(&record);
        let folder = tempfile::tempdir().unwrap();
        let table =
            pipeline::analyze(&game, None, folder.path(), &SolveOptions { memory: 4 << 30, ..job() }).unwrap().table;
        let start = probe::<Distance>(&table, game.rank(&game.start())).unwrap().unwrap();
        let stats = Stats::new(&game, &table.meta().unwrap(), start, game.side(&game.start()));
        assert_eq!(serde_json::to_value(&stats).unwrap(), record["stats"]);
        let bytes = std::fs::read(table.path()).unwrap();
        let hash = u64::from_le_bytes(bytes[offset_of!(Header, header_hash)..HEADER].try_into().unwrap());
        assert_eq!(format!("{hash:016x}"), record["table"]["header_hash"].as_str().unwrap(), "{}", game.code());
        assert_eq!(bytes.len() as u64, record["table"]["bytes"].as_u64().unwrap());
    }
}

#[test]
fn recorded_values_of_late_positions_are_found_without_a_table() {
    let nowhere = tempfile::tempdir().unwrap();
    for record in records() {
        let game = game_of(&record);
        let spots = record["spots"].as_array().unwrap();
        assert!(spots.len() >= 20);
        for spot in spots {
            let text = spot["position"].as_str().unwrap();
            let position = game.parse_position(text).unwrap();
            let oracle = Answerer::new(&game, nowhere.path()).exact(&position, 1 << 30, &Silent).unwrap();
            let value = oracle.value(&position).unwrap();
            let outcome = if value.outcome() == Outcome::Win { "win" } else { "loss" };
            assert_eq!(outcome, spot["outcome"].as_str().unwrap(), "{}: {text}", game.code());
            assert_eq!(u64::from(value.plies().unwrap().0), spot["plies"].as_u64().unwrap(), "{}: {text}", game.code());
        }
    }
}

#[test]
fn recorded_counts_of_the_first_plies_are_those_of_sorted_keys() {
    for record in records() {
        let game = game_of(&record);
        let expected = record["stats"]["by_ply"].as_array().unwrap();
        // Memory for a few million positions: large games stop on the way, with the first plies counted.
        let counted = levels::levels_within(&game, &game.start(), 60 << 20, &Silent);
        let (levels, complete) = match counted {
            Ok(layers) => (layers.levels, true),
            Err((layers, SolveError::TooLarge(_))) => (layers.levels, false),
            Err((_, error)) => panic!("{error}"),
        };
        assert!(levels.len() >= 8, "{}: only {} plies", game.code(), levels.len());
        assert_eq!(complete, levels.len() == expected.len());
        for (ply, (level, count)) in levels.iter().zip(expected).enumerate() {
            assert_eq!(level.len() as u64, count.as_u64().unwrap(), "{}: ply {ply}", game.code());
        }
    }
}
