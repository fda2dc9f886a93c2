//! Runs that are killed at any moment go on to the same bytes.

use std::path::Path;
use std::process::Command;

use crate::support::command::{command, files, kill_run};

const CODE: &str = "bin4x4-t333";

fn analyze(folder: &Path) -> Command {
    run(folder, &[CODE])
}

fn run(folder: &Path, what: &[&str]) -> Command {
    command(folder, &[&["analyze"], what, &["--threads", "2"]].concat())
}

#[test]
fn a_run_killed_at_six_moments_ends_with_the_same_bytes() {
    let (straight, broken) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    assert!(analyze(straight.path()).status().unwrap().success());
    let expected = std::fs::read(straight.path().join(format!("{CODE}.tbl"))).unwrap();

    let folder = broken.path();
    let exists = |name: &str| folder.join(format!("{CODE}.{name}")).exists();
    let size = |name: &str| folder.join(format!("{CODE}.{name}")).metadata().map_or(0, |meta| meta.len());
    let killed = |moment: &dyn Fn() -> bool| kill_run(analyze(folder), moment);
    // While enumerating: early, and with half of that work done.
    killed(&|| size("reach.work") > 1_000);
    killed(&|| size("reach.work") > 200_000);
    // While solving: at the first tiers, and later.
    killed(&|| size("work") > 1_000);
    killed(&|| size("work") > 1_500_000);
    // While auditing: twice.
    killed(&|| exists("unaudited"));
    killed(&|| exists("unaudited"));
    assert!(!folder.join(format!("{CODE}.tbl")).exists(), "no table before its audit");

    assert!(analyze(folder).status().unwrap().success());
    assert!(std::fs::read(folder.join(format!("{CODE}.tbl"))).unwrap() == expected, "the resumed table differs");
    assert_eq!(files(folder), [format!("{CODE}.tbl")]);
}

#[test]
fn a_torn_journal_line_is_done_again() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().join(CODE);
    kill_run(analyze(folder.path()), || {
        base.with_added_extension("work").metadata().is_ok_and(|meta| meta.len() > 300_000)
    });
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
    kill_run(run(folder, &what), || size("keys.work") > 100_000);
    kill_run(run(folder, &what), || size("values.work") > 1_000);
    kill_run(run(folder, &what), || size("unaudited") > 0);
    assert!(run(folder, &what).status().unwrap().success());
    assert!(std::fs::read(folder.join(format!("{table}.tbl"))).unwrap() == expected, "the resumed table differs");
    assert_eq!(files(folder), [format!("{table}.tbl")]);
}
