//! What a running program has of its files: as little as it needs, and nothing that changes under it.

use crate::support::command::table;
use crate::support::repository::at;
use crate::support::terminal::Terminal;
use std::fs::{self, OpenOptions};
use std::path::Path;

type Change = fn(&Path, &[u8]);

fn engine(code: &str, tables: &Path) -> Terminal {
    let mut engine = Terminal::open(&format!("yomikiri usi {code} --tables {}", tables.display()));
    assert!(engine.asks("usi").contains("usiok"));
    engine
}

/// The move of a position, found by looking at no more than so many nodes where no table tells.
fn best_move(engine: &mut Terminal, position: &str) -> String {
    engine.asks(&format!("position {position}"));
    engine.asks("go nodes 2000")
}

/// Tables that are cut off, written over or replaced while an engine has them open: it goes on, and never says what is
/// not so.
#[test]
fn a_table_that_changes_under_an_engine_is_no_harm() {
    let folder = table("bin3x3");
    let path = folder.path().join("bin3x3.tbl");
    let sound = fs::read(&path).unwrap();
    let changes: [Change; 4] = [
        |path, _| OpenOptions::new().write(true).open(path).unwrap().set_len(0).unwrap(),
        |path, sound| OpenOptions::new().write(true).open(path).unwrap().set_len(sound.len() as u64 / 2).unwrap(),
        // Every byte another one, and as many of them.
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
        engine.types("quit");
        engine.leaves();
        fs::write(&path, &sound).unwrap();
    }
}

/// The largest certificate has seven million bytes; a question needs some thousand of them.
#[test]
fn a_question_reads_little_of_a_certificate() {
    let mut engine = engine("bin7x6", &at("precomp"));
    let answer = best_move(&mut engine, "startpos");
    assert!(answer.contains("bestmove") && answer.contains("certificate"), "{answer}");
    let read = engine.bytes_read();
    assert!((1_000..300_000).contains(&read), "{read} bytes");
    engine.types("quit");
    engine.leaves();
}
