//! Tests of tables whose meta data, header or index do not fit their positions, although all checksums are right.
//! `verify` refuses all of them, so no command prints their wrong numbers.

use std::path::PathBuf;

use crate::support::command::{fails, files, good};
use crate::support::forged::{forged, with_later_block};
use serde_json::{Value as Json, json};
use tempfile::TempDir;
use yomikiri_table::Header;

/// Rule codes, each with a position from which its table begins, or `None` for a table of the whole game. Each kernel
/// has a table of a whole game and, if it can make one, a table from a position.
const TABLES: [(&str, Option<&str>); 9] = [
    ("bin3x3", None),
    ("bin3x3", Some("startpos moves 2n")),
    ("rev3x3", None),
    ("rev3x3", Some("c2")),
    ("con3x3-k3", None),
    ("204go", None),
    ("204go", Some("000a9030c41b002")),
    ("pyon3x3", None),
    ("pyon3x3", Some("ooo/x2/1xx o")),
];

/// A sound table in a folder of its own.
struct SoundTable {
    folder: TempDir,
    path: PathBuf,
    bytes: Vec<u8>,
    /// The arguments of `verify` for this table.
    verify: Vec<&'static str>,
}

impl SoundTable {
    fn new(code: &'static str, from: Option<&'static str>) -> SoundTable {
        let folder = tempfile::tempdir().unwrap();
        let asked = |verb| [verb, code].into_iter().chain(from.into_iter().flat_map(|from| ["--from", from]));
        good(folder.path(), &asked("analyze").collect::<Vec<_>>());
        let path = folder.path().join(&files(folder.path())[0]);
        let bytes = std::fs::read(&path).unwrap();
        SoundTable { folder, path, bytes, verify: asked("verify").collect() }
    }

    /// Replaces the table by other bytes, and returns the error line with which `verify` refuses them. `more` are
    /// further arguments of `verify`.
    fn refused(&self, bytes: &[u8], more: &[&str]) -> String {
        std::fs::write(&self.path, bytes).unwrap();
        let line = fails(self.folder.path(), &[&self.verify, more].concat(), 1);
        assert!(line.contains(self.path.to_str().unwrap()), "{line}");
        line
    }
}

/// A function that changes a header or meta data.
type Change = fn(&mut Header, &mut Json);

/// Named changes that every verification finds, even one of a sample.
const ROOTS_AND_SUMS: [(&str, Change); 12] = [
    ("a root that is no position", |_, meta| meta["root"] = "nowhere".into()),
    ("an empty root", |_, meta| meta["root"] = "".into()),
    ("a root in other words", |_, meta| meta["root"] = format!("{} ", meta["root"].as_str().unwrap()).into()),
    ("another key of the root", |_, meta| meta["root_key"] = (meta["root_key"].as_u64().unwrap() ^ 1).into()),
    ("the greatest key of the root", |_, meta| meta["root_key"] = u64::MAX.into()),
    ("more positions", |header, _| header.positions += 1),
    ("no positions", |header, _| header.positions = 0.into()),
    ("another section", |header, _| header.sections += 1),
    ("no sections", |header, _| header.sections = 0.into()),
    ("a position more of a value", |_, meta| {
        *of_first_value(meta) = (of_first_value(meta).as_u64().unwrap() + 1).into();
    }),
    ("counts that overflow", |_, meta| *of_first_value(meta) = u64::MAX.into()),
    ("no counts", |_, meta| meta["tally"]["plies"] = json!({})),
];

/// Named changes that only a verification of all positions finds. They do not change the sum of all counts by ply.
const COUNTS: [(&str, Change); 4] = [
    ("another ply", |_, meta| rename(&mut meta["tally"]["plies"], |ply| (ply + 50).to_string())),
    ("other values", |_, meta| rename(first_ply(meta), |byte| (byte ^ 1).to_string())),
    ("a value that no position has", |_, meta| first_ply(meta)["63"] = 0.into()),
    ("a value less of those that are over, or one more", |_, meta| {
        let before = meta["ended"]["1"].as_u64();
        meta["ended"]["1"] = before.map_or(9, |count| count - 1).into();
    }),
];

fn first_ply(meta: &mut Json) -> &mut Json {
    meta["tally"]["plies"].as_object_mut().unwrap().values_mut().next().unwrap()
}

fn of_first_value(meta: &mut Json) -> &mut Json {
    first_ply(meta).as_object_mut().unwrap().values_mut().next().unwrap()
}

/// Renames the first member of an object. Its name must be a number, for which `name` returns the new name.
fn rename(members: &mut Json, name: impl Fn(u64) -> String) {
    let members = members.as_object_mut().unwrap();
    let first = members.keys().next().unwrap().clone();
    let member = members.remove(&first).unwrap();
    members.insert(name(first.parse().unwrap()), member);
}

#[test]
fn verify_believes_no_root_and_no_count() {
    for (code, from) in TABLES {
        let sound = SoundTable::new(code, from);
        good(sound.folder.path(), &sound.verify);
        for (what, change) in ROOTS_AND_SUMS {
            let bytes = forged(&sound.bytes, change);
            for more in [&[][..], &["--sample", "1"]] {
                println!("{code} {from:?} {more:?}: {what}");
                sound.refused(&bytes, more);
            }
        }
        for (what, change) in COUNTS {
            println!("{code} {from:?}: {what}");
            sound.refused(&forged(&sound.bytes, change), &[]);
        }
    }
}

/// `verify` accepts neither a table from a position as that of the whole game nor the other way round.
#[test]
fn a_table_counts_under_its_own_name_alone() {
    for (code, from) in TABLES.into_iter().filter_map(|(code, from)| Some((code, from?))) {
        let (whole, part) = (SoundTable::new(code, None), SoundTable::new(code, Some(from)));
        whole.refused(&part.bytes, &[]);
        part.refused(&whole.bytes, &[]);
    }
}

/// Look-ups use the keys of blocks, which a pass over all positions may not need.
#[test]
fn verify_believes_no_key_of_a_block() {
    for (code, from) in TABLES {
        let sound = SoundTable::new(code, from);
        sound.refused(&with_later_block(&sound.bytes, 0, 1), &[]);
    }
}
