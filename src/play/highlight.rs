//! The few colours of a game, and boards on which what has just changed stands out. Where there are no colours they
//! vanish on the way out.

use clap::builder::styling::{AnsiColor, Style};

/// What has happened, and who is to move.
pub fn strong(text: &str) -> String {
    paint(Style::new().bold(), text)
}

/// Remarks.
pub fn faint(text: &str) -> String {
    paint(Style::new().dimmed(), text)
}

/// A piece that has just come to its place.
fn piece(letter: char) -> String {
    paint(Style::new().bold().fg_color(Some(AnsiColor::Cyan.into())), &letter.to_string())
}

fn paint(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// The picture with those letters in a colour that the picture before had not in their place. Pictures of other shapes
/// stay as they are, and so does what stands beside the board or is no piece.
pub fn changes(before: &str, now: &str) -> String {
    let mut before = before.lines();
    let lines = now.lines().map(|line| match before.next() {
        Some(old) if old.chars().count() == line.chars().count() => line_changes(old, line),
        _ => line.into(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn line_changes(old: &str, line: &str) -> String {
    let (Some(begin), Some(end)) = (line.find('|'), line.rfind('|')) else { return line.into() };
    let mut text = String::new();
    for ((at, letter), other) in line.char_indices().zip(old.chars()) {
        let is_piece = (begin..end).contains(&at) && letter.is_ascii_alphanumeric();
        if is_piece && letter != other { text += &piece(letter) } else { text.push(letter) }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_pieces_stand_out_and_nothing_else() {
        let shown = changes("a | . x | Black 1\nb", "a | x + | Black 2\nc");
        assert_eq!(shown, format!("a | {} + | Black 2\nc", piece('x')));
        assert_eq!(changes("a | . |", "a | . x |"), "a | . x |");
    }
}
