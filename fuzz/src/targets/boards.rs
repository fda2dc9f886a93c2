//! Boards of animal shogi as `decode` and `encode` read them: 15 hexadecimal digits, or five lines.

use yomikiri_rules::games::animal_shogi::text::{board_lines, board_of_key, board_of_lines};

use super::codes::check_error;
use yomikiri_naive::animal_shogi as naive;

/// Reads a text in both forms. A board that is read must read back the same from both, and agree with the naive rules.
pub fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for read in [board_of_key(text), board_of_lines(text)] {
        let board = match read {
            Ok(board) => board,
            Err(error) => {
                check_error(&error);
                continue;
            }
        };
        let (key, lines) = (format!("{:015x}", board.key()), board_lines(&board));
        assert_eq!(board_of_key(&key).as_ref(), Ok(&board), "{key} is read back as another board");
        assert_eq!(board_of_lines(&lines).as_ref(), Ok(&board), "{lines} is read back as another board");
        assert_eq!(naive::key(&naive::read_board(&lines)), board.key(), "{lines} has another key");
    }
}
