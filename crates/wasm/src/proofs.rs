//! Keeps the results of proofs from one question to the next. Only the results for the last variant are kept.

use std::cell::RefCell;

use yomikiri_answer::{Answerer, ProofLimits};
use yomikiri_rules::{AnyGame, Game};
use yomikiri_search::Decide;

/// The size in bytes of a prover's transposition table.
const MEMORY: u64 = 32 << 20;

/// The prover of one variant.
struct VariantProver {
    code: String,
    decider: Box<dyn Decide<AnyGame>>,
}

thread_local! {
    static KEPT: RefCell<Option<VariantProver>> = RefCell::default();
}

/// Gives an answerer the prover that was kept, if this prover is for the same variant. Otherwise the answerer makes a
/// new prover when it needs one.
pub fn restore(answerer: &mut Answerer) {
    answerer.set_proofs(ProofLimits { memory: MEMORY, threads: 0 });
    let kept = KEPT.take().filter(|kept| kept.code == answerer.game().code());
    if let Some(kept) = kept {
        answerer.set_decider(kept.decider);
    }
}

/// Keeps the prover of an answerer, if it has one.
pub fn keep(answerer: &mut Answerer) {
    if let Some(decider) = answerer.take_decider() {
        KEPT.set(Some(VariantProver { code: answerer.game().code(), decider }));
    }
}
