//! Files of the WTHOR database of the French federation, `*.wtb`: games on 8x8 boards in binary records.
//!
//! ```text
//! header, 16 bytes                                    record of a game, 68 bytes
//!  0  century, year, month, day of the file            0  tournament, u16
//!  4  N1: number of games, u32                         2  Black, u16
//!  8  N2: 0 (number of names in other files), u16      4  White, u16
//! 10  year of the games, u16                           6  score: black discs at the end
//! 12  P1: size of the board, 0 or 8 for 8x8            7  theoretical score: black discs at the end after
//! 13  P2: type of games, 1 for solitaires                 best play from P3 empty squares on
//! 14  P3: empty squares of the theoretical score       8  60 moves, each 10 * rank + file from 11 to 88,
//! 15  not used                                            then zeros. Passes are not written.
//! ```
//!
//! Numbers are little-endian. Both scores count empty squares for the winner. The theoretical score belongs to the
//! position with P3 empty squares, or to the final position if the game ended earlier. If P3 is 0, the header does not
//! say which position the theoretical scores belong to; the reader then takes the final position and the score of the
//! actual game.
//!
//! Sources: the federation's description of the format (Format_WThor.pdf); R. Delorme's Edax (`base.c`) for the
//! position to which the theoretical score belongs. Edax tests itself with these scores.

use super::Reversi;
use super::board::{Board, Position};
use super::moves::{self, Move};
use super::rules::{Empties, Opening};
use super::text::{check_legal, move_text};
use crate::Archived::{EndedEarly, Scored};
use crate::{Archive, ArchiveHeader, ArchivedOf, Game, Score, Side, TextError};

const HEADER: usize = 16;
const RECORD: usize = 68;

/// The number of squares, which is also the largest number of discs.
const SQUARES: u8 = 64;

/// The number of empty squares at the start, which is also the largest number of moves, not counting passes.
const MOVES: u8 = 60;

/// The archive format. The first byte is the century, or 0 if the file has no date. The centuries 19 to 21 are control
/// characters, with which no text file starts.
pub const ARCHIVE: Archive<Reversi> =
    Archive { ending: ".wtb", first: 19..=21, header: HEADER, record: RECORD, open: read_header, read: read_game };

fn bad(field: &str, problem: impl Into<String>) -> TextError {
    TextError::new(field, problem)
}

/// Returns `byte`, or an error that names `field` if the byte is above `most`.
fn at_most(field: &str, byte: u8, most: u8) -> Result<u8, TextError> {
    if byte <= most { Ok(byte) } else { Err(bad(field, format!("{byte} is not a number from 0 to {most}"))) }
}

fn read_header(game: &Reversi, head: &[u8]) -> Result<ArchiveHeader, TextError> {
    let number = |at: usize| u16::from_le_bytes([head[at], head[at + 1]]);
    check_variant(game)?;
    check_date(&head[..4])?;
    if number(8) != 0 {
        return Err(bad(
            "field N2",
            format!("is {}, not 0: the file lists players or tournaments, not games", number(8)),
        ));
    }
    match head[12] {
        0 | 8 => {}
        10 => return Err(bad("field P1", "is 10: the games are on a 10x10 board")),
        size => return Err(bad("field P1", format!("{size} is not a board size; sizes are 8 and 10"))),
    }
    match head[13] {
        0 => {}
        1 => return Err(bad("field P2", "is 1: the file has solitaires, not games")),
        kind => return Err(bad("field P2", format!("{kind} is not a type of games; types are 0 and 1"))),
    }
    let why_not_comparable = (game.rules.empties != Empties::Winner).then(|| {
        let code = Reversi::new(super::Rules { empties: Empties::Winner, ..game.rules }).code();
        format!(
            "scores are not compared, because the file counts empty squares for the winner; to compare them, use {code}"
        )
    });
    Ok(ArchiveHeader {
        games: u32::from_le_bytes([head[4], head[5], head[6], head[7]]),
        empties: at_most("field P3", head[14], MOVES)?,
        why_not_comparable,
    })
}

/// Refuses a variant whose board or starting position differs from that of WTHOR games.
fn check_variant(game: &Reversi) -> Result<(), TextError> {
    let Board { files, ranks } = game.rules.board;
    match game.rules.opening {
        _ if (files, ranks) != (8, 8) => Err(bad(
            "board",
            format!("WTHOR games are on 8x8, but {} has {files} files and {ranks} ranks", game.code()),
        )),
        Opening::Parallel => Err(bad(
            "start",
            format!("WTHOR games start with the colours on the diagonals, but {} does not", game.code()),
        )),
        Opening::Cross => Ok(()),
    }
}

/// Refuses an impossible creation date. All zeros mean that there is no date.
fn check_date(date: &[u8]) -> Result<(), TextError> {
    match date {
        [0, 0, 0, 0] | [19..=21, 0..=99, 1..=12, 1..=31] => Ok(()),
        _ => Err(bad("creation date", format!("{date:?} is not a century, year, month and day"))),
    }
}

fn read_game(game: &Reversi, head: &ArchiveHeader, record: &[u8]) -> Result<ArchivedOf<Reversi>, TextError> {
    let played = at_most("score", record[6], SQUARES)?;
    let theoretical = at_most("theoretical score", record[7], SQUARES)?;
    let moves = &record[RECORD - usize::from(MOVES)..];
    let count = moves.iter().position(|&byte| byte == 0).unwrap_or(moves.len());
    if let Some(more) = moves[count..].iter().position(|&byte| byte != 0) {
        let byte = moves[count + more];
        return Err(bad(
            &format!("byte {byte} (move {})", count + more + 1),
            "must be 0, because an earlier 0 ends the moves",
        ));
    }
    let mut position = game.start();
    let mut wanted = (head.empties == MOVES).then_some(position);
    for (&byte, number) in moves[..count].iter().zip(1..) {
        position = play(game, position, byte).map_err(|error| error.numbered(number))?;
        if empties(&position) == u32::from(head.empties) {
            wanted = Some(position);
        }
    }
    // If the header gives no number of empty squares (P3 = 0), the theoretical score belongs to no known position.
    let score = if head.empties == 0 { played } else { theoretical };
    let is_over = moves::is_over(game.rules.board, &position);
    Ok(match wanted.filter(|_| head.empties > 0).or(is_over.then_some(position)) {
        Some(position) => Scored(position, head.why_not_comparable.is_none().then(|| score_of(&position, score))),
        None => EndedEarly(empties(&position) as u8),
    })
}

fn empties(position: &Position) -> u32 {
    u32::from(SQUARES) - position.occupied().count_ones()
}

/// Returns the position after the move that `byte` encodes. If the side to move must pass, the pass is played first.
fn play(game: &Reversi, position: Position, byte: u8) -> Result<Position, TextError> {
    let (rank, file) = (byte / 10, byte % 10);
    if !(1..=8).contains(&rank) || !(1..=8).contains(&file) {
        return Err(bad(&format!("byte {byte}"), "is not a square (10 * rank + file, from 11 to 88)"));
    }
    let board = game.rules.board;
    let position = if moves::must_pass(board, &position) { position.passed() } else { position };
    let mv = Move::Place(board.bit(file - 1, rank - 1) as u8);
    let legal = check_legal(game, &position, mv);
    legal.map_err(|problem| bad(&format!("move \"{}\"", move_text(mv)), problem))?;
    Ok(game.play(&position, mv))
}

/// Returns the score for the side to move. `black` is the number of black discs, with the empty squares counted for the
/// winner.
fn score_of(position: &Position, black: u8) -> Score {
    let points = 2 * i32::from(black) - i32::from(SQUARES);
    Score::new(if position.side == Side::Black { points } else { -points })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Notation;
    use crate::notation;

    fn game(code: &str) -> Reversi {
        Reversi::parse(code).unwrap()
    }

    fn head(games: u32, empties: u8) -> [u8; HEADER] {
        let mut head = [20, 26, 7, 24, 0, 0, 0, 0, 0, 0, 0xd1, 7, 8, 0, empties, 0];
        head[4..8].copy_from_slice(&games.to_le_bytes());
        head
    }

    /// Returns the record of a game, from a transcript without passes.
    fn record(moves: &str, score: u8, theoretical: u8) -> [u8; RECORD] {
        let mut record = [0; RECORD];
        record[6..8].copy_from_slice(&[score, theoretical]);
        for (at, name) in (8..).zip(super::super::text::names(moves)) {
            let (file, rank) = notation::parse_square(name, 8, 8).unwrap();
            record[at] = 10 * (rank + 1) + file + 1;
        }
        record
    }

    fn read(code: &str, empties: u8, record: &[u8]) -> Result<ArchivedOf<Reversi>, String> {
        let game = game(code);
        let head = read_header(&game, &head(1, empties)).map_err(|error| error.to_string())?;
        read_game(&game, &head, record).map_err(|error| error.to_string())
    }

    /// A game in which White has no discs left after nine plies.
    const SHORT: &str = "e6f4e3f6g5d6e7f5c5";

    #[test]
    fn a_game_gives_the_position_of_its_theoretical_score() {
        let game = game("rev8x8-w");
        let after = |moves: &str| game.parse_position(moves).unwrap();
        let record = record(SHORT, 64, 40);
        // With an odd number of empty squares, White is to move.
        assert_eq!(read("rev8x8-w", 55, &record), Ok(Scored(after("e6f4e3f6g5"), Some(Score::new(-16)))));
        assert_eq!(read("rev8x8-w", 56, &record), Ok(Scored(after("e6f4e3f6"), Some(Score::new(16)))));
        assert_eq!(read("rev8x8-w", 60, &record), Ok(Scored(game.start(), Some(Score::new(16)))));
        assert_eq!(read("rev8x8", 56, &record), Ok(Scored(after("e6f4e3f6"), None)));
        // The game ended with more than 20 empty squares. P3, the header's number of empty squares, may also be 0.
        let end = after(SHORT);
        assert_eq!(read("rev8x8-w", 20, &record), Ok(Scored(end, Some(Score::new(-16)))));
        assert_eq!(read("rev8x8-w", 0, &record), Ok(Scored(end, Some(Score::new(-64)))));
        assert_eq!(game.terminal_value(&end), Some(Score::new(-64)));
        for empties in [0, 20] {
            assert_eq!(read("rev8x8-w", empties, &self::record("f5d6", 30, 30)), Ok(EndedEarly(58)));
        }
    }

    #[test]
    fn heads_are_understood_or_refused() {
        let opened = read_header(&game("rev8x8-w"), &head(7, 20));
        assert_eq!(opened, Ok(ArchiveHeader { games: 7, empties: 20, why_not_comparable: None }));
        let without_date = [0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 20, 0];
        assert_eq!(read_header(&game("rev8x8-w"), &without_date), opened);
        let told = read_header(&game("rev8x8"), &head(7, 20)).unwrap().why_not_comparable.unwrap();
        assert!(told.ends_with("to compare them, use rev8x8-w"), "{told}");
        for (at, byte, problem) in [
            (0, 22, "creation date: [22, 26, 7, 24] is not a century, year, month and day"),
            (1, 100, "creation date: [20, 100, 7, 24] is not a century, year, month and day"),
            (2, 13, "creation date: [20, 26, 13, 24] is not a century, year, month and day"),
            (3, 0, "creation date: [20, 26, 7, 0] is not a century, year, month and day"),
            (9, 1, "field N2: is 256, not 0: the file lists players or tournaments, not games"),
            (12, 10, "field P1: is 10: the games are on a 10x10 board"),
            (12, 9, "field P1: 9 is not a board size; sizes are 8 and 10"),
            (13, 1, "field P2: is 1: the file has solitaires, not games"),
            (13, 2, "field P2: 2 is not a type of games; types are 0 and 1"),
            (14, 61, "field P3: 61 is not a number from 0 to 60"),
        ] {
            let mut changed = head(7, 20);
            changed[at] = byte;
            let error = read_header(&game("rev8x8-w"), &changed).unwrap_err();
            assert_eq!(error.to_string(), problem);
        }
        for (code, problem) in [
            ("rev6x8", "board: WTHOR games are on 8x8, but rev6x8 has 6 files and 8 ranks"),
            ("rev8x8-p", "start: WTHOR games start with the colours on the diagonals, but rev8x8-p does not"),
        ] {
            assert_eq!(read_header(&game(code), &head(7, 20)).unwrap_err().to_string(), problem);
        }
    }

    #[test]
    fn bad_records_are_named() {
        let good = record(SHORT, 64, 40);
        for (at, byte, problem) in [
            (6, 65, "score: 65 is not a number from 0 to 64"),
            (7, 255, "theoretical score: 255 is not a number from 0 to 64"),
            (8, 89, "byte 89 (move 1): is not a square (10 * rank + file, from 11 to 88)"),
            (8, 10, "byte 10 (move 1): is not a square (10 * rank + file, from 11 to 88)"),
            (9, 11, "move \"a1\" (move 2): O would turn no disc there; legal moves: f4 d6 f6"),
            (9, 65, "move \"e6\" (move 2): e6 is not empty"),
            (9, 0, "byte 35 (move 3): must be 0, because an earlier 0 ends the moves"),
            (17, 11, "move \"a1\" (move 10): the game is over: one side has no discs"),
        ] {
            let mut changed = good;
            changed[at] = byte;
            assert_eq!(read("rev8x8-w", 20, &changed), Err(problem.into()), "{at}");
        }
    }

    /// For every number of empty squares in the header (P3), a game with passes gives the position of its transcript.
    #[test]
    fn passes_are_found() {
        let game = game("rev8x8-w");
        let mut random = 1u64;
        let mut passes = 0;
        for _ in 0..50 {
            let (mut position, mut moves, mut after) = (game.start(), String::new(), vec![game.start()]);
            while !moves::is_over(game.rules.board, &position) {
                let legal = game.legal_moves(&position);
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let mv = legal[(random >> 33) as usize % legal.len()];
                position = game.play(&position, mv);
                match mv {
                    Move::Pass => passes += 1,
                    Move::Place(_) => {
                        moves += &move_text(mv);
                        after.push(position);
                    }
                }
            }
            let black = (64 + score_of(&position, 64).points() / 64 * game.rules.score(&position).points()) as u8 / 2;
            let record = record(&moves, black, black);
            for empties in 0..=60 {
                let expected = match empties {
                    0 => after[after.len() - 1],
                    _ => *after.get(60 - usize::from(empties)).unwrap_or(&after[after.len() - 1]),
                };
                let Ok(Scored(found, Some(_))) = read("rev8x8-w", empties, &record) else { panic!("{moves}") };
                assert_eq!(found, expected, "{moves} {empties}");
            }
            let end = read("rev8x8-w", 0, &record);
            let Ok(Scored(found, Some(score))) = end else { panic!("{end:?}") };
            assert_eq!(game.terminal_value(&found), Some(score), "{moves}");
        }
        assert!(passes > 5, "{passes}");
    }
}
