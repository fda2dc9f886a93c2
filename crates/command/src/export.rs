//! `yomikiri export`: writes tables as plain files, or as columns for data frames.

use std::ops::RangeInclusive;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
#[cfg(feature = "data")]
use yomikiri_export::{DataExported, DataFormat, OpeningRow, Selection};
use yomikiri_export::{ExportFormat, Exported};
use yomikiri_rules::{AnyGame, Game, Outcome, Value};
#[cfg(feature = "data")]
use yomikiri_search::opening::OpeningFile;
use yomikiri_solve::Solvable;
#[cfg(feature = "data")]
use yomikiri_table::{Location, name};
use yomikiri_table::{Table, disk};

use super::CommandResult;
use super::error::Failure;
use super::open::open_or_advise;
#[cfg(feature = "data")]
use super::output::note;
use super::output::{grouped, print, shown};
use super::progress::TerminalProgress;
use super::settings::{Threads, WritableTablesOption, sentence};
#[cfg(feature = "data")]
use super::suggest::{check_advice, tables_option};

/// Write a table as plain files
///
/// Parquet, CSV and JSON lines have a row for every position, ascending by key, and a column for everything that is
/// known about it (docs/data.md); --ply, --outcome and --sample select rows. --opening writes the opening of the game
/// instead of its table.
#[derive(Args)]
pub struct Arguments {
    /// Rule code, such as bin4x4
    code: String,

    /// Form of the export. The file is r_CODE.FORM for parquet, csv and jsonl, r_CODE_selection.FORM for selected rows,
    /// with _opening after CODE for --opening, and r_CODE_FORM for all others
    #[arg(long, value_name = "FORM", value_parser = forms())]
    to: To,

    /// Only positions of these plies, such as 7 or 4-8
    #[arg(long, value_name = "PLIES", value_parser = parse_plies)]
    ply: Option<RangeInclusive<u32>>,

    /// Only positions with this outcome for the side to move
    #[arg(long, value_parser = outcomes())]
    outcome: Option<Outcome>,

    /// Only COUNT positions, drawn at random, the same ones each time
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,

    /// The positions of the opening, with their winners and winning moves, instead of those of the table
    #[arg(long, conflicts_with = "sample")]
    opening: bool,

    #[command(flatten)]
    tables: WritableTablesOption,

    #[command(flatten)]
    threads: Threads,
}

/// The form of the exported data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum To {
    Plain(ExportFormat),
    #[cfg(feature = "data")]
    Data(DataFormat),
    #[cfg(not(feature = "data"))]
    LeftOut,
}

/// Returns all forms with their names and descriptions.
fn all_forms() -> Vec<(To, &'static str, &'static str)> {
    let forms = ExportFormat::ALL.into_iter().map(|form| (To::Plain(form), form.name(), form.about()));
    #[cfg(feature = "data")]
    let forms = forms.chain(DataFormat::ALL.into_iter().map(|form| (To::Data(form), form.name(), form.about())));
    #[cfg(not(feature = "data"))]
    let forms = forms.chain(["parquet", "csv", "jsonl"].map(|name| (To::LeftOut, name, "Not in this build")));
    forms.collect()
}

/// Returns the parser for the name of a form.
fn forms() -> impl TypedValueParser<Value = To> {
    let values = all_forms().into_iter().map(|(_, name, about)| PossibleValue::new(name).help(about));
    let form = |name: String| {
        let form = all_forms().into_iter().find(|(_, known, _)| *known == name);
        form.expect("only names are possible").0
    };
    PossibleValuesParser::new(values).map(form)
}

/// Returns the parser for an outcome.
fn outcomes() -> impl TypedValueParser<Value = Outcome> {
    PossibleValuesParser::new(["win", "draw", "loss"]).map(|name| match name.as_str() {
        "win" => Outcome::Win,
        "draw" => Outcome::Draw,
        _ => Outcome::Loss,
    })
}

/// Parses a ply, such as `7`, or a range of plies, such as `4-8`. Both ends are included.
fn parse_plies(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let ply = |text: &str| match text.parse() {
        Ok(ply) if text.bytes().all(|letter| letter.is_ascii_digit()) => Ok(ply),
        _ => Err("write a ply, such as 7, or a range of plies, such as 4-8".to_owned()),
    };
    let plies = ply(first)?..=ply(last)?;
    if plies.is_empty() { Err("the last ply comes before the first".into()) } else { Ok(plies) }
}

pub fn run(arguments: Arguments) -> CommandResult {
    arguments.threads.apply()?;
    let any = AnyGame::parse(&arguments.code)?;
    match arguments.to {
        To::Plain(form) => export(&any, form, arguments),
        #[cfg(feature = "data")]
        To::Data(form) => export_data(&any, form, arguments),
        #[cfg(not(feature = "data"))]
        To::LeftOut => Err(super::left_out::failure("parquet, csv and jsonl", "data")),
    }
}

fn export(game: &AnyGame, to: ExportFormat, arguments: Arguments) -> CommandResult {
    let (code, form) = (game.code(), to.name());
    if arguments.opening {
        return Err(Failure::request(format!("{form} is for tables only; --opening is for parquet, csv and jsonl")));
    }
    if !to.suits(game) {
        return Err(Failure::request(format!("{code}: the form {form} exists for animal shogi only; use --to gz")));
    }
    if arguments.ply.is_some() || arguments.outcome.is_some() || arguments.sample.is_some() {
        return Err(Failure::request(format!(
            "{form} always has all positions; --ply, --outcome and --sample are for parquet, csv and jsonl"
        )));
    }
    let location = arguments.tables.location()?;
    let table = open_or_advise(game, &location)?;
    if to.follows_second_player() {
        second_player_wins(game, &table, to)?;
    }
    disk::make_folder(location.path())?;
    let Exported { positions, files } =
        yomikiri_export::export(game, &table, to, location.path(), &TerminalProgress::new(false))?;
    let files: Vec<_> = files.iter().map(|path| shown(path)).collect();
    print(&format!("{} positions\n{}", grouped(positions), files.join("\n")))
}

#[cfg(feature = "data")]
fn export_data(game: &AnyGame, form: DataFormat, arguments: Arguments) -> CommandResult {
    let (code, location) = (game.code(), arguments.tables.location()?);
    let selection = Selection { plies: arguments.ply, outcome: arguments.outcome, sample: arguments.sample };
    if let Some(problem) = selection.refusal(game) {
        return Err(Failure::request(format!("--ply: {code}: {problem}")));
    }
    if arguments.opening {
        return export_opening(game, &location, form, &selection);
    }
    let table = open_or_advise(game, &location)?;
    let path = location.path().join(file_name(&code, &selection, form));
    let progress = TerminalProgress::new(false);
    disk::make_folder(location.path())?;
    let DataExported { rows, without_points } =
        yomikiri_export::export_data(game, &table, &location, &path, form, &selection, &progress)?;
    print(&format!("{} rows\n{}", grouped(rows), shown(&path)))?;
    if rows == 0 && !selection.is_everything() {
        note("no position has been selected");
    }
    if let Some(points) = without_points {
        let command = format!("yomikiri analyze {points}{}", tables_option(location.path()));
        note(&format!(
            "{}: has no columns for endings and points, because there is no table of {points}; make it with: {command}",
            shown(&path)
        ));
    }
    Ok(())
}

/// Returns the name of an exported file. An export of selected rows does not replace the export of all rows.
#[cfg(feature = "data")]
fn file_name(what: &str, selection: &Selection, form: DataFormat) -> String {
    let selected = if selection.is_everything() { "" } else { "_selection" };
    format!("r_{what}{selected}.{}", form.name())
}

/// Exports the opening of a game: the positions whose winner is known, in the order of their keys.
#[cfg(feature = "data")]
fn export_opening(game: &AnyGame, location: &Location, form: DataFormat, selection: &Selection) -> CommandResult {
    let code = game.code();
    if !matches!(game, AnyGame::Binarsi(_)) {
        return Err(Failure::request(format!("{code}: this game has no opening files")));
    }
    let Some(file) = name::opening_at(location, &code) else {
        let advice = format!("yomikiri opening {code} --plies 3{}", tables_option(location.path()));
        return Err(Failure::work(format!("{code}: there is no opening; make one with: {advice}")));
    };
    let opening = OpeningFile::open(game, location.open(&file)?, &file)?;
    let is_checked = location.is_checked(&file, opening.hash());
    let outcomes = opening.load()?;
    let mut rows = Vec::new();
    for plies in 0..outcomes.levels.len() {
        if !selection.plies.as_ref().is_none_or(|selected| selected.contains(&(plies as u32))) {
            continue;
        }
        for (position, winner) in outcomes.winners(game, plies) {
            let outcome = if winner == game.side(&position) { Outcome::Win } else { Outcome::Loss };
            if selection.outcome.is_none_or(|selected| selected == outcome) {
                let key = game.rank(&position);
                let winning = outcomes.winning_moves(game, plies, key);
                rows.push(OpeningRow { key, position, outcome, winning });
            }
        }
    }
    rows.sort_unstable_by_key(|row| row.key);
    let path = location.path().join(file_name(&format!("{code}_opening"), selection, form));
    disk::make_folder(location.path())?;
    yomikiri_export::export_opening(game, &rows, &path, form)?;
    if !is_checked {
        note(&format!("{}: has not been checked; {}", shown(&file), check_advice(&file)));
    }
    print(&format!("{} rows\n{}", grouped(rows.len() as u64), shown(&path)))
}

/// Returns an error if the second player does not win the game. The form `to`, the winning strategy of that player,
/// then does not exist.
fn second_player_wins(game: &AnyGame, table: &Table, to: ExportFormat) -> CommandResult {
    let start = game.start();
    let stored = game.probe(table, &start)?;
    let value = stored.ok_or_else(|| table.damaged("the start has no value"))?;
    if value.outcome() == Outcome::Loss {
        return Ok(());
    }
    let result = sentence(game, &start, value);
    let (code, form) = (game.code(), to.name());
    Err(Failure::work(format!("{code}: {form} is only for games that the second player wins. {result}")))
}
