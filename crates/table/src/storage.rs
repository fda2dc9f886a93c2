//! Storage for the files of a run on many machines: a shared folder or a bucket.

use std::io;
use std::path::{Path, PathBuf};

use super::address::{self, Bucket};
use super::disk;
use super::own_folder::{self, MARKER};
use super::part::{self, PartFile};
use super::source::{FileSource, ReadAt};
use super::{Replaceable, Result, TableError, first_bytes};

/// A collection of named files. `/` separates the parts of a name. A file becomes visible when it is complete.
pub struct Storage(StorageKind);

enum StorageKind {
    Folder(PathBuf),
    Bucket(Box<dyn Bucket>),
}

/// The files that [`Storage::put`] may replace.
#[derive(Clone, Copy, Debug)]
pub enum PutPolicy<'a> {
    /// Any regular file, because the folder belongs to the run ([`Storage::take_folder`]).
    Any,
    /// Files that begin with `first`, and shorter files whose bytes are the start of `first`, such as empty or torn
    /// ones. Any other file is an error.
    Beginning {
        /// The name of such a file for error messages, with an article, such as "a table of this program".
        what: &'a str,
        /// The first bytes of such a file, which identify it.
        first: &'a [u8],
    },
}

impl PutPolicy<'_> {
    /// Returns the policy as a rule for replacing files in a folder.
    fn replace(self) -> Replaceable {
        match self {
            PutPolicy::Any => Replaceable::AnyFile,
            PutPolicy::Beginning { what, first } => {
                let first = first.to_vec();
                let is_own =
                    move |path: &Path| first_bytes(path, first.len()).is_some_and(|found| first.starts_with(&found));
                Replaceable::own(what, is_own).or(REMEDY)
            }
        }
    }

    /// Returns [`TableError::Foreign`] if the policy does not allow replacing the existing file `file`.
    fn check(self, path: &Path, file: &dyn ReadAt) -> Result<()> {
        let PutPolicy::Beginning { what, first } = self else { return Ok(()) };
        let found = file.read_at(0..file.length().min(first.len() as u64)).map_err(TableError::read(path))?;
        match first.starts_with(&found) {
            true => Ok(()),
            false => Err(TableError::foreign(path, format!("exists and is not {what}; {REMEDY}"))),
        }
    }
}

const REMEDY: &str = "move it away";

impl Storage {
    /// Opens a folder, which is created if it is missing, or a bucket (`s3://bucket/folder`, `gs://`, `az://`).
    pub fn find(text: &str) -> Result<Storage> {
        let path = Path::new(text);
        match address::of(path) {
            None => {
                disk::make_folder(path)?;
                Ok(Storage(StorageKind::Folder(path.into())))
            }
            Some(address) => Ok(Storage(StorageKind::Bucket((address::network(path)?.bucket)(address)?))),
        }
    }

    /// Returns the full path of a file, for error messages.
    pub fn path(&self, name: &str) -> PathBuf {
        match &self.0 {
            StorageKind::Folder(folder) => folder.join(name),
            StorageKind::Bucket(bucket) => bucket.address().join(name),
        }
    }

    /// Writes a file and replaces an existing one if `over` allows it.
    ///
    /// # Errors
    ///
    /// Returns [`TableError::Foreign`] if `over` does not allow replacing the existing file, or if the existing file is
    /// not a regular file.
    pub fn put(&self, name: &str, bytes: Vec<u8>, over: PutPolicy) -> Result<()> {
        match &self.0 {
            StorageKind::Folder(folder) => {
                let path = folder.join(name);
                make_folder_of(&path)?;
                let (part, file) = PartFile::create(&path, over.replace())?;
                file.write_all_at(&bytes, 0).map_err(TableError::io(part.place()))?;
                part.finish(&file)
            }
            StorageKind::Bucket(bucket) => {
                if let PutPolicy::Beginning { .. } = over
                    && let Some(file) = bucket.open(name)?
                {
                    over.check(&self.path(name), &*file)?;
                }
                bucket.put(name, bytes)
            }
        }
    }

    /// Writes a file, unless one of this name exists. Returns true if the file was written.
    pub fn create(&self, name: &str, bytes: Vec<u8>) -> Result<bool> {
        match &self.0 {
            StorageKind::Folder(folder) => {
                let path = folder.join(name);
                make_folder_of(&path)?;
                let (part, file) = PartFile::create(&path, Replaceable::AnyFile)?;
                file.write_all_at(&bytes, 0).map_err(TableError::io(part.place()))?;
                part.finish_new(&file)
            }
            StorageKind::Bucket(bucket) => bucket.create(name, bytes),
        }
    }

    /// Opens a file for reading. Returns `None` if it does not exist.
    pub fn open(&self, name: &str) -> Result<Option<Box<dyn ReadAt + '_>>> {
        match &self.0 {
            StorageKind::Folder(folder) => {
                let path = folder.join(name);
                match path.exists() {
                    true => Ok(Some(Box::new(FileSource::open(&path)?))),
                    false => Ok(None),
                }
            }
            StorageKind::Bucket(bucket) => bucket.open(name),
        }
    }

    /// Returns the bytes of a file, or `None` if it does not exist.
    pub fn get(&self, name: &str) -> Result<Option<Vec<u8>>> {
        match &self.0 {
            StorageKind::Folder(_) => {
                let Some(file) = self.open(name)? else { return Ok(None) };
                let bytes = file.read_at(0..file.length()).map_err(TableError::read(&self.path(name)))?;
                Ok(Some(bytes.into_owned()))
            }
            StorageKind::Bucket(bucket) => bucket.get(name),
        }
    }

    /// Returns the names and lengths in bytes of the files in `folder`, sorted by name. Each name is `folder/NAME`.
    /// Files in subfolders are left out. In a shared folder, files with a dot in their names are left out too, because
    /// unfinished files have one. A missing folder has no files.
    pub fn list(&self, folder: &str) -> Result<Vec<(String, u64)>> {
        match &self.0 {
            StorageKind::Folder(root) => {
                let path = root.join(folder);
                let files = match std::fs::read_dir(&path) {
                    Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
                    files => files.map_err(TableError::io(&path))?,
                };
                let mut found = Vec::new();
                for file in files {
                    let file = file.map_err(TableError::io(&path))?;
                    // Unfinished files have a dot in their names and may vanish at any moment.
                    if let (Ok(meta), Some(name)) = (file.metadata(), file.file_name().to_str())
                        && meta.is_file()
                        && !name.contains('.')
                    {
                        found.push((format!("{folder}/{name}"), meta.len()));
                    }
                }
                found.sort();
                Ok(found)
            }
            StorageKind::Bucket(bucket) => bucket.list(folder),
        }
    }

    /// Deletes a file if it exists.
    pub fn delete(&self, name: &str) -> Result<()> {
        match &self.0 {
            StorageKind::Folder(folder) => {
                let path = folder.join(name);
                disk::remove(&path).map_err(TableError::io(&path))
            }
            StorageKind::Bucket(bucket) => bucket.delete(name),
        }
    }
}

/// Folders of a run. A marker file in each identifies it as the program's own.
impl Storage {
    /// Creates and marks a folder for this purpose, or takes an existing one with the marker of this purpose. `below`
    /// has the names of the subfolders that may hold files. In a bucket, these are checked for files one by one,
    /// because listing a folder leaves out the files in its subfolders.
    ///
    /// # Errors
    ///
    /// Returns [`TableError::Foreign`] if the folder is not marked for this purpose, and it or one of its subfolders
    /// holds files.
    pub fn take_folder(&self, name: &str, purpose: &str, below: &[String]) -> Result<()> {
        match &self.0 {
            StorageKind::Folder(folder) => own_folder::take(&folder.join(name), purpose),
            // Buckets have no folders, only names.
            StorageKind::Bucket(bucket) => {
                let (text, marker) = (own_folder::text(purpose), format!("{name}/{MARKER}"));
                if bucket.get(&marker)?.is_some_and(|found| found == text.as_bytes()) {
                    return Ok(());
                }
                for folder in [name.to_string()].into_iter().chain(below.iter().map(|below| format!("{name}/{below}")))
                {
                    if !bucket.list(&folder)?.is_empty() {
                        return Err(TableError::foreign(&self.path(name), own_folder::problem(purpose)));
                    }
                }
                bucket.put(&marker, text.into_bytes())
            }
        }
    }

    /// Returns [`TableError::Foreign`] unless [`Storage::take_folder`] has taken the folder for this purpose.
    pub fn check_folder(&self, name: &str, purpose: &str) -> Result<()> {
        match &self.0 {
            StorageKind::Folder(folder) => {
                let path = folder.join(name);
                if own_folder::is_own(&path, purpose) { Ok(()) } else { Err(own_folder::unmarked(&path, purpose)) }
            }
            StorageKind::Bucket(bucket) => match bucket.get(&format!("{name}/{MARKER}"))? {
                Some(found) if found == own_folder::text(purpose).as_bytes() => Ok(()),
                _ => Err(TableError::foreign(
                    &self.path(name),
                    format!("has no {MARKER} that marks it as the {purpose}"),
                )),
            },
        }
    }

    /// Deletes a folder that was taken for this purpose, with its marker, its empty subfolders and the unfinished files
    /// that killed runs have left. If it holds any other file, the folder and its marker stay. In a bucket, only the
    /// marker is deleted. Does nothing if the folder does not exist.
    pub fn forget_folder(&self, name: &str, purpose: &str) -> Result<()> {
        match &self.0 {
            StorageKind::Folder(folder) => {
                let path = folder.join(name);
                if own_folder::is_own(&path, purpose) {
                    delete_empty(&path).map(drop).map_err(TableError::io(&path))?;
                    own_folder::remove_if_empty(&path, purpose)?;
                }
                Ok(())
            }
            StorageKind::Bucket(bucket) => bucket.delete(&format!("{name}/{MARKER}")),
        }
    }
}

/// Deletes a folder if it and its subfolders hold only unfinished files. Returns true if the folder no longer exists.
fn delete_empty(path: &Path) -> io::Result<bool> {
    if !own_folder::is_folder(path) {
        return Ok(!path.exists());
    }
    let mut is_empty = true;
    for entry in path.read_dir()? {
        let path = entry?.path();
        if own_folder::is_folder(&path) {
            is_empty &= delete_empty(&path)?;
        } else if part::is_part(&path) {
            disk::remove(&path)?;
        } else {
            is_empty = false;
        }
    }
    if is_empty {
        std::fs::remove_dir(path)?;
    }
    Ok(is_empty)
}

fn make_folder_of(path: &Path) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    disk::make_folder(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PURPOSE: &str = "work of a test";

    #[test]
    fn files_of_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let storage = Storage::find(folder.path().join("new").to_str().unwrap()).unwrap();
        assert!(storage.get("x/1").unwrap().is_none() && storage.list("x").unwrap().is_empty());
        storage.put("x/1", b"one".to_vec(), PutPolicy::Any).unwrap();
        storage.put("x/1", b"first".to_vec(), PutPolicy::Any).unwrap();
        assert!(storage.create("x/2", b"two".to_vec()).unwrap() && !storage.create("x/2", b"no".to_vec()).unwrap());
        std::fs::write(folder.path().join("new/x/taken"), "").unwrap();
        assert!(!storage.create("x/taken", b"no".to_vec()).unwrap(), "an empty file has the name");
        storage.delete("x/taken").unwrap();
        storage.put("x/below/3", b"three".to_vec(), PutPolicy::Any).unwrap();
        assert_eq!(storage.list("x").unwrap(), [("x/1".into(), 5), ("x/2".into(), 3)]);
        assert_eq!(storage.get("x/2").unwrap().unwrap(), b"two");
        storage.delete("x/2").unwrap();
        storage.delete("x/2").unwrap();
        assert_eq!(storage.list("x").unwrap().len(), 1);
    }

    #[test]
    fn files_of_others_are_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let storage = Storage::find(folder.path().to_str().unwrap()).unwrap();
        let over = PutPolicy::Beginning { what: "a marked file", first: b"MARK" };
        let put = |name: &str| storage.put(name, b"MARK and more".to_vec(), over);
        for own in ["MARK and less", "MARK", "MA", ""] {
            std::fs::write(path("own"), own).unwrap();
            put("own").unwrap();
            assert_eq!(std::fs::read(path("own")).unwrap(), b"MARK and more");
        }
        for foreign in ["a letter", "MAR and more", "M\n"] {
            std::fs::write(path("foreign"), foreign).unwrap();
            let said = put("foreign").unwrap_err().to_string();
            assert!(said.ends_with("foreign: exists and is not a marked file; move it away"), "{said}");
            assert_eq!(std::fs::read_to_string(path("foreign")).unwrap(), foreign);
        }
        std::os::unix::fs::symlink(path("own"), path("link")).unwrap();
        for over in [over, PutPolicy::Any] {
            let said = storage.put("link", b"MARK".to_vec(), over).unwrap_err().to_string();
            assert!(said.contains("link: is a symbolic link"), "{said}");
        }
    }

    #[test]
    fn a_folder_of_others_is_not_taken() {
        let folder = tempfile::tempdir().unwrap();
        let storage = Storage::find(folder.path().to_str().unwrap()).unwrap();
        let said = storage.check_folder("run", PURPOSE).unwrap_err().to_string();
        assert!(said.contains("run: ") && said.contains("work of a test"), "{said}");
        storage.take_folder("run", PURPOSE, &[]).unwrap();
        storage.put("run/1", b"one".to_vec(), PutPolicy::Any).unwrap();
        storage.take_folder("run", PURPOSE, &[]).unwrap();
        storage.check_folder("run", PURPOSE).unwrap();
        assert!(storage.check_folder("run", "another purpose").is_err());
        std::fs::create_dir(folder.path().join("foreign")).unwrap();
        std::fs::write(folder.path().join("foreign/1"), "Dear reader").unwrap();
        assert!(
            storage.take_folder("foreign", PURPOSE, &[]).is_err() && storage.check_folder("foreign", PURPOSE).is_err()
        );
        storage.forget_folder("foreign", PURPOSE).unwrap();
        assert_eq!(std::fs::read_to_string(folder.path().join("foreign/1")).unwrap(), "Dear reader");
    }

    #[test]
    fn a_folder_that_holds_something_else_stays() {
        let folder = tempfile::tempdir().unwrap();
        let storage = Storage::find(folder.path().to_str().unwrap()).unwrap();
        storage.take_folder("run", PURPOSE, &[]).unwrap();
        for name in ["run/1", "run/below/2", "run/below/2.17-3.part", "run/empty/3"] {
            storage.put(name, b"bytes".to_vec(), PutPolicy::Any).unwrap();
        }
        ["run/1", "run/below/2", "run/empty/3"].iter().for_each(|name| storage.delete(name).unwrap());
        std::fs::write(folder.path().join("run/below/letter"), "Dear reader").unwrap();
        storage.forget_folder("run", PURPOSE).unwrap();
        assert_eq!(std::fs::read_to_string(folder.path().join("run/below/letter")).unwrap(), "Dear reader");
        assert!(!folder.path().join("run/empty").exists() && !folder.path().join("run/below/2.17-3.part").exists());
        storage.check_folder("run", PURPOSE).unwrap();
        storage.delete("run/below/letter").unwrap();
        storage.forget_folder("run", PURPOSE).unwrap();
        storage.forget_folder("run", PURPOSE).unwrap();
        assert!(!folder.path().join("run").exists());
    }
}
