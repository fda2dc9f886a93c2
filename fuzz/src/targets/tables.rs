//! Tables. The first byte of an input says which table, the second what becomes of it: other bytes at some places,
//! another block, other meta data, or another file altogether.

use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

use yomikiri_rules::{AnyGame, with_game};
use yomikiri_solve::{Solvable, SolveOptions, audit, pipeline};
use yomikiri_table::entries::Entries;
use yomikiri_table::format::HEADER;
use yomikiri_table::{Header, Meta, Silent, Table, probe};

use crate::checksums;

/// Small variants with tables of every kind.
const CODES: [&str; 5] = ["bin2x2", "con3x3-k3", "rev3x3", "pyon2x3", "pyon3x3"];

/// A table as it should be.
struct Sound {
    game: AnyGame,
    bytes: Vec<u8>,
    meta: Meta,
    entries: Entries,
}

impl Sound {
    fn table(&self) -> Table {
        let (bytes, path) = (self.bytes.clone(), Path::new("a.tbl"));
        with_game!(&self.game, game => probe::open_source(game, bytes, path).expect("a sound table"))
    }
}

static SOUND: LazyLock<[Sound; CODES.len()]> = LazyLock::new(|| {
    CODES.map(|code| {
        let game = AnyGame::parse(code).expect("a code");
        with_game!(&game, game => analyzed(game))
    })
});

fn options() -> SolveOptions<'static> {
    SolveOptions { memory: 1 << 27, force: false, checkpoint: Duration::MAX, progress: &Silent }
}

fn analyzed<G: Solvable + Into<AnyGame>>(game: &G) -> Sound {
    let folder = tempfile::tempdir().expect("temporary files can be made");
    let table = pipeline::analyze(game, None, folder.path(), &options()).expect("a sound run").table;
    let (meta, entries) = (table.meta().expect("it can be read"), entries(game, &table).expect("it can be read"));
    let bytes = std::fs::read(table.path()).expect("the table is there");
    Sound { game: game.clone().into(), bytes, meta, entries }
}

/// Tables as they should be: as they are, with their own block where there is but one, with their own meta data.
pub fn sound() -> Vec<Vec<u8>> {
    let inputs = |(number, sound): (u8, &Sound)| {
        let header = Header::from_bytes(&sound.bytes).expect("a sound table");
        let meta = &sound.bytes[sound.bytes.len() - header.meta_length.get() as usize..];
        let block = sound.table().block(0).expect("a sound table");
        [[&[number, 0][..], &[]].concat(), [&[number, 1][..], &block].concat(), [&[number, 2][..], meta].concat()]
    };
    (0..).zip(SOUND.iter()).flat_map(inputs).collect()
}

/// Reads a table in all ways. One that passes the audit is the table of its game.
pub fn run(bytes: &[u8]) {
    let [which, kind, bytes @ ..] = bytes else { return };
    let sound = &SOUND[usize::from(*which) % CODES.len()];
    let mut file = match kind % 4 {
        0 => edited(&sound.bytes, bytes),
        1 => checksums::table_of_block(&sound.bytes, bytes),
        2 => with_meta(&sound.bytes, bytes),
        _ => bytes.to_vec(),
    };
    checksums::table(&mut file);
    with_game!(&sound.game, game => read(game, sound, file));
}

/// The file with a byte changed for every three of the input: where (two bytes) and to what.
fn edited(sound: &[u8], edits: &[u8]) -> Vec<u8> {
    let mut file = sound.to_vec();
    for edit in edits.as_chunks::<3>().0 {
        let at = usize::from(u16::from_le_bytes([edit[0], edit[1]])) % file.len();
        file[at] = edit[2];
    }
    file
}

/// The file with other meta data.
fn with_meta(sound: &[u8], meta: &[u8]) -> Vec<u8> {
    let header = Header::from_bytes(sound).expect("a sound table");
    let rest = sound.len() - header.meta_length.get() as usize;
    let header = Header { meta_length: (meta.len() as u64).into(), ..header };
    [&header.to_bytes()[..], &sound[HEADER..rest], meta].concat()
}

fn entries<G: Solvable>(game: &G, table: &Table) -> Option<Entries> {
    game.entry_reader(table).ok()?(0..u64::MAX).ok()
}

fn read<G: Solvable>(game: &G, sound: &Sound, file: Vec<u8>) {
    let Ok(table) = probe::open_source(game, file, Path::new("a.tbl")) else { return };
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
