//! Lines from another program, read while this one works.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read};
use std::str::Utf8Error;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::time::Duration;

/// Longest line in bytes: room for some 200,000 moves.
const LONGEST: u64 = 1 << 20;

/// So many lines of [`LONGEST`] bytes without an end are no line any more.
const WITHOUT_END: u64 = 64;

/// Lines read ahead; a writer that is further ahead has to wait.
const AHEAD: usize = 256;

/// What comes in.
#[derive(Debug)]
pub enum Line {
    Text(String),
    /// No text; says why.
    Refused(String),
    End,
    Failed(io::Error),
}

/// Lines in their order, some of them looked at before their time.
pub struct Input {
    receiver: Receiver<Line>,
    /// Lines that are looked at before their time at most.
    room: usize,
    /// Lines that have arrived and not been taken.
    pub waiting: VecDeque<Line>,
}

impl Input {
    /// Reads in a thread of its own, which ends after the last line, or with the next one after nobody listens.
    pub fn new(reader: impl BufRead + Send + 'static) -> io::Result<Input> {
        Input::ahead(reader, AHEAD)
    }

    /// [`Input::new`], which reads so many lines ahead.
    pub fn ahead(reader: impl BufRead + Send + 'static, lines: usize) -> io::Result<Input> {
        let (sender, receiver) = sync_channel(lines);
        std::thread::Builder::new().name("input".into()).spawn(move || read_all(reader, &sender))?;
        Ok(Input { receiver, room: lines, waiting: VecDeque::new() })
    }

    /// The next line, once it is there.
    pub fn take(&mut self) -> Line {
        self.waiting.pop_front().unwrap_or_else(|| self.receiver.recv().unwrap_or(Line::End))
    }

    /// The next line, if it is there within `time`.
    pub fn take_within(&mut self, time: Duration) -> Option<Line> {
        self.waiting.pop_front().or_else(|| match self.receiver.recv_timeout(time) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Line::End),
        })
    }

    /// Whether so many lines wait that no more are looked at.
    pub fn is_full(&self) -> bool {
        self.waiting.len() >= self.room
    }

    /// Moves lines that have arrived to `waiting`, as long as it is not full.
    pub fn look(&mut self) {
        while !self.is_full() {
            match self.receiver.try_recv() {
                Ok(line) => self.waiting.push_back(line),
                Err(TryRecvError::Empty | TryRecvError::Disconnected) => return,
            }
        }
    }
}

fn read_all(mut reader: impl BufRead, sender: &SyncSender<Line>) {
    loop {
        let (line, is_cut) = read(&mut reader).unwrap_or_else(|error| (Line::Failed(error), false));
        let last = matches!(line, Line::End | Line::Failed(_));
        if sender.send(line).is_err() || last {
            return;
        }
        // It has been answered by now, even if its end never comes.
        if is_cut && let Err(error) = skip_line(&mut reader) {
            let _ = sender.send(Line::Failed(error));
            return;
        }
    }
}

/// The next line without its end, however it ends, an interrupted last one too; and whether it has been cut off.
fn read(reader: &mut impl BufRead) -> io::Result<(Line, bool)> {
    let mut bytes = Vec::new();
    reader.take(LONGEST).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok((Line::End, false));
    }
    if bytes.len() as u64 == LONGEST && !bytes.ends_with(b"\n") {
        return Ok((Line::Refused(format!("is longer than {LONGEST} bytes")), true));
    }
    let text = String::from_utf8(bytes).map_err(|error| error.utf8_error());
    let refused = |error: Utf8Error| Line::Refused(format!("is not UTF-8 from byte {} on", error.valid_up_to() + 1));
    Ok((text.map_or_else(refused, Line::Text), false))
}

/// Skips the rest of a line.
fn skip_line(reader: &mut impl BufRead) -> io::Result<()> {
    let skipped = reader.take(LONGEST * WITHOUT_END).skip_until(b'\n')? as u64;
    match skipped < LONGEST * WITHOUT_END {
        true => Ok(()),
        false => Err(io::Error::new(io::ErrorKind::InvalidData, "a line has no end")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All lines of a text, shown.
    fn lines(text: &[u8]) -> Vec<String> {
        let mut input = Input::new(io::Cursor::new(text.to_vec())).unwrap();
        let mut lines = Vec::new();
        loop {
            match input.take() {
                Line::Text(text) => lines.push(text),
                Line::Refused(why) => lines.push(format!("line {why}")),
                Line::End => return lines,
                Line::Failed(error) => panic!("{error}"),
            }
        }
    }

    #[test]
    fn lines_end_in_any_way() {
        assert_eq!(lines(b""), [""; 0]);
        assert_eq!(lines(b"go\n\npos\r\nquit"), ["go\n", "\n", "pos\r\n", "quit"]);
        assert_eq!(lines(b"a\xff\nb\n"), ["line is not UTF-8 from byte 2 on", "b\n"]);
    }

    #[test]
    fn overlong_lines_are_skipped_whole() {
        let mut text = vec![b'x'; 3 * LONGEST as usize];
        text.extend(b"\ngo\n");
        assert_eq!(lines(&text), ["line is longer than 1048576 bytes", "go\n"]);
        let mut text = vec![b' '; LONGEST as usize - 1];
        text.extend(b"\ngo");
        assert_eq!(lines(&text)[1..], ["go"]);
    }

    #[test]
    fn lines_without_an_end_are_refused_and_end_it() {
        let mut input = Input::new(io::BufReader::new(io::repeat(b'x'))).unwrap();
        assert!(matches!(input.take(), Line::Refused(_)));
        assert!(matches!(input.take(), Line::Failed(error) if error.to_string() == "a line has no end"));
        assert!(matches!(input.take(), Line::End));
    }
}
