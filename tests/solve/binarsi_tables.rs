//! The tier kernel and its tables against the brute force, the plain layers and the naive rules, on every variant
//! small enough.

use std::path::PathBuf;

use crate::naive::binarsi as naive;
use crate::support::games::binarsi;
use crate::support::solving::{analyzed, job};
use yomikiri_rules::game::Game;
use yomikiri_rules::value::{Distance, Side, Value};
use yomikiri_solve::{Solvable, SolveOptions, brute, levels, pipeline};
use yomikiri_table::probe::{open, probe};
use yomikiri_table::progress::Silent;

/// All keys of a table with their values, by way of the layers that the rules alone give.
fn agrees_with_brute_force(code: &str) {
    let game = binarsi(code);
    let folder = tempfile::tempdir().unwrap();
    let table = analyzed(&game, folder.path());
    let oracle = brute::solve(&game, &game.start());
    assert_eq!(table.header.positions.get(), oracle.len() as u64, "{code}: number of positions");
    for (&key, &value) in &oracle {
        let found = probe::<Distance>(&table, key).unwrap();
        assert_eq!(found, Some(value), "{code}: {}", game.position_text(&game.position_of_key(key).unwrap()));
    }
}

#[test]
fn every_tiny_board_agrees_with_brute_force() {
    for files in 2..=4 {
        for ranks in 2..=4 {
            if files * ranks <= 8 {
                agrees_with_brute_force(&format!("bin{files}x{ranks}"));
            }
        }
    }
    agrees_with_brute_force("bin3x3");
}

#[test]
fn long_thin_boards_agree_with_brute_force() {
    for code in ["bin5x2", "bin2x5", "bin6x2", "bin2x6"] {
        agrees_with_brute_force(code);
    }
}

#[test]
fn other_starts_agree_with_brute_force() {
    for code in ["bin3x3-s2b", "bin3x3-s3c", "bin4x2-s1b", "bin2x4-s2d", "bin3x2-s3a", "bin5x2-s3a"] {
        agrees_with_brute_force(code);
    }
}

#[test]
fn other_targets_agree_with_brute_force() {
    for code in ["bin3x3-t222", "bin3x3-t234", "bin3x3-t999", "bin3x3-t323", "bin4x2-t234", "bin2x4-t232"] {
        agrees_with_brute_force(code);
    }
}

#[test]
fn other_komi_agrees_with_brute_force() {
    for code in ["bin3x3-kb0.5", "bin3x3-kw3.5", "bin3x3-kb99.5", "bin4x2-kb2.5"] {
        agrees_with_brute_force(code);
    }
}

#[test]
fn boards_without_null_modifies_agree_with_brute_force() {
    for code in ["bin2x2-n", "bin3x3-n", "bin3x3-s2b-t233-kb1.5-n", "bin4x2-n", "bin2x4-n", "bin5x2-t999-n"] {
        agrees_with_brute_force(code);
    }
}

#[test]
fn a_board_of_two_hundred_thousand_positions_agrees_with_brute_force() {
    agrees_with_brute_force("bin4x3-t222");
}

#[test]
fn tiny_tables_agree_with_the_naive_rules() {
    for code in ["bin2x2", "bin2x2-kb0.5", "bin2x2-n", "bin3x2", "bin2x3", "bin4x2", "bin2x4-n", "bin3x2-t222-n"] {
        let game = binarsi(code);
        let folder = tempfile::tempdir().unwrap();
        let table = analyzed(&game, folder.path());
        let oracle = naive::Naive::from_code(code).values();
        assert_eq!(table.header.positions.get(), oracle.len() as u64, "{code}");
        for (sfen, (winner, plies)) in oracle {
            let position = game.parse_position(&sfen).unwrap();
            let value = probe::<Distance>(&table, game.key(&position)).unwrap().unwrap();
            let side = value.outcome().winner(position.side());
            let expected = if winner == 'b' { Side::Black } else { Side::White };
            assert_eq!((side, value.plies().unwrap().0), (Some(expected), plies as u16), "{code}: {sfen}");
        }
    }
}

#[test]
fn layers_and_tiers_agree_on_counts_and_values() {
    for code in ["bin3x3", "bin4x3", "bin4x3-s1a-t333-n"] {
        let game = binarsi(code);
        let folder = tempfile::tempdir().unwrap();
        let table = analyzed(&game, folder.path());
        let layers = levels::enumerate(&game, &game.start(), 4 << 30, &Silent).unwrap();
        let values = levels::solve(&game, &layers, &Silent);
        let tally = table.meta().unwrap().tally;
        for (ply, (keys, bytes)) in layers.levels.iter().zip(&values).enumerate() {
            let counted: u64 = tally.plies[&(ply as u32)].values().sum();
            assert_eq!(counted, keys.len() as u64, "{code}: ply {ply}");
            let step = keys.len().div_ceil(2000);
            for (&key, &byte) in keys.iter().zip(bytes).step_by(step) {
                assert_eq!(probe::<Distance>(&table, key).unwrap(), Distance::from_byte(byte), "{code}: key {key}");
            }
        }
    }
}

#[test]
fn positions_that_cannot_arise_are_not_in_the_table() {
    let game = binarsi("bin3x3");
    let folder = tempfile::tempdir().unwrap();
    let table = analyzed(&game, folder.path());
    let oracle = brute::solve(&game, &game.start());
    let last = *oracle.keys().max().unwrap();
    let absent = (0..last + 1000).step_by(37).filter(|key| !oracle.contains_key(key));
    for key in absent.take(200_000) {
        assert_eq!(probe::<Distance>(&table, key).unwrap(), None, "key {key}");
    }
}

#[test]
fn tables_are_the_same_for_any_threads_and_memory() {
    let game = binarsi("bin4x3");
    let make = |threads: usize, memory: u64| {
        let folder = tempfile::tempdir().unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let job = SolveOptions { memory, ..job() };
        let path =
            pool.install(|| pipeline::analyze(&game, None, folder.path(), &job).unwrap().table.path().to_path_buf());
        std::fs::read(path).unwrap()
    };
    let one = make(1, 1 << 30);
    assert!(one == make(2, 1 << 30), "1 and 2 threads differ");
    assert!(one == make(5, 1 << 30), "1 and 5 threads differ");
    assert!(one == make(2, 0), "a run that reloads every sheet differs");
}

#[test]
fn an_audit_finds_a_wrong_value_with_right_checksums() {
    let folder = tempfile::tempdir().unwrap();
    let (right, wrong) = (binarsi("bin3x3"), binarsi("bin3x3-kb3.5"));
    let other: PathBuf = analyzed(&wrong, folder.path()).path().to_path_buf();
    // The table of other rules under a header that claims ours: every checksum holds, some values are wrong.
    let mut bytes = std::fs::read(&other).unwrap();
    let mut header = yomikiri_table::Header::from_bytes(&bytes).unwrap();
    header.rule_code = yomikiri_table::Header::code_bytes(&right.code());
    bytes[..yomikiri_table::format::HEADER].copy_from_slice(&header.to_bytes());
    let forged = folder.path().join("bin3x3.tbl");
    std::fs::write(&forged, bytes).unwrap();
    let table = open(&right, &forged).unwrap();
    let error = right.audit(None, &table, &job()).unwrap_err().to_string();
    assert!(error.contains("does not have the value of its best move"), "{error}");
}
