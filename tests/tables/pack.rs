//! Tests of packed tables: they give the same answers, and the same bytes once they are unpacked.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::coded::{bytes_of_block, probabilities};
use crate::support::command::{fails, files, good, run, tables};
use crate::support::games::pyonpyon;
use crate::support::random::Random;
use crate::support::solving::{job, pack_anyway};
use crate::support::table::{CODED, Parts};
use tempfile::TempDir;
use xxhash_rust::xxh3::xxh3_64;
use yomikiri_rules::Game;
use yomikiri_rules::bits::set_bits;
use yomikiri_rules::games::pyonpyon::Pyonpyon;
use yomikiri_solve::retrograde::Cyclic;
use yomikiri_solve::{Solvable, Wins};
use yomikiri_table::blocks::decode_block;
use yomikiri_table::probe::open;
use yomikiri_table::recode::{self, Runs};
use yomikiri_table::{IndexKind, Silent};

/// The codes of a table that leaves wins out and of one that leaves draws out.
const CODES: [&str; 2] = ["pyon2x5", "pyon3x4"];

fn file(folder: &Path, code: &str) -> PathBuf {
    folder.join(format!("{code}.tbl"))
}

/// Returns a folder with both tables packed, and the bytes of the tables before that.
fn packed() -> (TempDir, [Vec<u8>; 2]) {
    let folder = tables(&CODES);
    let sound = CODES.map(|code| fs::read(file(folder.path(), code)).unwrap());
    for code in CODES {
        pack_anyway(&file(folder.path(), code));
    }
    (folder, sound)
}

#[test]
fn packed_tables_answer_as_before_and_come_back() {
    let (folder, sound) = packed();
    let (folder, before) = (folder.path(), tables(&CODES));
    for (code, sound) in CODES.into_iter().zip(&sound) {
        fs::write(file(before.path(), code), sound).unwrap();
        let path = file(folder, code);
        let packed = fs::read(&path).unwrap();
        assert_eq!(Parts::of(&packed).form, [CODED, 1, 0, 0]);
        let game = pyonpyon(code);
        let table = open(&game, &path).unwrap();
        let keys: Vec<u64> = (0..keys_of(&game)).step_by(7).collect();
        let old = open(&game, &file(before.path(), code)).unwrap();
        assert!(game.probe_all(&table, None, &keys).unwrap() == game.probe_all(&old, None, &keys).unwrap());
        let [mine, theirs] = [&table, &old].map(|table| game.load(table, Wins::All).unwrap().unwrap());
        assert!(keys.iter().all(|&key| mine.byte(key) == theirs.byte(key)));
        for key in keys.iter().step_by(101) {
            let position = game.unrank(*key).unwrap();
            assert_eq!(game.probe(&table, &position).unwrap(), game.probe(&old, &position).unwrap());
        }
        for words in [
            &["query", code, "startpos", "--json"][..],
            &["stats", code, "--json"],
            &["line", code],
            &["verify", code],
            &["export", code, "--to", "gz"],
        ] {
            let said = |folder: &Path| good(folder, words).replace(folder.to_str().unwrap(), "");
            assert_eq!(said(folder), said(before.path()), "{words:?}");
        }
        let exported = |folder: &Path| fs::read(folder.join(format!("r_{code}_vals.gz"))).unwrap();
        assert!(exported(folder) == exported(before.path()));
        let name = format!("{code}.tbl");
        assert_eq!(good(folder, &["tables", "check", &name]).trim(), format!("{name}: sound"));
        assert!(good(folder, &["tables", "pack", &name]).contains(": is already packed, "));
        assert!(fs::read(&path).unwrap() == packed);
        assert!(good(folder, &["tables", "unpack", &name]).contains(": unpacked, "));
        assert!(fs::read(&path).unwrap() == *sound, "{code}");
        assert!(good(folder, &["tables", "unpack", &name]).contains(": is not packed, "));
    }
}

/// The command packs a table only if that makes it smaller. Otherwise the file stays, also in pieces.
#[test]
fn tables_that_would_not_become_smaller_stay() {
    let folder = tables(&["pyon5x3", "pyon2x5"]);
    let folder = folder.path();
    let length = |code: &str| fs::metadata(file(folder, code)).unwrap().len();
    let (before, small) = (length("pyon5x3"), fs::read(file(folder, "pyon2x5")).unwrap());
    let said = good(folder, &["tables", "pack", "pyon5x3.tbl", "pyon2x5.tbl"]);
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[0].starts_with("pyon5x3.tbl: packed, ") && lines[0].ends_with(" before)"), "{said}");
    assert_eq!(lines[1], format!("pyon2x5.tbl: packing would not make it smaller, {} bytes", small.len()));
    assert!(length("pyon5x3") < before && fs::read(file(folder, "pyon2x5")).unwrap() == small);
    good(folder, &["verify", "pyon5x3"]);
    assert_eq!(files(folder), ["pyon2x5.tbl", "pyon5x3.tbl"]);
}

/// Packed blocks that are read by the document alone have the values that the library reads from the plain blocks.
#[test]
fn the_document_says_how_packed_tables_are_read() {
    let folder = tables(&CODES);
    for (code, runs) in CODES.into_iter().zip([Runs::new(8, 200), Runs::new(4, 3)]) {
        let path = file(folder.path(), code);
        let sound = fs::read(&path).unwrap();
        // These games have no runs. Here they get some, so that all kinds of neighbours are used.
        assert!(recode::to_coded(&path, |_| runs.unwrap(), &Silent).unwrap());
        let (parts, plain) = (Parts::of(&fs::read(&path).unwrap()), Parts::of(&sound));
        assert_eq!((parts.blocks.len(), &parts.meta), (plain.blocks.len(), &plain.meta));
        let model = probabilities(&parts);
        assert_eq!(model.len(), 169_401);
        for (block, old) in parts.blocks.iter().zip(&plain.blocks) {
            assert_eq!((block.key, block.rows, block.plain), (old.key, old.rows, old.plain));
            let mut expected = vec![None; 64 * old.rows as usize];
            let listed = |row: usize, set: u64, bytes: &[u8]| {
                let mut bytes = bytes.iter().copied();
                set_bits(set).for_each(|lane| expected[64 * row + lane as usize] = bytes.next());
            };
            decode_block(&plain.plain(old), old.rows as usize, listed).unwrap();
            assert!(bytes_of_block(parts.packed(block), block.rows as usize, &model) == expected);
        }
    }
}

/// Opens a table and looks up its values by every method. Returns true if its checksums are right and it either has
/// `values` or passes the audit.
fn passes(path: &Path, code: &str, values: &[u8]) -> bool {
    let game = pyonpyon(code);
    let Ok(table) = open(&game, path) else { return false };
    let whole = game.probe_all(&table, None, &(0..keys_of(&game)).collect::<Vec<_>>());
    let _ = game.probe(&table, &game.start());
    let _ = game.audit_sample(&table, 3, &Silent);
    let is_sound = table.check(&Silent).is_ok();
    is_sound && (whole.is_ok_and(|whole| whole == values) || game.audit(None, &table, &job()).is_ok())
}

/// Returns the value bytes of all keys of a table.
fn values(path: &Path, code: &str) -> Vec<u8> {
    let game = pyonpyon(code);
    let table = open(&game, path).unwrap();
    game.probe_all(&table, None, &(0..keys_of(&game)).collect::<Vec<_>>()).unwrap()
}

fn keys_of(game: &Pyonpyon) -> u64 {
    game.open_keys().into()
}

/// Every changed byte of a packed table is noticed, and `pack` and `unpack` do not change such a file.
#[test]
fn damage_of_packed_tables_is_noticed() {
    let (folder, _) = packed();
    let code = CODES[0];
    let path = file(folder.path(), code);
    let sound = fs::read(&path).unwrap();
    let values = values(&path, code);
    assert!(passes(&path, code, &values));
    let length = sound.len();
    for at in (0..136).chain((136..length).step_by(length.div_ceil(150))) {
        let mut bytes = sound.clone();
        bytes[at] ^= 1 << (at % 8);
        fs::write(&path, &bytes).unwrap();
        let is_sound = open(&pyonpyon(code), &path).is_ok_and(|table| table.check(&Silent).is_ok());
        assert!(!is_sound, "byte {at}");
        for verb in ["pack", "unpack"] {
            let output = run(folder.path(), &["tables", verb, path.to_str().unwrap()]);
            assert!(!output.status.success() || verb == "pack", "{verb}, byte {at}");
            assert!(fs::read(&path).unwrap() == bytes, "{verb}, byte {at}");
        }
    }
    for cut in [0, 1, 136, length / 2, length - 1] {
        fs::write(&path, &sound[..cut]).unwrap();
        assert!(!passes(&path, code, &values), "{cut} bytes left");
    }
}

/// Packed tables with a wrong block, index or model are refused even if their checksums are right.
#[test]
fn hostile_packed_tables_do_no_harm() {
    let (folder, _) = packed();
    let code = CODES[1];
    let path = file(folder.path(), code);
    let sound = Parts::of(&fs::read(&path).unwrap());
    let values = values(&path, code);
    let mut random = Random::new(31);
    let is_refused = |parts: &Parts, what: &str| {
        fs::write(&path, parts.file()).unwrap();
        assert!(!passes(&path, code, &values), "{what}: nobody noticed");
    };
    let block = sound.plain(&sound.blocks[0]);
    let mut blocks = vec![vec![], vec![0], vec![9, 0], vec![8, 255], vec![3, 8], vec![255; 700], vec![0; 700]];
    blocks.push([&block[..], &[0]].concat());
    blocks.push([&block[..], &[1; 9]].concat());
    blocks.push(block[..block.len() - 1].to_vec());
    // In these blocks the length of a group is too large, or is a varint without an end.
    blocks.push([&block[..2], &[255, 255, 255, 255, 255, 255, 255, 255, 255, 1][..], &block[2..]].concat());
    blocks.push([&block[..2], &[128; 30][..], &block[2..]].concat());
    for (number, bytes) in blocks.iter().enumerate() {
        let mut parts = sound.clone();
        parts.replace(0, bytes);
        is_refused(&parts, &format!("block {number}"));
    }
    let fields: [fn(&mut Parts, u32); 4] = [
        |parts, number| parts.blocks[0].plain = number,
        |parts, number| parts.blocks[0].rows = number,
        |parts, number| parts.blocks[0].length = number,
        |parts, number| parts.blocks[0].offset = number.into(),
    ];
    for number in [0, 1, 127, 129, 70_000, u32::MAX] {
        for change in fields {
            let mut parts = sound.clone();
            change(&mut parts, number);
            parts.rehash();
            is_refused(&parts, &format!("an entry has impossible numbers {number}"));
        }
    }
    // In these wrong models one probability is zero, all are one half, one is missing, all are too large, or there are
    // none.
    let probabilities: Vec<u8> = probabilities(&sound).iter().flat_map(|number| number.to_le_bytes()).collect();
    let mut impossible = probabilities.clone();
    impossible[..2].fill(0);
    let even = 2048u16.to_le_bytes().repeat(probabilities.len() / 2);
    for plain in [&impossible, &even, &probabilities[2..].to_vec(), &vec![255; probabilities.len()], &vec![]] {
        let (mut parts, packed) = (sound.clone(), zstd::bulk::compress(plain, 1).unwrap());
        let place = [136 + parts.packed.len() as u64, packed.len() as u64, xxh3_64(&packed)].map(u64::to_le_bytes);
        parts.model = [&place[0][..], &place[1][..4], &place[2]].concat();
        parts.packed.extend(packed);
        is_refused(&parts, "another model");
    }
    for (at, byte) in [(0, 1), (3, 255), (7, 255), (8, 1), (11, 255), (12, 1)] {
        let mut parts = sound.clone();
        parts.model[at] ^= byte;
        is_refused(&parts, &format!("byte {at} of where the model lies"));
    }
    for form in [[1, 1, 0, 0], [3, 1, 0, 0], [2, 2, 0, 0], [2, 1, 1, 0]] {
        is_refused(&Parts { form, ..sound.clone() }, &format!("form {form:?}"));
    }
    for model in [&sound.model[..19], &[], &[&sound.model[..], &[0]].concat()] {
        is_refused(&Parts { model: model.to_vec(), ..sound.clone() }, "a page of another length");
    }
    // A change in the last bits of a group may encode the same values. All other changes lead to other values.
    let mut refused = 0;
    for _ in 0..150 {
        let (mut parts, mut changed) = (sound.clone(), block.clone());
        changed[random.below(block.len())] ^= 1 << random.below(8);
        parts.replace(0, &changed);
        fs::write(&path, parts.file()).unwrap();
        let found = open(&pyonpyon(code), &path).is_ok_and(|table| {
            let keys: Vec<u64> = (0..keys_of(&pyonpyon(code))).collect();
            pyonpyon(code).probe_all(&table, None, &keys).is_ok_and(|found| found == values)
        });
        assert!(found || !passes(&path, code, &values));
        refused += usize::from(!found);
    }
    assert!(refused > 100, "{refused}");
    fs::write(&path, sound.file()).unwrap();
    assert!(passes(&path, code, &values));
}

#[test]
fn only_tables_that_leave_something_out_are_packed() {
    let folder = tables(&["bin2x2", "m00c1"]);
    let before = fs::read(folder.path().join("m00c1.tbl")).unwrap();
    for file in ["bin2x2.tbl", "m00c1.tbl"] {
        let line = fails(folder.path(), &["tables", "pack", file], 1);
        assert!(line.contains("positions are all listed") || line.contains("lists all its positions"), "{line}");
        assert!(good(folder.path(), &["tables", "unpack", file]).contains(": is not packed, "));
    }
    assert!(fs::read(folder.path().join("m00c1.tbl")).unwrap() == before);
    let folder = tables(&CODES);
    let kinds = CODES.map(|code| open(&pyonpyon(code), &file(folder.path(), code)).unwrap().header.index_kind);
    assert_eq!(kinds, [IndexKind::UnlistedWins, IndexKind::UnlistedDraws]);
}
