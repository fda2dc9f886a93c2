//! `yomikiri puzzle`: positions of a table with one right move.

use std::sync::Arc;

use clap::Args;
use yomikiri_answer::{Oracle, Puzzle, Wanted, draw_puzzles};
use yomikiri_rules::{AnyGame, Value, ValueCodec, with_game};
use yomikiri_solve::Solvable;
use yomikiri_table::name;

use super::Done;
use super::error::Failure;
use super::open::open_or_advise;
use super::output::{grouped, note, print, print_json};
use super::progress::TerminalProgress;
use super::quiz;
use super::settings::Tables;

/// Positions of a table with one right move, drawn at random
#[derive(Args)]
pub struct Arguments {
    /// Rule code, as bin4x4
    code: String,

    /// Positions won in exactly N plies, and by one move alone; required unless the game has scores
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    plies: Option<u16>,

    /// In games with scores: one move has a better outcome than all others, by M points or more [default: 1]
    #[arg(long, value_name = "M", conflicts_with = "plies", value_parser = clap::value_parser!(u8).range(1..=128))]
    margin: Option<u8>,

    /// How many
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1000))]
    count: u16,

    /// Other seeds draw other positions
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    #[command(flatten)]
    tables: Tables,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Ask for the moves: answers on standard input
    #[arg(long, conflicts_with = "json")]
    quiz: bool,
}

pub fn run(arguments: Arguments) -> Done {
    with_game!(AnyGame::parse(&arguments.code)?, game => show(&game, arguments))
}

fn show<G: Solvable>(game: &G, arguments: Arguments) -> Done {
    let Arguments { plies, margin, count, seed, tables, json, quiz, .. } = arguments;
    let wanted = wanted(game, plies, margin)?;
    let location = tables.location()?;
    let table = open_or_advise(game, &location, &name::whole(location.path(), &game.code()), None)?;
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

/// What is asked for, if it suits the game's kind of values.
fn wanted<G: Solvable>(game: &G, plies: Option<u16>, margin: Option<u8>) -> Result<Wanted, Failure> {
    let scores = G::Value::CODEC == ValueCodec::Score;
    let refused = |problem: &str| Err(Failure::Request(format!("{}: {problem}", &game.code())));
    let wanted = match (plies, margin) {
        (None, None) if !scores => return refused("--plies N is missing: it says how far away the win is"),
        (Some(plies), _) => Wanted::Plies(plies),
        (None, margin) => Wanted::Margin(margin.unwrap_or(1)),
    };
    match wanted {
        wanted if wanted.suits(G::Value::CODEC) => Ok(wanted),
        Wanted::Plies(_) => {
            refused("--plies: values are scores, which tell no distance to the end; --margin M is for them")
        }
        Wanted::Margin(_) => {
            refused("--margin: values tell the distance to the end, not a score; --plies N is for them")
        }
    }
}

/// Says that there are fewer puzzles than asked for; none at all is a failure.
fn report_number<G: Solvable>(game: &G, wanted: Wanted, asked: u64, found: usize) -> Done {
    let code = game.code();
    if found == 0 {
        let what = match wanted {
            Wanted::Plies(plies) => format!("no position is won in exactly {plies} plies by one move alone"),
            Wanted::Margin(margin) => {
                format!("no position has a move with a better outcome than all others, {margin} points ahead of them")
            }
        };
        return Err(Failure::Work(format!("{code}: {what}")));
    }
    if (found as u64) < asked {
        note(&format!("{code}: such positions in the table: {found}, asked for: {}", grouped(asked)));
    }
    Ok(())
}

/// All puzzles, then all solutions.
fn text<G: Solvable>(game: &G, puzzles: &[Puzzle<G>]) -> String {
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
