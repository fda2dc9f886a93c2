//! Runs the sessions of the README and of docs/commands.md, in both languages.

#[test]
fn sessions_of_the_pages_are_what_the_command_prints() {
    let pages = ["README.md", "README.ja.md", "docs/commands.md", "docs/commands.ja.md"];
    let cases = trycmd::TestCases::new();
    for page in pages {
        cases.case(page);
    }
}

/// Returns the commands that `make` would run with these arguments in the folder of the project.
fn make(arguments: &[&str]) -> String {
    let mut command = std::process::Command::new("make");
    let ran = command.arg("--dry-run").args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    assert!(ran.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8(ran.stdout).unwrap()
}

/// `make` can export a table of every game as sorted keys and values. `make clean` deletes exports and keeps tables.
#[test]
fn make_exports_every_game_and_cleans_up() {
    for code in ["bin2x2", "rev3x3", "con3x3-k3", "pyon2x3", "m00c1"] {
        for target in ["gz", "keys.gz", "vals.gz"] {
            let run = make(&[&format!("RULES={code}"), target]);
            assert_eq!(run.matches(&format!("export {code} --to gz ")).count(), 1, "{run}");
        }
    }
    let run = make(&["clean"]);
    assert!(run.contains("/precomp/r_*") && !run.contains(".tbl"), "{run}");
}
