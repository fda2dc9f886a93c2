//! Pictures of boards in which what has just changed stands out.

use super::style;

/// The picture with those letters in a colour that the picture before had not in their place. Pictures of other shapes stay
/// as they are, and so does what stands beside the board or is no piece.
pub fn marked(before: &str, now: &str) -> String {
    let mut before = before.lines();
    let lines = now.lines().map(|line| match before.next() {
        Some(old) if old.chars().count() == line.chars().count() => marked_line(old, line),
        _ => line.into(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn marked_line(old: &str, line: &str) -> String {
    let (Some(begin), Some(end)) = (line.find('|'), line.rfind('|')) else { return line.into() };
    let mut text = String::new();
    for ((at, letter), other) in line.char_indices().zip(old.chars()) {
        let is_piece = (begin..end).contains(&at) && letter.is_ascii_alphanumeric();
        if is_piece && letter != other { text += &style::piece(letter) } else { text.push(letter) }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_pieces_stand_out_and_nothing_else() {
        let shown = marked("a | . x | Black 1\nb", "a | x + | Black 2\nc");
        assert_eq!(shown, format!("a | {} + | Black 2\nc", style::piece('x')));
        assert_eq!(marked("a | . |", "a | . x |"), "a | . x |");
    }
}
