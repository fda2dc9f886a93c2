//! `yomikiri query CODE -`: answers many positions from standard input, with a line of JSON for each.

use std::cell::RefCell;
use std::io::{BufRead, BufReader};

use yomikiri_answer::{Answerer, BatchSettings, ProofObserver, answer_lines};
use yomikiri_play::input::{Input, Line};
use yomikiri_table::Silent;

use crate::CommandResult;
use crate::archive::{self, ArchiveReader};
use crate::error::Failure;
use crate::output::Lines;

/// The maximum number of lines that are answered together. If fewer lines have arrived, they are answered without
/// waiting for more. So a program can wait for each answer before it sends the next line.
const TOGETHER: usize = 1 << 15;

/// The size of the read buffer in bytes.
const BUFFER: usize = 1 << 20;

/// The name of standard input in messages.
const INPUT: &str = "standard input";

/// Reads lines or recorded games from standard input until its end, and answers them.
pub fn answer(answerer: &mut Answerer<'_>, batch: BatchSettings, watch: &mut dyn ProofObserver) -> CommandResult {
    let unreadable = |error: std::io::Error| Failure::work(error).named(INPUT);
    let mut reader = BufReader::with_capacity(BUFFER, std::io::stdin());
    if archive::is_archive(answerer.game(), "", &mut reader).map_err(unreadable)? {
        return answer_games(answerer, reader, batch, watch);
    }
    let mut input = Input::ahead(reader, TOGETHER).map_err(unreadable)?;
    loop {
        let mut lines = Vec::new();
        let end = take(&mut input, &mut lines);
        answer_all(answerer, &lines, batch, watch)?;
        match end {
            None => {}
            Some(Line::Failed(error)) => return Err(unreadable(error)),
            Some(_) => return Ok(()),
        }
    }
}

/// Answers one position of each recorded game, the one that the game has a score for. If a game has no such position or
/// its record is invalid, its answer is an error.
fn answer_games(
    answerer: &mut Answerer<'_>,
    reader: impl BufRead,
    batch: BatchSettings,
    watch: &mut dyn ProofObserver,
) -> CommandResult {
    let mut games = ArchiveReader::open(answerer.game(), INPUT.into(), reader, u64::MAX)?;
    let mut end = None;
    while end.is_none() {
        let mut lines = Vec::new();
        while lines.len() < TOGETHER {
            match games.next() {
                Ok(Some(found)) => lines.push(games.text(found)),
                Ok(None) => end = Some(Ok(())),
                Err(error) => end = Some(Err(error)),
            }
            if end.is_some() {
                break;
            }
        }
        answer_all(answerer, &lines, batch, watch)?;
    }
    end.unwrap_or(Ok(()))
}

/// A proof observer that writes all earlier answers before a proof begins, because the proof may take long.
struct WritingFirst<'a> {
    watch: &'a mut dyn ProofObserver,
    out: &'a RefCell<Lines>,
}

impl ProofObserver for WritingFirst<'_> {
    fn begin(&mut self) {
        self.out.borrow_mut().flush();
        self.watch.begin();
    }

    fn go_on(&mut self) -> bool {
        self.watch.go_on()
    }
}

/// Writes an answer for each line. Slow answers are flushed at once.
fn answer_all(
    answerer: &mut Answerer<'_>,
    lines: &[Result<String, String>],
    batch: BatchSettings,
    watch: &mut dyn ProofObserver,
) -> CommandResult {
    let out = RefCell::new(Lines::new());
    let mut watch = WritingFirst { watch, out: &out };
    answer_lines(answerer, lines, batch, &Silent, &mut watch, &mut |answer| out.borrow_mut().write(answer))?;
    out.into_inner().end()
}

/// Reads a line, waiting for it if necessary, and then all lines that have already arrived, up to [`TOGETHER`] in all.
/// Returns `None` if more input may follow, otherwise the end of the input or its error.
fn take(input: &mut Input, lines: &mut Vec<Result<String, String>>) -> Option<Line> {
    loop {
        match input.next_line() {
            Line::Text(line) => lines.push(Ok(line)),
            Line::Refused { why, .. } => lines.push(Err(format!("the line {why}"))),
            end => return Some(end),
        }
        input.poll();
        if input.waiting.is_empty() || lines.len() == TOGETHER {
            return None;
        }
    }
}
