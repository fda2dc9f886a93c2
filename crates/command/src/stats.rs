//! `yomikiri stats`: counts of the positions in a table.

use std::collections::BTreeSet;

use clap::Args;
use yomikiri_answer::{self, COUNTS_OVERFLOW, CountedGroup, Dimension, Furthest, GroupedCounts, Label, Spread, Stats};
use yomikiri_rules::{AnyGame, Game, Notation};
use yomikiri_solve::Solvable;
use yomikiri_table::Table;

use super::CommandResult;
use super::error::Failure;
use super::open::open_or_advise;
use super::output::{bytes, grouped, print, print_json};
use super::progress::TerminalProgress;
use super::settings::{TablesOption, sentence};

/// Count the positions of a finished table
#[derive(Args)]
pub struct Arguments {
    /// Rule code, such as bin4x4
    code: String,

    #[command(flatten)]
    tables: TablesOption,

    /// Show the N positions that are farthest from the end
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(..=1000))]
    longest: u16,

    /// Group the counts, such as by ply,outcome: one or more of ply, side, outcome, winner, plies, score, moves
    #[arg(long, value_name = "THINGS", value_delimiter = ',', value_parser = parse_dimension)]
    #[arg(conflicts_with = "longest")]
    by: Vec<Dimension>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn parse_dimension(text: &str) -> Result<Dimension, String> {
    let names = Dimension::ALL.map(Dimension::name).join(", ");
    let found = Dimension::ALL.into_iter().find(|dimension| dimension.name() == text);
    found.ok_or_else(|| format!("must be one of {names}"))
}

pub fn run(arguments: Arguments) -> CommandResult {
    let game = &AnyGame::parse(&arguments.code)?;
    let location = arguments.tables.location()?;
    let table = open_or_advise(game, &location)?;
    if !arguments.by.is_empty() {
        return show_counts(game, &table, &arguments.by, arguments.json);
    }
    let start = game.start();
    let missing = || table.damaged("has no value for the start");
    let value = game.probe(&table, &start)?.ok_or_else(missing)?;
    let stats = Stats::new(game, &table.meta()?, value, game.side(&start));
    let mut stats = stats.ok_or_else(|| table.damaged(COUNTS_OVERFLOW))?;
    let count = usize::from(arguments.longest);
    if count > 0 && stats.spread.max_plies().is_none() {
        let problem = "values are scores, not distances to the end";
        return Err(Failure::request(format!("--longest: {}: {problem}", &game.code())));
    }
    let longest = if count > 0 {
        yomikiri_answer::longest(game, &table, count, &TerminalProgress::new(false))?
    } else {
        Vec::new()
    };
    if arguments.json {
        stats.longest = longest.iter().map(|found| found.report(game)).collect();
        return print_json(&stats);
    }
    let mut parts =
        vec![format!("{}\n{}.", lines(&stats, table.length(), game.ply(&start)), sentence(game, &start, value))];
    if !longest.is_empty() {
        parts.push("furthest from the end".into());
    }
    let line = |Furthest { position, value }: &Furthest| {
        format!("  {}   {}", sentence(game, position, *value), game.position_text(position))
    };
    parts.extend(longest.iter().map(line));
    print(&parts.join("\n"))
}

/// Prints the number of positions in each group, as JSON if `json` is true. A group has the positions with the same
/// values of all dimensions `by`, such as ply and outcome.
fn show_counts(game: &AnyGame, table: &Table, by: &[Dimension], json: bool) -> CommandResult {
    for (dimension, number) in by.iter().zip(0..) {
        let name = dimension.name();
        if let Some(why) = dimension.refusal(game) {
            return Err(Failure::request(format!("--by {name}: {}: {why}", game.code())));
        }
        if by[..number].contains(dimension) {
            return Err(Failure::request(format!("--by: {name} is given twice")));
        }
    }
    let counts = GroupedCounts::of_table(game, table, by, &TerminalProgress::new(false))?;
    if json {
        return print_json(&counts);
    }
    let heading = format!("{}: {} positions by {}", counts.rules, grouped(counts.positions), counts.by.join(", "));
    print(&format!("{heading}\n{}", rows(&counts).trim_end()))
}

/// The maximum number of columns of a grid. Counts by two dimensions, such as ply and outcome, become a grid if the
/// second dimension has at most this number of different values.
const COLUMNS: usize = 8;

/// Formats the counts, with a line for each group. Counts by two dimensions, such as ply and outcome, become a grid if
/// the second dimension has at most [`COLUMNS`] different values. The grid has a line for each value of the first
/// dimension and a column for each value of the second.
fn rows(counts: &GroupedCounts) -> String {
    let across: BTreeSet<Label> = counts.counts.iter().filter_map(|group| Some(group.labels.get(1)?.1)).collect();
    let mut text = String::new();
    if counts.by.len() == 2 && across.len() <= COLUMNS {
        text += &format!("{:>10}", counts.by[0]);
        across.iter().for_each(|label| text += &format!("{:>18}", label_text(counts.by[1], *label)));
        for row in counts.counts.chunk_by(|one, other| one.labels[0] == other.labels[0]) {
            text += &format!("\n{:>10}", label_text(counts.by[0], row[0].labels[0].1));
            for label in &across {
                let count = row.iter().find(|group| group.labels[1].1 == *label).map_or(0, |group| group.count);
                text += &format!("{:>18}", grouped(count));
            }
        }
        return text;
    }
    counts.by.iter().for_each(|name| text += &format!("{name:>10}"));
    text += &format!("{:>18}\n", "positions");
    for CountedGroup { labels, count } in &counts.counts {
        labels.iter().for_each(|(dimension, label)| text += &format!("{:>10}", label_text(dimension.name(), *label)));
        text += &format!("{:>18}\n", grouped(*count));
    }
    text
}

/// Formats `label`, a value of the dimension `name`, such as a ply or an outcome. Scores have a sign.
fn label_text(name: &str, label: Label) -> String {
    match label {
        Label::Number(score) if name == "score" => format!("{score:+}"),
        Label::Number(number) => number.to_string(),
        Label::Outcome(outcome) => outcome.to_string(),
        Label::Side(side) => side.to_string(),
        Label::None => "draw".into(),
    }
}

/// Formats the counts of a table of `length` bytes. `first` is the ply of the start position: 0, or the number of discs
/// in reversi.
fn lines(stats: &Stats, length: u64, first: u32) -> String {
    let number = |label: &str, count: u64| format!("{label:28}{:>20}\n", grouped(count));
    let bits = 8.0 * length as f64 / stats.positions.max(1) as f64;
    let mut text = format!(
        "{}: {} positions in {} ({bits:.2} bits each)\n",
        stats.rules,
        grouped(stats.positions),
        bytes(length as f64)
    );
    text += &number("the side to move wins", stats.wins);
    text += &number("the side to move loses", stats.losses);
    text += &number("draws", stats.draws);
    if let (Some(black), Some(white)) = (stats.black_wins, stats.white_wins) {
        text += &number("Black wins", black);
        text += &number("White wins", white);
    }
    if let Some(plies) = stats.spread.max_plies() {
        text += &number("longest distance in plies", plies.into());
    }
    if stats.ended > 0 {
        text += &number("of these, game over", stats.ended);
    }
    if !stats.by_ply.is_empty() {
        text += if first == 0 { "positions by ply\n" } else { "positions by ply (discs on the board)\n" };
    }
    for (ply, &count) in (first..).zip(&stats.by_ply) {
        text += &number(&format!("  {ply:2}"), count);
    }
    match &stats.spread {
        Spread::Distances { by_plies, .. } => {
            text += "positions by distance to the end in plies\n";
            by_plies.iter().for_each(|(plies, &count)| text += &number(&format!("  {plies:2}"), count));
        }
        Spread::Scores { by_score } => {
            text += "positions by score of the side to move\n";
            by_score.iter().for_each(|(score, &count)| text += &number(&format!("  {score:+3}"), count));
        }
    }
    text += "start";
    text
}
