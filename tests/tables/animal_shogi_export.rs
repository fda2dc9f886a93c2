//! Tests of exports as files of animal shogi's own analyser: line by line against the naive rules, and with its two
//! tools in a shell.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::io::Read;
use std::path::Path;

use crate::support::command::{good, program, table};
use crate::support::repository::repository_path;
use assert_cmd::Command;
use flate2::read::MultiGzDecoder;
use yomikiri_naive::animal_shogi as naive;
use yomikiri_naive::animal_shogi::{Naive, Position};

/// The maximum number of positions of a code in these tests.
const SMALL: usize = 20_000;

/// Codes won by the second player in 12 and in 14 plies, and a drawn one.
const CODES: [&str; 3] = ["204go", "10900", "g06c5"];

/// Codes won by the second player.
const WON_BY_SECOND: [&str; 3] = ["204go", "10900", "80549T"];

/// Exports a table in one form and returns the bytes of its file, decompressed.
fn export(folder: &Path, code: &str, form: &str) -> Vec<u8> {
    let path = folder.join(format!("r_{code}_{form}"));
    let out = good(folder, &["export", code, "--to", form]);
    assert!(out.lines().any(|line| Some(line) == path.to_str()), "names the file: {out}");
    unpacked(&path)
}

fn unpacked(path: &Path) -> Vec<u8> {
    let bytes = std::fs::read(path).unwrap();
    if path.extension().is_none_or(|extension| extension != "gz") {
        return bytes;
    }
    let mut plain = Vec::new();
    MultiGzDecoder::new(&bytes[..]).read_to_end(&mut plain).unwrap();
    plain
}

/// Returns the text with a line for each key for which `second` returns a number: the key and that number.
fn lines(depths: &BTreeMap<u64, i32>, second: impl Fn(u64, i32) -> Option<i32>) -> String {
    let mut text = String::new();
    for (&key, &depth) in depths {
        if let Some(number) = second(key, depth) {
            writeln!(text, "{key:015x} {number}").unwrap();
        }
    }
    text
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

#[test]
fn every_line_of_the_lists_is_right() {
    let mut seen = BTreeMap::new();
    for code in CODES {
        let folder = table(code);
        let rules = Naive::from_code(code);
        let depths = rules.depths(SMALL).unwrap();
        let ends = lines(&depths, |key, _| rules.ending(&naive::read_key(&format!("{key:015x}"))).or(Some(-1)));
        let cooked = lines(&depths, |_, depth| (depth >= 4).then_some(depth));
        assert!(text(export(folder.path(), code, "1.txt")) == ends, "1.txt of {code}");
        assert!(
            text(export(folder.path(), code, "2.txt")) == lines(&depths, |_, depth| Some(depth)),
            "2.txt of {code}"
        );
        assert!(text(export(folder.path(), code, "2_cooked.txt")) == cooked, "2_cooked.txt of {code}");
        let columns = |cooked: &str| -> (Vec<u8>, Vec<u8>) {
            let pairs = cooked.lines().map(|line| line.split_once(' ').unwrap());
            let bytes = pairs.map(|(key, depth)| (u64::from_str_radix(key, 16).unwrap(), depth.parse::<u8>().unwrap()));
            (bytes.clone().flat_map(|(key, _)| key.to_le_bytes()).collect(), bytes.map(|(_, depth)| depth).collect())
        };
        let one_by_one = (export(folder.path(), code, "keys.gz"), export(folder.path(), code, "vals.gz"));
        assert!(one_by_one == columns(&cooked), "keys.gz and vals.gz of {code}");
        let paths = ["keys.gz", "vals.gz"].map(|form| folder.path().join(format!("r_{code}_{form}")));
        paths.iter().for_each(|path| std::fs::remove_file(path).unwrap());
        good(folder.path(), &["export", code, "--to", "gz"]);
        assert!((unpacked(&paths[0]), unpacked(&paths[1])) == columns(&cooked), "gz of {code}");
        assert_eq!(
            std::fs::read_dir(folder.path()).unwrap().count(),
            8,
            "the table, five files and two indices of {code}"
        );
        depths.values().for_each(|&depth| *seen.entry(depth.min(4)).or_insert(0) += 1);
    }
    assert!((-1..=4).all(|depth| seen[&depth] > 100), "positions of each sort: {seen:?}");
}

/// The second player's best play by the naive rules, as docs/format.md describes it.
struct BestPlay {
    rules: Naive,
    depths: BTreeMap<u64, i32>,
    /// The key of each position, by the position's serial number in the files.
    keys: Vec<u64>,
}

impl BestPlay {
    fn find(code: &str) -> BestPlay {
        let rules = Naive::from_code(code);
        let depths = rules.depths(SMALL).unwrap();
        let mut play = BestPlay { rules, depths, keys: Vec::new() };
        let mut waiting = play.after_replies(&naive::start());
        let mut found: Vec<u64> = Vec::new();
        while let Some(key) = waiting.pop() {
            if !found.contains(&key) {
                found.push(key);
                waiting.extend(play.best(key).into_iter().flat_map(|(_, next)| next));
            }
        }
        found.sort_by_key(|key| -play.depths[key]);
        play.keys = found;
        play
    }

    /// Returns the positions after each legal move. A candidate of the files is an index in this list.
    fn candidates(&self, position: &Position) -> Vec<Position> {
        let position = naive::read_key(&format!("{:015x}", naive::canonical_key(position)));
        let square = |file: char, rank: char| 3 * "dcba".find(rank).unwrap() + "321".find(file).unwrap();
        let mut moves = self.rules.legal_moves(&position);
        moves.sort_by_key(|mv| {
            let letters: Vec<char> = mv.chars().collect();
            let from = match letters[1] {
                '*' => 100 + "EGC".find(letters[0]).unwrap(),
                rank => square(letters[0], rank),
            };
            (from, square(letters[2], letters[3]))
        });
        moves.iter().map(|mv| self.rules.play(&position, mv)).collect()
    }

    /// Returns the canonical keys of the positions after each move, without repeats and without those of a depth below
    /// 4.
    fn after_replies(&self, position: &Position) -> Vec<u64> {
        let mut keys = Vec::new();
        for next in self.candidates(position) {
            let key = naive::canonical_key(&next);
            if self.depths[&key] >= 4 && !keys.contains(&key) {
                keys.push(key);
            }
        }
        keys
    }

    /// Returns the indices of the candidates that win soonest, each with the keys after the replies to it.
    fn best(&self, key: u64) -> Vec<(usize, Vec<u64>)> {
        let mut best = Vec::new();
        let position = naive::read_key(&format!("{key:015x}"));
        for (candidate, next) in self.candidates(&position).iter().enumerate() {
            if self.depths[&naive::canonical_key(next)] == self.depths[&key] - 1 {
                best.push((candidate, self.after_replies(next)));
            }
        }
        best
    }

    fn numbers(&self, keys: &[u64]) -> String {
        let number = |key: &u64| self.keys.iter().position(|found| found == key).unwrap();
        keys.iter().map(|key| format!(" {}", number(key))).collect()
    }

    fn all_moves(&self) -> String {
        let mut text = self.numbers(&self.after_replies(&naive::start())) + "\n";
        for (number, &key) in self.keys.iter().enumerate() {
            writeln!(text, "{key:015x} {} {number}", self.depths[&key]).unwrap();
            for (candidate, next) in self.best(key) {
                writeln!(text, " {candidate}:{}", self.numbers(&next)).unwrap();
            }
            text += "\n";
        }
        text
    }

    fn one_move_each(&self) -> String {
        let line = |&key: &u64| format!("{key:015x} {} {}\n", self.depths[&key], self.best(key)[0].0);
        self.keys.iter().map(line).collect()
    }
}

#[test]
fn every_line_of_best_play_is_right() {
    let (mut drops, mut choices) = (0, 0);
    for code in WON_BY_SECOND {
        let folder = table(code);
        let play = BestPlay::find(code);
        assert!(play.keys.len() >= 10, "{} positions of {code}", play.keys.len());
        assert_eq!(text(export(folder.path(), code, "3.txt")), play.all_moves(), "3.txt of {code}");
        assert_eq!(text(export(folder.path(), code, "unpruned_ai.txt")), play.one_move_each(), "one move in {code}");
        let hands = play.keys.iter().filter(|&key| key >> 48 & 0x3f != 0);
        drops += hands.count();
        choices += play.keys.iter().filter(|&&key| play.best(key).len() > 1).count();
    }
    assert!(drops > 0 && choices > 0, "{drops} positions with drops, {choices} with several best moves");
}

/// Runs a line in a shell at the root of the project. Returns its standard error and standard output.
fn typed(shell: &str, line: &str) -> (String, String) {
    let mut command = Command::new(shell);
    command.args(["-c", line]).current_dir(repository_path(""));
    let output = command.env("YOMIKIRI", program()).output().unwrap();
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    (text(output.stderr), text(output.stdout))
}

#[test]
fn codes_keys_and_boards_are_decoded_and_encoded_as_in_the_examples() {
    let (key, board) = ("51000a09001b002\n", "gl.\n...\n..e\nEL.\nCgc\n");
    let tee = r"printf '%b\n' 'gl.\n...\n..e\nEL.\nCgc' | tee /dev/stderr | ./scripts/encode";
    for (shell, line, err, out) in [
        ("sh", "scripts/decode -r val1n", "", "val1n 11111_01010_10101_00001_10111\n"),
        ("sh", "scripts/decode -r vql1n", "", "vql1n 11111_11010_10101_00001_10111\n"),
        ("sh", "./scripts/decode 51000a09001b002", "", board),
        ("sh", r"echo 'gl.\n...\n..e\nEL.\nCgc' | ./scripts/encode", "", key),
        ("bash", r"echo 'gl.\n...\n..e\nEL.\nCgc' | ./scripts/encode", "", key),
        ("sh", r"printf 'gl.\n...\n..e\nEL.\nCgc' | ./scripts/encode", "", key),
        ("bash", r"printf 'gl.\n...\n..e\nEL.\nCgc' | ./scripts/encode", "", key),
        ("sh", tee, board, key),
    ] {
        assert_eq!(typed(shell, line), (err.into(), out.into()), "{shell}: {line}");
    }
}
