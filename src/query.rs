//! `yomikiri query`: the value of a position and of its moves.

use clap::Args;
use yomikiri_answer::{Answer, Certificates, JudgedMove, Knower, QueryReport};
use yomikiri_rules::game::Game;
use yomikiri_rules::registry::AnyGame;
use yomikiri_rules::value::{Measure, Outcome, Value};
use yomikiri_rules::with_game;
use yomikiri_solve::Solvable;

use super::Done;
use super::output::{print, print_json};
use super::progress::TerminalProgress;
use super::settings::{Tables, last_sentence, parse_memory, sentence};

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

    /// Memory for a search where no table reaches
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = parse_memory)]
    memory: u64,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: Arguments) -> Done {
    with_game!(AnyGame::parse(&arguments.code)?, game => answer(&game, arguments))
}

fn answer<G: Solvable>(game: &G, arguments: Arguments) -> Done {
    let Arguments { position, tables, memory, json, .. } = arguments;
    let position = game.parse_position(&position)?;
    if let Some(value) = game.end(&position) {
        return show(game, &position, &Answer { value, moves: Vec::new() }, json);
    }
    let progress = TerminalProgress::new(false);
    match Knower::find(game, &tables.folder(), &position, memory, &progress)? {
        Knower::Exact(oracle) => show(game, &position, &oracle.answer(&position)?, json),
        Knower::Certified(certificates) => show_certified(game, &position, &certificates, json),
    }
}

fn show<G: Game>(game: &G, position: &G::Position, answer: &Answer<G>, json: bool) -> Done {
    if json {
        return print_json(&QueryReport::exact(game, position, answer));
    }
    let mut text = picture(game, position);
    let verdict = if game.end(position).is_some() { last_sentence } else { sentence };
    text += &format!("\n{}.", verdict(game, position, answer.value));
    for (at, mv) in answer.moves.iter().enumerate() {
        let measure = match mv.value.measure() {
            Measure::Distance { plies } => plies.map_or(String::new(), |plies| format!(" in {:>2}", plies.0)),
            Measure::Score { score } => format!(" {score:+3}"),
        };
        let name = game.move_text(mv.mv);
        text += &format!(
            "\n{:>4}. {name:4} {:4}{measure}   {}",
            at + 1,
            mv.value.outcome(),
            game.position_text(&mv.position)
        );
    }
    print(&text)
}

/// The board and the text of the position under it.
fn picture<G: Game>(game: &G, position: &G::Position) -> String {
    let (board, name) = (game.board_text(position), game.position_text(position));
    if board.ends_with(&name) { board } else { format!("{board}\n{name}") }
}

/// Who wins, where a certificate knows it and nothing knows how soon.
fn show_certified<G: Solvable>(game: &G, position: &G::Position, certificates: &Certificates<G>, json: bool) -> Done {
    if json {
        return print_json(&QueryReport::certified(game, position, certificates));
    }
    let (winner, to_move) = (certificates.winner(position), game.side(position));
    let mut text = picture(game, position);
    text += &winner.map_or(String::new(), |winner| format!("\n{winner} wins, by a certificate."));
    for (at, JudgedMove { mv, position, winner }) in certificates.moves(position).iter().enumerate() {
        let outcome = winner.map(|winner| Outcome::of_winner(Some(winner), to_move));
        let outcome = outcome.map_or("?".into(), |outcome| outcome.to_string());
        text += &format!("\n{:>4}. {:4} {outcome:4}   {}", at + 1, game.move_text(*mv), game.position_text(position));
    }
    print(&text)
}
