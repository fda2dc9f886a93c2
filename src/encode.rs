//! `yomikiri encode`: a position as a key.

use std::io::Read;

use clap::Args;
use yomikiri_answer::KeyText;
use yomikiri_rules::games::animal_shogi::text;
use yomikiri_rules::{AnyGame, Game, with_game};

use super::Done;
use super::error::Failure;
use super::output::print;
use super::settings::position_argument;

/// Most bytes of a board text that are read.
const LONGEST: u64 = 4096;

/// Print the key of a position, as @41600
///
/// Positions that the symmetries of the game make equal have the same key; yomikiri decode shows the one that stands
/// for them all. Every verb takes a key for a position.
///
/// Without a rule code a board of animal shogi is read from standard input, in the form that decode prints: four rows
/// and a line of pieces in hand, and its 15 hexadecimal digits are printed. The lines may also be divided by \n written
/// out, as echo leaves it in some shells.
#[derive(Args)]
pub struct Arguments {
    /// Rule code, as bin4x4
    #[arg(requires = "position")]
    code: Option<String>,

    /// Position (startpos, an SFEN, a board or a transcript), or one with moves after it
    #[arg(value_parser = position_argument, allow_hyphen_values = true)]
    position: Option<String>,

    /// Of animal shogi: print the digits of exactly this board, not the smaller ones of the board and its mirror image
    #[arg(long, conflicts_with = "code")]
    as_is: bool,
}

pub fn run(arguments: Arguments) -> Done {
    match (arguments.code, arguments.position) {
        (Some(code), Some(position)) => with_game!(AnyGame::parse(&code)?, game => encode(&game, &position)),
        _ => encode_board(arguments.as_is),
    }
}

fn encode<G: Game>(game: &G, position: &str) -> Done {
    let position = game.parse_position(position)?;
    let none = || Failure::Request(format!("{}: positions of this board have no keys", game.code()));
    print(&KeyText::of(game, &position).ok_or_else(none)?.to_string())
}

/// The board of animal shogi on standard input.
fn encode_board(as_is: bool) -> Done {
    let mut lines = String::new();
    let read = std::io::stdin().take(LONGEST).read_to_string(&mut lines);
    read.map_err(|error| Failure::Work(format!("standard input: {error}")))?;
    let board = text::board_of_lines(&lines.replace("\\n", "\n"))?;
    let key = if as_is { board.key() } else { board.canonical_key() };
    print(&format!("{key:015x}"))
}
