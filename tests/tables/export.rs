//! Tests of `export --to gz`, which writes every position of a table as plain sorted keys and values.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use crate::interrupted::{TRAP, limited};
use crate::support::command::{files, good, good_json, refused, table};
use crate::support::games::binarsi;
use flate2::read::MultiGzDecoder;
use serde_json::{Value, json};
use yomikiri_rules::{Game, Notation, Value as _};
use yomikiri_search::brute;

/// The contents of an export.
struct Exported {
    keys: Vec<u64>,
    values: Vec<u8>,
    sidecar: Value,
}

fn read(folder: &Path, code: &str) -> Exported {
    let path = |name: &str| folder.join(format!("r_{code}_{name}"));
    let inflate = |name: &str| {
        let mut bytes = Vec::new();
        MultiGzDecoder::new(std::fs::File::open(path(name)).unwrap()).read_to_end(&mut bytes).unwrap();
        bytes
    };
    let keys = inflate("keys.gz");
    assert_eq!(keys.len() % 8, 0);
    Exported {
        keys: keys.chunks(8).map(|key| u64::from_le_bytes(key.try_into().unwrap())).collect(),
        values: inflate("vals.gz"),
        sidecar: serde_json::from_slice(&std::fs::read(path("vals.json")).unwrap()).unwrap(),
    }
}

/// Returns the outcome and the plies of a value byte by the sidecar alone, which maps a byte or a range of bytes to a
/// text. The text has the outcome and, for a range, the number to subtract from the byte to get the plies.
fn by_the_sidecar(sidecar: &Value, byte: u8) -> (&'static str, Option<u8>) {
    let inside = |range: &str| {
        let (low, high) = range.split_once("..").unwrap_or((range, range));
        (low.parse::<u8>().unwrap()..=high.parse().unwrap()).contains(&byte)
    };
    let mut meanings = sidecar["values"].as_object().unwrap().iter().filter(|(range, _)| inside(range));
    let (_, meaning) = meanings.next().unwrap_or_else(|| panic!("the sidecar does not know {byte}"));
    assert!(meanings.next().is_none(), "the sidecar knows two meanings of {byte}");
    let meaning = meaning.as_str().unwrap();
    let outcome = ["draw", "loses", "wins"].into_iter().find(|word| meaning.contains(word)).unwrap();
    let less = meaning.split_once("(byte - ").map(|(_, rest)| rest.split(')').next().unwrap().parse::<u8>().unwrap());
    (outcome, less.map(|less| byte - less))
}

#[test]
fn keys_ascend_and_values_are_those_of_the_rules() {
    for (code, positions) in [("bin3x3", 55289), ("bin2x2", 49)] {
        let folder = table(code);
        let out = good(folder.path(), &["export", code, "--to", "gz"]);
        let Exported { keys, values, sidecar } = read(folder.path(), code);
        assert_eq!((keys.len(), values.len()), (positions, positions));
        assert!(keys.is_sorted_by(|a, b| a < b), "keys ascend without repeats");

        let game = binarsi(code);
        let oracle: BTreeMap<u64, u8> =
            brute::solve(&game, &game.start()).iter().map(|(&key, value)| (key, value.to_byte())).collect();
        assert!(keys.iter().eq(oracle.keys()), "every position and no other");
        assert!(values.iter().eq(oracle.values()), "every value");

        assert_eq!((&sidecar["rules"], &sidecar["positions"]), (&json!(code), &json!(positions)));
        let stats = good_json(folder.path(), &["stats", code, "--json"]);
        assert_eq!(stats["positions"], sidecar["positions"]);
        for name in files(folder.path()) {
            assert_eq!(out.contains(&name), name != format!("{code}.tbl"), "names the files it wrote: {out}");
        }
    }
}

#[test]
fn values_read_by_the_sidecar_are_what_query_says() {
    let folder = table("bin3x3");
    good(folder.path(), &["export", "bin3x3", "--to", "gz"]);
    let Exported { keys, values, sidecar } = read(folder.path(), "bin3x3");
    let game = binarsi("bin3x3");
    let mut seen = BTreeMap::new();
    for (at, (&key, &byte)) in keys.iter().zip(&values).enumerate() {
        let met = seen.entry(byte).or_insert(0);
        *met += 1;
        if *met > 3 && at % 1500 > 0 {
            continue;
        }
        let sfen = game.position_text(&game.unrank(key).unwrap());
        let answer = good_json(folder.path(), &["query", "bin3x3", &sfen, "--json"]);
        let outcome = match by_the_sidecar(&sidecar, byte) {
            ("wins", plies) => ("win", plies),
            ("loses", plies) => ("loss", plies),
            other => other,
        };
        assert_eq!((&answer["outcome"], &answer["plies"]), (&json!(outcome.0), &json!(outcome.1)), "{sfen}");
    }
    assert!(seen.len() >= 11, "wins and losses of every distance: {seen:?}");
}

#[test]
fn files_have_the_shortest_code_in_their_names() {
    let folder = table("bin3x3-t333-kb0.5");
    good(folder.path(), &["export", "bin3x3-s1a-t333-kb0.5", "--to", "gz"]);
    let expected = ["keys.gz", "keys.gz.gzi", "vals.gz", "vals.gz.gzi", "vals.json"]
        .map(|name| format!("r_bin3x3-kb0.5_{name}"))
        .into_iter()
        .collect::<Vec<_>>();
    assert_eq!(files(folder.path()), [vec!["bin3x3-kb0.5.tbl".to_string()], expected].concat());
    assert_eq!(read(folder.path(), "bin3x3-kb0.5").sidecar["rules"], "bin3x3-kb0.5");
}

#[test]
fn an_export_made_again_has_the_same_bytes() {
    let folder = table("bin3x3");
    let bytes = || {
        good(folder.path(), &["export", "bin3x3", "--to", "gz"]);
        let files = files(folder.path()).into_iter();
        files.map(|name| (std::fs::read(folder.path().join(&name)).unwrap(), name)).collect::<Vec<_>>()
    };
    assert!(bytes() == bytes());
    assert_eq!(files(folder.path()).len(), 6, "no .part is left: {:?}", files(folder.path()));
}

#[test]
fn a_full_disk_gives_one_line_and_no_pieces() {
    let folder = table("bin3x3");
    for blocks in [0, 1, 10, 20, 60, 120] {
        let output = limited(folder.path(), &["export", "bin3x3", "--to", "gz"], blocks, TRAP);
        let line = refused(&output, 1, blocks);
        assert!(line.contains("r_bin3x3_"), "{blocks} blocks: names the file: {line}");
        assert_eq!(files(folder.path()), ["bin3x3.tbl"], "{blocks} blocks: pieces fill the disk on");
    }
    good(folder.path(), &["export", "bin3x3", "--to", "gz"]);
    assert_eq!(files(folder.path()).len(), 6);
    assert_eq!(read(folder.path(), "bin3x3").keys.len(), 55289);
}
