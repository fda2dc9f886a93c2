//! English.

use yomikiri_play::{Ending, Score};
use yomikiri_rules::value::{Measure, Outcome, Plies, Side};

use super::{Phrases, guess, visible, winner};
use crate::play::commands::Mistake;
use crate::play::hint::Valued;
use crate::play::seats::{Seats, Who};
use crate::play::talk::Verdict;
use crate::play::thinking::Source;

pub struct English;

impl Phrases for English {
    fn opening(&self, code: &str, [black, white]: [&str; 2], seats: Seats) -> String {
        let (first, second) = (seats.black.word(), seats.white.word());
        format!("{code}: Black ({black}) {first}, White ({white}) {second}.")
    }

    fn how_to_begin(&self, example: &str) -> String {
        format!("Type a move, as {example}, or a command.")
    }

    fn help(&self, example: &str) -> String {
        format!(
            "\
{example:15} make a move (or: do {example})
moves           the legal moves
hint            what every move is worth, or which is best
undo, redo      back to your last turn, and forward again
board           the board once more
position        the position as a text, for new, query and --start
go              the computer moves for you
black WHO       human, computer, random or greedy plays Black; white WHO
resign          give up
draw            claim the draw after the third repetition
save FILE       write the game to a new file; save! FILE replaces an old one
load FILE       go on with a game from a file
new [POSITION]  begin again
quit            leave; so do Ctrl-C and Ctrl-D
While the computer thinks, stop or Ctrl-C makes it move at once."
        )
    }

    fn prompt(&self, side: Side, mark: &str) -> String {
        format!("{side} ({mark}) to move, help lists the commands>")
    }

    fn prompt_at_end(&self) -> &'static str {
        "The game is over (undo, new, save, quit)>"
    }

    fn thinks(&self, side: Side) -> String {
        format!("{side} thinks ...")
    }

    fn plays(&self, side: Side, mv: &str) -> String {
        format!("{side} plays {mv}.")
    }

    fn plays_knowing(&self, side: Side, mv: &str, opinion: &str) -> String {
        format!("{side} plays {mv} ({opinion}).")
    }

    fn passes(&self, side: Side) -> String {
        format!("{side} has no move and passes.")
    }

    fn edited(&self, edit: &str) -> String {
        format!("The board is changed: {edit}.")
    }

    fn last_move(&self, side: Side, mv: &str) -> String {
        format!("Last move: {side} {mv}.")
    }

    fn opinion(&self, side: Side, source: Source, score: Score) -> String {
        let source = match source {
            Source::Random => return "at random".into(),
            Source::Greedy => return "greedily".into(),
            Source::Table => "by the table".into(),
            Source::Certificate => "by the certificate".into(),
            Source::Exact => "read out to the end".into(),
            Source::Search(depth) => format!("search, depth {depth}"),
        };
        format!("{source}: {}", prospect(side, score))
    }

    fn worth(&self, mv: &Valued) -> String {
        let verb = match mv.outcome {
            Outcome::Win => "wins",
            Outcome::Draw if mv.repeats => return "draws by repetition".into(),
            Outcome::Draw => return "draws".into(),
            Outcome::Loss => "loses",
        };
        match mv.measure {
            Measure::Distance { plies } => plies.map_or(verb.into(), |plies| format!("{verb} in {plies}")),
            Measure::Score { score } => format!("{verb} by {}", score.unsigned_abs()),
        }
    }

    fn values(&self, source: Source) -> String {
        let source = if source == Source::Table { "By the table" } else { "Read out to the end" };
        format!("{source}, the best first:")
    }

    fn best(&self, mv: &str, opinion: &str) -> String {
        format!("Not read out. Best seems {mv} ({opinion}).")
    }

    fn legal_moves(&self, count: usize) -> String {
        match count {
            1 => "1 legal move:".into(),
            _ => format!("{count} legal moves:"),
        }
    }

    fn result(&self, verdict: &Verdict) -> String {
        let how = match (verdict.ending.winner(), verdict.margin) {
            (Some(winner), Some(margin)) => format!("{winner} wins by {margin}"),
            (Some(winner), None) => format!("{winner} wins"),
            (None, _) => "it is a draw".into(),
        };
        let why = match (verdict.ending, verdict.reason) {
            (Ending::Resignation { winner }, _) => format!(": {} resigns", winner.other()),
            (Ending::Repetition, _) => ": this position is on the board for the third time".into(),
            (Ending::Board { .. }, Some(reason)) => format!(": {reason}"),
            (Ending::Board { .. }, None) => String::new(),
        };
        let points = verdict.points.as_ref();
        let points = points.map_or(String::new(), |[black, white]| format!(" (Black {black}, White {white})"));
        format!("Game over, {how}{why}{points}.")
    }

    fn seated(&self, side: Side, who: Who) -> String {
        format!("{side} is now {}.", who.word())
    }

    fn undone(&self, actions: usize) -> String {
        format!("Taken back: {}.", Plies(actions as u16))
    }

    fn redone(&self, actions: usize) -> String {
        format!("Made again: {}.", Plies(actions as u16))
    }

    fn nothing_to_undo(&self) -> &'static str {
        "There is no move of yours to take back."
    }

    fn nothing_to_redo(&self) -> &'static str {
        "Nothing has been taken back."
    }

    fn nobody_thinks(&self) -> &'static str {
        "The computer is not thinking."
    }

    fn game_over(&self) -> &'static str {
        "The game is over; undo takes back, new begins again."
    }

    fn saved(&self, file: &str) -> String {
        format!("Saved to {file}.")
    }

    fn file_exists(&self, file: &str) -> String {
        format!("{file} is there already; save! {file} replaces it.")
    }

    fn which_file(&self) -> &'static str {
        "Write the name of a file after save."
    }

    fn loaded(&self, file: &str, moves: usize) -> String {
        format!("{file}: a game of {}.", Plies(moves as u16))
    }

    fn begun(&self) -> &'static str {
        "A new game."
    }

    fn not_saved(&self) -> &'static str {
        "The game was not saved."
    }

    fn remark(&self, remark: &str) -> String {
        format!("({remark})")
    }

    fn wrong(&self, problem: &str) -> String {
        format!("{problem}; help lists the commands")
    }

    fn mistake(&self, mistake: Mistake) -> String {
        match mistake {
            Mistake::Alone(word) => format!("{} stands alone, with nothing after it.", visible(word)),
            Mistake::NoPlayer(word) => format!("Write human, computer, random or greedy after {}.", visible(word)),
            Mistake::NoFile(word) => format!("Write the name of a file after {}.", visible(word)),
            Mistake::NoMove(word) => format!("Write a move after {}.", visible(word)),
            Mistake::Unknown(line) => {
                format!("\"{}\" is neither a move nor a command; help lists the commands", visible(line))
            }
        }
    }
}

/// "White wins in 5 plies", "+1.20 for White".
fn prospect(side: Side, score: Score) -> String {
    let Some(winner) = winner(side, score) else {
        return match score {
            Score::Guess(0) => "even".into(),
            Score::Guess(hundredths) => format!("{} for {side}", guess(hundredths)),
            _ => "it is a draw".into(),
        };
    };
    match score {
        Score::Points(points) => format!("{winner} wins by {}", points.unsigned_abs()),
        _ => score.plies().map_or(format!("{winner} wins"), |plies| format!("{winner} wins in {plies}")),
    }
}
