//! Second implementations of the rules of all games, slow and as simple as possible. Tests compare the fast rules with
//! them.

pub mod animal_shogi;
pub mod binarsi;
pub mod connect_four;
pub mod pyonpyon;
pub mod pyonpyon_shogi;
pub mod pyonpyon_values;
pub mod reversi;

/// The character for an empty square. Reversi has its own.
pub const EMPTY: char = '.';

/// A square: file and rank, both counted from 0.
type Square = (usize, usize);

/// The eight directions: files to the right, ranks down.
const DIRECTIONS: [(isize, isize); 8] = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

/// Parses the ranks of a board, with `/` between them. A digit is that number of empty squares.
fn read_ranks(text: &str) -> Vec<Vec<char>> {
    let squares = |letter: char| match letter.to_digit(10) {
        Some(count) => vec![EMPTY; count as usize],
        None => vec![letter],
    };
    text.split('/').map(|rank| rank.chars().flat_map(squares).collect()).collect()
}

/// Formats the ranks of a board. This is the inverse of [`read_ranks`].
fn write_ranks(ranks: &[Vec<char>]) -> String {
    ranks.iter().map(|rank| write_rank(rank)).collect::<Vec<_>>().join("/")
}

/// Formats one rank, with a digit for each run of empty squares.
pub fn write_rank(rank: &[char]) -> String {
    let number = |text: String, count: usize| text.replace(&EMPTY.to_string().repeat(count), &count.to_string());
    (1..=rank.len()).rev().fold(rank.iter().collect(), number)
}

/// Returns the name of a square. `a1` is the first file of the first rank.
fn square_name((file, rank): Square) -> String {
    format!("{}{}", char::from(b'a' + file as u8), rank + 1)
}

/// Parses the name of a square. This is the inverse of [`square_name`].
fn square(name: &str) -> Square {
    let bytes = name.as_bytes();
    (usize::from(bytes[0] - b'a'), usize::from(bytes[1] - b'1'))
}

/// Returns the next square in a direction, if it is on a board of this size.
fn beside((file, rank): Square, (right, down): (isize, isize), files: usize, ranks: usize) -> Option<Square> {
    let file = file.checked_add_signed(right).filter(|&file| file < files)?;
    let rank = rank.checked_add_signed(down).filter(|&rank| rank < ranks)?;
    Some((file, rank))
}

/// Parses the board size of a rule code, such as `5x4`. Returns the numbers of files and ranks.
fn read_size(text: &str) -> (usize, usize) {
    let (files, ranks) = text.split_once('x').expect("<files>x<ranks>");
    (files.parse().expect("number of files"), ranks.parse().expect("number of ranks"))
}
