//! Start files of engines. Some hosts (programs that show a board and run engines) can run only a file without
//! arguments. So the start file of an engine contains the protocol and the rule code.

use std::path::{Path, PathBuf};

use clap::Args;
use yomikiri_answer::shell;
use yomikiri_table::places::TABLES_VARIABLE;
use yomikiri_table::{PartFile, Replaceable, TableError, address, disk, local};

use super::error::Failure;
use super::output::{print, shown};
use super::settings;

/// The option of engines that writes a start file instead of playing.
#[derive(Args)]
pub struct InstallOption {
    /// Write a file into DIR that starts this engine, for hosts that pass no arguments
    #[arg(long, value_name = "DIR")]
    install: Option<PathBuf>,
}

impl InstallOption {
    /// Writes the start file if the option `--install` was given, and prints the path of the file. Creates the folder
    /// if it is missing. Returns false if the option was not given.
    ///
    /// # Arguments
    /// `verb` is the subcommand that runs the engine, and `code` is the canonical rule code. `tables` are the folders
    /// and addresses of tables that the start file passes as `--tables`; if there are none, those in
    /// [`TABLES_VARIABLE`].
    ///
    /// # Errors
    /// If a start file cannot contain one of the paths, if writing it fails, or if a file of another kind already has
    /// its name.
    pub fn write(&self, verb: &str, code: &str, tables: &[PathBuf]) -> Result<bool, Failure> {
        let Some(folder) = &self.install else { return Ok(false) };
        local::check(folder).map_err(Failure::request)?;
        let mut words = vec![text_of(&std::env::current_exe().map_err(Failure::work)?)?, verb.into(), code.into()];
        // A host that is started from a desktop does not know the variable for the places of tables.
        let usual = if std::env::var_os(TABLES_VARIABLE).is_some() { settings::places(&[])? } else { Vec::new() };
        for place in if tables.is_empty() { &usual } else { tables } {
            words.extend(["--tables".into(), text_of(&absolute(place)?)?]);
        }
        let (name, head, text) = match cfg!(windows) {
            true => (format!("yomikiri-{code}.bat"), BATCH, batch(&words)),
            false => (format!("yomikiri-{code}"), SCRIPT, script(&words)),
        };
        let path = folder.join(name);
        disk::make_folder(folder)?;
        PartFile::write(&path, text.as_bytes(), Replaceable::beginning_with("a start file of this program", head))?;
        make_executable(&path).map_err(TableError::io(&path))?;
        print(&format!("{}: name this file as the engine in your host", shown(&path)))?;
        Ok(true)
    }
}

/// The first lines of a start file for POSIX shells.
const SCRIPT: &[u8] = b"#!/bin/sh\n# Starts an engine of Yomikiri.\n";

/// The first line of a start file for Windows.
const BATCH: &[u8] = b"@rem Starts an engine of Yomikiri.\r\n";

/// Returns the text of a start file for POSIX shells. The file runs the command that consists of `words`.
fn script(words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|word| shell::word(word)).collect();
    format!("{}exec {} \"$@\"\n", String::from_utf8_lossy(SCRIPT), words.join(" "))
}

/// Returns the text of a start file for Windows. Doubles per cent signs, because the command interpreter takes a name
/// between two of them as a variable. If the command is not ASCII, the file first runs `chcp 65001`, after which the
/// interpreter reads UTF-8.
fn batch(words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|word| shell::in_double_quotes(&word.replace('%', "%%"))).collect();
    let command = words.join(" ");
    let code_page = if command.is_ascii() { "" } else { "@chcp 65001 >nul\r\n" };
    format!("{}{code_page}@{command} %*\r\n", String::from_utf8_lossy(BATCH))
}

/// Returns a folder of tables as an absolute path, and an address unchanged.
fn absolute(place: &Path) -> Result<PathBuf, Failure> {
    match address::of(place) {
        Some(_) => Ok(place.into()),
        None => Ok(std::path::absolute(place).map_err(TableError::io(place))?),
    }
}

/// Returns a path as text for a start file. A path that is not UTF-8, or has control characters or double quotes, is an
/// error.
fn text_of(path: &Path) -> Result<String, Failure> {
    let text = path.to_str().filter(|text| !text.contains(|letter: char| letter.is_control() || letter == '"'));
    let refused = || {
        let why = "because it is not UTF-8 or has a control character or a double quote; rename it";
        Failure::request(format!("{}: a start file cannot contain this path, {why}", shown(path)))
    };
    Ok(text.ok_or_else(refused)?.to_owned())
}

#[cfg(unix)]
fn make_executable(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;

    let mut permissions = path.metadata()?.permissions();
    // Everyone who may read the file may run it.
    permissions.set_mode(permissions.mode() | (permissions.mode() & 0o444) >> 2);
    std::fs::set_permissions(path, permissions)
}

/// Does nothing, because the extension of the file makes it executable.
#[cfg(not(unix))]
fn make_executable(_path: &Path) -> std::io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn start_files_have_the_words_as_they_are() {
        let words = |program: &str| [program, "usi", "bin3x3"].map(String::from).to_vec();
        let text = script(&words("/opt/a b/yomi$kiri"));
        assert_eq!(text, "#!/bin/sh\n# Starts an engine of Yomikiri.\nexec '/opt/a b/yomi$kiri' usi bin3x3 \"$@\"\n");
        let text = batch(&words("C:\\100% sure\\yomikiri.exe"));
        let line = "@\"C:\\100%% sure\\yomikiri.exe\" \"usi\" \"bin3x3\" %*\r\n";
        assert_eq!(text, format!("@rem Starts an engine of Yomikiri.\r\n{line}"));
        let text = batch(&["yomikiri.exe", "usi", "bin3x3", "--tables", "C:\\"].map(String::from));
        assert!(text.ends_with("\"--tables\" \"C:\\\\\" %*\r\n"), "{text}");
        let text = batch(&words("C:\\盤\\yomikiri.exe"));
        assert!(text.starts_with("@rem Starts an engine of Yomikiri.\r\n@chcp 65001 >nul\r\n@\"C:\\盤"), "{text}");
    }
}
