//! `yomikiri export`: tables as plain files.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use yomikiri::game::Game;
use yomikiri::games::animal_shogi::AnimalShogi;
use yomikiri::games::registry::{Visitor, with_game};
use yomikiri::query::{self, List};
use yomikiri::solve::Solvable;
use yomikiri::table::{Table, name};
use yomikiri::value::{Outcome, Value};

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
    let code = arguments.code.clone();
    with_game(&code, Export(arguments))?
}

struct Export(Arguments);

impl Visitor for Export {
    type Output = Done;

    fn visit<G: Solvable>(self, game: G) -> Done {
        let Arguments { to, tables, .. } = self.0;
        if to != Form::Gz {
            let (code, form) = (game.code(), to.name());
            return Err(Failure::Request(format!("{code}: only animal shogi has the form {form}; {code} has gz")));
        }
        let folder = tables.folder();
        let table = open_or_advise(&game, &name::whole(&folder, &game.code()), None)?;
        let names = query::export_names(&folder, &game.code());
        let count = query::export_gz(&game, &table, &names, &TerminalProgress::new(false))?;
        report(count, &names)
    }
}

fn export_animal_shogi(game: &AnimalShogi, Arguments { to, tables, .. }: Arguments) -> Done {
    let folder = tables.folder();
    let table = open_or_advise(game, &name::whole(&folder, &game.code()), None)?;
    let path = |name: &str| folder.join(format!("r_{}_{name}", game.code()));
    let progress = TerminalProgress::new(false);
    if !to.lists().is_empty() {
        let lists: Vec<(List, PathBuf)> = to.lists().iter().map(|&(list, name)| (list, path(name))).collect();
        let count = query::export_lists(game, &table, &lists, &progress)?;
        let paths: Vec<PathBuf> = lists.into_iter().map(|(_, path)| path).collect();
        return report(count, &paths);
    }
    second_player_wins(game, &table, to)?;
    let path = path(&to.name());
    let count = match to {
        Form::BestPlay => query::export_best_play(game, &table, &path, &progress)?,
        _ => query::export_best_moves(game, &table, &path, &progress)?,
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
