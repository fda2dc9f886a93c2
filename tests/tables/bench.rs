//! `make bench` finds its answers in what the command prints.

use std::process::Command;

use crate::support::command::program;
use crate::support::repository::repository_path;

#[test]
fn a_table_and_its_audit_are_timed() {
    let mut bench = Command::new(repository_path("scripts/bench"));
    let ran = bench.args(["bin4x4", "bin4x4 audit"]).env("YOMIKIRI", program()).output().unwrap();
    let [said, error] = [ran.stdout, ran.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(ran.status.success(), "{said}{error}");
    let names: Vec<&str> = said.lines().skip(2).map(|line| line[..32].trim()).collect();
    assert_eq!(names, ["bin4x4", "bin4x4 audit"], "{said}");
}
