//! Rule codes: five base-32 digits, one for each kind of piece, then `T` if reaching the last rank does not win.

use super::board::{COLUMN_SQUARES, Kind, SQUARES, Squares, reversed};
use crate::TextError;

/// The directions in which a kind of piece can step: one for each bit of its digit in the rule code, from the highest
/// bit to the lowest.
pub const DIRECTIONS: [&str; 5] = ["back", "diagonally back", "sideways", "diagonally forward", "forward"];

/// The steps in each of [`DIRECTIONS`] as (columns to the left, rows down), seen by the side that moves.
const STEPS: [&[(i8, i8)]; 5] = [&[(0, 1)], &[(-1, 1), (1, 1)], &[(-1, 0), (1, 0)], &[(-1, -1), (1, -1)], &[(0, -1)]];

/// One variant, with tables of the steps of its pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The digit of each kind, in the order of [`Kind::ALL`]. Bit `4 - i` is set if the kind can step in direction `i`
    /// of [`DIRECTIONS`].
    pub digits: [u8; 5],
    /// True if a side wins when its lion is on the last rank and cannot be taken.
    pub try_rule: bool,
    /// `own[kind][square]`: the squares that a piece of the side to move on `square` attacks. They are also the squares
    /// from which a piece of the opponent attacks `square`.
    pub own: [[Squares; SQUARES]; 5],
    /// Like `own`, but for the opponent's pieces.
    pub opponent: [[Squares; SQUARES]; 5],
}

impl Rules {
    /// Reads a rule code.
    pub fn parse(code: &str) -> Result<Rules, TextError> {
        let bad = |problem: String| TextError::new(format!("rule code \"{code}\""), problem);
        let (digits, try_rule) = match code.strip_suffix('T') {
            Some(digits) => (digits, false),
            None => (code, true),
        };
        if let Some(letter) = digits.chars().find(|&letter| digit_value(letter).is_none()) {
            return Err(bad(format!("\"{letter}\" is not a digit of 0-9a-v")));
        }
        let values: Vec<u8> = digits.chars().filter_map(digit_value).collect();
        let count = values.len();
        let values: [u8; 5] = values
            .try_into()
            .map_err(|_| bad(format!("has {count} digits of 0-9a-v, but animal shogi codes have 5")))?;
        Ok(Rules::new(values, try_rule))
    }

    /// Creates a variant from its digits, 0..=31 each, and computes the tables of steps.
    pub fn new(digits: [u8; 5], try_rule: bool) -> Rules {
        let own = digits.map(moves_of);
        let opponent = own.map(|moves| std::array::from_fn(|square| reversed(moves[SQUARES - 1 - square])));
        Rules { digits, try_rule, own, opponent }
    }

    /// Returns the steps of a kind of piece as (columns to the left, rows down), seen by the side that moves.
    pub fn steps(&self, kind: Kind) -> impl Iterator<Item = (i8, i8)> + use<> {
        steps_of(self.digits[kind as usize])
    }

    /// Returns the rule code, which [`Rules::parse`] reads back.
    pub fn code(&self) -> String {
        let digits = self.digits.iter().map(|&value| char::from_digit(u32::from(value), 32).unwrap_or('?'));
        digits.chain((!self.try_rule).then_some('T')).collect()
    }

    /// Returns all settings, defaults included, as pairs of name and value. The first is `game`.
    pub fn settings(&self) -> Vec<(&'static str, String)> {
        let mut settings = vec![("game", "animal shogi".into())];
        settings.extend(Kind::ALL.iter().map(|&kind| (kind.name(), self.moves_in_words(kind))));
        let reached = if self.try_rule { "a lion that cannot be taken there has won" } else { "has no effect" };
        settings.push(("reaching last rank", reached.into()));
        settings
    }

    fn moves_in_words(&self, kind: Kind) -> String {
        let digit = self.digits[kind as usize];
        let ways: Vec<_> = (0..5).filter(|i| digit >> (4 - i) & 1 == 1).map(|i| DIRECTIONS[i]).collect();
        let ways = match ways.len() {
            0 => "cannot move".into(),
            5 => "all eight directions".into(),
            _ => ways.join(", "),
        };
        format!("{} = {digit:05b}: {ways}", char::from_digit(u32::from(digit), 32).unwrap_or('?'))
    }

    /// Returns diagrams of the five kinds side by side, each with its steps.
    pub fn diagrams(&self) -> String {
        let mut lines = vec![String::new(); 4];
        for kind in Kind::ALL {
            lines[0] += &format!("{:12}", kind.name());
            for (row, line) in lines[1..].iter_mut().enumerate() {
                let cells: Vec<String> = (0..3).map(|column| self.cell(kind, column, row)).collect();
                *line += &format!("{:12}", cells.join(" "));
            }
        }
        lines.iter().map(|line| line.trim_end()).collect::<Vec<_>>().join("\n")
    }

    /// Returns the character of a square in a diagram: the piece's letter in the middle, `o` for a step, `.` elsewhere.
    fn cell(&self, kind: Kind, column: i8, row: usize) -> String {
        let step = (column - 1, row as i8 - 1);
        let goes = self.steps(kind).any(|other| other == step);
        let letter = if step == (0, 0) {
            kind.letter()
        } else if goes {
            'o'
        } else {
            '.'
        };
        letter.to_string()
    }
}

fn digit_value(letter: char) -> Option<u8> {
    letter.to_digit(32).filter(|_| !letter.is_ascii_uppercase()).map(|value| value as u8)
}

/// Returns the steps in the directions whose bits are set in `digit`.
fn steps_of(digit: u8) -> impl Iterator<Item = (i8, i8)> {
    (0..5).filter(move |i| digit >> (4 - i) & 1 == 1).flat_map(|i| STEPS[i]).copied()
}

/// Returns a table indexed by square: the squares that a piece on this square attacks if it steps in the directions of
/// `digit`.
fn moves_of(digit: u8) -> [Squares; SQUARES] {
    std::array::from_fn(|square| {
        let (column, row) = ((square / COLUMN_SQUARES) as i8, (square % COLUMN_SQUARES) as i8);
        let targets = steps_of(digit).map(|(left, down)| (column + left, row + down));
        let inside = targets.filter(|&(column, row)| (0..3).contains(&column) && (0..4).contains(&row));
        inside.map(|(column, row)| 1 << (column as usize * COLUMN_SQUARES + row as usize)).sum()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_go_where_their_digit_says() {
        let rules = Rules::parse("val1n").unwrap();
        // From the middle of the second rank from below, the chick has one step up, the giraffe four steps.
        let from = COLUMN_SQUARES + 2;
        assert_eq!(rules.own[Kind::Chick as usize][from], 1 << (from - 1));
        assert_eq!(rules.own[Kind::Giraffe as usize][from].count_ones(), 4);
        assert_eq!(rules.own[Kind::Lion as usize][from].count_ones(), 8);
        assert_eq!(rules.opponent[Kind::Chick as usize][from], 1 << (from + 1));
        assert_eq!(
            rules.diagrams(),
            "lion        elephant    giraffe     chick       hen\n\
             o o o       o . o       . o .       . o .       o o o\n\
             o L o       . E .       o G o       . C .       o H o\n\
             o o o       o . o       . o .       . . .       . o ."
        );
    }
}
