//! `yomikiri encode`: the key of a position.

use std::io::Read;

use clap::Args;
use yomikiri_answer::KeyText;
use yomikiri_rules::games::animal_shogi::text;
use yomikiri_rules::{AnyGame, Game, Notation};

use super::CommandResult;
use super::error::Failure;
use super::output::print;
use super::settings::PositionWords;

/// The longest board text that is read, in bytes.
const LONGEST: u64 = 4096;

/// Print the key of a position, such as @41600
///
/// Positions that are equal by the symmetries of the game have the same key; yomikiri decode shows the canonical one.
/// Every subcommand takes a key for a position.
///
/// Without a rule code, a board of animal shogi is read from standard input, in the form that decode prints: four rows
/// and a line of pieces in hand. Its 15 hexadecimal digits are printed. The lines may also be separated by \n written
/// out, as echo leaves it in some shells.
#[derive(Args)]
pub struct Arguments {
    /// Rule code, such as bin4x4
    code: Option<String>,

    #[command(flatten)]
    position: PositionWords,

    /// Animal shogi: print the digits of this board, even if those of its mirror image are smaller
    #[arg(long, conflicts_with = "code")]
    as_is: bool,
}

pub fn run(arguments: Arguments) -> CommandResult {
    match arguments.code {
        Some(code) => encode(&AnyGame::parse(&code)?, arguments.position.text().as_deref().unwrap_or("startpos")),
        None => encode_board(arguments.as_is),
    }
}

fn encode(game: &AnyGame, position: &str) -> CommandResult {
    let position = game.parse_position(position)?;
    let none = || Failure::request(format!("{}: positions of this board have no keys", game.code()));
    print(&KeyText::of(game, &position).ok_or_else(none)?.to_string())
}

/// Reads a board of animal shogi from standard input and prints its key. If `as_is` is true, prints the key of exactly
/// this board, otherwise the canonical key.
fn encode_board(as_is: bool) -> CommandResult {
    let mut lines = String::new();
    let read = std::io::stdin().take(LONGEST + 1).read_to_string(&mut lines);
    read.map_err(|error| Failure::work(error).named("standard input"))?;
    if lines.len() as u64 > LONGEST {
        return Err(Failure::request(format!("standard input: longer than {LONGEST} bytes")));
    }
    let board = text::board_of_lines(&lines.replace("\\n", "\n"))?;
    let key = if as_is { board.key() } else { board.canonical_key() };
    print(&format!("{key:015x}"))
}
