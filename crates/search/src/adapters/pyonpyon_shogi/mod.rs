//! The pyonpyon game with shogi pieces without a table: `evaluate` is the evaluation for play.

mod evaluate;

use crate::{Evaluate, Searchable};
use yomikiri_rules::games::pyonpyon_shogi::PyonpyonShogi;

impl Searchable for PyonpyonShogi {
    fn evaluator(&self) -> Box<dyn Evaluate<Self>> {
        Box::new(self.clone())
    }
}
