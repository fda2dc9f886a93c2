//! Yomikiri as a WebAssembly module for web pages and Node: no threads, no files, no clock, and no imports.
//!
//! This is a module for pages, not a crate for Rust programs. The JSON of questions and answers and the exported
//! functions are stable (docs/design.md). tests/wasm runs it in Node and serves as an example.
//!
//! `files` holds tables and certificates; the caller hands in their bytes, whole or in ranges. `question` defines the
//! questions. `answer` answers them, and leaves questions about values to `values`. `failure` has the reasons why a
//! question has no answer. `games` keeps variants, and `proofs` keeps the results of proofs. `exports` holds the
//! functions of the module. `types` checks `web/src/api/types.ts` against the types here.
//!
//! Questions and answers are JSON. If bytes of a file are missing, the answer is
//! `{"wanted":[{"file":0,"start":0,"end":128}]}`. The caller then hands in these bytes and asks again.

mod answer;
// The exported names, such as `open`, clash with system functions that test programs need.
#[cfg(not(test))]
mod exports;
mod failure;
mod files;
mod games;
#[cfg(feature = "values")]
mod proofs;
mod question;
#[cfg(test)]
mod types;
#[cfg(feature = "values")]
mod values;
