//! Runs take the memory that `estimate` predicts, and no more than `--memory` allows. Only Linux reports the peak.

use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use crate::support::command::{command, good_json, peak};

/// Bytes by which a small board may differ from its estimate: the program itself and its threads, whose share depends on
/// the machine.
const PROGRAM: u64 = 24 << 20;

/// Analyzes a board with the memory that `estimate` predicts, and checks that its peak memory is near it.
fn check(code: &str) {
    let folder = tempfile::tempdir().unwrap();
    let estimate = good_json(folder.path(), &["estimate", code, "--json"])["memory"].as_u64().unwrap();
    let memory = format!("{}M", estimate.div_ceil(1 << 20));
    let mut analyze = command(folder.path(), &["analyze", code, "--threads", "2", "--memory", &memory]);
    let mut child = analyze.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut most = 0;
    let status = loop {
        most = most.max(peak(&child));
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        sleep(Duration::from_millis(2));
    };
    assert!(status.success(), "{code} with --memory {memory}");
    assert!(most as f64 <= 1.1 * estimate as f64, "{code}: {most} bytes, {estimate} estimated");
    assert!((most + PROGRAM) as f64 >= 0.9 * estimate as f64, "{code}: only {most} bytes, {estimate} estimated");
}

#[test]
fn a_run_takes_the_memory_that_was_estimated() {
    // Dense tiers, occupancies, sorted keys by levels and in a game that can repeat, keys of all positions.
    ["bin4x4", "rev4x5", "con5x4", "v0100", "pyon5x4"].into_iter().for_each(check);
}
