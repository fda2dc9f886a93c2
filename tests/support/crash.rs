//! Every point at which a run can break off: at each change to its files in turn the change fails, is made by half, or
//! the program dies; and the machine loses power, with what was not synced lost in all, one by one, or by half. The
//! next run must come to the same files as one that nothing disturbed.

use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::TempDir;
use yomikiri_rules::{AnyGame, with_game};
use yomikiri_solve::pipeline::analyze;
use yomikiri_solve::{SolveError, SolveOptions};
use yomikiri_table::Silent;
use yomikiri_table::disk::faults::{Disk, Fate, Fault, Watch};

/// A new folder, in memory where the system has one for that: a run is a few dozen changes to small files.
pub fn folder() -> TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

pub type Files = BTreeMap<PathBuf, Vec<u8>>;

/// The files of a folder by their names; without locks, and without what a kill leaves under a name of its own, which
/// is no harm.
pub fn files(folder: &Path) -> Files {
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let files =
        files.filter(|path| path.extension().is_none_or(|extension| extension != "lock" && extension != "part"));
    files.map(|path| (path.file_name().unwrap().into(), fs::read(&path).unwrap())).collect()
}

/// What a run makes in a folder, and how often it can be disturbed.
struct Points<'a> {
    /// What is run, for messages.
    what: &'a str,
    /// Called before a folder is begun with.
    begin: &'a dyn Fn(),
    run: &'a dyn Fn(&Path) -> Result<(), SolveError>,
    /// What is compared of a folder in which a run has come to its end.
    found: &'a dyn Fn(&Path) -> Files,
    whole: Files,
    /// The folder of the undisturbed run.
    first: &'a Path,
    tried: usize,
}

impl Points<'_> {
    /// Runs once more in a folder that something has left so; the files must be whole then.
    fn go_on(&mut self, folder: &Path, after: &str) {
        // Nothing is synced in earnest where somebody watches.
        let watch = Watch::new(folder, None);
        let run = catch_unwind(AssertUnwindSafe(|| (self.run)(folder)));
        drop(watch);
        let what = self.what;
        let run = run.unwrap_or_else(|_| panic!("{what}: the run after {after} panics"));
        run.unwrap_or_else(|error| panic!("{what}: the run after {after} fails: {error}"));
        let found = (self.found)(folder);
        let names = |files: &Files| files.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&found), names(&self.whole), "{what}: files of the run after {after}");
        assert!(found == self.whole, "{what}: the run after {after} made other bytes");
        self.tried += 1;
    }

    /// Has the change of this number fail in a folder of its own, and goes on.
    fn fail(&mut self, number: usize, fault: Fault) {
        let folder = folder();
        (self.begin)();
        let watch = Watch::new(folder.path(), Some((number, fault)));
        let after = format!("change {number} with {fault:?}");
        let run = catch_unwind(AssertUnwindSafe(|| (self.run)(folder.path())));
        drop(watch);
        assert!(run.is_ok(), "{}: {after} makes the run panic", self.what);
        self.go_on(folder.path(), &after);
    }

    /// Lays out files as a loss of power leaves them, and goes on.
    fn lose(&mut self, disk: &Disk, after: &str, fate: impl Fn(usize) -> Fate) {
        let folder = folder();
        for (path, bytes) in disk.left(fate) {
            let path = folder.path().join(path.strip_prefix(self.first).unwrap());
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        (self.begin)();
        self.go_on(folder.path(), after);
    }
}

/// Tries every point of a run that makes files; returns how many that were.
pub fn try_all(what: &str, run: impl Fn(&Path) -> Result<(), SolveError>) -> usize {
    try_points(what, || (), run, files)
}

/// As [`try_all`], where `found` says what is compared, and `begin` is called before each folder.
pub fn try_points(
    what: &str,
    begin: impl Fn(),
    run: impl Fn(&Path) -> Result<(), SolveError>,
    found: impl Fn(&Path) -> Files,
) -> usize {
    let first = folder();
    let watch = Watch::new(first.path(), None);
    begin();
    run(first.path()).unwrap();
    let changes = watch.changes();
    drop(watch);
    let (whole, first) = (found(first.path()), first.path());
    let mut points = Points { what, begin: &begin, run: &run, found: &found, whole, first, tried: 0 };
    assert!(changes.len() > 3 && !points.whole.is_empty(), "{what}: nothing is watched");
    for number in 0..changes.len() {
        for fault in [Fault::Error, Fault::Short, Fault::Death] {
            points.fail(number, fault);
        }
    }
    let mut disk = Disk::default();
    for (number, change) in changes.iter().enumerate() {
        disk.apply(change);
        let after = format!("power lost behind change {number}");
        points.lose(&disk, &format!("{after}, nothing unsynced kept"), |_| Fate::Lost);
        for lost in 0..disk.pending() {
            for fate in [Fate::Lost, Fate::Cut] {
                let one = |at| if at == lost { fate } else { Fate::Kept };
                points.lose(&disk, &format!("{after}, unsynced change {lost} {fate:?}"), one);
            }
        }
    }
    eprintln!("{what}: {} changes, {} points", changes.len(), points.tried);
    points.tried
}

/// The table of a whole code; how many points were tried.
pub fn table(code: &str) -> usize {
    let options = SolveOptions { memory: 1 << 30, force: false, checkpoint: Duration::ZERO, progress: &Silent };
    try_all(code, |folder| with_game!(AnyGame::parse(code)?, game => analyze(&game, None, folder, &options).map(drop)))
}
