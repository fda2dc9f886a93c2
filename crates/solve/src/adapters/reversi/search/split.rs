//! Work on one position shared between threads.

use std::sync::atomic::{AtomicBool, Ordering};

/// A position whose moves several threads search; a chain up to the root.
pub struct Split<'a> {
    above: Option<&'a Split<'a>>,
    /// A move was good enough: the others are not wanted any more.
    decided: AtomicBool,
}

impl<'a> Split<'a> {
    pub fn root() -> Split<'static> {
        Split { above: None, decided: AtomicBool::new(false) }
    }

    pub fn below(above: &'a Split<'a>) -> Split<'a> {
        Split { above: Some(above), decided: AtomicBool::new(false) }
    }

    pub fn decide(&self) {
        self.decided.store(true, Ordering::Relaxed);
    }

    /// Whether the result of a search is of no use any more.
    pub fn is_decided(&self) -> bool {
        self.decided.load(Ordering::Relaxed) || self.above.is_some_and(Split::is_decided)
    }
}
