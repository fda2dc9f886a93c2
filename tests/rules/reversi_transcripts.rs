//! Transcripts of reversi, in which passes may be left out, and what the command says to texts that are no position.

use crate::support::command;
use crate::support::games::{check_message, reversi};
use crate::support::random::Random;
use yomikiri_rules::game::Game;
use yomikiri_rules::games::reversi::{Move, text};

#[test]
fn passes_are_written_and_may_be_left_out() {
    let game = reversi("rev4x4");
    let mut random = Random::new(5);
    let mut passes = 0;
    for _ in 0..200 {
        let (mut position, mut played, mut moves) = (game.start(), Vec::new(), Vec::new());
        loop {
            game.moves(&position, &mut moves);
            if moves.is_empty() {
                break;
            }
            played.push(*random.pick(&moves));
            position = game.play(&position, played[played.len() - 1]);
        }
        let text = game.moves_text(&played);
        assert_eq!(text::read_transcript(&game, &game.start(), &[&text]).as_ref(), Ok(&played), "{text}");
        // Without passes, with words for them, and a move a word.
        let bare = text.replace("--", "");
        assert_ne!(played.last(), Some(&Move::Pass), "after {text} the other side has a move");
        assert_eq!(text::read_transcript(&game, &game.start(), &[&bare]).as_ref(), Ok(&played), "{bare}");
        assert_eq!(game.parse_position(&text.replace("--", "pass")), Ok(position));
        let names: Vec<_> = played.iter().map(|&mv| game.move_text(mv)).collect();
        assert_eq!(game.parse_position(&format!("startpos moves {}", names.join(" "))), Ok(position));
        passes += usize::from(text.contains("--"));
        // Nothing can follow the end.
        let number = format!("number {} of moves", played.len() + 1);
        for after in ["a1", "--"] {
            let line = format!("{text}{after}");
            let words = [&format!("\"{after}\""), &number, "the game is over"];
            check_message(&game.parse_position(&line).unwrap_err(), &words, &line);
        }
    }
    assert!(passes > 20, "only {passes} games with passes");
}

/// The same through every verb that reads a position: one line, status 2, and nothing is written.
#[test]
fn the_command_refuses_with_the_place() {
    let folder = tempfile::tempdir().unwrap();
    for (text, words) in [
        ("", "position: is empty"),
        ("-----OX--Xq----- X", "board square c3 (character 11)"),
        ("-----OX--XO---- X", "board: has 15 squares"),
        ("-----OX--XO-----", "position: has no side"),
        ("a1", "move \"a1\" (number 1 of moves): X would turn no disc there; legal moves: b1 a2 d3 c4"),
        ("b1--", "move \"--\" (number 2 of moves): White (O) has moves and cannot pass: a1 c1 a3"),
        ("b1a1a2c1d4a3d1b4a4c4d4", "move \"d4\" (number 11 of moves): the game is over: neither side has a move"),
        ("startpos moves b1a1 b1", "move \"b1\" (number 3 of moves): b1 is not empty"),
    ] {
        let asked = ["query", "line", "moves", "solve"].map(|verb| vec![verb, "rev4x4", text]);
        let from = [&["perft", "rev4x4", "3"][..], &["analyze", "rev4x4"], &["verify", "rev4x4"]];
        for args in asked.into_iter().chain(from.map(|args| [args, &["--from", text]].concat())) {
            let line = command::fails(folder.path(), &args, 2);
            assert!(line.contains(words), "{args:?}: {line}");
        }
    }
    assert_eq!(command::files(folder.path()), [""; 0]);
}
