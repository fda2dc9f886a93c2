//! Interrupts a run at every change that it makes to its files. For each change there is a run in which the change
//! fails, one in which a write is cut in half, and one in which the program dies. For each change there are also
//! folders as a power loss after it leaves them: all unsynced changes are lost, or one of them is lost or cut in half.
//! The next run in such a folder must produce the same files as an undisturbed run.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::TempDir;
use yomikiri_rules::AnyGame;
use yomikiri_solve::pipeline::analyze;
use yomikiri_solve::{SolveError, SolveOptions};
use yomikiri_table::disk::faults::{Disk, Fate, FolderWatch, InjectedFault};
use yomikiri_table::{Silent, threads};

/// Returns a new folder, in memory if the system has `/dev/shm`: a run makes only a few dozen changes to small files.
pub fn folder() -> TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

pub type Files = BTreeMap<PathBuf, Vec<u8>>;

/// Returns the files of a folder by name. Leaves out locks and the temporary files (`.part`) that a kill leaves behind,
/// which do no harm.
pub fn files(folder: &Path) -> Files {
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let files =
        files.filter(|path| path.extension().is_none_or(|extension| extension != "lock" && extension != "part"));
    files.map(|path| (path.file_name().unwrap().into(), fs::read(&path).unwrap())).collect()
}

/// A run, the files that it must produce, and the number of disturbed runs so far.
struct CrashTest<'a> {
    /// Names the run in messages.
    what: &'a str,
    /// Called for each new folder, before the first run in it.
    begin: &'a dyn Fn(),
    run: &'a dyn Fn(&Path) -> Result<(), SolveError>,
    /// Returns the files to compare after a run has finished.
    found: &'a dyn Fn(&Path) -> Files,
    whole: Files,
    /// The folder of the undisturbed run.
    first: &'a Path,
    /// The files that power losses have left so far. The same files are tried once.
    left: HashSet<Files>,
    tried: usize,
}

impl CrashTest<'_> {
    /// Runs again in a folder that a disturbed run left behind, and checks that the folder then has the right files.
    fn go_on(&mut self, folder: &Path, after: &str) {
        // A watched folder is not synced, which saves time.
        let watch = FolderWatch::new(folder, None);
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

    /// Runs in a new folder with `fault` at the change with this index, then runs again in the same folder.
    fn fail(&mut self, number: usize, fault: InjectedFault) {
        let folder = folder();
        (self.begin)();
        let watch = FolderWatch::new(folder.path(), Some((number, fault)));
        let after = format!("change {number} with {fault:?}");
        let run = catch_unwind(AssertUnwindSafe(|| (self.run)(folder.path())));
        drop(watch);
        assert!(run.is_ok(), "{}: {after} makes the run panic", self.what);
        self.go_on(folder.path(), &after);
    }

    /// Creates the files that a power loss leaves in a new folder, then runs there. `fate` returns the fate of each
    /// unsynced change, by index.
    fn lose(&mut self, disk: &Disk, after: &str, fate: impl Fn(usize) -> Fate) {
        let folder = folder();
        let left = disk.left(fate);
        if !self.left.insert(left.clone()) {
            return;
        }
        for (path, bytes) in left {
            let path = folder.path().join(path.strip_prefix(self.first).unwrap());
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        (self.begin)();
        self.go_on(folder.path(), after);
    }
}

/// Disturbs a run at every point, as the module describes, and panics if a next run does not produce the right files.
/// Returns the number of disturbances.
pub fn try_all(what: &str, run: impl Fn(&Path) -> Result<(), SolveError>) -> usize {
    try_points(what, || (), run, files)
}

/// Does the same as [`try_all`], but calls `begin` for each new folder and compares the files that `found` returns.
pub fn try_points(
    what: &str,
    begin: impl Fn(),
    run: impl Fn(&Path) -> Result<(), SolveError>,
    found: impl Fn(&Path) -> Files,
) -> usize {
    let first = folder();
    let watch = FolderWatch::new(first.path(), None);
    begin();
    run(first.path()).unwrap();
    let changes = watch.changes();
    drop(watch);
    let (whole, first) = (found(first.path()), first.path());
    let mut points =
        CrashTest { what, begin: &begin, run: &run, found: &found, whole, first, left: HashSet::new(), tried: 0 };
    assert!(changes.len() > 3 && !points.whole.is_empty(), "{what}: nothing is watched");
    for number in 0..changes.len() {
        for fault in [InjectedFault::Error, InjectedFault::Short, InjectedFault::Death] {
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

/// Disturbs the analysis of the whole game of a rule code at every point. Returns the number of disturbances.
pub fn table(code: &str) -> usize {
    let options = SolveOptions { memory: 1 << 30, force: false, checkpoint: Duration::ZERO, progress: &Silent };
    let run = |folder: &Path| analyze(&AnyGame::parse(code)?, None, folder, &options).map(drop);
    // These boards are so small that several threads would only wait for each other.
    threads::pool(1).unwrap().install(|| try_all(code, run))
}
