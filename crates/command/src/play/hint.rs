//! Finds the values of the legal moves if they can be found quickly: in a table, by solving all positions that can
//! follow, or by an exact search.

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use yomikiri_answer::{Answerer, RankedMove, Source as Known};
use yomikiri_play::Session;
use yomikiri_rules::{AnyGame, AnyPosition, Measure, Notation, Outcome, Value};
use yomikiri_solve::{Result, SolveError};
use yomikiri_table::{Location, Silent, threads};

use super::machines::OpinionSource;

/// The memory in bytes for finding values without a table. Positions that fill this memory are solved in about a
/// second.
const MEMORY: u64 = 4 << 20;

/// The time between two checks for input while a hint is computed.
const LOOK: Duration = Duration::from_millis(20);

/// A move with its value for the side that makes it.
pub struct MoveValue {
    pub mv: String,
    pub outcome: Outcome,
    pub measure: Measure,
    /// True if a position occurs for the third time after the move. The game is then drawn, whatever the value of the
    /// position is.
    pub repeats: bool,
}

/// The source of the values of the legal moves, and these moves with the best move first. `None` if the values cannot
/// be found quickly.
type KnownMoves = Option<(OpinionSource, Vec<RankedMove>)>;

/// Returns the source of the values, and the values of all legal moves, the best move first. Calls `patient` repeatedly
/// while it waits. Returns `None` if the values cannot be found quickly, or if `patient` returns false.
pub fn values(
    session: &Session,
    location: &Location,
    mut patient: impl FnMut() -> bool,
) -> Result<Option<(OpinionSource, Vec<MoveValue>)>> {
    let receiver = begin(session, location)?;
    let known = loop {
        match receiver.recv_timeout(LOOK) {
            Ok(known) => break known?,
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
            Err(RecvTimeoutError::Timeout) if patient() => {}
            Err(RecvTimeoutError::Timeout) => return Ok(None),
        }
    };
    let Some((source, moves)) = known else { return Ok(None) };
    let mut moves: Vec<MoveValue> = moves.iter().map(|mv| valued(session, mv)).collect();
    // A repetition may have turned a win or a loss into a draw. The sort is stable, so the other moves of the same
    // outcome stay in order.
    moves.sort_by_key(|mv| std::cmp::Reverse(mv.outcome));
    Ok(Some((source, moves)))
}

/// Starts a thread that finds the values of the legal moves. The thread runs to its end even if the receiver is
/// dropped.
fn begin(session: &Session, location: &Location) -> Result<Receiver<Result<KnownMoves>>> {
    let (sender, receiver) = channel();
    let (game, position, location) = (session.game().clone(), *session.position(), location.clone());
    let look = move || {
        // The receiver may have been dropped.
        let _ = sender.send(known(&game, &position, &location));
    };
    threads::start_deep("hint", look)?;
    Ok(receiver)
}

fn known(game: &AnyGame, position: &AnyPosition, location: &Location) -> Result<KnownMoves> {
    let oracle = match Answerer::new(game, location).exact(position, MEMORY, &Silent) {
        Ok(oracle) => oracle,
        Err(SolveError::TooLarge(_)) => return Ok(None),
        Err(error) => return Err(error),
    };
    if !oracle.is_quick(position) {
        return Ok(None);
    }
    let source = if oracle.source() == Known::Table { OpinionSource::Table } else { OpinionSource::Exact };
    Ok(Some((source, oracle.answer(position)?.moves)))
}

fn valued(session: &Session, mv: &RankedMove) -> MoveValue {
    let repeats = session.draws_by_repetition(&mv.position);
    let outcome = if repeats { Outcome::Draw } else { mv.value.outcome() };
    MoveValue { mv: session.game().move_text(mv.mv), outcome, measure: mv.value.measure(), repeats }
}
