//! Files that are written under another name until they are whole.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use super::disk::{self, DiskFile};
use super::regular::{self, Standing};
use super::{Replace, Result, TableError};

/// How the names of such files end.
const PART: &str = "part";

/// A file beside its place, that is deleted unless it gets its name.
pub struct Part {
    /// The name it is to get.
    path: PathBuf,
    /// Where it is now.
    part: PathBuf,
    /// What may lie at `path` when it gets its name.
    replace: Replace,
}

/// Parts that this process has begun.
static BEGUN: AtomicU32 = AtomicU32::new(0);

impl Part {
    /// Makes an empty file that is to become `path`, under a name that nobody else writes to. What killed runs have
    /// left of theirs is deleted. An error if `path` names what may not be replaced.
    pub fn create(path: &Path, replace: Replace) -> Result<(Part, DiskFile)> {
        replace.check(path)?;
        delete_leftovers(path);
        loop {
            let number = BEGUN.fetch_add(1, Ordering::Relaxed);
            let part = path.with_added_extension(format!("{}-{number}.{PART}", std::process::id()));
            let file = match DiskFile::create_new(&part) {
                // Of another machine that writes to the same folder, perhaps.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                file => file.map_err(TableError::io(path))?,
            };
            // Somebody may have taken it for a leftover before it was locked.
            if file.lock(&part).map_err(TableError::io(path))? {
                return Ok((Part { path: path.into(), part, replace }, file));
            }
        }
    }

    /// Writes a file that appears when it is whole.
    pub fn write(path: &Path, bytes: &[u8], replace: Replace) -> Result<()> {
        let (part, mut file) = Part::create(path, replace)?;
        file.write_all(bytes).map_err(TableError::io(part.place()))?;
        part.finish(&file)
    }

    /// What errors are about.
    pub fn place(&self) -> &Path {
        &self.part
    }

    /// Gives the file its name once all of it is on the disk. An error if something has got that name meanwhile that may
    /// not be replaced.
    pub fn finish(self, file: &DiskFile) -> Result<()> {
        file.sync().map_err(TableError::io(&self.part))?;
        self.replace.check(&self.path)?;
        disk::rename(&self.part, &self.path).map_err(TableError::io(&self.path))
    }
}

/// Deletes files on their way to `path` that no run holds any more.
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
        // It is locked until it is gone, so that a run that has just begun it does not take it for its own. One that
        // cannot be deleted is in nobody's way.
        if regular::standing(&path).is_ok_and(|found| found == Standing::File)
            && let Ok(Some(file)) = regular::open(&path)
            && file.try_lock().is_ok()
        {
            let _ = disk::remove(&path);
        }
    }
}

/// Returns true for the names that unfinished files have: `NAME.<process>-<number>.part`.
pub fn is_part(path: &Path) -> bool {
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let run = name.strip_suffix(PART).and_then(|name| name.strip_suffix('.')?.rsplit_once('.'));
    let numbers = run.and_then(|(_, run)| run.split_once('-'));
    numbers.is_some_and(|(process, number)| is_digits(process) && is_digits(number))
}

impl Drop for Part {
    fn drop(&mut self) {
        // After a rename there is nothing left to delete.
        let _ = disk::remove(&self.part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whoever has begun a file can end it, however many others look for leftovers at that moment.
    #[test]
    fn a_part_just_begun_is_no_leftover() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.gz");
        let write = || {
            for _ in 0..300 {
                let (part, file) = Part::create(&path, Replace::AnyFile).unwrap();
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
        let (first, _held) = Part::create(&path, Replace::Nothing).unwrap();
        let (second, file) = Part::create(&path, Replace::Nothing).unwrap();
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
