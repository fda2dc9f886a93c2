//! `yomikiri query`: the value of a position and of its moves.

use clap::Args;
use yomikiri_answer::{Answer, Answerer, Found, MoveReport, QueryReport};
use yomikiri_rules::{AnyGame, Measure, with_game};
use yomikiri_solve::Solvable;

use super::output::{print, print_json};
use super::progress::TerminalProgress;
use super::settings::{Tables, last_sentence, parse_memory, sentence};
use super::{Done, settings};

/// Value of a position and every legal move, best first
#[derive(Args)]
pub struct Arguments {
    /// Rule code, as bin4x4
    code: String,

    /// Position (startpos, an SFEN, a key, a board or a transcript), or one with moves after it
    #[arg(allow_hyphen_values = true)]
    position: String,

    #[command(flatten)]
    tables: Tables,

    /// Memory for a search where no table reaches [default: 1G, or what the machine has]
    #[arg(long, value_name = "SIZE", value_parser = parse_memory)]
    memory: Option<u64>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: Arguments) -> Done {
    with_game!(AnyGame::parse(&arguments.code)?, game => answer(&game, arguments))
}

fn answer<G: Solvable>(game: &G, arguments: Arguments) -> Done {
    let Arguments { position, tables, memory, json, .. } = arguments;
    let (position, memory) = (game.parse_position(&position)?, settings::memory(memory, 1 << 30)?);
    let (report, verdict) = match game.terminal_value(&position) {
        Some(value) => {
            let answer = Answer { value, moves: Vec::new() };
            (QueryReport::exact(game, &position, &answer), Some(last_sentence(game, &position, value)))
        }
        None => {
            let progress = TerminalProgress::new(false);
            let mut answerer = Answerer::new(game, tables.folder());
            match answerer.find(&position, memory, &progress)? {
                Found::Exact(oracle) => {
                    let answer = oracle.answer(&position)?;
                    let verdict = sentence(game, &position, answer.value);
                    (QueryReport::exact(game, &position, &answer), Some(verdict))
                }
                Found::Certified(certificates) => {
                    let winner = certificates.winner(&position)?;
                    let is_checked = certificates.is_checked(&position)?;
                    let by = if is_checked { "a certificate" } else { "an unchecked certificate (yomikiri check)" };
                    let verdict = winner.map(|winner| format!("{winner} wins, by {by}"));
                    let moves = answerer.judge(&position, &progress)?;
                    (QueryReport::certified(game, &position, winner, is_checked, &moves), verdict)
                }
            }
        }
    };
    if json {
        return print_json(&report);
    }
    let board = game.board_text(&position);
    let mut text = if board.ends_with(&report.position) { board } else { format!("{board}\n{}", report.position) };
    text += &verdict.map_or(String::new(), |verdict| format!("\n{verdict}."));
    for (mv, number) in report.moves.iter().zip(1..) {
        text += &format!("\n{number:>4}. {}", line(mv));
    }
    print(&text)
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
