//! Connect Four without a table. `search` finds exact values of single positions, and `evaluate` is the evaluation for
//! play. Certificates use the code that all games share.

mod evaluate;
mod search;

use std::path::Path;

use crate::certificate::{CertificateGame, open_strategy};
#[cfg(feature = "write")]
use crate::position_proof::{PositionProof, ProofOptions, plain_proof};
use crate::{Evaluate, Search, Searchable, Strategy};
#[cfg(feature = "write")]
use yomikiri_rules::TextError;
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

    #[cfg(feature = "write")]
    fn proof(
        &self,
        position: &Self::Position,
        options: &ProofOptions,
    ) -> Result<Option<Box<dyn PositionProof>>, TextError> {
        plain_proof(self, position, options)
    }

    fn strategy(&self, source: Box<dyn ReadAt>, path: &Path) -> Result<Box<dyn Strategy<Self>>, TableError> {
        open_strategy(self, source, path)
    }
}

impl CertificateGame for ConnectFour {}
