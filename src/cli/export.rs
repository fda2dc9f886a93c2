//! `yomikiri export`: tables as plain files.

use clap::{Args, ValueEnum};
use yomikiri::games::registry::{Visitor, with_game};
use yomikiri::query;
use yomikiri::solve::Solvable;
use yomikiri::table::name;

use super::Done;
use super::bars::Bars;
use super::output::{grouped, print};
use super::settings::{Tables, open_or_advise};

/// Write a table as plain sorted keys and values
#[derive(Args)]
pub struct Arguments {
    /// Rule code, as bin4x4
    code: String,

    /// Form of the export
    #[arg(long, value_enum)]
    to: Form,

    #[command(flatten)]
    tables: Tables,
}

#[derive(Clone, Copy, ValueEnum)]
enum Form {
    /// r_<CODE>_keys.gz (u64 little endian, sorted) and r_<CODE>_vals.gz (a byte each)
    Gz,
}

pub fn run(arguments: Arguments) -> Done {
    let code = arguments.code.clone();
    with_game(&code, Export(arguments))?
}

struct Export(Arguments);

impl Visitor for Export {
    type Output = Done;

    fn visit<G: Solvable>(self, game: G) -> Done {
        let Arguments { to: Form::Gz, tables, .. } = self.0;
        let folder = tables.folder();
        let table = open_or_advise(&game, &name::whole(&folder, &game.code()), None)?;
        let names = query::export_names(&folder, &game.code());
        let count = query::export_gz(&game, &table, &names, &Bars::new(false))?;
        let files: Vec<_> = names.iter().map(|name| name.display().to_string()).collect();
        print(&format!("{} positions\n{}", grouped(count), files.join("\n")))
    }
}
