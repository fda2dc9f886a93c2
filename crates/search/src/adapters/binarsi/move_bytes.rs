//! The moves of certificates, one byte each. The upper four bits are the way: 0 to 6 for files, 7 to 12 for ranks. The
//! lower four bits are the operator, an index into a fixed list.

use crate::certificate::CertificateGame;
use yomikiri_rules::Notation;
use yomikiri_rules::games::binarsi::board::Way;
use yomikiri_rules::games::binarsi::goal::Goal;
use yomikiri_rules::games::binarsi::{BinarsiOf, Move, Op};

/// The operators, indexed by the lower four bits of a move's byte. Their texts are, in this order,
/// `a n nH nL na no o s1..s6 xn xo`.
const OPS: [Op; 15] = [
    Op::And,
    Op::Not,
    Op::NotHigh,
    Op::NotLow,
    Op::Nand,
    Op::Nor,
    Op::Or,
    Op::Shift(1),
    Op::Shift(2),
    Op::Shift(3),
    Op::Shift(4),
    Op::Shift(5),
    Op::Shift(6),
    Op::Xnor,
    Op::Xor,
];

/// The maximum number of files of a board. `RANKS` is the maximum number of ranks.
const FILES: u8 = 7;
const RANKS: u8 = 6;

impl<V: Goal> CertificateGame for BinarsiOf<V> {
    fn move_to_byte(&self, mv: Move, _: usize) -> u8 {
        move_to_byte(mv)
    }

    fn byte_text(&self, byte: u8) -> Option<String> {
        move_of(byte).map(|mv| self.move_text(mv))
    }
}

/// Returns the byte of a move.
fn move_to_byte(mv: Move) -> u8 {
    let way = match mv.way {
        Way::File(file) => file,
        Way::Rank(rank) => FILES + rank,
    };
    let op = match mv.op {
        Op::And => 0,
        Op::Not => 1,
        Op::NotHigh => 2,
        Op::NotLow => 3,
        Op::Nand => 4,
        Op::Nor => 5,
        Op::Or => 6,
        Op::Shift(turns) => 6 + turns,
        Op::Xnor => 13,
        Op::Xor => 14,
    };
    way << 4 | op
}

/// Returns the move of a byte, or `None` if no move has the byte.
fn move_of(byte: u8) -> Option<Move> {
    let way = match byte >> 4 {
        file if file < FILES => Way::File(file),
        rank if rank < FILES + RANKS => Way::Rank(rank - FILES),
        _ => return None,
    };
    Some(Move { way, op: *OPS.get(usize::from(byte & 15))? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_moves_and_back() {
        let moves: Vec<u8> = (0..=255).filter(|&byte| move_of(byte).is_some()).collect();
        assert_eq!(moves.len(), 13 * 15);
        assert!(moves.iter().all(|&byte| move_of(byte).map(move_to_byte) == Some(byte)));
        assert_eq!(move_of(0xc9), Some(Move { way: Way::Rank(5), op: Op::Shift(3) }));
    }
}
