//! The sessions of the README are real.

#[test]
fn sessions_of_the_readme_are_what_the_command_prints() {
    trycmd::TestCases::new().case("README.md");
}

/// What make would run, in the folder of the project.
fn make(arguments: &[&str]) -> String {
    let mut command = std::process::Command::new("make");
    let ran = command.arg("--dry-run").args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    assert!(ran.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8(ran.stdout).unwrap()
}

/// Sorted pairs belong to every game; what is exported is taken away by `make clean`, tables are not.
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
