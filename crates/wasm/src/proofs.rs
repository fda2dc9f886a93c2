//! Keeps the results of proofs and searches from one question to the next. Only the results for the last variant are
//! kept.

use std::cell::RefCell;

use yomikiri_answer::{Answerer, ProofLimits, ProofResults};
use yomikiri_rules::Game;

/// The size in bytes of the transposition table of a prover or a search.
const MEMORY: u64 = 32 << 20;

thread_local! {
    /// The rule code of the last variant, and the results of its proofs and searches.
    static KEPT: RefCell<(String, ProofResults)> = RefCell::default();
}

/// Sets the limits of an answerer's proofs and searches, and gives it the kept results if they are of the same variant.
/// Discards results of another variant.
pub fn restore(answerer: &mut Answerer) {
    answerer.set_proofs(ProofLimits { memory: MEMORY, threads: 0 });
    let (code, results) = KEPT.take();
    if code == answerer.game().code() {
        answerer.set_results(results);
    }
}

/// Keeps the results of an answerer's proofs and searches for the next question.
pub fn keep(answerer: &mut Answerer) {
    KEPT.set((answerer.game().code(), answerer.take_results()));
}
