//! Styles for the texts of `yomikiri play`, and boards with the latest changes highlighted. The texts contain escape
//! codes for styles and colours. `terminal` removes the codes if the output is not a terminal with colours.

use clap::builder::styling::{AnsiColor, Style};

/// Formats a text in bold, the style of events, such as a move, and of the prompt.
pub fn strong(text: &str) -> String {
    paint(Style::new().bold(), text)
}

/// Formats a text in a dim colour, the style of remarks.
pub fn faint(text: &str) -> String {
    paint(Style::new().dimmed(), text)
}

/// Formats a piece that has just been placed.
fn piece(letter: char) -> String {
    paint(Style::new().bold().fg_color(Some(AnsiColor::Cyan.into())), &letter.to_string())
}

fn paint(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// Highlights the pieces in the picture `now` that differ from the characters at the same places in the picture
/// `before`. Lines whose length has changed, text beside the board, and characters that are not pieces stay as they
/// are.
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
