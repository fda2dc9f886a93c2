//! Tests that a running program reads only the parts of its files that it needs, and that it survives changes to the
//! files.

use crate::support::command::table;
use crate::support::repository::repository_path;
use crate::support::terminal::Terminal;
use std::fs::{self, OpenOptions};
use std::path::Path;

type Change = fn(&Path, &[u8]);

fn engine(code: &str, tables: &Path) -> Terminal {
    let mut engine = Terminal::open(&format!("yomikiri usi {code} --tables {}", tables.display()));
    assert!(engine.ask("usi").contains("usiok"));
    engine
}

/// Returns the engine's answer to `go` in a position. If it has to search, it searches at most 2000 nodes.
fn best_move(engine: &mut Terminal, position: &str) -> String {
    engine.ask(&format!("position {position}"));
    engine.ask("go nodes 2000")
}

/// Truncates, overwrites or replaces a table while an engine has it open. The engine must answer every question.
#[test]
fn a_table_that_changes_under_an_engine_is_no_harm() {
    let folder = table("bin3x3");
    let path = folder.path().join("bin3x3.tbl");
    let sound = fs::read(&path).unwrap();
    let changes: [Change; 4] = [
        |path, _| OpenOptions::new().write(true).open(path).unwrap().set_len(0).unwrap(),
        |path, sound| OpenOptions::new().write(true).open(path).unwrap().set_len(sound.len() as u64 / 2).unwrap(),
        // Every byte changes, but not the length.
        |path, sound| fs::write(path, sound.iter().map(|byte| byte ^ 0x55).collect::<Vec<u8>>()).unwrap(),
        |path, sound| fs::write(path, vec![0; sound.len()]).unwrap(),
    ];
    for change in changes {
        let mut engine = engine("bin3x3", folder.path());
        let before = best_move(&mut engine, "startpos");
        assert!(before.contains("bestmove") && before.contains("table"), "{before}");
        change(&path, &sound);
        for position in ["startpos moves 2n", "startpos moves 2n 1n", "startpos moves bn", "startpos"] {
            let after = best_move(&mut engine, position);
            assert!(after.contains("bestmove"), "{after}");
        }
        engine.type_line("quit");
        engine.finish();
        fs::write(&path, &sound).unwrap();
    }
}

/// The certificate of bin7x6 has seven million bytes. An engine that answers one question reads fewer than 300,000
/// bytes in all.
#[test]
fn a_question_reads_little_of_a_certificate() {
    let mut engine = engine("bin7x6", &repository_path("precomp"));
    let answer = best_move(&mut engine, "startpos");
    assert!(answer.contains("bestmove") && answer.contains("certificate"), "{answer}");
    let read = engine.bytes_read();
    assert!((1_000..300_000).contains(&read), "{read} bytes");
    engine.type_line("quit");
    engine.finish();
}
