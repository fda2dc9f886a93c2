//! `yomikiri encode`: a board of animal shogi as a key.

use std::io::Read;

use clap::Args;
use yomikiri_rules::games::animal_shogi::text;

use super::Done;
use super::error::Failure;
use super::output::print;

/// Most bytes of a board text that are read.
const LONGEST: u64 = 4096;

/// Read a board of animal shogi and print its key
///
/// The board comes on standard input, in the form that decode prints: four rows and a line of pieces in hand. The
/// lines may also be divided by \n written out, as echo leaves it in some shells.
#[derive(Args)]
pub struct Arguments {
    /// Print the key of exactly this board, not the smaller one of the board and its mirror image
    #[arg(long)]
    as_is: bool,
}

pub fn run(arguments: Arguments) -> Done {
    let mut lines = String::new();
    let read = std::io::stdin().take(LONGEST).read_to_string(&mut lines);
    read.map_err(|error| Failure::Work(format!("standard input: {error}")))?;
    let board = text::board_of_lines(&lines.replace("\\n", "\n"))?;
    let key = if arguments.as_is { board.key() } else { board.canonical_key() };
    print(&format!("{key:015x}"))
}
