//! Tables that are damaged, foreign or cut off: an error or the right value, never a wrong one, never a panic.

use std::fs::{File, OpenOptions};
use std::mem::offset_of;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

use crate::interrupted::one_clear_line;
use crate::support::command::{fails, files, run, tables};
use crate::support::games::binarsi;
use crate::support::solving::{analyzed, job};
use tempfile::TempDir;
use xxhash_rust::xxh3::xxh3_64;
use yomikiri_rules::games::binarsi::Binarsi;
use yomikiri_rules::{Distance, Game};
use yomikiri_solve::{Solvable, brute};
use yomikiri_table::format::{BLOCK_ENTRY, HEADER, SECTION_ENTRY};
use yomikiri_table::probe::{open, probe};
use yomikiri_table::{Header, Silent};

const CODE: &str = "bin3x3";

/// A finished table to damage, and the values of one position of each of its blocks by brute force.
struct Patient {
    folder: TempDir,
    path: PathBuf,
    game: Binarsi,
    sound: Vec<u8>,
    header: Header,
    values: Vec<(u64, Distance)>,
}

/// What came of a look at a damaged table.
#[derive(Default)]
struct Look {
    /// Whether opening it failed.
    closed: bool,
    errors: usize,
    right: usize,
}

impl Patient {
    fn new() -> Patient {
        let folder = tempfile::tempdir().unwrap();
        let game = binarsi(CODE);
        let path = analyzed(&game, folder.path()).path().to_path_buf();
        let sound = std::fs::read(&path).unwrap();
        let header = Header::from_bytes(&sound).unwrap();
        let table = open(&game, &path).unwrap();
        let oracle = brute::solve(&game, &game.start());
        let mut keys: Vec<u64> = oracle.keys().copied().collect();
        keys.sort_unstable();
        let first_in = |number| keys[keys.partition_point(|&key| key < table.section(number).key)];
        let values = (0..header.sections.get()).map(|number| (first_in(number), oracle[&first_in(number)])).collect();
        Patient { folder, path, game, sound, header, values }
    }

    /// Where the lists begin, and where the meta data does.
    fn parts(&self) -> (usize, usize) {
        let lists = self.header.lists_offset.get() as usize;
        let [sections, blocks] = [self.header.sections, self.header.blocks].map(|count| count.get() as usize);
        let length = sections * SECTION_ENTRY + blocks * BLOCK_ENTRY;
        assert_eq!(lists + length + self.header.meta_length.get() as usize, self.sound.len());
        (lists, lists + length)
    }

    /// Opens the table and probes a position of each block, as queries do; fails on any wrong value.
    fn look(&self, what: &str) -> Look {
        let mut look = Look::default();
        let Ok(table) = open(&self.game, &self.path) else {
            return Look { closed: true, ..look };
        };
        for &(key, value) in &self.values {
            match probe::<Distance>(&table, key) {
                Err(_) => look.errors += 1,
                Ok(found) => {
                    assert_eq!(found, Some(value), "{what}: wrong value of key {key}");
                    look.right += 1;
                }
            }
        }
        look
    }

    /// What `verify` does, by way of the library; true if it finds nothing wrong.
    fn passes(&self) -> bool {
        let Ok(table) = open(&self.game, &self.path) else { return false };
        table.check_blocks(&Silent).is_ok() && self.game.audit(None, &table, &job()).is_ok()
    }

    /// Right answers or errors from probes, and an error from `verify`.
    fn examine(&self, what: &str) -> Look {
        let look = self.look(what);
        assert!(look.closed || !self.passes(), "{what}: nobody noticed");
        look
    }

    fn write(&self, bytes: &[u8]) {
        std::fs::write(&self.path, bytes).unwrap();
    }

    /// Flips bits of the byte at `offset`, examines, and puts it back.
    fn flip(&self, file: &File, offset: usize, bits: u8) -> Look {
        file.write_all_at(&[self.sound[offset] ^ bits], offset as u64).unwrap();
        let look = self.examine(&format!("byte {offset} with bits {bits:#04x} flipped"));
        file.write_all_at(&self.sound[offset..=offset], offset as u64).unwrap();
        look
    }

    /// A file to patch in place.
    fn file(&self) -> File {
        OpenOptions::new().write(true).open(&self.path).unwrap()
    }
}

/// A bit that changes from offset to offset.
fn bit(offset: usize) -> u8 {
    1 << (offset % 8)
}

#[test]
fn the_sound_table_is_sound() {
    let patient = Patient::new();
    let look = patient.look("sound");
    assert_eq!((look.closed, look.errors, look.right), (false, 0, patient.values.len()));
    assert!(patient.values.len() > 100 && patient.passes());
}

// One change at a time

#[test]
fn every_byte_counts() {
    let patient = Patient::new();
    let file = patient.file();
    let (lists, meta) = patient.parts();
    let near_ends = (HEADER..HEADER + 64).chain(lists - 64..lists);
    let header: Vec<u8> = (0..8).map(|shift| 1 << shift).chain([0xff]).collect();
    // Values do not hang on the meta data; flips in a block are errors of that block alone.
    for (part, offsets, more_bits, closed, errors) in [
        ("header", (0..HEADER).collect::<Vec<_>>(), &header[..], true, 0),
        ("lists", (lists..meta).collect(), &[0xff], true, 0),
        ("blocks", (HEADER..lists).step_by(13).chain(near_ends).collect(), &[], false, 1),
        ("meta data", (meta..patient.sound.len()).collect(), &[], false, 0),
    ] {
        for offset in offsets {
            for bits in [&[bit(offset)], more_bits].concat() {
                let look = patient.flip(&file, offset, bits);
                assert_eq!((look.closed, look.errors), (closed, errors), "{part}: byte {offset}, bits {bits:#04x}");
            }
        }
        assert!(patient.passes(), "{part}: put back");
    }
}

#[test]
fn truncation_to_any_length_is_an_error_at_once() {
    let patient = Patient::new();
    let length = patient.sound.len();
    let (lists, meta) = patient.parts();
    let near = |edge: usize| edge.saturating_sub(40)..=(edge + 40).min(length - 1);
    let mut lengths: Vec<usize> = (0..length).step_by(61).chain(0..=2 * HEADER).collect();
    lengths.extend([lists, meta, length, 4096, 8192].into_iter().flat_map(near));
    lengths.sort_unstable_by_key(|&length| std::cmp::Reverse(length));
    let file = patient.file();
    for length in lengths {
        file.set_len(length as u64).unwrap();
        assert!(patient.examine(&format!("{length} bytes left")).closed, "{length} bytes left");
    }
}

#[test]
fn appended_bytes_are_an_error_at_once() {
    let patient = Patient::new();
    for tail in [&b"\0"[..], b"\n", b"\xff", &[0; 128], &[0; 4096], &patient.sound] {
        patient.write(&[&patient.sound, tail].concat());
        assert!(patient.examine(&format!("{} bytes more", tail.len())).closed);
    }
}

#[test]
fn lost_and_misplaced_sectors_are_errors() {
    let patient = Patient::new();
    let length = patient.sound.len();
    for size in [512, 4096] {
        for start in (0..length).step_by(size) {
            let end = (start + size).min(length);
            let mut zeroed = patient.sound.clone();
            zeroed[start..end].fill(0);
            patient.write(&zeroed);
            patient.examine(&format!("bytes {start}..{end} zeroed"));
            let mut shifted = patient.sound.clone();
            shifted[start..end].rotate_left(1);
            patient.write(&shifted);
            patient.examine(&format!("bytes {start}..{end} rotated"));
        }
    }
    let mut swapped = patient.sound.clone();
    swapped[512..1024].copy_from_slice(&patient.sound[1024..1536]);
    swapped[1024..1536].copy_from_slice(&patient.sound[512..1024]);
    patient.write(&swapped);
    patient.examine("two sectors exchanged");
    for at in [0, 1, HEADER, HEADER + 1, length / 2, length - 1] {
        let mut shorter = patient.sound.clone();
        shorter.remove(at);
        patient.write(&shorter);
        assert!(patient.examine(&format!("byte {at} gone")).closed);
        let mut longer = patient.sound.clone();
        longer.insert(at, 0x55);
        patient.write(&longer);
        assert!(patient.examine(&format!("a byte more at {at}")).closed);
    }
}

// Whole files that are something else

/// Whole contents that are no table of [`CODE`], and a word that the error has to have.
fn impostors(patient: &Patient) -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let folder = tempfile::tempdir().unwrap();
    let bytes = |code: &str| std::fs::read(analyzed(&binarsi(code), folder.path()).path()).unwrap();
    let with_header = |change: &dyn Fn(&mut Header)| {
        let mut header = patient.header.clone();
        change(&mut header);
        [&header.to_bytes()[..], &patient.sound[HEADER..]].concat()
    };
    let mut future = patient.sound.clone();
    future[offset_of!(Header, format_version)] += 1;
    let mut future_with_hash = future.clone();
    let hash_at = offset_of!(Header, header_hash);
    let hash = xxh3_64(&future[..hash_at]);
    future_with_hash[hash_at..HEADER].copy_from_slice(&hash.to_le_bytes());
    let mut unfinished = patient.sound.clone();
    unfinished[..HEADER].fill(0);
    let length = patient.sound.len();
    let noise = (0..length as u64).map(|at| xxh3_64(&at.to_le_bytes()) as u8).collect();
    vec![
        ("the table of bin3x3-kb0.5", bytes("bin3x3-kb0.5"), "bin3x3-kb0.5"),
        ("the table of bin3x3-n", bytes("bin3x3-n"), "bin3x3-n"),
        ("the table of bin2x2", bytes("bin2x2"), "bin2x2"),
        ("a future format", future, "version 2"),
        ("a future format with the right checksum", future_with_hash, "version 2"),
        ("later rules", with_header(&|header| header.rules_revision += 1), "revision"),
        ("other values", with_header(&|header| header.value_codec += 1), "values of another kind"),
        ("a longer list", with_header(&|header| header.sections += 1), "bytes long"),
        ("an overflowing list", with_header(&|header| header.sections = u64::MAX.into()), "length"),
        ("an overflowing length", with_header(&|header| header.meta_length = (u64::MAX - 7).into()), "length"),
        ("an overflowing offset", with_header(&|header| header.lists_offset = u64::MAX.into()), "length"),
        ("a list in the header", with_header(&|header| header.lists_offset = 0.into()), "length"),
        ("an unfinished table", unfinished, "not a Yomikiri table"),
        ("an empty file", Vec::new(), "0 of 128 bytes"),
        ("zeros", vec![0; length], "not a Yomikiri table"),
        ("noise", noise, "not a Yomikiri table"),
        ("a line of text", b"Not Found\n".to_vec(), "10 of 128 bytes"),
        ("a page of text", b"<html>Not Found</html>\n".repeat(40), "not a Yomikiri table"),
        ("a header alone", patient.sound[..HEADER].to_vec(), "128 bytes long"),
        ("a header and noise", [&patient.sound[..HEADER], &vec![7; length - HEADER]].concat(), "checksum"),
    ]
}

#[test]
fn foreign_files_are_refused_with_the_reason() {
    let patient = Patient::new();
    for (what, bytes, word) in impostors(&patient) {
        patient.write(&bytes);
        assert!(patient.examine(what).closed, "{what}");
        let error = open(&patient.game, &patient.path).err().unwrap().to_string();
        assert!(error.contains(word), "{what}: {error}");
        assert!(error.starts_with(patient.path.to_str().unwrap()), "{what}: names the file: {error}");
    }
}

#[test]
fn a_table_with_blocks_of_another_size_is_refused() {
    let patient = Patient::new();
    let right = patient.header.rows_per_block.get();
    for rows_per_block in [1, right / 2, right * 2, u32::MAX] {
        let header = Header { rows_per_block: rows_per_block.into(), ..patient.header.clone() };
        patient.write(&[&header.to_bytes()[..], &patient.sound[HEADER..]].concat());
        assert!(patient.examine(&format!("{rows_per_block} rows in a block")).closed);
        let words = format!("has {rows_per_block} rows in a block");
        for args in [&["verify", CODE][..], &["query", CODE, "startpos"], &["stats", CODE], &["line", CODE]] {
            let line = fails(patient.folder.path(), args, 1);
            assert!(line.contains(patient.path.to_str().unwrap()) && line.contains(&words), "{args:?}: {line}");
        }
    }
}

#[test]
fn lists_with_right_checksums_and_wrong_numbers_do_not_panic() {
    let patient = Patient::new();
    let (lists, meta) = patient.parts();
    let mut opened = 0;
    for entry in (lists..meta).step_by(8).step_by(7) {
        for number in [0, 1, 0x7fff_ffff, u64::from(u32::MAX), u64::MAX / 8, u64::MAX / 2, u64::MAX] {
            let mut bytes = patient.sound.clone();
            bytes[entry..entry + 8].copy_from_slice(&number.to_le_bytes());
            let mut header = patient.header.clone();
            header.lists_hash = xxh3_64(&bytes[lists..meta]).into();
            bytes[..HEADER].copy_from_slice(&header.to_bytes());
            patient.write(&bytes);
            // Numbers that cannot be are refused when the table is opened; the rest must not harm later.
            let Ok(table) = open(&patient.game, &patient.path) else { continue };
            opened += 1;
            for &(key, _) in &patient.values {
                let _ = probe::<Distance>(&table, key);
            }
            let _ = yomikiri_solve::audit::verify_sample(&patient.game, &table, 10, &Silent);
            let names = yomikiri_answer::export_names(patient.folder.path(), CODE);
            let _ = yomikiri_answer::export_gz(&patient.game, &table, &names, &Silent);
            let _ = table.check_blocks(&Silent);
            let _ = patient.game.audit(None, &table, &job());
        }
    }
    assert!(opened > 0, "wrong block entries are only found by reading them");
}

// The command

#[test]
fn verify_and_query_say_what_is_wrong() {
    let patient = Patient::new();
    let folder = patient.folder.path();
    let path = patient.path.to_str().unwrap();
    let (lists, meta) = patient.parts();
    let length = patient.sound.len();
    let mut damages: Vec<(String, Vec<u8>)> =
        impostors(&patient).into_iter().map(|(what, bytes, _)| (what.to_string(), bytes)).collect();
    for cut in [1, HEADER - 1, HEADER, 5000, lists, meta, length - 1] {
        damages.push((format!("{cut} bytes left"), patient.sound[..cut].to_vec()));
    }
    damages.push(("a byte more".into(), [&patient.sound[..], b"\0"].concat()));
    for offset in [0, 8, 40, 127, HEADER, HEADER + 999, lists - 1, lists, meta - 1, meta, length - 1] {
        let mut bytes = patient.sound.clone();
        bytes[offset] ^= bit(offset);
        damages.push((format!("byte {offset} flipped"), bytes));
    }
    for (what, bytes) in damages {
        patient.write(&bytes);
        let line = one_clear_line(&run(folder, &["verify", CODE]), &what);
        assert!(line.contains(path), "{what}: names the file: {line}");
        let query = run(folder, &["query", CODE, "startpos", "--json"]);
        if query.status.success() {
            let answer: serde_json::Value = serde_json::from_slice(&query.stdout).unwrap();
            assert_eq!((&answer["outcome"], &answer["plies"]), (&"loss".into(), &10.into()), "{what}");
        } else {
            assert!(one_clear_line(&query, &what).contains(path), "{what}");
        }
        let stats = run(folder, &["stats", CODE, "--json"]);
        if !stats.status.success() {
            assert!(one_clear_line(&stats, &what).contains(path), "{what}");
        }
    }
    patient.write(&patient.sound);
    assert!(run(folder, &["verify", CODE]).status.success());
}

#[test]
fn verify_looks_at_checksums_of_every_part_first() {
    let patient = Patient::new();
    let (lists, meta) = patient.parts();
    let offsets = [(HEADER + 17, "block"), (lists - 3, "block"), (lists + 5, "lists"), (meta + 9, "meta data")];
    for (offset, part) in offsets.into_iter().chain([(60, "header")]) {
        let mut bytes = patient.sound.clone();
        bytes[offset] ^= 0x10;
        patient.write(&bytes);
        for args in [&["verify", CODE][..], &["verify", CODE, "--sample", "1"]] {
            let line = one_clear_line(&run(patient.folder.path(), args), part);
            assert!(line.contains(part) && line.contains("checksum"), "{args:?}: {line}");
        }
    }
}

/// Everything else that reads whole tables finds damage in any of them, and leaves no pieces.
#[test]
fn damage_anywhere_is_one_line_and_nothing_is_written() {
    let animal_shogi_forms = ["1.txt", "2.txt", "2_cooked.txt", "keys.gz", "vals.gz", "3.txt", "unpruned_ai.txt"];
    let mut cases = vec![
        (vec![CODE, "bin3x3-n"], vec!["compare", CODE, "bin3x3-n"]),
        (vec![CODE], vec!["export", CODE, "--to", "gz"]),
        (vec![CODE], vec!["puzzle", CODE, "--plies", "1", "--count", "1000"]),
    ];
    cases.extend(animal_shogi_forms.map(|form| (vec!["204go"], vec!["export", "204go", "--to", form])));
    for (codes, args) in cases {
        let folder = tables(&codes);
        let before = files(folder.path());
        for code in codes {
            let path = folder.path().join(format!("{code}.tbl"));
            let sound = std::fs::read(&path).unwrap();
            for offset in [10, 200, sound.len() / 2, sound.len() - 1000] {
                let mut bytes = sound.clone();
                bytes[offset] ^= 4;
                std::fs::write(&path, bytes).unwrap();
                let line = fails(folder.path(), &args, 1);
                assert!(line.contains(&format!("{code}.tbl: ")), "{args:?}, byte {offset}: {line}");
                assert_eq!(files(folder.path()), before, "{args:?}, byte {offset}: pieces are left");
            }
            std::fs::write(&path, sound).unwrap();
        }
    }
}

#[test]
fn a_folder_under_the_name_of_a_table() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("bin3x3.tbl")).unwrap();
    for args in [vec!["query", CODE, "startpos"], vec!["analyze", CODE], vec!["stats", CODE], vec!["verify", CODE]] {
        let line = one_clear_line(&run(folder.path(), &args), "a folder");
        assert!(line.contains("bin3x3.tbl"), "{line}");
    }
}
