//! Tests of runs that are interrupted: disks that fill up, damaged work files, kills, two runs at once. They resume and
//! make the same bytes, or say in one line what to do. An unfinished file never has the name of a finished one.

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use crate::support::command::{command, files, kill_run, program, run};
use tempfile::TempDir;

const CODE: &str = "bin3x3";

/// Boards whose runs take long enough to be interrupted.
const LARGER: &str = "bin4x3";
const LARGEST: &str = "bin4x4-t333";

/// A late position of the standard board, from which few positions can arise.
const LATE: &str = "1xooxo1/1xooox1/1oxoox1/1xooxo1/1oxoxo1/1ooxoo1 w 2345abcdef ///7/17/ 19";

/// Checks that a run failed with status 1 and one error line. Before that line it may print only lines about finished
/// steps. Returns the error line.
pub fn one_clear_line(output: &Output, what: &str) -> String {
    let err = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(1), "{what}: {:?}: {err}", output.status);
    assert!(output.stdout.is_empty(), "{what}: {}", String::from_utf8_lossy(&output.stdout));
    let mut lines: Vec<&str> = err.lines().collect();
    let last = lines.pop().unwrap();
    assert!(last.starts_with("error: "), "{what}: {err}");
    assert!(lines.iter().all(|line| line.starts_with("Step ")), "{what}: more than one line: {err}");
    last.to_string()
}

fn succeeds(output: &Output, what: &str) {
    assert!(output.status.success(), "{what}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Checks that the folder has one table and no other file. Returns the bytes of the table.
fn only_table(folder: &Path, what: &str) -> Vec<u8> {
    let left = files(folder);
    assert!(left.len() == 1 && left[0].ends_with(".tbl"), "{what}: {left:?}");
    std::fs::read(folder.join(&left[0])).unwrap()
}

/// Returns the bytes of the table that an uninterrupted run makes.
fn uninterrupted_table(args: &[&str]) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    succeeds(&run(folder.path(), args), "a straight run");
    only_table(folder.path(), "a straight run")
}

/// Checks that a run succeeds with this table and leaves no other file in the folder.
fn ends_with(folder: &Path, args: &[&str], expected: &[u8], what: &str) {
    succeeds(&run(folder, args), what);
    assert!(only_table(folder, what) == expected, "{what}: other bytes");
}

fn has_table(folder: &Path) -> bool {
    files(folder).iter().any(|name| name.ends_with(".tbl"))
}

/// A run that is killed after its table has its name, and then once more, leaves work files. The next run removes them.
#[test]
fn work_files_beside_a_finished_table_go() {
    let folder = tempfile::tempdir().unwrap();
    succeeds(&run(folder.path(), &["analyze", "bin2x2"]), "bin2x2");
    for own in ["bin2x2.work", "bin2x2.reach.work", "bin2x2.waves1.work"] {
        // A work file begins with zeros until it is finished.
        std::fs::write(folder.path().join(own), [0; 200]).unwrap();
    }
    std::fs::write(folder.path().join("bin2x2.waves0.work"), "my notes").unwrap();
    succeeds(&run(folder.path(), &["analyze", "bin2x2"]), "bin2x2");
    assert_eq!(files(folder.path()), ["bin2x2.tbl", "bin2x2.waves0.work"]);
}

// Disks that fill up

/// Ignores SIGXFSZ, which would end the process, so that a write beyond the limit fails like a write to a full disk.
pub const TRAP: &str = "trap '' XFSZ;";

/// Runs the command in a shell that limits the size of files to `blocks` blocks of 512 bytes. `trap` is a shell command
/// to run before, such as [`TRAP`].
pub fn limited(folder: &Path, args: &[&str], blocks: usize, trap: &str) -> Output {
    let script = format!("{trap} ulimit -f {blocks} && exec \"$0\" \"$@\"");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script]).arg(program()).args(args);
    shell.env("YOMIKIRI_TABLES", folder).env("YOMIKIRI_DATA", "").stdin(Stdio::null()).output().unwrap()
}

#[test]
fn a_full_disk_is_one_line_and_the_run_goes_on_later() {
    let expected = uninterrupted_table(&["analyze", CODE]);
    let whole = expected.len() / 512;
    for eighths in 0..8 {
        let folder = tempfile::tempdir().unwrap();
        let what = format!("{eighths} eighths of the table");
        let output = limited(folder.path(), &["analyze", CODE], whole * eighths / 8, TRAP);
        let line = one_clear_line(&output, &what);
        assert!(line.contains(folder.path().to_str().unwrap()), "{what}: names the file: {line}");
        assert!(!has_table(folder.path()), "{what}");
        ends_with(folder.path(), &["analyze", CODE], &expected, &what);
    }
}

#[test]
fn a_disk_that_fills_again_and_again_gives_the_same_table() {
    let expected = uninterrupted_table(&["analyze", CODE]);
    let folder = tempfile::tempdir().unwrap();
    let mut stops = 0;
    for twentieths in 0..40 {
        let output = limited(folder.path(), &["analyze", CODE], expected.len() / 512 * twentieths / 20, TRAP);
        if output.status.success() {
            break;
        }
        one_clear_line(&output, &format!("{twentieths} twentieths"));
        stops += 1;
    }
    assert!((20..40).contains(&stops), "{stops}");
    assert!(only_table(folder.path(), "again and again") == expected);
}

#[test]
fn a_full_disk_leaves_an_old_table_whole() {
    let folder = tempfile::tempdir().unwrap();
    succeeds(&run(folder.path(), &["analyze", CODE]), CODE);
    let path = folder.path().join(format!("{CODE}.tbl"));
    let expected = std::fs::read(&path).unwrap();
    one_clear_line(&limited(folder.path(), &["analyze", CODE, "--force"], 20, TRAP), "--force");
    assert!(std::fs::read(&path).unwrap() == expected);
    succeeds(&run(folder.path(), &["query", CODE, "startpos"]), "query");
}

#[test]
fn a_full_disk_below_a_late_position() {
    let (folder, args) = (tempfile::tempdir().unwrap(), ["analyze", "bin7x6", "--from", LATE]);
    one_clear_line(&limited(folder.path(), &args, 4, TRAP), "--from");
    assert!(!has_table(folder.path()));
    ends_with(folder.path(), &args, &uninterrupted_table(&args), "--from");
}

#[test]
fn a_limit_on_file_sizes_is_one_line_too() {
    let folder = tempfile::tempdir().unwrap();
    let output = limited(folder.path(), &["analyze", CODE], 20, "");
    one_clear_line(&output, "ulimit -f");
}

// Unfinished work that was damaged

fn start(folder: &Path, args: &[&str]) -> Child {
    command(folder, args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// A run that is at a certain moment of its work. It is killed when this is dropped.
struct CaughtRun(Option<Child>);

impl CaughtRun {
    /// Starts runs in new folders until one is still running when `moment` returns true for its folder. Returns the
    /// folder and the run. Panics after 20 runs.
    fn caught(args: &[&str], moment: impl Fn(&Path) -> bool) -> (TempDir, CaughtRun) {
        for _ in 0..20 {
            let folder = tempfile::tempdir().unwrap();
            let mut run = CaughtRun(Some(start(folder.path(), args)));
            let child = run.0.as_mut().unwrap();
            while !moment(folder.path()) && child.try_wait().unwrap().is_none() {}
            if child.try_wait().unwrap().is_none() {
                return (folder, run);
            }
        }
        panic!("runs end before their moment");
    }

    /// Sends a signal by its name.
    fn signal(&self, name: &str) {
        let id = self.0.as_ref().unwrap().id();
        assert!(Command::new("sh").args(["-c", &format!("kill -{name} {id}")]).status().unwrap().success());
    }

    fn go_on(mut self) -> Output {
        self.signal("CONT");
        self.0.take().unwrap().wait_with_output().unwrap()
    }
}

impl Drop for CaughtRun {
    fn drop(&mut self) {
        if let Some(mut child) = self.0.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Returns one moment in each step of a run (enumeration, solution, audit): the extension of a file of that step, and a
/// test of the run's folder. The moment is reached when `reach.work` has more than `reach` bytes, `work` more than
/// `values` bytes, or `unaudited` at least one byte.
fn moments(code: &str, reach: u64, values: u64) -> [(&'static str, impl Fn(&Path) -> bool); 3] {
    [("reach.work", reach), ("work", values), ("unaudited", 0)].map(|(file, bytes)| {
        let name = format!("{code}.{file}");
        (file, move |folder: &Path| folder.join(&name).metadata().is_ok_and(|meta| meta.len() > bytes))
    })
}

#[test]
fn damaged_work_files_never_make_a_wrong_table() {
    let expected = uninterrupted_table(&["analyze", CODE]);
    for (moment, reached) in moments(CODE, 10_000, 20_000) {
        let (killed, run) = CaughtRun::caught(&["analyze", CODE, "--threads", "1"], reached);
        drop(run);
        let found = files(killed.path());
        let size = |name: &String| killed.path().join(name).metadata().unwrap().len();
        for name in found.iter().filter(|name| size(name) > 0) {
            let damages = ["first byte", "middle", "last byte", "cut", "empty", "last byte gone", "grown"];
            for (number, damage) in damages.iter().enumerate() {
                let folder = tempfile::tempdir().unwrap();
                for name in &found {
                    std::fs::copy(killed.path().join(name), folder.path().join(name)).unwrap();
                }
                let mut bytes = std::fs::read(folder.path().join(name)).unwrap();
                let length = bytes.len();
                match number {
                    0 => bytes[0] ^= 1,
                    1 => bytes[length / 2] ^= 1,
                    2 => bytes[length - 1] ^= 1,
                    3 => bytes.truncate(length / 2),
                    4 => bytes.clear(),
                    5 => bytes.truncate(length - 1),
                    _ => bytes.extend([7; 1000]),
                }
                std::fs::write(folder.path().join(name), bytes).unwrap();
                let what = format!("killed at {moment}, {name}: {damage}");
                resumes_or_asks_for_force(folder.path(), &expected, &what);
            }
        }
    }
}

/// Checks that a run with damaged work files makes the right table, or ends with one error line that names `--force`.
/// In the second case, a run with `--force` must make the right table.
fn resumes_or_asks_for_force(folder: &Path, expected: &[u8], what: &str) {
    let output = run(folder, &["analyze", CODE]);
    if output.status.success() {
        assert!(only_table(folder, what) == expected, "{what}: a wrong table");
        return;
    }
    let line = one_clear_line(&output, what);
    assert!(!has_table(folder), "{what}");
    assert!(line.contains("--force"), "{what}: names the cure: {line}");
    ends_with(folder, &["analyze", CODE, "--force"], expected, what);
}

// Two runs at once

/// Suspends a run at each moment, starts others, and then lets the first go on. The others are refused, and the first
/// makes its table.
#[test]
fn a_second_run_gives_way_with_or_without_force() {
    let expected = uninterrupted_table(&["analyze", LARGER]);
    for (moment, reached) in moments(LARGER, 50_000, 100_000) {
        let (folder, first) = CaughtRun::caught(&["analyze", LARGER, "--threads", "1"], reached);
        first.signal("STOP");
        let before = files(folder.path());
        for args in [&["analyze", LARGER][..], &["analyze", LARGER, "--force"]] {
            let line = one_clear_line(&run(folder.path(), args), &format!("{args:?} during {moment}"));
            assert!(line.contains("another run"), "{args:?} during {moment}: {line}");
            assert_eq!(files(folder.path()), before, "{moment}: the second run touched files of the first");
        }
        succeeds(&first.go_on(), moment);
        assert!(only_table(folder.path(), moment) == expected, "{moment}");
    }
}

#[test]
fn runs_started_together_end_with_one_table() {
    for args in [&["analyze", CODE][..], &["analyze", "bin7x6", "--from", LATE]] {
        let folder = tempfile::tempdir().unwrap();
        let runs: Vec<Child> = (0..4).map(|_| start(folder.path(), args)).collect();
        let outputs = runs.into_iter().map(|run| run.wait_with_output().unwrap());
        let (good, bad): (Vec<_>, Vec<_>) = outputs.partition(|output| output.status.success());
        assert!(!good.is_empty(), "{args:?}: nobody made the table");
        for output in bad {
            let line = one_clear_line(&output, &format!("{args:?}"));
            assert!(line.contains("another run"), "{args:?}: {line}");
        }
        assert!(only_table(folder.path(), &format!("{args:?}")) == uninterrupted_table(args), "{args:?}");
    }
}

// Runs that are killed

/// Starts a run once for each of the moments and kills it then, and lets a last run end. Each moment names a file of
/// the run, by its extension, and the length in bytes at which the run is killed.
fn check_killed(what: &[&str], table: &str, moments: &[(&str, u64)]) {
    let args = [&["analyze"], what, &["--threads", "2"]].concat();
    let broken = tempfile::tempdir().unwrap();
    for (file, bytes) in moments {
        let path = broken.path().join(format!("{table}.{file}"));
        kill_run(command(broken.path(), &args), || path.metadata().is_ok_and(|meta| meta.len() >= *bytes));
        assert!(!has_table(broken.path()), "no table before its audit");
    }
    ends_with(broken.path(), &args, &uninterrupted_table(&args), table);
    assert_eq!(files(broken.path()), [format!("{table}.tbl")]);
}

#[test]
fn a_run_killed_at_six_moments_ends_with_the_same_bytes() {
    // The run is killed early in the enumeration and when that is half done, at the first tiers of the solution and
    // later, and twice in the audit.
    let enumerating = [("reach.work", 1_001), ("reach.work", 200_001)];
    let solving = [("work", 1_001), ("work", 1_500_001)];
    check_killed(&[LARGEST], LARGEST, &[enumerating, solving, [("unaudited", 0); 2]].concat());
}

#[test]
fn a_run_killed_in_its_audit_goes_on_with_what_the_audit_has_kept() {
    // The first two checkpoints are written before the first tiers are audited, and the others after later tiers.
    let moments = [("audit0.journal", 1), ("audit1.work", 200), ("audit0.work", 20_000), ("audit1.work", 40_000)];
    check_killed(&[LARGEST, "--checkpoint", "0"], LARGEST, &moments);
}

#[test]
fn a_run_killed_below_a_late_position_goes_on_too() {
    let late = "1xxxox1/1xoxox1/1oxxox1/1xoxox1/1ooxox1/1oxxox1 b 34bcdef 11//11/5// 16";
    let moments = [("keys.work", 100_001), ("values.work", 1_001), ("unaudited", 1)];
    check_killed(&["bin7x6", "--from", late], "bin7x6@0000cf040037718d", &moments);
}

#[test]
fn a_torn_journal_record_is_done_again() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().join(LARGEST);
    kill_run(command(folder.path(), &["analyze", LARGEST, "--threads", "2"]), || {
        base.with_added_extension("work").metadata().is_ok_and(|meta| meta.len() > 300_000)
    });
    let journal = base.with_added_extension("journal");
    let text = std::fs::read(&journal).unwrap();
    std::fs::write(&journal, &text[..text.len() - 7]).unwrap();
    succeeds(&run(folder.path(), &["analyze", LARGEST, "--threads", "2"]), "a torn record");
}
