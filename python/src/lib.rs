//! Yomikiri as a Python module: a thin layer over the crates, which do not depend on this module.
//!
//! `game` and `value` are the rules. `open_table` is a table with its game, `table` the Python class of tables, and
//! `answer` the value of a position with its moves. `keys` and `bytes` convert arrays from and to NumPy, `batches`
//! gives Arrow record batches. `certificate` asks certificates for the winner of positions. `work` runs long work while
//! Python stays responsive, for `analyze`, `prove`, `engine` and `cluster`.
//!
//! `threads` has the thread pools. `users` protects a forked process from objects that another thread was using.
//! `folder` finds the tables, `arguments` has types of arguments, `errors` makes exceptions, and `allocator` ends a
//! process that gets no memory.

mod allocator;
mod analyze;
mod answer;
mod arguments;
mod batches;
mod bytes;
mod certificate;
mod cluster;
mod engine;
mod errors;
mod folder;
mod game;
mod keys;
mod open_table;
mod prove;
mod query;
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
    use crate::folder::places_of;
    #[pymodule_export]
    use crate::game::{Game, Position};
    #[pymodule_export]
    use crate::prove::{Proof, prove};
    #[pymodule_export]
    use crate::query::{JudgedMove, Verdict, query};
    #[pymodule_export]
    use crate::table::Table;
    #[pymodule_export]
    use crate::value::Value;
    #[pymodule_export]
    use crate::work::Step;

    /// The number for an unknown outcome or score.
    #[pymodule_export]
    const UNKNOWN: i8 = crate::bytes::UNKNOWN;

    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        yomikiri_table::refused_memory::set_end(crate::allocator::end_without_memory);
        yomikiri_remote::support_addresses();
        // Compiles the patterns of all rule codes now. If the process forked while another thread compiled them, the
        // child would wait for that thread for ever.
        let _ = yomikiri_rules::AnyGame::parse("bin2x2");
        crate::threads::watch_forks(module)
    }
}
