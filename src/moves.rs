//! `yomikiri moves`: the legal moves of a position.

use std::collections::HashSet;

use clap::Args;
use serde::Serialize;
use yomikiri_rules::registry::AnyGame;
use yomikiri_rules::with_game;
use yomikiri_solve::Solvable;

use super::Done;
use super::output::{print, print_json};
use super::settings::position_or_start;

/// Legal moves of a position
#[derive(Args)]
pub struct Arguments {
    /// Rule code, as bin4x4
    code: String,

    /// Position (startpos, an SFEN, a key, a board or a transcript), or one with moves after it [default: startpos]
    #[arg(allow_hyphen_values = true)]
    position: Option<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: Arguments) -> Done {
    with_game!(AnyGame::parse(&arguments.code)?, game => list(&game, arguments))
}

#[derive(Serialize)]
struct Json {
    moves: Vec<JsonMove>,
}

#[derive(Serialize)]
struct JsonMove {
    #[serde(rename = "move")]
    mv: String,
    position: String,
}

fn list<G: Solvable>(game: &G, arguments: Arguments) -> Done {
    let position = position_or_start(game, arguments.position.as_deref())?;
    let mut moves = Vec::new();
    game.moves(&position, &mut moves);
    let children: Vec<_> = moves.iter().map(|&mv| (game.move_text(mv), game.play(&position, mv))).collect();
    if arguments.json {
        let moves = children.into_iter().map(|(mv, child)| JsonMove { mv, position: game.position_text(&child) });
        return print_json(&Json { moves: moves.collect() });
    }
    let mut text = game.board_text(&position);
    if game.end(&position).is_some() {
        return print(&format!("{text}\nThe game is over."));
    }
    text += "\nDistinct  All  Move";
    let mut seen = HashSet::new();
    for (at, (mv, child)) in children.iter().enumerate() {
        let distinct = if seen.insert(*child) { seen.len().to_string() } else { String::new() };
        text += &format!("\n{distinct:>8} {:>4}  {mv:4}  {}", at + 1, game.position_text(child));
    }
    print(&text)
}
