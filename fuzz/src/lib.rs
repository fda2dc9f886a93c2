//! What the program reads, as a fuzzer writes it: a target takes any bytes and fails by a panic.
//!
//! Whatever comes in, nothing may panic, take long or take much memory; what is accepted is read back as the same; and
//! no answer differs from the rules. Targets put checksums right (`checksums`), so that what is behind them is met.
//! `tests/corpus.rs` gives targets the kept inputs and changes of them, `src/bin/guided.rs` is a fuzzer;
//! docs/fuzzing.md tells how to run it.

mod checksums;
#[path = "../../tests/naive/mod.rs"]
mod naive;
#[path = "../../tests/support/table.rs"]
mod table;
mod targets;

use targets::{
    answers, boards, certificates, checkpoints, codes, journals, parts, positions, records, searches, sessions,
    surveys, tables,
};

/// What takes bytes as its input.
#[derive(Clone, Copy)]
pub struct Target {
    /// The name of its folder of inputs, too.
    pub name: &'static str,
    pub run: fn(&[u8]),
    /// Inputs made of sound files as the program writes them today; none where kept texts are all that is needed.
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
