//! Replays the sessions of the folder sessions, of the pages, and of the games' authors. Those of the authors run on a
//! pseudo-terminal.

use std::path::Path;

use crate::support::repository::{blocks, page, repository_path};
use crate::support::session::{at_shell, check, replay, replayed, without_times};
use crate::support::terminal::Terminal;
use snapbox::{Data, IntoData};
use yomikiri_naive::binarsi::Naive;

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
fn folders() {
    replay("play/sessions/folders.txt");
}

#[test]
fn certificates() {
    replay("play/sessions/certificates.txt");
}

/// Replays the sessions of the pages. Commands that a page says to run first are run before its session.
#[test]
fn sessions_of_the_pages_are_real() {
    let (usi, upi, play) = (page("docs/usi.md"), page("docs/upi.md"), page("docs/play.md"));
    let commands = page("docs/commands.md");
    assert!(commands.contains("After `yomikiri analyze pyon3x4`, a conversation with `yomikiri upi pyon3x4`"));
    let conversation = |page: &str| {
        let blocks = blocks(page, "text");
        let found = blocks.iter().find(|block| block.lines[0].starts_with("> ")).expect("a conversation");
        found.lines.join("\n")
    };
    let mut sessions = vec![
        format!("$ yomikiri analyze bin3x3 > log 2>&1\n$ yomikiri usi bin3x3\n{}\n", conversation(&usi)),
        format!("$ YOMIKIRI_TABLES=precomp yomikiri upi\n{}\n", conversation(&upi)),
        format!("$ yomikiri analyze pyon3x4 > log 2>&1\n$ yomikiri upi pyon3x4\n{}\n", conversation(&commands)),
    ];
    let typed = blocks(&play, "console");
    assert_eq!(typed.len(), 2, "English and Japanese");
    for block in typed {
        let code = block.lines[0].split(' ').nth(3).expect("$ yomikiri play CODE");
        sessions.push(format!("$ yomikiri analyze {code} > log 2>&1\n{}\n", block.lines.join("\n")));
    }
    for session in sessions {
        check(replayed(&session, at_shell), without_times(&session).into_data());
    }
}

/// Types lines to an engine in a terminal. Returns the parts of its output, as `run` of `replayed` has to.
fn at_terminal(_: &Path, line: &str, typed: &[&str]) -> Vec<String> {
    let mut terminal = Terminal::open(line);
    let said = std::iter::once(String::new()).chain(typed.iter().map(|line| terminal.ask(line))).collect();
    terminal.press('d');
    terminal.finish();
    said
}

#[test]
fn sessions_of_the_authors_at_a_terminal() {
    for name in ["binarsi_play", "binarsi_do", "pyonpyon"] {
        let path = repository_path("tests/play/sessions/authors").join(name).with_extension("txt");
        let text = std::fs::read_to_string(&path).unwrap();
        check(replayed(&text, at_terminal), Data::read_from(&path, None));
    }
}

/// The answer of the author's program to `play 4n`, with placeholders for the computer's move.
const PLAY: &str = include_str!("sessions/authors/binarsi_answer.txt");

/// The computer may choose another move than the author's program. Everything else must be the same.
#[test]
fn play_answers_with_boards_and_banners() {
    let mut terminal = Terminal::open("yomikiri usi");
    terminal.ask("setoption name MoveTime value 100");
    let answer = terminal.ask("play 4n");
    let moved = answer.lines().find_map(|line| line.strip_prefix("[ 2 moves | moved ")).unwrap();
    let reply = moved.strip_suffix(" | next black]").unwrap();
    let rules = Naive::from_code("bin7x6");
    let after = rules.play("7/7/2ox3/7/7/7 w - - 1", reply);
    let board = terminal.ask("board");
    // The answer shows overwritten stones only if the move is a NOT that overwrites them.
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
    assert_eq!(terminal.ask("undo"), "");
    assert_eq!(terminal.ask("sfen").lines().nth(1), Some("[from present]   sfen 7/7/2ox3/7/7/7 w - - 1"));
    terminal.press('d');
    terminal.finish();
}
