//! The languages of a game at the terminal: what is said stands in Fluent files, one for each. Moves, positions, rule
//! codes and words to type are the same in all of them, and so are the lines about mistakes in them.

use clap::ValueEnum;
use fluent_bundle::{FluentArgs, FluentBundle, FluentResource};
use yomikiri_play::{Ending, Score};
use yomikiri_rules::{Measure, Outcome, Side};

use super::commands::Mistake;
use super::controller::{Seats, Verdict, Who};
use super::hint::Valued;
use super::machines::Source;

/// What stands for the variables of a message, each as `"name" => value`.
macro_rules! variables {
    ($($name:literal => $value:expr),+ $(,)?) => {
        fluent_bundle::FluentArgs::from_iter([$(($name, fluent_bundle::FluentValue::from($value))),+])
    };
}
pub(super) use variables;

/// A language by its usual code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Language {
    En,
    Ja,
}

impl Language {
    /// The language that the environment asks for, English if it asks for none of these.
    pub fn of_environment() -> Language {
        let set = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(set).unwrap_or_default();
        if locale.starts_with("ja") { Language::Ja } else { Language::En }
    }

    /// Its code, and its messages in Fluent's syntax.
    fn messages(self) -> (&'static str, &'static str) {
        match self {
            Language::En => ("en", include_str!("en.ftl")),
            Language::Ja => ("ja", include_str!("ja.ftl")),
        }
    }
}

/// The messages of a language, without line breaks at the end.
pub struct Locale {
    bundle: FluentBundle<FluentResource>,
}

impl Locale {
    pub fn new(language: Language) -> Locale {
        let (code, messages) = language.messages();
        let mut bundle = FluentBundle::new(vec![code.parse().unwrap_or_default()]);
        // Terminals show the marks that would keep texts of other directions apart.
        bundle.set_use_isolating(false);
        let resource = FluentResource::try_new(messages.into());
        debug_assert!(resource.is_ok(), "{:?}", resource.err());
        bundle.add_resource_overriding(resource.unwrap_or_else(|(readable, _)| readable));
        Locale { bundle }
    }

    /// A message without variables.
    pub fn text(&self, id: &str) -> String {
        self.format(id, FluentArgs::new())
    }

    /// A message with its variables.
    pub fn format(&self, id: &str, variables: FluentArgs) -> String {
        let text = self.find(id, &variables);
        debug_assert!(text.is_some(), "there is no message {id}");
        text.unwrap_or_else(|| id.into())
    }

    /// [`Self::format`], if there is such a message.
    fn find(&self, id: &str, variables: &FluentArgs) -> Option<String> {
        let pattern = self.bundle.get_message(id)?.value()?;
        let mut errors = Vec::new();
        let text = self.bundle.format_pattern(pattern, Some(variables), &mut errors);
        debug_assert!(errors.is_empty(), "{id}: {errors:?}");
        Some(text.into_owned())
    }

    /// The first line: the rule code, how the pieces look, who plays.
    pub fn opening(&self, code: &str, [black_mark, white_mark]: [&str; 2], seats: Seats) -> String {
        let who = |who: Who| self.format("who", variables!["who" => who.word()]);
        self.format(
            "opening",
            variables![
                "code" => code,
                "black-mark" => black_mark,
                "black" => who(seats.black),
                "white-mark" => white_mark,
                "white" => who(seats.white),
            ],
        )
    }

    /// The commands, with a move as an example.
    pub fn help(&self, example: &str) -> String {
        self.format("help", variables!["move" => example, "padded" => format!("{example:15}")])
    }

    /// What a machine thinks of the move that `side` makes.
    pub fn opinion(&self, side: Side, source: Source, score: Score) -> String {
        let mut variables = variables!["source" => source.word(), "prospect" => self.prospect(side, score)];
        if let Source::Search(depth) = source {
            variables.set("depth", depth);
        }
        self.format("opinion", variables)
    }

    /// What `side` can expect: "White wins in 5 plies", "+1.20 for White".
    fn prospect(&self, side: Side, score: Score) -> String {
        match (winner(side, score), score) {
            (None, Score::Guess(0)) => self.text("even"),
            (None, Score::Guess(hundredths)) => {
                // In steps of whatever the game counts.
                let score = format!("{:+.2}", f64::from(hundredths) / 100.0);
                self.format("ahead", variables!["side" => side.name(), "score" => score])
            }
            (None, _) => self.text("drawn"),
            (Some(winner), Score::Points(points)) => self.won_by(winner, points.unsigned_abs()),
            (Some(winner), _) => match score.plies() {
                Some(plies) => self.format("won-in", variables!["side" => winner.name(), "plies" => plies.0]),
                None => self.won(winner),
            },
        }
    }

    fn won(&self, winner: Side) -> String {
        self.format("won", variables!["side" => winner.name()])
    }

    fn won_by(&self, winner: Side, points: u8) -> String {
        self.format("won-by", variables!["side" => winner.name(), "points" => points])
    }

    /// What a move comes to, for the side that makes it.
    pub fn worth(&self, mv: &Valued) -> String {
        let outcome = match mv.outcome {
            Outcome::Win => "win",
            Outcome::Draw if mv.repeats => "repetition",
            Outcome::Draw => "draw",
            Outcome::Loss => "loss",
        };
        let mut variables = variables!["outcome" => outcome];
        let id = match mv.measure {
            _ if mv.outcome == Outcome::Draw => "worth",
            Measure::Distance { plies: None } => "worth",
            Measure::Distance { plies: Some(plies) } => {
                variables.set("plies", plies.0);
                "worth-in"
            }
            Measure::Score { score } => {
                variables.set("points", score.unsigned_abs());
                "worth-by"
            }
        };
        self.format(id, variables)
    }

    /// Who has won, and why.
    pub fn result(&self, verdict: &Verdict) -> String {
        let outcome = match (verdict.ending.winner(), verdict.margin) {
            (Some(winner), Some(margin)) => self.won_by(winner, margin),
            (Some(winner), None) => self.won(winner),
            (None, _) => self.text("drawn"),
        };
        let why = match (verdict.ending, verdict.reason) {
            (Ending::Resignation { winner }, _) => self.format("resigned", variables!["side" => winner.other().name()]),
            (Ending::Repetition, _) => self.text("repeated"),
            (Ending::Board { .. }, Some(reason)) => {
                let translated = self.find(&format!("reason-{}", reason.id), &FluentArgs::new());
                let reason = translated.unwrap_or_else(|| reason.text.into());
                self.format("reason", variables!["reason" => reason])
            }
            (Ending::Board { .. }, None) => String::new(),
        };
        let points = verdict.points.as_ref().map_or(String::new(), |[black, white]| {
            self.format("points", variables!["black" => black.as_str(), "white" => white.as_str()])
        });
        self.format("result", variables!["outcome" => outcome, "why" => why, "points" => points])
    }

    /// What is wrong with a line that makes no sense.
    pub fn mistake(&self, mistake: Mistake) -> String {
        let (id, word) = match mistake {
            Mistake::Alone(word) => ("mistake-alone", word),
            Mistake::NoPlayer(word) => ("mistake-no-player", word),
            Mistake::NoFile(word) => ("mistake-no-file", word),
            Mistake::NoMove(word) => ("mistake-no-move", word),
            Mistake::Unknown(line) => ("mistake-unknown", line),
        };
        self.format(id, variables!["word" => visible(word)])
    }
}

/// The side that has won, or that is ahead by a score for `side`; none if nobody is.
fn winner(side: Side, score: Score) -> Option<Side> {
    let outcome = match score {
        Score::Won(_) => Outcome::Win,
        Score::Lost(_) => Outcome::Loss,
        Score::Decided(outcome) => outcome,
        Score::Points(points) if points > 0 => Outcome::Win,
        Score::Points(points) if points < 0 => Outcome::Loss,
        Score::Drawn | Score::Points(_) | Score::Guess(_) => Outcome::Draw,
    };
    outcome.winner(side)
}

/// What was typed, without what a terminal would obey, and not too much of it.
fn visible(text: &str) -> String {
    const MOST: usize = 60;
    let shown: String = text.chars().flat_map(char::escape_debug).take(MOST).collect();
    if text.chars().count() > MOST { shown + "..." } else { shown }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    /// The messages of a language with the variables in each.
    fn messages(language: Language) -> BTreeMap<&'static str, BTreeSet<&'static str>> {
        let mut messages = BTreeMap::<_, BTreeSet<_>>::new();
        let mut id = "";
        for line in language.messages().1.lines().filter(|line| !line.starts_with('#')) {
            if let Some((name, _)) = line.split_once(" =").filter(|(name, _)| !name.contains(' ')) {
                id = name;
                assert!(messages.insert(id, BTreeSet::new()).is_none(), "{id} stands twice");
            }
            let names = line.split('$').skip(1).map(|rest| rest.split([' ', '}']).next().unwrap());
            messages.entry(id).or_default().extend(names);
        }
        messages
    }

    #[test]
    fn every_language_has_the_same_messages() {
        let (english, mut other) = (messages(Language::En), messages(Language::Ja));
        other.retain(|id, _| !id.starts_with("reason-"));
        assert!(english.keys().eq(other.keys()), "{:?} {:?}", english.keys(), other.keys());
        for (id, variables) in other {
            assert!(variables.is_subset(&english[id]), "{id}: {variables:?}");
        }
    }

    #[test]
    fn all_messages_can_be_read() {
        for language in [Language::En, Language::Ja] {
            let (_, text) = language.messages();
            assert!(FluentResource::try_new(text.into()).is_ok(), "{language:?}");
            let locale = Locale::new(language);
            for id in messages(language).keys().filter(|id| !id.is_empty()) {
                assert!(locale.bundle.get_message(id).is_some_and(|message| message.value().is_some()), "{id}");
            }
        }
    }
}
