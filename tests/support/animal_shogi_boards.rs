//! Random rule codes and boards of animal shogi.

use crate::support::random::Random;

/// The digits of a rule code.
const CODE_DIGITS: &[u8] = b"0123456789abcdefghijklmnopqrstuv";

/// Returns a random rule code. It has the try rule with probability 1/3.
pub fn random_code(random: &mut Random) -> String {
    let digits = (0..5).map(|_| char::from(*random.pick(CODE_DIGITS)));
    let mut code: String = digits.collect();
    if random.below(3) == 0 {
        code.push('T');
    }
    code
}

/// Returns a random board text with all pieces. Each piece but the lions is in a hand with probability `in_hand / 8`.
pub fn random_board_text(random: &mut Random, in_hand: usize) -> String {
    let mut squares = ['.'; 12];
    let mut hands = String::new();
    for pieces in ["L", "l", "Ee", "Ee", "Gg", "Gg", "CcHh", "CcHh"] {
        let pieces: Vec<char> = pieces.chars().collect();
        let mut piece = *random.pick(&pieces);
        if pieces.len() > 1 && random.below(8) < in_hand {
            piece = if piece == 'H' { 'C' } else { piece };
            hands.push(if piece == 'h' { 'c' } else { piece });
            continue;
        }
        let empty: Vec<usize> = (0..12).filter(|&square| squares[square] == '.').collect();
        squares[*random.pick(&empty)] = piece;
    }
    let rows: Vec<String> = squares.chunks(3).map(|row| row.iter().collect()).collect();
    format!("{}\n{hands}", rows.join("\n"))
}
