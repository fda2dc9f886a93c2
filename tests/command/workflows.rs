//! The workflows of continuous integration: every make target and script that they name exists.

use std::collections::BTreeSet;
use std::process::Command;

use crate::support::command::{good, program};
use crate::support::repository::{files, page, repository_path};

/// Returns the commands of all `run:` lines of a workflow, one a line. A block after `run: |` has one on each line.
fn commands(workflow: &str) -> Vec<&str> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let (mut found, mut block) = (Vec::new(), None);
    for line in workflow.lines() {
        if block.is_some_and(|outer| !line.trim().is_empty() && indent(line) <= outer) {
            block = None;
        }
        let step = line.trim_start().trim_start_matches("- ");
        match step.strip_prefix("run:").map(str::trim).filter(|_| block.is_none()) {
            Some("|") => block = Some(indent(line)),
            // The default shell of a job.
            Some("") => {}
            Some(command) => found.push(command),
            None if block.is_some() && !step.is_empty() => found.push(line.trim()),
            None => {}
        }
    }
    found
}

/// Returns the make targets that a command names, and the scripts.
fn named(command: &str) -> (Vec<&str>, Vec<&str>) {
    let (mut targets, mut scripts) = (Vec::new(), Vec::new());
    for part in command.split(['&', ';', '|']) {
        let words: Vec<&str> = part.split_whitespace().collect();
        let options = |word: &&&str| !word.starts_with('-') && !word.contains('=');
        if words.first() == Some(&"make") {
            targets.extend(words[1..].iter().filter(options));
        }
        scripts.extend(words.iter().filter(|word| word.trim_start_matches("./").starts_with("scripts/")));
    }
    (targets, scripts)
}

/// Returns the targets that have a rule in a Makefile. (A dry run would not do: it runs the recipes that call make.)
fn targets(makefile: &str) -> BTreeSet<String> {
    let joined = makefile.replace("\\\n", " ");
    let rules =
        joined.lines().filter(|line| !line.starts_with(['\t', '#', '.'])).filter_map(|line| line.split_once(':'));
    let named = rules.filter(|(_, rest)| !rest.starts_with('=')).flat_map(|(names, _)| names.split_whitespace());
    named.map(String::from).collect()
}

#[test]
fn workflows_name_targets_and_scripts_that_exist() {
    let workflows = files(".github/workflows", ".yml");
    let texts: Vec<String> = workflows.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect();
    let all: Vec<&str> = texts.iter().flat_map(|text| commands(text)).collect();
    assert_eq!(workflows.len(), 2);
    let (targets, scripts): (Vec<_>, Vec<_>) = all.iter().map(|command| named(command)).unzip();
    let (targets, scripts) = (targets.concat(), scripts.concat());
    assert_eq!((targets.contains(&"test"), targets.contains(&"lint")), (true, true), "{targets:?}");
    assert!(scripts.contains(&"scripts/release"), "{scripts:?}");
    let known = self::targets(&page("Makefile"));
    let lost: Vec<_> = targets.into_iter().filter(|name| !known.contains(*name)).collect();
    assert!(lost.is_empty(), "no such make targets: {lost:?}");
    let lost: Vec<_> = scripts.into_iter().filter(|name| !repository_path(name).is_file()).collect();
    assert!(lost.is_empty(), "no such scripts: {lost:?}");
}

/// The commands of the program in the workflow for other systems work here.
#[test]
fn the_program_answers_the_questions_of_the_workflow() {
    let text = page(".github/workflows/test.yml");
    let asked: Vec<&str> = commands(&text).into_iter().filter(|line| line.starts_with("target/release/")).collect();
    assert!(asked.len() > 5, "{asked:?}");
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(repository_path("precomp"), folder.path().join("precomp")).unwrap();
    for line in asked {
        let line = line.replace("target/release/yomikiri", program().to_str().unwrap());
        let ran = Command::new("bash").args(["-c", &line]).current_dir(folder.path()).output().unwrap();
        assert!(ran.status.success(), "{line}: {}", String::from_utf8_lossy(&ran.stderr));
    }
}

/// The image names scripts that exist, and starts the server with options that the program has.
#[test]
fn the_image_fits_the_project() {
    let text = page("Dockerfile").replace("\\\n", " ");
    let runs: Vec<_> = text.lines().filter_map(|line| line.strip_prefix("RUN ")).map(named).collect();
    let scripts: Vec<&str> = runs.into_iter().flat_map(|(_, scripts)| scripts).collect();
    assert_eq!(scripts, ["scripts/release"]);
    assert!(repository_path(scripts[0]).is_file());
    let start = text.lines().find_map(|line| line.strip_prefix("ENTRYPOINT ")).expect("a command to start");
    let words: Vec<&str> = serde_json::from_str(start).unwrap();
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(words[..2], ["/yomikiri", "serve"]);
    good(folder.path(), &[&words[1..], &["--help"]].concat());
}

/// Checks the functions of this file with a workflow that names a lost target and a lost script.
#[test]
fn lost_targets_and_scripts_are_found() {
    let text = r"
jobs:
  a:
    defaults:
      run:
        shell: bash
    steps:
      - run: make nowhere B=1 -s
      - run: |
          cargo build && make lint
          python scripts/lost now

          echo $(./scripts/voice)
      - uses: a/make@v1
      - run: echo make no-target
";
    let found = commands(text);
    assert_eq!(found.len(), 5, "{found:?}");
    assert_eq!(named(found[0]), (vec!["nowhere"], vec![]));
    assert_eq!(named(found[1]), (vec!["lint"], vec![]));
    assert_eq!(named(found[2]), (vec![], vec!["scripts/lost"]));
    assert_eq!(named(found[4]), (vec![], vec![]));
    let known = targets("# a: b\nA := b\n.PHONY: no\nlint test: doc \\\n  voice\n\tx: y\nweb:\n\tscripts/build-web\n");
    assert_eq!(known.into_iter().collect::<Vec<_>>(), ["lint", "test", "web"]);
}
