//! Answers that take values: by tables, by certificates, by solving what is small, by looking ahead.

use serde::Serialize;
use yomikiri_answer::{Answerer, LineReport, QueryReport, Source};
use yomikiri_play::{CombinedPlayer, Limits, Player, Session, Strength, Told, WeakenedPlayer};
use yomikiri_solve::{Playable, Solvable};
use yomikiri_table::{Silent, TableError};

use super::failure::Failure;
use super::files::Files;
use super::question::{BestLine, Choose, Named, Query};

/// Bytes of memory for what no table reaches, if nobody says otherwise.
const MEMORY: u64 = 64 << 20;

/// A move for the side to move.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Choice {
    #[serde(rename = "move")]
    mv: String,
    /// What is known to say so; none if the move was found by looking ahead.
    source: Option<Source>,
}

/// Opens the files that a question names.
fn answerer<'a, G: Solvable>(game: &'a G, files: &Files, named: &Named) -> Result<Answerer<'a, G>, TableError> {
    let table = named.table.map(|file| files.table(game, file)).transpose()?;
    let certificate = named.certificate.map(|file| files.certificate(game, file)).transpose()?;
    let mut answerer = Answerer::of(game, table, certificate);
    if let Some(file) = named.excerpt {
        answerer.add_excerpt(files.excerpt(game, file)?);
    }
    Ok(answerer)
}

impl Query {
    pub fn answer<G: Solvable>(&self, game: &G, files: &Files) -> Result<QueryReport, Failure> {
        let position = game.parse_position(&self.position)?;
        let mut answerer = answerer(game, files, &self.files)?;
        Ok(QueryReport::ask(&mut answerer, &position, self.memory.map_or(MEMORY, u64::from), &Silent)?)
    }
}

impl BestLine {
    pub fn answer<G: Solvable>(&self, game: &G, files: &Files) -> Result<LineReport, Failure> {
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
    pub fn answer<G: Playable>(&self, game: &G, files: &Files) -> Result<Choice, Failure> {
        let mut session = Session::new(game, game.parse_position(&self.position)?);
        session.act_on_all(self.moves.as_deref().unwrap_or_default())?;
        if session.ending().is_some() {
            return Err(over());
        }
        let limits = Limits { nodes: self.nodes, depth: self.depth, ..Limits::default() };
        if limits == Limits::default() {
            return Err(Failure::Text("needs nodes or depth: there is no clock to end the search".into()));
        }
        let strength = self.strength.map_or(Some(Strength::FULL), Strength::new);
        let strength = strength.ok_or_else(|| Failure::Text("strength is no number from 0 to 100".into()))?;
        let best = CombinedPlayer::of(answerer(game, files, &self.files)?);
        let mut player = WeakenedPlayer::new(best, strength, self.seed.unwrap_or_default().into());
        let mut told = Told(None);
        let choice = player.choose(&session, &limits, &mut told)?;
        Ok(Choice { mv: game.move_text(choice.mv), source: told.0 })
    }
}

fn over() -> Failure {
    Failure::Text("the game is over".into())
}
