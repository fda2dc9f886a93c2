//! Formats the answers to USI commands as lines.

use std::time::{SystemTime, UNIX_EPOCH};

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::game::UsiGame;
use crate::player::proof_words;
use crate::repl::error_line;
use crate::{
    Action, Ending, LineOrigin, PlayerReport, RankedLine, Score, ScoreSource, SearchEffort, Session, WinAnswer, record,
};
use yomikiri_rules::{AnyGame, AnyPosition, Game, Notation, Outcome, TextError, Value, visible};

/// Commands that take no arguments.
pub const COMMANDS: &[&str] = &[
    "board",
    "sfen",
    "legal_moves",
    "history",
    "mate1",
    "undo",
    "usinewgame",
    "usi",
    "isready",
    "help",
    "stop",
    "ponderhit",
];

const HELP: &str = "\
position startpos|sfen <fields> [moves <move> ...]  set up a game
board, sfen, legal_moves, history                   show the board, the SFEN, the legal moves, the moves made
do <move>                                           make a move
play <move>                                         make a move, and the computer answers
undo                                                take the last move back
mate1                                               show the moves that win at once
go [btime <ms> wtime <ms> byoyomi <ms> binc <ms> winc <ms>] [movetime <ms>] [depth <plies>]
   [nodes <n>] [infinite] [ponder] [searchmoves <move> ...]
                                                    answer with bestmove <move>
go mate [<ms>|infinite]                             answer with checkmate and a line that wins
stop                                                answer now
ponderhit                                           the opponent has made the expected move
setoption name <name> value <value>                 set an option; the command usi lists all options
usi, isready, usinewgame, gameover                  for programs
help, quit";

/// Returns the output of `help`.
pub fn help(dialect: &dyn UsiGame) -> String {
    let own = dialect.own_help();
    if own.is_empty() { HELP.into() } else { format!("{own}\n{HELP}") }
}

/// Returns the answer to `usi`.
pub fn hello(code: &str, options: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!("id name Yomikiri {version} {code}\nid author The Yomikiri authors\n{options}\nusiok")
}

/// Returns the local time, such as `2024-08-24 15:30:59.301810`.
pub fn now() -> String {
    date(SystemTime::now())
}

/// Formats a time in the local time zone. A time before or after the calendar's range becomes the first or last time of
/// the calendar.
fn date(time: SystemTime) -> String {
    let end = if time < UNIX_EPOCH { Timestamp::MIN } else { Timestamp::MAX };
    let time = Timestamp::try_from(time).unwrap_or(end).to_zoned(TimeZone::system());
    time.strftime("%Y-%m-%d %H:%M:%S.%6f").to_string()
}

/// Returns a line with the number of plies, the last action, and the side to move or the result. The board follows.
pub fn board(dialect: &dyn UsiGame, session: &Session) -> String {
    let last = match (session.actions().last(), session.words().last()) {
        (Some(Action::Edit), Some(word)) => format!("edited {word}"),
        (Some(_), Some(word)) => format!("moved {word}"),
        _ => "init".into(),
    };
    let state = match session.ending() {
        Some(ending) => record::result(ending),
        None => format!("next {}", session.side().name()),
    };
    format!("[{:2} moves | {last} | {state}]\n{}", dialect.plies(session), dialect.diagram(session.position()))
}

/// Returns two lines: the game as moves from its first position, and the current position.
pub fn sfen(dialect: &dyn UsiGame, session: &Session) -> String {
    let [beginning, present] = sfen_lines(dialect, session);
    format!("{beginning}\n{present}")
}

/// Returns three lines: the two lines of [`sfen`], and between them a list of the stones that each move overwrote.
pub fn long_sfen(dialect: &dyn UsiGame, session: &Session) -> String {
    let [beginning, present] = sfen_lines(dialect, session);
    let changes = session.positions().iter().zip(session.words());
    let stones: String = changes.map(|(before, word)| format!(" {}", dialect.stones_before(before, word))).collect();
    format!("{beginning}\n                 stones_before_change{stones}\n{present}")
}

fn sfen_lines(dialect: &dyn UsiGame, session: &Session) -> [String; 2] {
    let game = session.game();
    let start = game.start();
    let is_start = |position: &AnyPosition| *position == start && game.side(position) == game.side(&start);
    let named = |position: &AnyPosition, plies: usize| match is_start(position) {
        true => "startpos".into(),
        false => dialect.sfen(position, plies),
    };
    let moves = match session.words() {
        [] => String::new(),
        words => format!(" moves {}", words.join(" ")),
    };
    let present = named(session.position(), session.moves_made());
    [format!("[from beginning] sfen {}{moves}", named(session.start(), 0)), format!("[from present]   sfen {present}")]
}

/// Returns the legal moves as a table. The column `All` numbers all moves. The column `Distinct` numbers only moves to
/// a position that no earlier move of the table leads to.
pub fn legal_moves(session: &Session) -> String {
    let (game, position) = (session.game(), session.position());
    let moves = game.legal_moves(position);
    let mut seen: Vec<AnyPosition> = Vec::new();
    let mut text = String::from("LEGAL MOVES\n+--------+---+\n|Distinct|All| Command\n+--------+---+\n");
    for (&mv, all) in moves.iter().zip(1..) {
        let after = game.play(position, mv);
        let mut distinct = String::new();
        if !seen.contains(&after) {
            seen.push(after);
            distinct = seen.len().to_string();
        }
        text += &format!("|{distinct:>8}|{all:>3}| play {}\n", game.move_text(mv));
    }
    text + "+--------+---+"
}

/// Returns every position of the game, each with the action that led to it.
pub fn history(dialect: &dyn UsiGame, session: &Session) -> String {
    let mut text = format!("HISTORY\n  0  {:8} {}", "init", dialect.sfen(session.start(), 0));
    let mut positions = session.positions().iter().skip(1);
    let mut plies = 0;
    for (action, word) in session.actions().iter().zip(session.words()) {
        let after = match action {
            Action::Move(_) | Action::Edit => positions.next(),
            Action::Resign | Action::Claim => None,
        };
        plies += 1;
        let sfen = after.map_or(String::new(), |position| dialect.sfen(position, plies));
        text += format!("\n{plies:>3}  {word:8} {sfen}").trim_end();
    }
    text
}

/// Returns the moves that win immediately, as text.
pub fn mate1(session: &Session) -> String {
    let (game, position) = (session.game(), session.position());
    let mut moves = game.legal_moves(position);
    moves.retain(|&mv| {
        game.terminal_value(&game.play(position, mv)).is_some_and(|value| value.outcome() == Outcome::Loss)
    });
    let names: String = moves.iter().map(|&mv| format!(" {}", game.move_text(mv))).collect();
    if names.is_empty() { "mate1 none".into() } else { format!("mate1{names}") }
}

/// Returns the result of the game in words, or an empty text while the game goes on.
pub fn result(session: &Session) -> String {
    let Some(ending) = session.ending() else { return String::new() };
    let why = session.why_over().map_or(String::new(), |why| format!(": {why}"));
    format!("{}{why}", record::result(ending))
}

/// Returns the answer to a `go` that is sent after the end of the game: the line of an error, and a `bestmove` line. If
/// the side to move has won, the `bestmove` is a winning capture, or `win` if there is none. Otherwise it is `resign`.
pub fn go_after_end(dialect: &dyn UsiGame, session: &Session) -> String {
    let winner = session.ending().and_then(Ending::winner);
    let word = match winner == Some(session.side()) {
        true => dialect.winning_capture(session.position()).unwrap_or_else(|| "win".into()),
        false => "resign".into(),
    };
    let over = TextError::new("go", format!("the game is over: {}", result(session)));
    format!("{}\nbestmove {word}", error_line(&over))
}

/// Formats the answer to `go mate`.
pub fn checkmate(game: &AnyGame, answer: &WinAnswer) -> String {
    match answer {
        WinAnswer::Win(line) => format!("checkmate {}", game.moves_text(line)),
        WinAnswer::NoWin => "checkmate nomate".into(),
        WinAnswer::Unknown => "checkmate timeout".into(),
    }
}

/// Returns the answer to a `go mate` that cannot be carried out: the line of an error, and a `checkmate` line, because
/// the host waits for one.
pub fn no_checkmate(error: &TextError) -> String {
    format!("{}\ncheckmate timeout", error_line(error))
}

/// Returns the answer to a `go mate` after a `position` command that was refused.
pub fn mate_after_refusal(refused: &TextError) -> String {
    no_checkmate(&TextError::new("go mate", format!("the last position was refused ({refused}); send another one")))
}

/// Formats a report of a player as lines.
pub fn report(game: &AnyGame, report: &PlayerReport) -> String {
    match report {
        &PlayerReport::Searched { depth, nodes, time, search_time, score, ref line } => {
            let effort = effort_words(SearchEffort { depth, nodes, time, search_time });
            format!("info {effort} score {} pv {}", score_words(score), game.moves_text(line))
        }
        PlayerReport::Line(RankedLine { rank, score, line, origin }) => {
            let (score, line) = (score_words(*score), game.moves_text(line));
            let (before, effort) = match origin {
                LineOrigin::Search(effort) => (String::new(), effort_words(*effort)),
                // The remark is about the move that is chosen, so that a host need not match remarks with lines.
                LineOrigin::Known(source) if *rank == 1 => (source_line(source), "depth 0".into()),
                LineOrigin::Known(_) => (String::new(), "depth 0".into()),
            };
            format!("{before}info {effort} multipv {rank} score {score} pv {line}")
        }
        PlayerReport::Proving { expansions, time, refuted } => {
            let known = proof_words(*refuted);
            format!("info time {} nodes {expansions} string {known}", time.as_millis())
        }
        PlayerReport::Known { score, mv, source } => {
            let before = source_line(source);
            format!("{before}info depth 0 score {} pv {}", score_words(*score), game.move_text(*mv))
        }
        PlayerReport::Remark(remark) => format!("info string {}", visible(remark)),
    }
}

/// Returns the line that names the source of a score, with a line break at its end.
fn source_line(source: &ScoreSource) -> String {
    format!("info string {}\n", source.text(": "))
}

fn effort_words(SearchEffort { depth, nodes, time, search_time }: SearchEffort) -> String {
    let rate = (nodes as f64 / search_time.as_secs_f64().max(1e-3)) as u64;
    format!("depth {depth} nodes {nodes} time {} nps {rate}", time.as_millis())
}

fn score_words(score: Score) -> String {
    match score {
        Score::Won(plies) => format!("mate {}", plies.0),
        Score::Lost(plies) => format!("mate -{}", plies.0),
        Score::Decided(Outcome::Win) => "mate +".into(),
        Score::Decided(Outcome::Loss) => "mate -".into(),
        Score::Drawn | Score::Decided(Outcome::Draw) => "cp 0".into(),
        Score::Points(points) => format!("cp {}", 100 * i32::from(points)),
        Score::Guess(hundredths) => format!("cp {hundredths}"),
    }
}

/// The banner of the computer.
pub const COMP: &str = r"
     ________   ________    ______  ______   ________
    /   ____|  /   __   |  |   __ |/ __   |  |   __  |
    |  /       |  |  |  |  |  |  |  |  |  |  |  |  |  |
    |  |       |  |  |  |  |  |  |  |  |  |  |  |__/  |
    |  |       |  |  |  |  |  |  |  |  |  |  |  _____/
    |  |____   |  |_/   |  |  |  |  |  |  |  |  |
    |_______|  |_______/   |__|  |__|  |__|  |__|";

/// The banner of the person.
pub const YOU: &str = r"
     __     ___   ________    __    __ 
    |  |   /  /  /   __   |  |  |  |  |
    |  |__/  /   |  |  |  |  |  |  |  |
    |__    _/    |  |  |  |  |  |  |  |
       |  |      |  |  |  |  |  |  |  |
       |  |      |  |_/   |  |  |_/   |
       |__|      |_______/   |_______/";

/// The banner of Black.
pub const ONE: &str = r"
       ___
      /   |
     /    |
    |__   |
      |   |
      |   |
      |___|";

/// The banner of White.
pub const ZERO: &str = r"
     ________
    /   __   |
    |  /  |  |
    |  |  |  |
    |  |  |  |
    |  |_/   |
    |_______/";

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// A clock that is wrong by thousands of years shows the first or last time of the calendar.
    #[test]
    fn any_clock_has_a_date() {
        let day = Duration::from_secs(86_400);
        assert_eq!(date(UNIX_EPOCH + 15_000 * day)[..4], *"2011");
        assert_eq!(date(UNIX_EPOCH + 5_000_000 * day)[..4], *"9999");
        assert_eq!(date(UNIX_EPOCH - 5_000_000 * day)[..5], *"-9999");
    }
}
