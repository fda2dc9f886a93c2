//! Connect Four beside its kernel: `search` (values of single positions), `evaluate` (for play), and certificates of
//! who wins.

mod evaluate;
mod search;

use crate::Search;
use crate::adapter::Adapter;
use crate::certificate::CertificateGame;
use yomikiri_rules::games::connect_four::ConnectFour;

impl Adapter for ConnectFour {
    fn searcher(&self, memory: u64) -> Option<Box<dyn Search<Self>>> {
        Some(search::searcher(*self, memory))
    }
}

impl CertificateGame for ConnectFour {}
