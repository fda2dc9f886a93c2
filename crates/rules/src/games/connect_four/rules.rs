//! Variants of Connect Four and their codes: `con<F>x<R>[-k<n>]`.

use super::board::Board;
use crate::TextError;

/// The number of discs in a row that win, unless the rule code gives another number.
const STANDARD_ROW: u8 = 4;

/// One variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// The size of the board.
    pub board: Board,
    /// The number of discs in a row that win: 3..=5, and at most the longer side of the board.
    pub row: u8,
}

impl Rules {
    /// Reads a rule code. `-k4`, the default, is accepted. Rows that do not fit on the board are an error.
    pub fn parse(code: &str) -> Result<Rules, TextError> {
        let bad = |problem: String| TextError::new(format!("rule code \"{code}\""), problem);
        let rest = code.strip_prefix("con").ok_or_else(|| bad("Connect Four codes start with con".into()))?;
        let (size, option) = rest.split_once('-').map_or((rest, None), |(size, option)| (size, Some(option)));
        let board = parse_size(size).map_err(bad)?;
        let row = option.map_or(Ok(STANDARD_ROW), parse_row).map_err(bad)?;
        let Board { files, ranks } = board;
        let longest = files.max(ranks);
        if row > longest {
            let fitting = Rules { board, row: longest }.code();
            return Err(bad(format!(
                "{row} in a row do not fit on {files}x{ranks}; use {fitting} ({longest} in a row)"
            )));
        }
        Ok(Rules { board, row })
    }

    /// Returns the shortest code of this variant.
    pub fn code(&self) -> String {
        let Board { files, ranks } = self.board;
        let row = if self.row == STANDARD_ROW { String::new() } else { format!("-k{}", self.row) };
        format!("con{files}x{ranks}{row}")
    }

    /// Returns all settings, defaults included, as pairs of name and value. The first is `game`.
    pub fn settings(&self) -> Vec<(&'static str, String)> {
        let Board { files, ranks } = self.board;
        vec![
            ("game", "connect four".into()),
            ("board", format!("{files} files x {ranks} ranks")),
            ("to win", format!("{} in a row: across, up or diagonally", self.row)),
            ("longest game", format!("{} plies", self.board.area())),
        ]
    }
}

fn parse_size(text: &str) -> Result<Board, String> {
    match text.as_bytes() {
        [files @ b'3'..=b'8', b'x', ranks @ b'3'..=b'8'] => Ok(Board { files: files - b'0', ranks: ranks - b'0' }),
        _ => Err(format!("\"{text}\" is not a board size <files>x<ranks> from 3x3 to 8x8")),
    }
}

fn parse_row(option: &str) -> Result<u8, String> {
    match option.as_bytes() {
        [b'k', row @ b'3'..=b'5'] => Ok(row - b'0'),
        _ => Err(format!("unknown option -{option} (known: one of -k3 -k4 -k5)")),
    }
}
