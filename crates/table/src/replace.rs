//! Decides which files a command may replace, before it writes, renames or deletes anything.
//!
//! Before a command writes a file, it states which existing file it may replace at that path ([`Replaceable`]).
//! Everything else stays as it is: folders, devices, pipes, sockets, symbolic links, and regular files of other
//! programs. [`super::PartFile`] checks before it creates a file and again before it renames it. [`super::disk`] never
//! replaces or deletes anything but a regular file.

use std::fmt;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use super::format::MAGIC;
use super::regular::{self, FileKind};
use super::{Result, TableError, local, source};

type Test = dyn Fn(&Path) -> bool + Send + Sync;

/// The rule that says which existing file may be replaced. Links, folders, devices, pipes and sockets are always
/// refused.
#[derive(Clone)]
pub enum Replaceable {
    /// No file: an existing one is an error.
    Nothing,
    /// A file of this program.
    Own(OwnFile),
    /// Any regular file: the user asked for it (`--force`), or only this program uses the name.
    AnyFile,
}

/// A kind of file of this program, with the test that recognises it.
#[derive(Clone)]
pub struct OwnFile {
    /// The name of this kind of file, with an article, such as "a picture of yomikiri plot".
    what: String,
    remedy: &'static str,
    is_own: Arc<Test>,
}

impl Replaceable {
    /// Returns the rule that allows replacing files for which `is_own` returns true. `is_own` is called only for
    /// regular files. `what` is the name of this kind of file with an article, such as "a manifest of this program".
    pub fn own(what: impl Into<String>, is_own: impl Fn(&Path) -> bool + Send + Sync + 'static) -> Replaceable {
        let remedy = "move it away or choose another name";
        Replaceable::Own(OwnFile { what: what.into(), remedy, is_own: Arc::new(is_own) })
    }

    /// Returns the rule that allows replacing empty files, and files that begin with `bytes`. `what` is as in
    /// [`Replaceable::own`].
    pub fn beginning_with(what: impl Into<String>, bytes: &'static [u8]) -> Replaceable {
        Replaceable::own(what, move |path| begins_with(path, bytes))
    }

    /// Returns the rule that allows replacing tables of any version, other files in the format of tables, such as
    /// certificates, and empty files.
    pub fn table() -> Replaceable {
        Replaceable::beginning_with("a table of this program", &MAGIC)
    }

    /// Returns the rule that allows any regular file if `force` is set. Otherwise returns `self`, with the option
    /// `--force` as the remedy in its error messages ([`Replaceable::or`]).
    pub fn unless_forced(self, force: bool) -> Replaceable {
        if force { Replaceable::AnyFile } else { self.or("--force replaces it") }
    }

    /// Returns the rule that allows the same files as `self`, with `remedy` at the end of its error messages. An empty
    /// `remedy` leaves the remedy out. Only the messages of [`Replaceable::Own`] change.
    pub fn or(self, remedy: &'static str) -> Replaceable {
        match self {
            Replaceable::Own(own) => Replaceable::Own(OwnFile { remedy, ..own }),
            other => other,
        }
    }

    /// Checks that `path` does not exist or is a file that may be replaced. Any other file, and an address, is
    /// [`TableError::Foreign`].
    pub fn check(&self, path: &Path) -> Result<()> {
        /// Maximum number of attempts to check the file. An attempt may fail because another run deletes the file
        /// meanwhile and writes it again.
        const LOOKS: usize = 3;
        local::check(path)?;
        (1..LOOKS).find_map(|_| self.look(path).ok()).map_or_else(|| self.look(path), Ok)
    }

    fn look(&self, path: &Path) -> Result<()> {
        match regular::standing(path).map_err(TableError::io(path))? {
            FileKind::Nothing if ends_in_separator(path) => {
                return Err(TableError::foreign(path, "is the name of a folder; give the name of a file"));
            }
            FileKind::Nothing => return Ok(()),
            FileKind::File => {}
            other => return Err(TableError::foreign(path, other.refusal())),
        }
        match self {
            Replaceable::AnyFile => Ok(()),
            Replaceable::Nothing => Err(TableError::foreign(path, "already exists; choose another name")),
            Replaceable::Own(own) if (own.is_own)(path) => Ok(()),
            Replaceable::Own(OwnFile { what, remedy, .. }) => {
                let gap = if remedy.is_empty() { "" } else { "; " };
                Err(TableError::foreign(path, format!("exists and is not {what}{gap}{remedy}")))
            }
        }
    }
}

impl fmt::Debug for Replaceable {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Replaceable::Nothing => to.write_str("Nothing"),
            Replaceable::Own(own) => write!(to, "Own({})", own.what),
            Replaceable::AnyFile => to.write_str("AnyFile"),
        }
    }
}

/// Returns true if only a folder can have this name.
fn ends_in_separator(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().last().is_some_and(|&last| std::path::is_separator(last.into()))
}

/// Returns the first bytes of a file, at most `most` bytes, or `None` if the file cannot be read.
pub fn first_bytes(path: &Path, most: usize) -> Option<Vec<u8>> {
    let (file, mut first) = (source::open_file(path).ok()?, Vec::new());
    file.take(most as u64).read_to_end(&mut first).ok()?;
    Some(first)
}

/// Returns true if a file begins with these bytes or is empty. Replacing an empty file loses nothing.
fn begins_with(path: &Path, bytes: &[u8]) -> bool {
    first_bytes(path, bytes.len()).is_some_and(|first| first.is_empty() || first == bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_own_files_are_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("own"), "MARK and more").unwrap();
        std::fs::write(path("foreign"), "a letter").unwrap();
        std::fs::write(path("empty"), "").unwrap();
        std::fs::create_dir(path("folder")).unwrap();
        std::os::unix::fs::symlink(path("own"), path("link")).unwrap();
        std::os::unix::fs::symlink(path("nowhere"), path("dangling")).unwrap();
        std::os::unix::fs::symlink("/dev/null", path("device")).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(path("socket")).unwrap();
        let own = Replaceable::beginning_with("a marked file", b"MARK");
        let refusal =
            |replace: &Replaceable, name: &str| replace.check(&path(name)).err().map(|error| error.to_string());
        for name in ["own", "empty", "none"] {
            assert_eq!(refusal(&own, name), None, "{name}");
        }
        let said = refusal(&own, "foreign").unwrap();
        assert!(
            said.ends_with("foreign: exists and is not a marked file; move it away or choose another name"),
            "{said}"
        );
        let said = refusal(&own.clone().unless_forced(false), "foreign").unwrap();
        assert!(said.ends_with("is not a marked file; --force replaces it"), "{said}");
        assert_eq!(refusal(&own.unless_forced(true), "foreign"), None);
        assert!(refusal(&Replaceable::Nothing, "own").unwrap().ends_with("own: already exists; choose another name"));
        let said = refusal(&Replaceable::AnyFile, "none/").unwrap();
        assert!(said.ends_with("none/: is the name of a folder; give the name of a file"), "{said}");
        for name in ["folder", "link", "dangling", "device", "socket"] {
            let said = refusal(&Replaceable::AnyFile, name).unwrap();
            assert!(said.contains(&format!("{name}: is a")) || said.ends_with("is not a regular file"), "{said}");
        }
    }
}
