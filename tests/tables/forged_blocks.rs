//! Tests of tables in which blocks share bytes of the file, with right checksums. A look-up never uses the bytes of one
//! block for another, and `verify` refuses such files.

use std::ops::Range;
use std::path::PathBuf;

use crate::support::command::{fails, table, tables};
use crate::support::forged::{Nested, with_nested_block, with_shared_bytes};
use crate::support::games::pyonpyon;
use crate::support::solving::{job, pack_anyway};
use tempfile::TempDir;
use yomikiri_rules::bits::set_bits;
use yomikiri_rules::games::pyonpyon::Pyonpyon;
use yomikiri_rules::{Distance, Game};
use yomikiri_solve::{Solvable, Wins, audit};
use yomikiri_table::blocks::{decode_block, encode_block};
use yomikiri_table::probe::open;
use yomikiri_table::{Identity, IndexKind, NewSection, Silent, Store, Table, TableError};

const CODE: &str = "pyon4x5B";

/// The number of keys in a block.
const KEYS: u64 = 1 << 13;

/// The packed table of [`CODE`], and a copy in which one block is the beginning of another.
struct Forged {
    folder: TempDir,
    game: Pyonpyon,
    sound: Table,
    nested: Nested,
}

impl Forged {
    /// Forges a table in which the index of the longer block is in `outer`.
    fn new(outer: Range<usize>) -> Forged {
        let (folder, game) = (table(CODE), pyonpyon(CODE));
        let path = folder.path().join(format!("{CODE}.tbl"));
        pack_anyway(&path);
        let bytes = std::fs::read(&path).unwrap();
        let beside = folder.path().join("sound");
        std::fs::write(&beside, &bytes).unwrap();
        let nested = with_nested_block(&bytes, outer);
        std::fs::write(&path, &nested.bytes).unwrap();
        let sound = open(&game, &beside).unwrap();
        Forged { folder, game, sound, nested }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join(format!("{CODE}.tbl"))
    }

    fn open(&self) -> Table {
        open(&self.game, &self.path()).unwrap()
    }

    fn ask(&self, table: &Table, key: u64) -> Result<Option<Distance>, TableError> {
        self.game.probe(table, &self.game.unrank(key).unwrap())
    }

    /// Returns some keys of the block with index `number`, and all keys of its last group.
    fn keys(number: usize) -> impl Iterator<Item = u64> {
        let first = number as u64 * KEYS;
        (first..first + KEYS).step_by(31).chain(first + KEYS - 1024..first + KEYS)
    }

    /// Looks up keys of the blocks with these indices, one block after the other. Every answer has to be the right
    /// value or an error.
    fn asked(&self, table: &Table, numbers: &[usize]) {
        for &number in numbers {
            for key in Forged::keys(number) {
                if let Ok(found) = self.ask(table, key) {
                    assert_eq!(found, self.ask(&self.sound, key).unwrap(), "key {key} of block {number}, {numbers:?}");
                }
            }
        }
    }
}

/// Ranges for the index of the longer block. With the first range both blocks are on one page of the index, with the
/// second on two.
const OUTER: [Range<usize>; 2] = [0..256, 256..539];

#[test]
fn no_look_up_takes_one_block_for_another() {
    for outer in OUTER {
        let forged = Forged::new(outer);
        let (inner, outer) = (forged.nested.inner, forged.nested.outer);
        for order in [[outer, inner, outer], [inner, outer, inner]] {
            forged.asked(&forged.open(), &order);
            // Single look-ups are also right after look-ups of many keys at once, which return the right values or an
            // error.
            let table = forged.open();
            for &number in &order {
                let mut keys: Vec<u64> = Forged::keys(number).collect();
                keys.sort_unstable();
                let expected = forged.game.probe_all(&forged.sound, None, &keys).unwrap();
                let found = forged.game.probe_all(&table, None, &keys);
                assert!(found.is_err() || found.is_ok_and(|found| found == expected));
            }
            forged.asked(&table, &order);
            assert!(forged.game.load(&forged.open(), Wins::All).is_err());
        }
    }
}

#[test]
fn verify_and_tables_check_refuse_blocks_that_overlap() {
    for outer in OUTER {
        let forged = Forged::new(outer);
        let path = forged.path();
        let table = forged.open();
        assert!(table.check(&Silent).is_err() && table.sections().is_err());
        assert!(audit::check_look_ups(&forged.game, &forged.open(), &Silent).is_err());
        assert!(forged.game.audit(None, &forged.open(), &job()).is_err());
        for args in
            [&["verify", CODE][..], &["verify", CODE, "--sample", "3"], &["tables", "check", path.to_str().unwrap()]]
        {
            let line = fails(forged.folder.path(), args, 1);
            assert!(
                line.contains(path.to_str().unwrap()) && line.contains("of its index has blocks that overlap"),
                "{line}"
            );
        }
    }
}

/// In tables of every kind, one block has the same bytes as another, is inside it, or overlaps its end.
#[test]
fn blocks_of_every_kind_of_table_may_not_overlap() {
    let (codes, packed) = (["bin3x3", "bin3x3-p", "rev4x4", "con4x4", "pyon3x4"], "pyon3x4B");
    let folder = tables(&[&codes[..], &[packed]].concat());
    pack_anyway(&folder.path().join(format!("{packed}.tbl")));
    for code in codes.into_iter().chain([packed]) {
        let path = folder.path().join(format!("{code}.tbl"));
        let sound = std::fs::read(&path).unwrap();
        for (what, bytes) in with_shared_bytes(&sound) {
            std::fs::write(&path, bytes).unwrap();
            for args in [&["verify", code][..], &["tables", "check", path.to_str().unwrap()]] {
                let line = fails(folder.path(), args, 1);
                // If the first block is the last in the file, the bytes beyond its end belong to the index.
                let refused = ["overlap", "its index is not valid"].iter().any(|why| line.contains(why));
                assert!(refused, "{code}, {what}: {line}");
            }
        }
        std::fs::write(&path, sound).unwrap();
    }
}

/// A table that leaves out wins lists none. A listed win could have any distance, because the distances of unlisted
/// wins are computed.
#[test]
fn a_win_in_a_table_that_leaves_out_wins_is_refused() {
    let (folder, code) = (table("pyon2x3"), "pyon2x3");
    let game = pyonpyon(code);
    let sound = open(&game, &folder.path().join("pyon2x3.tbl")).unwrap();
    let (kind, meta) = (sound.header.index_kind, sound.meta().unwrap());
    assert_eq!(kind, IndexKind::UnlistedWins);
    let keys = u64::from(game.index.count());
    let rows = keys.div_ceil(64);
    let mut listed = vec![None; 64 * rows as usize];
    decode_block(&sound.block(0).unwrap(), rows as usize, |row, set, mine| {
        set_bits(set).zip(mine).for_each(|(lane, &byte)| listed[64 * row + lane as usize] = Some(byte));
    })
    .unwrap();
    let wins = |key: &u64| matches!(game.probe(&sound, &game.unrank(*key).unwrap()), Ok(Some(Distance::Win(_))));
    let wins: Vec<u64> = (0..keys).filter(|&key| listed[key as usize].is_none()).filter(wins).collect();
    assert!(wins.len() > 5, "{wins:?}");
    let identity = Identity::of(&game, "values");
    for (number, &key) in wins.iter().enumerate().step_by(3) {
        for byte in (129..=255).step_by(25) {
            let mut listed = listed.clone();
            listed[key as usize] = Some(byte);
            let set = |row: &[Option<u8>]| {
                (0..).zip(row).fold(0, |set, (lane, byte)| set | u64::from(byte.is_some()) << lane)
            };
            let lanes: Vec<u64> = listed.chunks(64).map(set).collect();
            let plain = |_: usize| encode_block(&lanes, |row, lane| listed[64 * row + lane].unwrap());
            let forged = folder.path().join(format!("{number} {byte}"));
            std::fs::create_dir(&forged).unwrap();
            let path = forged.join("pyon2x3.tbl");
            let mut store = Store::open(&path.with_extension(""), &identity, true).unwrap();
            store.append(NewSection { key: 0, rows, tally: meta.tally.clone(), blocks: 1, plain: &plain }).unwrap();
            store.finish(&path, kind, game.codec() as u8, &identity, &meta).unwrap();
            let opened = open(&game, &path).unwrap();
            let together = game.probe_all(&opened, None, &[key]).unwrap_err().to_string();
            let loaded = game.load(&opened, Wins::WhenAsked).err().unwrap().to_string();
            for error in [together, loaded] {
                assert!(error.contains("which is not valid in this kind of table"), "{error}");
            }
            let forged = forged.to_str().unwrap();
            for ask in [vec!["verify", code], vec!["query", code, &format!("@{key}")]] {
                let error = fails(folder.path(), &[&ask[..], &["--tables", forged]].concat(), 1);
                assert!(error.contains("which is not valid in this kind of table"), "{ask:?}: {error}");
            }
        }
    }
}
