//! The archives that users download, as scripts/release makes them. Most tests replace cargo and rustc with scripts
//! that answer as these do for one crate, so that they need neither a network nor a program for another system.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use crate::support::command::{files, good_json, in_english, program};
use crate::support::repository::{files_below, repository_path};
use crate::support::serve::Server;

/// The files that archives for Linux have below their folder, apart from manual pages and completions.
const ALWAYS: [&str; 9] = [
    "CHANGELOG.md",
    "LICENSE",
    "README.ja.md",
    "README.md",
    "RUST-LIBRARY.html",
    "THIRD-PARTY.txt",
    "data/proofs/bin7x6.proof",
    "data/proofs/checked",
    "yomikiri",
];

const VERSION: &str = env!("CARGO_PKG_VERSION");
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// A folder with a page, a certificate, a program and tools that stand in for the real ones.
struct Stage {
    folder: TempDir,
}

impl Stage {
    fn new() -> Stage {
        let stage = Stage { folder: tempfile::tempdir().unwrap() };
        let bundled = r#"[{"name":"bundled","version":"2.0.0","identifier":"MIT","text":"Page text"}]"#;
        stage.write("page/licenses.json", bundled);
        stage.write("precomp/proofs/bin7x6.proof", "certificate");
        stage.write_sum();
        stage.write("precomp/proofs/checked", "1b8a182cacfa0a87 bin2x4.proof\n16a5c1f7c1a7dc61 bin7x6.proof\n");
        stage.write("crate/Cargo.toml", "");
        stage.write("crate/LICENSE-MIT", "Crate text");
        stage.write("crate/src/COPYING", "GNU GENERAL PUBLIC LICENSE");
        stage.write("sysroot/share/doc/rust/COPYRIGHT-library.html", "<p>library</p>");
        stage.write("sysroot/share/doc/rust/licenses/ISC.txt", "Standard text");
        stage.write_crate("MIT");
        let tree = "tree) echo 'linked v1.0.0';;";
        let metadata = r#"metadata) cat "$(dirname "$0")/../metadata.json";;"#;
        stage.write_tool("tools/cargo", &format!("case $1 in {tree} {metadata} *) exit 9;; esac"));
        let sysroot = r#"sysroot) echo "$(dirname "$0")/../sysroot";;"#;
        stage.write_tool("tools/rustc", &format!("case $2 in {sysroot} *) echo 'host: {TARGET}';; esac"));
        stage.write_program(VERSION);
        stage
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        std::fs::write(self.path(name), text).unwrap();
    }

    fn write_tool(&self, name: &str, text: &str) {
        self.write(name, &format!("#!/bin/sh\n{text}\n"));
        std::fs::set_permissions(self.path(name), std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Writes a program of this version, which prints completions and one manual page.
    fn write_program(&self, version: &str) {
        let man = r#"man) echo page > "$3/yomikiri.1";;"#;
        self.write_tool(
            "program",
            &format!("case $1 in {man} completions) echo $2;; *) echo 'yomikiri {version}';; esac"),
        );
    }

    /// Writes the metadata that cargo reports: this project and one linked crate with the licence `licence`.
    fn write_crate(&self, licence: &str) {
        let own = format!(r#"{{"name":"yomikiri","version":"{VERSION}","source":null}}"#);
        let manifest = self.path("crate/Cargo.toml");
        let linked = r#""name":"linked","version":"1.0.0","source":"registry""#;
        let linked = format!(r#"{{{linked},"license":"{licence}","manifest_path":{manifest:?}}}"#);
        let built = self.path("built");
        self.write("metadata.json", &format!(r#"{{"packages":[{own},{linked}],"target_directory":{built:?}}}"#));
    }

    /// Writes the checksum of the certificate.
    fn write_sum(&self) {
        let told = Command::new("sha256sum").arg("proofs/bin7x6.proof").current_dir(self.path("precomp")).output();
        self.write("precomp/SHA256SUMS", std::str::from_utf8(&told.unwrap().stdout).unwrap());
    }

    /// Returns the search path with the stand-ins for tools before all others.
    fn search_path(&self) -> String {
        format!("{}:{}", self.path("tools").display(), std::env::var("PATH").unwrap())
    }

    /// Runs scripts/release with the stand-ins.
    fn run(&self, arguments: &[&str]) -> Output {
        let mut release = release(&self.path("out"), &self.path("page"));
        release.arg("--program").arg(self.path("program")).arg("--precomp").arg(self.path("precomp"));
        release.args(arguments).env("PATH", self.search_path()).output().unwrap()
    }

    /// Runs scripts/release, which must succeed, and returns the path of the archive.
    fn good(&self, arguments: &[&str]) -> PathBuf {
        archive_of(&self.run(arguments))
    }

    /// Runs scripts/release, which must fail, and returns its error.
    fn fails(&self) -> String {
        let ran = self.run(&[]);
        let error = String::from_utf8(ran.stderr).unwrap();
        assert_eq!((ran.status.code(), error.lines().count()), (Some(1), 1), "{error}");
        assert!(error.starts_with("release: "), "{error}");
        error
    }
}

/// Returns a run of scripts/release. Without `--program` it builds one.
fn release(out: &Path, page: &Path) -> Command {
    let mut command = Command::new(repository_path("scripts/release"));
    command.arg("--out").arg(out).arg("--page").arg(page);
    command.env("SOURCE_DATE_EPOCH", "1700000000");
    command
}

/// Returns the path of an archive from the output of a run that must have succeeded.
fn archive_of(ran: &Output) -> PathBuf {
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    PathBuf::from(std::str::from_utf8(&ran.stdout).unwrap().trim())
}

/// Unpacks an archive with the system's tar, or with Python for a zip archive, into a folder beside it. Returns the
/// contents of its files by their paths below the only folder in it.
fn unpacked(archive: &Path) -> BTreeMap<String, Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    let is_zip = archive.extension().unwrap() == "zip";
    let (tool, extract, into): (_, &[&str], &[&str]) =
        if is_zip { ("python3", &["-m", "zipfile", "-e"], &[]) } else { ("tar", &["-xzf"], &["-C"]) };
    let ran = Command::new(tool).args(extract).arg(archive).args(into).arg(folder.path()).status();
    assert!(ran.unwrap().success());
    let tops = files(folder.path());
    let name = archive.file_name().unwrap().to_str().unwrap();
    assert!(tops.len() == 1 && name.starts_with(&tops[0]), "{name}: {tops:?}");
    files_below(&folder.path().join(&tops[0]))
}

fn text(files: &BTreeMap<String, Vec<u8>>, name: &str) -> String {
    String::from_utf8(files[name].clone()).unwrap()
}

#[test]
fn two_runs_make_equal_archives_with_everything_in_them() {
    let stage = Stage::new();
    let first = stage.good(&[]);
    let bytes = std::fs::read(&first).unwrap();
    assert_eq!(first.file_name().unwrap().to_str().unwrap(), format!("yomikiri-{VERSION}-{TARGET}.tar.gz"));
    std::fs::remove_file(&first).unwrap();
    // Changes times and permissions of the sources, on which the bytes of the archive must not depend.
    stage.write_program(VERSION);
    std::fs::set_permissions(stage.path("page"), std::fs::Permissions::from_mode(0o700)).unwrap();
    assert!(std::fs::read(stage.good(&[])).unwrap() == bytes, "the bytes differ");
    let files = unpacked(&first);
    let mut expected: Vec<String> = ALWAYS.map(String::from).into();
    let completions = ["_yomikiri", "yomikiri.bash", "yomikiri.elv", "yomikiri.fish", "yomikiri.ps1"];
    expected.extend(completions.map(|name| format!("completions/{name}")));
    expected.push("man/yomikiri.1".into());
    expected.sort();
    assert_eq!(files.keys().cloned().collect::<Vec<_>>(), expected);
    for name in ["README.md", "README.ja.md", "LICENSE", "CHANGELOG.md"] {
        assert!(files[name] == std::fs::read(repository_path(name)).unwrap(), "{name}");
    }
    assert!(files["yomikiri"] == std::fs::read(stage.path("program")).unwrap());
    assert_eq!(text(&files, "completions/_yomikiri"), "zsh\n");
    assert_eq!(text(&files, "data/proofs/checked"), "16a5c1f7c1a7dc61 bin7x6.proof\n");
    let licences = text(&files, "THIRD-PARTY.txt");
    for line in ["bundled 2.0.0: MIT [2]", "linked 1.0.0: MIT [1]", "Crate text", "Page text"] {
        assert!(licences.lines().any(|found| found == line), "{line}: {licences}");
    }
    assert!(!licences.contains("GENERAL PUBLIC"), "{licences}");
    let listed = Command::new("tar").arg("-tvzf").arg(&first).env("TZ", "UTC").output().unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    let is_program = |line: &&str| line.ends_with("/yomikiri");
    assert!(listed.lines().all(|line| line.contains("0/0") && line.contains("2023-11-14")), "{listed}");
    assert!(listed.lines().all(|line| line.starts_with("-rwxr-xr-x") == is_program(&line)), "{listed}");
    assert!(listed.lines().map(|line| line.rsplit(' ').next()).is_sorted(), "{listed}");
}

#[test]
fn the_checksums_are_those_of_the_archives_and_wheels_that_are_there() {
    const WHEEL: &str = "yomikiri-0.2.0-cp310-abi3-win_amd64.whl";
    let stage = Stage::new();
    stage.write(&format!("out/{WHEEL}"), "a wheel");
    stage.write("out/yomikiri-0.0.1-other.zip", "of another machine");
    stage.write("out/yomikiri-0.2.0-killed.tar.gz.part", "half");
    stage.write("out/SHA256SUMS", "0  yomikiri-0.0.0-gone.zip\n");
    let archive = stage.good(&[]);
    let (name, sums) = (archive.file_name().unwrap().to_str().unwrap(), stage.path("out/SHA256SUMS"));
    let listed = |sums: &Path| -> Vec<String> {
        let text = std::fs::read_to_string(sums).unwrap();
        text.lines().map(|line| line.split_once("  ").unwrap().1.to_string()).collect()
    };
    assert_eq!(listed(&sums), ["yomikiri-0.0.1-other.zip", WHEEL, name]);
    let mut check = Command::new("sha256sum");
    let checked = check.args(["--check", "--strict", "SHA256SUMS"]).current_dir(stage.path("out")).output();
    assert!(checked.unwrap().status.success());
    std::fs::remove_file(&archive).unwrap();
    assert!(stage.run(&["--sums"]).status.success());
    assert_eq!(listed(&sums), ["yomikiri-0.0.1-other.zip", WHEEL]);
}

#[test]
fn windows_gets_a_zip_archive_and_complete_openings_are_in_it() {
    let stage = Stage::new();
    stage.write("precomp/openings/bin4x4.opening", "complete");
    stage.write("precomp/openings/bin7x6.jsonl", "unfinished");
    let archive = stage.good(&["x86_64-pc-windows-msvc"]);
    assert_eq!(archive.file_name().unwrap(), &*format!("yomikiri-{VERSION}-x86_64-pc-windows-msvc.zip"));
    let files = unpacked(&archive);
    assert!(files["yomikiri.exe"] == std::fs::read(stage.path("program")).unwrap());
    assert_eq!(text(&files, "data/openings/bin4x4.opening"), "complete");
    let data: Vec<_> = files.keys().filter(|name| name.starts_with("data/")).collect();
    assert_eq!(data, ["data/openings/bin4x4.opening", "data/proofs/bin7x6.proof", "data/proofs/checked"]);
    let bytes = std::fs::read(&archive).unwrap();
    assert!(std::fs::read(stage.good(&["x86_64-pc-windows-msvc"])).unwrap() == bytes, "the bytes differ");
}

#[test]
fn a_crate_without_a_text_gets_the_standard_one_or_is_refused() {
    let stage = Stage::new();
    std::fs::remove_file(stage.path("crate/LICENSE-MIT")).unwrap();
    stage.write_crate("Unheard/ISC");
    assert!(text(&unpacked(&stage.good(&[])), "THIRD-PARTY.txt").contains("Standard text"));
    for licence in ["Unheard", "Unheard AND ISC", "GPL-2.0-only", "(ISC OR MIT) AND MIT"] {
        stage.write_crate(licence);
        let refusal = format!("linked 1.0.0 has no licence text, and {licence} is not one");
        let error = stage.fails();
        assert!(error.contains(&refusal), "{error}");
    }
}

#[test]
fn what_is_missing_is_named_with_a_remedy() {
    let broken = |breaks: &dyn Fn(&Stage)| {
        let stage = Stage::new();
        breaks(&stage);
        let error = stage.fails();
        assert!(files(&stage.path("out")).is_empty(), "{error}");
        error
    };
    let remove = |name: &'static str| move |stage: &Stage| std::fs::remove_file(stage.path(name)).unwrap();
    let error = broken(&remove("precomp/proofs/bin7x6.proof"));
    assert!(error.contains("is missing; \"git checkout -- precomp/proofs/bin7x6.proof\""), "{error}");
    let error = broken(&|stage| stage.write("precomp/proofs/bin7x6.proof", "another one"));
    assert!(error.contains("is not the one that precomp/SHA256SUMS names"), "{error}");
    assert!(broken(&remove("page/licenses.json")).contains("\"make web\" builds the page"));
    assert!(broken(&remove("sysroot/share/doc/rust/COPYRIGHT-library.html")).contains("use a toolchain of rustup"));
    assert!(broken(&|stage| stage.write_program("9.9.9")).contains(&format!("not yomikiri {VERSION}; build it again")));
    let foreign = |stage: &Stage| {
        stage.write("program", "MZ");
        std::fs::set_permissions(stage.path("program"), std::fs::Permissions::from_mode(0o755)).unwrap();
    };
    assert!(broken(&foreign).contains("name a program of this machine with --text-from"));
    let stage = Stage::new();
    std::fs::copy(stage.path("program"), stage.path("of this machine")).unwrap();
    foreign(&stage);
    let files = unpacked(&stage.good(&["--text-from", stage.path("of this machine").to_str().unwrap()]));
    assert_eq!((text(&files, "yomikiri"), text(&files, "man/yomikiri.1")), ("MZ".into(), "page\n".into()));
}

/// Without a program, the page is built first, then the program with it. The archive has the program that was built.
#[test]
fn page_and_program_are_built_first() {
    for (asked, built) in [(None, "release"), (Some("aarch64-unknown-linux-gnu"), "aarch64-unknown-linux-gnu/release")]
    {
        let stage = Stage::new();
        let log = stage.path("log");
        let cargo = std::fs::read_to_string(stage.path("tools/cargo")).unwrap();
        let made = format!("{}/{built}", stage.path("built").display());
        let copy = format!("mkdir -p {made} && cp {} {made}/yomikiri", stage.path("program").display());
        stage.write_tool(
            "tools/cargo",
            &format!("[ $1 != build ] || {{ echo cargo $* >> {}; {copy}; exit; }}\n{cargo}", log.display()),
        );
        // Tools of the system may be scripts for bash themselves.
        let others = r#"[ "$1" = scripts/build-web ] || exec /bin/bash "$@""#;
        stage.write_tool("tools/bash", &format!("{others}\necho bash $* >> {}", log.display()));
        let mut run = release(&stage.path("out"), &stage.path("page"));
        run.args(asked).arg("--precomp").arg(stage.path("precomp")).env("PATH", stage.search_path());
        let archive = archive_of(&run.output().unwrap());
        let name = format!("yomikiri-{VERSION}-{}.tar.gz", asked.unwrap_or(TARGET));
        assert_eq!(archive.file_name().unwrap(), &*name);
        let target = asked.map_or(String::new(), |target| format!("--target {target} "));
        let steps = format!("bash scripts/build-web\ncargo build --release --locked {target}--bin yomikiri\n");
        assert_eq!(std::fs::read_to_string(log).unwrap(), steps);
        assert!(unpacked(&archive)["yomikiri"] == std::fs::read(stage.path("program")).unwrap());
    }
}

/// A run that the system stops in the middle of the archive leaves nothing under the archive's name, and leaves an
/// older archive as it is.
#[test]
fn half_an_archive_never_has_the_final_name() {
    let stage = Stage::new();
    let archive = stage.good(&[]);
    let before = std::fs::read(&archive).unwrap();
    // Random letters and digits, which gzip cannot compress below the limit on the file size.
    let noise: String = (0..200_000).map(|_| fastrand::alphanumeric()).collect();
    stage.write("precomp/openings/bin4x4.opening", &noise);
    let whole = release(&stage.path("out"), &stage.path("page"));
    let mut limited = Command::new("bash");
    limited.args(["-c", r#"ulimit -f 64 && exec "$@""#, "bash"]).arg(whole.get_program()).args(whole.get_args());
    limited.arg("--program").arg(stage.path("program")).arg("--precomp").arg(stage.path("precomp"));
    let ran = limited.env("PATH", stage.search_path()).env("SOURCE_DATE_EPOCH", "1700000000").output().unwrap();
    let error = String::from_utf8(ran.stderr).unwrap();
    assert!(ran.status.code() == Some(1) && error.contains(".tar.gz: File too large"), "{error}");
    assert!(std::fs::read(&archive).unwrap() == before);
    assert_eq!(files(&stage.path("out")), ["SHA256SUMS", archive.file_name().unwrap().to_str().unwrap()]);
}

/// Uses the real program, and the real cargo, which names the crates that are linked into the program.
#[test]
fn the_archive_of_this_program_has_its_licences_and_pages() {
    let stage = Stage::new();
    let ran = release(&stage.path("out"), &stage.path("page")).arg("--program").arg(program()).output().unwrap();
    let files = unpacked(&archive_of(&ran));
    let has = |name: &str| files.contains_key(name);
    assert!(ALWAYS.iter().all(|name| has(name)), "{:?}", files.keys());
    assert!(has("man/yomikiri.1") && has("man/yomikiri-tables-check.1"), "{:?}", files.keys());
    assert!(text(&files, "completions/yomikiri.bash").contains("complete -F _yomikiri "));
    let certificate = std::fs::read(repository_path("precomp/proofs/bin7x6.proof")).unwrap();
    assert!(files["data/proofs/bin7x6.proof"] == certificate);
    // The program takes the certificate in the archive for one that has been checked.
    let data = tempfile::tempdir().unwrap();
    std::fs::create_dir(data.path().join("proofs")).unwrap();
    for name in ["bin7x6.proof", "checked"] {
        std::fs::write(data.path().join("proofs").join(name), &files[&format!("data/proofs/{name}")]).unwrap();
    }
    let answer = good_json(data.path(), &["query", "bin7x6", "startpos", "--json"]);
    assert_eq!((&answer["winner"], &answer["certificate"]), (&"black".into(), &"checked".into()), "{answer}");
    let licences = text(&files, "THIRD-PARTY.txt");
    let packages: Vec<&str> = licences.lines().skip(5).take_while(|line| !line.is_empty()).collect();
    let is_listed = |name: &str| packages.iter().any(|line| line.starts_with(&format!("{name} ")));
    // Listed are crates of the program, of the modules in the page, and of the page, and a C library within a crate.
    assert!(["clap", "rayon", "zstd-sys", "ruzstd", "bundled"].iter().all(|name| is_listed(name)), "{packages:?}");
    // Not listed are macros, build tools, test tools, and the project itself.
    assert!(!["serde_derive", "cc", "trycmd", "yomikiri-rules"].iter().any(|name| is_listed(name)), "{packages:?}");
    assert!(packages.len() > 100, "{packages:?}");
    assert!(
        packages.iter().all(|line| line.contains(": ") && line.ends_with(']') && !line.ends_with("[]")),
        "{packages:?}"
    );
    assert!(licences.contains("Copyright (c) Meta Platforms, Inc. and affiliates"), "the licence of zstd");
}

/// The program of an unpacked archive works in an empty folder, without a source tree: it answers about the full board
/// by the certificate in the archive, prints completions and manual pages, plays and serves.
#[cfg(target_os = "linux")]
#[test]
fn an_unpacked_archive_needs_no_source_tree() {
    let stage = Stage::new();
    let program = super::places::install(&stage.path("copy"));
    let ran = release(&stage.path("out"), &stage.path("page")).arg("--program").arg(&program).output().unwrap();
    let archive = archive_of(&ran);
    let [home, here] = ["home", "here"].map(|name| stage.path(name));
    [&home, &here].iter().for_each(|folder| std::fs::create_dir(folder).unwrap());
    let unpack = Command::new("tar").arg("-xzf").arg(&archive).arg("-C").arg(stage.folder.path()).status();
    assert!(unpack.unwrap().success());
    let folder = stage.path(archive.file_name().unwrap().to_str().unwrap().strip_suffix(".tar.gz").unwrap());
    let start = |words: &[&str]| {
        let mut command = in_english(Command::new(folder.join("yomikiri")));
        command.args(words).current_dir(&here).env("HOME", &home).stdin(Stdio::null());
        for name in ["YOMIKIRI_TABLES", "YOMIKIRI_DATA", "XDG_DATA_HOME"] {
            command.env_remove(name);
        }
        command
    };
    let said = |words: &[&str]| {
        let output = start(words).output().unwrap();
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(said(&["query", "bin7x6", "startpos moves dn"]).contains("Black wins, by a certificate."));
    assert!(said(&["completions", "bash"]).contains("_yomikiri"));
    assert!(said(&["man", "query"]).contains(".TH yomikiri-query 1"));
    let told = said(&["play", "bin7x6", "--black", "computer", "--white", "human"]);
    assert!(told.contains("Black plays dn (by the certificate: Black wins)."), "{told}");
    let server = Server::run(start(&["serve", "--port", "0"]));
    let told = server.good("query?rules=bin7x6&position=startpos");
    assert_eq!((&told["winner"], &told["source"]), (&"black".into(), &"certificate".into()), "{told}");
    assert_eq!((files(&here).len(), files(&home).len()), (0, 0), "nothing was written");
}
