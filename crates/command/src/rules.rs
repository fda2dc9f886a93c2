//! `yomikiri rules`: lists the games, or explains a rule code.

use clap::Args;
use yomikiri_answer::{GameList, RulesReport};
use yomikiri_rules::{AnyGame, FAMILIES, Game, Presentation};

use super::CommandResult;
use super::output::{print, print_json};

/// List the games and the form of their codes, or explain one code
#[derive(Args)]
pub struct Arguments {
    /// Rule code, such as bin4x4
    code: Option<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: Arguments) -> CommandResult {
    let Some(code) = arguments.code else { return list(arguments.json) };
    explain(&AnyGame::parse(&code)?, arguments.json)
}

fn list(json: bool) -> CommandResult {
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

fn explain(game: &AnyGame, json: bool) -> CommandResult {
    if json {
        return print_json(&RulesReport::of(game));
    }
    let settings = game.settings();
    // The name of the game is printed first, because some codes look like ordinary words.
    let (game_of_code, others) = settings.split_first().expect("the first setting is the name of the game");
    let code = ("shortest code", game.code());
    let same_game = Some(("same game as", game.representative_code())).filter(|(_, same)| *same != game.code());
    let settings = [game_of_code, &code].into_iter().chain(&same_game).chain(others);
    let settings = settings.map(|(name, value)| format!("{name:22}{value}"));
    let formats =
        game.family().formats.named().map(|(name, formats)| format!("{:22}{formats}", format!("reads {name}")));
    let mut text = settings.chain(formats).collect::<Vec<_>>().join("\n");
    if let Some(pictures) = game.rule_diagrams() {
        text += &format!("\n\n{pictures}");
    }
    print(&format!("{text}\n\n{}", game.board_text(&game.start())))
}
