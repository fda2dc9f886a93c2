//! Tests of reversi transcripts, which may leave out passes.

use crate::support::games::{check_message, reversi};
use crate::support::random::Random;
use yomikiri_rules::games::reversi::{Move, text};
use yomikiri_rules::{Game, Notation};

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
        // The transcript without passes, with the word `pass` for passes, and as a list of moves with blanks between
        // them.
        let bare = text.replace("--", "");
        assert_ne!(played.last(), Some(&Move::Pass), "after {text} the other side has a move");
        assert_eq!(text::read_transcript(&game, &game.start(), &[&bare]).as_ref(), Ok(&played), "{bare}");
        assert_eq!(game.parse_position(&text.replace("--", "pass")), Ok(position));
        let names: Vec<_> = played.iter().map(|&mv| game.move_text(mv)).collect();
        assert_eq!(game.parse_position(&format!("startpos moves {}", names.join(" "))), Ok(position));
        passes += usize::from(text.contains("--"));
        // No move may follow the end of the game.
        let number = format!("(move {})", played.len() + 1);
        for after in ["a1", "--"] {
            let line = format!("{text}{after}");
            let words = [&format!("\"{after}\""), &number, "the game is over"];
            check_message(&game.parse_position(&line).unwrap_err(), &words, &line);
        }
    }
    assert!(passes > 20, "only {passes} games with passes");
}
