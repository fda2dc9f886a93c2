//! The differences between operating systems: opening, reading and writing at an offset, locks, and names of files.

#[cfg(not(any(unix, windows)))]
mod other;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(not(any(unix, windows)))]
pub use other::*;
#[cfg(unix)]
pub use unix::*;
#[cfg(windows)]
pub use windows::*;

#[cfg(all(test, feature = "write"))]
mod tests {
    use std::fs::File;

    use super::*;

    #[test]
    fn a_lock_leaves_reading_and_writing_to_everybody() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("some");
        let file = File::create_new(&path).unwrap();
        assert!(try_lock(&file).unwrap());
        let other = File::options().read(true).write(true).open(&path).unwrap();
        assert!(!try_lock(&other).unwrap());
        write_all_at(&other, b"written", 3).unwrap();
        let mut found = [1; 10];
        read_exact_at(&other, &mut found, 0).unwrap();
        assert_eq!(&found, b"\0\0\0written");
        assert!(read_exact_at(&other, &mut found, 1).is_err());
        drop(file);
        assert!(try_lock(&other).unwrap());
    }

    #[test]
    fn a_file_is_known_by_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let [path, other] = ["some", "other"].map(|name| folder.path().join(name));
        let file = File::create_new(&path).unwrap();
        assert!(is_named(&file, &path).unwrap() && !is_named(&file, &other).unwrap());
        std::fs::rename(&path, &other).unwrap();
        assert!(!is_named(&file, &path).unwrap() && is_named(&file, &other).unwrap());
        File::create_new(&path).unwrap();
        assert!(!is_named(&file, &path).unwrap());
    }
}
