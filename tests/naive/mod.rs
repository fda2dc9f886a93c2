//! The rules of the games once more, as plainly as can be; slow. The fast rules are held against them.
#![allow(dead_code)]

pub mod animal_shogi;
pub mod binarsi;
pub mod connect_four;
pub mod pyonpyon;
pub mod pyonpyon_shogi;
pub mod reversi;

/// What stands on a square where nothing stands, in boards of ranks and numbers.
pub const EMPTY: char = '.';

/// A square: file and rank, both counted from 0.
type Square = (usize, usize);

/// The eight directions: files to the right, ranks down.
const DIRECTIONS: [(isize, isize); 8] = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

/// The ranks of a board with a `/` between them, square by square; numbers are so many empty squares.
fn read_ranks(text: &str) -> Vec<Vec<char>> {
    let squares = |letter: char| match letter.to_digit(10) {
        Some(count) => vec![EMPTY; count as usize],
        None => vec![letter],
    };
    text.split('/').map(|rank| rank.chars().flat_map(squares).collect()).collect()
}

/// Inverse of [`read_ranks`].
fn write_ranks(ranks: &[Vec<char>]) -> String {
    ranks.iter().map(|rank| write_rank(rank)).collect::<Vec<_>>().join("/")
}

/// One rank: the longest runs of empty squares become numbers first.
pub fn write_rank(rank: &[char]) -> String {
    let number = |text: String, count: usize| text.replace(&EMPTY.to_string().repeat(count), &count.to_string());
    (1..=rank.len()).rev().fold(rank.iter().collect(), number)
}

/// `a1` is the first file of the first rank.
fn square_name((file, rank): Square) -> String {
    format!("{}{}", char::from(b'a' + file as u8), rank + 1)
}

/// Inverse of [`square_name`].
fn square(name: &str) -> Square {
    let bytes = name.as_bytes();
    (usize::from(bytes[0] - b'a'), usize::from(bytes[1] - b'1'))
}

/// The square next to another in a direction, if it is on a board of so many files and ranks.
fn beside((file, rank): Square, (right, down): (isize, isize), files: usize, ranks: usize) -> Option<Square> {
    let file = file.checked_add_signed(right).filter(|&file| file < files)?;
    let rank = rank.checked_add_signed(down).filter(|&rank| rank < ranks)?;
    Some((file, rank))
}

/// The files and ranks of a code's part such as `5x4`.
fn read_size(text: &str) -> (usize, usize) {
    let (files, ranks) = text.split_once('x').expect("<files>x<ranks>");
    (files.parse().expect("number of files"), ranks.parse().expect("number of ranks"))
}
