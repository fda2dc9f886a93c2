//! Tests of tables that are damaged, foreign or cut off: a look-up gives an error or the right value, never a wrong
//! value or a panic.

use std::fs::{File, OpenOptions};
use std::mem::offset_of;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

use crate::interrupted::one_clear_line;
use crate::support::command::{fails, files, good, good_json, run, tables};
use crate::support::games::{any, binarsi};
use crate::support::solving::{analyzed, job};
use crate::support::table::{Block, Parts};
use tempfile::TempDir;
use xxhash_rust::xxh3::xxh3_64;
use yomikiri_rules::games::binarsi::Binarsi;
use yomikiri_rules::{Distance, Game};
use yomikiri_search::brute;
use yomikiri_solve::Solvable;
use yomikiri_table::format::HEADER;
use yomikiri_table::probe::{open, probe};
use yomikiri_table::{Header, Silent};
use zerocopy::little_endian::U64;

const CODE: &str = "bin3x3";

/// A finished table that tests damage, and the value of one position of each block by brute force.
struct DamagedTable {
    folder: TempDir,
    path: PathBuf,
    game: Binarsi,
    sound: Vec<u8>,
    header: Header,
    values: Vec<(u64, Distance)>,
}

/// The result of reading a damaged table.
#[derive(Default)]
struct ReadResult {
    /// True if the table cannot be opened.
    closed: bool,
    errors: usize,
    right: usize,
}

impl DamagedTable {
    fn new() -> DamagedTable {
        let folder = tempfile::tempdir().unwrap();
        let game = binarsi(CODE);
        let path = analyzed(&game, folder.path()).path().to_path_buf();
        let sound = std::fs::read(&path).unwrap();
        let header = Header::from_bytes(&sound).unwrap();
        let table = open(&game, &path).unwrap();
        let oracle = brute::solve(&game, &game.start());
        let mut keys: Vec<u64> = oracle.keys().copied().collect();
        keys.sort_unstable();
        let first_in = |number| keys[keys.partition_point(|&key| key < table.entry(number).unwrap().key)];
        let values = (0..table.blocks()).map(|number| (first_in(number), oracle[&first_in(number)])).collect();
        DamagedTable { folder, path, game, sound, header, values }
    }

    /// Returns the offsets of the pages, the directory and the meta data in bytes.
    fn parts(&self) -> [usize; 3] {
        let [pages, directory] = [self.header.pages_offset, self.header.directory_offset].map(|at| at.get() as usize);
        [pages, directory, self.sound.len() - self.header.meta_length.get() as usize]
    }

    /// Opens the table and looks up a position of each block, as queries do. Panics if a value is wrong.
    fn look(&self, what: &str) -> ReadResult {
        let mut look = ReadResult::default();
        let Ok(table) = open(&self.game, &self.path) else {
            return ReadResult { closed: true, ..look };
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

    /// Verifies the table through the library. Returns true if nothing is wrong.
    fn passes(&self) -> bool {
        let Ok(table) = open(&self.game, &self.path) else { return false };
        table.check(&Silent).is_ok() && self.game.audit(None, &table, &job()).is_ok()
    }

    /// Checks that look-ups give right values or errors, and that the verification fails. Returns the counts of both.
    fn examine(&self, what: &str) -> ReadResult {
        let look = self.look(what);
        assert!(look.closed || !self.passes(), "{what}: nobody noticed");
        look
    }

    fn write(&self, bytes: &[u8]) {
        std::fs::write(&self.path, bytes).unwrap();
    }

    /// Flips bits of the byte at `offset`, examines the table, and restores the byte.
    fn flip(&self, file: &File, offset: usize, bits: u8) -> ReadResult {
        file.write_all_at(&[self.sound[offset] ^ bits], offset as u64).unwrap();
        let look = self.examine(&format!("byte {offset} with bits {bits:#04x} flipped"));
        file.write_all_at(&self.sound[offset..=offset], offset as u64).unwrap();
        look
    }

    /// Opens the file of the table for changes in place.
    fn file(&self) -> File {
        OpenOptions::new().write(true).open(&self.path).unwrap()
    }
}

/// Returns a byte with one bit set, a different one at each of eight consecutive offsets.
fn bit(offset: usize) -> u8 {
    1 << (offset % 8)
}

#[test]
fn the_sound_table_is_sound() {
    let patient = DamagedTable::new();
    let look = patient.look("sound");
    assert_eq!((look.closed, look.errors, look.right), (false, 0, patient.values.len()));
    assert!(patient.values.len() > 100 && patient.passes());
}

// One change at a time

#[test]
fn every_byte_counts() {
    let patient = DamagedTable::new();
    let file = patient.file();
    let [pages, directory, meta] = patient.parts();
    let near_ends = (HEADER..HEADER + 64).chain(pages - 64..pages);
    let header: Vec<u8> = (0..8).map(|shift| 1 << shift).chain([0xff]).collect();
    // Look-ups do not need the meta data. A flipped bit in a block affects only that block. A flipped bit in a page
    // affects all blocks of the page, which are all blocks of this table.
    let all = patient.values.len();
    for (part, offsets, more_bits, closed, errors) in [
        ("header", (0..HEADER).collect::<Vec<_>>(), &header[..], true, 0),
        ("directory", (directory..meta).collect(), &[0xff], true, 0),
        ("pages", (pages..directory).step_by(7).collect(), &[], false, all),
        ("blocks", (HEADER..pages).step_by(13).chain(near_ends).collect(), &[], false, 1),
        ("meta data", (meta..patient.sound.len()).collect(), &[], false, 0),
    ] {
        for offset in offsets {
            for bits in [&[bit(offset)], more_bits].concat() {
                let look = patient.flip(&file, offset, bits);
                assert_eq!(look.closed, closed, "{part}: byte {offset}, bits {bits:#04x}");
                assert_eq!(look.errors, errors, "{part}: byte {offset}, bits {bits:#04x}");
            }
        }
        assert!(patient.passes(), "{part}: put back");
    }
}

#[test]
fn truncation_to_any_length_is_an_error_at_once() {
    let patient = DamagedTable::new();
    let length = patient.sound.len();
    let near = |edge: usize| edge.saturating_sub(40)..=(edge + 40).min(length - 1);
    let mut lengths: Vec<usize> = (0..length).step_by(61).chain(0..=2 * HEADER).collect();
    lengths.extend(patient.parts().into_iter().chain([length, 4096, 8192]).flat_map(near));
    lengths.sort_unstable_by_key(|&length| std::cmp::Reverse(length));
    let file = patient.file();
    for length in lengths {
        file.set_len(length as u64).unwrap();
        assert!(patient.examine(&format!("{length} bytes left")).closed, "{length} bytes left");
    }
}

#[test]
fn appended_bytes_are_an_error_at_once() {
    let patient = DamagedTable::new();
    for tail in [&b"\0"[..], b"\n", b"\xff", &[0; 128], &[0; 4096], &patient.sound] {
        patient.write(&[&patient.sound, tail].concat());
        assert!(patient.examine(&format!("{} bytes more", tail.len())).closed);
    }
}

#[test]
fn lost_and_misplaced_sectors_are_errors() {
    let patient = DamagedTable::new();
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

// Other files

/// Returns files that are not tables of [`CODE`], each with a name and with a word that the error has to contain.
fn impostors(patient: &DamagedTable) -> Vec<(&'static str, Vec<u8>, &'static str)> {
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
        ("a future format", future, "version 3"),
        ("a future format with the right checksum", future_with_hash, "version 3"),
        ("later rules", with_header(&|header| header.rules_revision += 1), "revision"),
        ("other values", with_header(&|header| header.value_codec += 1), "has values of codec"),
        ("another part", with_header(&|header| header.part += 1), "is part 1 of 1"),
        ("one part of several", with_header(&|header| header.parts += 1), "is part 0 of 2"),
        ("more blocks", with_header(&|header| header.blocks += 256), "bytes long"),
        ("too many blocks", with_header(&|header| header.blocks = u64::MAX.into()), "bytes long"),
        ("an overflowing length", with_header(&|header| header.meta_length = (u64::MAX - 7).into()), "length"),
        ("an overflowing offset", with_header(&|header| header.directory_offset = u64::MAX.into()), "bytes long"),
        ("a directory in the header", with_header(&|header| header.directory_offset = 0.into()), "bytes long"),
        (
            "pages in the header",
            with_header(&|header| header.pages_offset = 0.into()),
            "directory of pages is not valid",
        ),
        ("an unfinished table", unfinished, "not a Yomikiri table"),
        ("an empty file", Vec::new(), "0 of 136 bytes"),
        ("zeros", vec![0; length], "not a Yomikiri table"),
        ("noise", noise, "not a Yomikiri table"),
        ("a line of text", b"Not Found\n".to_vec(), "not a Yomikiri table"),
        ("a page of text", b"<html>Not Found</html>\n".repeat(40), "not a Yomikiri table"),
        ("a header alone", patient.sound[..HEADER].to_vec(), "136 bytes long"),
        ("a header and noise", [&patient.sound[..HEADER], &vec![7; length - HEADER]].concat(), "checksum"),
    ]
}

#[test]
fn foreign_files_are_refused_with_the_reason() {
    let patient = DamagedTable::new();
    for (what, bytes, word) in impostors(&patient) {
        patient.write(&bytes);
        assert!(patient.examine(what).closed, "{what}");
        let error = open(&patient.game, &patient.path).err().unwrap().to_string();
        assert!(error.contains(word), "{what}: {error}");
        assert!(error.starts_with(patient.path.to_str().unwrap()), "{what}: names the file: {error}");
    }
}

#[test]
fn forms_of_later_programs_are_refused() {
    let patient = DamagedTable::new();
    for form in [[0, 1, 0, 0], [2, 1, 0, 0], [1, 0, 0, 0], [1, 2, 0, 0], [1, 1, 1, 0], [1, 1, 0, 1]] {
        let mut parts = Parts::of(&patient.sound);
        parts.form = form;
        patient.write(&parts.file());
        assert!(patient.examine(&format!("blocks of form {form:?}")).closed);
        for args in [&["verify", CODE][..], &["query", CODE, "startpos"], &["stats", CODE], &["line", CODE]] {
            let line = fails(patient.folder.path(), args, 1);
            let words = "has blocks in a form that this program cannot read";
            assert!(line.contains(patient.path.to_str().unwrap()) && line.contains(words), "{args:?}: {line}");
        }
    }
}

type Change = fn(&mut Block, u64);

/// Fields of index entries have wrong numbers, one at a time, and all checksums are right.
#[test]
fn an_index_with_right_checksums_and_wrong_numbers_does_no_harm() {
    let patient = DamagedTable::new();
    let sound = Parts::of(&patient.sound);
    assert_eq!(Parts::of(&sound.file()), Parts { header: sound.file()[..HEADER].try_into().unwrap(), ..sound.clone() });
    let fields: [Change; 7] = [
        |block, number| block.key = number,
        |block, number| block.offset = number,
        |block, number| block.length = number as u32,
        |block, number| block.plain = number as u32,
        |block, number| block.rows = number as u32,
        |block, number| block.begins = number as u8,
        |block, number| block.hash = number,
    ];
    let numbers = [0, 1, 2, 513, 0x7fff_ffff, u64::from(u32::MAX), u64::MAX / 8, u64::MAX / 2, u64::MAX];
    let mut opened = [0; 7];
    for (number, (at, change)) in numbers.iter().flat_map(|number| fields.iter().enumerate().map(move |f| (number, f)))
    {
        for entry in [0, 1, 17, 128, sound.blocks.len() - 1] {
            let mut parts = sound.clone();
            change(&mut parts.blocks[entry], *number);
            if parts == sound {
                continue;
            }
            patient.write(&parts.file());
            assert!(!patient.passes(), "field {at} of block {entry} is {number}: nobody noticed");
            let Ok(table) = open(&patient.game, &patient.path) else { continue };
            opened[at] += 1;
            patient.values.iter().for_each(|(key, _)| drop(probe::<Distance>(&table, *key)));
            let _ = yomikiri_solve::audit::audit_sample(&patient.game, &table, 10, &Silent);
            let names = yomikiri_export::export_names(patient.folder.path(), CODE);
            let _ = yomikiri_export::export_gz(&any(CODE), &table, &names, &Silent);
        }
    }
    assert!(opened.iter().all(|&opened| opened > 0), "{opened:?}");
}

/// Blocks do not match their index entries, although all checksums are right.
#[test]
fn blocks_of_other_sizes_are_errors() {
    let patient = DamagedTable::new();
    let sound = Parts::of(&patient.sound);
    let (number, block) = sound.blocks.iter().enumerate().max_by_key(|(_, block)| block.plain).unwrap();
    let plain = sound.plain(block);
    let longer = [&plain[..], &[1]].concat();
    let changed: [&[u8]; 3] = [&plain[..plain.len() - 1], &longer, &[]];
    for (at, bytes) in changed.into_iter().enumerate() {
        let mut parts = sound.clone();
        parts.replace(number, bytes);
        patient.write(&parts.file());
        patient.examine(&format!("change {at}"));
        // Here the decompressed length also differs from the one in the index.
        parts.blocks[number].plain += 1;
        patient.write(&parts.file());
        assert!(patient.examine(&format!("change {at}, another length")).errors > 0, "change {at}");
    }
}

/// Verification compares the counts in the header with the table.
#[test]
fn counts_of_a_header_are_verified() {
    let patient = DamagedTable::new();
    let counts: [fn(&mut Header) -> &mut U64; 2] = [|header| &mut header.positions, |header| &mut header.sections];
    for count in counts {
        for change in [1, u64::MAX] {
            let mut header = patient.header.clone();
            let wrong = count(&mut header).get().wrapping_add(change);
            count(&mut header).set(wrong);
            patient.write(&[&header.to_bytes()[..], &patient.sound[HEADER..]].concat());
            assert!(!patient.passes());
        }
    }
}

// The command

#[test]
fn verify_and_query_say_what_is_wrong() {
    let patient = DamagedTable::new();
    let folder = patient.folder.path();
    let path = patient.path.to_str().unwrap();
    let [pages, directory, meta] = patient.parts();
    let length = patient.sound.len();
    let mut damages: Vec<(String, Vec<u8>)> =
        impostors(&patient).into_iter().map(|(what, bytes, _)| (what.to_string(), bytes)).collect();
    for cut in [1, HEADER - 1, HEADER, 5000, pages, directory, meta, length - 1] {
        damages.push((format!("{cut} bytes left"), patient.sound[..cut].to_vec()));
    }
    damages.push(("a byte more".into(), [&patient.sound[..], b"\0"].concat()));
    for offset in
        [0, 8, 40, 127, HEADER, HEADER + 999, pages - 1, pages, directory - 1, directory, meta - 1, meta, length - 1]
    {
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
    let patient = DamagedTable::new();
    let [pages, directory, meta] = patient.parts();
    for (offset, part) in [
        (60, "header"),
        (HEADER + 17, "block"),
        (pages - 3, "block"),
        (pages + 5, "page 0 of its index"),
        (directory - 1, "page 0 of its index"),
        (directory, "directory"),
        (meta - 1, "directory"),
        (meta + 9, "meta data"),
    ] {
        let mut bytes = patient.sound.clone();
        bytes[offset] ^= 0x10;
        patient.write(&bytes);
        for args in [&["verify", CODE][..], &["verify", CODE, "--sample", "1"]] {
            let line = one_clear_line(&run(patient.folder.path(), args), part);
            assert!(line.contains(part) && line.contains("checksum"), "{args:?}: {line}");
        }
    }
}

/// The other commands that read whole tables find damage in any part of them, and do not leave unfinished files.
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

/// An answer does not fail because of damaged tables and certificates that it does not need.
#[test]
fn damaged_files_beside_a_sound_table_do_not_matter() {
    let folder = tables(&[CODE, "bin3x3-p"]);
    let (path, query) = (|name: &str| folder.path().join(name), ["query", CODE, "startpos", "--json"]);
    let points = path("bin3x3-p.tbl");
    let sound = std::fs::read(&points).unwrap();
    let with_points = good_json(folder.path(), &query);
    let mut without_points = with_points.clone();
    assert!(without_points.as_object_mut().unwrap().remove("points").is_some());
    for name in ["bin3x3@0000000000000001.tbl", "bin3x3.proof", "bin3x3@0000000000000001.proof", "bin3x3-n.tbl"] {
        std::fs::write(path(name), &sound[..300]).unwrap();
    }
    assert_eq!(good_json(folder.path(), &query), with_points);
    let length = sound.len();
    for (at, cut) in [(60, length), (200, length), (length - 400, length), (0, 0), (0, 300)] {
        let mut bytes = sound[..cut].to_vec();
        bytes.get_mut(at).into_iter().for_each(|byte| *byte ^= 4);
        std::fs::write(&points, bytes).unwrap();
        let output = run(folder.path(), &query);
        let note = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "byte {at}, {cut} bytes: {note}");
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        // Damage in a block that the question does not need goes unnoticed.
        if answer != with_points {
            assert_eq!(answer, without_points, "byte {at}, {cut} bytes");
            assert!(note.contains("bin3x3-p.tbl: ") && note.ends_with("; points are not shown\n"), "{note}");
            assert_eq!(note.lines().count(), 1, "{note}");
        }
        assert!(answer == without_points || (at != 60 && cut == length), "byte {at}, {cut} bytes");
        assert!(run(folder.path(), &["query", CODE]).status.success(), "byte {at}, {cut} bytes");
    }
    // A question about the points themselves fails.
    assert!(fails(folder.path(), &["query", "bin3x3-p", "startpos"], 1).contains("bin3x3-p.tbl: "));
}

/// A damaged opening or certificate does not stop answers that another certificate gives, only those that none gives.
#[test]
fn damaged_openings_beside_a_sound_certificate_do_not_matter() {
    let folder = tempfile::tempdir().unwrap();
    let proof = folder.path().join("bin5x4.proof");
    good(folder.path(), &["prove", "bin5x4", "--certificate", proof.to_str().unwrap(), "--memory", "64M"]);
    good(folder.path(), &["check", proof.to_str().unwrap()]);
    let query = ["query", "bin5x4", "--json"];
    let answer = good_json(folder.path(), &query);
    assert_eq!(answer["source"], "certificate");
    std::fs::create_dir(folder.path().join("openings")).unwrap();
    std::fs::write(folder.path().join("openings/bin5x4.opening"), "mine").unwrap();
    std::fs::write(folder.path().join("bin5x4@0000000000000001.proof"), "mine").unwrap();
    assert_eq!(good_json(folder.path(), &query), answer);
    std::fs::remove_file(proof).unwrap();
    assert!(fails(folder.path(), &query, 1).contains("bin5x4@0000000000000001.proof: "));
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

/// A file that another program cuts off while it is open gives an error that says so and names the file.
#[test]
fn a_file_that_shrinks_while_it_is_read_is_said_to_end_too_early() {
    let table = DamagedTable::new();
    let (open, length) = (open(&table.game, &table.path).unwrap(), table.sound.len() as u64);
    OpenOptions::new().write(true).open(&table.path).unwrap().set_len(length / 2).unwrap();
    let expected = format!("{}: ends too early; it has become shorter while it was read", table.path.display());
    assert_eq!(open.check(&Silent).unwrap_err().to_string(), expected);
    let errors = table.values.iter().filter_map(|&(key, _)| probe::<Distance>(&open, key).err());
    let errors: Vec<String> = errors.map(|error| error.to_string()).collect();
    assert!(!errors.is_empty() && errors.iter().all(|error| *error == expected), "{errors:?}");
}
