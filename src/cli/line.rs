//! `yomikiri line`: best play to the end.

use clap::Args;
use yomikiri::games::registry::{Visitor, with_game};
use yomikiri::query::Oracle;
use yomikiri::solve::Solvable;

use super::Done;
use super::bars::Bars;
use super::output::print;
use super::settings::{Tables, last_sentence, parse_memory, position_or_start, sentence};

/// Best play to the end, with boards
#[derive(Args)]
pub struct Arguments {
    /// Rule code, as bin4x4
    code: String,

    /// Position (startpos, an SFEN, a key, a board or a transcript), or one with moves after it [default: startpos]
    #[arg(allow_hyphen_values = true)]
    position: Option<String>,

    #[command(flatten)]
    tables: Tables,

    /// Memory for a search where no table reaches
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = parse_memory)]
    memory: u64,
}

pub fn run(arguments: Arguments) -> Done {
    let code = arguments.code.clone();
    with_game(&code, Line(arguments))?
}

struct Line(Arguments);

impl Visitor for Line {
    type Output = Done;

    fn visit<G: Solvable>(self, game: G) -> Done {
        let Arguments { position, tables, memory, .. } = self.0;
        let position = position_or_start(&game, position.as_deref())?;
        let mut text = game.board_text(&position);
        if let Some(value) = game.end(&position) {
            return print(&format!("{text}\n{}.", last_sentence(&game, &position, value)));
        }
        let progress = Bars::new(false);
        let oracle = Oracle::find(&game, &tables.folder(), &position, memory, &progress)?;
        let line = oracle.line(&position)?;
        let moves: Vec<_> = line.iter().map(|step| step.mv).collect();
        text += &format!("\n{}.", sentence(&game, &position, oracle.value(&position)?));
        for step in &line {
            text += &format!("\n\n{}\n{}", game.move_text(step.mv), game.board_text(&step.position));
        }
        let end = line.last().map_or(position, |step| step.position);
        text += &match game.end(&end) {
            Some(value) => format!("\n{}.", last_sentence(&game, &end, value)),
            None => "\nFrom here on the game repeats.".into(),
        };
        text += &format!("\n\n{} moves {}", game.position_text(&position), game.moves_text(&moves));
        print(&text)
    }
}
