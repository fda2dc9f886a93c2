//! Tests of the engine under the conditions of shogi hosts: it is started by its start file, and has to cope with
//! pauses, options before it is ready, clocks that run out, several games, restarts and kills.

use std::io::{BufRead, BufReader, Lines, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::support::command::{fails, good, program, table};
use crate::support::repository::{page, repository_path};

/// A pause of a host between two lines.
const PAUSE: Duration = Duration::from_millis(30);

/// An engine that was started by its start file.
struct Hosted {
    process: Child,
    /// `None` after the host has closed it.
    input: Option<ChildStdin>,
    output: Lines<BufReader<ChildStdout>>,
}

impl Drop for Hosted {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Hosted {
    /// Starts an engine from a folder that has nothing to do with it.
    fn start(file: &Path) -> Hosted {
        let mut command = Command::new(file);
        command.current_dir("/").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().unwrap();
        let (input, output) = (process.stdin.take().unwrap(), process.stdout.take().unwrap());
        Hosted { process, input: Some(input), output: BufReader::new(output).lines() }
    }

    /// Sends a line in two pieces, with a pause between them.
    fn send(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        let (first, rest) = line.split_at(line.len() / 2);
        for piece in [first, rest, "\r\n"] {
            input.write_all(piece.as_bytes()).unwrap();
            input.flush().unwrap();
            sleep(PAUSE / 3);
        }
    }

    /// Returns the lines up to the first one that begins with `start`.
    fn until(&mut self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.output.next().expect("the engine goes on").unwrap();
            lines.push(line);
            if lines[lines.len() - 1].starts_with(start) {
                return lines;
            }
        }
    }

    /// Asks for a move after `moves` and returns it.
    fn best(&mut self, moves: &[String], limits: &str) -> String {
        let played = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        self.send(&format!("position startpos{played}"));
        self.send(&format!("go {limits}"));
        let told = self.until("bestmove ");
        told[told.len() - 1].split(' ').nth(1).unwrap().to_owned()
    }
}

/// Writes the start file of an engine for `code` with its tables in `tables`. Returns the path of the file.
fn install(tables: &Path, folder: &Path, code: &str) -> PathBuf {
    let (tables, named) = (tables.to_str().unwrap(), folder.to_str().unwrap());
    let told = good(Path::new("none"), &["usi", code, "--tables", tables, "--install", named]);
    let path = folder.join(format!("yomikiri-{code}"));
    assert_eq!(told, format!("{}: name this file as the engine in your host\n", path.display()));
    path
}

#[test]
fn a_host_plays_games_with_the_engine() {
    let tables = table("bin3x3");
    let folder = tempfile::tempdir().unwrap();
    let file = install(tables.path(), &folder.path().join("engines of a host"), "bin3x3");
    let mut host = Hosted::start(&file);
    sleep(PAUSE);
    host.send("usi");
    let hello = host.until("usiok");
    let options: Vec<&str> = hello.iter().filter_map(|line| line.strip_prefix("option name ")).collect();
    for option in &options {
        let words: Vec<&str> = option.split(' ').collect();
        assert!(words[1] == "type" && ["spin", "check", "string", "combo"].contains(&words[2]), "{option}");
        assert!(words[2] != "spin" || (words.contains(&"min") && words.contains(&"max")), "{option}");
    }
    // Hosts set options before they send `isready`.
    for line in ["setoption name USI_Hash value 32", "setoption name USI_Ponder value false"] {
        host.send(line);
    }
    host.send("isready");
    assert_eq!(host.until("readyok").len(), 1);
    for round in 0..2 {
        host.send("usinewgame");
        let mut moves = Vec::new();
        // Clocks with no time left, but with byoyomi or an increment, and clocks with little time.
        for limits in ["btime 0 wtime 0 byoyomi 100", "btime 50 wtime 1000", "btime 0 wtime 0 binc 10 winc 10"] {
            let mv = host.best(&moves, limits);
            assert!(!["resign", "win", "none"].contains(&mv.as_str()), "{round}: {moves:?}: {mv}");
            moves.push(mv);
        }
        host.send(if round == 0 { "gameover lose" } else { "gameover win" });
        sleep(PAUSE);
    }
    // The host stops an infinite search, then quits the program.
    host.send("position startpos");
    host.send("go infinite");
    sleep(PAUSE);
    host.send("stop");
    host.until("bestmove ");
    host.send("quit");
    assert!(host.process.wait().unwrap().success());
}

/// A program that was killed can be started again at once. A host that ends takes the engine with it.
#[test]
fn a_host_kills_and_restarts_the_engine() {
    let tables = table("bin3x3");
    let folder = tempfile::tempdir().unwrap();
    let file = install(tables.path(), folder.path(), "bin3x3");
    for _ in 0..3 {
        let mut host = Hosted::start(&file);
        host.send("usi");
        host.until("usiok");
        host.send("position startpos");
        host.send("go infinite");
        host.process.kill().unwrap();
        host.process.wait().unwrap();
    }
    let mut host = Hosted::start(&file);
    assert!(!host.best(&[], "movetime 10").is_empty());
    host.input = None;
    assert!(host.process.wait().unwrap().success());
}

#[test]
fn a_start_file_replaces_only_start_files() {
    let folder = tempfile::tempdir().unwrap();
    let named = folder.path().to_str().unwrap();
    let path = folder.path().join("yomikiri-pyonB");
    good(folder.path(), &["upi", "pyonB", "--install", named]);
    let first = std::fs::read(&path).unwrap();
    // The variable for the places of tables is set, and a host might not know it.
    assert!(String::from_utf8_lossy(&first).contains(&format!("--tables {named}")));
    good(folder.path(), &["upi", "pyonB", "--install", named]);
    assert_eq!(std::fs::read(&path).unwrap(), first);
    std::fs::write(&path, "a letter").unwrap();
    let said = fails(folder.path(), &["upi", "pyonB", "--install", named], 1);
    assert!(said.contains("exists and is not a start file of this program"), "{said}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "a letter");
    fails(folder.path(), &["usi", "con4x4", "--install", named], 2);
}

/// The picture of docs/hosts.md shows the options that the engine names, with their defaults and ranges.
#[test]
fn the_picture_of_a_host_shows_the_options_of_the_engine() {
    let checked = Command::new(repository_path("scripts/host-picture")).arg("--check").arg(program()).output().unwrap();
    assert!(checked.status.success(), "run scripts/host-picture: {}", String::from_utf8_lossy(&checked.stderr));
    assert!(page("docs/hosts.md").contains("(pictures/host.svg)"));
}
