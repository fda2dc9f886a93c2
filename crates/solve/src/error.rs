//! Errors of solving.

use std::path::PathBuf;

use yomikiri_rules::TextError;
use yomikiri_search::SearchError;
use yomikiri_table::TableError;
use yomikiri_table::memory::RefusedMemory;
use yomikiri_table::threads::Refused;

/// The reasons why a run stops.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// A file cannot be read, written or used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A text, such as a rule code or a position, is not valid.
    #[error(transparent)]
    Text(#[from] TextError),
    /// The system refused to start threads.
    #[error(transparent)]
    Threads(#[from] Refused),
    /// The work exceeds a limit, such as the memory.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// A check, such as an audit, found an error in the results.
    #[error(transparent)]
    Wrong(#[from] Wrong),
}

/// The limits that work can exceed. Positions are in notation, sizes in bytes.
#[derive(Debug, thiserror::Error)]
pub enum TooLarge {
    /// The machine does not have the memory, or the system refused it.
    #[error(transparent)]
    Memory(#[from] RefusedMemory),
    /// The variant has no tables, because its positions have no keys. The text comes from
    /// [`Adapter::why_no_tables`](crate::Adapter::why_no_tables).
    #[error("{0}")]
    NoKeys(String),
    /// The positions of the levels found so far need more memory than allowed.
    #[error(
        "more than {positions} positions lie below this one (after {plies} plies), and they need more than {} MiB; \
         allow more memory, or choose a later position", allowed >> 20
    )]
    Levels {
        /// The number of positions found so far.
        positions: u64,
        /// The number of plies from the root to the level that does not fit the memory.
        plies: usize,
        /// The memory that the run may use.
        allowed: u64,
    },
    /// More positions lie below the root than the allowed memory holds as sorted keys. The field is the number of
    /// positions found so far.
    #[error(
        "more than {0} positions lie below this one, too many for the allowed memory; allow more memory, or choose a \
         later position"
    )]
    SortedKeys(usize),
    /// By an estimate, too many positions lie below a position to enumerate them.
    #[error(
        "no table has {position}, and about {positions:.1e} positions lie below it: too many to search; ask about a \
         later position"
    )]
    Subgame {
        /// The root of the subgame.
        position: String,
        /// The estimated number of positions.
        positions: f64,
    },
    /// Too many positions lie below a position to solve them. Only a table can give the value of that position.
    #[error("no table has {position}, and {}", why_no_subgame(*most))]
    NoTable {
        /// The position.
        position: String,
        /// The rule code.
        code: String,
        /// The maximum number of positions that are solved without a table, or `None` if more memory might be enough.
        most: Option<u64>,
        /// The limit that solving the position without a table exceeds.
        source: Box<TooLarge>,
    },
    /// The position cannot arise in the game: the table of the whole game does not have it. Its value cannot be found
    /// without a table either, because too many positions lie below it.
    #[error("{position} cannot arise in a game of {code}: the table of all positions does not have it")]
    CannotArise {
        /// The position.
        position: String,
        /// The rule code.
        code: String,
        /// The limit that solving the position without a table exceeds.
        source: Box<TooLarge>,
    },
    /// The subgame is too large to solve, and the game's search cannot solve its root position either.
    #[error("{source} ({why}; \"yomikiri solve\" finds the value of this position, but not the values of its moves)")]
    Unsearchable {
        /// The limit that the subgame exceeds.
        source: Box<TooLarge>,
        /// The reason that the search gives.
        why: String,
    },
    /// Some distances do not fit the bytes of a table.
    #[error(
        "some positions{} are decided only after {plies} plies, more than a table can hold",
        code.as_ref().map_or(String::new(), |code| format!(" of {code}"))
    )]
    Distance {
        /// The rule code, if the solver knows it.
        code: Option<String>,
        /// The smallest distance that does not fit, in plies.
        plies: u16,
    },
    /// A run needs more memory than allowed.
    #[error("{code}: a run needs more memory; --memory {}M is enough", needed.div_ceil(1 << 20))]
    Run {
        /// The rule code.
        code: String,
        /// An amount of memory that is enough.
        needed: u64,
    },
    /// The audit of a table needs more memory than allowed.
    #[error("{code}: this check needs --memory {}M or more; --sample N needs less", needed.div_ceil(1 << 20))]
    Audit {
        /// The rule code.
        code: String,
        /// The memory that the audit needs.
        needed: u64,
    },
    /// By an estimate, the machine does not have the memory or the disk for a run.
    #[error(
        "{code} has about {positions:.2e} positions; a run needs {} and {disk:.0} bytes of disk",
        memory.map_or("more memory than any machine has".into(), |bytes| format!("{bytes} bytes of memory"))
    )]
    Machine {
        /// The rule code.
        code: String,
        /// The estimated number of positions.
        positions: f64,
        /// The memory that the run needs; `None` if no machine has it.
        memory: Option<u64>,
        /// The disk space that the run needs.
        disk: f64,
    },
    /// A step of a run on many machines needs more memory than allowed.
    #[error("{code}: a step needs {needed} bytes of memory, but only {allowed} are allowed; allow more memory")]
    Step {
        /// The rule code.
        code: String,
        /// The memory that the step needs.
        needed: u64,
        /// The memory that the run may use.
        allowed: u64,
    },
    /// A tier of the variant has more than 2^30 rows, so that its row numbers do not fit the 30 bits of a
    /// [`BitMap`](crate::space::BitMap). The field is the rule code.
    #[error("{0}: a tier has more than 2^30 rows, which the solver cannot number")]
    Rows(String),
}

/// The errors that checks find in results. Positions are in notation.
#[derive(Debug, thiserror::Error)]
pub enum Wrong {
    /// Two results of a search contradict each other ([`SearchError::ValueChanges`]).
    #[error(transparent)]
    Search(SearchError),
    /// An audit found an error at a position of a table.
    #[error("{}: {position} {breach}", path.display())]
    Position {
        /// The path of the table.
        path: PathBuf,
        /// The position or, if no position has the key, the word "key" and the key.
        position: String,
        /// The error.
        breach: Breach,
    },
    /// A tier is cut into parts and has moves that are common to all of them. But the tier that these moves lead to is
    /// missing or not cut into parts. The field is the tier in which the moves are made.
    #[error(
        "tier {0} is cut into parts that share moves, but the tier after one of these moves is missing or is not cut \
         into parts"
    )]
    CommonMoves(String),
    /// Positions of a tier have no value after the tier was solved.
    #[error("{positions} positions of tier {tier} have no value")]
    WithoutValue {
        /// The number of these positions.
        positions: u64,
        /// The tier.
        tier: String,
    },
    /// A search or the solver of a subgame did not reach a position that can follow its root.
    #[error("{0} was not reached by the search")]
    Unreached(String),
    /// No move of a position has the value of the position.
    #[error("no best move in {0}")]
    NoBestMove(String),
    /// A player was asked for a move in a position without moves.
    #[error("{0} has no move")]
    NoMove(String),
}

/// An error at a position of a table.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Breach {
    /// The key does not belong to a position of the game.
    #[error("is not a position of this game")]
    NoPosition,
    /// A child of the position is not in the table.
    #[error("has a child that is not in the table")]
    MissingChild,
    /// A move of the position leads outside the child tiers of the position's tier.
    #[error("has a move that leads outside the child tiers of its tier")]
    ForeignMove,
    /// The stored value is not that of the best move.
    #[error("has another value than that of its best move")]
    WrongValue,
    /// No move leads to the position.
    #[error("cannot arise: no move leads to it")]
    Unreached,
    /// The position is in the table but cannot arise.
    #[error("is in the table but cannot arise")]
    Superfluous,
    /// The position can arise but is not in the table.
    #[error("can arise but is not in the table")]
    Missing,
    /// The stored value is not the value that a search finds. The field has the value of the search, as text.
    #[error("has a value in the table that differs from the search's value, {0}")]
    NotAsSearched(String),
    /// A single look-up and a batched look-up give different bytes.
    #[error("has the byte {alone} when it is looked up alone, but {together} in a batch")]
    LookUps {
        /// The byte of the single look-up.
        alone: u8,
        /// The byte of the batched look-up.
        together: u8,
    },
}

/// Explains why a position cannot be solved without a table. `most` is the maximum number of positions that are solved
/// without one, or `None` if more memory might be enough.
fn why_no_subgame(most: Option<u64>) -> String {
    match most {
        Some(most) => format!("more than {most} positions can follow it, too many to solve without one"),
        None => "too many positions can follow it to solve them in the allowed memory".into(),
    }
}

impl From<RefusedMemory> for SolveError {
    fn from(refused: RefusedMemory) -> SolveError {
        TooLarge::from(refused).into()
    }
}

impl From<SearchError> for SolveError {
    fn from(error: SearchError) -> SolveError {
        match error {
            SearchError::Table(error) => error.into(),
            SearchError::Threads(refused) => refused.into(),
            SearchError::Memory(refused) => refused.into(),
            SearchError::ValueChanges { .. } => Wrong::Search(error).into(),
        }
    }
}

impl SolveError {
    /// Returns true if the error is only that some bytes have not arrived yet ([`TableError::is_waiting`]).
    pub fn is_waiting(&self) -> bool {
        matches!(self, SolveError::Table(error) if error.is_waiting())
    }
}

/// The result of solving.
pub type Result<T, E = SolveError> = std::result::Result<T, E>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_compute_their_numbers() {
        let levels = TooLarge::Levels { positions: 12, plies: 3, allowed: 5 << 20 | 1 };
        let begin = "more than 12 positions lie below this one (after 3 plies), and they need more than 5 MiB; ";
        assert_eq!(levels.to_string(), format!("{begin}allow more memory, or choose a later position"));
        let (code, disk) = ("bin7x6".to_string(), 2.6e9);
        let machine = |memory| TooLarge::Machine { code: code.clone(), positions: 123_456.0, memory, disk }.to_string();
        let end = "and 2600000000 bytes of disk";
        assert_eq!(machine(Some(8)), format!("bin7x6 has about 1.23e5 positions; a run needs 8 bytes of memory {end}"));
        assert!(machine(None).ends_with(&format!("a run needs more memory than any machine has {end}")));
        let distance = |code| TooLarge::Distance { code, plies: 128 }.to_string();
        assert_eq!(distance(None), "some positions are decided only after 128 plies, more than a table can hold");
        assert!(distance(Some(code.clone())).starts_with("some positions of bin7x6 are decided"));
        let run = TooLarge::Run { code, needed: (64 << 20) + 1 };
        assert_eq!(run.to_string(), "bin7x6: a run needs more memory; --memory 65M is enough");
    }

    #[test]
    fn refused_memory_stays_the_source() {
        let error = SolveError::from(SearchError::from(RefusedMemory::Run(7)));
        assert!(matches!(error, SolveError::TooLarge(TooLarge::Memory(RefusedMemory::Run(7)))));
        let error = TooLarge::Unsearchable { source: Box::new(RefusedMemory::Run(7).into()), why: "why".into() };
        let text = "the system refused 7 bytes of memory (why; \"yomikiri solve\" finds the value of this position, \
            but not the values of its moves)";
        assert_eq!(error.to_string(), text);
    }
}
