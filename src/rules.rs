//! `yomikiri rules`: which games there are and what a code means.

use clap::Args;
use yomikiri_rules::game::Game;
use yomikiri_rules::registry::{AnyGame, FAMILIES};
use yomikiri_rules::with_game;

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
        let games: Vec<_> = FAMILIES
            .iter()
            .map(|family| serde_json::json!({ "game": family.name, "codes": family.codes, "example": family.example }))
            .collect();
        return print_json(&serde_json::json!({ "games": games }));
    }
    for family in FAMILIES {
        print(&format!("{:13} {}   for example {}", family.name, family.codes, family.example))?;
        for line in family.explanation {
            print(&format!("              {line}"))?;
        }
    }
    Ok(())
}

fn explain(game: &impl Game, json: bool) -> Done {
    let settings = game.settings();
    if json {
        let settings: serde_json::Map<_, _> =
            settings.into_iter().map(|(name, value)| (name.to_string(), value.into())).collect();
        return print_json(&serde_json::json!({ "rules": game.code(), "settings": settings }));
    }
    let mut text = format!("{:22}{}", "shortest code", game.code());
    for (name, value) in settings {
        text += &format!("\n{name:22}{value}");
    }
    if let Some(pictures) = game.rule_pictures() {
        text += &format!("\n\n{pictures}");
    }
    print(&format!("{text}\n\n{}", game.board_text(&game.start())))
}
