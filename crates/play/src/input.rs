//! Lines of an input stream, read by a background thread.

use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::time::Duration;

use yomikiri_table::threads;

/// The maximum length of a line in bytes: room for about 200,000 moves.
const LONGEST: u64 = 1 << 20;

/// The maximum number of chunks of [`LONGEST`] bytes that are skipped to find the end of an overlong line. If the line
/// is even longer, the read fails.
const WITHOUT_END: u64 = 64;

/// The maximum number of lines that are read ahead. Once it is reached, the reading thread waits.
const AHEAD: usize = 256;

/// The result of reading one line of the input.
#[derive(Debug)]
pub enum Line {
    /// The text of a line, without its line break.
    Text(String),
    /// A line that is too long or not UTF-8.
    Refused {
        /// The reason.
        why: String,
        /// The first word of the line, or an empty text if that word cannot be read.
        command: String,
    },
    /// The end of the input.
    End,
    /// The error of a read that failed. No more lines follow.
    Failed(io::Error),
}

/// A queue of input lines that can be inspected before they are taken.
pub struct Input {
    receiver: Receiver<Line>,
    /// The maximum length of `waiting`.
    capacity: usize,
    /// Lines that have arrived and that the caller has not taken yet.
    pub waiting: VecDeque<Line>,
}

impl Input {
    /// Starts a thread that reads lines. The thread ends after the last line. If this `Input` is dropped, the thread
    /// ends at the next line.
    pub fn new(reader: impl BufRead + Send + 'static) -> io::Result<Input> {
        Input::ahead(reader, AHEAD)
    }

    /// Like [`Input::new`], but reads at most `lines` lines ahead.
    pub fn ahead(reader: impl BufRead + Send + 'static, lines: usize) -> io::Result<Input> {
        let (sender, receiver) = sync_channel(lines);
        threads::start("input", move || read_all(reader, &sender))?;
        Ok(Input { receiver, capacity: lines, waiting: VecDeque::new() })
    }

    /// Waits for the next line and returns it. At the end of the input, returns `Line::End`.
    pub fn next_line(&mut self) -> Line {
        self.waiting.pop_front().unwrap_or_else(|| self.receiver.recv().unwrap_or(Line::End))
    }

    /// Returns the next line, or `None` if none arrives within `time`.
    pub fn next_line_within(&mut self, time: Duration) -> Option<Line> {
        self.waiting.pop_front().or_else(|| match self.receiver.recv_timeout(time) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Line::End),
        })
    }

    /// Waits until the next line arrives, and adds it to `waiting`.
    pub fn wait(&mut self) {
        let line = self.receiver.recv().unwrap_or(Line::End);
        self.waiting.push_back(line);
    }

    /// Returns true if `waiting` is full, so that [`Input::poll`] adds no more lines.
    pub fn is_full(&self) -> bool {
        self.waiting.len() >= self.capacity
    }

    /// Moves lines that have arrived to `waiting`, until none is left or `waiting` is full.
    pub fn poll(&mut self) {
        while !self.is_full() {
            match self.receiver.try_recv() {
                Ok(line) => self.waiting.push_back(line),
                Err(TryRecvError::Empty | TryRecvError::Disconnected) => return,
            }
        }
    }
}

fn read_all(reader: impl BufRead, sender: &SyncSender<Line>) {
    let mut lines = Lines::new(reader, LONGEST);
    loop {
        let line = lines.read_next().unwrap_or_else(Line::Failed);
        let (last, is_cut) = (matches!(line, Line::End | Line::Failed(_)), lines.is_cut);
        if sender.send(line).is_err() || last {
            return;
        }
        // Sends the refusal before it skips the rest, so that the line is answered even if its end never comes.
        if is_cut && let Err(error) = lines.skip_rest() {
            let _ = sender.send(Line::Failed(error));
            return;
        }
    }
}

/// Returns a refused line that begins with `bytes`.
fn refused(bytes: &[u8], why: String) -> Line {
    /// More bytes than any command has.
    const LONGEST_COMMAND: usize = 100;
    let words = bytes[..bytes.len().min(LONGEST_COMMAND)].split(u8::is_ascii_whitespace);
    let first = words.into_iter().find(|word| !word.is_empty()).unwrap_or_default();
    Line::Refused { why, command: String::from_utf8(first.to_vec()).unwrap_or_default() }
}

/// Splits a stream into lines as they arrive. Lines end with LF, CR LF or CR; the last line may have no line break. A
/// byte order mark at the beginning is skipped.
pub struct Lines<R> {
    reader: R,
    /// The maximum length of a line in bytes.
    longest: u64,
    at_start: bool,
    /// True if the last line ended with CR. An LF right after it belongs to the same line end.
    after_cr: bool,
    /// True if the last line was too long and the rest of it has not been read.
    pub is_cut: bool,
}

impl<R: BufRead> Lines<R> {
    /// Creates a splitter of `reader`. A line of more than `longest` bytes is cut.
    pub fn new(reader: R, longest: u64) -> Lines<R> {
        Lines { reader, longest, at_start: true, after_cr: false, is_cut: false }
    }

    /// Reads the next line without its line break. The last line may lack a line break.
    pub fn read_next(&mut self) -> io::Result<Line> {
        let Some(bytes) = self.read_bytes()? else { return Ok(Line::End) };
        if self.is_cut {
            return Ok(refused(&bytes, format!("is longer than {} bytes", self.longest)));
        }
        Ok(String::from_utf8(bytes).map_or_else(
            |error| {
                let sound = error.utf8_error().valid_up_to();
                refused(error.as_bytes(), format!("is not UTF-8 from byte {} on", sound + 1))
            },
            Line::Text,
        ))
    }

    /// Reads the bytes of the next line without its line break, or returns `None` after the last line. Returns only the
    /// first `longest + 1` bytes of a line that is too long, and sets `is_cut`.
    pub fn read_bytes(&mut self) -> io::Result<Option<Vec<u8>>> {
        const MARK: &[u8] = "\u{feff}".as_bytes();
        let (mut bytes, ended) = self.read_line(self.longest + 1)?;
        self.is_cut = !ended && bytes.len() as u64 > self.longest;
        let at_start = std::mem::take(&mut self.at_start);
        if bytes.is_empty() && !ended {
            return Ok(None);
        }
        if at_start && bytes.starts_with(MARK) {
            bytes.drain(..MARK.len());
        }
        Ok(Some(bytes))
    }

    /// Reads at most `most` bytes of a line. Returns the bytes, and true if the end of the line has been read.
    fn read_line(&mut self, most: u64) -> io::Result<(Vec<u8>, bool)> {
        let mut bytes = Vec::new();
        if std::mem::take(&mut self.after_cr) {
            match self.fill()?.first() {
                None => return Ok((bytes, false)),
                Some(b'\n') => self.reader.consume(1),
                Some(_) => {}
            }
        }
        while (bytes.len() as u64) < most {
            let here = self.fill()?;
            if here.is_empty() {
                return Ok((bytes, false));
            }
            let room = here.len().min((most - bytes.len() as u64) as usize);
            let end = here[..room].iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            bytes.extend_from_slice(&here[..end.unwrap_or(room)]);
            let is_cr = end.is_some_and(|end| here[end] == b'\r');
            self.reader.consume(end.map_or(room, |end| end + 1));
            if end.is_some() {
                self.after_cr = is_cr;
                return Ok((bytes, true));
            }
        }
        Ok((bytes, false))
    }

    /// Waits until bytes arrive and returns them. At the end of the input, returns an empty slice and does not read
    /// again: a terminal reports the end only once.
    fn fill(&mut self) -> io::Result<&[u8]> {
        loop {
            match self.reader.fill_buf() {
                Ok([]) => return Ok(&[]),
                Ok(_) => break,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.reader.fill_buf()
    }

    /// Skips the rest of an overlong line. A line that does not end within [`WITHOUT_END`] chunks is an error.
    fn skip_rest(&mut self) -> io::Result<()> {
        for _ in 0..WITHOUT_END {
            let (rest, ended) = self.read_line(self.longest)?;
            if ended || (rest.len() as u64) < self.longest {
                return Ok(());
            }
        }
        Err(io::Error::new(io::ErrorKind::InvalidData, "a line has no end"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns all lines of `text`. A refused line becomes the text of its error.
    fn lines(text: &[u8]) -> Vec<String> {
        let mut input = Input::new(io::Cursor::new(text.to_vec())).unwrap();
        let mut lines = Vec::new();
        loop {
            match input.next_line() {
                Line::Text(text) => lines.push(text),
                Line::Refused { why, .. } => lines.push(format!("line {why}")),
                Line::End => return lines,
                Line::Failed(error) => panic!("{error}"),
            }
        }
    }

    #[test]
    fn refused_lines_tell_their_command() {
        let command = |bytes: &[u8]| match Lines::new(bytes, 30).read_next().unwrap() {
            Line::Refused { command, .. } => command,
            _ => panic!("{bytes:?} is refused"),
        };
        assert_eq!(command(b"  go searchmoves \xff"), "go");
        assert_eq!(command(&[&b"position startpos moves "[..], &[b'x'; 40]].concat()), "position");
        assert_eq!([command(b"\xffgo 1"), command(&[b' '; 31])], ["", ""]);
    }

    #[test]
    fn lines_end_in_any_way() {
        assert_eq!(lines(b""), [""; 0]);
        assert_eq!(lines(b"go\n\npos\r\nquit"), ["go", "", "pos", "quit"]);
        assert_eq!(lines(b"go\rstop\r\r\nquit\r"), ["go", "stop", "", "quit"]);
        assert_eq!(lines(b"a\xff\nb\n"), ["line is not UTF-8 from byte 2 on", "b"]);
        assert_eq!(lines("\u{feff}go\n\u{feff}stop".as_bytes()), ["go", "\u{feff}stop"]);
        assert_eq!(lines("\u{feff}".as_bytes()), [""]);
    }

    /// A terminal reports the end of the input once, and delivers more lines if it is read again.
    #[test]
    fn the_end_is_asked_for_once() {
        struct Terminal(Vec<&'static [u8]>);

        impl io::Read for Terminal {
            fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
                let next = self.0.remove(0);
                room[..next.len()].copy_from_slice(next);
                Ok(next.len())
            }
        }

        for text in [&b"go\n"[..], b"go\r"] {
            let mut lines = Lines::new(io::BufReader::new(Terminal(vec![text, b"", b"more\n"])), LONGEST);
            assert!(matches!(lines.read_next().unwrap(), Line::Text(line) if line == "go"));
            assert!(matches!(lines.read_next().unwrap(), Line::End));
        }
    }

    #[test]
    fn overlong_lines_are_skipped_whole() {
        let mut text = vec![b'x'; 3 * LONGEST as usize];
        text.extend(b"\ngo\n");
        assert_eq!(lines(&text), ["line is longer than 1048576 bytes", "go"]);
        let mut text = vec![b' '; LONGEST as usize];
        text.extend(b"\ngo");
        assert_eq!(lines(&text)[1..], ["go"]);
    }

    #[test]
    fn lines_without_an_end_are_refused_and_end_it() {
        let mut input = Input::new(io::BufReader::new(io::repeat(b'x'))).unwrap();
        assert!(matches!(input.next_line(), Line::Refused { .. }));
        assert!(matches!(input.next_line(), Line::Failed(error) if error.to_string() == "a line has no end"));
        assert!(matches!(input.next_line(), Line::End));
    }
}
