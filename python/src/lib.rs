//! Yomikiri as a Python module: thin over the crates, which know nothing of it.
//!
//! `erased` makes one type of the positions of all games; `game` and `value` are the rules. `held` is a table with its
//! game, `table` what Python sees of it, `answer` a position's value with its moves, `keys` and `bytes` arrays from and
//! to NumPy, `batches` Arrow. `certificate` is who wins by a certificate. `work` does long work while Python is served:
//! `analyze`, `prove`, `engine`, `cluster`. `threads` are the threads that work, `users` keeps a forked process from what
//! another thread was using, `folder` is where tables lie, `arguments` what several functions take, `errors` the
//! exceptions.

mod analyze;
mod answer;
mod arguments;
mod batches;
mod bytes;
mod certificate;
mod cluster;
mod engine;
mod erased;
mod errors;
mod folder;
mod game;
mod held;
mod keys;
mod prove;
mod table;
mod threads;
mod users;
mod value;
mod work;

use pyo3::prelude::*;

#[pymodule]
mod _yomikiri {
    use pyo3::prelude::{Bound, PyModule, PyResult};

    #[pymodule_export]
    use crate::analyze::analyze;
    #[pymodule_export]
    use crate::answer::{Answer, Move};
    #[pymodule_export]
    use crate::batches::{Batch, BatchIterator, Batches};
    #[pymodule_export]
    use crate::certificate::{Certificate, Checked};
    #[pymodule_export]
    use crate::cluster::{Run, Storage};
    #[pymodule_export]
    use crate::engine::{Choice, best_move};
    #[pymodule_export]
    use crate::game::{Game, Position};
    #[pymodule_export]
    #[pymodule_export]
    use crate::prove::{Proof, prove};
    #[pymodule_export]
    use crate::table::Table;
    #[pymodule_export]
    use crate::value::Value;
    #[pymodule_export]
    use crate::work::Step;

    /// What stands for an outcome or a score that is not known.
    #[pymodule_export]
    const UNKNOWN: i8 = crate::bytes::UNKNOWN;

    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // Compiles the patterns of all codes while nobody can fork: a child would wait for the thread that does it.
        let _ = yomikiri_rules::AnyGame::parse("bin2x2");
        crate::threads::watch_forks(module)
    }
}
