//! From one code to another of the same game: one of them is asked about.

use std::collections::HashMap;

use yomikiri_answer::survey::{DecidedBy, Finding, Question};
use yomikiri_rules::games::animal_shogi::AnimalShogi;
use yomikiri_rules::games::reversi::Reversi;
use yomikiri_rules::{AnyGame, Game};

use super::ask::Asker;
use super::variants::{Job, Variant};

/// How a variant is decided that follows from another code of the same game.
const FOLLOWS: [DecidedBy; 2] = [DecidedBy::Transposition, DecidedBy::SameGame];

impl Asker {
    /// Decides codes of one game; `None` if the survey is to stop. Asked is one that `settled` has an answer of, else
    /// one of which a table is at hand, else [`Variant::same_game`].
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
            _ => as_said_of(variant, &found, asked),
        };
        Some(job.variants.iter().map(answer_of).collect())
    }
}

/// The code of a board of reversi on its side, of which there may be a table.
fn transpose(variant: &Variant) -> Option<String> {
    let AnyGame::Reversi(Reversi { rules }) = &variant.game else { return None };
    rules.transpose().map(|rules| rules.code())
}

/// What is known of one code, said of another of the same game.
fn as_said_of(other: &Variant, found: &Finding, asked: &Variant) -> Finding {
    let first_moves = found.first_moves.as_ref().map(|moves| {
        let mut moves: Vec<String> = moves.iter().map(|text| move_of(other, text, asked)).collect();
        moves.sort();
        moves
    });
    let [transposition, same_game] = FOLLOWS;
    let by = if matches!(asked.game, AnyGame::Reversi(_)) { transposition } else { same_game };
    Finding { first_moves, by, ..found.clone() }
}

/// A first move of the code that was asked about as the other has it.
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
