//! `yomikiri query`: the value of a position and of its moves.

mod batch;

use clap::Args;
use yomikiri_answer::{Answerer, Detail, MoveReport, Points, QueryReport, Trust};
use yomikiri_rules::{AnyGame, Measure, with_game};
use yomikiri_solve::Solvable;

use super::error::Failure;
use super::open::no_answer;
use super::output::{note, print, print_json};
use super::progress::TerminalProgress;
use super::settings::{Tables, Threads, last_sentence, parse_memory, verdict};
use super::{Done, settings};

/// Value of a position and every legal move, best first
///
/// With - for the position, lines are read from standard input, a position or a key each, and a line of JSON is written
/// for each, in the same order: an answer, or {"error":"..."}.
#[derive(Args)]
pub struct Arguments {
    /// Rule code, as bin4x4
    code: String,

    /// Position (startpos, an SFEN, a key as @41600, a board or a transcript), or one with moves after it; - for many
    #[arg(value_parser = settings::position_argument, allow_hyphen_values = true, default_value = "startpos")]
    position: String,

    #[command(flatten)]
    tables: Tables,

    /// Memory for a search where no table reaches [default: 1G, or what the machine has]
    #[arg(long, value_name = "SIZE", value_parser = parse_memory)]
    memory: Option<u64>,

    /// Of many positions tell key and value alone, without their moves
    #[arg(long)]
    brief: bool,

    /// Of many positions: read the table into memory first, if it is one of whole boards
    #[arg(long)]
    resident: bool,

    #[command(flatten)]
    threads: Threads,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: Arguments) -> Done {
    with_game!(AnyGame::parse(&arguments.code)?, game => answer(&game, arguments))
}

fn answer<G: Solvable>(game: &G, arguments: Arguments) -> Done {
    let Arguments { position, tables, memory, json, brief, resident, threads, .. } = arguments;
    let memory = settings::memory(memory, 1 << 30)?;
    threads.apply()?;
    let location = tables.location()?;
    let mut answerer = Answerer::new(game, &location);
    if position == "-" {
        answerer.set_resident(resident);
        return batch::answer(&mut answerer, if brief { Detail::Value } else { Detail::Moves }, memory);
    }
    if brief {
        return Err(Failure::Request("--brief is for many positions: write - for the position".into()));
    }
    if resident {
        return Err(Failure::Request("--resident is for many positions: write - for the position".into()));
    }
    let position = game.parse_position(&position)?;
    let progress = TerminalProgress::new(false);
    let mut report = QueryReport::ask(&mut answerer, &position, memory, &progress)
        .map_err(|error| no_answer(&answerer, &position, error))?;
    report.points = Points::of(game, &location, &position).unwrap_or_else(|error| {
        note(&format!("{error}; the points are left out"));
        None
    });
    if json {
        return print_json(&report);
    }
    let board = game.board_text(&position);
    let mut text = if board.ends_with(&report.position) { board } else { format!("{board}\n{}", report.position) };
    text += &format!("\n{}.", verdict_of(game, &position, &report));
    if let Some(Points { winner, measure, beyond, .. }) = &report.points {
        text += &format!("\nPlayed for points: {}.", verdict(*winner, *measure, false, *beyond));
    }
    for (mv, number) in report.moves.iter().zip(1..) {
        text += &format!("\n{number:>4}. {}", line(mv));
    }
    print(&text)
}

/// Who wins, and how that is known where it is not exact.
fn verdict_of<G: Solvable>(game: &G, position: &G::Position, report: &QueryReport) -> String {
    match (game.terminal_value(position), report.certificate, report.winner) {
        (Some(value), ..) => last_sentence(game, position, value),
        (None, Some(Trust::Checked), Some(winner)) => format!("{winner} wins, by a certificate"),
        (None, Some(Trust::Unchecked), Some(winner)) => {
            format!("{winner} wins, by an unchecked certificate (yomikiri check)")
        }
        _ => verdict(report.winner, report.measure, false, G::BEYOND_POINTS),
    }
}

/// "1a2b win  in  5   " and the position after it; an outcome that is not known is a question mark.
fn line(mv: &MoveReport) -> String {
    let measure = match mv.measure {
        Measure::Distance { plies } => plies.map_or(String::new(), |plies| format!(" in {:>2}", plies.0)),
        Measure::Score { score } => format!(" {score:+3}"),
    };
    let outcome = mv.outcome.map_or("?".into(), |outcome| outcome.to_string());
    format!("{:4} {outcome:4}{measure}   {}", mv.mv, mv.position)
}
