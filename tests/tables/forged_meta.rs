//! Tables whose checksums are right and whose meta data, header or lists say something else than their positions:
//! `verify` believes nothing that any verb prints.

use std::path::PathBuf;

use crate::support::command::{fails, files, good};
use crate::support::forged::{forged, with_later_block};
use serde_json::{Value as Json, json};
use tempfile::TempDir;
use yomikiri_table::Header;

/// A table and how to ask for it: of each kind one of a whole game and, where a run makes them, one from a position.
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
struct Sound {
    folder: TempDir,
    path: PathBuf,
    bytes: Vec<u8>,
    /// `verify` and what it verifies.
    verify: Vec<&'static str>,
}

impl Sound {
    fn new(code: &'static str, from: Option<&'static str>) -> Sound {
        let folder = tempfile::tempdir().unwrap();
        let asked = |verb| [verb, code].into_iter().chain(from.into_iter().flat_map(|from| ["--from", from]));
        good(folder.path(), &asked("analyze").collect::<Vec<_>>());
        let path = folder.path().join(&files(folder.path())[0]);
        let bytes = std::fs::read(&path).unwrap();
        Sound { folder, path, bytes, verify: asked("verify").collect() }
    }

    /// The line with which `verify` refuses other bytes under the same name.
    fn refused(&self, bytes: &[u8], more: &[&str]) -> String {
        std::fs::write(&self.path, bytes).unwrap();
        let line = fails(self.folder.path(), &[&self.verify, more].concat(), 1);
        assert!(line.contains(self.path.to_str().unwrap()), "{line}");
        line
    }
}

/// A change of a header and of meta data.
type Change = fn(&mut Header, &mut Json);

/// What every verification looks at, one of a sample too.
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

/// What takes a look at all positions. The sum of all counts is as it was.
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

/// Gives the first member of an object another number for a name.
fn rename(members: &mut Json, name: impl Fn(u64) -> String) {
    let members = members.as_object_mut().unwrap();
    let first = members.keys().next().unwrap().clone();
    let member = members.remove(&first).unwrap();
    members.insert(name(first.parse().unwrap()), member);
}

#[test]
fn verify_believes_no_root_and_no_count() {
    for (code, from) in TABLES {
        let sound = Sound::new(code, from);
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

/// What lies below a position is not the whole game, though it were the same positions.
#[test]
fn a_table_counts_under_its_own_name_alone() {
    for (code, from) in TABLES.into_iter().filter_map(|(code, from)| Some((code, from?))) {
        let (whole, part) = (Sound::new(code, None), Sound::new(code, Some(from)));
        whole.refused(&part.bytes, &[]);
        part.refused(&whole.bytes, &[]);
    }
}

/// A look-up goes by the keys of the blocks, which a walk over all positions may not need.
#[test]
fn verify_believes_no_key_of_a_block() {
    for (code, from) in TABLES {
        let sound = Sound::new(code, from);
        sound.refused(&with_later_block(&sound.bytes, 0, 1), &[]);
    }
}
