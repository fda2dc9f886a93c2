//! Runs that are killed at any moment go on to the same bytes.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const CODE: &str = "bin4x4-t333";

fn analyze(folder: &Path) -> Command {
    run(folder, &[CODE])
}

fn run(folder: &Path, what: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_yomikiri"));
    command.arg("analyze").args(what).args(["--threads", "2", "--tables"]).arg(folder);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Bytes of the files of a run that are there now.
fn written(folder: &Path) -> u64 {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    files.filter_map(|file| file.metadata().ok()).map(|meta| meta.len()).sum()
}

/// Starts a run and kills it (SIGKILL) once `moment` says so; false if it finished before.
fn killed(folder: &Path, moment: impl Fn() -> bool) -> bool {
    killed_run(analyze(folder), moment)
}

fn killed_run(mut run: Command, moment: impl Fn() -> bool) -> bool {
    let mut child = run.spawn().unwrap();
    let limit = Instant::now() + Duration::from_secs(300);
    loop {
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        if moment() {
            child.kill().unwrap();
            child.wait().unwrap();
            return true;
        }
        assert!(Instant::now() < limit, "the run neither ends nor comes to its moment");
        std::thread::sleep(Duration::from_millis(3));
    }
}

#[test]
fn a_run_killed_at_six_moments_ends_with_the_same_bytes() {
    let (straight, broken) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    assert!(analyze(straight.path()).status().unwrap().success());
    let expected = std::fs::read(straight.path().join(format!("{CODE}.tbl"))).unwrap();

    let folder = broken.path();
    let exists = |name: &str| folder.join(format!("{CODE}.{name}")).exists();
    let size = |name: &str| folder.join(format!("{CODE}.{name}")).metadata().map_or(0, |meta| meta.len());
    let mut kills = 0;
    // While enumerating: early, and with half of that work done.
    kills += u32::from(killed(folder, || size("reach.work") > 1_000));
    kills += u32::from(killed(folder, || size("reach.work") > 200_000));
    // While solving: at the first tiers, and later.
    kills += u32::from(killed(folder, || size("work") > 1_000));
    kills += u32::from(killed(folder, || size("work") > 1_500_000));
    assert!(written(folder) > 0);
    // While auditing: twice.
    kills += u32::from(killed(folder, || exists("unaudited")));
    let since = std::cell::Cell::new(None);
    kills += u32::from(killed(folder, || {
        let start = since.get().unwrap_or_else(Instant::now);
        since.set(Some(start));
        exists("unaudited") && start.elapsed() > Duration::from_millis(150)
    }));
    assert_eq!(kills, 6, "a run finished before its moment");
    assert!(!folder.join(format!("{CODE}.tbl")).exists(), "no table before its audit");

    assert!(analyze(folder).status().unwrap().success());
    assert!(std::fs::read(folder.join(format!("{CODE}.tbl"))).unwrap() == expected, "the resumed table differs");
    let left: Vec<_> = std::fs::read_dir(folder).unwrap().flatten().map(|file| file.file_name()).collect();
    assert_eq!(left.len(), 1, "files left over: {left:?}");
}

#[test]
fn a_torn_journal_line_is_done_again() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().join(CODE);
    assert!(killed(folder.path(), || base
        .with_added_extension("work")
        .metadata()
        .is_ok_and(|meta| meta.len() > 300_000)));
    let journal = base.with_added_extension("journal");
    let text = std::fs::read(&journal).unwrap();
    std::fs::write(&journal, &text[..text.len() - 7]).unwrap();
    assert!(analyze(folder.path()).status().unwrap().success());
}

#[test]
fn a_run_below_a_late_position_goes_on_too() {
    let (straight, broken) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let late = "1xxxox1/1xoxox1/1oxxox1/1xoxox1/1ooxox1/1oxxox1 b 34bcdef 11//11/5// 16";
    let what = ["bin7x6", "--from", late];
    let table = "bin7x6@0000cf040037718d";
    assert!(run(straight.path(), &what).status().unwrap().success());
    let expected = std::fs::read(straight.path().join(format!("{table}.tbl"))).unwrap();

    let folder = broken.path();
    let size = |name: &str| folder.join(format!("{table}.{name}")).metadata().map_or(0, |meta| meta.len());
    assert!(killed_run(run(folder, &what), || size("keys.work") > 100_000));
    assert!(killed_run(run(folder, &what), || size("values.work") > 1_000));
    assert!(killed_run(run(folder, &what), || size("unaudited") > 0));
    assert!(run(folder, &what).status().unwrap().success());
    assert!(std::fs::read(folder.join(format!("{table}.tbl"))).unwrap() == expected, "the resumed table differs");
    let left: Vec<_> = std::fs::read_dir(folder).unwrap().flatten().map(|file| file.file_name()).collect();
    assert_eq!(left.len(), 1, "files left over: {left:?}");
}
