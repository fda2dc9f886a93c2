//! Fuzz targets for everything that the program reads. A target takes any bytes, and panics if it finds an error.
//!
//! No input may cause a panic, take long or take much memory. Accepted input is written and reads back the same. No
//! answer contradicts the rules. Targets correct checksums (`checksums`), so that changed inputs are not refused for
//! them alone. `tests/corpus.rs` runs the targets on the kept inputs and on changes of them. `src/bin/guided.rs` is a
//! fuzzer; docs/fuzzing.md tells how to run it.

mod checksums;
#[path = "../../tests/support/table.rs"]
mod table;
mod targets;

use targets::{
    answers, boards, certificates, checkpoints, codes, journals, parts, positions, records, searches, sessions,
    surveys, tables,
};

/// A fuzz target.
#[derive(Clone, Copy)]
pub struct Target {
    /// The name, which is also the name of its folder of inputs.
    pub name: &'static str,
    pub run: fn(&[u8]),
    /// Makes inputs from sound files, as the program writes them today. Returns none for a target whose kept texts are
    /// enough.
    pub sound: fn() -> Vec<Vec<u8>>,
}

/// All targets.
pub const TARGETS: [Target; 13] = [
    Target { name: "codes", run: codes::run, sound: Vec::new },
    Target { name: "positions", run: positions::run, sound: Vec::new },
    Target { name: "boards", run: boards::run, sound: Vec::new },
    Target { name: "records", run: records::run, sound: Vec::new },
    Target { name: "sessions", run: sessions::run, sound: Vec::new },
    Target { name: "checkpoints", run: checkpoints::run, sound: checkpoints::sound },
    Target { name: "searches", run: searches::run, sound: searches::sound },
    Target { name: "journals", run: journals::run, sound: journals::sound },
    Target { name: "certificates", run: certificates::run, sound: certificates::sound },
    Target { name: "tables", run: tables::run, sound: tables::sound },
    Target { name: "answers", run: answers::run, sound: answers::sound },
    Target { name: "surveys", run: surveys::run, sound: surveys::sound },
    Target { name: "parts", run: parts::run, sound: parts::sound },
];
