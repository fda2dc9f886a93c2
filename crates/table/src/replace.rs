//! Which files a verb may replace: the one check before anything is written, renamed over or deleted.
//!
//! A verb that writes states what may lie at its path already ([`Replace`]). Anything else there is left as it is: a
//! folder, a device, a pipe, a socket, a symbolic link, and a regular file that the program did not write.
//! [`super::Part`] asks before it makes a file and once more before it renames it; [`super::disk`] refuses to rename
//! over, or to delete, what is not a regular file.

use std::fmt;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use super::format::MAGIC;
use super::regular::{self, Standing};
use super::{Result, TableError, source};

type Test = dyn Fn(&Path) -> bool + Send + Sync;

/// What may lie at a path that is written. A regular file at most: links, folders, devices, pipes and sockets are
/// refused by all of these.
#[derive(Clone)]
pub enum Replace {
    /// Nothing: a file that is there is an error.
    Nothing,
    /// A file that the program wrote.
    Own(OwnFile),
    /// Any regular file, because the user asked for that (`--force`) or because the name is the program's alone.
    AnyFile,
}

/// A kind of file of the program, with the test by which such files are known.
#[derive(Clone)]
pub struct OwnFile {
    /// "a picture of yomikiri plot".
    what: String,
    remedy: &'static str,
    is_own: Arc<Test>,
}

impl Replace {
    /// Files for which `is_own` returns true; it is called with the path of a regular file only. `what` names them with
    /// an article, as "a manifest of this program".
    pub fn own(what: impl Into<String>, is_own: impl Fn(&Path) -> bool + Send + Sync + 'static) -> Replace {
        let remedy = "move it away or take another name";
        Replace::Own(OwnFile { what: what.into(), remedy, is_own: Arc::new(is_own) })
    }

    /// Files that begin with these bytes, and empty ones.
    pub fn beginning_with(what: impl Into<String>, bytes: &'static [u8]) -> Replace {
        Replace::own(what, move |path| begins_with(path, bytes))
    }

    /// Tables, certificates and excerpts, of any version.
    pub fn table() -> Replace {
        Replace::beginning_with("a table of this program", &MAGIC)
    }

    /// Any regular file if the verb was given `--force`; else the same, and the error names that option.
    pub fn unless_forced(self, force: bool) -> Replace {
        if force { Replace::AnyFile } else { self.or("--force replaces it") }
    }

    /// The same, where the error for a foreign file ends with another remedy, or with none.
    pub fn or(self, remedy: &'static str) -> Replace {
        match self {
            Replace::Own(own) => Replace::Own(OwnFile { remedy, ..own }),
            other => other,
        }
    }

    /// Returns an error, a [`TableError::Foreign`], unless `path` names nothing or a file that may be replaced.
    pub fn check(&self, path: &Path) -> Result<()> {
        match regular::standing(path).map_err(TableError::io(path))? {
            Standing::Nothing => return Ok(()),
            Standing::File => {}
            other => return Err(TableError::foreign(path, other.refusal())),
        }
        match self {
            Replace::AnyFile => Ok(()),
            Replace::Nothing => Err(TableError::foreign(path, "is there already; take another name")),
            Replace::Own(own) if (own.is_own)(path) => Ok(()),
            Replace::Own(OwnFile { what, remedy, .. }) => {
                let gap = if remedy.is_empty() { "" } else { "; " };
                Err(TableError::foreign(path, format!("is there and is not {what}{gap}{remedy}")))
            }
        }
    }
}

impl fmt::Debug for Replace {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Replace::Nothing => to.write_str("Nothing"),
            Replace::Own(own) => write!(to, "Own({})", own.what),
            Replace::AnyFile => to.write_str("AnyFile"),
        }
    }
}

/// The first bytes of a file, at most `most`; `None` if it cannot be read.
pub fn first_bytes(path: &Path, most: usize) -> Option<Vec<u8>> {
    let (file, mut first) = (source::open_file(path).ok()?, Vec::new());
    file.take(most as u64).read_to_end(&mut first).ok()?;
    Some(first)
}

/// Returns true if a file begins with these bytes, or is empty: nothing is lost with that.
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
        let own = Replace::beginning_with("a marked file", b"MARK");
        let refusal = |replace: &Replace, name: &str| replace.check(&path(name)).err().map(|error| error.to_string());
        for name in ["own", "empty", "none"] {
            assert_eq!(refusal(&own, name), None, "{name}");
        }
        let said = refusal(&own, "foreign").unwrap();
        assert!(
            said.ends_with("foreign: is there and is not a marked file; move it away or take another name"),
            "{said}"
        );
        let said = refusal(&own.clone().unless_forced(false), "foreign").unwrap();
        assert!(said.ends_with("is not a marked file; --force replaces it"), "{said}");
        assert_eq!(refusal(&own.unless_forced(true), "foreign"), None);
        assert!(refusal(&Replace::Nothing, "own").unwrap().ends_with("own: is there already; take another name"));
        for name in ["folder", "link", "dangling", "device", "socket"] {
            let said = refusal(&Replace::AnyFile, name).unwrap();
            assert!(said.contains(&format!("{name}: is a")) || said.ends_with("is not a file"), "{said}");
        }
    }
}
