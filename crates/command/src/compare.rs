//! `yomikiri compare`: compares the values of two variants of a game.

use clap::Args;
use yomikiri_answer::{
    self, ByOutcome, ComparedPositions, Comparison, CountedExamples, Example, ExampleValue, ValueChange, VariantSummary,
};
use yomikiri_rules::{AnyGame, Measure, Outcome, Plies, Presentation, comparable};
use yomikiri_table::Table;

use super::CommandResult;
use super::open::open_or_advise;
use super::output::{grouped, print, print_json};
use super::progress::TerminalProgress;
use super::settings::{TablesOption, verdict};

/// Compare the values of two rule codes with the same positions
#[derive(Args)]
#[command(after_help = "Both codes need tables. Values are those of the side to move.\n\
    Compares the values of the positions that are in both tables. If a position is in one table, and the\n\
    game is over there by the rules of the other code, its value is compared with the final value. All\n\
    other positions of only one table are counted separately. If the game is over in a position, a table\n\
    has it only if the reason is that there is no legal move.\n\
    Examples are sorted by the sum of the plies of both values, least first; with scores, by the\n\
    difference, greatest first.")]
pub struct Arguments {
    /// Rule code, such as bin3x3
    first: String,

    /// Rule code with the same positions, such as bin3x3-n
    second: String,

    #[command(flatten)]
    tables: TablesOption,

    /// Maximum number of examples for each kind of change
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(..=1000))]
    examples: u16,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: Arguments) -> CommandResult {
    let (first, second) = (AnyGame::parse(&arguments.first)?, AnyGame::parse(&arguments.second)?);
    comparable(&first, &second)?;
    compare(&first, &second, arguments)
}

fn compare(first: &AnyGame, second: &AnyGame, arguments: Arguments) -> CommandResult {
    let Arguments { tables, examples, json, .. } = arguments;
    let location = tables.location()?;
    let open = |game: &AnyGame| open_or_advise(game, &location);
    let tables: [Table; 2] = [open(first)?, open(second)?];
    let both = [&tables[0], &tables[1]];
    let progress = TerminalProgress::new(false);
    let comparison = yomikiri_answer::compare([first, second], both, usize::from(examples), &progress)?;
    if json { print_json(&comparison) } else { print(&text(first, &comparison)) }
}

/// Formats the whole comparison.
fn text(game: &AnyGame, comparison: &Comparison) -> String {
    let codes = [&comparison.first, &comparison.second].map(|summary| summary.rules.as_str());
    let [first, second] = codes;
    let mut parts = vec![starts(game, comparison), group("positions in both tables".into(), codes, &comparison.go_on)];
    for (over, [code, other]) in
        [(&comparison.over_in_first, [first, second]), (&comparison.over_in_second, [second, first])]
    {
        if over.compared > 0 {
            parts.push(group(format!("positions of {other} that are over in {code}"), codes, over));
        }
    }
    for (change, only) in
        [(ValueChange::OnlyFirst, &comparison.only_first), (ValueChange::OnlySecond, &comparison.only_second)]
    {
        parts.push(counted(&in_words(codes, change), only));
    }
    parts.join("\n\n")
}

/// Formats the value of the start position, with a line for each of the two variants.
fn starts(game: &AnyGame, comparison: &Comparison) -> String {
    let line = |summary: &VariantSummary| {
        let start = &summary.start.value;
        let over = start.measure.plies() == Some(Plies(0));
        let verdict = verdict(start.winner, start.measure, over, game.beyond_points());
        format!("{} from the start: {verdict}.", summary.rules)
    };
    format!("{}\n{}", line(&comparison.first), line(&comparison.second))
}

/// Formats a group of compared positions: its counts, then the kinds of changed values with examples.
fn group(title: String, codes: [&str; 2], group: &ComparedPositions) -> String {
    let sum = |wanted: fn(ValueChange) -> bool| {
        let changes = group.changes.iter().filter(|changes| wanted(changes.change));
        changes.map(|changes| changes.positions.count).sum::<u64>()
    };
    let mut lines = vec![line(&title, group.compared)];
    lines.extend(matrix(codes, &group.outcomes));
    let scores = group.changes.iter().any(|changes| matches!(changes.change, ValueChange::Higher(_)));
    let measure = if scores { "score" } else { "distance" };
    lines.push(line(&format!("  same outcome, same {measure}"), group.unchanged));
    let other = sum(|change| !matches!(change, ValueChange::Outcome { .. }));
    lines.push(line(&format!("  same outcome, other {measure}"), other));
    lines.push(line("  other outcome", sum(|change| matches!(change, ValueChange::Outcome { .. }))));
    for changes in group.changes.iter().filter(|changes| changes.positions.count > 0) {
        lines.push(counted(&format!("  {}", in_words(codes, changes.change)), &changes.positions));
    }
    lines.join("\n")
}

/// Formats a matrix of counts. The rows are the outcomes by the first code, the columns the outcomes by the second
/// code.
fn matrix([first, second]: [&str; 2], outcomes: &ByOutcome<ByOutcome<u64>>) -> Vec<String> {
    let all = [Outcome::Win, Outcome::Draw, Outcome::Loss];
    let cells = |name: String, cells: [String; 3]| {
        let width = (second.len() + 7).max(18);
        format!("  {name:28}{}", cells.map(|cell| format!("{cell:>width$}")).concat())
    };
    let head = cells(String::new(), all.map(|to| format!("{second} {to}")));
    let row = |from: Outcome| {
        let counts = outcomes.of(from);
        cells(format!("{first} {from}"), all.map(|to| grouped(*counts.of(to))))
    };
    [head].into_iter().chain(all.map(row)).collect()
}

/// Formats a number of positions, followed by examples of them.
fn counted(title: &str, counted: &CountedExamples) -> String {
    let examples = counted.examples.iter().map(example);
    [line(title, counted.count)].into_iter().chain(examples).collect::<Vec<_>>().join("\n")
}

fn line(label: &str, count: u64) -> String {
    format!("{label:40}{:>18}", grouped(count))
}

/// Describes a change: "win -> loss", "win, sooner in bin3x3-n", "positions only in bin3x3". The arguments `first` and
/// `second` are the rule codes.
fn in_words([first, second]: [&str; 2], change: ValueChange) -> String {
    match change {
        ValueChange::Outcome { from, to } => format!("{from} -> {to}"),
        ValueChange::Sooner(outcome) => format!("{outcome}, sooner in {second}"),
        ValueChange::Later(outcome) => format!("{outcome}, later in {second}"),
        ValueChange::Higher(outcome) => format!("{outcome}, higher score in {second}"),
        ValueChange::Lower(outcome) => format!("{outcome}, lower score in {second}"),
        ValueChange::OnlyFirst => format!("positions only in {first}"),
        ValueChange::OnlySecond => format!("positions only in {second}"),
    }
}

fn example(example: &Example) -> String {
    let worths: Vec<_> = [example.first, example.second].into_iter().flatten().map(worth).collect();
    format!("    {}   {}", example.position, worths.join(" -> "))
}

/// Formats a value: "win in 3", "win by 3", "draw".
fn worth(worth: ExampleValue) -> String {
    let measure = match worth.measure {
        Measure::Distance { plies: Some(plies) } => format!(" in {}", plies.0),
        Measure::Score { score } if score != 0 => format!(" by {}", score.unsigned_abs()),
        _ => String::new(),
    };
    format!("{}{measure}", worth.outcome)
}
