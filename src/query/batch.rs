//! `yomikiri query CODE -`: many positions from a pipe, a line of JSON for each.

use std::io::BufReader;

use yomikiri_answer::{Answerer, Detail, answer_lines};
use yomikiri_play::input::{Input, Line};
use yomikiri_solve::Solvable;
use yomikiri_table::Silent;

use crate::Done;
use crate::error::Failure;
use crate::output::write_lines;

/// Lines that are answered together at most. What has arrived is answered at once, so that a program may wait for the
/// answer to each of its lines.
const TOGETHER: usize = 1 << 15;

/// Bytes read at a time.
const BUFFER: usize = 1 << 20;

/// Answers the lines of standard input until its end.
pub fn answer<G: Solvable>(answerer: &mut Answerer<'_, G>, detail: Detail, memory: u64) -> Done {
    let unreadable = |error| Failure::Work(format!("standard input: {error}"));
    let reader = BufReader::with_capacity(BUFFER, std::io::stdin());
    let mut input = Input::ahead(reader, TOGETHER).map_err(unreadable)?;
    loop {
        let mut lines = Vec::new();
        let end = take(&mut input, &mut lines);
        write_lines(&answer_lines(answerer, &lines, detail, memory, &Silent)?)?;
        match end {
            None => {}
            Some(Line::Failed(error)) => return Err(unreadable(error)),
            Some(_) => return Ok(()),
        }
    }
}

/// Waits for a line and takes all that have arrived; returns the end, if it has come.
fn take(input: &mut Input, lines: &mut Vec<Result<String, String>>) -> Option<Line> {
    loop {
        match input.take() {
            Line::Text(line) => lines.push(Ok(line)),
            Line::Refused(why) => lines.push(Err(format!("the line {why}"))),
            end => return Some(end),
        }
        input.look();
        if input.waiting.is_empty() || lines.len() == TOGETHER {
            return None;
        }
    }
}
