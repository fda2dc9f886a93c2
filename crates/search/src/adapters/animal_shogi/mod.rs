//! Animal shogi without a table: `evaluate` is the evaluation for play.

mod evaluate;

use crate::{Evaluate, Searchable};
use yomikiri_rules::games::animal_shogi::AnimalShogi;

impl Searchable for AnimalShogi {
    fn evaluator(&self) -> Box<dyn Evaluate<Self>> {
        Box::new(self.clone())
    }
}
