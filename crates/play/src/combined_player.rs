//! The player that combines what there is: a table that has the position, an excerpt of one, a certificate of who wins,
//! the game's exact search where that is quick, else looking ahead.

use std::num::NonZeroUsize;

use super::player::{Choice, Chosen, Limits, Listener, Player, Report, Score};
use super::session::{Action, Ending, Session};
use super::{SearchPlayer, TablePlayer};
use yomikiri_answer::{Answerer, JudgedMove, Oracle, Source};
use yomikiri_rules::{Outcome, Value};
use yomikiri_solve::{Evaluate, Result, Solvable};
use yomikiri_table::{Location, Silent};

/// Plays one game.
pub struct CombinedPlayer<'a, G: Solvable> {
    answerer: Answerer<'a, G>,
    search: SearchPlayer,
    /// Whether to look for tables and certificates at all.
    pub uses_table: bool,
    /// A certificate that cannot be read has been reported.
    damage_reported: bool,
}

/// What a certificate says of a position.
#[derive(Clone, Copy)]
struct Certified<M> {
    outcome: Outcome,
    /// A move, if it is won.
    mv: Option<M>,
    /// Whether the certificate has passed `yomikiri check`.
    is_checked: bool,
}

/// Moves with what the side that makes them can expect.
pub struct Scored<M> {
    pub moves: Vec<(M, Score)>,
    /// What tells so; none if it is guessed by looking ahead.
    pub source: Option<Source>,
}

/// Memory of the search in bytes if nobody says otherwise.
pub const MEMORY: usize = 16 << 20;

/// Memory of the search behind one of several moves.
const MEMORY_OF_A_MOVE: usize = 1 << 20;

impl<'a, G: Solvable + Evaluate> CombinedPlayer<'a, G> {
    /// A player with its tables and certificates at `location`, a folder or an address, where they are looked for when
    /// they are needed.
    pub fn new(game: &'a G, location: impl Into<Location>) -> Self {
        CombinedPlayer::of(Answerer::new(game, location))
    }

    /// A player by what answers already.
    pub fn of(mut answerer: Answerer<'a, G>) -> Self {
        answerer.set_search_memory(MEMORY as u64);
        CombinedPlayer { answerer, search: SearchPlayer::new(MEMORY), uses_table: true, damage_reported: false }
    }

    /// Looks for them elsewhere from now on.
    pub fn set_location(&mut self, location: impl Into<Location>) {
        self.answerer.set_location(location);
        self.damage_reported = false;
    }

    /// Reads tables into memory, or goes back to the files: [`Answerer::set_resident`].
    pub fn set_resident(&mut self, is_resident: bool) {
        self.answerer.set_resident(is_resident);
    }

    /// Gives the search so many bytes for what it finds. An error, with all as it was, if the machine has not as many.
    pub fn set_memory(&mut self, bytes: usize) -> Result<()> {
        let mut search = SearchPlayer::try_new(bytes)?;
        search.set_threads(self.search.threads());
        self.search = search;
        self.answerer.set_search_memory(bytes as u64);
        Ok(())
    }

    /// Lets the search think on so many threads.
    pub fn set_threads(&mut self, threads: NonZeroUsize) {
        self.search.set_threads(threads);
    }

    /// The choice of a table; the text says why there is none.
    fn by_table(
        &mut self,
        session: &Session<G>,
        limits: &Limits,
        listener: &mut dyn Listener<G::Move>,
    ) -> Result<Result<Choice<G::Move>, String>> {
        let oracle = match self.table(session)? {
            Ok(oracle) => oracle,
            Err(why) => return Ok(Err(why)),
        };
        match TablePlayer::new(oracle).choose(session, limits, listener) {
            Err(error) if !error.is_waiting() => Ok(Err(error.to_string())),
            choice => choice.map(Ok),
        }
    }

    /// The table that has the position; the text says why there is none.
    fn table(&mut self, session: &Session<G>) -> Result<Result<Oracle<'a, G>, String>> {
        if !self.uses_table {
            return Ok(Err("the table is switched off".into()));
        }
        Ok(self.answerer.readable_table_of(session.position())?)
    }

    /// What the certificates say of a position, as far as they know it: its outcome, and a move if it is won. One that
    /// cannot be read is reported once.
    fn by_certificate(
        &mut self,
        session: &Session<G>,
        listener: &mut dyn Listener<G::Move>,
    ) -> Result<Option<Certified<G::Move>>> {
        if !self.uses_table || self.damage_reported {
            return Ok(None);
        }
        let known = self.answerer.certificates().and_then(|certificates| {
            let Some(winner) = certificates.winner(session.position())? else { return Ok(None) };
            let outcome = Outcome::of_winner(Some(winner), session.side());
            let mv = certificates.winning_move(session.position())?;
            Ok(Some(Certified { outcome, mv, is_checked: certificates.is_checked(session.position())? }))
        });
        match known {
            Err(error) if !error.is_waiting() => {
                self.damage_reported = true;
                listener.hear(Report::Remark(error.to_string()));
                Ok(None)
            }
            known => Ok(known?),
        }
    }

    /// The choice of an excerpt, if there is one that knows the position.
    fn by_excerpt(
        &self,
        session: &Session<G>,
        listener: &mut dyn Listener<G::Move>,
    ) -> Result<Option<Choice<G::Move>>> {
        if !self.uses_table {
            return Ok(None);
        }
        let Some(excerpt) = self.answerer.excerpt_of(session.position())? else { return Ok(None) };
        let best = excerpt.judge(session.position())?.into_iter().next();
        let known = best.and_then(|best| Some(Choice { mv: best.mv, score: Score::known(best.value?) }));
        if let Some(Choice { mv, score }) = known {
            listener.hear(Report::Known { score, mv, source: Source::Excerpt, remark: String::new() });
        }
        Ok(known)
    }

    /// All legal moves with what the side to move can expect of each: by a table; by a certificate, if that side wins;
    /// else by looking ahead behind each, the limits being for all of them together.
    pub fn scores(
        &mut self,
        session: &Session<G>,
        limits: &Limits,
        listener: &mut dyn Listener<G::Move>,
    ) -> Result<Scored<G::Move>> {
        let game = session.game();
        let repeated =
            |score, after: &G::Position| if session.draws_by_repetition(after) { Score::Drawn } else { score };
        if let Ok(oracle) = self.table(session)? {
            let moves = oracle.answer(session.position())?.moves;
            let moves = moves.iter().map(|mv| (mv.mv, repeated(Score::known(mv.value), &mv.position))).collect();
            return Ok(Scored { moves, source: Some(Source::Table) });
        }
        if let Some(excerpt) = self.answerer.excerpt_of(session.position())?.filter(|_| self.uses_table) {
            // What is not listed is no better than the best, and most of it is worse.
            let unknown = match excerpt.value(session.position())?.map(Value::outcome) {
                Some(Outcome::Win) => Outcome::Draw,
                _ => Outcome::Loss,
            };
            let score = |mv: &JudgedMove<G>| mv.value.map_or(Score::Decided(unknown), Score::known);
            let judged = excerpt.judge(session.position())?;
            let moves = judged.iter().map(|mv| (mv.mv, repeated(score(mv), &mv.position))).collect();
            return Ok(Scored { moves, source: Some(Source::Excerpt) });
        }
        let wins = |certified: &Certified<_>| certified.outcome == Outcome::Win;
        if self.by_certificate(session, listener)?.filter(wins).is_some() {
            let judged = self.answerer.judge(session.position(), &Silent)?;
            // Of what nobody knows half a game may be lost.
            let unknown = Score::Decided(Outcome::Draw);
            let score = |mv: &JudgedMove<G>| match mv.value {
                Some(value) => Score::known(value),
                None => mv.outcome.map_or(unknown, Score::Decided),
            };
            let moves = judged.iter().map(|mv| (mv.mv, repeated(score(mv), &mv.position))).collect();
            return Ok(Scored { moves, source: Some(Source::Certificate) });
        }
        let moves = session.moves();
        let share = Limits { nodes: limits.nodes.map(|nodes| nodes / moves.len().max(1) as u64), ..*limits };
        let mut search = SearchPlayer::new(MEMORY_OF_A_MOVE);
        let mut score = |&mv: &G::Move| {
            let mut after = session.clone();
            after.act(Action::Move(mv));
            let score = match after.ending() {
                Some(Ending::Repetition) => Score::Drawn,
                Some(_) => {
                    game.terminal_value(after.position()).map_or(Score::Drawn, |value| Score::known(value.of_move()))
                }
                None => search.choose(&after, &share, listener)?.score.before(),
            };
            Ok((mv, score))
        };
        let moves = moves.iter().map(&mut score).collect::<Result<_>>()?;
        Ok(Scored { moves, source: None })
    }

    /// The choice of the exact search where there is one and it takes no time.
    fn by_exact_search(&self, session: &Session<G>) -> Option<Choice<G::Move>> {
        let solution = self.answerer.quick_search(session.position())?;
        Some(Choice { mv: solution.best?, score: Score::known(solution.value) })
    }
}

impl<G: Solvable + Evaluate> Player<G> for CombinedPlayer<'_, G> {
    /// Falls back on the search, saying why: files that cannot be read cost no move.
    fn choose(&mut self, session: &Session<G>, limits: &Limits, listener: &mut dyn Listener<G::Move>) -> Chosen<G> {
        let known = match self.known(session, limits, listener) {
            Err(error) if !error.is_waiting() => Known::Nothing(error.to_string()),
            known => known?,
        };
        let (outcome, why) = match known {
            Known::Move(choice) => return Ok(choice),
            Known::Outcome(outcome) => (Some(outcome), "lost, as a certificate says".into()),
            Known::Nothing(why) => (None, why),
        };
        listener.hear(Report::Remark(format!("{why}: searching")));
        let choice = self.search.choose(session, limits, listener)?;
        let sure = outcome.map(Score::Decided).filter(|_| choice.score.plies().is_none());
        Ok(Choice { score: sure.unwrap_or(choice.score), ..choice })
    }
}

/// What is known of a position without looking ahead.
enum Known<M> {
    /// A best move.
    Move(Choice<M>),
    /// Who wins, and no move.
    Outcome(Outcome),
    /// Nothing, for this reason.
    Nothing(String),
}

impl<G: Solvable + Evaluate> CombinedPlayer<'_, G> {
    /// Asks table, excerpt, certificates and the exact search, in this order.
    fn known(
        &mut self,
        session: &Session<G>,
        limits: &Limits,
        listener: &mut dyn Listener<G::Move>,
    ) -> Result<Known<G::Move>> {
        let why = match self.by_table(session, limits, listener)? {
            Ok(choice) => return Ok(Known::Move(choice)),
            Err(why) => why,
        };
        if let Some(choice) = self.by_excerpt(session, listener)? {
            return Ok(Known::Move(choice));
        }
        let certified = self.by_certificate(session, listener)?;
        if let Some(Certified { outcome, mv: Some(mv), is_checked }) = certified {
            let score = Score::Decided(outcome);
            let remark = if is_checked { String::new() } else { "unchecked".into() };
            listener.hear(Report::Known { score, mv, source: Source::Certificate, remark });
            return Ok(Known::Move(Choice { mv, score }));
        }
        if let Some(choice) = self.by_exact_search(session) {
            let Choice { score, mv } = choice;
            listener.hear(Report::Known { score, mv, source: Source::Search, remark: String::new() });
            return Ok(Known::Move(choice));
        }
        Ok(certified.map_or(Known::Nothing(why), |certified| Known::Outcome(certified.outcome)))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::Score;
    use yomikiri_rules::Game;
    use yomikiri_rules::games::binarsi::Binarsi;
    use yomikiri_solve::SolveOptions;
    use yomikiri_table::Silent;

    /// Keeps what is reported.
    struct Reports<M>(Vec<Report<M>>);

    impl<M> Listener<M> for Reports<M> {
        fn hear(&mut self, report: Report<M>) {
            self.0.push(report);
        }

        fn wants_answer(&mut self) -> bool {
            false
        }
    }

    #[test]
    fn what_the_table_does_not_have_is_searched() {
        let (game, folder) = (Binarsi::parse("bin2x2").unwrap(), tempfile::tempdir().unwrap());
        let options = SolveOptions { memory: 1 << 30, force: false, checkpoint: Duration::MAX, progress: &Silent };
        let table = yomikiri_solve::pipeline::analyze(&game, None, folder.path(), &options).unwrap().table;
        let odd =
            |position: &_| game.terminal_value(position).is_none() && game.probe(&table, position).unwrap().is_none();
        let odd = (0..).filter_map(|key| game.unrank(key)).find(odd).expect("some positions cannot arise");
        let mut player = CombinedPlayer::new(&game, folder.path());
        for (position, by_table) in [(game.start(), true), (odd, false), (game.start(), true)] {
            let (session, mut reports) = (Session::new(&game, position), Reports(Vec::new()));
            let choice = player.choose(&session, &Limits::default(), &mut reports).unwrap();
            assert!(matches!(choice.score, Score::Won(_) | Score::Lost(_)), "{:?}", choice.score);
            match &reports.0[0] {
                Report::Known { .. } => assert!(by_table),
                Report::Remark(why) => assert!(!by_table && why.contains("does not have"), "{why}"),
                searched @ Report::Searched { .. } => panic!("{searched:?}"),
            }
        }
    }
}
