//! Limits of proofs: memory and threads.

/// The memory and threads that a proof may use.
#[derive(Clone, Copy, Debug)]
pub struct ProofLimits {
    /// The size of the transposition table in bytes.
    pub memory: u64,
    /// The number of threads that work on one position. With 0, the calling thread works alone, as builds without
    /// threads require.
    pub threads: usize,
}

impl Default for ProofLimits {
    /// Returns limits of 64 MiB and one thread.
    fn default() -> ProofLimits {
        ProofLimits { memory: 64 << 20, threads: 1 }
    }
}
