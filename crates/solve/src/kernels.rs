//! Which kernel solves which game: [`Solvable`] for every game of the registry, by the kernel that its line names.
//!
//! | kernel | a game brings | whole game | subgames |
//! |---|---|---|---|
//! | `levels` | nothing | levels of sorted keys | levels |
//! | `adapted_levels` | [`Adapter`] | levels of sorted keys | levels |
//! | `tiers` | [`Adapter`], [`tiers::Tiered`] | dense tiers | levels |
//! | `occupancy` | it is reversi | occupancies where they fit, else levels | levels |
//! | `retrograde` | [`Adapter`], [`retrograde::Cyclic`] | what can arise: dense keys, sorted ones if few | sorted keys |
//! | `retrograde_of_all` | [`Adapter`], [`retrograde::Complete`] | all positions, dense keys | sorted keys |

use std::path::Path;

use crate::adapter::Adapter;
use crate::adapters::reversi;
use crate::estimate::Estimate;
use crate::{
    Costs, Search, Solvable, SolveError, SolveOptions, Solved, Strategy, audit, levels, retrograde, subgame, tiers,
};
use yomikiri_rules::game::Game;
use yomikiri_rules::value::Side;
use yomikiri_table::entries::EntryReader;
use yomikiri_table::progress::Progress;
use yomikiri_table::source::ReadSeek;
use yomikiri_table::{IndexKind, Table, TableError, probe};

/// An error where positions have no keys.
fn needs_keys<G: Adapter>(game: &G) -> Result<(), SolveError> {
    if game.has_keys() { Ok(()) } else { Err(SolveError::TooLarge(game.why_no_tables())) }
}

/// The items of [`Solvable`] that several kernels share.
macro_rules! shared {
    (adapter) => {
        const COSTS: Costs = <Self as Adapter>::COSTS;

        fn side_at(&self, ply: u32) -> Option<Side> {
            Adapter::side_at(self, ply)
        }

        fn searcher(&self, memory: u64) -> Option<Box<dyn Search<Self>>> {
            Adapter::searcher(self, memory)
        }

        fn strategy(&self, file: &mut dyn ReadSeek, path: &Path) -> Result<Box<dyn Strategy<Self>>, TableError> {
            Adapter::strategy(self, file, path)
        }
    };
    (acyclic) => {
        const CYCLIC: bool = false;

        fn estimate(&self) -> Estimate {
            self.estimate_from(&self.start())
        }

        fn probe(&self, table: &Table, position: &Self::Position) -> Result<Option<Self::Value>, TableError> {
            if self.has_keys() { probe::probe(table, self.key(position)) } else { Ok(None) }
        }

        fn audit_sample(&self, table: &Table, count: u64, progress: &dyn Progress) -> Result<u64, SolveError> {
            needs_keys(self)?;
            audit::verify_sample(self, table, count, progress)
        }

        fn entry_reader<'a>(&'a self, table: &'a Table) -> Result<EntryReader<'a>, SolveError> {
            Ok(Box::new(|range| yomikiri_table::entries::listed_within(table, range)))
        }

        fn solve_subgame(
            &self,
            position: &Self::Position,
            memory: u64,
            progress: &dyn Progress,
        ) -> Result<Solved, SolveError> {
            needs_keys(self)?;
            subgame::solve(self, position, memory, progress)
        }
    };
    (cyclic) => {
        const CYCLIC: bool = true;

        fn probe(&self, table: &Table, position: &Self::Position) -> Result<Option<Self::Value>, TableError> {
            retrograde::value(self, table, position)
        }

        fn audit_sample(&self, table: &Table, count: u64, progress: &dyn Progress) -> Result<u64, SolveError> {
            audit::retrograde_sample(self, table, count, progress)
        }

        fn entry_reader<'a>(&'a self, table: &'a Table) -> Result<EntryReader<'a>, SolveError> {
            retrograde::entry_reader(self, table)
        }

        fn solve_subgame(
            &self,
            position: &Self::Position,
            memory: u64,
            progress: &dyn Progress,
        ) -> Result<Solved, SolveError> {
            retrograde::solve_subgame(self, position, memory, progress)
        }
    };
}

/// [`Solvable`] for a game by a kernel. All kernels stand here, whether or not a game names them today.
#[allow(unused_macro_rules)]
macro_rules! solvable_by {
    (levels, $Game:ty) => {
        impl Adapter for $Game {}

        impl crate::evaluate::Evaluate for $Game {
            const REPEATS: bool = false;
        }

        impl crate::certificate::CertificateGame for $Game {}

        solvable_by!(adapted_levels, $Game);
    };
    (adapted_levels, $Game:ty) => {
        impl Solvable for $Game {
            shared!(adapter);
            shared!(acyclic);

            fn memory_needed(&self) -> Option<u64> {
                levels::memory_for_estimate(&self.estimate())
            }

            #[cfg(feature = "write")]
            fn solve(
                &self,
                root: Option<&Self::Position>,
                path: &Path,
                options: &SolveOptions,
            ) -> Result<(), SolveError> {
                needs_keys(self)?;
                levels::analyze(self, root.unwrap_or(&self.start()), path, options)
            }

            fn audit(
                &self,
                root: Option<&Self::Position>,
                table: &Table,
                options: &SolveOptions,
            ) -> Result<(), SolveError> {
                needs_keys(self)?;
                audit::audit_keys(self, table, root.unwrap_or(&self.start()), options.progress)
            }
        }
    };
    (tiers, $Game:ty) => {
        impl Solvable for $Game {
            shared!(adapter);
            shared!(acyclic);

            fn memory_needed(&self) -> Option<u64> {
                tiers::needs(self)
            }

            #[cfg(feature = "write")]
            fn solve(
                &self,
                root: Option<&Self::Position>,
                path: &Path,
                options: &SolveOptions,
            ) -> Result<(), SolveError> {
                match root {
                    None => tiers::analyze(self, path, options),
                    Some(root) => levels::analyze(self, root, path, options),
                }
            }

            fn audit(
                &self,
                root: Option<&Self::Position>,
                table: &Table,
                options: &SolveOptions,
            ) -> Result<(), SolveError> {
                match root {
                    None => audit::audit_tiers(self, table, options.memory, options.progress),
                    Some(root) => audit::audit_keys(self, table, root, options.progress),
                }
            }
        }
    };
    (occupancy, $Game:ty) => {
        impl Solvable for $Game {
            shared!(adapter);
            shared!(acyclic);

            fn memory_needed(&self) -> Option<u64> {
                match reversi::occupancy::takes(self.rules.board) {
                    true => Some(reversi::occupancy::memory_needed(self)),
                    false => levels::memory_for_estimate(&self.estimate()),
                }
            }

            #[cfg(feature = "write")]
            fn solve(
                &self,
                root: Option<&Self::Position>,
                path: &Path,
                options: &SolveOptions,
            ) -> Result<(), SolveError> {
                needs_keys(self)?;
                match root {
                    None if reversi::occupancy::takes(self.rules.board) => {
                        reversi::occupancy::analyze(self, path, options)
                    }
                    _ => levels::analyze(self, root.unwrap_or(&self.start()), path, options),
                }
            }

            fn audit(
                &self,
                root: Option<&Self::Position>,
                table: &Table,
                options: &SolveOptions,
            ) -> Result<(), SolveError> {
                needs_keys(self)?;
                let start = self.start();
                let root = root.unwrap_or(&start);
                match table.header.index_kind {
                    IndexKind::Tiers => reversi::audit::audit(self, table, root, options.progress),
                    _ => audit::audit_keys(self, table, root, options.progress),
                }
            }
        }
    };
    (retrograde, $Game:ty) => {
        impl Solvable for $Game {
            shared!(adapter);
            shared!(cyclic);

            fn memory_needed(&self) -> Option<u64> {
                Some(retrograde::memory_for(self))
            }

            fn estimate(&self) -> Estimate {
                retrograde::estimate(self)
            }

            #[cfg(feature = "write")]
            fn solve(
                &self,
                root: Option<&Self::Position>,
                path: &Path,
                options: &SolveOptions,
            ) -> Result<(), SolveError> {
                retrograde::solve_into_table(self, root, path, options)
            }

            fn audit(
                &self,
                root: Option<&Self::Position>,
                table: &Table,
                options: &SolveOptions,
            ) -> Result<(), SolveError> {
                audit::audit_retrograde(self, root, table, options.progress)
            }
        }
    };
    (retrograde_of_all, $Game:ty) => {
        impl Solvable for $Game {
            shared!(adapter);
            shared!(cyclic);

            fn memory_needed(&self) -> Option<u64> {
                Some(retrograde::memory_for_all(self))
            }

            /// Exact: every key is a position's.
            fn estimate(&self) -> Estimate {
                let keys: u64 = retrograde::Cyclic::keys(self).into();
                Estimate { by_ply: vec![keys as f64], exact_plies: 1 }
            }

            #[cfg(feature = "write")]
            fn solve(
                &self,
                root: Option<&Self::Position>,
                path: &Path,
                options: &SolveOptions,
            ) -> Result<(), SolveError> {
                retrograde::solve_all_into_table(self, root, path, options)
            }

            fn audit(
                &self,
                root: Option<&Self::Position>,
                table: &Table,
                options: &SolveOptions,
            ) -> Result<(), SolveError> {
                match root {
                    None => audit::audit_retrograde_of_all(self, table, options.progress),
                    Some(_) => audit::audit_retrograde(self, root, table, options.progress),
                }
            }
        }
    };
}

macro_rules! all_solvable {
    ($($folder:ident $Game:ident $kernel:ident;)*) => {
        $(solvable_by!($kernel, yomikiri_rules::games::$folder::$Game);)*
    };
}

yomikiri_rules::games!(all_solvable);
