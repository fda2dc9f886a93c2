//! What answers about positions of a game: the one place that decides it, for queries, hints, players and matches.
//!
//! Tables come first: that of the whole game, then those from later positions. Where none has the position, a
//! certificate may say who wins; exact values come from the subgame below the position, solved in memory if it is
//! small, or from the game's search.

use std::cell::OnceCell;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::excerpt::Excerpt;
use super::oracle::{JudgedMove, Oracle, Values};
use yomikiri_rules::{Game, Outcome, Side, Value};
use yomikiri_solve::{Resident, Search, Solution, Solvable, SolveError, Strategy, Wins};
use yomikiri_table::probe::open_if_there;
use yomikiri_table::{Location, Progress, Result, Silent, Table, TableError, name};

/// Bytes for a subgame that is solved in some hundredths of a second, though a certificate tells who wins.
const BESIDE_CERTIFICATE: u64 = 2 << 20;

/// The same for one of many questions: in some thousandths.
const AMONG_MANY: u64 = 1 << 18;

/// Bytes for a subgame that is sooner solved than searched.
const BESIDE_SEARCH: u64 = 16 << 20;

/// What was found to answer about a position.
pub enum Found<'a, G: Game> {
    /// Exact values.
    Exact(Oracle<'a, G>),
    /// Who wins, where values are out of reach.
    Certified(Arc<Certificates<'a, G>>),
    /// Exact values of the position and of some of its moves.
    Excerpted(Arc<Excerpt<'a, G>>),
}

/// A table that is open.
struct Opened {
    table: Arc<Table>,
    /// In memory, once that has been asked for; `None` if it would be of no use.
    resident: OnceCell<Option<Arc<Resident>>>,
}

impl Opened {
    fn new(table: Table) -> Opened {
        Opened { table: Arc::new(table), resident: OnceCell::new() }
    }
}

/// Answers by the files of one folder, or at one address. Each is opened once, when it is first needed.
pub struct Answerer<'a, G: Game> {
    game: &'a G,
    location: Location,
    tables: BTreeMap<PathBuf, Opened>,
    /// Whether tables that leave an outcome out are read into memory.
    is_resident: bool,
    certificates: Option<Arc<Certificates<'a, G>>>,
    excerpt: Option<Arc<Excerpt<'a, G>>>,
    /// Bytes for a subgame where a certificate tells who wins.
    beside_certificate: u64,
    /// The search kept for [`Answerer::quick_search`].
    search: Option<Box<dyn Search<G>>>,
}

impl<'a, G: Solvable> Answerer<'a, G> {
    /// Answers by the tables and certificates at `location`: a folder, or an address ([`Location::find`]).
    pub fn new(game: &'a G, location: impl Into<Location>) -> Self {
        Answerer {
            game,
            location: location.into(),
            tables: BTreeMap::new(),
            is_resident: false,
            certificates: None,
            excerpt: None,
            beside_certificate: BESIDE_CERTIFICATE,
            search: None,
        }
    }

    /// Answers by a table of the whole game and a certificate that are open, without a folder.
    pub fn of(game: &'a G, table: Option<Table>, certificate: Option<Box<dyn Strategy<G>>>) -> Self {
        let mut answerer = Answerer::new(game, PathBuf::new());
        let path = name::whole(answerer.location.path(), &game.code());
        answerer.tables.extend(table.map(|table| (path, Opened::new(table))));
        // Whoever hands in a certificate knows where it is from.
        let strategies = certificate.into_iter().map(|strategy| Listed { strategy, is_checked: true });
        answerer.certificates = Some(Arc::new(Certificates { game, strategies: strategies.collect() }));
        answerer
    }

    /// Answers by an excerpt as well, where no table has the position.
    pub fn add_excerpt(&mut self, excerpt: Excerpt<'a, G>) {
        self.excerpt = Some(Arc::new(excerpt));
    }

    /// Goes over to the files of another folder, or at another address.
    pub fn set_location(&mut self, location: impl Into<Location>) {
        self.location = location.into();
        self.tables.clear();
        self.certificates = None;
        self.excerpt = None;
    }

    /// From now on looks for how soon a position is won only where that is found within milliseconds, if a certificate
    /// tells who wins it.
    pub fn expect_many(&mut self) {
        self.beside_certificate = AMONG_MANY;
    }

    /// Gives [`Answerer::quick_search`] so many bytes. What it has found so far is forgotten.
    pub fn set_search_memory(&mut self, bytes: u64) {
        self.search = self.game.searcher(bytes);
    }

    /// Reads tables of whole boards that are asked from now on into memory, or goes back to the files. It takes
    /// seconds, and a look-up is a read or two then instead of one block or several; tables of sorted keys stay where
    /// they are.
    pub fn set_resident(&mut self, is_resident: bool) {
        self.is_resident = is_resident;
    }

    pub fn game(&self) -> &'a G {
        self.game
    }

    /// What answers about `position`, best first: a table, an excerpt, a subgame of few positions, a certificate, a
    /// subgame or a search with at most `memory` bytes. Damaged files are errors.
    pub fn find(
        &mut self,
        position: &G::Position,
        memory: u64,
        progress: &'a dyn Progress,
    ) -> Result<Found<'a, G>, SolveError> {
        if let Some(oracle) = self.table_of(position)? {
            return Ok(Found::Exact(oracle));
        }
        if let Some(excerpt) = self.excerpt_of(position)? {
            return Ok(Found::Excerpted(excerpt));
        }
        let certificates = self.certificates()?;
        let is_certified = certificates.winner(position)?.is_some();
        let memory = if is_certified { memory.min(self.beside_certificate) } else { memory };
        match self.beyond_tables(position, memory, progress) {
            Err(SolveError::TooLarge(_)) if is_certified => Ok(Found::Certified(certificates)),
            found => found.map(Found::Exact),
        }
    }

    /// Exact values for `position` and all positions below it: from a table, else from the subgame or a search with
    /// at most `memory` bytes. [`SolveError::TooLarge`] if that is not enough; damaged tables are errors.
    pub fn exact(
        &mut self,
        position: &G::Position,
        memory: u64,
        progress: &'a dyn Progress,
    ) -> Result<Oracle<'a, G>, SolveError> {
        match self.table_of(position)? {
            Some(oracle) => Ok(oracle),
            None => self.beyond_tables(position, memory, progress),
        }
    }

    /// The moves of a position that a certificate decides, with all that is known of each: by certificates, and exactly
    /// where little lies behind it, as behind the horizon of a certificate. First those that win, then those of which
    /// nothing is known, draws, and those that lose.
    pub fn judge(
        &mut self,
        position: &G::Position,
        progress: &'a dyn Progress,
    ) -> Result<Vec<JudgedMove<G>>, SolveError> {
        let (game, mover, certificates) = (self.game, self.game.side(position), self.certificates()?);
        let listed = certificates.winning_move(position)?;
        let mut is_small = true;
        let judge = |mv| {
            let position = game.play(position, mv);
            let near_end = certificates.winner_near_end(&position);
            // Where one of the moves leads to too much, others do.
            let value = match near_end.filter(|_| is_small).map(|_| self.exact(&position, BESIDE_SEARCH, progress)) {
                Some(Ok(oracle)) => Some(oracle.value(&position)?.of_move()),
                Some(Err(SolveError::TooLarge(_))) => {
                    is_small = false;
                    None
                }
                Some(Err(error)) => return Err(error),
                None => match game.terminal_value(&position) {
                    None => self.table_of(&position)?.map(|oracle| oracle.value(&position)).transpose()?,
                    over => over,
                }
                .map(Value::of_move),
            };
            let known = certificates.winner(&position)?.or(near_end).or((listed == Some(mv)).then_some(mover));
            let certified = known.map(|winner| Outcome::of_winner(Some(winner), mover));
            Ok(JudgedMove { mv, position, outcome: value.map(G::Value::outcome).or(certified), value })
        };
        let mut moves = game.legal_moves(position).into_iter().map(judge).collect::<Result<Vec<_>, SolveError>>()?;
        let class = |mv: &JudgedMove<G>| match mv.outcome {
            Some(Outcome::Win) => 0,
            None => 1,
            Some(Outcome::Draw) => 2,
            Some(Outcome::Loss) => 3,
        };
        moves.sort_by_key(|mv| (class(mv), Reverse(mv.value)));
        Ok(moves)
    }

    /// The table of the whole game; `None` if there is none.
    pub fn whole_table(&mut self) -> Result<Option<Oracle<'a, G>>> {
        self.table_at(&name::whole(self.location.path(), &self.game.code()))
    }

    /// Returns true if the table of the whole game is open. Unlike a look at the folder, this does not change while an
    /// answer is worked out.
    pub fn has_whole_table(&self) -> bool {
        self.tables.contains_key(&name::whole(self.location.path(), &self.game.code()))
    }

    /// The table that has `position`, which is not over. A damaged table before it is an error.
    pub fn table_of(&mut self, position: &G::Position) -> Result<Option<Oracle<'a, G>>> {
        Ok(self.search_tables(position, Err)?.ok())
    }

    /// The table that has `position`, which is not over, damaged ones passed over; the text says why there is none.
    /// Bytes that will come later are an error.
    pub fn readable_table_of(&mut self, position: &G::Position) -> Result<Result<Oracle<'a, G>, String>> {
        self.search_tables(
            position,
            |damaged| if damaged.is_waiting() { Err(damaged) } else { Ok(damaged.to_string()) },
        )
    }

    /// The first table with `position`, or why the last one does not answer. `damaged` makes that text of an error,
    /// or ends the search with it.
    fn search_tables(
        &mut self,
        position: &G::Position,
        damaged: impl Fn(TableError) -> Result<String>,
    ) -> Result<Result<Oracle<'a, G>, String>> {
        let code = self.game.code();
        let whole = name::whole(self.location.path(), &code);
        let mut why = format!("there is no table {}", whole.display());
        for path in std::iter::once(whole).chain(name::all_below(&self.location, &code)) {
            match self.table_with(&path, position) {
                Ok(Some((oracle, true))) => return Ok(Ok(oracle)),
                Ok(Some((_, false))) => {
                    why = format!("{} does not have {}", path.display(), self.game.position_text(position));
                }
                Ok(None) => {}
                Err(error) => why = damaged(error)?,
            }
        }
        Ok(Err(why))
    }

    /// The table in a file, and whether it has a position.
    fn table_with(&mut self, path: &Path, position: &G::Position) -> Result<Option<(Oracle<'a, G>, bool)>> {
        let Some(oracle) = self.table_at(path)? else { return Ok(None) };
        let has = oracle.known(position)?.is_some();
        Ok(Some((oracle, has)))
    }

    /// The table in a file; `None` if there is no file and was none before.
    fn table_at(&mut self, path: &Path) -> Result<Option<Oracle<'a, G>>> {
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
                    other => TableError::foreign(path, format!("is not read into memory: {other}")),
                })?;
                resident.get_or_init(|| loaded.map(Arc::new)).clone()
            }
        };
        Ok(Some(Oracle::of_resident(self.game, Arc::clone(table), resident)))
    }

    /// The excerpt, if there is one that knows `position`.
    pub fn excerpt_of(&self, position: &G::Position) -> Result<Option<Arc<Excerpt<'a, G>>>> {
        let Some(excerpt) = &self.excerpt else { return Ok(None) };
        Ok(excerpt.value(position)?.map(|_| Arc::clone(excerpt)))
    }

    /// The certificates of the folder. A damaged one is an error.
    pub fn certificates(&mut self) -> Result<Arc<Certificates<'a, G>>> {
        let certificates = match self.certificates.take() {
            Some(certificates) => certificates,
            None => Arc::new(Certificates::open(self.game, &self.location)?),
        };
        Ok(Arc::clone(self.certificates.insert(certificates)))
    }

    /// The value of `position` by the game's search, if [`Answerer::set_search_memory`] was called and it takes a few
    /// tenths of a second at most.
    pub fn quick_search(&self, position: &G::Position) -> Option<Solution<G>> {
        let search = self.search.as_ref().filter(|search| search.is_quick(position))?;
        Some(search.solve(position, &Silent))
    }

    /// Exact values for a position that no table has.
    fn beyond_tables(
        &self,
        position: &G::Position,
        memory: u64,
        progress: &'a dyn Progress,
    ) -> Result<Oracle<'a, G>, SolveError> {
        match self.subgame_or_search(position, memory, progress) {
            Ok(values) => Ok(Oracle { game: self.game, values }),
            // The open table was asked. One that has appeared since was not.
            Err(SolveError::TooLarge(_)) if self.has_whole_table() => {
                let (text, code) = (self.game.position_text(position), self.game.code());
                Err(SolveError::TooLarge(format!(
                    "{text} cannot arise in a game of {code}: its table does not have it"
                )))
            }
            Err(error) => Err(error),
        }
    }

    /// The subgame if it is small, or the search if it reaches so far; where no search does, the subgame as far as
    /// `memory` allows.
    fn subgame_or_search(
        &self,
        position: &G::Position,
        memory: u64,
        progress: &'a dyn Progress,
    ) -> Result<Values<'a, G>, SolveError> {
        let subgame = |memory| self.game.solve_subgame(position, memory, progress).map(Values::Subgame);
        // How far a search reaches does not depend on what it remembers.
        match self.game.searcher(0).map(|search| search.reach(position)) {
            None => subgame(memory),
            Some(Err(why)) => subgame(memory).map_err(|error| match error {
                SolveError::TooLarge(problem) => {
                    SolveError::TooLarge(format!("{problem} ({why}; solve finds the value alone)"))
                }
                other => other,
            }),
            Some(Ok(())) => match subgame(memory.min(BESIDE_SEARCH)) {
                Err(SolveError::TooLarge(problem)) => {
                    let search = self.game.searcher(memory).ok_or(SolveError::TooLarge(problem))?;
                    Ok(Values::Search(search, progress))
                }
                small => small,
            },
        }
    }
}

/// The certificates of one game that lie in a folder or at an address.
pub struct Certificates<'a, G: Game> {
    game: &'a G,
    strategies: Vec<Listed<G>>,
}

/// A certificate, and whether its file has passed `yomikiri check` where it lies.
struct Listed<G: Game> {
    strategy: Box<dyn Strategy<G>>,
    is_checked: bool,
}

impl<'a, G: Solvable> Certificates<'a, G> {
    /// Opens them. A damaged one is an error, then or when what is damaged is asked for.
    pub fn open(game: &'a G, location: impl Into<Location>) -> Result<Self> {
        let location = &location.into();
        let paths = name::all_proofs(location, &game.code());
        let open = |path: &PathBuf| {
            let strategy = game.strategy(location.open(path)?, path)?;
            let is_checked = location.is_checked(path, strategy.hash());
            Ok(Listed { strategy, is_checked })
        };
        let strategies = paths.iter().map(open).collect::<Result<_>>()?;
        Ok(Certificates { game, strategies })
    }

    /// Who wins a position, where that is known.
    pub fn winner(&self, position: &G::Position) -> Result<Option<Side>> {
        first_known(self.strategies.iter().map(|listed| listed.strategy.winner(position)))
    }

    /// Who wins a position that is near the end by some certificate, by a short search.
    pub fn winner_near_end(&self, position: &G::Position) -> Option<Side> {
        self.strategies.iter().find_map(|listed| listed.strategy.winner_near_end(position))
    }

    /// Whether the certificate that tells who wins a position has been checked.
    pub fn is_checked(&self, position: &G::Position) -> Result<bool> {
        let telling = |listed: &Listed<G>| Ok(listed.strategy.winner(position)?.map(|_| listed.is_checked));
        Ok(first_known(self.strategies.iter().map(telling))?.unwrap_or(false))
    }

    /// A move that wins for the side to move, where one is known.
    pub fn winning_move(&self, position: &G::Position) -> Result<Option<G::Move>> {
        first_known(self.strategies.iter().map(|listed| listed.strategy.winning_move(position)))
    }

    /// A game from a position whose winner is known to one whose winner is not, or to its end, of `most` plies at most:
    /// the winner makes moves that win, the loser the first there is.
    pub fn line(&self, position: &G::Position, most: usize) -> Result<Vec<(G::Move, G::Position)>> {
        let (mut line, mut here, mut legal) = (Vec::new(), *position, Vec::new());
        while line.len() < most && self.winner(&here)?.is_some() {
            self.game.moves(&here, &mut legal);
            let Some(mv) = self.winning_move(&here)?.or(legal.first().copied()) else { break };
            here = self.game.play(&here, mv);
            line.push((mv, here));
        }
        Ok(line)
    }
}

/// The first answer that is one; an error before it counts.
fn first_known<T>(mut answers: impl Iterator<Item = Result<Option<T>>>) -> Result<Option<T>> {
    answers.find_map(Result::transpose).transpose()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::Source;
    use yomikiri_rules::games::binarsi::Binarsi;
    use yomikiri_solve::SolveOptions;
    use yomikiri_solve::pipeline::analyze;

    /// The table of bin2x2, and that from its first move, in a folder.
    fn tables() -> (Binarsi, <Binarsi as Game>::Position, tempfile::TempDir) {
        let (game, folder) = (Binarsi::parse("bin2x2").unwrap(), tempfile::tempdir().unwrap());
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

    /// Solves the whole game into a folder as soon as anything is worked on.
    struct AppearsMeanwhile<'a>(&'a Binarsi, &'a Path);

    impl Progress for AppearsMeanwhile<'_> {
        fn begin(&self, _: &str, _: u64) {
            let job = SolveOptions { memory: 1 << 30, force: false, checkpoint: Duration::MAX, progress: &Silent };
            analyze(self.0, None, self.1, &job).unwrap();
        }

        fn advance(&self, _: u64) {}

        fn end(&self, _: &str) {}
    }

    #[test]
    fn a_table_that_appears_during_a_question_is_not_said_to_lack_the_position() {
        let (game, folder) = (Binarsi::parse("bin2x2").unwrap(), tempfile::tempdir().unwrap());
        let appears = AppearsMeanwhile(&game, folder.path());
        let mut answerer = Answerer::new(&game, folder.path());
        let error = answerer.exact(&game.start(), 1, &appears).err().unwrap().to_string();
        assert!(name::whole(folder.path(), "bin2x2").exists() && !answerer.has_whole_table());
        assert!(!error.contains("cannot arise") && error.contains("positions lie below"), "{error}");
        // The next question opens it.
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
        let Found::Exact(oracle) = answerer.find(&later, 1 << 20, &Silent).unwrap() else { panic!("no certificate") };
        assert_eq!((oracle.source().to_string(), oracle.is_quick(&later)), ("subgame".into(), true));
        assert!(matches!(answerer.exact(&later, 1, &Silent), Err(SolveError::TooLarge(_))));
        // Tables are opened once: a file that is gone goes on answering.
        answerer.set_location(folder.path());
        assert_eq!(answerer.table_of(&later).unwrap().unwrap().source(), Source::Table);
        std::fs::remove_file(name::whole(folder.path(), &game.code())).unwrap();
        assert_eq!(answerer.whole_table().unwrap().unwrap().source(), Source::Table);
    }
}
