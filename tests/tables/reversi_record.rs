//! The recorded runs of reversi: small ones are made again; of large ones the first plies are counted by sorted keys
//! and late positions solved without the table. The recorded searches are followed to the end.

use crate::support::games::reversi;
use crate::support::repository;
use crate::support::solving::analyzed;
use serde_json::Value as Json;
use std::mem::offset_of;
use yomikiri_answer::{Answerer, Stats};
use yomikiri_rules::game::Game;
use yomikiri_rules::games::reversi::{Position, Reversi, text};
use yomikiri_rules::value::Score;
use yomikiri_solve::{Adapter, Solvable, SolveError, levels};
use yomikiri_table::format::{HEADER, Header};
use yomikiri_table::progress::Silent;

/// Runs with more positions are not repeated here.
const REPEATED: u64 = 5_000_000;

fn records() -> Vec<(Reversi, Json)> {
    let game = |record: Json| Some((Reversi::parse(record["stats"]["rules"].as_str().unwrap()).ok()?, record));
    let records: Vec<_> = repository::records("expected").into_iter().filter_map(game).collect();
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
        let table = analyzed(&game, folder.path());
        let start = game.probe(&table, &game.start()).unwrap().unwrap();
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
    for (game, record) in records() {
        let spots = record["spots"].as_array().unwrap();
        assert!(spots.len() >= 20);
        for spot in spots {
            let text = spot["position"].as_str().unwrap();
            let position = game.parse_position(text).unwrap();
            let oracle = Answerer::new(&game, "no such folder").exact(&position, 1 << 30, &Silent).unwrap();
            let scores = [oracle.value(&position).unwrap(), searched(&game, &position)].map(Score::points);
            let expected = spot["score"].as_i64().unwrap() as i8;
            assert_eq!(scores, [expected; 2], "{}: {text}", game.code());
        }
    }
}

#[test]
fn recorded_scores_of_the_starts_are_found_by_search() {
    for (game, record) in records() {
        let score = searched(&game, &game.start()).points();
        assert_eq!(i64::from(score), record["stats"]["start"]["score"].as_i64().unwrap(), "{}", game.code());
    }
}

/// The recorded searches of boards without tables: their best play leads to their score, and late positions on the
/// way are worth it.
#[test]
fn recorded_searches_hold_along_their_lines() {
    let searches = repository::records("solved");
    assert!(searches.len() >= 2, "recorded searches are missing");
    for record in searches {
        let solution = &record["solution"];
        let text = |field: &str| solution[field].as_str().unwrap();
        let game = reversi(text("rules"));
        let score = solution["score"].as_i64().unwrap() as i8;
        let (area, mut late) = (game.rules.board.area(), 0);
        let mut position = game.parse_position(text("position")).unwrap();
        let side = game.side(&position);
        assert_eq!(position, game.start());
        let seen = |position: &Position, points: i8| if game.side(position) == side { points } else { -points };
        for mv in text::read_transcript(&game, &position, &[text("line")]).unwrap() {
            position = game.play(&position, mv);
            if area - position.occupied().count_ones() <= 14 && game.terminal_value(&position).is_none() {
                assert_eq!(searched(&game, &position).points(), seen(&position, score), "{}", game.code());
                late += 1;
            }
        }
        assert!(late >= 8);
        assert_eq!(game.terminal_value(&position).unwrap().points(), seen(&position, score), "{}", game.code());
        // Black less White on the full board.
        let published = [("rev6x6", -4), ("rev6x6-p", -2)];
        published.iter().filter(|(code, _)| *code == game.code()).for_each(|&(_, points)| assert_eq!(score, points));
    }
}

/// The score that a search finds.
fn searched(game: &Reversi, position: &Position) -> Score {
    game.searcher(64 << 20).unwrap().solve(position, &Silent).value
}

#[test]
fn recorded_counts_of_the_first_plies_are_those_of_sorted_keys() {
    for (game, record) in records() {
        let expected = record["stats"]["by_ply"].as_array().unwrap();
        let levels = match levels::levels_within(&game, &game.start(), 20 << 20, &Silent) {
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
