//! Where the files of a run lie that many machines make: a folder that all of them see, or a bucket.

use std::io;
use std::path::{Path, PathBuf};

use super::disk::{self, DiskFile};
use super::location::address;
use super::own_folder;
use super::part::{self, Part};
use super::source::{FileSource, ReadAt};
use super::{Replace, Result, TableError};
#[cfg(feature = "remote")]
use crate::remote::{Bucket, Patience};

/// Files by name, with `/` between the parts of a name. A file is there whole or not at all.
pub struct Storage(Place);

enum Place {
    Folder(PathBuf),
    #[cfg(feature = "remote")]
    Bucket(Bucket),
}

impl Storage {
    /// A folder, made if it is not there, or a bucket (`s3://bucket/folder`, `gs://`, `az://`).
    pub fn find(text: &str) -> Result<Storage> {
        let path = Path::new(text);
        match address(path) {
            None => {
                std::fs::create_dir_all(path).map_err(TableError::io(path))?;
                Ok(Storage(Place::Folder(path.into())))
            }
            #[cfg(feature = "remote")]
            Some(address) => Ok(Storage(Place::Bucket(Bucket::open(address, &Patience::default())?))),
            #[cfg(not(feature = "remote"))]
            Some(_) => Err(TableError::foreign(path, "this program was built without addresses (feature remote)")),
        }
    }

    /// What errors call a file.
    pub fn path(&self, name: &str) -> PathBuf {
        match &self.0 {
            Place::Folder(folder) => folder.join(name),
            #[cfg(feature = "remote")]
            Place::Bucket(bucket) => bucket.address().join(name),
        }
    }

    /// Writes a file in place of any of its name.
    pub fn put(&self, name: &str, bytes: Vec<u8>) -> Result<()> {
        match &self.0 {
            Place::Folder(folder) => {
                let path = folder.join(name);
                make_folder_of(&path)?;
                let (part, file) = Part::create(&path, Replace::AnyFile)?;
                file.write_all_at(&bytes, 0).map_err(TableError::io(part.place()))?;
                part.finish(&file)
            }
            #[cfg(feature = "remote")]
            Place::Bucket(bucket) => bucket.put(name, bytes),
        }
    }

    /// Writes a file unless there is one of its name; whether it has.
    pub fn create(&self, name: &str, bytes: Vec<u8>) -> Result<bool> {
        match &self.0 {
            Place::Folder(folder) => {
                let path = folder.join(name);
                make_folder_of(&path)?;
                match DiskFile::create_new(&path) {
                    Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(false),
                    Err(error) => Err(TableError::io(&path)(error)),
                    Ok(file) => file.write_all_at(&bytes, 0).map(|()| true).map_err(TableError::io(&path)),
                }
            }
            #[cfg(feature = "remote")]
            Place::Bucket(bucket) => bucket.create(name, bytes),
        }
    }

    /// A file to read from; `None` if it is not there.
    pub fn open(&self, name: &str) -> Result<Option<Box<dyn ReadAt + '_>>> {
        match &self.0 {
            Place::Folder(folder) => {
                let path = folder.join(name);
                match path.exists() {
                    true => Ok(Some(Box::new(FileSource::open(&path)?))),
                    false => Ok(None),
                }
            }
            #[cfg(feature = "remote")]
            Place::Bucket(bucket) => Ok(bucket.open_file(name)?.map(|file| Box::new(file) as Box<dyn ReadAt>)),
        }
    }

    /// The bytes of a file; `None` if it is not there.
    pub fn get(&self, name: &str) -> Result<Option<Vec<u8>>> {
        match &self.0 {
            Place::Folder(_) => {
                let Some(file) = self.open(name)? else { return Ok(None) };
                let bytes = file.read_at(0..file.length()).map_err(TableError::io(&self.path(name)))?;
                Ok(Some(bytes.into_owned()))
            }
            #[cfg(feature = "remote")]
            Place::Bucket(bucket) => bucket.get(name),
        }
    }

    /// The names of the files whose names begin with `folder` and a slash and have no other slash, and their lengths.
    pub fn list(&self, folder: &str) -> Result<Vec<(String, u64)>> {
        match &self.0 {
            Place::Folder(root) => {
                let path = root.join(folder);
                let files = match std::fs::read_dir(&path) {
                    Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
                    files => files.map_err(TableError::io(&path))?,
                };
                let mut found = Vec::new();
                for file in files {
                    let file = file.map_err(TableError::io(&path))?;
                    // What is being written has a name of its own and may go at any moment.
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
            #[cfg(feature = "remote")]
            Place::Bucket(bucket) => bucket.list(folder),
        }
    }

    /// Deletes a file if it is there.
    pub fn delete(&self, name: &str) -> Result<()> {
        match &self.0 {
            Place::Folder(folder) => {
                let path = folder.join(name);
                disk::remove(&path).map_err(TableError::io(&path))
            }
            #[cfg(feature = "remote")]
            Place::Bucket(bucket) => bucket.delete(name),
        }
    }
}

impl Storage {
    /// Deletes a folder whose files have been deleted, where there are folders: with those below it that are empty, and
    /// with what killed nodes have left of files on their way. A folder that holds anything else stays.
    pub fn forget_folder(&self, name: &str) -> Result<()> {
        match &self.0 {
            Place::Folder(folder) => {
                let path = folder.join(name);
                delete_empty(&path).map(drop).map_err(TableError::io(&path))
            }
            #[cfg(feature = "remote")]
            Place::Bucket(_) => Ok(()),
        }
    }
}

/// Deletes a folder if there is nothing in it and below it but unfinished files; whether it is gone.
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
    std::fs::create_dir_all(folder).map_err(TableError::io(folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let storage = Storage::find(folder.path().join("new").to_str().unwrap()).unwrap();
        assert!(storage.get("x/1").unwrap().is_none() && storage.list("x").unwrap().is_empty());
        storage.put("x/1", b"one".to_vec()).unwrap();
        storage.put("x/1", b"first".to_vec()).unwrap();
        assert!(storage.create("x/2", b"two".to_vec()).unwrap() && !storage.create("x/2", b"no".to_vec()).unwrap());
        storage.put("x/below/3", b"three".to_vec()).unwrap();
        assert_eq!(storage.list("x").unwrap(), [("x/1".into(), 5), ("x/2".into(), 3)]);
        assert_eq!(storage.get("x/2").unwrap().unwrap(), b"two");
        storage.delete("x/2").unwrap();
        storage.delete("x/2").unwrap();
        assert_eq!(storage.list("x").unwrap().len(), 1);
    }

    #[test]
    fn a_folder_that_holds_something_else_stays() {
        let folder = tempfile::tempdir().unwrap();
        let storage = Storage::find(folder.path().to_str().unwrap()).unwrap();
        for name in ["run/1", "run/below/2", "run/below/2.17-3.part", "run/empty/3"] {
            storage.put(name, b"bytes".to_vec()).unwrap();
        }
        ["run/1", "run/below/2", "run/empty/3"].iter().for_each(|name| storage.delete(name).unwrap());
        std::fs::write(folder.path().join("run/below/letter"), "Dear reader").unwrap();
        storage.forget_folder("run").unwrap();
        assert_eq!(std::fs::read_to_string(folder.path().join("run/below/letter")).unwrap(), "Dear reader");
        assert!(!folder.path().join("run/empty").exists() && !folder.path().join("run/below/2.17-3.part").exists());
        storage.delete("run/below/letter").unwrap();
        storage.forget_folder("run").unwrap();
        storage.forget_folder("run").unwrap();
        assert!(!folder.path().join("run").exists());
    }
}
