//! Tests of `yomikiri survey`: its answers against brute force, tables and played games, its samples, and the requests
//! that it refuses.

use std::collections::HashMap;
use std::path::Path;

use crate::provable::SolvedBoard;
use crate::support::command::{command, fails, files, good, good_json, refused, run, tables};
use crate::support::games::{binarsi, legal_moves};
use crate::support::repository::{page as page_of, read_json_lines, record};
use crate::support::session::shell;
use serde_json::{Value as Json, json};
use tempfile::TempDir;
use yomikiri_rules::games::binarsi::Binarsi;
use yomikiri_rules::games::binarsi_points::BinarsiPoints;
use yomikiri_rules::{Game, Notation, Side, Value};
use yomikiri_search::brute;
use yomikiri_table::json_lines;

/// Runs a survey that must decide all variants, and returns the lines that it writes.
fn survey(folder: &Path, args: &[&str]) -> Vec<Json> {
    let file = folder.join("out.jsonl");
    let said = good(folder, &[&["survey", "--out", file.to_str().unwrap()], args].concat());
    let lines = read_json_lines(&file);
    assert!(said.contains(&format!(": {} variant", lines.len())), "{said}");
    assert!(lines.iter().all(|line| line.get("open").is_none()), "{lines:?}");
    std::fs::remove_file(file).unwrap();
    assert!(!files(folder).iter().any(|name| name.starts_with("out.jsonl")), "{:?}", files(folder));
    lines
}

pub fn code(line: &Json) -> &str {
    line["code"].as_str().unwrap()
}

fn solved(line: &Json) -> SolvedBoard<Binarsi> {
    SolvedBoard::new(binarsi(code(line)))
}

fn start_winner(board: &SolvedBoard<Binarsi>) -> &'static str {
    if board.winner(&board.game.start(), Side::White) == Side::Black { "black" } else { "white" }
}

#[test]
fn winners_and_first_moves_are_those_of_brute_force_and_mirrored_starts_are_one() {
    let folder = TempDir::new().unwrap();
    let patterns = ["bin{2,3}x{2,3}-s*{,-n,-m}", "bin4x2-k{b,w}{0..4}.5", "bin2x4-t{2,3}2{2..4}"];
    let lines = survey(folder.path(), &patterns);
    let codes: Vec<&str> = lines.iter().map(code).collect();
    // The start squares that are not mirror images of each other are one on 2x2, two on 2x3 and on 3x2, and four on
    // 3x3.
    assert_eq!(codes[..6], ["bin2x2", "bin2x2-n", "bin2x2-m", "bin2x3", "bin2x3-s1b", "bin2x3-n"]);
    assert_eq!(codes.len(), (1 + 2 + 2 + 4) * 3 + 10 + 6);
    let mut by = HashMap::new();
    for line in &lines {
        assert_eq!(line["winner"], start_winner(&solved(line)), "{line}");
        *by.entry(line["by"].as_str().unwrap()).or_insert(0) += 1;
    }
    assert!(by["komi"] > 4 && by["proof"] > 30, "{by:?}");
    let lines = survey(folder.path(), &["bin{2,3}x3{,-m}", "bin3x3-s2b-kb0.5", "bin4x2", "--answer", "first-moves"]);
    for line in lines {
        let board = solved(&line);
        let (game, start) = (&board.game, board.game.start());
        let moves = legal_moves(game, &start).into_iter();
        let wins = moves
            .filter(|&mv| board.winner(&game.play(&start, mv), Side::White) == Side::Black)
            .map(|mv| game.move_text(mv));
        assert_eq!(line["first_moves"], Json::from(wins.collect::<Vec<_>>()), "{line}");
    }
}

#[test]
fn plies_and_fair_komi_are_those_of_brute_force_and_of_records() {
    let folder = TempDir::new().unwrap();
    let lines = survey(folder.path(), &["bin{2,3}x{2,3}{,-n,-kb1.5}", "--answer", "plies"]);
    for line in &lines {
        let board = solved(line);
        assert_eq!(line["plies"], board.value(&board.game.start()).plies().unwrap().0, "{line}");
        assert_eq!(line["winner"], start_winner(&board), "{line}");
    }
    // The positions of these boards fit in memory, except those of the last two boards.
    let lines =
        survey(folder.path(), &["bin{2,3}x{2,3}-s*", "bin3x3-t222", "bin3x5", "bin4x4-s1a", "--answer", "fair-komi"]);
    let mut found = HashMap::new();
    for line in &lines {
        if code(line).starts_with("bin3x5") || code(line).starts_with("bin4x4") {
            assert_eq!(line["by"], "proof", "{line}");
            found.insert(code(line), line["fair_komi"].clone());
            continue;
        }
        let game = BinarsiPoints::parse(&format!("{}-p", code(line))).unwrap();
        let score = brute::solve(&game, &game.start())[&game.rank(&game.start())].points();
        let fair = if score.abs() == 64 { Json::Null } else { score.into() };
        assert_eq!((&line["fair_komi"], &line["by"]), (&fair, &json!("memory")), "{line}");
        assert_eq!(line["by_targets"] == true, score.abs() == 64, "{line}");
    }
    // docs/binarsi.md has the fair komi of bin3x5, a point for Black. For bin4x4-s1a, the winners with the two nearest
    // komi are proved.
    assert_eq!(found["bin3x5"], -1);
    let fair = found["bin4x4-s1a"].as_i64().unwrap();
    let komi = |white: i64| {
        if white < 0 { format!("bin4x4-s1a-kb{}.5", -white - 1) } else { format!("bin4x4-s1a-kw{white}.5") }
    };
    for (code, winner) in [(komi(fair - 1), "black"), (komi(fair), "white")] {
        assert_eq!(good_json(folder.path(), &["prove", &code, "--json"])["winner"], winner, "{code}");
    }
}

#[test]
fn lengths_of_proofs_are_those_of_recorded_tables() {
    let folder = TempDir::new().unwrap();
    let proved = good_json(folder.path(), &["prove", "bin4x4", "--length", "--json"]);
    let start = &record("expected/bin4x4.json")["stats"]["start"];
    assert_eq!((&proved["plies"]["at_least"], &proved["plies"]["at_most"]), (&start["plies"], &start["plies"]));
    assert_eq!(proved["winner"], start["winner"]);
}

/// Returns the first moves that keep the outcome of the start, sorted as in a survey. There are none if the start is
/// lost.
fn best_moves(value: &Json) -> Json {
    let moves = value["moves"].as_array().unwrap().iter();
    let best = moves.filter(|mv| value["outcome"] != "loss" && mv["outcome"] == value["outcome"]);
    let mut best: Vec<&str> = best.map(|mv| mv["move"].as_str().unwrap()).collect();
    best.sort_unstable();
    json!(best)
}

/// Returns the winner in an answer of `query`: `black`, `white` or `draw`.
fn winner(value: &Json) -> Json {
    if value["outcome"] == "draw" { json!("draw") } else { value["winner"].clone() }
}

/// The lines agree with the values that `query` finds.
#[test]
fn other_games_are_answered_as_queries_answer_them() {
    let codes = ["rev4x4", "rev3x4-w", "con3x3-k3", "con4x3-k3", "pyon3x3", "m00c1", "bin3x3-p"];
    let folder = TempDir::new().unwrap();
    for line in survey(folder.path(), &[&codes[..], &["--answer", "plies"]].concat()) {
        let value = good_json(folder.path(), &["query", code(&line), "startpos", "--json"]);
        assert_eq!(line["winner"], winner(&value), "{line}");
        assert_eq!(line.get("plies"), value.get("plies").filter(|plies| !plies.is_null()), "{line}");
        let sign = if value["to_move"] == "black" { 1 } else { -1 };
        assert_eq!(line["score"].as_i64(), value["score"].as_i64().map(|score| sign * score), "{line}");
    }
    for line in survey(folder.path(), &[&codes[..], &["--answer", "first-moves"]].concat()) {
        let value = good_json(folder.path(), &["query", code(&line), "startpos", "--json"]);
        assert_eq!(line["first_moves"], best_moves(&value), "{line}");
    }
}

#[test]
fn of_a_board_of_reversi_and_its_transpose_one_is_asked() {
    let folder = TempDir::new().unwrap();
    for answer in ["plies", "first-moves", "fair-komi", "winner"] {
        for line in survey(folder.path(), &["rev{3,4}x{3,4}{,-p}", "rev3x5-w", "--answer", answer]) {
            let follows = ["rev3x4", "rev3x5-w"].contains(&code(&line));
            assert_eq!(line["by"] == "transposition", follows, "{line}");
            let value = good_json(folder.path(), &["query", code(&line), "startpos", "--json"]);
            assert_eq!(line["winner"], value["winner"], "{line}");
            match answer {
                "first-moves" => assert_eq!(line["first_moves"], best_moves(&value), "{line}"),
                "fair-komi" => assert_eq!(line["fair_komi"], value["score"], "{line}"),
                "plies" => assert_eq!((&line["score"], &line["plies"]), (&value["score"], &value["plies"]), "{line}"),
                _ => {}
            }
        }
    }
    // The answer for a board is copied to its transpose instead of computed again, and one table answers for both.
    let plain =
        r#"{"code":"rev4x3","answer":"plies","winner":"black","score":60,"by":"memory","command":"yomikiri known"}"#;
    let known = json_lines::with_sum(plain);
    let file = folder.path().join("known.jsonl");
    std::fs::write(&file, format!("{known}\n")).unwrap();
    good(folder.path(), &["survey", "rev4x3", "rev3x4", "--answer", "plies", "--out", file.to_str().unwrap()]);
    let other = json_lines::with_sum(&plain.replace("rev4x3", "rev3x4").replace("memory", "transposition"));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), format!("{known}\n{other}\n"));
    let folder = tables(&["rev3x4"]);
    let by: Vec<Json> = survey(folder.path(), &["rev3x4", "rev4x3"]).iter().map(|line| line["by"].clone()).collect();
    assert_eq!(by, ["table", "transposition"]);
    assert_eq!(survey(folder.path(), &["rev4x3"])[0]["by"], "transposition", "by the table of the other board");
}

/// Some codes are the same game: elephant and giraffe are exchanged, lions cannot leave home, or hens cannot arise.
/// Each answer is compared with a table of its own code.
#[test]
fn of_codes_of_animal_shogi_that_are_one_game_one_is_asked() {
    const PATTERNS: [&str; 3] = ["v{0,1}{0,1}0{0,1}", "v{0,2}{0,2}0{0,1}", "{0,8}{0,1}{0,1}00{,T}"];
    let asked = ["v0000", "v0100", "v0200", "v1100", "v2200", "00000", "00100", "01100"];
    let folder = TempDir::new().unwrap();
    let surveys =
        ["plies", "first-moves"].map(|answer| survey(folder.path(), &[&PATTERNS[..], &["--answer", answer]].concat()));
    let codes: Vec<&str> = surveys[0].iter().map(code).collect();
    assert_eq!(codes.len(), 30);
    let folder = tables(&codes);
    for line in surveys.iter().flatten() {
        assert_eq!(line["by"] != "same-game", asked.contains(&code(line)), "{line}");
        let value = good_json(folder.path(), &["query", code(line), "startpos", "--json"]);
        assert_eq!(line["winner"], winner(&value), "{line}");
        if line["answer"] == "first-moves" {
            assert_eq!(line["first_moves"], best_moves(&value), "{line}");
            continue;
        }
        assert_eq!(line.get("plies"), value.get("plies").filter(|plies| !plies.is_null()), "{line}");
        let stats = good_json(folder.path(), &["stats", code(line), "--json"]);
        for (field, of_stats) in [("positions", "positions"), ("draws", "draws"), ("longest", "max_plies")] {
            assert_eq!(line[field], stats[of_stats], "{field}: {line}");
        }
    }
}

#[test]
fn what_is_known_of_one_code_of_a_game_is_said_of_others() {
    let folder = TempDir::new().unwrap();
    let plain = r#"{"code":"v2100","answer":"winner","winner":"black","by":"whole","command":"yomikiri known"}"#;
    let known = json_lines::with_sum(plain);
    let file = folder.path().join("known.jsonl");
    std::fs::write(&file, format!("{known}\n")).unwrap();
    good(folder.path(), &["survey", "v1200", "v2100", "--out", file.to_str().unwrap()]);
    let other = json_lines::with_sum(&plain.replace("v2100", "v1200").replace("whole", "same-game"));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), format!("{other}\n{known}\n"));
}

#[test]
fn winners_are_those_of_games_that_perfect_players_play() {
    let folder = tables(&["bin3x3", "bin4x2-kb0.5", "rev4x4", "con4x3-k3"]);
    let codes = ["bin3x3", "bin4x2-kb0.5", "rev4x4", "con4x3-k3"];
    for line in survey(folder.path(), &codes) {
        assert_eq!(line["by"], "table", "{line}");
        let played = good_json(folder.path(), &["match", code(&line), "table", "table", "--games", "4", "--json"]);
        let as_black = &played["a"]["as_black"];
        let outcome = ["wins", "draws", "losses"].iter().position(|field| as_black[field] == 2);
        assert_eq!(line["winner"], ["black", "draw", "white"][outcome.unwrap()], "{line}");
    }
}

#[test]
fn a_line_is_made_again_by_its_command() {
    let folder = TempDir::new().unwrap();
    for line in survey(folder.path(), &["bin3x{3,4}{,-m}", "pyon3x3", "con4x3-k3", "rev3x3"]) {
        let commands = line["command"].as_str().unwrap();
        let said: Vec<String> = commands
            .split("; ")
            .map(|command| {
                let words: Vec<&str> = command.split(' ').collect();
                assert_eq!(words[0], "yomikiri");
                good(folder.path(), &words[1..])
            })
            .collect();
        let value: Json = serde_json::from_str(said.last().unwrap()).unwrap();
        assert_eq!(line["winner"], winner(&value), "{line}");
    }
}

#[test]
fn what_there_is_time_for_is_drawn_by_a_seed() {
    let folder = TempDir::new().unwrap();
    // With one thread, nothing is decided after the 7x6 board, which comes first unless an order is drawn.
    let codes = ["survey", "bin7x6", "bin2x{2..6}-s*", "--time", "100h", "--threads", "1", "--budget"];
    let once = |draw: &[&str], name: &str, budget: &str| -> (u64, Vec<String>) {
        let file = folder.path().join(name);
        let words = [&codes[..], &[budget], draw, &["--out", file.to_str().unwrap()]].concat();
        assert_eq!(command(folder.path(), &words).output().unwrap().status.code(), Some(1));
        let lines = read_json_lines(&file);
        assert_eq!(code(&lines[0]), "bin7x6");
        assert_eq!(lines.len(), 12);
        let known = lines.iter().filter(|line| line.get("open").is_none());
        (lines[0]["open"]["expansions"].as_u64().unwrap_or(0), known.map(|line| code(line).to_string()).collect())
    };
    // Doubles the time until the survey reaches the 7x6 board, because a busy machine takes longer.
    let decided = |draw: &[&str], name: &str| -> Vec<String> {
        let found = ["1s", "2s", "4s", "8s", "16s", "32s", "64s"].iter().find_map(|budget| {
            let (expansions, known) = once(draw, name, budget);
            (expansions > 0).then_some(known)
        });
        found.expect("the survey reaches the 7x6 board")
    };
    assert_eq!(decided(&[], "ordered"), [""; 0]);
    let drawn = decided(&["--draw", "1"], "drawn");
    assert!(!drawn.is_empty() && drawn.len() < 11, "{drawn:?}");
    // A resumed survey reaches the 7x6 board at once, and decides no other variant.
    assert_eq!(decided(&["--draw", "1"], "drawn"), drawn);
    assert_ne!(decided(&["--draw", "2"], "otherwise"), drawn);
}

#[test]
fn a_sample_is_drawn_by_a_seed_and_grows() {
    let folder = TempDir::new().unwrap();
    let listed = |words: &[&str]| -> Vec<String> {
        let text = good(folder.path(), &[&["survey", "bin{2..4}x{2..4}-s*{,-n}", "--list"], words].concat());
        text.lines().map(String::from).collect()
    };
    let all = listed(&[]);
    let few = listed(&["--draw", "1", "--sample", "7"]);
    let more = listed(&["--draw", "1", "--sample", "20"]);
    assert_eq!((few.len(), more.len()), (7, 20));
    // Each sample has the order of the longer list that contains it.
    for (part, whole) in [(&few, &more), (&more, &all)] {
        let places: Vec<Option<usize>> = part.iter().map(|code| whole.iter().position(|other| other == code)).collect();
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{part:?} of {whole:?}");
    }
    assert_ne!(listed(&["--draw", "2", "--sample", "7"]), few);
    assert_eq!(listed(&["--draw", "1", "--sample", "1000"]), all);
    let file = folder.path().join("out.jsonl");
    let words = ["survey", "bin2x{2..6}-s*", "--draw", "1", "--sample", "3", "--out", file.to_str().unwrap()];
    assert!(good(folder.path(), &words).contains(": 3 variants"));
    fails(folder.path(), &["survey", "bin2x2", "--list", "--sample", "3"], 2);
}

#[test]
fn requests_that_make_no_sense_are_refused() {
    let folder = TempDir::new().unwrap();
    let refuse = |args: &[&str]| fails(folder.path(), &[&["survey"], args].concat(), 2);
    let out = folder.path().join("some.jsonl");
    let out = out.to_str().unwrap();
    assert!(refuse(&["bin{3", "--out", out]).contains("pattern \"bin{3\": a { without }"));
    assert!(refuse(&["bin9x9", "--out", out]).contains("board size \"9x9\""));
    assert!(refuse(&["bin3x3"]).contains("--out"));
    assert!(
        refuse(&["con4x4", "--answer", "fair-komi", "--out", out]).contains("a game without points has no fair komi")
    );
    assert_eq!(good(folder.path(), &["survey", "--list", "bin2x{2,3}-s*"]), "bin2x2\nbin2x3\nbin2x3-s1b\n");
    let jobs = ["survey", "--list-jobs", "bin2x2-k{b,w}{0,1}.5", "va{k,l}1n", "vla1n", "rev3x4", "pyon3x3", "rev4x3"];
    let expected = "bin2x2-kb1.5 bin2x2-kb0.5 bin2x2 bin2x2-kw1.5\nvak1n\nval1n vla1n\nrev3x4 rev4x3\npyon3x3\n";
    assert_eq!(good(folder.path(), &jobs), expected);
    let left_out = run(folder.path(), &["survey", "--list", "bin{6..8}x6"]);
    assert_eq!(String::from_utf8(left_out.stdout).unwrap(), "bin6x6\nbin7x6\n");
    assert!(
        String::from_utf8(left_out.stderr)
            .unwrap()
            .starts_with("skipped 1 of 3 codes because they are not valid; the first: rule code")
    );
    // A file that answers other questions is not changed.
    good(folder.path(), &["survey", "bin2x2", "bin2x3", "--out", out]);
    let before = std::fs::read(out).unwrap();
    let others: [(&[&str], &str); 3] = [
        (&["bin2x2", "bin2x3", "--answer", "plies"], "line 1 answers another question or another variant (bin2x2)"),
        (&["bin2x2"], "line 2 answers another question or another variant (bin2x3)"),
        (&["bin2x2", "bin2x4"], "line 2 answers another question or another variant (bin2x3)"),
    ];
    for (args, problem) in others {
        let error = refuse(&[args, &["--out", out]].concat());
        assert!(error.contains(problem), "{error}");
    }
    std::fs::write(out, "no JSON\n").unwrap();
    assert!(refuse(&["bin2x2", "--out", out]).contains("line 1 has no checksum; if an older version"));
    std::fs::write(out, before).unwrap();
    // A survey may ask about more codes than before.
    good(folder.path(), &["survey", "bin2x2", "bin2x3", "bin2x4", "--out", out]);
    assert_eq!(std::fs::read_to_string(out).unwrap().lines().count(), 3);
    let held = std::fs::File::create(format!("{out}.lock")).unwrap();
    held.lock().unwrap();
    let said = run(folder.path(), &["survey", "bin2x2", "bin2x3", "bin2x4", "--out", out]);
    assert!(refused(&said, 1, "locked").contains("another run is at work on this survey"));
}

/// A survey refuses its file if a bit is flipped anywhere, and leaves the file as it is.
#[test]
fn no_flipped_bit_of_a_record_changes_an_answer() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("out.jsonl");
    let words = ["survey", "bin2x2", "bin2x2-kb0.5", "--out", out.to_str().unwrap()];
    let summary = good(folder.path(), &words);
    let sound = std::fs::read(&out).unwrap();
    for number in 0..40 {
        let mut bytes = sound.clone();
        let at = number * (bytes.len() - 1) / 39;
        bytes[at] ^= 1 << (number % 8);
        std::fs::write(&out, &bytes).unwrap();
        let problem = fails(folder.path(), &words, 2);
        assert!(problem.contains("out.jsonl: ") && problem.contains("line"), "{problem}");
        assert_eq!(std::fs::read(&out).unwrap(), bytes, "it stays as it is");
    }
    std::fs::remove_file(&out).unwrap();
    // A survey resumes from a journal whose last line is not complete, and reports that.
    let journal = out.with_added_extension("journal");
    std::fs::write(&journal, &sound[..sound.len() - 9]).unwrap();
    let said = run(folder.path(), &words);
    assert_eq!(String::from_utf8(said.stdout).unwrap(), summary);
    let cut = String::from_utf8(said.stderr).unwrap();
    assert!(cut.starts_with(&format!("{}: its last line was incomplete: ", journal.display())), "{cut}");
    assert_eq!(std::fs::read(&out).unwrap(), sound);
}

/// Runs the command of docs/survey.md and docs/match.md that checks lines against their checksums.
#[test]
fn the_documented_command_finds_damaged_lines() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("small.jsonl");
    good(folder.path(), &["survey", "bin2x2", "bin2x3", "--out", out.to_str().unwrap()]);
    let parts = good(folder.path(), &["match", "bin2x2", "random", "greedy", "--games", "2", "--part", "1/1"]);
    std::fs::write(folder.path().join("parts"), parts).unwrap();
    for (page, file) in [("docs/survey.md", "small.jsonl"), ("docs/match.md", "parts")] {
        let text = page_of(page);
        let begin = text.find("python3 -c '").expect(page);
        let end = begin + text[begin..].find(&format!("' < {file}\n")).expect(page);
        let command = &text[begin..end + format!("' < {file}").len()];
        let check = || {
            let said = shell(folder.path(), command).output().unwrap();
            assert!(said.status.success() && said.stderr.is_empty(), "{said:?}");
            String::from_utf8(said.stdout).unwrap()
        };
        assert_eq!(check(), "");
        let path = folder.path().join(file);
        let text = std::fs::read_to_string(&path).unwrap();
        let last = text.lines().count();
        let (sound, sum) = text.rsplit_once("crc32").unwrap();
        std::fs::write(&path, format!("{sound}crc33{sum}")).unwrap();
        assert_eq!(check(), format!("line {last} is damaged\n"));
    }
}

#[test]
fn files_of_older_versions_get_their_checksums() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("out.jsonl");
    let words = ["survey", "bin2x2", "bin2x3", "--out", out.to_str().unwrap()];
    good(folder.path(), &words);
    let text = std::fs::read_to_string(&out).unwrap();
    let old: String = text.lines().map(|line| line.split(",\"crc32\"").next().unwrap().to_string() + "}\n").collect();
    std::fs::write(&out, old).unwrap();
    let problem = fails(folder.path(), &words, 2);
    assert!(
        problem.contains(&format!(
            "line 1 has no checksum; if an older version wrote the file, run \"yomikiri survey --upgrade {}\"",
            out.display()
        )),
        "{problem}"
    );
    let upgrade = ["survey", "--upgrade", out.to_str().unwrap()];
    assert!(good(folder.path(), &upgrade).ends_with(": lines with a new checksum: 2\n"));
    assert_eq!(std::fs::read_to_string(&out).unwrap(), text);
    assert!(good(folder.path(), &upgrade).ends_with(": lines with a new checksum: 0\n"));
    fails(folder.path(), &["survey", "bin2x2", "--upgrade", out.to_str().unwrap()], 2);
}
