//! The sessions of the games' authors against the real command on a pseudo-terminal, where a person would sit.
//!
//! A file of tests/sessions is what is typed, after `> `, each with its answer; `...` stands for any text, and alone
//! for any lines. Lines that begin with `## ` are remarks.

use crate::naive::binarsi::Naive;
use crate::support::terminal::Terminal;
use tempfile::TempDir;

/// Whether a line is what was expected, `...` standing for any text.
fn fits(line: &str, expected: &str) -> bool {
    match expected.split_once("...") {
        None => line == expected,
        Some((begin, end)) => line.len() >= begin.len() + end.len() && line.starts_with(begin) && line.ends_with(end),
    }
}

/// Whether lines are what was expected, a line `...` standing for any number of them.
fn all_fit(lines: &[String], expected: &[&str]) -> bool {
    match expected {
        [] => lines.is_empty(),
        ["...", rest @ ..] => (0..=lines.len()).any(|skipped| all_fit(&lines[skipped..], rest)),
        [first, rest @ ..] => lines.first().is_some_and(|line| fits(line, first)) && all_fit(&lines[1..], rest),
    }
}

/// Has a whole session again; returns the number of commands.
fn replay(arguments: &[&str], session: &str) -> usize {
    let folder = TempDir::new().unwrap();
    let mut terminal = Terminal::open(folder.path(), arguments);
    let lines: Vec<&str> = session.lines().filter(|line| !line.starts_with("## ")).collect();
    let at: Vec<usize> = (0..lines.len()).filter(|&at| lines[at].starts_with("> ")).collect();
    for (number, &begin) in at.iter().enumerate() {
        let end = at.get(number + 1).copied().unwrap_or(lines.len());
        let (command, expected) = (&lines[begin][2..], &lines[begin + 1..end]);
        let answer = terminal.ask(command);
        assert!(all_fit(&answer, expected), "{command}:\n{}\ninstead of\n{}", answer.join("\n"), expected.join("\n"));
    }
    terminal.leave();
    at.len()
}

#[test]
fn a_game_of_binarsi_as_its_author_begins_it() {
    assert_eq!(replay(&["usi"], include_str!("sessions/binarsi_play.txt")), 29);
}

#[test]
fn the_moves_of_binarsi_as_its_author_explains_them() {
    assert_eq!(replay(&["usi", "bin7x6"], include_str!("sessions/binarsi_do.txt")), 19);
}

#[test]
fn the_pyonpyon_game_as_its_author_describes_it() {
    assert_eq!(replay(&["upi"], include_str!("sessions/pyonpyon.txt")), 14);
}

/// The author's answer to `play 4n`; of the computer's move it has the one that the author's made.
const PLAY: &str = include_str!("sessions/binarsi_answer.txt");

/// The computer may choose another move than the author's; all but that is the same.
#[test]
fn play_answers_with_boards_and_banners() {
    let folder = TempDir::new().unwrap();
    let mut terminal = Terminal::open(folder.path(), &["usi"]);
    terminal.ask("setoption name MoveTime value 100");
    let answer = terminal.ask("play 4n");
    let moved = answer.iter().find_map(|line| line.strip_prefix("[ 2 moves | moved ")).unwrap();
    let reply = moved.strip_suffix(" | next black]").unwrap();
    let rules = Naive::from_code("bin7x6");
    let after = rules.play("7/7/2ox3/7/7/7 w - - 1", reply);
    let board = terminal.ask("board");
    // Only of what NOT writes over stones there is no trace left.
    let stones = match reply {
        "3nH" => "..0...",
        "4nL" => "..1...",
        _ => "-",
    };
    let expected = PLAY.replace("{board}", &board.join("\n")).replace("{move}", reply).replace("{sfen}", &after);
    let expected = expected.replace("{stones}", stones);
    let shown: Vec<&str> = answer.iter().map(|line| line.trim_end()).collect();
    assert_eq!(shown, expected.lines().map(str::trim_end).collect::<Vec<_>>());
    assert_eq!(board[0], format!("[ 2 moves | moved {reply} | next black]"));
    assert_eq!(terminal.ask("undo"), [""; 0]);
    assert_eq!(terminal.ask("sfen")[1], "[from present]   sfen 7/7/2ox3/7/7/7 w - - 1");
    terminal.leave();
}
