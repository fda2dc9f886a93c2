//! The recorded runs of reversi: small ones are made again; of large ones the first plies are counted by sorted keys and late
//! positions solved without the table.

use std::path::{Path, PathBuf};

use serde_json::Value as Json;
use yomikiri::game::Game;
use yomikiri::games::reversi::Reversi;
use yomikiri::pipeline;
use yomikiri::query::{Oracle, Stats};
use yomikiri::solve::{Job, Silent, Solvable, SolveError, layers};
use yomikiri::table::format::at;

/// Runs with more positions are not repeated here.
const REPEATED: u64 = 5_000_000;

fn records() -> Vec<(Reversi, Json)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("precomp/expected");
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let read = |path: PathBuf| -> Json { serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap() };
    let game = |record: Json| Some((Reversi::parse(record["stats"]["rules"].as_str().unwrap()).ok()?, record));
    let records: Vec<_> = files.map(read).filter_map(game).collect();
    assert!(records.len() >= 5, "recorded runs are missing");
    records
}

/// Number of positions of a recorded run.
fn positions(record: &Json) -> u64 {
    record["stats"]["positions"].as_u64().unwrap()
}

#[test]
fn small_runs_give_the_recorded_counts_and_bytes() {
    let small: Vec<_> = records().into_iter().filter(|(_, record)| positions(record) < REPEATED).collect();
    assert!(small.len() >= 3);
    for (game, record) in small {
        let folder = tempfile::tempdir().unwrap();
        let job = Job { memory: 1 << 30, force: false, checkpoint: std::time::Duration::MAX, progress: &Silent };
        let table = pipeline::analyze(&game, None, folder.path(), &job).unwrap().table;
        let start = game.probe(&table, &game.start()).unwrap().unwrap();
        let stats = Stats::new(&game, &table.meta().unwrap(), start, game.side(&game.start()));
        assert_eq!(serde_json::to_value(&stats).unwrap(), record["stats"]);
        let bytes = std::fs::read(table.path()).unwrap();
        let hash = u64::from_le_bytes(bytes[at::HEADER_HASH..at::END].try_into().unwrap());
        assert_eq!(format!("{hash:016x}"), record["table"]["header_hash"].as_str().unwrap(), "{}", game.code());
        assert_eq!(bytes.len() as u64, record["table"]["bytes"].as_u64().unwrap());
    }
}

#[test]
fn recorded_values_of_late_positions_are_found_without_a_table() {
    for (game, record) in records() {
        let spots = record["spots"].as_array().unwrap();
        assert!(spots.len() >= 20);
        for spot in spots {
            let text = spot["position"].as_str().unwrap();
            let position = game.parse_position(text).unwrap();
            let oracle = Oracle::find(&game, Path::new("no such folder"), &position, 1 << 30, &Silent).unwrap();
            let score = oracle.value(&position).unwrap().points();
            assert_eq!(i64::from(score), spot["score"].as_i64().unwrap(), "{}: {text}", game.code());
        }
    }
}

#[test]
fn recorded_counts_of_the_first_plies_are_those_of_sorted_keys() {
    for (game, record) in records() {
        let expected = record["stats"]["by_ply"].as_array().unwrap();
        let levels = match layers::levels_within(&game, &game.start(), 20 << 20, &Silent) {
            Ok(layers) => layers.levels,
            Err((mut layers, SolveError::TooLarge(_))) => {
                // What passes lead to is not yet in the last.
                layers.levels.pop();
                layers.levels
            }
            Err((_, error)) => panic!("{error}"),
        };
        assert!(levels.len() >= 10, "{}: only {} plies", game.code(), levels.len());
        for (ply, (level, count)) in levels.iter().zip(expected).enumerate() {
            assert_eq!(level.len() as u64, count.as_u64().unwrap(), "{}: ply {ply}", game.code());
        }
    }
}
