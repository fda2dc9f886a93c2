//! Lines from another program, read while this one works.

use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::str::Utf8Error;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::time::Duration;

use yomikiri_table::threads;

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
        threads::start("input", move || read_all(reader, &sender))?;
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

    /// Waits for another line, which joins those that wait.
    pub fn wait(&mut self) {
        let line = self.receiver.recv().unwrap_or(Line::End);
        self.waiting.push_back(line);
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

fn read_all(reader: impl BufRead, sender: &SyncSender<Line>) {
    let mut lines = Lines::new(reader, LONGEST);
    loop {
        let line = lines.read_next().unwrap_or_else(Line::Failed);
        let (last, is_cut) = (matches!(line, Line::End | Line::Failed(_)), lines.is_cut);
        if sender.send(line).is_err() || last {
            return;
        }
        // It has been answered by now, even if its end never comes.
        if is_cut && let Err(error) = lines.skip_rest() {
            let _ = sender.send(Line::Failed(error));
            return;
        }
    }
}

/// The lines of a text as they arrive. They end with LF, CR LF or CR; the last one may have no end. A byte order mark
/// before the first is skipped.
pub struct Lines<R> {
    reader: R,
    /// Bytes of the longest line.
    longest: u64,
    at_start: bool,
    /// The last line ended with CR: an LF behind it belongs to it.
    after_cr: bool,
    /// The last line was longer than the longest, and the rest of it has not been read.
    pub is_cut: bool,
}

impl<R: BufRead> Lines<R> {
    pub fn new(reader: R, longest: u64) -> Lines<R> {
        Lines { reader, longest, at_start: true, after_cr: false, is_cut: false }
    }

    /// The next line without its end, an interrupted last one too.
    pub fn read_next(&mut self) -> io::Result<Line> {
        let Some(bytes) = self.read_bytes()? else { return Ok(Line::End) };
        if self.is_cut {
            return Ok(Line::Refused(format!("is longer than {} bytes", self.longest)));
        }
        let text = String::from_utf8(bytes).map_err(|error| error.utf8_error());
        let refused =
            |error: Utf8Error| Line::Refused(format!("is not UTF-8 from byte {} on", error.valid_up_to() + 1));
        Ok(text.map_or_else(refused, Line::Text))
    }

    /// The bytes of the next line without its end, one more than the longest may have if it is longer; `None` after
    /// the last.
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

    /// At most so many bytes of a line; and whether its end has been read.
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

    /// The bytes that have arrived, once there are any; none at the end, which a terminal tells once only.
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

    /// Skips the rest of a line that was cut.
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
        assert_eq!(lines(b"go\n\npos\r\nquit"), ["go", "", "pos", "quit"]);
        assert_eq!(lines(b"go\rstop\r\r\nquit\r"), ["go", "stop", "", "quit"]);
        assert_eq!(lines(b"a\xff\nb\n"), ["line is not UTF-8 from byte 2 on", "b"]);
        assert_eq!(lines("\u{feff}go\n\u{feff}stop".as_bytes()), ["go", "\u{feff}stop"]);
        assert_eq!(lines("\u{feff}".as_bytes()), [""]);
    }

    /// A terminal tells the end once, and goes on when it is asked again.
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
        assert!(matches!(input.take(), Line::Refused(_)));
        assert!(matches!(input.take(), Line::Failed(error) if error.to_string() == "a line has no end"));
        assert!(matches!(input.take(), Line::End));
    }
}
