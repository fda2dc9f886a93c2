//! Tests of look-ups: how much of a file they read, and their results for numbers that may not be keys.

use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use crate::support::games::{any, binarsi, random_game_within};
use crate::support::random::Random;
use crate::support::solving::{analyzed, job};
use yomikiri_rules::{AnyGame, AnyPosition, AnyValue, Distance, Game, Notation, Value};
use yomikiri_solve::lookup::{bytes_of_keys, values_of};
use yomikiri_solve::{Solvable, Wins, pipeline};
use yomikiri_table::entries::listed_within;
use yomikiri_table::probe::{open_source, probe};
use yomikiri_table::source::ReadAt;
use yomikiri_table::{ReadError, Table};

/// A file in memory that counts how often it is read and can return wrong bytes.
#[derive(Clone)]
struct CountingSource {
    bytes: Arc<Vec<u8>>,
    reads: Arc<AtomicU64>,
    /// This number is added to every byte that is read.
    fault: Arc<AtomicU64>,
}

impl ReadAt for CountingSource {
    fn length(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn read_at(&self, range: Range<u64>) -> Result<Cow<'_, [u8]>, ReadError> {
        self.reads.fetch_add(1, Relaxed);
        let fault = self.fault.load(Relaxed) as u8;
        let bytes = &self.bytes[range.start as usize..range.end as usize];
        Ok(bytes.iter().map(|byte| byte.wrapping_add(fault)).collect::<Vec<_>>().into())
    }
}

#[test]
fn a_block_is_read_once_and_what_is_read_wrong_is_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    let game = binarsi("bin3x3");
    let sound = analyzed(&game, folder.path());
    let all = yomikiri_table::entries::listed_within(&sound, 0..u64::MAX).unwrap();
    let bytes = Arc::new(std::fs::read(sound.path()).unwrap());
    let source = CountingSource { bytes, reads: Arc::default(), fault: Arc::default() };
    let table = open_source(&game, source.clone(), Path::new("watched")).unwrap();
    // Reads the pages of the index, which stay in memory.
    table.sections().unwrap();
    let opening = source.reads.load(Relaxed);
    let keys = all.keys;
    let ask = || keys.iter().map(|&key| probe::<Distance>(&table, key)).collect::<Result<Vec<_>, _>>();

    source.fault.store(1, Relaxed);
    let wrong = ask().unwrap_err().to_string();
    assert!(wrong.contains("does not match its checksum"), "{wrong}");
    source.fault.store(0, Relaxed);
    let first = ask().unwrap();
    let expected: Vec<_> = keys.iter().map(|&key| probe::<Distance>(&sound, key).unwrap()).collect();
    assert_eq!(first, expected);
    let reads = source.reads.load(Relaxed) - opening;
    assert_eq!(reads, 1 + table.blocks(), "the one that was wrong, and each block");
    // No block is read again, even if the file has changed.
    source.fault.store(1, Relaxed);
    assert_eq!(ask().unwrap(), expected);
    assert_eq!(source.reads.load(Relaxed) - opening, reads);
    // `Table::block` always reads the file.
    assert!(table.block(0).is_err());
}

/// All numbers below this are tried as keys, and some numbers above it.
const TRIED: u64 = 1 << 18;

/// Returns numbers to look up, in scrambled order: keys of positions in the table, keys of other positions, and numbers
/// that are not keys.
fn numbers(game: &AnyGame, table: &Table) -> Vec<u64> {
    let mut random = Random::new(39);
    let mut numbers: Vec<u64> = vec![1 << 40, 1 << 63, u64::MAX - 1, u64::MAX];
    for range in game.key_space().ranges {
        let (first, length) = (range.keys.start, range.keys.end - range.keys.start);
        numbers.extend((0..if first == 0 { length.min(TRIED) } else { 100 }).map(|at| first + at));
        numbers.extend((range.keys.end.saturating_sub(100)..).take(200));
        numbers.extend((0..1000).map(|_| first + random.bits() % length));
    }
    let listed = listed_within(table, 0..u64::MAX).unwrap().keys;
    let some = listed.iter().step_by(listed.len().div_ceil(20_000));
    numbers.extend(some.flat_map(|&key| [key.saturating_sub(64), key.saturating_sub(1), key, key + 1, key + 64]));
    // Keys of positions of random games, including those in which the game is over.
    numbers
        .extend((0..200).flat_map(|_| random_game_within(game, 60, &mut random)).map(|position| game.rank(&position)));
    numbers.sort_by_key(|key| key.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    numbers
}

/// Returns the byte that a look-up of a number should find. It comes from the rules if the game is over, and is 0 if
/// the number is not a key or the table does not have the position.
fn byte_of(game: &AnyGame, table: &Table, key: u64) -> u8 {
    let Some(position) = game.unrank(key) else { return 0 };
    let value = match game.is_terminal(&position) {
        true => game.terminal_value(&position),
        false => game.probe(table, &position).unwrap(),
    };
    value.map_or(0, Value::to_byte)
}

/// Checks that look-ups of many keys at once agree with single ones, and that numbers that are not keys have no value.
fn check_numbers(game: &AnyGame, table: &Table) {
    let (code, keys) = (game.code(), numbers(game, table));
    let expected: Vec<u8> = keys.iter().map(|&key| byte_of(game, table, key)).collect();
    let unknown = expected.iter().filter(|&&byte| byte == 0).count();
    assert!(unknown > 100 && keys.len() - unknown > 50, "{code}: {unknown} of {}", keys.len());
    let load = |wins| game.load(table, wins).unwrap();
    for resident in [None, load(Wins::WhenAsked), load(Wins::All)] {
        // The look-ups are repeated, because computed values are kept.
        for _ in 0..2 {
            let found = bytes_of_keys(game, table, resident.as_ref(), &keys).unwrap();
            let wrong = (0..keys.len()).find(|&at| found[at] != expected[at]);
            assert_eq!(wrong.map(|at| (keys[at], found[at], expected[at])), None, "{code}");
        }
        let positions: Vec<(AnyPosition, u8)> =
            keys.iter().zip(&expected).filter_map(|(&key, &byte)| Some((game.unrank(key)?, byte))).collect();
        let asked: Vec<&AnyPosition> = positions.iter().map(|(position, _)| position).collect();
        let values = values_of(game, table, resident.as_ref(), &asked).unwrap();
        let told = |value: Option<AnyValue>| value.map_or(0, Value::to_byte);
        assert!(values.into_iter().map(told).eq(positions.iter().map(|&(_, byte)| byte)), "{code}");
    }
}

#[test]
fn numbers_that_are_keys_of_no_position_have_no_value() {
    let folder = tempfile::tempdir().unwrap();
    // The codes have tables of every kernel and every kind. All keys of bin2x3, con3x4 and most pyonpyon boards are
    // tried.
    let codes = "bin2x3 bin3x3 bin3x3-p rev3x4 rev4x4 con3x4 con4x4 pyon2x3 pyon3x3 pyon3x4 pyon3x3-PGP 2g001 m00c1";
    for code in codes.split_whitespace() {
        let game = any(code);
        check_numbers(&game, &analyzed(&game, folder.path()));
    }
}

/// Tables from a later position have sorted keys.
#[test]
fn tables_of_later_positions_have_no_value_for_other_keys() {
    let folder = tempfile::tempdir().unwrap();
    for code in ["bin3x3", "rev4x4", "con4x4", "pyon3x4"] {
        let game = any(code);
        let later = random_game_within(&game, 60, &mut Random::new(3))[3];
        let made = pipeline::analyze(&game, Some(&later), folder.path(), &job()).unwrap();
        check_numbers(&game, &made.table);
    }
}

/// In bin2x3, 60 numbers below 2,000 would be keys of positions in which targets are cleared before the first move.
#[test]
fn targets_that_nobody_has_cleared_have_no_value() {
    let folder = tempfile::tempdir().unwrap();
    let game = binarsi("bin2x3");
    let table = analyzed(&game, folder.path());
    let keys: Vec<u64> = (0..2000).collect();
    let bytes = bytes_of_keys(&game, &table, None, &keys).unwrap();
    assert_eq!([7, 15, 23].map(|key| bytes[key]), [0; 3]);
    let is_position = |&key: &u64| game.parse_position(&yomikiri_rules::key_text(key)).is_ok();
    assert!(keys.iter().all(|key| is_position(key) || bytes[*key as usize] == 0));
}
