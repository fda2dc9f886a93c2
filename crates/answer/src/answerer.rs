//! Chooses the source of each answer. Queries, hints, players and matches all use this module.
//!
//! Tables come first: the table of the whole game, then tables that start at later positions. Then comes an excerpt of
//! a table, the part of it that one side needs to play its best. If none of these has the position, exact values come
//! from the subgame, which is solved in memory. The subgame consists of all positions that can follow the position
//! asked about. If the subgame is too large, the game's search may give exact values. If exact values are out of reach,
//! a certificate or an opening may name the winner.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use super::certificates::Certificates;
use super::excerpt::Excerpt;
use super::limits::ProofLimits;
use super::oracle::{Oracle, Values};
use super::value_search::ValueSearch;
use yomikiri_rules::{AnyGame, AnyPosition, Game, Notation};
use yomikiri_search::Searchable;
use yomikiri_search::{Decide, Search, Solution, Strategy};
use yomikiri_solve::{Resident, Solvable, SolveError, TooLarge, Wins};
use yomikiri_table::probe::open_if_there;
use yomikiri_table::{Location, Progress, Result, Silent, Table, TableError, address, location, name};

/// Maximum memory in bytes for solving a position's subgame if a certificate already names the winner. A subgame that
/// needs this memory is solved in tens of milliseconds.
const BESIDE_CERTIFICATE: u64 = 2 << 20;

/// Maximum memory in bytes for solving a position's subgame if a certificate already names the winner and many
/// questions are expected. Replaces [`BESIDE_CERTIFICATE`] after [`Answerer::expect_many`]. A subgame that needs this
/// memory is solved in a few milliseconds.
const AMONG_MANY: u64 = 1 << 18;

/// Maximum memory in bytes for solving a position's subgame if the game's search can solve the position too. A position
/// whose subgame needs more memory is searched instead.
pub(super) const BESIDE_SEARCH: u64 = 16 << 20;

/// Maximum memory in bytes for solving a position's subgame before a proof or a long search is tried
/// ([`Answerer::find_beside_proof`]). Small boards ([`SMALL_BOARD`]) may use more. A subgame that needs this memory is
/// solved in tens of milliseconds.
const BESIDE_PROOF: u64 = 4 << 20;

/// Maximum number of remembered positions whose subgames were too large to solve. A web page asks about the same few
/// positions again and again.
const UNDECIDED: usize = 8;

/// The maximum memory in bytes that a small board needs to be solved whole. Any board with fewer than a million
/// positions is small. Such a board is solved in a second.
const SMALL_BOARD: u64 = 48 << 20;

/// The source of the value or of the winner of a position, as [`Answerer::find`] chooses it.
pub enum FoundSource<'a> {
    /// Exact values from a table, from the solved subgame or from a search.
    Exact(Oracle<'a>),
    /// Certificates or an opening that name the winner. Exact values are out of reach.
    Certified(Rc<Certificates<'a>>),
    /// An excerpt of a table, the part of it that one side needs to play its best. It has exact values of the position
    /// and of some of its moves.
    Excerpted(Arc<Excerpt<'a>>),
}

/// An open table.
struct Opened {
    table: Arc<Table>,
    /// The copy of `table` in memory, loaded on first use. The cell holds `None` if `table` is a list of sorted keys
    /// with their values, which stays in its file.
    resident: OnceCell<Option<Arc<Resident>>>,
}

impl Opened {
    fn new(table: Table) -> Opened {
        Opened { table: Arc::new(table), resident: OnceCell::new() }
    }
}

/// Answers questions about positions of one game from the files of a location, a list of folders and addresses. Opens
/// each file once, on first use.
pub struct Answerer<'a> {
    game: &'a AnyGame,
    location: Location,
    tables: BTreeMap<PathBuf, Opened>,
    /// True if tables are read into memory before they are used ([`Answerer::set_resident`]).
    is_resident: bool,
    certificates: Option<Rc<Certificates<'a>>>,
    excerpt: Option<Arc<Excerpt<'a>>>,
    /// Maximum memory in bytes for solving a position's subgame if a certificate names the winner.
    beside_certificate: u64,
    /// The search that [`Answerer::quick_search`] uses, or `None` if [`Answerer::set_search_memory`] was not called or
    /// the game has no search.
    search: Option<Box<dyn Search<AnyGame>>>,
    proofs: ProofLimits,
    results: ProofResults,
}

/// The prover and the search of a game, with the results of their earlier work.
#[derive(Default)]
pub struct ProofResults {
    /// The prover, made on first use. The cell is empty before that, and holds `None` if the game has no proofs.
    decider: OnceCell<Option<Box<dyn Decide<AnyGame>>>>,
    /// The search for exact values, made on first use. `None` before that, or if the game has none.
    value_search: Option<ValueSearch>,
    /// The last positions for which [`Answerer::find_beside_proof`] returned `None`, at most [`UNDECIDED`], the newest
    /// first. Their subgames are not tried again.
    undecided: Vec<AnyPosition>,
}

/// The method that decides a position if no file has it and its subgame is too large to solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    /// A proof of the winner.
    Proof,
    /// A search for the exact value.
    Search,
}

impl<'a> Answerer<'a> {
    /// Creates an answerer for the tables and certificates at `location`.
    pub fn new(game: &'a AnyGame, location: impl Into<Location>) -> Self {
        Answerer {
            game,
            location: location.into(),
            tables: BTreeMap::new(),
            is_resident: false,
            certificates: None,
            excerpt: None,
            beside_certificate: BESIDE_CERTIFICATE,
            search: None,
            proofs: ProofLimits::default(),
            results: ProofResults::default(),
        }
    }

    /// Creates an answerer from open files, without a folder. `table` is a table of the whole game; `strategies` are
    /// certificates and openings.
    pub fn of(
        game: &'a AnyGame,
        table: Option<Table>,
        strategies: impl IntoIterator<Item = Box<dyn Strategy<AnyGame>>>,
    ) -> Self {
        let mut answerer = Answerer::new(game, PathBuf::new());
        let path = name::whole(answerer.location.path(), &game.code());
        answerer.tables.extend(table.map(|table| (path, Opened::new(table))));
        answerer.certificates = Some(Rc::new(Certificates::of(game, strategies)));
        answerer
    }

    /// Adds an excerpt of a table, the part of it that one side needs to play its best. The excerpt answers questions
    /// about positions that no table at the location has.
    pub fn add_excerpt(&mut self, excerpt: Excerpt<'a>) {
        self.excerpt = Some(Arc::new(excerpt));
    }

    /// The folders and addresses of the files.
    pub fn location(&self) -> &Location {
        &self.location
    }

    /// Switches to the files of another location. Closes all open files and removes the excerpt
    /// ([`Answerer::add_excerpt`]).
    pub fn set_location(&mut self, location: impl Into<Location>) {
        self.location = location.into();
        self.tables.clear();
        self.certificates = None;
        self.excerpt = None;
    }

    /// Prepares for many questions. For a position whose winner a certificate names, later calls compute the distance
    /// to the end only if that takes at most a few milliseconds.
    pub fn expect_many(&mut self) {
        self.beside_certificate = AMONG_MANY;
    }

    /// Sets the memory of [`Answerer::quick_search`] in bytes, and discards the results of earlier searches.
    pub fn set_search_memory(&mut self, bytes: u64) {
        self.search = self.game.searcher(bytes);
    }

    /// Sets the memory and threads of proofs and of long searches, and discards the results of earlier ones.
    pub fn set_proofs(&mut self, limits: ProofLimits) {
        self.proofs = limits;
        self.results = ProofResults::default();
    }

    /// Returns the method that decides `position` if no file has it: a proof if the game has proofs, else a search.
    /// In a game without proofs, returns `None` if there is no search or if the search is likely to take hours.
    pub(super) fn method(&self, position: &AnyPosition) -> Option<Method> {
        match self.game.has_proofs() {
            true => Some(Method::Proof),
            false => ValueSearch::suits(self.game, position).then_some(Method::Search),
        }
    }

    /// Returns the search for exact values, which is made on first use, or `None` if the game has none.
    pub(super) fn value_search(&mut self) -> Result<Option<&mut ValueSearch>, SolveError> {
        let search = &mut self.results.value_search;
        if search.is_none() {
            *search = ValueSearch::new(self.game, self.proofs)?;
        }
        Ok(search.as_mut())
    }

    /// Finds the source for `position` as [`Answerer::find`] does. Returns `None` if a proof or a long search has to
    /// decide the position. Solving the subgame may use all `memory` bytes on small boards, and at most
    /// [`BESIDE_PROOF`] bytes on other boards. If this method has recently returned `None` for the same position, it
    /// does not try the subgame again.
    pub(super) fn find_beside_proof(
        &mut self,
        position: &AnyPosition,
        memory: u64,
    ) -> Result<Option<FoundSource<'a>>, SolveError> {
        let is_known = self.results.undecided.contains(position);
        let found = match self.find(position, if is_known { 0 } else { self.beside_proof(memory) }, &Silent) {
            Ok(FoundSource::Exact(oracle)) if !oracle.is_quick(position) => None,
            Err(SolveError::TooLarge(_)) => None,
            found => Some(found?),
        };
        if found.is_none() && !is_known {
            self.results.undecided.insert(0, *position);
            self.results.undecided.truncate(UNDECIDED);
        }
        Ok(found)
    }

    fn beside_proof(&self, memory: u64) -> u64 {
        let is_small = self.game.memory_needed().is_some_and(|needed| needed <= SMALL_BOARD);
        if is_small { memory } else { memory.min(BESIDE_PROOF) }
    }

    /// Sets the results of earlier proofs and long searches. `results` must come from [`Answerer::take_results`] of an
    /// answerer of the same game.
    pub fn set_results(&mut self, results: ProofResults) {
        self.results = results;
    }

    /// Returns the results of proofs and long searches, and removes them from this answerer.
    pub fn take_results(&mut self) -> ProofResults {
        std::mem::take(&mut self.results)
    }

    /// Returns the prover, which is made on first use, or `None` if the game has no proofs.
    pub(super) fn decider(&mut self) -> Option<&mut (dyn Decide<AnyGame> + 'static)> {
        let ProofLimits { memory, threads } = self.proofs;
        self.results.decider.get_or_init(|| self.game.decider(memory, threads));
        self.results.decider.get_mut()?.as_deref_mut()
    }

    /// Sets whether each table is read into memory when it is next used. Loading a table takes seconds. After that, a
    /// look-up takes one or two memory accesses instead of opening one or several blocks. A table that is a list of
    /// sorted keys with their values is never loaded.
    pub fn set_resident(&mut self, is_resident: bool) {
        self.is_resident = is_resident;
    }

    /// Returns the game that this answerer answers questions about.
    pub fn game(&self) -> &'a AnyGame {
        self.game
    }

    /// Finds the best source for `position`: a table, an excerpt of a table, a small subgame (all positions that can
    /// follow), a certificate, or a subgame or search that uses at most `memory` bytes.
    ///
    /// # Errors
    /// Returns [`SolveError::TooLarge`] if no source gives the value or the winner. A damaged file is an error.
    pub fn find(
        &mut self,
        position: &AnyPosition,
        memory: u64,
        progress: &'a dyn Progress,
    ) -> Result<FoundSource<'a>, SolveError> {
        if let Some(oracle) = self.table_of(position)? {
            return Ok(FoundSource::Exact(oracle));
        }
        if let Some(excerpt) = self.excerpt_of(position)? {
            return Ok(FoundSource::Excerpted(excerpt));
        }
        let certificates = self.certificates()?;
        let is_certified = certificates.winner(position)?.is_some();
        let memory = if is_certified { memory.min(self.beside_certificate) } else { memory };
        match self.beyond_tables(position, memory, progress) {
            Err(SolveError::TooLarge(_)) if is_certified => Ok(FoundSource::Certified(certificates)),
            found => found.map(FoundSource::Exact),
        }
    }

    /// Returns exact values of `position` and of all positions that can follow it (its subgame). The values come from a
    /// table if one has the position, else from the solved subgame or from a search. Solving or searching uses at most
    /// `memory` bytes.
    ///
    /// # Errors
    /// Returns [`SolveError::TooLarge`] if `memory` is not enough. A damaged table is an error.
    pub fn exact(
        &mut self,
        position: &AnyPosition,
        memory: u64,
        progress: &'a dyn Progress,
    ) -> Result<Oracle<'a>, SolveError> {
        match self.table_of(position)? {
            Some(oracle) => Ok(oracle),
            None => self.beyond_tables(position, memory, progress),
        }
    }

    /// Returns the table of the whole game, or `None` if there is none.
    pub fn whole_table(&mut self) -> Result<Option<Oracle<'a>>> {
        self.table_at(&self.whole())
    }

    /// Returns true if the table of the whole game is open. A table that is written to the folder while an answer is
    /// computed does not change the result.
    pub fn has_whole_table(&self) -> bool {
        self.tables.contains_key(&self.whole())
    }

    /// Returns the path of the table of the whole game. If the table is not open, returns the path in the first folder
    /// or address that has the table. If none has it, returns the path in the first folder or address.
    fn whole(&self) -> PathBuf {
        let code = self.game.code();
        let is_open = |path: &PathBuf| self.tables.contains_key(path);
        let open = self.location.candidates(|folder| name::whole(folder, &code)).into_iter().find(is_open);
        open.unwrap_or_else(|| self.location.file(|folder| name::whole(folder, &code)))
    }

    /// Returns the first table that has `position`, or `None` if none has it. `position` must be nonterminal. If a
    /// damaged table comes before the first table that has the position, returns an error.
    pub fn table_of(&mut self, position: &AnyPosition) -> Result<Option<Oracle<'a>>> {
        Ok(self.search_tables(position, Err)?.ok())
    }

    /// Returns the first table that has `position`, and skips damaged tables. `position` must be nonterminal. The inner
    /// error says why no table has it. The outer error means that bytes of a table have yet to arrive
    /// ([`TableError::is_waiting`]).
    pub fn readable_table_of(&mut self, position: &AnyPosition) -> Result<Result<Oracle<'a>, String>> {
        self.search_tables(
            position,
            |damaged| if damaged.is_waiting() { Err(damaged) } else { Ok(damaged.to_string()) },
        )
    }

    /// Returns the first table that has `position`. If no table has it, the inner error says why the last table did not
    /// answer. Calls `damaged` with the error of each table that cannot be read. If `damaged` returns a text, the text
    /// becomes the reason for this table, and the next table is tried. If it returns an error, the search of the tables
    /// ends with this error.
    fn search_tables(
        &mut self,
        position: &AnyPosition,
        damaged: impl Fn(TableError) -> Result<String>,
    ) -> Result<Result<Oracle<'a>, String>> {
        let code = self.game.code();
        let looked_for = self.location.candidates(|folder| name::whole(folder, &code));
        let mut why = format!("there is no table {}", location::one_of(&looked_for));
        for path in std::iter::once(self.whole()).chain(name::all_below(&self.location, &code)) {
            match self.table_with(&path, position) {
                Ok(Some((oracle, true))) => return Ok(Ok(oracle)),
                Ok(Some((_, false))) => {
                    why = format!("{} does not have {}", address::shown(&path), self.game.position_text(position));
                }
                Ok(None) => {}
                Err(error) => why = damaged(error)?,
            }
        }
        Ok(Err(why))
    }

    /// Returns the table in the file at `path`, and true if the table has `position`. Returns `None` if there is no
    /// such file.
    fn table_with(&mut self, path: &Path, position: &AnyPosition) -> Result<Option<(Oracle<'a>, bool)>> {
        let Some(oracle) = self.table_at(path)? else { return Ok(None) };
        let has = oracle.known(position)?.is_some();
        Ok(Some((oracle, has)))
    }

    /// Returns the table in the file at `path`. Returns `None` if the file does not exist and the table is not already
    /// open.
    fn table_at(&mut self, path: &Path) -> Result<Option<Oracle<'a>>> {
        if !self.tables.contains_key(path) {
            let Some(table) = open_if_there(self.game, &self.location, path)? else { return Ok(None) };
            self.tables.insert(path.into(), Opened::new(table));
        }
        let Some(Opened { table, resident }) = self.tables.get(path) else { return Ok(None) };
        let resident = match (self.is_resident, resident.get()) {
            (false, _) => None,
            (true, Some(loaded)) => loaded.clone(),
            (true, None) => {
                let loaded = self.game.load(table, Wins::All).map_err(|error| match error {
                    SolveError::Table(error) => error,
                    other => TableError::foreign(path, format!("cannot be read into memory: {other}")),
                })?;
                resident.get_or_init(|| loaded.map(Arc::new)).clone()
            }
        };
        Ok(Some(Oracle::of_resident(self.game, Arc::clone(table), resident)))
    }

    /// Returns the excerpt ([`Answerer::add_excerpt`]), or `None` if there is no excerpt or it has no value for
    /// `position`.
    pub fn excerpt_of(&self, position: &AnyPosition) -> Result<Option<Arc<Excerpt<'a>>>> {
        let Some(excerpt) = &self.excerpt else { return Ok(None) };
        Ok(excerpt.value(position)?.map(|_| Arc::clone(excerpt)))
    }

    /// Returns the certificates and the opening at the location. A damaged file is an error.
    pub fn certificates(&mut self) -> Result<Rc<Certificates<'a>>> {
        let certificates = match self.certificates.take() {
            Some(certificates) => certificates,
            None => {
                let mut certificates = Certificates::open(self.game, &self.location);
                certificates.add_opening(&self.location);
                Rc::new(certificates)
            }
        };
        Ok(Rc::clone(self.certificates.insert(certificates)))
    }

    /// Searches `position` with the game's search. Returns `None` if [`Answerer::set_search_memory`] was not called, if
    /// the game has no search, or if the search may take longer than a few tenths of a second.
    pub fn quick_search(&self, position: &AnyPosition) -> Option<Solution<AnyGame>> {
        let search = self.search.as_ref().filter(|search| search.is_quick(position))?;
        Some(search.solve(position, &Silent))
    }

    /// Returns exact values of a position that no table has. They come from the solved subgame (all positions that can
    /// follow) or from a search. Solving or searching uses at most `memory` bytes.
    fn beyond_tables(
        &self,
        position: &AnyPosition,
        memory: u64,
        progress: &'a dyn Progress,
    ) -> Result<Oracle<'a>, SolveError> {
        match self.subgame_or_search(position, memory, progress) {
            Ok(values) => Ok(Oracle { game: self.game, values }),
            // The error says that the table lacks the position, but only if the table was open for this question. A
            // table whose file has appeared since then was not consulted.
            Err(SolveError::TooLarge(source)) if self.has_whole_table() => {
                let (position, code) = (self.game.position_text(position), self.game.code());
                Err(TooLarge::CannotArise { position, code, source: source.into() }.into())
            }
            Err(error) => Err(error),
        }
    }

    /// Solves the subgame of `position` if [`BESIDE_SEARCH`] bytes are enough, else returns the game's search. If the
    /// game has no search, or if the search cannot solve the position, solves the subgame with all `memory` bytes.
    fn subgame_or_search(
        &self,
        position: &AnyPosition,
        memory: u64,
        progress: &'a dyn Progress,
    ) -> Result<Values<'a>, SolveError> {
        let subgame = |memory| self.game.solve_subgame(position, memory, progress).map(Values::Subgame);
        // A search can solve the same positions with any memory, so 0 bytes are enough to ask.
        match self.game.searcher(0).map(|search| search.reach(position)) {
            None => subgame(memory),
            Some(Err(why)) => subgame(memory).map_err(|error| match error {
                SolveError::TooLarge(source) => TooLarge::Unsearchable { source: source.into(), why }.into(),
                other => other,
            }),
            Some(Ok(())) => match subgame(memory.min(BESIDE_SEARCH)) {
                Err(SolveError::TooLarge(limit)) => {
                    let search = self.game.searcher(memory).ok_or(limit)?;
                    Ok(Values::Search(search, progress))
                }
                small => small,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::Source;
    use yomikiri_solve::SolveOptions;
    use yomikiri_solve::pipeline::analyze;

    /// Makes a folder with two tables of bin2x2: one of the whole game and one that starts after the first move.
    fn tables() -> (AnyGame, AnyPosition, tempfile::TempDir) {
        let (game, folder) = (AnyGame::parse("bin2x2").unwrap(), tempfile::tempdir().unwrap());
        let moves = game.legal_moves(&game.start());
        let later = game.play(&game.start(), moves[0]);
        let job = SolveOptions { memory: 1 << 30, force: false, checkpoint: Duration::MAX, progress: &Silent };
        for root in [None, Some(&later)] {
            analyze(&game, root, folder.path(), &job).unwrap();
        }
        (game, later, folder)
    }

    #[test]
    fn a_damaged_table_ends_a_query_and_is_passed_over_by_a_player() {
        let (game, later, folder) = tables();
        let expected =
            Answerer::new(&game, folder.path()).exact(&later, 1 << 20, &Silent).unwrap().value(&later).unwrap();
        let whole = name::whole(folder.path(), &game.code());
        std::fs::write(&whole, "no table").unwrap();
        let mut answerer = Answerer::new(&game, folder.path());
        assert!(answerer.whole_table().is_err() && answerer.table_of(&later).is_err());
        assert!(answerer.find(&later, 1 << 20, &Silent).is_err());
        let oracle = answerer.readable_table_of(&later).unwrap().unwrap();
        assert_eq!((oracle.source(), oracle.value(&later).unwrap()), (Source::Table, expected));
        let why = answerer.readable_table_of(&game.start()).unwrap().err().unwrap();
        assert!(why.contains("@") && why.contains("does not have"), "{why}");
    }

    /// A progress display that solves the whole game and writes its table to the folder whenever a step of work begins.
    struct AppearsMeanwhile<'a>(&'a AnyGame, &'a Path);

    impl Progress for AppearsMeanwhile<'_> {
        fn begin(&self, _: &str, _: u64) {
            let job = SolveOptions { memory: 1 << 30, force: false, checkpoint: Duration::MAX, progress: &Silent };
            analyze(self.0, None, self.1, &job).unwrap();
        }
    }

    #[test]
    fn a_table_that_appears_during_a_question_is_not_said_to_lack_the_position() {
        let (game, folder) = (AnyGame::parse("bin2x2").unwrap(), tempfile::tempdir().unwrap());
        let appears = AppearsMeanwhile(&game, folder.path());
        let mut answerer = Answerer::new(&game, folder.path());
        let error = answerer.exact(&game.start(), 1, &appears).err().unwrap().to_string();
        assert!(name::whole(folder.path(), "bin2x2").exists() && !answerer.has_whole_table());
        assert!(!error.contains("cannot arise") && error.contains("positions lie below"), "{error}");
        // The next question opens the table.
        assert_eq!(answerer.exact(&game.start(), 1, &Silent).unwrap().source(), Source::Table);
        assert!(answerer.has_whole_table());
    }

    #[test]
    fn without_tables_the_subgame_answers_as_far_as_memory_goes() {
        let (game, later, folder) = tables();
        let nowhere = folder.path().join("nowhere");
        let mut answerer = Answerer::new(&game, &nowhere);
        let why = answerer.readable_table_of(&later).unwrap().err().unwrap();
        assert_eq!(why, format!("there is no table {}", nowhere.join("bin2x2.tbl").display()));
        let FoundSource::Exact(oracle) = answerer.find(&later, 1 << 20, &Silent).unwrap() else {
            panic!("no certificate")
        };
        assert_eq!((oracle.source().to_string(), oracle.is_quick(&later)), ("subgame".into(), true));
        assert!(matches!(answerer.exact(&later, 1, &Silent), Err(SolveError::TooLarge(_))));
        // Tables are opened once: a table keeps answering after its file is deleted.
        answerer.set_location(folder.path());
        assert_eq!(answerer.table_of(&later).unwrap().unwrap().source(), Source::Table);
        std::fs::remove_file(name::whole(folder.path(), &game.code())).unwrap();
        assert_eq!(answerer.whole_table().unwrap().unwrap().source(), Source::Table);
    }
}
