//! Sessions with the command: those of the folder sessions, those of the pages, and those of the games' authors, on a
//! pseudo-terminal where a person would sit.

use std::path::Path;

use crate::naive::binarsi::Naive;
use crate::support::repository::{at, blocks, page};
use crate::support::session::{at_shell, check, had_again, replay, without_times};
use crate::support::terminal::Terminal;
use snapbox::{Data, IntoData};

#[test]
fn usi() {
    replay("play/sessions/usi");
}

#[test]
fn upi() {
    replay("play/sessions/upi");
}

#[test]
fn play() {
    replay("play/sessions/play");
}

#[test]
fn matches() {
    replay("play/sessions/match");
}

#[test]
fn certificates() {
    replay("play/sessions/certificates.txt");
}

/// The sessions of the pages, each with the commands before it that the page tells of.
#[test]
fn sessions_of_the_pages_are_real() {
    let (usi, upi, play) = (page("docs/usi.md"), page("docs/upi.md"), page("docs/play.md"));
    let readme = page("README.md");
    assert!(readme.contains("After `yomikiri analyze pyon3x4`, a conversation with `yomikiri upi pyon3x4`"));
    let conversation = |page: &str| {
        let blocks = blocks(page, "text");
        let found = blocks.iter().find(|block| block.lines[0].starts_with("> ")).expect("a conversation");
        found.lines.join("\n")
    };
    let mut sessions = vec![
        format!("$ yomikiri analyze bin3x3 > log 2>&1\n$ yomikiri usi bin3x3\n{}\n", conversation(&usi)),
        format!("$ YOMIKIRI_TABLES=precomp yomikiri upi\n{}\n", conversation(&upi)),
        format!("$ yomikiri analyze pyon3x4 > log 2>&1\n$ yomikiri upi pyon3x4\n{}\n", conversation(&readme)),
    ];
    let typed = blocks(&play, "console");
    assert_eq!(typed.len(), 2, "English and Japanese");
    for block in typed {
        let code = block.lines[0].split(' ').nth(3).expect("$ yomikiri play CODE");
        sessions.push(format!("$ yomikiri analyze {code} > log 2>&1\n{}\n", block.lines.join("\n")));
    }
    for session in sessions {
        check(had_again(&session, at_shell), without_times(&session).into_data());
    }
}

/// Types lines to an engine at a terminal.
fn at_terminal(_: &Path, line: &str, typed: &[&str]) -> Vec<String> {
    let mut terminal = Terminal::open(line);
    let said = std::iter::once(String::new()).chain(typed.iter().map(|line| terminal.asks(line))).collect();
    terminal.presses('d');
    terminal.leaves();
    said
}

#[test]
fn sessions_of_the_authors_at_a_terminal() {
    for name in ["binarsi_play", "binarsi_do", "pyonpyon"] {
        let path = at("tests/play/sessions/authors").join(name).with_extension("txt");
        let text = std::fs::read_to_string(&path).unwrap();
        check(had_again(&text, at_terminal), Data::read_from(&path, None));
    }
}

/// The author's answer to `play 4n`; of the computer's move it has the one that the author's made.
const PLAY: &str = include_str!("sessions/authors/binarsi_answer.txt");

/// The computer may choose another move than the author's; all but that is the same.
#[test]
fn play_answers_with_boards_and_banners() {
    let mut terminal = Terminal::open("yomikiri usi");
    terminal.asks("setoption name MoveTime value 100");
    let answer = terminal.asks("play 4n");
    let moved = answer.lines().find_map(|line| line.strip_prefix("[ 2 moves | moved ")).unwrap();
    let reply = moved.strip_suffix(" | next black]").unwrap();
    let rules = Naive::from_code("bin7x6");
    let after = rules.play("7/7/2ox3/7/7/7 w - - 1", reply);
    let board = terminal.asks("board");
    // Only of what NOT writes over stones there is no trace left.
    let stones = match reply {
        "3nH" => "..0...",
        "4nL" => "..1...",
        _ => "-",
    };
    let expected = PLAY.replace("{board}", board.trim_end()).replace("{move}", reply).replace("{sfen}", &after);
    let expected = expected.replace("{stones}", stones);
    let shown = answer.lines().map(str::trim_end);
    assert_eq!(shown.collect::<Vec<_>>(), expected.lines().map(str::trim_end).collect::<Vec<_>>());
    assert_eq!(board.lines().next(), Some(&*format!("[ 2 moves | moved {reply} | next black]")));
    assert_eq!(terminal.asks("undo"), "");
    assert_eq!(terminal.asks("sfen").lines().nth(1), Some("[from present]   sfen 7/7/2ox3/7/7/7 w - - 1"));
    terminal.presses('d');
    terminal.leaves();
}
