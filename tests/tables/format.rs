//! docs/format.md and the code say the same; a reader written from the document alone reads a table.

use std::collections::HashMap;
use std::mem::offset_of;

use crate::support::games::{binarsi, reversi};
use crate::support::solving::analyzed;
use yomikiri_rules::{Distance, Game, Score, Value, ValueCodec};
use yomikiri_solve::brute;
use yomikiri_table::format::{self, Header};

const DOCUMENT: &str = include_str!("../../docs/format.md");

/// Rows of the first table after `heading` whose first two cells are numbers: (offset, bytes, third cell).
fn rows_after(heading: &str) -> Vec<(usize, usize, String)> {
    let text = &DOCUMENT[DOCUMENT.find(heading).unwrap() + heading.len()..];
    let lines = text.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
    let cells = lines.map(|line| line.split('|').map(|cell| cell.trim().to_string()).collect::<Vec<_>>());
    cells.filter_map(|cells| Some((cells[1].parse().ok()?, cells[2].parse().ok()?, cells[3].clone()))).collect()
}

#[test]
fn the_header_is_as_documented() {
    macro_rules! fields {
        ($($name:ident)*) => { [$((stringify!($name).replace('_', " "), offset_of!(Header, $name))),*] };
    }
    let fields = fields! {
        magic format_version index_kind value_codec rules_revision rows_per_block finished positions sections blocks
        lists_offset lists_hash meta_length meta_hash rule_code header_hash
    };
    let rows = rows_after("## Header");
    assert_eq!(rows.len(), fields.len());
    let ends = fields.iter().skip(1).map(|(_, offset)| *offset).chain([format::HEADER]);
    for ((row, (name, offset)), end) in rows.iter().zip(&fields).zip(ends) {
        assert_eq!((row.0, row.1, row.2.as_str()), (*offset, end - offset, name.as_str()));
    }
}

#[test]
fn list_entries_are_as_documented() {
    let length = |rows: Vec<(usize, usize, String)>| rows.last().map(|row| row.0 + row.1).unwrap();
    assert_eq!(length(rows_after("Sections ascend by key")), format::SECTION_ENTRY);
    assert_eq!(length(rows_after("or keys in the block |")), format::BLOCK_ENTRY);
}

#[test]
fn the_key_example_is_right() {
    let game = binarsi("bin3x3");
    let position = game.parse_position("startpos moves 2n").unwrap();
    assert_eq!(game.position_text(&position), "ox1/3/3 w - - 1");
    assert_eq!(game.rank(&position), 41600);
    assert!(DOCUMENT.contains("The key is 41600."));
}

#[test]
fn the_key_example_of_reversi_is_right() {
    let game = reversi("rev4x4");
    for (mv, text) in [("b1", "-X---XX--XO----- O"), ("d3", "-----OX--XXX---- O")] {
        let position = game.parse_position(mv).unwrap();
        assert_eq!(game.position_text(&position), text);
        assert_eq!(game.rank(&position), 47217);
    }
    assert!(DOCUMENT.contains("The key is 47217:"));
}

#[test]
fn value_codecs_are_as_documented() {
    let codecs = [ValueCodec::Distance, ValueCodec::ParityDistance, ValueCodec::Score];
    assert_eq!(codecs.map(|codec| codec as u8), [1, 2, 3]);
    assert!(DOCUMENT.contains("| value codec | 1 outcome and plies, 2 plies alone, 3 score |"));
    let scores = [(64, -64), (127, -1), (128, 0), (129, 1), (192, 64)];
    assert!(scores.iter().all(|&(byte, score)| Score::from_byte(byte) == Some(Score::new(score))));
    assert!([0, 63, 193].iter().all(|&byte| Score::from_byte(byte).is_none()));
}

/// All positions of a table of tiers, read by the document's words only.
fn read(bytes: &[u8]) -> HashMap<u64, u8> {
    let word = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
    let half = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    assert_eq!((&bytes[..8], bytes[10], &bytes[20..24]), (&b"YOMIKIRI"[..], 1, &b"DONE"[..]));
    let (sections, lists) = (word(32) as usize, word(48) as usize);
    let blocks = lists + 24 * sections;
    let mut found = HashMap::new();
    for section in 0..sections {
        let entry = lists + 24 * section;
        let (key, first, rows) = (word(entry), word(entry + 8) as usize, word(entry + 16) as usize);
        for (number, start) in (0..rows).step_by(512).enumerate() {
            let block = blocks + 24 * (first + number);
            let (offset, length) = (word(block) as usize, half(block + 8) as usize);
            let packed = &bytes[offset..offset + length];
            assert_eq!(xxhash_rust::xxh3::xxh3_64(packed), word(block + 16));
            let plain = zstd::bulk::decompress(packed, half(block + 12) as usize).unwrap();
            let here = (rows - start).min(512);
            let mut value = 8 * here;
            for row in 0..here {
                let lanes = u64::from_le_bytes(plain[8 * row..8 * row + 8].try_into().unwrap());
                for lane in (0..64).filter(|lane| lanes >> lane & 1 == 1) {
                    found.insert(key + 64 * (start + row) as u64 + lane, plain[value]);
                    value += 1;
                }
            }
            assert_eq!(value, plain.len());
        }
    }
    found
}

#[test]
fn a_reader_made_from_the_document_finds_every_value() {
    let game = binarsi("bin3x3");
    let folder = tempfile::tempdir().unwrap();
    let path = analyzed(&game, folder.path()).path().to_path_buf();
    let found = read(&std::fs::read(path).unwrap());
    let oracle: HashMap<u64, u8> =
        brute::solve(&game, &game.start()).into_iter().map(|(key, value)| (key, value.to_byte())).collect();
    assert_eq!(found.len(), 55289);
    assert!(found == oracle);
    assert!(Distance::from_byte(found[&game.rank(&game.start())]).is_some());
}

#[test]
fn the_meta_example_is_that_of_bin2x2() {
    let game = binarsi("bin2x2");
    let folder = tempfile::tempdir().unwrap();
    let table = analyzed(&game, folder.path());
    let line = DOCUMENT.lines().find(|line| line.starts_with("{\"root\"")).unwrap();
    assert_eq!(serde_json::from_str::<yomikiri_table::Meta>(line).unwrap(), table.meta().unwrap());
}
