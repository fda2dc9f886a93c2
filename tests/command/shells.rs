//! The completions of shells and the manual pages: both name every verb and no hidden option.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use crate::support::command::{fails, files, good, verbs};

const SHELLS: [&str; 5] = ["bash", "zsh", "fish", "powershell", "elvish"];

#[test]
fn every_shell_completes_every_verb_and_nothing_hidden() {
    let folder = tempfile::tempdir().unwrap();
    let verbs = verbs(&[]);
    assert!(verbs.len() > 25 && verbs.contains("query") && verbs.contains("completions"), "{verbs:?}");
    for shell in SHELLS {
        let text = good(folder.path(), &["completions", shell]);
        let words: BTreeSet<&str> = text.split(|letter: char| !letter.is_alphanumeric()).collect();
        let missing: Vec<_> = verbs.iter().filter(|verb| !words.contains(verb.as_str())).collect();
        assert!(missing.is_empty(), "{shell}: {missing:?}");
        assert!(!text.contains("end-with-input"), "{shell}");
        // The files of the other shells have no values.
        assert_eq!(words.contains("val1n"), ["bash", "zsh", "fish"].contains(&shell), "{shell}");
    }
    assert!(fails(folder.path(), &["completions", "tcsh"], 2).contains("tcsh"));
}

/// Returns the candidates that bash completes the last word of a command line to, in `folder`.
fn completed(folder: &Path, line: &str) -> BTreeSet<String> {
    // Without a word to complete, the last word is empty. Outside of a completion compopt prints an error.
    let script = format!(
        r#"source ./completions
        COMP_WORDS=({line})
        [[ '{line}' != *' ' ]] || COMP_WORDS+=('')
        COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
        _yomikiri yomikiri "${{COMP_WORDS[-1]}}" "${{COMP_WORDS[-2]}}"
        printf '%s\n' "${{COMPREPLY[@]}}""#
    );
    let ran = Command::new("bash").args(["-c", &script]).current_dir(folder).output().unwrap();
    assert!(ran.status.success(), "{line}: {}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8(ran.stdout).unwrap().lines().map(String::from).collect()
}

#[test]
fn bash_completes_verbs_codes_options_and_files() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("completions"), good(folder.path(), &["completions", "bash"])).unwrap();
    let checked = Command::new("bash").args(["-n", "completions"]).current_dir(folder.path()).output().unwrap();
    assert!(checked.status.success() && checked.stderr.is_empty(), "{checked:?}");
    let completed = |line: &str| completed(folder.path(), line);
    let set = |words: &[&str]| words.iter().map(ToString::to_string).collect::<BTreeSet<_>>();
    assert_eq!(completed("yomikiri qu"), set(&["query"]));
    assert_eq!(completed("yomikiri query va"), set(&["val1n"]));
    assert_eq!(completed("yomikiri tables che"), set(&["check"]));
    assert_eq!(completed("yomikiri query bin4x4 --tab"), set(&["--tables"]));
    assert_eq!(completed("yomikiri plot bin4x4 --what dist"), set(&["distances"]));
    assert_eq!(completed("yomikiri check --rules va"), set(&["val1n"]));
    assert_eq!(completed("yomikiri solve con5x4 --file comp"), set(&["completions"]));
    assert!(completed("yomikiri query ").is_superset(&set(&["bin4x4", "val1n", "rev4x4", "con5x4"])));
    assert_eq!(completed("yomikiri --end"), set(&[""]));
}

/// Checks the headings of a page, and that the reader of manual pages finds no mistake if there is one.
fn check_page(name: &str, text: &str) {
    let title = name.strip_suffix(".1").unwrap();
    assert!(text.contains(&format!("\n.TH {title} 1 ")), "{name}: {text}");
    for heading in ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS"] {
        assert!(text.lines().any(|line| line == format!(".SH {heading}")), "{name}: {heading}");
    }
    assert!(!text.contains("end\\-with\\-input"), "{name}");
    let mut reader = Command::new("man");
    reader.args(["--warnings", "-l", "-"]).env("LC_ALL", "C.UTF-8").env("MANPAGER", "cat");
    let Ok(shown) = assert_cmd::Command::from_std(reader).write_stdin(text).output() else { return };
    assert!(shown.status.success() && shown.stderr.is_empty(), "{name}: {}", String::from_utf8_lossy(&shown.stderr));
    assert!(String::from_utf8_lossy(&shown.stdout).to_uppercase().contains(&title.to_uppercase()), "{name}");
}

#[test]
fn there_is_a_manual_page_for_every_verb() {
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().to_str().unwrap();
    good(folder.path(), &["man", "--out", pages]);
    let of_tables = verbs(&["tables"]).into_iter().map(|word| format!("tables-{word}"));
    let mut expected = vec!["yomikiri.1".to_string()];
    let verbs = verbs(&[]);
    expected.extend(verbs.iter().cloned().chain(of_tables).map(|verb| format!("yomikiri-{verb}.1")));
    expected.sort();
    assert_eq!(files(folder.path()), expected);
    let page = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    for verb in &verbs {
        assert!(page("yomikiri.1").contains(&format!("yomikiri\\-{verb}(1)")), "{verb}");
    }
    for name in &expected {
        check_page(name, &page(name));
    }
    assert_eq!(good(folder.path(), &["man"]), page("yomikiri.1"));
    assert_eq!(good(folder.path(), &["man", "tables", "check"]), page("yomikiri-tables-check.1"));
    // Pages are replaced, other files are not.
    good(folder.path(), &["man", "--out", pages]);
    std::fs::write(folder.path().join("yomikiri-query.1"), "a letter").unwrap();
    assert!(fails(folder.path(), &["man", "--out", pages], 1).contains("exists and is not a manual page"));
    assert_eq!(page("yomikiri-query.1"), "a letter");
    assert!(fails(folder.path(), &["man", "queer"], 2).contains("no command \"queer\""));
}
