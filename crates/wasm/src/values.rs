//! Answers questions about values, from tables, certificates, small subgames and searches.

use serde::Serialize;
use yomikiri_answer::{Answerer, LineReport, ProofObserver, ProofQuestion, QueryReport, Source};
use yomikiri_play::{CombinedPlayer, Limits, Player, Session, SourceListener, Strength, WeakenedPlayer};
use yomikiri_rules::{AnyGame, Game, Notation};
use yomikiri_table::{Silent, TableError};

use super::failure::Failure;
use super::files::Files;
use super::proofs;
use super::question::{BestLine, Choose, Named, Query};

/// The default memory, in bytes, for solving positions that no table has.
const MEMORY: u64 = 64 << 20;

/// The move chosen for the side to move.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Choice {
    /// The move, in the game's notation.
    #[serde(rename = "move")]
    mv: String,
    /// The source of the move; `null` if a search found it.
    source: Option<Source>,
}

/// Creates an answerer from the files that a question names.
fn answerer<'a>(game: &'a AnyGame, files: &Files, named: &Named) -> Result<Answerer<'a>, TableError> {
    let table = named.table.map(|file| files.table(game, file)).transpose()?;
    let certificate = named.certificate.map(|file| files.certificate(game, file)).transpose()?;
    let opening = named.opening.map(|file| files.opening(game, file)).transpose()?;
    let mut answerer = Answerer::of(game, table, certificate.into_iter().chain(opening));
    if let Some(file) = named.excerpt {
        answerer.add_excerpt(files.excerpt(game, file)?);
    }
    Ok(answerer)
}

impl Query {
    pub fn answer(&self, game: &AnyGame, files: &Files) -> Result<QueryReport, Failure> {
        let position = game.parse_position(&self.position)?;
        let mut answerer = answerer(game, files, &self.files)?;
        let memory = self.memory.map_or(MEMORY, u64::from);
        match self.slices {
            None => Ok(QueryReport::ask(&mut answerer, &position, memory, &Silent)?),
            Some(slices) => {
                let question = ProofQuestion { moves: true, plies: false, beyond_certificates: false };
                proofs::restore(&mut answerer);
                let mut left = Slices(slices);
                let report = QueryReport::prove(&mut answerer, &position, memory, question, &Silent, &mut left);
                proofs::keep(&mut answerer);
                Ok(report?)
            }
        }
    }
}

/// The number of slices of work, of some hundredths of a second each, that a proof may still take. A slice ends with a
/// call of [`ProofObserver::go_on`].
struct Slices(u32);

impl ProofObserver for Slices {
    fn go_on(&mut self) -> bool {
        let goes_on = self.0 > 0;
        self.0 = self.0.saturating_sub(1);
        goes_on
    }
}

impl BestLine {
    pub fn answer(&self, game: &AnyGame, files: &Files) -> Result<LineReport, Failure> {
        let position = game.parse_position(&self.position)?;
        if game.terminal_value(&position).is_some() {
            return Err(over());
        }
        let mut answerer = answerer(game, files, &self.files)?;
        let memory = self.memory.map_or(MEMORY, u64::from);
        Ok(answerer.line(&position, self.plies as usize, memory, &Silent)?.report(game))
    }
}

impl Choose {
    pub fn answer(&self, game: &AnyGame, files: &Files) -> Result<Choice, Failure> {
        let mut session = Session::new(game, game.parse_position(&self.position)?);
        session.act_on_all(self.moves.as_deref().unwrap_or_default())?;
        if session.ending().is_some() {
            return Err(over());
        }
        let limits = Limits { nodes: self.nodes, depth: self.depth, ..Limits::default() };
        if limits == Limits::default() {
            return Err(Failure::Text("nodes or depth is required: there is no clock to end the search".into()));
        }
        let strength = self.strength.map_or(Some(Strength::FULL), Strength::new);
        let strength = strength.ok_or_else(|| Failure::Text("strength is not a number from 0 to 100".into()))?;
        let best = CombinedPlayer::with_answerer(answerer(game, files, &self.files)?);
        let mut player = WeakenedPlayer::new(best, strength, self.seed.unwrap_or_default().into());
        let mut told = SourceListener(None);
        let choice = player.choose(&session, &limits, &mut told)?;
        Ok(Choice { mv: game.move_text(choice.mv), source: told.0.map(|source| source.kind) })
    }
}

fn over() -> Failure {
    Failure::Text("the game is over".into())
}
