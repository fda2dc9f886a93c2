//! From a rule code to its game: the one place that knows which games there are.

use super::animal_shogi::AnimalShogi;
use super::binarsi::Binarsi;
use super::connect_four::ConnectFour;
use super::pyonpyon::Pyonpyon;
use super::reversi::Reversi;
use crate::engine::Playable;
use crate::game::TextError;

/// Work to do with a game whose type is only known once the rule code is read.
pub trait Visitor {
    type Output;
    fn visit<G: Playable>(self, game: G) -> Self::Output;
}

/// A game as shown to people who have not chosen one yet.
pub struct Family {
    pub name: &'static str,
    /// How its codes are written.
    pub codes: &'static str,
    pub example: &'static str,
    /// What the parts of a code mean, in lines.
    pub explanation: &'static [&'static str],
}

pub const FAMILIES: &[Family] = &[
    Family {
        name: "Binarsi",
        codes: "bin<F>x<R>[-s<square>][-t<3 digits>][-k<b|w><n>.5][-n]",
        example: "bin4x4",
        explanation: &[
            "<F> files 2..7, <R> ranks 2..6; bin7x6 is the standard board",
            "-s<square>        start square, as -s3c",
            "-t<3 digits>      lengths of the short, diagonal and long target, each 2..9, as -t345",
            "-k<b|w><n>.5      who has the komi and how much, as -kb0.5",
            "-n                a modify that leaves the stones unchanged is illegal",
        ],
    },
    Family {
        name: "Animal shogi",
        codes: "<5 digits of 0-9a-v>[T]",
        example: "val1n",
        explanation: &[
            "a digit each for lion, elephant, giraffe, chick and hen: the sum of 16 back, 8 diagonally back,",
            "4 sideways, 2 diagonally forward, 1 forward, where it goes (a is 10, v is 31)",
            "T                 a lion on the last rank does not win",
        ],
    },
    Family {
        name: "Pyonpyon",
        codes: "pyon[<F>x<R>][A|B]",
        example: "pyon3x4",
        explanation: &[
            "<F> files 2..5 and pieces of each side, <R> ranks 3..5; without them 5x5, the author's board",
            "A                 the position decides who has won, the side that has just moved first (as without letter)",
            "B                 only the side that has just moved can win",
        ],
    },
    Family {
        name: "Reversi",
        codes: "rev<F>x<R>[-p][-w]",
        example: "rev4x4",
        explanation: &[
            "<F> files, <R> ranks, each 3..8; rev8x8 is the standard board, up to 40 squares have tables",
            "-p                parallel start: colours side by side instead of on the diagonals",
            "-w                empty squares at the end count for the winner",
        ],
    },
    Family {
        name: "Connect Four",
        codes: "con<F>x<R>[-k<n>]",
        example: "con5x4",
        explanation: &[
            "<F> files, <R> ranks, each 3..8; con7x6 is the standard board, all but 8x8 have keys for tables",
            "-k<n>             so many in a row win, 3..5, at most the longer side of the board (4 without it)",
        ],
    },
];

/// Reads the code and hands the game to the visitor.
pub fn with_game<V: Visitor>(code: &str, visitor: V) -> Result<V::Output, TextError> {
    let digits = code.strip_suffix('T').unwrap_or(code);
    if digits.len() == 5 && digits.chars().all(|letter| letter.is_ascii_digit() || ('a'..='v').contains(&letter)) {
        return Ok(visitor.visit(AnimalShogi::parse(code)?));
    }
    if code.starts_with("bin") {
        return Ok(visitor.visit(Binarsi::parse(code)?));
    }
    if code.starts_with("pyon") {
        return Ok(visitor.visit(Pyonpyon::parse(code)?));
    }
    if code.starts_with("rev") {
        return Ok(visitor.visit(Reversi::parse(code)?));
    }
    if code.starts_with("con") {
        return Ok(visitor.visit(ConnectFour::parse(code)?));
    }
    let known: Vec<_> = FAMILIES.iter().map(|family| family.codes).collect();
    Err(TextError::new(
        format!("rule code \"{code}\""),
        format!("no game has such codes (known: {})", known.join(", ")),
    ))
}
