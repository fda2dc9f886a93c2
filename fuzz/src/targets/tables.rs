//! Tables. The first byte of an input says which table, the rest what becomes of it ([`checksums::forged`]).

use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

use yomikiri_rules::{AnyGame, with_game};
use yomikiri_solve::{Solvable, SolveOptions, audit, pipeline};
use yomikiri_table::entries::Entries;
use yomikiri_table::{Header, Meta, Silent, Table, probe};

use crate::checksums;

/// Small variants with tables of every kind, and whether their blocks are coded.
const CODES: [(&str, bool); 7] = [
    ("bin2x2", false),
    ("con3x3-k3", false),
    ("rev3x3", false),
    ("pyon2x3", false),
    ("pyon3x3", false),
    ("pyon2x3", true),
    ("pyon3x3", true),
];

/// A table as it should be.
struct Sound {
    game: AnyGame,
    bytes: Vec<u8>,
    meta: Meta,
    entries: Entries,
}

static SOUND: LazyLock<[Sound; CODES.len()]> = LazyLock::new(|| {
    CODES.map(|(code, is_coded)| {
        let game = AnyGame::parse(code).expect("a code");
        with_game!(&game, game => analyzed(game, is_coded))
    })
});

fn options() -> SolveOptions<'static> {
    SolveOptions { memory: 1 << 27, force: false, checkpoint: Duration::MAX, progress: &Silent }
}

fn analyzed<G: Solvable + Into<AnyGame>>(game: &G, is_coded: bool) -> Sound {
    let folder = tempfile::tempdir().expect("temporary files can be made");
    let table = pipeline::analyze(game, None, folder.path(), &options()).expect("a sound run").table;
    let (meta, entries) = (table.meta().expect("it can be read"), entries(game, &table).expect("it can be read"));
    if is_coded {
        game.pack(table.path(), &Silent).expect("it has a smaller form");
    }
    let bytes = std::fs::read(table.path()).expect("the table is there");
    Sound { game: game.clone().into(), bytes, meta, entries }
}

/// Tables as they should be.
pub fn sound() -> Vec<Vec<u8>> {
    let inputs = |(number, sound): (u8, &Sound)| {
        checksums::unchanged(&sound.bytes).map(|input| [&[number][..], &input].concat())
    };
    (0..).zip(SOUND.iter()).flat_map(inputs).collect()
}

/// Reads a table in all ways. One that passes the audit is the table of its game.
pub fn run(bytes: &[u8]) {
    let Some((which, bytes)) = bytes.split_first() else { return };
    let sound = &SOUND[usize::from(*which) % CODES.len()];
    let Some(file) = checksums::forged(&sound.bytes, bytes) else { return };
    with_game!(&sound.game, game => read(game, sound, file));
}

fn entries<G: Solvable>(game: &G, table: &Table) -> Option<Entries> {
    game.entry_reader(table).ok()?(0..u64::MAX).ok()
}

fn read<G: Solvable>(game: &G, sound: &Sound, file: Vec<u8>) {
    let table = match probe::open_source(game, file, Path::new("a.tbl")) {
        Ok(table) => table,
        Err(error) => return assert!(!error.to_string().contains(char::is_control), "{error}"),
    };
    let start = game.start();
    let found = game.probe(&table, &start);
    let read = entries(game, &table);
    if let Some(&key) = read.as_ref().and_then(|read| read.keys.first()) {
        let _ = probe::position_of(game, &table, key).map(|position| game.probe(&table, &position));
    }
    let _ = game.audit_sample(&table, 5, &Silent);
    let passes = table.check_blocks(&Silent).is_ok()
        && audit::check_meta(game, None, &table).is_ok()
        && game.audit(None, &table, &options()).is_ok();
    if passes {
        assert!(found.is_ok_and(|value| value.is_some()), "the start has no value");
        let read = read.expect("a table that passes can be read");
        assert!(read.keys == sound.entries.keys && read.bytes == sound.entries.bytes, "other values pass");
        assert_eq!(table.meta().expect("it passes"), sound.meta, "other words pass");
        assert_eq!(table.header.positions, Header::from_bytes(&sound.bytes).expect("a sound table").positions);
    }
}
