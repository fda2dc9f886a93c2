//! Tests that docs/format.md and the code agree, and that a reader written from the document alone reads a table.

use std::collections::HashMap;
use std::mem::offset_of;

use crate::support::certificate::entries_of;
use crate::support::games::{binarsi, connect_four, random_game, reversi};
use crate::support::solving::analyzed;
use crate::support::table::Parts;
use yomikiri_rules::games::binarsi::board::{Image, Way};
use yomikiri_rules::games::binarsi::{Move, Op, Position};
use yomikiri_rules::{AnyGame, CodedValue, FAMILIES, Game, Notation, Presentation, Score, Value, ValueCodec};
use yomikiri_search::brute;
use yomikiri_search::opening::OUTCOME_CODEC;
use yomikiri_solve::Solvable;
use yomikiri_table::entries::listed_within;
use yomikiri_table::format::{self, Header};

const DOCUMENT: &str = include_str!("../../docs/format.md");

/// Returns the rows of the document's first table after `heading` whose first two cells are numbers. They have an
/// offset, a number of bytes, and the text of the third cell.
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
        magic format_version index_kind value_codec rules_revision part parts finished positions sections blocks
        pages_offset directory_offset directory_hash meta_length meta_hash rule_code header_hash
    };
    let rows = rows_after("## Header");
    assert_eq!(rows.len(), fields.len());
    let ends = fields.iter().skip(1).map(|(_, offset)| *offset).chain([format::HEADER]);
    for ((row, (name, offset)), end) in rows.iter().zip(&fields).zip(ends) {
        assert_eq!((row.0, row.1, row.2.as_str()), (*offset, end - offset, name.as_str()));
    }
}

#[test]
fn directory_entries_are_as_documented() {
    let rows = rows_after("## Directory and pages");
    let ends = rows.iter().skip(1).map(|row| row.0).chain([format::DIRECTORY_ENTRY]);
    assert_eq!(rows.len(), 7);
    assert!(rows.iter().zip(ends).all(|(row, end)| row.0 + row.1 == end), "{rows:?}");
}

#[test]
fn the_keys_to_check_by_are_right() {
    let rows = &DOCUMENT[DOCUMENT.find("| rules | position | key |").unwrap()..];
    let rows = rows.lines().skip(2).take_while(|line| line.starts_with('|'));
    let mut games = std::collections::BTreeSet::new();
    for row in rows {
        let cells: Vec<&str> = row.split('|').map(|cell| cell.trim().trim_matches('`')).collect();
        let [_, code, text, key, _] = cells[..] else { panic!("{row}") };
        let game = AnyGame::parse(code).unwrap();
        let position = game.parse_position(text).unwrap();
        assert_eq!(game.rank(&position).to_string(), key, "{row}");
        assert_eq!(game.parse_position(&format!("@{key}")), Ok(game.canonical(&position)), "{row}");
        games.insert(game.family().pattern);
    }
    assert_eq!(games.len(), FAMILIES.len(), "{games:?}");
}

/// The bytes of mirrored moves follow the documented rule, which certificates need for mirrored positions.
#[test]
fn moves_are_mirrored_as_documented() {
    let game = binarsi("bin4x3");
    let exchanged = |op| match op {
        Op::NotHigh => Op::NotLow,
        Op::NotLow => Op::NotHigh,
        other => other,
    };
    let (mut random, mut shifts) = (crate::support::random::Random::new(4), 0);
    for here in (0..300).flat_map(|_| random_game(&game, &mut random)) {
        for Move { way, op } in game.legal_moves(&here) {
            let (width, height) = (here.rect.width, here.rect.height);
            let mirrored = [
                match (way, op) {
                    (Way::File(file), op) => Move { way: Way::File(3 - file), op: exchanged(op) },
                    (way, Op::Shift(by)) => Move { way, op: Op::Shift(width - by) },
                    (way, op) => Move { way, op },
                },
                match (way, op) {
                    (Way::Rank(rank), op) => Move { way: Way::Rank(2 - rank), op: exchanged(op) },
                    (way, Op::Shift(by)) => Move { way, op: Op::Shift(height - by) },
                    (way, op) => Move { way, op },
                },
            ];
            shifts += usize::from(matches!(op, Op::Shift(_)));
            for (mv, files) in mirrored.into_iter().zip([true, false]) {
                let image = |position: &Position| position.mirrored(&game.rules, Image { files, ranks: !files });
                let after = game.play(&here, Move { way, op });
                assert_eq!(game.play(&image(&here), mv), image(&after), "{}", game.position_text(&here));
            }
        }
    }
    assert!(shifts > 1000, "{shifts}");
}

/// The document's Python reader finds the values of exported keys.
#[test]
fn the_python_reader_of_pairs_is_right() {
    let code = DOCUMENT.split("```python\n").find(|code| code.contains("def look_up")).unwrap();
    let code = code.split("```").next().unwrap();
    let folder = crate::support::command::table("con4x4");
    crate::support::command::good(folder.path(), &["export", "con4x4", "--to", "gz"]);
    let game = connect_four("con4x4");
    let table = yomikiri_table::probe::open(&game, &folder.path().join("con4x4.tbl")).unwrap();
    let entries = listed_within(&table, 0..u64::MAX).unwrap();
    let entries: Vec<(u64, u8)> = entries.keys.into_iter().zip(entries.bytes).collect();
    let step = entries.len() / 50;
    let asked: Vec<String> =
        entries.iter().step_by(step).map(|(key, byte)| format!("look_up(*pair, {key}) == {byte}")).collect();
    let last = entries[entries.len() - 1];
    let script = format!(
        "{code}\npair = Members(\"r_con4x4_keys.gz\"), Members(\"r_con4x4_vals.gz\")\nassert len(pair[0].offsets) > 5\n\
         assert all([{}])\nassert look_up(*pair, {}) == {}\nassert look_up(*pair, {}) is None\n",
        asked.join(", "),
        last.0,
        last.1,
        last.0 + 1
    );
    let ran = std::process::Command::new("python3").args(["-c", &script]).current_dir(folder.path()).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
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
    let row = "| value codec | 1 outcome and plies, 2 plies alone, 3 score, 4 moves (a certificate), 5 outcome alone (an \
               opening), 16 more: an excerpt |";
    assert!(DOCUMENT.contains(row));
    assert_eq!(OUTCOME_CODEC, 5);
    let scores = [(64, -64), (127, -1), (128, 0), (129, 1), (192, 64)];
    assert!(scores.iter().all(|&(byte, score)| Score::from_byte(byte) == Some(Score::new(score))));
    assert!([0, 63, 193].iter().all(|&byte| Score::from_byte(byte).is_none()));
}

/// The document says which kind of values each game has, and the revision of its rules.
#[test]
fn values_of_games_are_as_documented() {
    let text = DOCUMENT.split_whitespace().collect::<Vec<_>>().join(" ");
    for (codes, codec, sentence) in [
        (&["bin3x3", "pyon", "con4x4"][..], ValueCodec::Distance, "Binarsi, the pyonpyon game and Connect Four have"),
        (&["val1n"], ValueCodec::ParityDistance, "Animal shogi has these."),
        (
            &["rev4x4", "bin3x3-p"],
            ValueCodec::Score,
            "by how much the side to move wins, as in reversi, or in Binarsi by points",
        ),
    ] {
        for code in codes {
            let game = AnyGame::parse(code).unwrap();
            assert_eq!((game.codec(), game.rules_revision()), (codec, 1), "{code}");
        }
        assert!(text.contains(sentence), "{sentence}");
    }
    assert!(text.contains("keys and values are told below for revision 1 of each game"));
}

/// Reads a table of tiers or sorted keys by the document alone. Returns the byte of each listed key.
fn read(bytes: &[u8]) -> HashMap<u64, u8> {
    assert_eq!((&bytes[..8], bytes[8], &bytes[20..24]), (&b"YOMIKIRI"[..], 2, &b"DONE"[..]));
    let parts = Parts::of(bytes);
    let again = Parts::of(&parts.file());
    assert_eq!((&again.blocks, &again.packed, &again.meta), (&parts.blocks, &parts.packed, &parts.meta));
    let mut found = HashMap::new();
    for block in &parts.blocks {
        let (plain, rows) = (parts.plain(block), block.rows as usize);
        let positions = if bytes[10] == 1 { of_rows(&plain, rows) } else { entries_of(0, &plain, rows) };
        found.extend(positions.into_iter().map(|(place, byte)| (block.key + place, byte)));
    }
    found
}

/// Returns the listed keys of a block of rows, as distances from its first key, and their bytes.
fn of_rows(plain: &[u8], rows: usize) -> Vec<(u64, u8)> {
    let word = |row: usize| u64::from_le_bytes(plain[8 * row..8 * row + 8].try_into().unwrap());
    let places =
        (0..rows).flat_map(|row| (0..64).filter(move |lane| word(row) >> lane & 1 == 1).map(move |lane| (row, lane)));
    let places: Vec<u64> = places.map(|(row, lane)| 64 * row as u64 + lane).collect();
    assert_eq!(places.len(), plain.len() - 8 * rows);
    places.into_iter().zip(plain[8 * rows..].iter().copied()).collect()
}

#[test]
fn a_reader_made_from_the_document_finds_every_value() {
    fn check<G: Solvable>(game: &G, positions: usize, blocks: std::ops::Range<usize>) {
        let folder = tempfile::tempdir().unwrap();
        let path = analyzed(game, folder.path()).path().to_path_buf();
        let bytes = std::fs::read(path).unwrap();
        let found = read(&bytes);
        assert!(blocks.contains(&Parts::of(&bytes).blocks.len()), "{}", game.code());
        let oracle = brute::solve(game, &game.start()).into_iter();
        let oracle: HashMap<u64, u8> = oracle.map(|(key, value)| (key, value.to_byte())).collect();
        assert_eq!(found.len(), positions);
        assert!(found == oracle);
    }
    check(&binarsi("bin3x3"), 55289, 2..256);
    check(&connect_four("con4x3"), 5525, 2..256);
    check(&reversi("rev4x4"), 11660, 257..1000);
}

#[test]
fn the_meta_example_is_that_of_bin2x2() {
    let game = binarsi("bin2x2");
    let folder = tempfile::tempdir().unwrap();
    let table = analyzed(&game, folder.path());
    let line = DOCUMENT.lines().find(|line| line.starts_with("{\"root\"")).unwrap();
    assert_eq!(serde_json::from_str::<yomikiri_table::Meta>(line).unwrap(), table.meta().unwrap());
}
