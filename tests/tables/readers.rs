//! Tests of the example readers in Python and C against the program. They show that docs/format.md suffices.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use serde_json::Value as Json;
use tempfile::TempDir;

use crate::support::command::{command, good, refused, tables, with_input};
use crate::support::games::{binarsi, connect_four, pyonpyon, reversi};
use crate::support::random::Random;
use crate::support::repository::{blocks, made_by, page, repository_path};
use crate::support::solving::pack_anyway;
use crate::support::table::{Block, Parts};
use yomikiri_rules::{Game, Measure, Notation, Outcome, Value};
use yomikiri_search::opening::{OpeningFile, Outcomes};
use yomikiri_solve::Solvable;
use yomikiri_table::entries::listed_within;
use yomikiri_table::probe::{listed, open};
use yomikiri_table::source::FileSource;
use yomikiri_table::{IndexKind, Table};

/// Compiles an example in C, with sanitizers if the compiler has them. Returns the path of the program.
fn compiled(folder: &Path, name: &str) -> PathBuf {
    let (zstd, program) = (made_by("libzstd"), folder.join(name));
    let flags = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O2", "-g"];
    let sanitizers = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
    let compile = |source: &Path, more: &[&str]| {
        let mut cc = Command::new("cc");
        cc.args(flags).args(more).arg(source).arg("-o").arg(&program).arg("-I").arg(&zstd).arg("-L").arg(&zstd);
        cc.arg("-lzstd").output().expect("the tests need a C compiler, cc")
    };
    let empty = folder.join("empty.c");
    std::fs::write(&empty, "int main(void) { return 0; }\n").unwrap();
    let has_sanitizers = compile(&empty, &sanitizers).status.success();
    let source = repository_path("examples").join(format!("{name}.c"));
    let ran = compile(&source, if has_sanitizers { &sanitizers } else { &[] });
    assert!(ran.status.success(), "{name}: {}", String::from_utf8_lossy(&ran.stderr));
    program
}

/// The programs under test, which are made only once.
struct Programs {
    _folder: TempDir,
    python: PathBuf,
    read_table: PathBuf,
    choose_move: PathBuf,
}

static PROGRAMS: LazyLock<Programs> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let [read_table, choose_move] = ["read_table", "choose_move"].map(|name| compiled(folder.path(), name));
    Programs { _folder: folder, python: made_by("python-env"), read_table, choose_move }
});

/// Returns the names and commands of both readers.
fn readers() -> [(&'static str, Command); 2] {
    let mut python = Command::new(&PROGRAMS.python);
    python.arg(repository_path("examples/read_table.py"));
    [("Python", python), ("C", Command::new(&PROGRAMS.read_table))]
}

/// Returns the output of both readers with these lines on standard input.
fn ask(args: &[&str], path: &Path, lines: &str) -> [(&'static str, Output); 2] {
    readers().map(|(name, mut reader)| {
        reader.args(args).arg(path);
        (name, with_input(reader, lines))
    })
}

/// Returns the answers about keys. Those of both readers must be equal.
fn answers(args: &[&str], path: &Path, keys: &[u64]) -> Vec<String> {
    let lines: String = keys.iter().map(|key| format!("@{key}\n")).collect();
    let [python, c] = ask(args, path, &lines).map(|(name, output)| {
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && err.is_empty(), "{name}, {}: {err}", path.display());
        String::from_utf8(output.stdout).unwrap()
    });
    assert!(python == c, "{}: the readers disagree", path.display());
    let answers: Vec<String> = c.lines().map(String::from).collect();
    assert_eq!(answers.len(), keys.len());
    answers
}

/// Returns the expected answer about a key with this byte in the table. `left_out` is the outcome that the table leaves
/// out, if any.
fn expected<G: Notation>(game: &G, key: u64, byte: Option<u8>, left_out: Option<&str>) -> String {
    let value = byte.map(|byte| game.value_of_byte(byte));
    match (value, left_out) {
        (Some(None), _) | (None, None) => format!("@{key} not stored"),
        (None, Some(outcome)) => format!("@{key} not stored: a {outcome}, if it can arise and is not over"),
        (Some(Some(value)), _) => format!("@{key} {}", words(value)),
    }
}

/// Returns the outcome of a value, and its plies or score if it has them, as text.
fn words<V: Value>(value: V) -> String {
    match value.measure() {
        Measure::Distance { plies: None } => value.outcome().to_string(),
        Measure::Distance { plies: Some(plies) } => format!("{} {}", value.outcome(), plies.0),
        Measure::Score { score } => format!("{} {score}", value.outcome()),
    }
}

/// Returns all keys that a table lists.
fn listed_keys(table: &Table) -> Vec<u64> {
    listed_within(table, 0..u64::MAX).unwrap().keys
}

/// Returns numbers to ask about as keys: at most `most` listed keys and the number after each of them, numbers at the
/// edges of blocks, and random numbers.
fn keys_to_ask(table: &Table, most: usize) -> Vec<u64> {
    let all = listed_keys(table);
    let step = all.len().div_ceil(most);
    let last = all[all.len() - 1];
    let mut random = Random::new(last);
    let mut keys: Vec<u64> = all.iter().copied().step_by(step).flat_map(|key| [key, key + 1]).collect();
    for number in 0..table.blocks() {
        let block = table.entry(number).unwrap();
        let end = block.key + 64 * u64::from(block.rows);
        keys.extend([block.key.saturating_sub(1), block.key, block.key + 1, end - 1, end, end + 1]);
    }
    keys.extend((0..1000).map(|_| random.bits() % (2 * last)));
    keys.extend((0..100).map(|_| random.bits()));
    keys.extend([0, 1, last - 1, last, last + 1, 1 << 32, u64::MAX - 1, u64::MAX]);
    // The order is random, so that the readers can rarely use the same block twice in a row.
    (1..keys.len()).for_each(|at| keys.swap(at, random.below(at + 1)));
    keys
}

/// Compares the answers of the readers with the table, and with the program's answers about listed positions.
fn check<G: Solvable>(game: &G, folder: &Path, file: &str, kind: IndexKind) {
    let path = folder.join(file);
    let table = open(game, &path).unwrap();
    assert_eq!(table.header.index_kind, kind, "{file}");
    let left_out = match kind {
        IndexKind::UnlistedWins => Some("win"),
        IndexKind::UnlistedDraws => Some("draw"),
        IndexKind::Tiers | IndexKind::SortedKeys => None,
    };
    let keys = keys_to_ask(&table, 3000);
    let mut ascending = keys.clone();
    ascending.sort_unstable();
    let bytes = listed(&table, &ascending).unwrap();
    let sections = table.sections().unwrap();
    let is_inside = |key: u64| sections.iter().any(|one| one.key <= key && key < one.key.saturating_add(64 * one.rows));
    for args in [&[][..], &["--check"]] {
        let told = answers(args, &path, &keys);
        for (key, told) in keys.iter().zip(&told) {
            let byte = bytes[ascending.binary_search(key).unwrap()];
            assert_eq!(*told, expected(game, *key, byte, left_out.filter(|_| is_inside(*key))), "{file}");
        }
    }
    let stored: Vec<u64> = listed_keys(&table).into_iter().step_by(listed_keys(&table).len().div_ceil(3000)).collect();
    let code = game.code();
    let asked = command(folder, &["query", &code, "-", "--brief"]);
    let lines: String = stored.iter().map(|key| format!("@{key}\n")).collect();
    let told = String::from_utf8(with_input(asked, lines).stdout).unwrap();
    for (told, line) in told.lines().zip(answers(&[], &path, &stored)) {
        let told: Json = serde_json::from_str(told).unwrap();
        let number = told.get("plies").or(told.get("score")).filter(|number| !number.is_null());
        let number = number.map_or(String::new(), |number| format!(" {number}"));
        assert_eq!(format!("{} {}{number}", told["key"].as_str().unwrap(), told["outcome"].as_str().unwrap()), line);
    }
    assert_eq!(told.lines().count(), stored.len());
}

#[test]
fn readers_say_what_the_program_says() {
    let codes = ["bin2x2", "bin3x3", "rev3x3", "rev4x4", "pyon3x4", "pyon3x4B", "pyon2x3", "con4x4"];
    let folder = tables(&codes);
    for code in &codes[..2] {
        check(&binarsi(code), folder.path(), &format!("{code}.tbl"), IndexKind::Tiers);
    }
    for code in &codes[2..4] {
        check(&reversi(code), folder.path(), &format!("{code}.tbl"), IndexKind::Tiers);
    }
    for code in &codes[4..6] {
        check(&pyonpyon(code), folder.path(), &format!("{code}.tbl"), IndexKind::UnlistedDraws);
    }
    check(&pyonpyon("pyon2x3"), folder.path(), "pyon2x3.tbl", IndexKind::UnlistedWins);
    check(&connect_four("con4x4"), folder.path(), "con4x4.tbl", IndexKind::SortedKeys);
    // Tables from a later position have sorted keys in every game.
    good(folder.path(), &["analyze", "bin3x3", "--from", "@41600"]);
    check(&binarsi("bin3x3"), folder.path(), "bin3x3@000000000000a280.tbl", IndexKind::SortedKeys);
    good(folder.path(), &["analyze", "rev4x4", "--from", "@47217"]);
    check(&reversi("rev4x4"), folder.path(), "rev4x4@000000000000b871.tbl", IndexKind::SortedKeys);
}

#[test]
fn the_readers_are_short() {
    for file in ["read_table.c", "read_table.py", "choose_move.c"] {
        let lines = page(&format!("examples/{file}")).lines().count();
        assert!(lines < 200, "{file}: {lines} lines");
    }
}

/// Returns the error line of a program that has to fail with this status.
fn refusal(name: &str, output: &Output, status: i32, what: &str) -> String {
    refused(&Output { stdout: Vec::new(), ..output.clone() }, status, format!("{name}: {what}"))
}

#[test]
fn requests_that_make_no_sense_have_status_2() {
    let folder = tables(&["bin2x2"]);
    let path = folder.path().join("bin2x2.tbl");
    for (name, mut reader) in readers() {
        refusal(name, &reader.output().unwrap(), 2, "no table");
    }
    for bad in
        ["@", "x", "@-1", "-1", "@1x", "@18446744073709551616", "@99999999999999999999999", "@@1", "@1.5", "@ 1", ""]
    {
        for (name, output) in ask(&[], &path, &format!("@0\n{bad}\n@1\n")) {
            let line = refusal(name, &output, 2, bad);
            assert_eq!(line, format!("error: {bad}: is not a key\n"), "{name}");
            assert_eq!(String::from_utf8_lossy(&output.stdout), "@0 loss 6\n", "{name}");
        }
    }
    // The second line is longer than the buffer of the reader in C.
    for (name, output) in ask(&[], &path, &format!("@0\n@{}7\n", "0".repeat(62))) {
        refusal(name, &output, 2, "a long line");
        assert_eq!(String::from_utf8_lossy(&output.stdout), "@0 loss 6\n", "{name}");
    }
}

#[test]
fn files_that_are_no_tables_have_one_line() {
    let folder = tables(&["bin2x2"]);
    let sound = std::fs::read(folder.path().join("bin2x2.tbl")).unwrap();
    let path = folder.path().join("file");
    let with = |at: usize, byte: u8| {
        let mut bytes = sound.clone();
        bytes[at] = byte;
        bytes
    };
    let certificate = std::fs::read(repository_path("precomp/proofs/bin3x3.proof")).unwrap();
    let files: [(Vec<u8>, &str); 11] = [
        (Vec::new(), "is not a Yomikiri table"),
        (b"Not Found\n".to_vec(), "is not a Yomikiri table"),
        (vec![7; 5000], "is not a Yomikiri table"),
        (sound[..135].to_vec(), "is not a Yomikiri table"),
        (sound[..136].to_vec(), "does not have the length that its header states"),
        (sound[..sound.len() - 1].to_vec(), "does not have the length that its header states"),
        (with(8, 3), "is not a finished table of format version 2 in one part"),
        (with(18, 2), "is not a finished table of format version 2 in one part"),
        (with(20, 0), "is not a finished table of format version 2 in one part"),
        (with(10, 5), "has an unknown kind"),
        (certificate, "has an unknown kind"),
    ];
    for (bytes, what) in files {
        std::fs::write(&path, &bytes).unwrap();
        for (name, output) in ask(&[], &path, "@0\n") {
            assert_eq!(refusal(name, &output, 1, what), format!("error: {}: {what}\n", path.display()), "{name}");
        }
    }
    std::fs::remove_file(&path).unwrap();
    for (name, output) in ask(&[], &path, "@0\n") {
        assert!(refusal(name, &output, 1, "nothing").contains("No such file"), "{name}");
    }
    for (name, output) in ask(&[], folder.path(), "@0\n") {
        refusal(name, &output, 1, "a folder");
    }
}

/// The small form of a table is refused, with the command that makes the form that the readers know.
#[test]
fn packed_tables_have_one_line_with_the_remedy() {
    let folder = tables(&["pyon2x3"]);
    let path = folder.path().join("pyon2x3.tbl");
    pack_anyway(&path);
    for (name, output) in ask(&[], &path, "@5\n") {
        let line = refusal(name, &output, 1, "packed");
        let what = "has blocks of another form; run \"yomikiri tables unpack\"";
        assert_eq!(line, format!("error: {}: {what}\n", path.display()), "{name}");
    }
}

/// With `--check`, a changed byte in anything that is read is an error.
#[test]
fn readers_that_check_notice_every_changed_byte() {
    let folder = tables(&["rev4x4", "con4x4"]);
    let path = folder.path().join("file");
    for code in ["rev4x4", "con4x4"] {
        let sound = std::fs::read(folder.path().join(format!("{code}.tbl"))).unwrap();
        let parts = Parts::of(&sound);
        let keys: String = parts.blocks.iter().map(|block| format!("{}\n", block.key)).collect();
        let [pages, directory] = [48, 56].map(|at| u64::from_le_bytes(sound[at..at + 8].try_into().unwrap()) as usize);
        let meta = sound.len() - parts.meta.len();
        let mut random = Random::new(7);
        let places = [0..136, 136..pages, pages..directory, directory..meta];
        let places: Vec<usize> = places
            .iter()
            .flat_map(|part| (0..8).map(|_| part.start + random.below(part.len())).collect::<Vec<_>>())
            .collect();
        for place in places {
            let mut bytes = sound.clone();
            bytes[place] ^= 1 << random.below(8);
            std::fs::write(&path, &bytes).unwrap();
            for (name, output) in ask(&["--check"], &path, &keys) {
                refusal(name, &output, 1, &format!("{code}, byte {place}"));
            }
        }
    }
}

type Change = fn(&mut Block, u64);

/// Wrong numbers in an index with right checksums lead to answers or one error line, and to nothing else.
#[test]
fn an_index_with_wrong_numbers_does_no_harm() {
    let folder = tables(&["bin3x3", "con4x4"]);
    let path = folder.path().join("file");
    let fields: [Change; 5] = [
        |block, number| block.key = number,
        |block, number| block.offset = number,
        |block, number| block.length = number as u32,
        |block, number| block.plain = number as u32,
        |block, number| block.rows = number as u32,
    ];
    let mut refusals = 0;
    for code in ["bin3x3", "con4x4"] {
        let sound = Parts::of(&std::fs::read(folder.path().join(format!("{code}.tbl"))).unwrap());
        let keys: String = sound.blocks.iter().map(|block| format!("{}\n{}\n", block.key, block.key + 77)).collect();
        for number in [0, 1, 513, 40_000, 0x7fff_ffff, u64::from(u32::MAX), u64::MAX / 2, u64::MAX] {
            for change in fields {
                let mut parts = sound.clone();
                change(&mut parts.blocks[3], number);
                std::fs::write(&path, parts.file()).unwrap();
                for (name, output) in ask(&["--check"], &path, &keys) {
                    if !output.status.success() {
                        refusal(name, &output, 1, &format!("{code}, {number}"));
                        refusals += 1;
                    }
                }
            }
        }
        // Here blocks do not match their index entries.
        let plain = sound.plain(&sound.blocks[3]);
        for (at, bytes) in [&plain[..plain.len() - 1], &[&plain[..], &[1]].concat(), &[], &vec![255; plain.len()]]
            .into_iter()
            .enumerate()
        {
            let mut parts = sound.clone();
            parts.replace(3, bytes);
            std::fs::write(&path, parts.file()).unwrap();
            for (name, output) in ask(&["--check"], &path, &keys) {
                if !output.status.success() {
                    refusal(name, &output, 1, &format!("{code}, change {at}"));
                    refusals += 1;
                }
            }
        }
    }
    assert!(refusals > 80, "{refusals}");
}

/// Returns the input of choose_move for a position: a line for each move, then an empty line.
fn move_lines<G: Notation>(game: &G, position: &G::Position) -> String {
    let line = |mv: G::Move| {
        let after = game.play(position, mv);
        let rest = match game.terminal_value(&after) {
            Some(value) => match value.measure() {
                Measure::Score { score } => format!("{} {score}", value.outcome()),
                Measure::Distance { .. } => value.outcome().to_string(),
            },
            None => format!("@{}", game.rank(&after)),
        };
        format!("{} {rest}\n", game.move_text(mv))
    };
    game.legal_moves(position).into_iter().map(line).collect::<String>() + "\n"
}

/// Every command in the sessions of the document prints what the document shows.
#[test]
fn the_document_shows_what_the_readers_say() {
    let text = page("docs/format.md");
    let folder = tables(&["bin3x3", "rev4x4"]);
    let here = tempfile::tempdir().unwrap();
    let (precomp, link) = (here.path().join("precomp"), std::os::unix::fs::symlink::<PathBuf, PathBuf>);
    std::fs::create_dir(&precomp).unwrap();
    for table in ["bin3x3.tbl", "rev4x4.tbl"] {
        link(folder.path().join(table), precomp.join(table)).unwrap();
    }
    link(repository_path("precomp/proofs"), precomp.join("proofs")).unwrap();
    link(repository_path("examples"), here.path().join("examples")).unwrap();
    // The page's `pip` commands are skipped, because scripts have installed the packages already.
    let (python, zstd) = (PROGRAMS.python.parent().unwrap().to_path_buf(), made_by("libzstd"));
    let path =
        std::env::join_paths([python].into_iter().chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())));
    let mut commands = 0;
    for block in
        blocks(&text, "console").iter().filter(|block| block.lines.iter().any(|line| line.contains("examples/")))
    {
        let mut lines = block.lines.iter().peekable();
        while let Some(command) = lines.next().map(|line| line.strip_prefix("$ ").unwrap()) {
            let mut expected = String::new();
            while let Some(line) = lines.next_if(|line| !line.starts_with("$ ")) {
                expected += &format!("{line}\n");
            }
            if command.starts_with("pip ") {
                continue;
            }
            let mut shell = Command::new("sh");
            shell.args(["-c", command]).current_dir(here.path()).env("PATH", path.as_ref().unwrap());
            let output = shell.env("C_INCLUDE_PATH", &zstd).env("LIBRARY_PATH", &zstd).output().unwrap();
            assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{command}");
            assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{command}");
            commands += 1;
        }
    }
    assert_eq!(commands, 6);
}

/// Returns the lines that choose_move prints. Each has a move, its outcome, and plies or a score.
fn choices(path: &Path, lines: &str) -> Vec<String> {
    let mut program = Command::new(&PROGRAMS.choose_move);
    program.arg(path);
    let output = with_input(program, lines);
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && err.is_empty(), "{}: {err}", path.display());
    String::from_utf8(output.stdout).unwrap().lines().map(String::from).collect()
}

/// Checks that the moves of choose_move keep the value of the position.
fn check_choices<G: Solvable>(game: &G, folder: &Path) {
    let path = folder.join(format!("{}.tbl", game.code()));
    let table = open(game, &path).unwrap();
    let keys = listed_keys(&table);
    let positions = keys.iter().step_by(keys.len().div_ceil(500)).map(|&key| game.unrank(key).unwrap());
    let positions: Vec<G::Position> = positions.filter(|position| game.terminal_value(position).is_none()).collect();
    let lines: String = positions.iter().map(|position| move_lines(game, position)).collect();
    let chosen = choices(&path, &lines);
    assert_eq!(chosen.len(), positions.len());
    for (position, line) in positions.iter().zip(chosen) {
        let (mv, value) = line.split_once(' ').unwrap();
        let stored = game.probe(&table, position).unwrap().unwrap();
        assert_eq!(value, words(stored), "{}", game.position_text(position));
        let after = game.play(position, game.parse_move(position, mv).unwrap());
        let reached = game.terminal_value(&after).or_else(|| game.probe(&table, &after).unwrap()).unwrap();
        assert_eq!(reached.of_move(), stored, "{}: {mv}", game.position_text(position));
    }
}

#[test]
fn a_c_program_plays_best_moves() {
    let folder = tables(&["bin3x3", "rev4x4", "pyon3x4", "con4x4", "pyon2x3"]);
    check_choices(&binarsi("bin3x3"), folder.path());
    check_choices(&reversi("rev4x4"), folder.path());
    check_choices(&pyonpyon("pyon3x4"), folder.path());
    check_choices(&connect_four("con4x4"), folder.path());
    // The end of the input ends the last position, with or without an empty line.
    let (game, path) = (binarsi("bin3x3"), folder.path().join("bin3x3.tbl"));
    let lines = move_lines(&game, &game.start());
    let both = lines.repeat(2);
    assert_eq!(choices(&path, both.trim_end()), choices(&path, &both));
    assert_eq!(choices(&path, lines.trim_end()), choices(&path, &lines));
    assert!(choices(&path, "").is_empty());
    // A whole game of best moves.
    let mut here = game.start();
    for plies_left in (1..=10).rev() {
        let chosen = choices(&path, &move_lines(&game, &here));
        let words: Vec<&str> = chosen[0].split(' ').collect();
        assert_eq!(words[2], plies_left.to_string());
        here = game.play(&here, game.parse_move(&here, words[0]).unwrap());
    }
    assert_eq!(game.terminal_value(&here).map(Value::outcome), Some(Outcome::Loss), "White has won, Black is to move");
    // It refuses input that does not determine the best move.
    for (code, lines, what) in [
        ("pyon2x3", "a1a2 @5\n\n", "stores no wins"),
        ("bin3x3", "\n", "no moves"),
        ("bin3x3", "2n @7\n", "2n: has neither an outcome nor a stored key"),
        ("bin3x3", "2n\n", "2n: has neither"),
        ("bin3x3", "2n @\n", "@: is not a key"),
        ("bin3x3", "2n @x\n", "@x: is not a key"),
        ("bin3x3", "2n @-1\n", "@-1: is not a key"),
        ("bin3x3", "2n @0x\n", "@0x: is not a key"),
        ("bin3x3", "2n @18446744073709551616\n", "@18446744073709551616: is not a key"),
        ("pyon3x4", "a1a2 @\n", "@: is not a key"),
        ("bin3x3", "2n lost\n", "2n: has neither"),
    ] {
        let mut program = Command::new(&PROGRAMS.choose_move);
        program.arg(folder.path().join(format!("{code}.tbl")));
        let line = refusal("choose_move", &with_input(program, lines), 2, lines);
        assert!(line.contains(what), "{line}");
    }
}

/// An opening has only outcomes, without plies.
#[test]
fn readers_read_openings() {
    let (folder, game) = (tempfile::tempdir().unwrap(), binarsi("bin3x3"));
    good(folder.path(), &["opening", "bin3x3", "--plies", "2", "--memory", "64M"]);
    let path = folder.path().join("openings/bin3x3.opening");
    let opening = OpeningFile::open(&game, Box::new(FileSource::open(&path).unwrap()), &path).unwrap();
    let Outcomes { levels, wins } = opening.load().unwrap();
    let keys: Vec<u64> = levels.into_iter().flatten().chain([1]).collect();
    let word = |(key, wins): (&u64, bool)| format!("@{key} {}", if wins { "win" } else { "loss" });
    let mut expected: Vec<String> = keys.iter().zip(wins.into_iter().flatten().flatten()).map(word).collect();
    expected.push("@1 not stored".into());
    for args in [&[][..], &["--check"]] {
        assert_eq!(answers(args, &path, &keys), expected);
    }
    // Every move of the start is lost, and the position after it has a winning move.
    let start = game.start();
    let after = game.play(&start, game.legal_moves(&start)[0]);
    let chosen = choices(&path, &(move_lines(&game, &start) + &move_lines(&game, &after)));
    let [first, second] = &chosen[..] else { panic!("{chosen:?}") };
    assert_eq!(*first, format!("{} loss", game.move_text(game.legal_moves(&start)[0])));
    let mv = game.parse_move(&after, second.strip_suffix(" win").unwrap()).unwrap();
    assert_eq!(opening.mover_wins(&game.play(&after, mv)).unwrap(), Some(false), "{second}");
}
