//! `yomikiri export`: tables as plain files.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use yomikiri_answer::{Exported, Form};
use yomikiri_rules::{AnyGame, Outcome, Value, with_game};
use yomikiri_solve::Solvable;
use yomikiri_table::{Table, name};

use super::Done;
use super::error::Failure;
use super::open::open_or_advise;
use super::output::{grouped, print, shown};
use super::progress::TerminalProgress;
use super::settings::{TablesFolder, sentence};

/// Write a table as plain files
#[derive(Args)]
pub struct Arguments {
    /// Rule code, as bin4x4
    code: String,

    /// Form of the export; the file is r_CODE_FORM
    #[arg(long, value_name = "FORM", value_parser = forms())]
    to: Form,

    #[command(flatten)]
    tables: TablesFolder,
}

/// Reads the name of a form.
fn forms() -> impl TypedValueParser<Value = Form> {
    let value = |form: Form| PossibleValue::new(form.name()).help(form.about());
    let form = |name: String| Form::ALL.into_iter().find(|form| form.name() == name).expect("only names are possible");
    PossibleValuesParser::new(Form::ALL.map(value)).map(form)
}

pub fn run(arguments: Arguments) -> Done {
    let any = AnyGame::parse(&arguments.code)?;
    with_game!(&any, game => export(game, &any, arguments))
}

fn export<G: Solvable>(game: &G, any: &AnyGame, Arguments { to, tables, .. }: Arguments) -> Done {
    let code = game.code();
    if !to.suits(any) {
        let form = to.name();
        return Err(Failure::Request(format!("{code}: only animal shogi has the form {form}; {code} has gz")));
    }
    let folder = tables.folder()?;
    let table = open_or_advise(game, &folder.as_path().into(), &name::whole(&folder, &code), None)?;
    if to.follows_second_player() {
        second_player_wins(game, &table, to)?;
    }
    let Exported { positions, files } =
        yomikiri_answer::export(any, &table, to, &folder, &TerminalProgress::new(false))?;
    let files: Vec<_> = files.iter().map(|path| shown(path)).collect();
    print(&format!("{} positions\n{}", grouped(positions), files.join("\n")))
}

/// Refuses games without a winning second player.
fn second_player_wins<G: Solvable>(game: &G, table: &Table, to: Form) -> Done {
    let start = game.start();
    let stored = game.probe(table, &start)?;
    let value = stored.ok_or_else(|| table.damaged("has no value for its first position"))?;
    if value.outcome() == Outcome::Loss {
        return Ok(());
    }
    let result = sentence(game, &start, value);
    let (code, form) = (game.code(), to.name());
    Err(Failure::Work(format!("{code}: {form} is the second player's way to win, but from the start: {result}")))
}
