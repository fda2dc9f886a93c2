//! Parts of notations that several games share: boards in FEN, names of squares, moves after a position, and framed
//! boards.

use std::fmt::Display;

use crate::{Notation, Side, TextError};

/// Writes a board in FEN: a text for each piece, the length of each run of empty squares, and `/` between board ranks.
/// `ranks` gives the board ranks in the order in which they are written. `piece` takes a file and a rank and returns
/// the piece on that square, or `None` if the square is empty.
pub fn fen<P: Display>(ranks: impl Iterator<Item = u8>, files: u8, piece: impl Fn(u8, u8) -> Option<P>) -> String {
    let rank = |rank| -> String {
        let squares: Vec<Option<P>> = (0..files).map(|file| piece(file, rank)).collect();
        let runs = squares.chunk_by(|left, right| left.is_none() && right.is_none());
        runs.map(|run| run[0].as_ref().map_or(run.len().to_string(), P::to_string)).collect()
    };
    ranks.map(rank).collect::<Vec<_>>().join("/")
}

/// Reads a board in FEN with the pieces `x` (Black) and `o` (White). Returns the file, rank and side of each piece;
/// ranks are counted from 0 in the order of the text. `names` has the name of each rank of the board, and `things` is
/// the word for the pieces; error messages use both. The digit for a run of empty squares must be at most `most`.
pub fn parse_fen<N: Display>(
    text: &str,
    files: u8,
    names: &[N],
    things: &str,
    most: u32,
) -> Result<Vec<(u8, u8, Side)>, String> {
    let side = |letter| match letter {
        'x' => Some(Side::Black),
        'o' => Some(Side::White),
        _ => None,
    };
    parse_pieces(text, files, names, (&format!("{things} are x and o"), most), side)
}

/// Like [`parse_fen`], but for any kinds of pieces. `read` returns the piece for a letter, or `None` if there is no
/// such piece. Error messages quote `pieces`, a description of the valid letters. The other parameters are as in
/// [`parse_fen`].
pub fn parse_pieces<N: Display, P>(
    text: &str,
    files: u8,
    names: &[N],
    (pieces, most): (&str, u32),
    read: impl Fn(char) -> Option<P>,
) -> Result<Vec<(u8, u8, P)>, String> {
    let count = text.split('/').count();
    if count != names.len() {
        return Err(format!("has {count} ranks, the board has {}", names.len()));
    }
    let mut found = Vec::new();
    for ((row, name), rank) in text.split('/').zip(names).zip(0..) {
        let (mut file, mut after_number) = (0, false);
        for letter in row.chars() {
            let number = letter.to_digit(10).filter(|number| (1..=most).contains(number));
            let (piece, step) = match (read(letter), number) {
                (Some(piece), _) => (Some(piece), 1),
                (None, Some(number)) => (None, number as u8),
                (None, None) => {
                    return Err(format!("rank {name} has \"{letter}\"; {pieces}, and numbers count empty squares"));
                }
            };
            if after_number && piece.is_none() {
                return Err(format!("rank {name} has two adjacent numbers"));
            }
            after_number = piece.is_none();
            if file + step > files {
                return Err(format!("rank {name} has more than {files} squares"));
            }
            found.extend(piece.map(|piece| (file, rank, piece)));
            file += step;
        }
        if file < files {
            return Err(format!("rank {name} has {file} squares, the board has {files} files"));
        }
    }
    Ok(found)
}

/// Splits a text into lines that end with LF, CR LF or CR, and drops a byte order mark at the start. As with
/// [`str::lines`], the last line ending is optional and no empty line follows it.
pub fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    std::iter::from_fn(move || {
        let line = rest.split(['\n', '\r']).next().filter(|_| !rest.is_empty())?;
        let after = &rest[line.len()..];
        rest = after.strip_prefix("\r\n").or_else(|| after.get(1..)).unwrap_or_default();
        Some(line)
    })
}

/// Returns the name of a square, such as `b5` for file 1 and rank 4: a letter, then the rank plus 1.
pub fn square_name(file: u8, rank: u8) -> String {
    format!("{}{}", char::from(b'a' + file), rank + 1)
}

/// Reads the name of a square and returns its file and rank, both counted from 0. Returns `None` if a board of this
/// size has no square with the name.
pub fn parse_square(name: &str, files: u8, ranks: u8) -> Option<(u8, u8)> {
    let [file, rank] = name.as_bytes() else { return None };
    let (file, rank) = (file.checked_sub(b'a')?, rank.checked_sub(b'1')?);
    (file < files && rank < ranks).then_some((file, rank))
}

/// Returns the moves in `words`, which is the rest of a text after its position. The first word must be `moves`, and
/// all further words are the moves. If `words` is empty, there are no moves. Any other first word is an error.
pub fn moves_after<'a, 'b>(words: &'a [&'b str]) -> Result<&'a [&'b str], TextError> {
    match words {
        [] => Ok(&[]),
        ["moves", moves @ ..] => Ok(moves),
        [word, ..] => {
            Err(TextError::new("position", format!("unexpected \"{word}\": only \"moves\" may follow a position")))
        }
    }
}

/// Reads `startpos` or a position, optionally followed by `moves ...`. A leading `position` is skipped, and so is a
/// word of `formats` before the position. `read` reads the position, and returns it with the words after it. `fields`
/// names the fields of a position for the error if there is none.
pub fn parse_position<G: Notation>(
    game: &G,
    text: &str,
    formats: &[&str],
    fields: &str,
    read: impl for<'a, 'b> Fn(&'a [&'b str]) -> Result<(G::Position, &'a [&'b str]), TextError>,
) -> Result<G::Position, TextError> {
    let mut words: &[&str] = &text.split_whitespace().collect::<Vec<_>>();
    if let ["position", rest @ ..] = words {
        words = rest;
    }
    let (position, words) = match words {
        [] => return Err(TextError::new("position", format!("is empty; write startpos or {fields}"))),
        ["startpos", rest @ ..] => (game.start(), rest),
        [format, rest @ ..] if formats.contains(format) => read(rest)?,
        _ => read(words)?,
    };
    play_all(game, position, moves_after(words)?.iter().copied())
}

/// Returns a function that makes an error from a problem of a field of a position. `text` is the text of the field.
pub fn of_field(name: &str, text: &str) -> impl Fn(String) -> TextError {
    let field = format!("{name} field \"{text}\"");
    move |problem| TextError::new(&field, problem)
}

/// Returns the position after the moves and board edits in `words`, played from `start`. A board edit changes the board
/// outside the rules of play. An error names the move or edit and its number, counted from 1.
pub fn play_all<'a, G: Notation>(
    game: &G,
    start: G::Position,
    words: impl IntoIterator<Item = &'a str>,
) -> Result<G::Position, TextError> {
    words.into_iter().zip(1..).try_fold(start, |position, (word, number)| {
        let played = || game.parse_move(&position, word).map(|mv| game.play(&position, mv));
        game.edit(&position, word).unwrap_or_else(played).map_err(|error| error.numbered(number))
    })
}

/// Draws a board in a frame. `files` are the letters above the board. Each item of `ranks` has the name of a board
/// rank, one character for each of its squares, and the text to the right of the rank. `foot` is written to the right
/// of the lower edge.
pub fn framed(files: &str, ranks: impl Iterator<Item = (char, String, String)>, foot: &str) -> String {
    let spaced = |letters: &str| letters.chars().map(String::from).collect::<Vec<_>>().join(" ");
    let rule = format!("  +{}+", "-".repeat(2 * files.len() + 1));
    let mut lines = vec![format!("    {}", spaced(files)), rule.clone()];
    lines.extend(ranks.map(|(name, squares, beside)| format!("{name} | {} |{beside}", spaced(&squares))));
    lines.push(format!("{rule}   {foot}"));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_any_way() {
        let all = |text: &'static str| lines(text).collect::<Vec<_>>();
        assert_eq!(all(""), [""; 0]);
        assert_eq!(all("a"), ["a"]);
        assert_eq!(all("a\nb\r\nc\rd\n"), ["a", "b", "c", "d"]);
        assert_eq!(all("\u{feff}a\r\r\n\nb"), ["a", "", "", "b"]);
        assert_eq!(all("\n"), [""]);
        for text in ["x\ny", "x\n\ny\n", "\n\n", "x\r\ny\r\n"] {
            assert_eq!(all(text), text.lines().collect::<Vec<_>>(), "{text:?}");
        }
    }
}
