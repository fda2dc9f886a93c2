//! Infers the answers for all codes of one game from the answer for one code.

use std::collections::HashMap;

use yomikiri_answer::survey::{DecidedBy, Finding, Question};
use yomikiri_rules::games::animal_shogi::AnimalShogi;
use yomikiri_rules::games::reversi::Reversi;
use yomikiri_rules::{AnyGame, Game, Notation};

use super::ask::Runner;
use super::variants::{Job, Variant};

/// The sources of answers that are inferred from the answer for another code.
const FOLLOWS: [DecidedBy; 2] = [DecidedBy::Transposition, DecidedBy::SameGame];

impl Runner {
    /// Decides the variants of a job, whose codes are all of one game. `settled` has the findings of earlier runs that
    /// need no further work, by rule code. Gets the answer for one code of the game, and infers from it the answers
    /// that `settled` does not decide. This one code is the first of these that exists:
    /// - a code that `settled` decides, not by inference from another code,
    /// - a code with a table,
    /// - [`Variant::same_game`], the code that represents the game.
    ///
    /// If `settled` has no finding about this code, asks another subcommand. Returns a finding for each variant in
    /// order, or `None` if the survey is to stop.
    pub fn decide_by_same_game(
        &self,
        job: &Job,
        question: Question,
        settled: &HashMap<String, Finding>,
    ) -> Option<Vec<Finding>> {
        let is_decided =
            |code: &String| settled.get(code).is_some_and(|found| found.open.is_none() && !FOLLOWS.contains(&found.by));
        let first = job.variants.first()?;
        let others = [Some(first.same_game()), transpose(first)].into_iter().flatten();
        let others = others.filter_map(|code| Variant::of(&code).ok());
        let mut variants: Vec<Variant> = others.chain(job.variants.iter().cloned()).collect();
        variants.sort_by_key(|variant| (!is_decided(&variant.code()), !self.has_table(variant)));
        let asked = variants.first()?;
        let found = match settled.get(&asked.code()) {
            Some(found) => found.clone(),
            None => self.decide(asked, question)?,
        };
        let answer_of = |variant: &Variant| match settled.get(&variant.code()) {
            Some(known) if known.open.is_none() => known.clone(),
            _ if variant.code() == asked.code() => found.clone(),
            _ => translate(variant, &found, asked),
        };
        Some(job.variants.iter().map(answer_of).collect())
    }
}

/// Returns the code of a reversi board with files and ranks exchanged, since there may be a table of that board.
/// Returns `None` for other games.
fn transpose(variant: &Variant) -> Option<String> {
    let AnyGame::Reversi(Reversi { rules }) = &variant.game else { return None };
    rules.transpose().map(|rules| rules.code())
}

/// Converts `found`, a finding about the variant `asked`, to a finding about `other`, a variant with another code of
/// the same game.
fn translate(other: &Variant, found: &Finding, asked: &Variant) -> Finding {
    let first_moves = found.first_moves.as_ref().map(|moves| {
        let mut moves: Vec<String> = moves.iter().map(|text| move_of(other, text, asked)).collect();
        moves.sort();
        moves
    });
    let [transposition, same_game] = FOLLOWS;
    let by = if matches!(asked.game, AnyGame::Reversi(_)) { transposition } else { same_game };
    Finding { first_moves, by, ..found.clone() }
}

/// Converts `text`, a first move of the variant `asked`, to the notation of the variant `other`.
fn move_of(other: &Variant, text: &str, asked: &Variant) -> String {
    let mv = match (&asked.game, &other.game) {
        (AnyGame::Reversi(from), AnyGame::Reversi(to)) => {
            Reversi::parse_move(from, &from.start(), text).map(|mv| to.move_text(mv.transposed()))
        }
        (AnyGame::AnimalShogi(from), AnyGame::AnimalShogi(to)) if from.rules.exchanges() != to.rules.exchanges() => {
            AnimalShogi::parse_move(from, &from.start(), text).map(|mv| to.move_text(mv.exchanged()))
        }
        _ => return text.into(),
    };
    mv.unwrap_or_else(|_| text.into())
}
