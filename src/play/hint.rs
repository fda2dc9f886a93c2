//! What the moves are worth, where a table or a quick look at everything below knows it.

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use yomikiri_answer::{Answerer, RankedMove, Source as Known};
use yomikiri_play::Session;
use yomikiri_rules::{Measure, Outcome, Value};
use yomikiri_solve::{Result, Solvable, SolveError};
use yomikiri_table::{Location, Silent, threads};

use super::machines::Source;

/// Memory for all positions below one: as many as are solved in a second or so.
const MEMORY: u64 = 4 << 20;

/// How often somebody who waits looks up.
const LOOK: Duration = Duration::from_millis(20);

/// A move with what it comes to for the side that makes it.
pub struct Valued {
    pub mv: String,
    pub outcome: Outcome,
    pub measure: Measure,
    /// Whether it draws because the position has come twice before, whatever it is worth otherwise.
    pub repeats: bool,
}

/// What knows the moves of a position, and the moves, the best first; none if nothing does that takes little time.
type KnownMoves<G> = Option<(Source, Vec<RankedMove<G>>)>;

/// The values of all moves, the best first, and what knows them; none if nothing does that takes little time, or once
/// nobody is `patient` any more.
pub fn values<G: Solvable>(
    session: &Session<G>,
    location: &Location,
    mut patient: impl FnMut() -> bool,
) -> Result<Option<(Source, Vec<Valued>)>> {
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
    let mut moves: Vec<Valued> = moves.iter().map(|mv| valued(session, mv)).collect();
    // Moves of the same outcome are in their order already.
    moves.sort_by_key(|mv| std::cmp::Reverse(mv.outcome));
    Ok(Some((source, moves)))
}

/// Looks in a thread of its own, which goes on to its end even if nobody waits for it.
fn begin<G: Solvable>(session: &Session<G>, location: &Location) -> Result<Receiver<Result<KnownMoves<G>>>> {
    let (sender, receiver) = channel();
    let (game, position, location) = (session.game().clone(), *session.position(), location.clone());
    let look = move || {
        // Nobody may want to know any more.
        let _ = sender.send(known(&game, &position, &location));
    };
    threads::start_deep("hint", look)?;
    Ok(receiver)
}

fn known<G: Solvable>(game: &G, position: &G::Position, location: &Location) -> Result<KnownMoves<G>> {
    let oracle = match Answerer::new(game, location).exact(position, MEMORY, &Silent) {
        Ok(oracle) => oracle,
        Err(SolveError::TooLarge(_)) => return Ok(None),
        Err(error) => return Err(error),
    };
    if !oracle.is_quick(position) {
        return Ok(None);
    }
    let source = if oracle.source() == Known::Table { Source::Table } else { Source::Exact };
    Ok(Some((source, oracle.answer(position)?.moves)))
}

fn valued<G: Solvable>(session: &Session<G>, mv: &RankedMove<G>) -> Valued {
    let repeats = session.draws_by_repetition(&mv.position);
    let outcome = if repeats { Outcome::Draw } else { mv.value.outcome() };
    Valued { mv: session.game().move_text(mv.mv), outcome, measure: mv.value.measure(), repeats }
}
