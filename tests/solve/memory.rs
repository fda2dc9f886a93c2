//! Runs take the memory that `estimate` predicts, and no more than `--memory` allows. Only Linux reports the peak.

use std::process::Stdio;

use crate::support::command::{command, ended_with_peak, good_json};

/// Bytes by which a small board may differ from its estimate: the program itself and its threads, whose share depends on
/// the machine.
const PROGRAM: u64 = 24 << 20;

/// Analyzes a board with the memory that `estimate` predicts, and checks that its peak memory is near it.
fn check(code: &str) {
    let folder = tempfile::tempdir().unwrap();
    let estimate = good_json(folder.path(), &["estimate", code, "--json"])["memory"].as_u64().unwrap();
    let memory = format!("{}M", estimate.div_ceil(1 << 20));
    let mut analyze = command(folder.path(), &["analyze", code, "--threads", "2", "--memory", &memory]);
    let (output, most) = ended_with_peak(analyze.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
    assert!(output.status.success(), "{code} with --memory {memory}");
    assert!(most as f64 <= 1.1 * estimate as f64, "{code}: {most} bytes, {estimate} estimated");
    assert!((most + PROGRAM) as f64 >= 0.9 * estimate as f64, "{code}: only {most} bytes, {estimate} estimated");
}

#[test]
fn a_run_takes_the_memory_that_was_estimated() {
    // Dense tiers, occupancies, sorted keys by levels and in a game that can repeat, keys of all positions.
    ["bin4x4", "rev4x5", "con5x4", "v0100", "pyon5x4"].into_iter().for_each(check);
}

/// A table of proof numbers may grow to a gigabyte by default. A short proof and its certificate touch little of that.
#[test]
fn a_short_proof_with_a_certificate_takes_little_memory() {
    let folder = tempfile::tempdir().unwrap();
    let mut prove = command(folder.path(), &["prove", "bin4x4", "--certificate", "--threads", "1"]);
    let (output, most) = ended_with_peak(prove.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap());
    assert!(output.status.success(), "{output:?}");
    assert!(most < 64 << 20, "{most} bytes");
}
