//! `yomikiri moves`: lists the legal moves of a position.

use std::collections::HashSet;

use clap::Args;
use yomikiri_answer::{LegalMove, LegalMoves};
use yomikiri_rules::{AnyGame, Game, Presentation};

use super::CommandResult;
use super::output::{print, print_json};
use super::settings::{PositionWords, position_or_start};

/// List the legal moves of a position
#[derive(Args)]
pub struct Arguments {
    /// Rule code, such as bin4x4
    code: String,

    #[command(flatten)]
    position: PositionWords,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: Arguments) -> CommandResult {
    let game = &AnyGame::parse(&arguments.code)?;
    let position = position_or_start(game, arguments.position.text().as_deref())?;
    let legal = LegalMoves::of(game, &position);
    if arguments.json {
        return print_json(&legal);
    }
    let mut text = game.board_text(&position);
    if game.terminal_value(&position).is_some() {
        return print(&format!("{text}\nThe game is over."));
    }
    text += "\nDistinct  All  Move";
    let moves = game.legal_moves(&position);
    let mut seen = HashSet::new();
    for ((LegalMove { mv, position: after, .. }, &legal), number) in legal.moves.iter().zip(&moves).zip(1..) {
        let distinct = if seen.insert(game.play(&position, legal)) { seen.len().to_string() } else { String::new() };
        text += &format!("\n{distinct:>8} {number:>4}  {mv:4}  {after}");
    }
    print(&text)
}
