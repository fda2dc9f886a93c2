//! The searches, provers and evaluators of the games, a folder for each game.

/// Implements [`Searchable`](crate::Searchable) and [`CertificateGame`](crate::certificate::CertificateGame) for a game
/// that implements [`Evaluate`](crate::Evaluate), has a function `search::searcher`, and needs no code of its own for
/// certificates.
macro_rules! searched {
    ($Game:ident) => {
        impl $crate::Searchable for $Game {
            fn evaluator(&self) -> Box<dyn $crate::Evaluate<Self>> {
                Box::new(*self)
            }

            fn searcher(&self, memory: u64) -> Option<Box<dyn $crate::Search<Self>>> {
                Some(search::searcher(*self, memory))
            }

            #[cfg(feature = "write")]
            fn proof(
                &self,
                position: &Self::Position,
                options: &$crate::position_proof::ProofOptions,
            ) -> Result<Option<Box<dyn $crate::position_proof::PositionProof>>, yomikiri_rules::TextError> {
                $crate::position_proof::plain_proof(self, position, options)
            }

            fn strategy(
                &self,
                source: Box<dyn yomikiri_table::source::ReadAt>,
                path: &std::path::Path,
            ) -> Result<Box<dyn $crate::Strategy<Self>>, yomikiri_table::TableError> {
                $crate::certificate::open_strategy(self, source, path)
            }
        }

        impl $crate::certificate::CertificateGame for $Game {}
    };
}

mod animal_shogi;
pub mod binarsi;
mod connect_four;
mod pyonpyon;
mod pyonpyon_shogi;
pub mod reversi;
