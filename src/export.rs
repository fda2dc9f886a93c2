//! `yomikiri export`: tables as plain files, and as columns for data frames.

use std::ops::RangeInclusive;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
#[cfg(feature = "data")]
use yomikiri_answer::{ByGame, DataExported, DataForm, Selection};
use yomikiri_answer::{Exported, Form};
use yomikiri_rules::{AnyGame, Outcome, Value, with_game};
use yomikiri_solve::Solvable;
use yomikiri_table::{Location, Table, name};

use super::Done;
use super::error::Failure;
use super::open::open_or_advise;
#[cfg(feature = "data")]
use super::output::note;
use super::output::{grouped, print, shown};
use super::progress::TerminalProgress;
use super::settings::{TablesFolder, Threads, sentence};

/// Write a table as plain files
///
/// Parquet, CSV and JSON lines have a row for every position, ascending by key, and a column for everything that is
/// known of it (docs/data.md); --ply, --outcome and --sample leave rows out.
#[derive(Args)]
pub struct Arguments {
    /// Rule code, as bin4x4
    code: String,

    /// Form of the export; the file is r_CODE_FORM, with columns r_CODE.FORM
    #[arg(long, value_name = "FORM", value_parser = forms())]
    to: To,

    /// Only positions of these plies, as 7 or 4-8
    #[arg(long, value_name = "PLIES", value_parser = parse_plies)]
    ply: Option<RangeInclusive<u32>>,

    /// Only positions with this outcome for the side to move
    #[arg(long, value_parser = outcomes())]
    outcome: Option<Outcome>,

    /// Only so many positions, drawn at random, the same ones each time
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,

    #[command(flatten)]
    tables: TablesFolder,

    #[command(flatten)]
    threads: Threads,
}

/// What a table is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum To {
    Plain(Form),
    #[cfg(feature = "data")]
    Data(DataForm),
}

/// All forms with name and description.
fn all_forms() -> Vec<(To, &'static str, &'static str)> {
    let forms = Form::ALL.into_iter().map(|form| (To::Plain(form), form.name(), form.about()));
    #[cfg(feature = "data")]
    let forms = forms.chain(DataForm::ALL.into_iter().map(|form| (To::Data(form), form.name(), form.about())));
    forms.collect()
}

/// Reads the name of a form.
fn forms() -> impl TypedValueParser<Value = To> {
    let values = all_forms().into_iter().map(|(_, name, about)| PossibleValue::new(name).help(about));
    let form = |name: String| {
        let form = all_forms().into_iter().find(|(_, known, _)| *known == name);
        form.expect("only names are possible").0
    };
    PossibleValuesParser::new(values).map(form)
}

/// Reads an outcome.
fn outcomes() -> impl TypedValueParser<Value = Outcome> {
    PossibleValuesParser::new(["win", "draw", "loss"]).map(|name| match name.as_str() {
        "win" => Outcome::Win,
        "draw" => Outcome::Draw,
        _ => Outcome::Loss,
    })
}

/// Reads a ply or the first and the last of several.
fn parse_plies(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let ply = |text: &str| match text.parse() {
        Ok(ply) if text.bytes().all(|letter| letter.is_ascii_digit()) => Ok(ply),
        _ => Err("write a ply, as 7, or the first and the last, as 4-8".to_owned()),
    };
    let plies = ply(first)?..=ply(last)?;
    if plies.is_empty() { Err("the last ply comes before the first".into()) } else { Ok(plies) }
}

pub fn run(arguments: Arguments) -> Done {
    arguments.threads.apply()?;
    let any = AnyGame::parse(&arguments.code)?;
    match arguments.to {
        To::Plain(form) => with_game!(&any, game => export(game, &any, form, arguments)),
        #[cfg(feature = "data")]
        To::Data(form) => with_game!(&any, game => export_data(game, form, arguments)),
    }
}

fn export<G: Solvable>(game: &G, any: &AnyGame, to: Form, arguments: Arguments) -> Done {
    let (code, form) = (game.code(), to.name());
    if !to.suits(any) {
        return Err(Failure::Request(format!("{code}: only animal shogi has the form {form}; {code} has gz")));
    }
    if arguments.ply.is_some() || arguments.outcome.is_some() || arguments.sample.is_some() {
        return Err(Failure::Request(format!(
            "{form} has all positions: --ply, --outcome and --sample do not suit it"
        )));
    }
    let folder = arguments.tables.folder()?;
    let location = Location::from(folder.as_path());
    let table = open_or_advise(game, &location, &name::whole(&folder, &code), None)?;
    if to.follows_second_player() {
        second_player_wins(game, &table, to)?;
    }
    let Exported { positions, files } =
        yomikiri_answer::export(any, &table, to, &folder, &TerminalProgress::new(false))?;
    let files: Vec<_> = files.iter().map(|path| shown(path)).collect();
    print(&format!("{} positions\n{}", grouped(positions), files.join("\n")))
}

#[cfg(feature = "data")]
fn export_data<G: Solvable + ByGame>(game: &G, form: DataForm, arguments: Arguments) -> Done {
    let (code, folder) = (game.code(), arguments.tables.folder()?);
    let selection = Selection { plies: arguments.ply, outcome: arguments.outcome, sample: arguments.sample };
    if let Some(problem) = selection.refusal::<G>() {
        return Err(Failure::Request(format!("--ply: {code}: {problem}")));
    }
    let location = Location::from(folder.as_path());
    let table = open_or_advise(game, &location, &name::whole(&folder, &code), None)?;
    let path = folder.join(format!("r_{code}.{}", form.name()));
    let progress = TerminalProgress::new(false);
    let DataExported { rows, without_points } =
        yomikiri_answer::export_data(game, &table, &location, &path, form, &selection, &progress)?;
    print(&format!("{} rows\n{}", grouped(rows), shown(&path)))?;
    if let Some(points) = without_points {
        note(&format!("how games end and by how many points is left out: yomikiri analyze {points} tells that"));
    }
    Ok(())
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
