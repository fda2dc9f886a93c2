//! Connect Four without a table. `search` finds exact values of single positions, and `evaluate` is the evaluation for
//! play. Certificates need no code of their own.

mod evaluate;
mod search;

use std::path::Path;

use crate::certificate::{CertificateGame, open_strategy};
use crate::{Evaluate, Search, Searchable, Strategy};
use yomikiri_rules::games::connect_four::ConnectFour;
use yomikiri_table::TableError;
use yomikiri_table::source::ReadAt;

impl Searchable for ConnectFour {
    fn evaluator(&self) -> Box<dyn Evaluate<Self>> {
        Box::new(*self)
    }

    fn searcher(&self, memory: u64) -> Option<Box<dyn Search<Self>>> {
        Some(search::searcher(*self, memory))
    }

    fn strategy(&self, source: Box<dyn ReadAt>, path: &Path) -> Result<Box<dyn Strategy<Self>>, TableError> {
        open_strategy(self, source, path)
    }
}

impl CertificateGame for ConnectFour {}
