//! Tests that two runs at once, or a loss of power, do not spoil files that are being written.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::thread::scope;

use crate::support::command::{good, table};
use yomikiri_table::{Identity, NewSection, Store, Tally};

/// Several exports of one table run at once. The files are complete, whichever export ends last.
#[test]
fn two_exports_at_once_leave_whole_files() {
    let folder = table("bin3x3");
    let folder = folder.path();
    let export = || good(folder, &["export", "bin3x3", "--to", "gz"]);
    let read = |name: &str| fs::read(folder.join(format!("r_bin3x3_{name}"))).unwrap();
    export();
    let whole = ["keys.gz", "keys.gz.gzi", "vals.gz", "vals.gz.gzi", "vals.json"].map(read);
    for round in 0..30 {
        scope(|scope| (0..3).for_each(|_| drop(scope.spawn(export))));
        assert!(["keys.gz", "keys.gz.gzi", "vals.gz", "vals.gz.gzi", "vals.json"].map(read) == whole, "round {round}");
    }
}

fn open(base: &Path) -> Store {
    let identity =
        Identity { format_version: 2, rule_code: "bin2x2".into(), rules_revision: 1, purpose: "values".into() };
    Store::open(base, &identity, false).unwrap()
}

/// If a journal lists sections whose blocks were never written, the store drops these and keeps the sections before
/// them.
#[test]
fn a_store_goes_on_from_its_last_whole_section() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().join("bin2x2");
    let plain = |section: u64| move |block: usize| vec![section as u8 + block as u8; 100];
    let mut store = open(&base);
    for key in 0..4 {
        store.append(NewSection { key, rows: 1, tally: Tally::default(), blocks: 2, plain: &plain(key) }).unwrap();
    }
    let blocks: BTreeMap<u64, u64> = store.entries.iter().map(|entry| (entry.key, entry.blocks[1].offset)).collect();
    drop(store);
    let work = base.with_extension("work");
    let mut bytes = fs::read(&work).unwrap();
    bytes[blocks[&2] as usize..].fill(0);
    fs::write(&work, bytes).unwrap();
    let store = open(&base);
    assert_eq!(store.entries.iter().map(|entry| entry.key).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(store.read(1, 1).unwrap(), vec![2; 100]);
}
