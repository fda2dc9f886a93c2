//! From a board to its transpose: where files and ranks exchanged are the same game, one of both is asked about.

use std::collections::HashMap;

use yomikiri_rules::games::reversi::Reversi;
use yomikiri_rules::{AnyGame, Game};

use super::answer::Answer;
use super::ask::Asker;
use super::variants::{Job, Variant};
use super::ways::Found;

impl Asker {
    /// Decides a board, its transpose, or both; `None` if the survey is to stop. Asked is the one of which a table is
    /// at hand, else the one with more files, unless `settled` has it: so answers do not depend on which of them were
    /// known before.
    pub fn decide_by_transpose(
        &self,
        job: &Job,
        answer: Answer,
        settled: &HashMap<String, Found>,
    ) -> Option<Vec<Found>> {
        let variant = job.variants.first()?;
        // Of two codes the one with more files is the greater: sizes have one digit a side.
        let mut both = [variant.clone(), variant.transpose()?];
        both.sort_by_key(|variant| (!self.has_table(variant), std::cmp::Reverse(variant.code())));
        let [asked, other] = both;
        let found = match settled.get(&asked.code()) {
            Some(found) => found.clone(),
            None => self.decide(&asked, answer)?,
        };
        let answer_of = |variant: &Variant| match variant.code() == other.code() {
            true => transposed(&found, &asked, &other),
            false => found.clone(),
        };
        Some(job.variants.iter().map(answer_of).collect())
    }
}

/// What is known of a board, said of its transpose.
fn transposed(found: &Found, asked: &Variant, other: &Variant) -> Found {
    let first_moves = found.first_moves.as_ref().map(|moves| {
        let mut moves: Vec<String> = moves.iter().map(|text| transposed_move(text, asked, other)).collect();
        moves.sort();
        moves
    });
    Found { first_moves, by: "transposition".into(), ..found.clone() }
}

/// A first move of one board as the other has it.
fn transposed_move(text: &str, asked: &Variant, other: &Variant) -> String {
    match (&asked.game, &other.game) {
        (AnyGame::Reversi(from), AnyGame::Reversi(to)) => {
            let mv = Reversi::parse_move(from, &from.start(), text);
            mv.map_or_else(|_| text.into(), |mv| to.move_text(mv.transposed()))
        }
        _ => text.into(),
    }
}
