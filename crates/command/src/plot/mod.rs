//! `yomikiri plot`: draws counts of a table.
//!
//! `outcomes`, `spread` and `branching` make pictures of counts; `picture` defines and draws pictures.

mod branching;
mod outcomes;
mod picture;
mod spread;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use picture::Picture;
use yomikiri_answer::{Dimension, GroupedCounts};
use yomikiri_rules::{AnyGame, Game, ValueCodec};
use yomikiri_solve::Solvable;
use yomikiri_table::{PartFile, Replaceable, Table};

use super::error::Failure;
use super::open::open_or_advise;
use super::output::{print, shown};
use super::progress::TerminalProgress;
use super::settings::TablesOption;
use super::{CommandResult, output_file};

/// Draw counts of a finished table as SVG
#[derive(Args)]
pub struct Arguments {
    /// Rule code, such as bin4x4
    code: String,

    /// Kind of picture [default: outcomes, distances in games that can repeat]
    #[arg(long, value_name = "WHAT")]
    what: Option<What>,

    /// File to write [default: r_CODE_WHAT.svg in the first folder of tables]
    #[arg(long, value_name = "FILE")]
    to: Option<PathBuf>,

    #[command(flatten)]
    tables: TablesOption,

    /// Replace a file that is not a picture of this command
    #[arg(long)]
    force: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum What {
    /// Winners ply by ply, and the number of positions of each ply
    Outcomes,
    /// Positions by plies to the end
    Distances,
    /// Positions by score
    Scores,
    /// Legal moves ply by ply; looks at every position
    Branching,
}

impl What {
    fn name(self) -> &'static str {
        match self {
            What::Outcomes => "outcomes",
            What::Distances => "distances",
            What::Scores => "scores",
            What::Branching => "branching",
        }
    }

    /// Returns the reason why the game has no counts for this kind of picture, or `None` if it has them.
    fn refusal(self, game: &AnyGame) -> Option<&'static str> {
        match self {
            What::Outcomes => Dimension::Ply.refusal(game),
            What::Distances => Dimension::Plies.refusal(game),
            What::Scores => Dimension::Score.refusal(game),
            What::Branching => None,
        }
    }
}

pub fn run(Arguments { code, what, to, tables, force }: Arguments) -> CommandResult {
    let game = &AnyGame::parse(&code)?;
    let (code, location) = (game.code(), tables.location()?);
    let what = what.unwrap_or(if game.is_cyclic() { What::Distances } else { What::Outcomes });
    if let Some(why) = what.refusal(game) {
        return Err(Failure::request(format!("--what {}: {code}: {why}", what.name())));
    }
    let name = format!("r_{code}_{}.svg", what.name());
    // The default file is in the first folder of tables, or in the current folder if the first place is an address.
    let beside = || if location.manifest().is_none() { location.path().join(&name) } else { PathBuf::from(&name) };
    let file = to.unwrap_or_else(beside);
    let table = open_or_advise(game, &location)?;
    let replace = Replaceable::own("a picture of yomikiri plot", picture::is_picture).unless_forced(force);
    output_file::check(&file, &replace)?;
    let svg = picture_of(game, &table, what)?.svg()?;
    PartFile::write(&file, svg.as_bytes(), replace)?;
    print(&shown(&file))
}

fn picture_of(game: &AnyGame, table: &Table, what: What) -> Result<Picture, Failure> {
    let count = |by: &[Dimension]| GroupedCounts::of_table(game, table, by, &TerminalProgress::new(false));
    let has_sides = Dimension::Winner.refusal(game).is_none();
    Ok(match what {
        What::Outcomes => {
            let who = if has_sides { Dimension::Winner } else { Dimension::Outcome };
            outcomes::picture(&count(&[Dimension::Ply, who])?, ply_name(game))
        }
        What::Distances => spread::distances(&count(&[Dimension::Outcome, Dimension::Plies])?),
        What::Scores => spread::scores(&count(&[Dimension::Outcome, Dimension::Score])?),
        What::Branching if game.is_cyclic() => branching::distribution(&count(&[Dimension::Moves])?),
        What::Branching => branching::by_ply(&count(&[Dimension::Ply, Dimension::Moves])?, ply_name(game)),
    })
}

/// Returns the name of the horizontal axis in pictures by ply.
fn ply_name(game: &AnyGame) -> &'static str {
    if game.codec() == ValueCodec::Score { "ply (number of discs)" } else { "ply" }
}
