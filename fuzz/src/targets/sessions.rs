//! Whole sessions by USI and UPI. The first line of an input is a rule code. The other lines are commands as a host may
//! send them.
//!
//! Numbers in commands that set the amount of work are reduced. Whatever the lines were, a new game at the end must be
//! answered as in a new session.

use std::io::{self, Cursor, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use yomikiri_play::{upi, usi};
use yomikiri_rules::AnyGame;

/// Variants whose searches are fast.
const CODES: [&str; 7] = ["bin2x2", "bin3x3", "bin3x3-n", "val1n", "204go", "pyon3x3", "pyon3x4B"];

/// The answer of each variant in a session without other lines.
static FRESH: [OnceLock<String>; CODES.len()] = [const { OnceLock::new() }; CODES.len()];

/// The maximum number of lines that are sent.
const MOST_LINES: usize = 60;

/// Commands whose numbers set the amount of work.
const WORK: [&str; 3] = ["go", "play", "setoption"];

/// The maximum number in these commands, in milliseconds, nodes, mebibytes or threads.
const MOST: u64 = 8;

/// Runs a session, and asks for the legal moves of the start at its end.
pub fn run(bytes: &[u8]) {
    let (code, lines) = bytes.split_at(bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len()));
    let Some(number) = CODES.iter().position(|known| known.as_bytes() == code) else { return };
    let game = AnyGame::parse(CODES[number]).expect("a code");
    let sent: Vec<Vec<u8>> = lines.split(|&byte| byte == b'\n').take(MOST_LINES).filter_map(cheap).collect();
    let said = answers(&game, &sent);
    let fresh = FRESH[number].get_or_init(|| answers(&game, &[]));
    assert!(said.ends_with(fresh), "{game:?}: {fresh:?} after\n{said}");
    assert!(!said.chars().any(|letter| letter.is_control() && letter != '\n' && letter != '\x1b'), "{said:?}");
}

/// Returns the answers to these lines and to the questions about the start that follow them.
fn answers(game: &AnyGame, lines: &[Vec<u8>]) -> String {
    let ask: &[u8] = match upi::is_spoken_by(game) {
        true => b"position startpos\nxfen\npos\n",
        false => b"position startpos\nlegal_moves\nsfen\nboard\n",
    };
    let quick: &[u8] = b"setoption name MoveTime value 1\n";
    let text = [quick, &lines.join(&b'\n'), b"\n", ask].concat();
    let (input, output) = (Box::new(Cursor::new(text)), Said::default());
    let folder = PathBuf::from("no tables");
    let done = match game {
        game @ AnyGame::Pyonpyon(_) => upi::serve(game, folder, input, output.clone()),
        game => usi::serve(game, folder, input, output.clone()),
    };
    done.expect("nothing can break");
    let said = output.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
    String::from_utf8(said).expect("answers are text")
}

/// Reduces the numbers of a line. Returns `None` for a line that ends the session or sets the folder of tables.
fn cheap(line: &[u8]) -> Option<Vec<u8>> {
    let Ok(text) = std::str::from_utf8(line) else { return Some(line.to_vec()) };
    let mut words = text.trim_start_matches('\u{feff}').split_whitespace();
    match words.next() {
        Some("quit") => None,
        Some("setoption") if words.clone().any(|word| word == "Tables") => None,
        Some(command) if WORK.contains(&command) => {
            let small = |word: &str| match word.parse::<u64>() {
                Ok(number) => number.min(MOST).to_string(),
                Err(_) => word.into(),
            };
            let words = std::iter::once(command.to_string()).chain(words.map(small));
            Some(words.collect::<Vec<_>>().join(" ").into_bytes())
        }
        _ => Some(line.to_vec()),
    }
}

/// The output of a session.
#[derive(Clone, Default)]
struct Said(Arc<Mutex<Vec<u8>>>);

impl Write for Said {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
