//! Requests that are refused in one line, in the file beside: no verb writes anything then.

use crate::support::command::{files, refused, run, tables};
use crate::support::repository::answered;
use snapbox::{assert_data_eq, file};

#[test]
fn refusals_are_one_line() {
    let folder = tables(&["bin2x2", "bin3x3", "rev4x4", "16108T", "g06c5"]);
    let before = files(folder.path());
    let answer = |request: &str| {
        let args = shlex::split(request).unwrap();
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let output = run(folder.path(), &args);
        let status = output.status.code().unwrap();
        assert!(status == 1 || status == 2, "{request}: {status}");
        let line = refused(&output, status, request).replace(folder.path().to_str().unwrap(), "TABLES");
        assert_eq!(files(folder.path()), before, "{request}");
        format!("{status} {}", line.trim_end())
    };
    assert_data_eq!(answered(include_str!("refusals.txt"), answer), file!["refusals.txt"].raw());
}
