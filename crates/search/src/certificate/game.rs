//! The trait of games that have certificates.

use yomikiri_rules::{Acyclic, Notation};

/// A game that has certificates. All methods have defaults.
pub trait CertificateGame: Acyclic + Notation {
    /// Returns the byte that stands for a legal move in a certificate. `number` is the index of the move in
    /// [`yomikiri_rules::Game::moves`]. Different legal moves have different bytes. The default is the index, which
    /// works for games with at most 256 moves in a position.
    fn move_to_byte(&self, _mv: Self::Move, number: usize) -> u8 {
        u8::try_from(number).expect("at most 256 legal moves in a position")
    }

    /// Returns the text of the move that has this byte; `None` if no move has it.
    fn byte_text(&self, byte: u8) -> Option<String> {
        Some(format!("number {byte}"))
    }
}

/// Returns the move in `legal` that has this byte; `None` if there is none.
pub fn move_of<G: CertificateGame>(game: &G, legal: &[G::Move], byte: u8) -> Option<G::Move> {
    legal.iter().enumerate().find(|&(number, &mv)| game.move_to_byte(mv, number) == byte).map(|(_, &mv)| mv)
}

/// Returns the exclusive end of the key range of a variant, or 0 if certificates cannot hold its keys. Keys must be
/// below 2^62 - 1, because a 64-bit entry of the endgame solver has two bits beside the key. An entry with all bits set
/// is free.
pub fn keys_end<G: CertificateGame>(game: &G) -> u64 {
    let end = game.key_space().ranges.last().map_or(0, |last| last.keys.end);
    if game.has_keys() && end < 1 << 62 { end } else { 0 }
}
