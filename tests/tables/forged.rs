//! Tests of forged tables with right checksums.

use crate::support::command::{fails, table};
use crate::support::forged::forged;
use serde_json::{Value as Json, json};

/// A table with counts whose sum overflows 64 bits is damaged. Such counts cause neither a panic nor a wrapped sum.
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
        std::fs::write(&path, forged(&sound, |_, meta| change(meta))).unwrap();
        for args in [&["stats", "bin2x2"][..], &["stats", "bin2x2", "--json"], &["analyze", "bin2x2"]] {
            let line = fails(folder.path(), args, 1);
            assert!(line.contains("bin2x2.tbl: damaged: "), "{args:?}: {line}");
        }
    }
}
