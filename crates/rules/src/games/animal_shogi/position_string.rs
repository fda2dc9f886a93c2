//! Positions in the notation of R. Clausecker's dobutsu: `S/gle/-c-/-C-/ELG/-`.
//!
//! The side to move comes first: `S` for Sente, who is Black, or `G` for Gote. The ranks follow, with one letter for
//! each square, `R` for a hen (rooster) and `-` for an empty square. The pieces in hand come last, or `-` for none.

use super::board::Position;
use super::sfen;
use crate::{Side, TextError};

/// Returns true if `word` starts like a position string.
pub fn is_position(word: &str) -> bool {
    word.starts_with("S/") || word.starts_with("G/")
}

/// Reads a position string.
pub fn parse(text: &str) -> Result<Position, TextError> {
    let fields: Vec<&str> = text.split('/').collect();
    let [side, ranks @ .., hand] = &fields[..] else {
        return Err(TextError::new("position", "has no ranks after the side"));
    };
    let side = if *side == "S" { Side::Black } else { Side::White };
    if let Some(rank) = ranks.iter().find(|rank| rank.contains(|letter: char| !"LEGCRlegcr-".contains(letter))) {
        let problem = "the letters for squares are LEGCR, legcr and -";
        return Err(TextError::new(format!("rank \"{rank}\""), problem));
    }
    let ranks = ranks.join("/").replace('-', "1").replace('R', "H").replace('r', "h");
    sfen::position(&ranks, hand, side)
}

#[cfg(test)]
mod tests {
    use crate::games::animal_shogi::AnimalShogi;
    use crate::{Game, Notation};

    /// The same board in all notations.
    #[test]
    fn notations_agree() {
        let game = AnimalShogi::parse("val1n").unwrap();
        let read = |text: &str| game.parse_position(text).unwrap();
        let turn = |text: &str| (read(text).side, read(text).board);
        for texts in [
            ["gle/1c1/1C1/ELG b - 1", "gle/1c1/1C1/ELG b -", "gle/1c1/1C1/ELG[-] w 0 1", "S/gle/-c-/-C-/ELG/-"],
            ["l1+C/1e1/1C1/L2 w Geg 7", "sfen l1+C/1e1/1C1/L2 w Geg", "l1H/1e1/1C1/L2[Geg] b", "G/l-R/-e-/-C-/L--/Geg"],
        ] {
            for text in &texts[1..] {
                assert_eq!(turn(text), turn(texts[0]), "{text}");
            }
        }
        assert_eq!(read("gle/1c1/1C1/ELG b -"), game.start());
        let moved = turn("startpos moves 2c2b");
        assert_eq!(turn("S/gle/-c-/-C-/ELG/- moves 2c2b"), moved);
        assert_eq!(turn("gle/1c1/1C1/ELG[] w 0 1 moves 2c2b"), moved);
        assert_eq!(turn("gle/1c1/1C1/ELG b - moves 2c2b"), moved);
    }

    #[test]
    fn mistakes_are_named() {
        let game = AnimalShogi::parse("val1n").unwrap();
        let problem = |text: &str| game.parse_position(text).unwrap_err().to_string();
        for (text, expected) in [
            ("S/gle/1c1/-C-/ELG/-", "rank \"1c1\": the letters for squares are LEGCR, legcr and -"),
            ("G/", "board: has 1 ranks, not 4"),
            (
                "gle/1c1/1C1/ELG[- w 0 1",
                "FEN: board \"gle/1c1/1C1/ELG[-\" does not end with pieces in hand in brackets, such as [Ce] or [-]",
            ),
            ("gle/1c1/1C1/ELG[-]", "FEN: has no side after the board; write w (the capital letters) or b"),
            ("gle/1c1/1C1/ELG[-] x", "FEN: side \"x\" is neither w nor b"),
            ("gle/1c1/1C1/ELG[-] w 0 1 2", "position: unexpected \"2\": only \"moves\" may follow a position"),
            ("S/gle/-c-/-C-/ELG/- 2c2b", "position: unexpected \"2c2b\": only \"moves\" may follow a position"),
        ] {
            assert_eq!(problem(text), expected);
        }
    }
}
