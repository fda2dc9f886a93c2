//! Tests of `yomikiri usi` and `yomikiri upi` as hosts use them: games and values against the naive rules, and lines of
//! any kind. Other conversations are in `driven` and in the folder sessions.

use std::collections::HashMap;
use std::io::Cursor;
use std::path::Path;
use std::sync::OnceLock;

use crate::naive_games::Rules;
use crate::support::command::table;
use crate::support::random::Random;
use crate::support::repository::page;
use yomikiri_naive::binarsi::Naive;
use yomikiri_play::{upi, usi};
use yomikiri_rules::AnyGame;

/// The prefix of an error line.
pub const ERROR: &str = "info string error: ";

/// Returns the output of an engine for a whole script, with tables in `folder`. The protocol is UPI for the pyonpyon
/// game, otherwise USI.
pub fn talk(folder: &Path, code: &str, script: impl Into<Vec<u8>>) -> String {
    let (mut output, input) = (Vec::new(), Cursor::new(script.into()));
    let folder = folder.to_path_buf();
    match &code[..3] {
        "pyo" => upi::serve(&AnyGame::parse(code).unwrap(), folder, input, &mut output).unwrap(),
        _ => usi::serve(&AnyGame::parse(code).unwrap(), folder, input, &mut output).unwrap(),
    }
    String::from_utf8(output).expect("answers are UTF-8")
}

/// Does the same as [`talk`], without tables.
pub fn say(code: &str, script: impl Into<Vec<u8>>) -> String {
    talk(Path::new("none"), code, script)
}

/// Returns the winner and the plies to the end of every position of the 3x3 board, by the naive rules.
pub fn values() -> &'static HashMap<String, (char, u32)> {
    static VALUES: OnceLock<HashMap<String, (char, u32)>> = OnceLock::new();
    VALUES.get_or_init(|| Naive::from_code("bin3x3").values())
}

fn lines(text: &str) -> Vec<&str> {
    text.lines().collect()
}

/// Returns the words of a line.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(' ')
}

/// Returns true if `side` is to move in a position of Binarsi.
fn is_turn_of(sfen: &str, side: char) -> bool {
    words(sfen).nth(1).is_some_and(|turn| turn.starts_with(side))
}

#[test]
fn help_and_page_name_every_command() {
    let (page, help) = (page("docs/usi.md"), say("bin7x6", "help\n"));
    for command in words(
        "usi isready usinewgame position board sfen clear_targets legal_moves do play undo go stop gameover quit \
         history moves_for_edit inverse_move mate1",
    ) {
        assert!(help.split(|letter: char| !(letter.is_alphanumeric() || letter == '_')).any(|word| word == command));
        assert!(page.contains(&format!("`{command}")), "{command}");
        assert!(!say("bin7x6", format!("{command}\n")).contains("is not known"), "{command}");
    }
    let help = say("pyon", "help\n");
    for command in words("position go pos xfen do undo resign draw stop setoption upi quit") {
        assert!(help.split([' ', ',', '\n']).any(|word| word == command), "{command}: {help}");
    }
}

#[test]
fn declared_options_can_be_set() {
    let (page, hello) = (page("docs/usi.md"), say("bin3x3", "usi\n"));
    let options: Vec<_> = hello.lines().filter_map(|line| line.strip_prefix("option name ")).collect();
    assert_eq!(options.len(), 10, "{hello}");
    for option in options {
        let (name, rest) = option.split_once(" type ").unwrap();
        let default = rest.split_once("default ").unwrap().1;
        let value = if rest.starts_with("string") { default } else { words(default).next().unwrap() };
        assert_eq!(say("bin3x3", format!("setoption name {name} value {value}\n")), "");
        assert!(page.contains(&format!("| `{name}` |")), "{name}");
    }
}

// Games

/// Converts a position of the naive rules to SFEN. `plies` is the number of moves before it.
fn sfen(code: &str, position: &str, plies: usize) -> String {
    if code.starts_with("bin") {
        return position.into();
    }
    let fields: Vec<&str> = position.rsplitn(3, '\n').collect();
    let (turn, hands, board) = (fields[0], fields[1], fields[2]);
    let ranks = [("\n", "/"), ("...", "3"), ("..", "2"), (".", "1"), ("H", "+C"), ("h", "+c")];
    let board = ranks.iter().fold(board.to_string(), |text, (from, to)| text.replace(from, to));
    let double = |text: String, kind: char| text.replace(&format!("{kind}{kind}"), &format!("2{kind}"));
    let hands = "EGCegc".chars().fold(hands.to_string(), double);
    format!("{board} {turn} {} {}", if hands.is_empty() { "-" } else { &hands }, plies + 1)
}

/// Plays random games of the naive rules move by move and takes them back. Asks for the position after each step.
#[test]
fn random_games_are_played_and_taken_back() {
    let mut random = Random::new(6);
    for (code, count, most) in [
        ("bin7x6", 1000, 42),
        ("bin4x5-n", 100, 20),
        ("bin2x2", 50, 9),
        ("val1n", 200, 60),
        ("pyon", 200, 30),
        ("pyonB", 200, 30),
        ("pyon3x3", 200, 30),
        ("pyon3x4B", 200, 30),
        ("pyon2x3", 200, 30),
    ] {
        let rules = Rules::from_code(code);
        let show = if code.starts_with("pyon") { "xfen" } else { "sfen" };
        let (mut script, mut expected) = (String::new(), Vec::new());
        for _ in 0..count {
            let (mut positions, mut moves) = (vec![rules.start()], Vec::new());
            let goes_on = |positions: &[String]| {
                let here = positions.last().unwrap();
                rules.winner(here).is_none() && positions.iter().filter(|before| *before == here).count() < 3
            };
            while moves.len() < most && goes_on(&positions) {
                let here = &positions[moves.len()];
                moves.push(random.pick(&rules.legal_moves(here)).clone());
                positions.push(rules.play(here, &moves[moves.len() - 1]));
            }
            script += &format!("position startpos\n{show}\n");
            script.extend(moves.iter().map(|mv| format!("do {mv}\n{show}\n")));
            script += &format!("undo\n{show}\n").repeat(moves.len());
            for plies in (0..=moves.len()).chain((0..moves.len()).rev()) {
                let made: String = moves[..plies].iter().map(|mv| format!(" {mv}")).collect();
                if show == "xfen" {
                    expected.push(format!("position startpos moves{made}"));
                    continue;
                }
                let made = if plies == 0 { made } else { format!(" moves{made}") };
                expected.push(format!("[from beginning] sfen startpos{made}"));
                let here = &positions[plies];
                let text = if *here == positions[0] { "startpos".into() } else { sfen(code, here, plies) };
                expected.push(format!("[from present]   sfen {text}"));
            }
        }
        let output = say(code, script);
        let answers: Vec<_> = output.lines().filter(|line| !line.starts_with("info string result: ")).collect();
        assert_eq!(answers.len(), expected.len(), "{code}");
        for (answer, expected) in answers.into_iter().zip(expected) {
            assert_eq!(answer, expected, "{code}");
        }
    }
}

/// Checks the list of `legal_moves`: its order, the serial numbers of the moves, and the serial numbers of the moves
/// that lead to different positions.
#[test]
fn legal_moves_are_counted() {
    let (rules, mut random) = (Naive::from_code("bin7x6"), Random::new(3));
    let mut seen_same = 0;
    for plies in 0..24 {
        let mut sfen = rules.start_sfen();
        for _ in 0..plies {
            let moves = rules.legal_moves(&sfen);
            if !moves.is_empty() {
                sfen = rules.play(&sfen, random.pick(&moves).as_str());
            }
        }
        // Positions are the same if they differ only by the ply at which a target was cleared.
        let bare = |sfen: String| {
            let mut fields: Vec<String> = words(&sfen).map(String::from).collect();
            fields[3] = fields[3].split('/').map(|ply| if ply.is_empty() { '-' } else { '+' }).collect();
            fields
        };
        let mut after = Vec::new();
        let rows = rules.legal_moves(&sfen).into_iter().enumerate().map(|(at, mv)| {
            let next = bare(rules.play(&sfen, &mv));
            let mut distinct = String::new();
            if !after.contains(&next) {
                after.push(next);
                distinct = after.len().to_string();
            }
            seen_same += usize::from(distinct.is_empty());
            format!("|{distinct:>8}|{:>3}| play {mv}", at + 1)
        });
        let rows: Vec<String> = rows.collect();
        let text = say("bin7x6", format!("position sfen {sfen}\nlegal_moves\n"));
        let shown = lines(&text);
        assert_eq!(shown[4..shown.len() - 1], rows, "{sfen}");
    }
    assert!(seen_same > 100, "{seen_same}");
}

#[test]
fn moves_that_win_at_once_are_found() {
    let (rules, mut random) = (Naive::from_code("bin5x4"), Random::new(8));
    let mut winning = 0;
    for _ in 0..30 {
        let (mut script, mut expected) = (String::new(), Vec::new());
        let mut sfen = rules.start_sfen();
        while rules.ending(&sfen).is_none() {
            let moves = rules.legal_moves(&sfen);
            let wins =
                |mv: &&String| rules.ending(&rules.play(&sfen, mv)).is_some_and(|winner| is_turn_of(&sfen, winner));
            let names: String = moves.iter().filter(wins).map(|mv| format!(" {mv}")).collect();
            winning += usize::from(!names.is_empty());
            expected.push(format!("mate1{}", if names.is_empty() { " none" } else { &names }));
            script += &format!("position sfen {sfen}\nmate1\n");
            sfen = rules.play(&sfen, random.pick(&moves).as_str());
        }
        assert_eq!(lines(&say("bin5x4", script)), expected);
    }
    assert!(winning > 30, "{winning}");
}

#[test]
fn edits_are_taken_back() {
    let edits = say("bin7x6", "moves_for_edit\n");
    let edits: Vec<&str> = edits.lines().filter_map(|line| line.split_once("| do ")).map(|(_, edit)| edit).collect();
    assert!(edits.len() > 10, "{edits:?}");
    for edit in edits {
        let (operator, stones) = edit.split_at(edit.find('$').unwrap_or(edit.len()));
        assert_eq!(say("bin7x6", format!("do {edit}\nundo\ndo {operator}#{stones}\n")), "", "{edit}");
    }
}

// The machine's moves

/// Checks the last score that the engine reports before each of its moves. `go` is the command to which it answers with
/// a move, by a table in `folder` or by search.
fn scores(folder: &Path, go: &str, positions: &[(&String, &(char, u32))]) {
    let script: String = positions.iter().map(|(sfen, _)| format!("position sfen {sfen}\n{go}\n")).collect();
    let expected = positions
        .iter()
        .map(|(sfen, (winner, plies))| format!("mate {}{plies}", if is_turn_of(sfen, *winner) { "" } else { "-" }));
    let (mut found, mut score) = (Vec::new(), "");
    let out = talk(folder, "bin3x3", script);
    for line in out.lines() {
        if let Some((_, rest)) = line.split_once(" score ") {
            score = rest.split(" pv ").next().unwrap();
        }
        if line.starts_with("bestmove ") {
            found.push(score);
        }
    }
    assert_eq!(found, expected.collect::<Vec<_>>());
}

#[test]
fn tables_say_who_wins_and_when() {
    let positions: Vec<_> = values().iter().filter(|(_, (_, plies))| *plies > 0).take(300).collect();
    scores(table("bin3x3").path(), "go", &positions);
}

#[test]
fn the_search_proves_what_is_near() {
    let positions: Vec<_> = values().iter().filter(|(_, (_, plies))| (1..=5).contains(plies)).take(200).collect();
    scores(Path::new("none"), "go depth 9", &positions);
}

#[test]
fn after_the_end_there_is_a_word_that_fits() {
    for (sfen, (winner, _)) in values().iter().filter(|(_, (_, plies))| *plies == 0).take(50) {
        let out = say("bin3x3", format!("position sfen {sfen}\ngo\ndo 1s1\n"));
        let word = if is_turn_of(sfen, *winner) { "win" } else { "resign" };
        assert_eq!(lines(&out)[1], format!("bestmove {word}"), "{sfen}");
        assert_eq!(out.matches(ERROR).count(), 2, "{out}");
    }
}

// Arbitrary lines

/// Sends lines of protocol words in random order, mixed with random bytes. The engine answers or skips every line.
#[test]
fn garbage_is_survived() {
    let known: Vec<&str> = words(
        "position startpos sfen moves 4n cs1 &4e#$..10.. do play undo go depth 1 stop legal_moves history \
         inverse_move moves_for_edit mate1 7/7/2o4/7/7/7 b - 0 setoption name value MoveTime \0 読み切り & $ # c# \
         99999999999999999999 -1 ponderhit gameover clear_targets isready usinewgame searchmoves mate MultiPV 3",
    )
    .collect();
    for code in ["bin7x6", "bin2x2", "val1n"] {
        let mut random = Random::new(17);
        let mut script = b"setoption name MoveTime value 1\n".to_vec();
        for _ in 0..1500 {
            let line: Vec<&str> = (0..random.below(6)).map(|_| *random.pick(&known)).collect();
            script.extend(line.join(" ").bytes());
            if random.below(20) == 0 {
                script.extend((0..random.below(30)).map(|_| random.bits() as u8));
            }
            script.push(b'\n');
        }
        script.extend(b"setoption name MoveTime value 1\nstop\nposition startpos\nsfen\n");
        let out = say(code, script);
        assert!(out.ends_with("[from beginning] sfen startpos\n[from present]   sfen startpos\n"), "{code}");
    }
}

#[test]
fn the_input_may_end_anywhere() {
    let whole = "position startpos moves d5c5 b1d3\ngo depth 2\nxfen\n";
    for end in 0..whole.len() {
        let out = say("pyon3x3", &whole[..end]);
        assert!(out.ends_with('\n') || out.is_empty(), "{out}");
    }
}
