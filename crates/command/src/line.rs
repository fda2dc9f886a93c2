//! `yomikiri line`: shows best play to the end, or a game in which the winner makes the moves of a certificate.

use clap::Args;
use yomikiri_answer::{Answerer, LineEnd, MoveLine, Viewed, shell};
use yomikiri_rules::{AnyGame, Game, Notation, Presentation};

use super::open::answer_failure;
use super::output::print;
use super::progress::TerminalProgress;
use super::settings::{PositionWords, TablesOption, final_sentence, parse_memory, position_or_start, sentence};
use super::suggest::tables_options;
use super::{CommandResult, settings};

/// Show best play to the end, with boards, or an example game from a certificate
#[derive(Args)]
pub struct Arguments {
    /// Rule code, such as bin4x4
    code: String,

    #[command(flatten)]
    position: PositionWords,

    #[command(flatten)]
    tables: TablesOption,

    /// Memory for a search where no table reaches [default: 1G, or what the machine has]
    #[arg(long, value_name = "SIZE", value_parser = parse_memory)]
    memory: Option<u64>,
}

pub fn run(arguments: Arguments) -> CommandResult {
    let game = &AnyGame::parse(&arguments.code)?;
    let Arguments { position, tables, memory, .. } = arguments;
    let position = position_or_start(game, position.text().as_deref())?;
    let memory = settings::memory(memory, 1 << 30)?;
    let mut text = game.board_text(&position);
    if let Some(value) = game.terminal_value(&position) {
        return print(&format!("{text}\n{}.", final_sentence(game, &position, value)));
    }
    let progress = TerminalProgress::new(false);
    let location = tables.location_or_note()?;
    let mut answerer = Answerer::new(game, &location);
    let line = answerer.line(&position, usize::MAX, memory, &progress);
    let MoveLine { steps, ends, known_by, trust, value, winner } =
        line.map_err(|error| answer_failure(&answerer, &position, error))?;
    text += &match (value, winner) {
        (Some(value), _) => format!("\n{}.", sentence(game, &position, value)),
        (None, Some(winner)) => format!(
            "\n{winner} wins, by {}. An example game from the {known_by} (not necessarily best play):",
            known_by.in_words(trust)
        ),
        (None, None) => String::new(),
    };
    let moves: Vec<_> = steps.iter().map(|&(mv, _)| mv).collect();
    for (mv, after) in &steps {
        text += &format!("\n\n{}\n{}", game.move_text(*mv), game.board_text(after));
    }
    let end = steps.last().map_or(position, |&(_, after)| after);
    text += &match game.terminal_value(&end) {
        Some(value) => format!("\n{}.", final_sentence(game, &end, value)),
        None if ends == LineEnd::Open => {
            let (code, text) = (game.code(), shell::word(&game.position_text(&end)));
            let tables = tables_options(&location);
            format!("\nThe {known_by} ends here. Ask about this position: yomikiri query {code} {text}{tables}")
        }
        None => "\nFrom here the game repeats.".into(),
    };
    text += &format!("\n\n{} moves {}", game.text_with_side(&position), game.moves_text(&moves));
    print(&text)
}
