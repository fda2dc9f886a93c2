//! Files that have a temporary name until they are complete.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use super::disk::{self, DiskFile};
use super::regular::{self, FileKind};
use super::{Replaceable, Result, TableError, platform};

/// File name extension of files with a temporary name.
const PART: &str = "part";

/// A file under a temporary name in its final folder. Dropping this value deletes the temporary name, if it still
/// exists. [`PartFile::finish`] renames the file, so it leaves nothing to delete.
pub struct PartFile {
    /// The final path.
    path: PathBuf,
    /// The temporary path.
    part: PathBuf,
    /// The rule for replacing an existing file at `path`.
    replace: Replaceable,
}

/// Number of temporary names that this process has used. The next temporary name contains this number, so that the
/// process uses no name twice.
static BEGUN: AtomicU32 = AtomicU32::new(0);

impl PartFile {
    /// Creates an empty file that is to become `path`. No other run uses its temporary name. First deletes the
    /// temporary files that killed runs have left for `path`.
    ///
    /// # Errors
    ///
    /// Returns an error if `path` names a file that must not be replaced.
    pub fn create(path: &Path, replace: Replaceable) -> Result<(PartFile, DiskFile)> {
        replace.check(path)?;
        delete_leftovers(path);
        loop {
            let number = BEGUN.fetch_add(1, Ordering::Relaxed);
            let part = path.with_added_extension(format!("{}-{number}.{PART}", std::process::id()));
            let file = match DiskFile::create_new(&part) {
                // The file may belong to another machine that writes to the same folder.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                file => file.map_err(TableError::io(path))?,
            };
            // Before the file was locked, another run may have taken it for a leftover and deleted it.
            if file.lock(&part).map_err(TableError::io(path))? {
                return Ok((PartFile { path: path.into(), part, replace }, file));
            }
        }
    }

    /// Writes a whole file. It appears under its final name once it is complete.
    pub fn write(path: &Path, bytes: &[u8], replace: Replaceable) -> Result<()> {
        let (part, mut file) = PartFile::create(path, replace)?;
        file.write_all(bytes).map_err(TableError::io(part.place()))?;
        part.finish(&file)
    }

    /// Returns the temporary path, for error messages.
    pub fn place(&self) -> &Path {
        &self.part
    }

    /// Syncs the file and renames it to its final name.
    ///
    /// # Errors
    ///
    /// Returns an error if a file that must not be replaced has taken the final name meanwhile.
    pub fn finish(self, file: &DiskFile) -> Result<()> {
        file.sync().map_err(TableError::io(&self.part))?;
        self.replace.check(&self.path)?;
        disk::rename(&self.part, &self.path).map_err(TableError::io(&self.path))
    }

    /// Syncs the file and gives it its final name, unless that name is taken. Returns false if the name is taken.
    pub fn finish_new(self, file: &DiskFile) -> Result<bool> {
        file.sync().map_err(TableError::io(&self.part))?;
        disk::link(&self.part, &self.path).map_err(TableError::io(&self.path))
    }
}

/// Deletes temporary files for `path` that no run has locked.
fn delete_leftovers(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let (Ok(files), Some(name)) = (folder.read_dir(), path.file_name().and_then(|name| name.to_str())) else {
        return;
    };
    let is_own = |path: &PathBuf| {
        let other = path.file_name().and_then(|other| other.to_str()).unwrap_or_default();
        is_part(path) && other.rsplitn(3, '.').nth(2) == Some(name)
    };
    for path in files.filter_map(|file| Some(file.ok()?.path())).filter(is_own) {
        // The lock is held until the file is gone. A run that has just created the file cannot lock it then, and
        // creates another one. A file that cannot be deleted does no harm.
        if regular::standing(&path).is_ok_and(|found| found == FileKind::File)
            && let Ok(Some(file)) = regular::open(&path)
            && platform::try_lock(&file).is_ok_and(|mine| mine)
        {
            let _ = disk::remove(&path);
        }
    }
}

/// Returns true if `path` has the name of a temporary file: `NAME.<process>-<number>.part`.
pub fn is_part(path: &Path) -> bool {
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let run = name.strip_suffix(PART).and_then(|name| name.strip_suffix('.')?.rsplit_once('.'));
    let numbers = run.and_then(|(_, run)| run.split_once('-'));
    numbers.is_some_and(|(process, number)| is_digits(process) && is_digits(number))
}

impl Drop for PartFile {
    fn drop(&mut self) {
        // After a rename there is nothing to delete.
        let _ = disk::remove(&self.part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Several writers of the same path run at the same time and delete leftovers. Each still finishes its own file.
    #[test]
    fn a_part_just_begun_is_no_leftover() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.gz");
        let write = || {
            for _ in 0..300 {
                let (part, file) = PartFile::create(&path, Replaceable::AnyFile).unwrap();
                part.finish(&file).unwrap();
            }
        };
        std::thread::scope(|scope| (0..4).for_each(|_| drop(scope.spawn(write))));
    }

    #[test]
    fn parts_of_killed_runs_are_deleted_and_others_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.gz");
        for name in ["a.gz.17-3.part", "a.gz.part", "a.gz.x-1.part", "b.gz.17-3.part", "a.gz.1-2.parts"] {
            std::fs::write(folder.path().join(name), "left").unwrap();
        }
        let (first, _held) = PartFile::create(&path, Replaceable::Nothing).unwrap();
        let (second, file) = PartFile::create(&path, Replaceable::Nothing).unwrap();
        let names = || {
            let files = folder.path().read_dir().unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
            let mut names: Vec<String> = files.collect();
            names.sort();
            names
        };
        let others = ["a.gz.1-2.parts", "a.gz.part", "a.gz.x-1.part", "b.gz.17-3.part"];
        let own = [&first, &second].map(|part| part.place().file_name().unwrap().to_str().unwrap().to_string());
        assert!(own.iter().all(|name| names().contains(name)), "{:?}", names());
        assert_eq!(names().len(), others.len() + 2);
        second.finish(&file).unwrap();
        drop(first);
        let left: Vec<String> = ["a.gz"].iter().chain(&others).map(ToString::to_string).collect();
        assert_eq!(names(), left);
    }
}
