//! Value bytes that mean the same at every ply. Larger bytes are better for Black.

use yomikiri_rules::games::binarsi::goal::{End, Goal};
use yomikiri_rules::games::binarsi::rules::Rules;
use yomikiri_rules::{CodedValue, Distance, Outcome, Score, Side, Value};

/// A kind of value that the tier kernel can hold as absolute bytes, which mean the same at every ply: larger is better
/// for Black. No value has the byte 0 or 255.
pub trait Absolute: Goal {
    /// Returns the absolute byte of a game that ends with `end` at `ply`.
    fn absolute(rules: &Rules, end: End, ply: u32) -> u8;

    /// Returns the table bytes ([`Value::to_byte`]) at a ply, indexed by absolute byte. The entry is 0 for an absolute
    /// byte that no position of the ply can have.
    fn table_bytes(rules: &Rules, ply: u32) -> [u8; 256];
}

/// The absolute byte is `255 - E` if Black wins and `E` if White wins, where `E` is the ply at which the game ends.
impl Absolute for Distance {
    #[inline]
    fn absolute(rules: &Rules, end: End, ply: u32) -> u8 {
        let winner = match end {
            End::Targets(side) => side,
            End::Counted { black, white } => rules.stones_winner(black, white),
        };
        winner.pick([255 - ply as u8, ply as u8])
    }

    fn table_bytes(rules: &Rules, ply: u32) -> [u8; 256] {
        let mover = Side::at_ply(ply);
        let mut bytes = [0; 256];
        for end in ply.max(1)..=rules.max_plies() {
            for winner in [Side::Black, Side::White] {
                let outcome = if winner == mover { Outcome::Win } else { Outcome::Loss };
                let absolute = Distance::absolute(rules, End::Targets(winner), end);
                bytes[usize::from(absolute)] = Distance::new(outcome, (end - ply) as u16).to_byte();
            }
        }
        bytes
    }
}

/// The absolute byte is the table byte of Black's score.
impl Absolute for Score {
    #[inline]
    fn absolute(rules: &Rules, end: End, _: u32) -> u8 {
        Score::of_end(rules, end, Side::Black).to_byte()
    }

    fn table_bytes(_: &Rules, ply: u32) -> [u8; 256] {
        let of_mover = |black: Score| Side::at_ply(ply).pick([black, black.of_move()]);
        std::array::from_fn(|byte| Score::from_byte(byte as u8).map_or(0, |black| of_mover(black).to_byte()))
    }
}
