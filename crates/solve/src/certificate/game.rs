//! What certificates ask of a game, beside its rules.

use yomikiri_rules::Acyclic;

/// A game that has certificates; a new one has nothing to add.
pub trait CertificateGame: Acyclic {
    /// The byte of a legal move, which is the `number`-th of [`yomikiri_rules::Game::moves`], counted from 0;
    /// different legal moves have different bytes. This one does for games with at most 256 moves in a position.
    fn move_to_byte(&self, _mv: Self::Move, number: usize) -> u8 {
        u8::try_from(number).expect("at most 256 legal moves in a position")
    }

    /// The move of a byte, for people; `None` if no move has it.
    fn byte_text(&self, byte: u8) -> Option<String> {
        Some(format!("number {byte}"))
    }
}

/// The legal move of a byte.
pub fn move_of<G: CertificateGame>(game: &G, legal: &[G::Move], byte: u8) -> Option<G::Move> {
    legal.iter().enumerate().find(|&(number, &mv)| game.move_to_byte(mv, number) == byte).map(|(_, &mv)| mv)
}

/// The end of the keys of a variant, 0 if certificates cannot hold them: [`super::check`] keeps two bits beside each.
pub fn keys_end<G: CertificateGame>(game: &G) -> u64 {
    let end = game.key_space().ranges.last().map_or(0, |last| last.keys.end);
    if game.has_keys() && end <= 1 << 62 { end } else { 0 }
}
