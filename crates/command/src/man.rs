//! `yomikiri man`: the manual pages of this program.

use std::path::{Path, PathBuf};

use clap::{Args, Command};
use clap_mangen::Man;
use yomikiri_table::{PartFile, Replaceable, disk, first_bytes, local};

use super::CommandResult;
use super::error::Failure;
use super::output::write;

/// Print a manual page of this program, or write all pages to a folder
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    yomikiri man | man -l -            show the page of the program\n  \
    yomikiri man tables check          print the page of a command\n  \
    yomikiri man --out ~/.local/share/man/man1")]
pub struct Arguments {
    /// Command, such as query or tables check [default: the program itself]
    #[arg(value_name = "COMMAND")]
    words: Vec<String>,

    /// Folder for the pages of the program and of all commands: yomikiri.1, yomikiri-query.1 and so on
    #[arg(long, value_name = "DIR", conflicts_with = "words")]
    out: Option<PathBuf>,
}

/// Prints or writes manual pages about `command`, the description of the whole command line of this program.
pub fn run(arguments: Arguments, command: Command) -> CommandResult {
    let mut program = command.disable_help_subcommand(true);
    program.build();
    match arguments.out {
        Some(folder) => {
            local::check(&folder).map_err(Failure::request)?;
            write_pages(&program, &folder)
        }
        None => write(&page(subcommand(&program, &arguments.words)?).1),
    }
}

/// Returns the manual page of a command: its file name, such as `yomikiri-query.1`, and its text.
fn page(command: &Command) -> (String, String) {
    let page = Man::new(command.clone());
    let mut text = Vec::new();
    page.render(&mut text).expect("writing to memory does not fail");
    (page.get_filename(), String::from_utf8_lossy(&text).into_owned())
}

/// Returns the subcommand that `words` name: the words `tables` and `check` name `yomikiri tables check`. It is an
/// error if there is no such subcommand.
fn subcommand<'a>(program: &'a Command, words: &[String]) -> Result<&'a Command, Failure> {
    words.iter().try_fold(program, |above, word| {
        let found = above.find_subcommand(word).filter(|found| !found.is_hide_set());
        found.ok_or_else(|| {
            Failure::request(format!("no command \"{}\"; \"yomikiri --help\" lists them", words.join(" ")))
        })
    })
}

/// Writes the manual pages of a command and of all its subcommands to a folder. Writes none if one of the pages would
/// replace a file that is not a manual page of this program.
fn write_pages(command: &Command, folder: &Path) -> CommandResult {
    let pages: Vec<_> = pages(command).into_iter().map(|(name, text)| (folder.join(name), text)).collect();
    let replace = Replaceable::own("a manual page", is_page);
    disk::make_folder(folder)?;
    pages.iter().try_for_each(|(path, _)| replace.check(path))?;
    pages.iter().try_for_each(|(path, text)| PartFile::write(path, text.as_bytes(), replace.clone()))?;
    Ok(())
}

/// Returns the file names and texts of the manual pages of a command and of all its subcommands.
fn pages(command: &Command) -> Vec<(String, String)> {
    let shown = command.get_subcommands().filter(|below| !below.is_hide_set());
    [page(command)].into_iter().chain(shown.flat_map(pages)).collect()
}

/// Returns true if a file begins like the manual pages of this program: with macros for quotation marks, then the
/// title.
fn is_page(path: &Path) -> bool {
    const BEGINNING: usize = 256;
    first_bytes(path, BEGINNING).is_some_and(|bytes| String::from_utf8_lossy(&bytes).contains("\n.TH yomikiri"))
}
