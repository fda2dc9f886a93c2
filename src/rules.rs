//! `yomikiri rules`: which games there are and what a code means.

use clap::Args;
use yomikiri_answer::{GameList, RulesReport};
use yomikiri_rules::{AnyGame, FAMILIES, Game, with_game};

use super::Done;
use super::output::{print, print_json};

/// Games and how codes are written; with a code, what it means
#[derive(Args)]
pub struct Arguments {
    /// Rule code, as bin4x4
    code: Option<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: Arguments) -> Done {
    let Some(code) = arguments.code else { return list(arguments.json) };
    with_game!(AnyGame::parse(&code)?, game => explain(&game, arguments.json))
}

fn list(json: bool) -> Done {
    if json {
        return print_json(&GameList::of(FAMILIES));
    }
    let width = FAMILIES.iter().map(|family| family.name.len()).max().unwrap_or(0);
    for family in FAMILIES {
        print(&format!("{:width$} {}   for example {}", family.name, family.codes, family.example))?;
        for line in family.explanation {
            print(&format!("{:width$} {line}", ""))?;
        }
    }
    Ok(())
}

fn explain(game: &impl Game, json: bool) -> Done {
    if json {
        return print_json(&RulesReport::of(game));
    }
    let settings = game.settings();
    // The game comes first: some codes could be words.
    let (game_of_code, others) = settings.split_first().expect("every game names itself first");
    let code = ("shortest code", game.code());
    let same_game = Some(("same game as", game.same_game())).filter(|(_, same)| *same != game.code());
    let lines = [game_of_code, &code]
        .into_iter()
        .chain(&same_game)
        .chain(others)
        .map(|(name, value)| format!("{name:22}{value}"));
    let mut text = lines.collect::<Vec<_>>().join("\n");
    if let Some(pictures) = game.rule_pictures() {
        text += &format!("\n\n{pictures}");
    }
    print(&format!("{text}\n\n{}", game.board_text(&game.start())))
}
