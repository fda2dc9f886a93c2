//! The few colours of a game; where there are none they vanish on the way out.

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
pub fn piece(letter: char) -> String {
    paint(Style::new().bold().fg_color(Some(AnsiColor::Cyan.into())), &letter.to_string())
}

fn paint(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}
