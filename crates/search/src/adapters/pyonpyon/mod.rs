//! The pyonpyon game without a table: `evaluate` is the evaluation for play.

pub mod evaluate;

use crate::{Evaluate, Searchable};
use yomikiri_rules::games::pyonpyon::Pyonpyon;

impl Searchable for Pyonpyon {
    fn evaluator(&self) -> Box<dyn Evaluate<Self>> {
        Box::new(self.clone())
    }
}
