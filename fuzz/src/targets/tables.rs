//! Tables. The first byte of an input selects a table, and the rest changes it ([`checksums::forged`]).

use std::borrow::Cow;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use yomikiri_rules::{AnyGame, Value, with_game};
use yomikiri_solve::{Solvable, SolveOptions, audit, pipeline};
use yomikiri_table::entries::Entries;
use yomikiri_table::format::BlockEntry;
use yomikiri_table::source::ReadAt;
use yomikiri_table::{Header, Meta, ReadError, Silent, Table, TableError, probe};

use crate::checksums;

/// Small variants with all kinds of tables. The flag is true if the blocks of the table are coded.
const CODES: [(&str, bool); 9] = [
    ("bin2x2", false),
    ("con3x3-k3", false),
    ("rev3x3", false),
    ("pyon2x3", false),
    ("pyon3x3", false),
    ("pyon2x3", true),
    ("pyon3x3", true),
    // The following variants are selected by the highest bytes, from 255 down, so that older inputs keep their meaning.
    // The first of these variants has more than one coded block.
    ("pyon3x4", true),
    ("bin2x2-p", false),
];

/// The index of the first variant that the highest bytes select.
const LATER: usize = 7;

/// The maximum number of positions of a table that are looked up in both orders. For each of them, the table is opened
/// again, together with its model.
const LOOK_UPS: usize = 6;

/// Bytes that behave like a file: a look-up gets a copy of what it reads.
#[derive(Clone)]
struct File(Arc<[u8]>);

impl ReadAt for File {
    fn length(&self) -> u64 {
        self.0.len() as u64
    }

    fn read_at(&self, range: Range<u64>) -> Result<Cow<'_, [u8]>, ReadError> {
        let bytes = self.0.get(range.start as usize..range.end as usize).ok_or(io::ErrorKind::UnexpectedEof)?;
        Ok(bytes.to_vec().into())
    }
}

/// A sound table.
struct SoundTable {
    game: AnyGame,
    bytes: Vec<u8>,
    meta: Meta,
    entries: Entries,
}

static SOUND: LazyLock<[SoundTable; CODES.len()]> = LazyLock::new(|| {
    CODES.map(|(code, is_coded)| {
        let game = AnyGame::parse(code).expect("a code");
        with_game!(&game, game => analyzed(game, is_coded))
    })
});

fn options() -> SolveOptions<'static> {
    SolveOptions { memory: 1 << 27, force: false, checkpoint: Duration::MAX, progress: &Silent }
}

fn analyzed<G: Solvable + Into<AnyGame>>(game: &G, is_coded: bool) -> SoundTable {
    let folder = tempfile::tempdir().expect("temporary files can be made");
    let table = pipeline::analyze(game, None, folder.path(), &options()).expect("a sound run").table;
    let (meta, entries) = (table.meta().expect("it can be read"), entries(game, &table).expect("it can be read"));
    if is_coded {
        game.pack(table.path(), &Silent).expect("it has a smaller form");
    }
    let bytes = std::fs::read(table.path()).expect("the table is there");
    SoundTable { game: game.clone().into(), bytes, meta, entries }
}

/// Returns inputs that leave the tables unchanged or make blocks overlap.
pub fn sound() -> Vec<Vec<u8>> {
    let inputs = |(number, sound): (u8, &SoundTable)| {
        let inputs = [checksums::unchanged(&sound.bytes), checksums::overlapping(&sound.bytes)].concat();
        inputs.into_iter().map(move |input| [&[number][..], &input].concat())
    };
    let later = (0..=u8::MAX).rev().take(CODES.len() - LATER);
    (0..LATER as u8).chain(later).zip(SOUND.iter()).flat_map(inputs).collect()
}

/// Reads, audits and looks up a table. If it passes the audit, it must be the table of its game.
pub fn run(bytes: &[u8]) {
    let Some((which, bytes)) = bytes.split_first() else { return };
    let later = LATER + usize::from(u8::MAX - which);
    let sound = &SOUND[if later < CODES.len() { later } else { usize::from(*which) % LATER }];
    let Some(file) = checksums::forged(&sound.bytes, bytes) else { return };
    with_game!(&sound.game, game => read(game, sound, &File(file.into())));
}

fn entries<G: Solvable>(game: &G, table: &Table) -> Option<Entries> {
    game.entry_reader(table).ok()?(0..u64::MAX).ok()
}

fn open<G: Solvable>(game: &G, file: &File) -> Result<Table, TableError> {
    probe::open_source(game, file.clone(), Path::new("a.tbl"))
}

fn read<G: Solvable>(game: &G, sound: &SoundTable, file: &File) {
    let table = match open(game, file) {
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
    let positions = positions_to_look_up(game, sound, &table);
    order_does_not_matter(game, file, &table, &positions);
    let passes = table.check(&Silent).is_ok()
        && audit::check_meta(game, None, &table).is_ok()
        && game.audit(None, &table, &options()).is_ok()
        && audit::check_look_ups(game, &table, &Silent).is_ok();
    if passes {
        assert!(found.is_ok_and(|value| value.is_some()), "the start has no value");
        let read = read.expect("a table that passes can be read");
        assert!(read.keys == sound.entries.keys && read.bytes == sound.entries.bytes, "other values pass");
        for PlacedPosition { position, byte, .. } in positions {
            let value = game.probe(&table, &position).expect("a table that passes can be asked");
            assert_eq!(value.map_or(0, Value::to_byte), byte, "queries find other values");
        }
        assert_eq!(table.meta().expect("it passes"), sound.meta, "other words pass");
        assert_eq!(table.header.positions, Header::from_bytes(&sound.bytes).expect("a sound table").positions);
    }
}

/// A position of the sound table, its value byte, and the byte range of the block in which it is looked up.
struct PlacedPosition<P> {
    position: P,
    byte: u8,
    place: Range<u64>,
}

/// Returns at most [`LOOK_UPS`] positions: the first and last position of each block, in the order of the blocks in the
/// file. Positions in blocks that share bytes with another block come first. Stops at the first key whose page of the
/// index cannot be read, because every further key would read the page and the model in vain.
fn positions_to_look_up<G: Solvable>(game: &G, sound: &SoundTable, table: &Table) -> Vec<PlacedPosition<G::Position>> {
    let entries = sound.entries.keys.iter().copied().zip(sound.entries.bytes.iter().copied());
    let entries: Vec<(u64, u8, Option<BlockEntry>)> =
        entries.map_while(|(key, byte)| Some((key, byte, table.block_of(key).ok()?.map(|(_, block)| block)))).collect();
    let first_key = |entry: &(u64, u8, Option<BlockEntry>)| entry.2.map(|block| block.key);
    let of_blocks = entries.chunk_by(|one, next| first_key(one) == first_key(next));
    let placed = |&(key, byte, block): &(u64, u8, Option<BlockEntry>)| {
        Some(PlacedPosition { position: game.unrank(key)?, byte, place: block?.packed.range() })
    };
    let mut all: Vec<_> = of_blocks.flat_map(|block| [&block[0], &block[block.len() - 1]]).filter_map(placed).collect();
    all.sort_by_key(|placed| (placed.place.start, placed.place.end));
    let overlap = |one: &Range<u64>, next: &Range<u64>| one != next && next.start < one.end;
    let shared: Vec<Range<u64>> = all
        .windows(2)
        .filter(|pair| overlap(&pair[0].place, &pair[1].place))
        .flat_map(|pair| [pair[0].place.clone(), pair[1].place.clone()])
        .collect();
    all.sort_by_key(|placed| !shared.contains(&placed.place));
    all.truncate(LOOK_UPS);
    all
}

/// Checks that the result of a look-up does not depend on earlier look-ups. Looks up all positions in both orders. Each
/// value found must be the value that a newly opened table gives.
fn order_does_not_matter<G: Solvable>(game: &G, file: &File, table: &Table, positions: &[PlacedPosition<G::Position>]) {
    let alone = |position: &G::Position| open(game, file).and_then(|table| game.probe(&table, position));
    let alone: Vec<_> = positions.iter().map(|placed| alone(&placed.position)).collect();
    let places = (0..positions.len()).chain((0..positions.len()).rev());
    for place in places {
        if let Ok(value) = game.probe(table, &positions[place].position) {
            assert!(alone[place].as_ref().is_ok_and(|alone| *alone == value), "another value after other questions");
        }
    }
}
