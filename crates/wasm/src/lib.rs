//! Yomikiri in a page or in Node: no threads, files or clock, and no imports.
//!
//! A module for pages, not a crate for Rust programs: what is stable are the JSON of questions and answers and the
//! functions of the module (docs/design.md). Its example is what runs in Node: tests/wasm.
//!
//! `files` are tables and certificates as bytes that whoever calls hands in, range by range if they like, `answer` is
//! what can be asked and what comes back, `exports` the functions of the module.
//!
//! A question is JSON; so is the answer. Where bytes of a file are missing the answer is
//! `{"wanted":[{"file":0,"start":0,"end":128}]}`: give them, ask again.

mod answer;
mod exports;
mod files;
