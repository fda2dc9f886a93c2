//! The player that uses the best source that knows the position. It asks a table, an excerpt (the part of a table that
//! one side needs), and a certificate or an opening. Then it tries an exact search that takes little time, a proof
//! search for the winner, and at last principal variation search.

use std::cell::RefCell;
use std::num::NonZeroUsize;

use super::later_search::Later;
use super::move_outcomes::MoveOutcomes;
use super::player::{Choice, Chosen, Limits, Listener, Player, PlayerReport, Score, ScoreSource, no_move};
use super::proof_watch::ProofWatch;
use super::search::RootMoves;
use super::selection::Selection;
use super::session::{Action, Ending, Session};
use super::stopwatch::Stopwatch;
use super::{SearchPlayer, TablePlayer};
use yomikiri_answer::{Answerer, JudgedMove, Oracle, ProofLimits, Source, Trust};
use yomikiri_rules::{AnyGame, AnyMove, AnyPosition, Game, Outcome, Value};
use yomikiri_search::{DecideProgress, Searchable};
use yomikiri_solve::Result;
use yomikiri_table::{Location, Silent};

/// Plays a game. Each move comes from the best source that knows the position.
pub struct CombinedPlayer<'a> {
    answerer: Answerer<'a>,
    search: SearchPlayer,
    /// The memory of the principal variation search in bytes. The proof search gets the same amount in addition.
    memory: usize,
    /// True if the player may use tables, excerpts of tables, and certificates.
    pub uses_table: bool,
    /// True once a certificate that cannot be read has been reported.
    damage_reported: bool,
}

/// The outcome of a position according to a certificate or an opening.
#[derive(Clone, Copy)]
struct Certified {
    outcome: Outcome,
    /// A winning move, or `None` if the side to move does not win or the certificates list no such move.
    mv: Option<AnyMove>,
    source: Source,
    trust: Trust,
}

/// Moves with their scores for the side that makes them.
pub struct Scored {
    pub moves: Vec<(AnyMove, Score)>,
    /// The source of the scores; `None` if they are from a search.
    pub source: Option<ScoreSource>,
}

/// The default memory of the search in bytes.
pub const MEMORY: usize = 16 << 20;

/// The memory, in bytes, of the search that scores moves one by one.
const MEMORY_OF_A_MOVE: usize = 1 << 20;

impl<'a> CombinedPlayer<'a> {
    /// Creates a player that uses the tables and certificates at `location`, a folder or an address. Opens each file
    /// when it is first needed.
    pub fn new(game: &'a AnyGame, location: impl Into<Location>) -> Self {
        CombinedPlayer::with_answerer(Answerer::new(game, location))
    }

    /// Creates a player that asks `answerer`, which looks up positions in tables and certificates.
    pub fn with_answerer(mut answerer: Answerer<'a>) -> Self {
        answerer.set_search_memory(MEMORY as u64);
        let search = SearchPlayer::new(MEMORY);
        let mut player = CombinedPlayer { answerer, search, memory: MEMORY, uses_table: true, damage_reported: false };
        player.set_proofs();
        player
    }

    /// Gives the proof search as much memory and as many threads as the principal variation search has.
    fn set_proofs(&mut self) {
        let limits = ProofLimits { memory: self.memory as u64, threads: self.search.threads().get() };
        self.answerer.set_proofs(limits);
    }

    /// Switches to the tables and certificates at another location.
    pub fn set_location(&mut self, location: impl Into<Location>) {
        self.answerer.set_location(location);
        self.damage_reported = false;
    }

    /// Sets whether tables are read into memory before they are used ([`Answerer::set_resident`]).
    pub fn set_resident(&mut self, is_resident: bool) {
        self.answerer.set_resident(is_resident);
    }

    /// Gives the search a transposition table of `bytes` bytes. If the machine has less memory, returns an error and
    /// changes nothing.
    pub fn set_memory(&mut self, bytes: usize) -> Result<()> {
        let mut search = SearchPlayer::try_new(bytes)?;
        search.set_threads(self.search.threads());
        (self.search, self.memory) = (search, bytes);
        self.answerer.set_search_memory(bytes as u64);
        self.set_proofs();
        Ok(())
    }

    /// Takes the memory of the search from the system, so that the first move need not ([`SearchPlayer::prepare`]).
    pub fn prepare(&mut self) {
        self.search.prepare();
    }

    /// Lets the principal variation search and the proof search use `threads` threads.
    pub fn set_threads(&mut self, threads: NonZeroUsize) {
        self.search.set_threads(threads);
        self.set_proofs();
    }

    /// Chooses among the moves of `selection` by a table. If no table answers, returns `Ok(Err(why))`, where `why` is
    /// the reason.
    fn by_table(
        &mut self,
        session: &Session,
        selection: &Selection,
        limits: &Limits,
        listener: &mut dyn Listener,
    ) -> Result<Result<Choice, String>> {
        let oracle = match self.table(session)? {
            Ok(oracle) => oracle,
            Err(why) => return Ok(Err(why)),
        };
        match TablePlayer::new(oracle).choose_among(session, selection, limits, listener) {
            Err(error) if !error.is_waiting() => Ok(Err(error.to_string())),
            choice => choice.map(Ok),
        }
    }

    /// Returns the principal variation search.
    pub(crate) fn search_mut(&mut self) -> &mut SearchPlayer {
        &mut self.search
    }

    /// Returns the outcome of the position for the side to move by certificates, the opening or a proof, with its
    /// source in words. Returns `None` if it is not known.
    pub(crate) fn outcome(
        &mut self,
        session: &Session,
        limits: &Limits,
        listener: &mut dyn Listener,
    ) -> Result<Option<(Outcome, &'static str)>> {
        if let Some(Certified { outcome, source, trust, .. }) = self.by_certificate(session, listener)? {
            return Ok(Some((outcome, source.in_words(Some(trust)))));
        }
        let mut watch = ProofWatch::new(limits, listener);
        let proved = self.answerer.prove_move(session.position(), &mut |work| watch.go_on(work))?;
        let outcome = |winner| Outcome::of_winner(Some(winner), session.side());
        Ok(proved.map(|(winner, _)| (outcome(winner), Source::Proof.in_words(None))))
    }

    /// Returns the table that has the position. The inner error says why there is no such table.
    pub(crate) fn table(&mut self, session: &Session) -> Result<Result<Oracle<'a>, String>> {
        if !self.uses_table {
            return Ok(Err("tables are switched off".into()));
        }
        Ok(self.answerer.readable_table_of(session.position())?)
    }

    /// Returns the outcome according to the certificates, and a winning move if there is one. Returns `None` if the
    /// certificates do not know the position. If a certificate cannot be read, reports the error once and stops using
    /// certificates.
    fn by_certificate(&mut self, session: &Session, listener: &mut dyn Listener) -> Result<Option<Certified>> {
        if !self.uses_table || self.damage_reported {
            return Ok(None);
        }
        let known = self.answerer.certificates().and_then(|certificates| {
            let Some(winner) = certificates.winner(session.position())? else { return Ok(None) };
            let outcome = Outcome::of_winner(Some(winner), session.side());
            let mv = certificates.winning_move(session.position())?;
            let (source, trust) = certificates.source(session.position())?;
            Ok(Some(Certified { outcome, mv, source, trust }))
        });
        let known = match known {
            Ok(Some(known @ Certified { outcome: Outcome::Win, mv: None, .. })) => {
                let first = self.answerer.judge_by_files(session.position()).map(|judged| judged.into_iter().next());
                // Without the moves, the winner is known all the same.
                let wins = first.ok().flatten().filter(|mv| mv.outcome == Some(Outcome::Win));
                Ok(Some(Certified { mv: wins.map(|mv| mv.mv), ..known }))
            }
            known => known,
        };
        match known {
            Err(error) if !error.is_waiting() => {
                self.damage_reported = true;
                listener.report(PlayerReport::Remark(error.to_string()));
                Ok(None)
            }
            known => Ok(known?),
        }
    }

    /// Chooses a move by an excerpt, the part of a table that one side needs. Returns `None` if no excerpt has the
    /// position.
    fn by_excerpt(&self, session: &Session, listener: &mut dyn Listener) -> Result<Option<Choice>> {
        if !self.uses_table {
            return Ok(None);
        }
        let Some(excerpt) = self.answerer.excerpt_of(session.position())? else { return Ok(None) };
        let best = excerpt.judge(session.position())?.into_iter().next();
        let known = best.and_then(|best| Some(Choice { mv: best.mv, score: Score::exact(best.value?) }));
        if let Some(Choice { mv, score }) = known {
            listener.report(PlayerReport::Known { score, mv, source: ScoreSource::new(Source::Excerpt, None) });
        }
        Ok(known)
    }

    /// Returns all legal moves with their scores. The scores come from a table or an excerpt of a table, or from a
    /// certificate if the side to move wins. Otherwise each move is searched. The limits of nodes and time apply to all
    /// moves together, the limit of depth applies to each move.
    pub fn scores(&mut self, session: &Session, limits: &Limits, listener: &mut dyn Listener) -> Result<Scored> {
        let game = session.game();
        let repeated =
            |score, after: &AnyPosition| if session.draws_by_repetition(after) { Score::Drawn } else { score };
        if let Ok(oracle) = self.table(session)? {
            let moves = oracle.answer(session.position())?.moves;
            let moves = moves.iter().map(|mv| (mv.mv, repeated(Score::exact(mv.value), &mv.position))).collect();
            return Ok(Scored { moves, source: Some(ScoreSource::new(Source::Table, None)) });
        }
        if let Some(excerpt) = self.answerer.excerpt_of(session.position())?.filter(|_| self.uses_table) {
            // A move that the excerpt does not list is seldom as good as the best move, so it counts as one outcome
            // worse than the best move.
            let unknown = match excerpt.value(session.position())?.map(Value::outcome) {
                Some(Outcome::Win) => Outcome::Draw,
                _ => Outcome::Loss,
            };
            let score = |mv: &JudgedMove| mv.value.map_or(Score::Decided(unknown), Score::exact);
            let judged = excerpt.judge(session.position())?;
            let moves = judged.iter().map(|mv| (mv.mv, repeated(score(mv), &mv.position))).collect();
            return Ok(Scored { moves, source: Some(ScoreSource::new(Source::Excerpt, None)) });
        }
        let has_move = |certified: &Certified| certified.mv.is_some();
        if let Some(Certified { source, trust, .. }) = self.by_certificate(session, listener)?.filter(has_move) {
            let judged = self.answerer.judge(session.position(), &Silent)?;
            // An unknown outcome counts as a draw.
            let unknown = Score::Decided(Outcome::Draw);
            let score = |mv: &JudgedMove| match mv.value {
                Some(value) => Score::exact(value),
                None => mv.outcome.map_or(unknown, Score::Decided),
            };
            let moves = judged.iter().map(|mv| (mv.mv, repeated(score(mv), &mv.position))).collect();
            return Ok(Scored { moves, source: Some(ScoreSource::new(source, Some(trust))) });
        }
        let moves = session.moves();
        let count = moves.len().max(1) as u32;
        let (nodes, time) = (limits.nodes.map(|nodes| nodes / u64::from(count)), limits.time.map(|time| time / count));
        let share = Limits { nodes, time, ..*limits };
        let mut search = SearchPlayer::new(MEMORY_OF_A_MOVE);
        let mut score = |&mv: &AnyMove| {
            let mut after = session.clone();
            after.act(Action::Move(mv));
            let score = match after.ending() {
                Some(Ending::Repetition) => Score::Drawn,
                Some(_) => {
                    game.terminal_value(after.position()).map_or(Score::Drawn, |value| Score::exact(value.of_move()))
                }
                None => search.choose(&after, &share, listener)?.score.of_move(),
            };
            Ok((mv, score))
        };
        let moves = moves.iter().map(&mut score).collect::<Result<_>>()?;
        Ok(Scored { moves, source: None })
    }

    /// Chooses among the moves of `selection`, and reports as many best moves with their lines as it asks for. The
    /// scores come from a table, else from certificates, the opening, proofs of the winner after each move, and
    /// principal variation search. A move that is known to win comes before all others, and a move that is known to
    /// lose after them. With the default selection, this is the same as [`Player::choose`].
    pub fn choose_among(
        &mut self,
        session: &Session,
        selection: &Selection,
        limits: &Limits,
        listener: &mut dyn Listener,
    ) -> Chosen {
        if selection.is_default() {
            return self.choose(session, limits, listener);
        }
        let begun = Stopwatch::start();
        let why = match self.by_table(session, selection, limits, listener) {
            Err(error) if !error.is_waiting() => error.to_string(),
            chosen => match chosen? {
                Ok(choice) => return Ok(choice),
                Err(why) => why,
            },
        };
        let mut outcomes = MoveOutcomes::new(session, selection);
        self.judge_moves(session, &mut outcomes, listener)?;
        self.prove_moves(session, &mut outcomes, limits, listener)?;
        let wins = outcomes.report_wins(listener);
        let open = outcomes.open_groups();
        if wins.len() >= selection.lines || open.is_empty() {
            return wins.into_iter().next().ok_or_else(|| no_move(session));
        }
        let why = match outcomes.lost_by() {
            None => why,
            Some(source) if selection.moves.is_none() => {
                format!("the position is lost according to {source}")
            }
            Some(source) => format!("these moves lose according to {source}"),
        };
        listener.report(PlayerReport::Remark(format!("{why}; searching for a move")));
        let lines = selection.lines - wins.len();
        let first_rank = (selection.lines > 1).then_some(wins.len() + 1);
        let root = RootMoves { groups: open, lines, first_rank };
        let (rest, mut later) = Later::after(begun.elapsed(), limits, listener);
        let found = self.search.choose_lines(session, &root, &rest, &mut later)?;
        let sure = outcomes.lost_by().map(|_| Score::Decided(Outcome::Loss)).filter(|_| found.score.plies().is_none());
        Ok(wins.into_iter().next().unwrap_or(Choice { score: sure.unwrap_or(found.score), ..found }))
    }

    /// Adds what the certificates and the opening know about the moves.
    fn judge_moves(
        &mut self,
        session: &Session,
        outcomes: &mut MoveOutcomes,
        listener: &mut dyn Listener,
    ) -> Result<()> {
        let Some(Certified { outcome, source, trust, mv }) = self.by_certificate(session, listener)? else {
            return Ok(());
        };
        let after = mv.map(|mv| session.game().play(session.position(), mv));
        if let Some(after) = &after {
            outcomes.prefer(after);
        }
        let judged = match self.answerer.judge_by_files(session.position()) {
            Err(error) if !error.is_waiting() => {
                listener.report(PlayerReport::Remark(error.to_string()));
                Vec::new()
            }
            judged => judged?,
        };
        for JudgedMove { position, outcome, value, .. } in judged {
            if let Some(score) = value.map(Score::exact).or(outcome.map(Score::Decided))
                && !session.draws_by_repetition(&position)
            {
                outcomes.set(&position, score, source, Some(trust));
            }
        }
        // These are known even if the files of the other moves cannot be read.
        match (outcome, after) {
            (Outcome::Win, Some(after)) if !session.draws_by_repetition(&after) => {
                outcomes.set(&after, Score::Decided(outcome), source, Some(trust));
            }
            (Outcome::Loss, _) => outcomes.set_all(Score::Decided(outcome), source, Some(trust)),
            _ => {}
        }
        Ok(())
    }

    /// Proves the winners after the moves whose outcome is not known, in a part of the time ([`ProofWatch`]), until
    /// enough winning moves are known. Does nothing if depth or nodes are limited, as [`CombinedPlayer::by_proof`].
    fn prove_moves(
        &mut self,
        session: &Session,
        outcomes: &mut MoveOutcomes,
        limits: &Limits,
        listener: &mut dyn Listener,
    ) -> Result<()> {
        let is_enough = outcomes.has_enough_wins() || outcomes.unknown().is_empty();
        if is_enough || limits.depth.is_some() || limits.nodes.is_some() || !session.game().has_proofs() {
            return Ok(());
        }
        let (game, position, mover) = (session.game(), session.position(), session.side());
        let score_after = |after: &AnyPosition, winner| match game.terminal_value(after) {
            Some(value) => Score::exact(value.of_move()),
            None => Score::Decided(Outcome::of_winner(Some(winner), mover)),
        };
        let mut watch = ProofWatch::new(limits, listener);
        if outcomes.are_all_moves()
            && let Some((winner, mv)) = self.answerer.prove_move(position, &mut |work| watch.go_on(work))?
        {
            let known = if winner == mover { mv.into_iter().collect() } else { outcomes.unknown() };
            for after in known.into_iter().map(|mv| game.play(position, mv)) {
                outcomes.set(&after, score_after(&after, winner), Source::Proof, None);
            }
        }
        let open = outcomes.unknown();
        if outcomes.has_enough_wins() || open.is_empty() {
            return Ok(());
        }
        let outcomes = RefCell::new(outcomes);
        // The progress counts all legal moves, and these may be fewer.
        let mut go_on = |work: &DecideProgress| {
            let outcomes = outcomes.borrow();
            let [refuted, moves] = outcomes.losses();
            !outcomes.has_enough_wins() && watch.go_on(&DecideProgress { refuted, moves, ..*work })
        };
        let mut decided = |at: usize, winner| {
            let after = game.play(position, open[at]);
            outcomes.borrow_mut().set(&after, score_after(&after, winner), Source::Proof, None);
        };
        self.answerer.prove_moves(position, &open, &mut go_on, &mut decided)
    }

    /// Searches for a proof of the winner, in a part of the time for the move ([`ProofWatch`]). Returns `None` if
    /// the time does not suffice. Also returns `None` if depth or nodes are limited: the choice must then be
    /// repeatable, but the time that a proof takes varies.
    fn by_proof(
        &mut self,
        session: &Session,
        limits: &Limits,
        listener: &mut dyn Listener,
    ) -> Result<Option<Knowledge>> {
        if limits.depth.is_some() || limits.nodes.is_some() || !session.game().has_proofs() {
            return Ok(None);
        }
        let mut watch = ProofWatch::new(limits, listener);
        let proved = self.answerer.prove_move(session.position(), &mut |work| watch.go_on(work))?;
        Ok(proved.map(|(winner, mv)| {
            let outcome = Outcome::of_winner(Some(winner), session.side());
            let Some(mv) = mv else { return Knowledge::Outcome(outcome, Source::Proof, None) };
            let score = Score::Decided(outcome);
            listener.report(PlayerReport::Known { score, mv, source: ScoreSource::new(Source::Proof, None) });
            Knowledge::Move(Choice { mv, score })
        }))
    }

    /// Chooses a move by the game's exact search. Returns `None` if the game has no exact search, or if the search may
    /// take longer than a few tenths of a second.
    fn by_exact_search(&self, session: &Session) -> Option<Choice> {
        let solution = self.answerer.quick_search(session.position())?;
        Some(Choice { mv: solution.best?, score: Score::exact(solution.value) })
    }
}

impl Player for CombinedPlayer<'_> {
    /// Chooses a move by the best source that knows the position. If files cannot be read, reports why and falls back
    /// to the search.
    fn choose(&mut self, session: &Session, limits: &Limits, listener: &mut dyn Listener) -> Chosen {
        let begun = Stopwatch::start();
        let known = match self.known(session, limits, listener) {
            Err(error) if !error.is_waiting() => Knowledge::Nothing(error.to_string()),
            known => known?,
        };
        let known = match known {
            known @ (Knowledge::Nothing(_) | Knowledge::Outcome(Outcome::Win, ..)) => {
                self.by_proof(session, limits, listener)?.unwrap_or(known)
            }
            known => known,
        };
        let is_won = matches!(known, Knowledge::Outcome(Outcome::Win, ..));
        let (outcome, why) = match known {
            Knowledge::Move(choice) => return Ok(choice),
            // The search may choose a move that does not win, so its score stays an estimate.
            Knowledge::Outcome(Outcome::Win, source, trust) => (
                None,
                format!(
                    "the position is won according to {}, which does not say by which move",
                    source.in_words(trust)
                ),
            ),
            Knowledge::Outcome(outcome, source, trust) => {
                (Some(outcome), format!("the position is lost according to {}", source.in_words(trust)))
            }
            Knowledge::Nothing(why) => (None, why),
        };
        listener.report(PlayerReport::Remark(format!("{why}; searching for a move")));
        // Some moves of a won position may be known to lose.
        let mut root = None;
        if is_won {
            let mut outcomes = MoveOutcomes::new(session, &Selection::default());
            self.judge_moves(session, &mut outcomes, listener)?;
            let [lost, _] = outcomes.losses();
            root = (lost > 0).then(|| RootMoves { groups: outcomes.open_groups(), lines: 1, first_rank: None });
        }
        let (rest, mut later) = Later::after(begun.elapsed(), limits, listener);
        let choice = match root {
            None => self.search.choose(session, &rest, &mut later)?,
            Some(root) => self.search.choose_lines(session, &root, &rest, &mut later)?,
        };
        let sure = outcome.map(Score::Decided).filter(|_| choice.score.plies().is_none());
        Ok(Choice { score: sure.unwrap_or(choice.score), ..choice })
    }
}

/// The knowledge about a position before principal variation search.
enum Knowledge {
    /// A best move.
    Move(Choice),
    /// The outcome for the side to move, without a best move, and the source of the outcome. [`Trust`] is the state of
    /// a certificate or an opening.
    Outcome(Outcome, Source, Option<Trust>),
    /// Nothing is known. The text says why.
    Nothing(String),
}

impl CombinedPlayer<'_> {
    /// Asks the table, the excerpt of a table, the certificates and the exact search, in this order.
    fn known(&mut self, session: &Session, limits: &Limits, listener: &mut dyn Listener) -> Result<Knowledge> {
        let why = match self.by_table(session, &Selection::default(), limits, listener)? {
            Ok(choice) => return Ok(Knowledge::Move(choice)),
            Err(why) => why,
        };
        if let Some(choice) = self.by_excerpt(session, listener)? {
            return Ok(Knowledge::Move(choice));
        }
        let certified = self.by_certificate(session, listener)?;
        if let Some(Certified { outcome, mv: Some(mv), source, trust }) = certified {
            let score = Score::Decided(outcome);
            let source = ScoreSource::new(source, Some(trust));
            listener.report(PlayerReport::Known { score, mv, source });
            return Ok(Knowledge::Move(Choice { mv, score }));
        }
        if let Some(choice) = self.by_exact_search(session) {
            let Choice { score, mv } = choice;
            listener.report(PlayerReport::Known { score, mv, source: ScoreSource::new(Source::Search, None) });
            return Ok(Knowledge::Move(choice));
        }
        Ok(certified.map_or(Knowledge::Nothing(why), |Certified { outcome, source, trust, .. }| {
            Knowledge::Outcome(outcome, source, Some(trust))
        }))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::Score;
    use yomikiri_rules::Notation;
    use yomikiri_solve::{Solvable, SolveOptions};
    use yomikiri_table::Silent;

    /// A listener that collects the reports of a player.
    struct Reports(Vec<PlayerReport>);

    impl Listener for Reports {
        fn report(&mut self, report: PlayerReport) {
            self.0.push(report);
        }
    }

    #[test]
    fn what_the_table_does_not_have_is_searched() {
        let (game, folder) = (AnyGame::parse("bin2x2").unwrap(), tempfile::tempdir().unwrap());
        let options = SolveOptions { memory: 1 << 30, force: false, checkpoint: Duration::MAX, progress: &Silent };
        let table = yomikiri_solve::pipeline::analyze(&game, None, folder.path(), &options).unwrap().table;
        let odd =
            |position: &_| game.terminal_value(position).is_none() && game.probe(&table, position).unwrap().is_none();
        let odd = (0..).filter_map(|key| game.unrank(key)).find(odd).expect("some positions cannot arise");
        let mut player = CombinedPlayer::new(&game, folder.path());
        for (position, by_table) in [(game.start(), true), (odd, false), (game.start(), true)] {
            let (session, mut reports) = (Session::new(&game, position), Reports(Vec::new()));
            let limits = Limits { depth: Some(10), ..Limits::default() };
            let choice = player.choose(&session, &limits, &mut reports).unwrap();
            assert!(matches!(choice.score, Score::Won(_) | Score::Lost(_)), "{:?}", choice.score);
            match &reports.0[0] {
                PlayerReport::Known { .. } => assert!(by_table),
                PlayerReport::Remark(why) => assert!(!by_table && why.contains("does not have"), "{why}"),
                other => panic!("{other:?}"),
            }
        }
    }

    /// Without a table, a player that has enough time for proofs plays as well as with a table. A node limit rules out
    /// proofs, because proofs are not the same in each run.
    #[test]
    fn what_is_proved_is_played_without_mistakes() {
        let (game, folder) = (AnyGame::parse("bin3x3").unwrap(), tempfile::tempdir().unwrap());
        let options = SolveOptions { memory: 1 << 30, force: false, checkpoint: Duration::MAX, progress: &Silent };
        let table = yomikiri_solve::pipeline::analyze(&game, None, folder.path(), &options).unwrap().table;
        let value =
            |position: &_| game.terminal_value(position).or_else(|| game.probe(&table, position).unwrap()).unwrap();
        let mut player = CombinedPlayer::new(&game, folder.path().join("nowhere"));
        let mut random = fastrand::Rng::with_seed(3);
        let (mut position, mut proved) = (game.start(), [0; 2]);
        for _ in 0..60 {
            if game.terminal_value(&position).is_some() {
                position = game.start();
            }
            let (session, mut reports) = (Session::new(&game, position), Reports(Vec::new()));
            let limits = Limits { time: Some(Duration::from_secs(60)), ..Limits::default() };
            let choice = player.choose(&session, &limits, &mut reports).unwrap();
            let (before, after) =
                (value(&position).outcome(), value(&game.play(&position, choice.mv)).of_move().outcome());
            assert_eq!(before, after, "{} {}", game.position_text(&position), game.move_text(choice.mv));
            let is_proof = |source: &ScoreSource| source.kind == Source::Proof;
            let by_proof =
                |report: &PlayerReport| matches!(report, PlayerReport::Known { source, .. } if is_proof(source));
            let lost = "the position is lost according to a proof";
            let says_lost =
                |report: &PlayerReport| matches!(report, PlayerReport::Remark(why) if why.starts_with(lost));
            match before {
                Outcome::Win => assert!(reports.0.iter().any(by_proof), "{:?}", reports.0),
                _ => assert!(reports.0.iter().any(says_lost), "{:?}", reports.0),
            }
            proved[usize::from(before == Outcome::Win)] += 1;
            let limits = Limits { nodes: Some(1000), ..Limits::default() };
            let mut reports = Reports(Vec::new());
            player.choose(&session, &limits, &mut reports).unwrap();
            assert!(!reports.0.iter().any(|report| by_proof(report) || says_lost(report)));
            position = game.play(&position, *random.choice(&session.moves()).unwrap());
        }
        assert!(proved.iter().all(|&count| count > 5), "{proved:?}");
    }
}
