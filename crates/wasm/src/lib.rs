//! Yomikiri in a page or in Node: no threads, files or clock, and no imports.
//!
//! A module for pages, not a crate for Rust programs: what is stable are the JSON of questions and answers and the
//! functions of the module (docs/design.md). Its example is what runs in Node: tests/wasm.
//!
//! `files` are tables and certificates as bytes that whoever calls hands in, range by range if they like, `question` is
//! what can be asked, `answer` what comes back about which of the `games`, `exports` the functions of the module.
//! `types` holds the types that pages have of all this, `web/src/api/types.ts`, to those here.
//!
//! A question is JSON; so is the answer. Where bytes of a file are missing the answer is
//! `{"wanted":[{"file":0,"start":0,"end":128}]}`: give them, ask again.

mod answer;
// Its names are those of the system's own functions, which test programs need.
#[cfg(not(test))]
mod exports;
mod failure;
mod files;
mod games;
mod question;
#[cfg(test)]
mod types;
#[cfg(feature = "values")]
mod values;
