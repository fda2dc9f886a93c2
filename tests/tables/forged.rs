//! Tables that somebody has made up, with checksums that are right.

use std::path::Path;

use crate::support::command::{fails, table};
use serde_json::{Value as Json, json};
use xxhash_rust::xxh3::xxh3_64;
use yomikiri_table::Header;
use yomikiri_table::format::HEADER;

/// Writes other meta data at the end of a table.
fn forge(path: &Path, change: impl FnOnce(&mut Json)) {
    let mut bytes = std::fs::read(path).unwrap();
    let mut header = Header::from_bytes(&bytes).unwrap();
    let rest = bytes.split_off(bytes.len() - header.meta_length.get() as usize);
    let mut meta: Json = serde_json::from_slice(&rest).unwrap();
    change(&mut meta);
    let meta = serde_json::to_vec(&meta).unwrap();
    header.meta_length = (meta.len() as u64).into();
    header.meta_hash = xxh3_64(&meta).into();
    bytes[..HEADER].copy_from_slice(&header.to_bytes());
    std::fs::write(path, [bytes, meta].concat()).unwrap();
}

/// Counts whose sum is more than a number holds: neither a panic nor a sum that has wrapped.
#[test]
fn counts_that_cannot_be_added_are_damage() {
    let most = json!(u64::MAX);
    let in_tally = |meta: &mut Json| meta["tally"]["plies"] = json!({"1": {"2": most, "3": 7}});
    let in_two_plies = |meta: &mut Json| meta["tally"]["plies"] = json!({"1": {"2": most}, "2": {"2": most}});
    let beside_those_over = |meta: &mut Json| meta["ended"] = json!({"2": most});
    let among_those_over = |meta: &mut Json| meta["ended"] = json!({"2": most, "64": most});
    let forgeries: [&dyn Fn(&mut Json); 4] = [&in_tally, &in_two_plies, &beside_those_over, &among_those_over];
    let folder = table("bin2x2");
    let path = folder.path().join("bin2x2.tbl");
    let sound = std::fs::read(&path).unwrap();
    for change in forgeries {
        std::fs::write(&path, &sound).unwrap();
        forge(&path, change);
        for args in [&["stats", "bin2x2"][..], &["stats", "bin2x2", "--json"], &["analyze", "bin2x2"]] {
            let line = fails(folder.path(), args, 1);
            assert!(line.contains("bin2x2.tbl: damaged: "), "{args:?}: {line}");
        }
    }
}
