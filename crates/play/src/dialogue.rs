//! Conversations with people and programs: one command a line, answers in lines.

use std::io::{self, BufRead, Write};

use super::input::{Input, Line};
use yomikiri_rules::game::TextError;

/// Why a conversation broke off.
#[derive(Debug, thiserror::Error)]
pub enum Broken {
    #[error("input: {0}")]
    Input(io::Error),
    #[error("output: {0}")]
    Output(io::Error),
}

/// What a command comes to: lines to print, without a line break at the end; empty if there is nothing to say.
pub type Answer = Result<String, TextError>;

/// Where lines come from and go to.
pub struct Channel<W> {
    pub input: Input,
    pub output: W,
}

impl<W: Write> Channel<W> {
    pub fn new(input: impl BufRead + Send + 'static, output: W) -> Result<Self, Broken> {
        Ok(Channel { input: Input::new(input).map_err(Broken::Input)?, output })
    }

    /// Prints lines at once.
    pub fn say(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.output, "{text}")?;
        self.output.flush()
    }
}

/// The one who answers.
pub trait Front<W: Write> {
    /// Obeys a command with its arguments; lines that are empty or begin with `#` are none.
    fn obey(&mut self, words: &[&str], channel: &mut Channel<W>) -> Result<Answer, Broken>;
}

/// Has commands obeyed until `quit` or the end of the input.
pub fn converse<W: Write>(front: &mut impl Front<W>, mut channel: Channel<W>) -> Result<(), Broken> {
    loop {
        let answer = match channel.input.take() {
            Line::End => return Ok(()),
            Line::Failed(error) => return Err(Broken::Input(error)),
            Line::Refused(why) => Err(TextError::new("line", why)),
            Line::Text(line) => {
                let words: Vec<&str> = line.trim_start_matches('\u{feff}').split_whitespace().collect();
                match words.first() {
                    Some(&"quit") => return Ok(()),
                    Some(command) if !command.starts_with('#') => front.obey(&words, &mut channel)?,
                    _ => Ok(String::new()),
                }
            }
        };
        let text = answer.unwrap_or_else(|error| error_line(&error));
        if !text.is_empty() {
            channel.say(&text).map_err(Broken::Output)?;
        }
    }
}

/// An error as a line that programs may pass over.
pub fn error_line(error: &TextError) -> String {
    format!("info string error: {error}")
}

/// Refuses words that are longer than any the protocol has.
pub fn check_lengths(words: &[&str], longest: usize) -> Result<(), TextError> {
    let Some(word) = words.iter().find(|word| word.len() > longest) else { return Ok(()) };
    let begin: String = word.chars().take(20).collect();
    Err(TextError::new(format!("word \"{begin}...\""), format!("is longer than {longest} bytes")))
}
