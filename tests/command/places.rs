//! Tests of the folders that tables, certificates and openings are read from and written to.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::support::command::{command, files, good, refused, tables};
use crate::support::repository::repository_path;

/// A question that only the certificate of the full board answers at once.
const FULL_BOARD: [&str; 4] = ["query", "bin7x6", "startpos moves dn", "--json"];

/// Copies the certificate of the full board to the folder `proofs` below `folder`.
fn ship(folder: &Path) {
    fs::create_dir_all(folder.join("proofs")).unwrap();
    fs::copy(repository_path("precomp/proofs/bin7x6.proof"), folder.join("proofs/bin7x6.proof")).unwrap();
}

/// Runs a command, which must succeed, and returns its standard output.
fn said(mut command: Command) -> String {
    let Output { status, stdout, stderr } = command.output().unwrap();
    assert!(status.success(), "{command:?}: {}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).unwrap()
}

/// Returns the lines of the list of tables without the files.
fn headings(list: &str) -> Vec<&str> {
    list.lines().filter(|line| line.contains(": ") && !line.contains("  ")).collect()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Two folders with a table each, and a third one without any.
struct Shelves {
    one: TempDir,
    two: TempDir,
    empty: TempDir,
}

impl Shelves {
    fn new() -> Shelves {
        Shelves { one: tables(&["bin2x2"]), two: tables(&["bin2x2", "m00c1"]), empty: tempfile::tempdir().unwrap() }
    }

    /// Returns the value of `$YOMIKIRI_TABLES` that names the first two folders.
    fn list(&self) -> PathBuf {
        std::env::join_paths([self.one.path(), self.two.path()]).unwrap().into()
    }
}

#[test]
fn all_named_folders_are_asked_in_order() {
    let shelves = Shelves::new();
    let (one, two, empty) = (shelves.one.path(), shelves.two.path(), shelves.empty.path());
    let verify = ["verify", "m00c1"];
    let options = ["--tables", text(one), "--tables", text(two)];
    let correct = format!("{}: correct (103 positions checked)\n", two.join("m00c1.tbl").display());
    assert_eq!(good(&shelves.list(), &verify), correct);
    assert_eq!(good(empty, &[&verify[..], &options].concat()), correct);
    // The first folder comes before the second one.
    let verify = ["verify", "bin2x2"];
    let correct = format!("{}: correct (49 positions checked)\n", one.join("bin2x2.tbl").display());
    assert_eq!(good(&shelves.list(), &verify), correct);
    let other_way = ["--tables", text(two), "--tables", text(one)];
    assert!(good(empty, &[&verify[..], &other_way].concat()).starts_with(text(two)));
    for words in [&["query", "m00c1", "startpos", "--json"][..], &["line", "m00c1"], &["stats", "m00c1", "--json"]] {
        assert_eq!(good(&shelves.list(), words), good(two, words), "{words:?}");
    }
    // The error about a missing table names its file in each folder.
    let missed = refused(&command(&shelves.list(), &["stats", "rev3x3"]).output().unwrap(), 1, "rev3x3");
    let [first, second] = [one, two].map(|folder| folder.join("rev3x3.tbl").display().to_string());
    assert_eq!(missed, format!("error: {first} or {second}: does not exist; make it with: yomikiri analyze rev3x3\n"));
}

#[test]
fn the_first_folder_is_written_to() {
    let shelves = Shelves::new();
    let (two, new) = (shelves.two.path(), shelves.empty.path().join("new"));
    let before = files(two);
    let options = ["--tables", text(&new), "--tables", text(two)];
    good(two, &[&["analyze", "rev3x3"][..], &options].concat());
    good(two, &[&["prove", "bin2x3", "--certificate", "--threads", "1"][..], &options].concat());
    assert_eq!(files(&new), ["bin2x3.proof", "rev3x3.tbl"]);
    // An export is written to the first folder, even if its table is in another one.
    good(two, &[&["export", "m00c1", "--to", "gz"][..], &options].concat());
    assert!(new.join("r_m00c1_keys.gz").exists(), "{:?}", files(&new));
    // `tables delete` and `tables manifest` use the first folder alone.
    let missed = [&["tables", "delete", "m00c1.tbl"][..], &options].concat();
    refused(&command(two, &missed).output().unwrap(), 1, missed);
    good(two, &[&["tables", "manifest"][..], &options].concat());
    assert!(new.join("manifest.json").exists());
    assert_eq!(files(two), before);
    // An address cannot be written to.
    let far = ["analyze", "rev3x3", "--tables", "https://host.invalid/t", "--tables", text(two)];
    let line = refused(&command(two, &far).output().unwrap(), 2, far);
    assert!(line.contains("https://host.invalid/t: is an address"), "{line}");
}

#[test]
fn the_list_names_each_folder_once() {
    let shelves = Shelves::new();
    let (one, two, missing) = (shelves.one.path(), shelves.two.path(), shelves.empty.path().join("missing"));
    let twice = two.join("../").join(two.file_name().unwrap());
    let options = [one, two, &missing, one, &twice].map(|folder| ["--tables", text(folder)]).concat();
    let list = good(one, &[&["tables"][..], &options].concat());
    let expected = [
        format!("{}: 1 file", one.display()),
        format!("{}: 2 files", two.display()),
        format!("{}: there is no such folder", missing.display()),
    ];
    assert_eq!(headings(&list), expected, "{list}");
    assert_eq!(list.lines().count(), 6, "{list}");
    let list = good(one, &[&["tables", "--json"][..], &options].concat());
    let folders: Vec<String> = list
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["folder"].as_str().unwrap().into())
        .collect();
    assert_eq!(folders, [one, two, two].map(text), "{list}");
    let checked = good(one, &[&["tables", "check"][..], &options].concat());
    assert_eq!(checked, "bin2x2.tbl: sound\nbin2x2.tbl: sound\nm00c1.tbl: sound\n");
    // The files that ship with the program have a line of their own.
    ship(&missing);
    let mut command = command(one, &["tables"]);
    let list = said({
        command.env("YOMIKIRI_DATA", &missing);
        command
    });
    let ships = format!("{}: 1 file that ships with the program", missing.display());
    assert_eq!(headings(&list), [format!("{}: 1 file", one.display()), ships], "{list}");
}

#[test]
fn an_unclear_list_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for list in ["https://host.invalid/t:/tables", "s3://bucket:tables"] {
        let line = refused(&command(Path::new(list), &["tables"]).output().unwrap(), 2, list);
        let problem = "may be one address or several names; name addresses last, or give each place with --tables";
        assert_eq!(line, format!("error: YOMIKIRI_TABLES: \"{list}\" {problem}\n"));
    }
    let mut far = command(folder.path(), &["query", "bin2x2"]);
    let line = refused(&far.env("YOMIKIRI_DATA", "https://host.invalid/t").output().unwrap(), 2, "an address");
    assert!(line.starts_with("error: YOMIKIRI_DATA: must name a folder, not an address; "), "{line}");
}

#[test]
fn certificates_that_ship_are_known_wherever_the_tables_are() {
    let folder = tempfile::tempdir().unwrap();
    let [elsewhere, data] = ["elsewhere", "data"].map(|name| folder.path().join(name));
    ship(&data);
    let mut command = command(folder.path(), &[&FULL_BOARD[..], &["--tables", text(&elsewhere)]].concat());
    let answer = said({
        command.env("YOMIKIRI_DATA", &data);
        command
    });
    assert!(answer.contains("\"source\":\"certificate\"") && answer.contains("\"winner\":\"black\""), "{answer}");
    assert!(!elsewhere.exists());
}

/// Copies the program to `folder`, as if its source tree were gone: the path of the tree, which is in the file, then
/// names no folder.
#[cfg(target_os = "linux")]
pub fn install(folder: &Path) -> PathBuf {
    let (tree, none) = (b"/crates/table", b"/no/such/tree");
    let mut bytes = fs::read(crate::support::command::program()).unwrap();
    let places: Vec<usize> =
        bytes.windows(tree.len()).enumerate().filter(|(_, at)| at == tree).map(|(at, _)| at).collect();
    assert!(!places.is_empty());
    places.iter().for_each(|&at| bytes[at..at + none.len()].copy_from_slice(none));
    fs::create_dir_all(folder).unwrap();
    let copy = folder.join("yomikiri");
    fs::copy(crate::support::command::program(), &copy).unwrap();
    fs::write(&copy, bytes).unwrap();
    copy
}

#[cfg(target_os = "linux")]
#[test]
fn an_installed_program_knows_its_data() {
    let folder = tempfile::tempdir().unwrap();
    let [bin, home, here] = ["opt/bin", "home", "here"].map(|name| folder.path().join(name));
    let program = install(&bin);
    [&home, &here].iter().for_each(|folder| fs::create_dir(folder).unwrap());
    // The program is started by a link from another folder.
    let link = folder.path().join("yomikiri");
    std::os::unix::fs::symlink(&program, &link).unwrap();
    let ran = |words: &[&str], data_home: Option<&Path>| {
        let mut command = Command::new(&link);
        command.args(words).current_dir(&here).env("HOME", &home);
        for name in ["YOMIKIRI_TABLES", "YOMIKIRI_DATA", "XDG_DATA_HOME"] {
            command.env_remove(name);
        }
        command.envs(data_home.map(|folder| ("XDG_DATA_HOME", folder)));
        // Another test may have started a process while the copy was written, and that process has it open.
        loop {
            match command.output() {
                Err(error) if error.kind() == std::io::ErrorKind::ExecutableFileBusy => std::thread::yield_now(),
                output => break output.unwrap(),
            }
        }
    };
    let good = |words: &[&str], data_home: Option<&Path>| {
        let output = ran(words, data_home);
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let own = home.join(".local/share/yomikiri");
    assert_eq!(good(&["tables"], None), format!("{}: there is no such folder\n", own.display()));
    good(&["analyze", "bin2x2"], None);
    assert_eq!(files(&own), ["bin2x2.tbl"]);
    assert_eq!(headings(&good(&["tables"], None)), [format!("{}: 1 file", own.display())]);
    let other = folder.path().join("xdg");
    good(&["analyze", "m00c1"], Some(&other));
    assert_eq!(files(&other.join("yomikiri")), ["m00c1.tbl"]);
    // The files that ship with the program lie in `share`, or else beside the program.
    for data in ["opt/share/yomikiri", "opt/bin/data"].map(|name| folder.path().join(name)) {
        ship(&data);
        let ships = format!("{}: 1 file that ships with the program", data.display());
        assert_eq!(headings(&good(&["tables"], None))[1..], [ships]);
        let answer = good(&FULL_BOARD, None);
        assert!(answer.contains("\"source\":\"certificate\""), "{answer}");
    }
    assert!(files(&here).is_empty());
}
