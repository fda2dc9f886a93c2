//! `yomikiri puzzle`: draws positions with only one right move from a table.

use std::sync::Arc;

use clap::Args;
use yomikiri_answer::{Oracle, Puzzle, PuzzleCondition, draw_puzzles};
use yomikiri_rules::{AnyGame, Game, Notation, ValueCodec};

use super::CommandResult;
use super::error::Failure;
use super::open::open_or_advise;
use super::output::{grouped, note, print, print_json};
use super::progress::TerminalProgress;
use super::quiz;
use super::settings::TablesOption;

/// Draw positions with only one right move from a table, at random
#[derive(Args)]
pub struct Arguments {
    /// Rule code, such as bin4x4
    code: String,

    /// Positions that are won in exactly N plies, by one move alone; required unless the game has scores
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    plies: Option<u16>,

    /// In games with scores: one move leads to a better outcome than all others, by at least M points [default: 1]
    #[arg(long, value_name = "M", conflicts_with = "plies", value_parser = clap::value_parser!(u8).range(1..=128))]
    margin: Option<u8>,

    /// Number of positions
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1000))]
    count: u16,

    /// Seed of the random numbers
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    #[command(flatten)]
    tables: TablesOption,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Ask for the moves, and read the answers from standard input
    #[arg(long, conflicts_with = "json")]
    quiz: bool,
}

pub fn run(arguments: Arguments) -> CommandResult {
    let game = &AnyGame::parse(&arguments.code)?;
    let Arguments { plies, margin, count, seed, tables, json, quiz, .. } = arguments;
    let wanted = wanted(game, plies, margin)?;
    let location = tables.location()?;
    let table = open_or_advise(game, &location)?;
    let positions = draw_puzzles(game, &table, wanted, count.into(), seed, &TerminalProgress::new(false))?;
    report_number(game, wanted, count.into(), positions.len())?;
    let oracle = Oracle::of_table(game, Arc::new(table));
    if quiz {
        return quiz::ask(&oracle, &positions);
    }
    let puzzles = positions.iter().map(|position| Puzzle::new(&oracle, position)).collect::<Result<Vec<_>, _>>()?;
    if json {
        return print_json(&puzzles.iter().map(|puzzle| puzzle.report(game)).collect::<Vec<_>>());
    }
    print(&text(game, &puzzles))
}

/// Returns the condition that the puzzles must meet, from `--plies` and `--margin`. It is an error if the game's values
/// do not allow that condition.
fn wanted(game: &AnyGame, plies: Option<u16>, margin: Option<u8>) -> Result<PuzzleCondition, Failure> {
    let scores = game.codec() == ValueCodec::Score;
    let refused = |problem: &str| Err(Failure::request(format!("{}: {problem}", &game.code())));
    let wanted = match (plies, margin) {
        (None, None) if !scores => return refused("--plies N is required: the number of plies to the win"),
        (Some(plies), _) => PuzzleCondition::Plies(plies),
        (None, margin) => PuzzleCondition::Margin(margin.unwrap_or(1)),
    };
    match wanted {
        wanted if wanted.suits(game.codec()) => Ok(wanted),
        PuzzleCondition::Plies(_) => refused("--plies: values are scores, not distances to the end; use --margin M"),
        PuzzleCondition::Margin(_) => refused("--margin: values are distances to the end, not scores; use --plies N"),
    }
}

/// Prints a note if fewer puzzles were found than asked for. Returns an error if none was found.
fn report_number(game: &AnyGame, wanted: PuzzleCondition, asked: u64, found: usize) -> CommandResult {
    let code = game.code();
    if found == 0 {
        let what = match wanted {
            PuzzleCondition::Plies(plies) => {
                format!("no position has a single winning move that wins in exactly {plies} plies")
            }
            PuzzleCondition::Margin(margin) => {
                format!(
                    "no position has a move that is better than all others in outcome and by at least {margin} points"
                )
            }
        };
        return Err(Failure::work(format!("{code}: {what}")));
    }
    if (found as u64) < asked {
        note(&format!("{code}: found only {found} of {} positions", grouped(asked)));
    }
    Ok(())
}

/// Formats all puzzles, then all solutions.
fn text(game: &AnyGame, puzzles: &[Puzzle]) -> String {
    let mut text = String::new();
    for (at, puzzle) in puzzles.iter().enumerate() {
        text += &format!("puzzle {}\n{}\n\n", at + 1, quiz::question(game, puzzle));
    }
    text += "solutions";
    for (at, puzzle) in puzzles.iter().enumerate() {
        text +=
            &format!("\n{:>4}. {:4} best play {}", at + 1, game.move_text(puzzle.solution()), quiz::line(game, puzzle));
    }
    text
}
