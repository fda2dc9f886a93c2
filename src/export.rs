//! `yomikiri export`: tables as plain files.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use yomikiri_answer::{self, List};
use yomikiri_rules::game::Game;
use yomikiri_rules::games::animal_shogi::AnimalShogi;
use yomikiri_rules::registry::AnyGame;
use yomikiri_rules::value::{Outcome, Value};
use yomikiri_rules::with_game;
use yomikiri_solve::Solvable;
use yomikiri_table::{Table, name};

use super::Done;
use super::error::Failure;
use super::output::{grouped, print};
use super::progress::TerminalProgress;
use super::settings::{Tables, open_or_advise, sentence};

/// Write a table as plain files
#[derive(Args)]
pub struct Arguments {
    /// Rule code, as bin4x4
    code: String,

    /// Form of the export; the file is r_<CODE>_<FORM>
    #[arg(long, value_enum, value_name = "FORM")]
    to: Form,

    #[command(flatten)]
    tables: Tables,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// keys.gz (u64 little endian, sorted) and vals.gz (a byte each)
    Gz,
    /// Animal shogi: every position with 0 lost, 1 can take the lion, -1 else
    #[value(name = "1.txt")]
    Ends,
    /// Animal shogi: every position with its depth, -1 for a draw
    #[value(name = "2.txt")]
    Depths,
    /// Animal shogi: 2.txt from depth 4 on
    #[value(name = "2_cooked.txt")]
    Cooked,
    /// Animal shogi: keys of 2_cooked.txt
    #[value(name = "keys.gz")]
    Keys,
    /// Animal shogi: depths of 2_cooked.txt
    #[value(name = "vals.gz")]
    Values,
    /// Animal shogi: best play of the second player, who must win
    #[value(name = "3.txt")]
    BestPlay,
    /// Animal shogi: one best move for each position of 3.txt
    #[value(name = "unpruned_ai.txt")]
    BestMoves,
}

impl Form {
    fn name(self) -> String {
        self.to_possible_value().map_or(String::new(), |value| value.get_name().to_string())
    }

    /// The lists of all positions that the form is made of.
    fn lists(self) -> &'static [(List, &'static str)] {
        match self {
            Form::Gz => &[(List::Keys, "keys.gz"), (List::Values, "vals.gz")],
            Form::Ends => &[(List::Ends, "1.txt")],
            Form::Depths => &[(List::Depths, "2.txt")],
            Form::Cooked => &[(List::Cooked, "2_cooked.txt")],
            Form::Keys => &[(List::Keys, "keys.gz")],
            Form::Values => &[(List::Values, "vals.gz")],
            Form::BestPlay | Form::BestMoves => &[],
        }
    }
}

pub fn run(arguments: Arguments) -> Done {
    // Only animal shogi has forms of its own.
    if let Ok(game) = AnimalShogi::parse(&arguments.code) {
        return export_animal_shogi(&game, arguments);
    }
    with_game!(AnyGame::parse(&arguments.code)?, game => export(&game, arguments))
}

fn export<G: Solvable>(game: &G, arguments: Arguments) -> Done {
    let Arguments { to, tables, .. } = arguments;
    if to != Form::Gz {
        let (code, form) = (game.code(), to.name());
        return Err(Failure::Request(format!("{code}: only animal shogi has the form {form}; {code} has gz")));
    }
    let folder = tables.folder();
    let table = open_or_advise(game, &name::whole(&folder, &game.code()), None)?;
    let names = yomikiri_answer::export_names(&folder, &game.code());
    let count = yomikiri_answer::export_gz(game, &table, &names, &TerminalProgress::new(false))?;
    report(count, &names)
}

fn export_animal_shogi(game: &AnimalShogi, Arguments { to, tables, .. }: Arguments) -> Done {
    let folder = tables.folder();
    let table = open_or_advise(game, &name::whole(&folder, &game.code()), None)?;
    let path = |name: &str| folder.join(format!("r_{}_{name}", &game.code()));
    let progress = TerminalProgress::new(false);
    if !to.lists().is_empty() {
        let lists: Vec<(List, PathBuf)> = to.lists().iter().map(|&(list, name)| (list, path(name))).collect();
        let count = yomikiri_answer::export_lists(game, &table, &lists, &progress)?;
        let paths: Vec<PathBuf> = lists.into_iter().map(|(_, path)| path).collect();
        return report(count, &paths);
    }
    second_player_wins(game, &table, to)?;
    let path = path(&to.name());
    let count = match to {
        Form::BestPlay => yomikiri_answer::export_best_play(game, &table, &path, &progress)?,
        _ => yomikiri_answer::export_best_moves(game, &table, &path, &progress)?,
    };
    report(count, &[path])
}

/// Refuses games without a winning second player.
fn second_player_wins(game: &AnimalShogi, table: &Table, to: Form) -> Done {
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

fn report(count: u64, paths: &[impl AsRef<Path>]) -> Done {
    let files: Vec<_> = paths.iter().map(|path| path.as_ref().display().to_string()).collect();
    print(&format!("{} positions\n{}", grouped(count), files.join("\n")))
}
