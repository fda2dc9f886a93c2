//! Formats the answers to UPI commands as lines.

use crate::player::proof_words;
use crate::repl::error_line;
use crate::{Ending, LineOrigin, PlayerReport, RankedLine, Score, SearchEffort, Session};
use yomikiri_rules::games::pyonpyon::text::letter;
use yomikiri_rules::{AnyGame, AnyMove, Game, Notation, Presentation, TextError, visible};

/// Commands that take no arguments.
pub const COMMANDS: &[&str] =
    &["pos", "xfen", "undo", "resign", "draw", "upinewgame", "upi", "isready", "help", "stop", "ponderhit"];

/// The output of `help`.
pub const HELP: &str = "\
position startpos [moves <move> ...]
position pfen|xfen <board> <turn> [moves <move> ...]
go [movetime <ms>] [depth <plies>] [infinite] [ponder] [searchmoves <move> ...]
                                                answer with bestmove <move>
stop                                            answer now
ponderhit                                       the opponent has made the expected move
pos                                             show the board
xfen                                            show the game as a position command
do <move>                                       make a move, as d5c5
undo                                            take the last move back
resign                                          give up
draw                                            claim a draw by the third occurrence of a position
setoption name Hash|MultiPV|MoveTime|Resign|Table value <value>
upi, isready, upinewgame                        for programs
help, quit";

/// Returns the result line of the game, or an empty text while the game goes on.
pub fn result(session: &Session) -> String {
    let Some(ending) = session.ending() else { return String::new() };
    format!("info string result: {} ({})", verdict(ending), reason(ending))
}

/// Returns the winner or the draw in words.
fn verdict(ending: Ending) -> String {
    ending.winner().map_or("draw".into(), |winner| format!("{} wins", letter(winner)))
}

fn reason(ending: Ending) -> &'static str {
    match ending {
        Ending::Board { .. } => "goal",
        Ending::Resignation { .. } => "resign",
        Ending::Repetition => "repetition",
    }
}

/// Returns the answer to a `go` that is sent after the end of the game: the line of an error, and a `bestmove` line
/// with `draw`, `none` (the side to move has won) or `resign`.
pub fn go_after_end(session: &Session, ending: Ending) -> String {
    let word = match ending.winner() {
        None => "draw",
        Some(winner) if winner == session.side() => "none",
        Some(_) => "resign",
    };
    let over = TextError::new("go", format!("the game is over: {} ({})", verdict(ending), reason(ending)));
    format!("{}\nbestmove {word}", error_line(&over))
}

/// Returns a line about the state of the game, then the board.
pub fn diagram(session: &Session) -> String {
    let turn = match session.ending() {
        Some(ending) => verdict(ending),
        None => format!("Go! {}", letter(session.side())),
    };
    let repeats = session.occurrences(session.position()) - 1;
    let board = session.game().board_text(session.position());
    format!("[{} move(s) | {turn} | {repeats} repeat(s)]\n\n{board}", session.moves_made())
}

/// Returns the `position` command that leads to the current state of the game. `named` is the notation of its first
/// position, `pfen` or `xfen`.
pub fn position_command(session: &Session, named: &str) -> String {
    let game = session.game();
    let start = match *session.start() == game.start() {
        true => "startpos".into(),
        false => format!("{named} {}", game.position_text(session.start())),
    };
    let words: String = session.words().iter().map(|word| format!(" {word}")).collect();
    format!("position {start} moves{words}")
}

/// Returns the answer to `upi`.
pub fn hello(code: &str, options: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!("id name Yomikiri {version} {code}\nid author The Yomikiri authors\n{options}\nupiok")
}

/// Formats a report of a player as a line.
pub fn report(game: &AnyGame, report: &PlayerReport) -> String {
    let name = |&mv: &AnyMove| game.move_text(mv);
    match report {
        PlayerReport::Searched { depth, nodes, time, score, line, .. } => {
            let (milliseconds, score) = (time.as_millis(), score_words(*score));
            let line: Vec<_> = line.iter().map(name).collect();
            format!("info depth {depth} nodes {nodes} time {milliseconds} score {score} pv {}", line.join(" "))
        }
        PlayerReport::Known { score, mv, source } => {
            format!("info score {} pv {} string {}", score_words(*score), name(mv), source.text(", "))
        }
        PlayerReport::Line(RankedLine { rank, score, line, origin }) => {
            let (score, line) = (score_words(*score), game.moves_text(line));
            match origin {
                LineOrigin::Search(SearchEffort { depth, nodes, time, .. }) => {
                    let effort = format!("depth {depth} nodes {nodes} time {}", time.as_millis());
                    format!("info {effort} multipv {rank} score {score} pv {line}")
                }
                LineOrigin::Known(source) => {
                    format!("info multipv {rank} score {score} pv {line} string {}", source.text(", "))
                }
            }
        }
        PlayerReport::Proving { expansions, time, refuted } => {
            format!("info nodes {expansions} time {} string {}", time.as_millis(), proof_words(*refuted))
        }
        PlayerReport::Remark(remark) => format!("info string {}", visible(remark)),
    }
}

fn score_words(score: Score) -> String {
    match score {
        Score::Won(plies) => format!("win {}", plies.0),
        Score::Lost(plies) => format!("loss {}", plies.0),
        Score::Drawn => "draw".into(),
        Score::Decided(outcome) => outcome.to_string(),
        Score::Points(points) => format!("points {points}"),
        Score::Guess(hundredths) => format!("cp {hundredths}"),
    }
}
