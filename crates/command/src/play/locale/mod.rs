//! The languages of a game at the terminal. The messages are in Fluent files, one for each language. Moves, positions,
//! rule codes and commands are the same in all languages, and so are errors about them.

use clap::ValueEnum;
use fluent_bundle::{FluentArgs, FluentBundle, FluentResource};
use yomikiri_play::{Ending, Score};
use yomikiri_rules::{AnyGame, AnyPosition, Game, Measure, Outcome, Presentation, Side};

use super::commands::Mistake;
use super::controller::{GameVerdict, SeatKind, Seats};
use super::hint::MoveValue;
use super::machines::{OpinionSource, Thought};

/// Makes the variables of a message from `"name" => value` pairs.
macro_rules! variables {
    ($($name:literal => $value:expr),+ $(,)?) => {
        fluent_bundle::FluentArgs::from_iter([$(($name, fluent_bundle::FluentValue::from($value))),+])
    };
}
pub(super) use variables;

/// A language, by its code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Language {
    En,
    Ja,
}

impl Language {
    /// Returns the language of the locale in the environment. If the environment has none, uses the system's settings,
    /// else English.
    pub fn of_environment() -> Language {
        let set = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(set).or_else(locale_of_system);
        if locale.is_some_and(|locale| locale.starts_with("ja")) { Language::Ja } else { Language::En }
    }

    /// Returns the language code and the messages in Fluent syntax.
    fn messages(self) -> (&'static str, &'static str) {
        match self {
            Language::En => ("en", include_str!("en.ftl")),
            Language::Ja => ("ja", include_str!("ja.ftl")),
        }
    }
}

/// Returns the locale of the user's settings on Windows, which sets no environment variables for it.
#[cfg(windows)]
fn locale_of_system() -> Option<String> {
    sys_locale::get_locale()
}

/// Returns `None`, because other systems set the environment variables.
#[cfg(not(windows))]
fn locale_of_system() -> Option<String> {
    None
}

/// The messages of one language.
pub struct Locale {
    bundle: FluentBundle<FluentResource>,
}

impl Locale {
    pub fn new(language: Language) -> Locale {
        let (code, messages) = language.messages();
        let mut bundle = FluentBundle::new(vec![code.parse().unwrap_or_default()]);
        // Terminals would show the marks with which Fluent isolates bidirectional text.
        bundle.set_use_isolating(false);
        let resource = FluentResource::try_new(messages.into());
        debug_assert!(resource.is_ok(), "{:?}", resource.err());
        bundle.add_resource_overriding(resource.unwrap_or_else(|(readable, _)| readable));
        Locale { bundle }
    }

    /// Returns the message `id`, which has no variables.
    pub fn text(&self, id: &str) -> String {
        self.format(id, FluentArgs::new())
    }

    /// Formats the message `id` with its variables. If there is no such message, returns `id`.
    pub fn format(&self, id: &str, variables: FluentArgs) -> String {
        let text = self.find(id, &variables);
        debug_assert!(text.is_some(), "there is no message {id}");
        text.unwrap_or_else(|| id.into())
    }

    /// Formats a message as [`Self::format`] does, but returns `None` if there is no such message.
    fn find(&self, id: &str, variables: &FluentArgs) -> Option<String> {
        let pattern = self.bundle.get_message(id)?.value()?;
        let mut errors = Vec::new();
        let text = self.bundle.format_pattern(pattern, Some(variables), &mut errors);
        debug_assert!(errors.is_empty(), "{id}: {errors:?}");
        Some(text.into_owned())
    }

    /// Returns the first line of the session: the rule code, the letters that stand for the pieces of each side, and
    /// the players.
    pub fn opening(&self, code: &str, [black_mark, white_mark]: [&str; 2], seats: Seats) -> String {
        let who = |who: SeatKind| self.format("who", variables!["who" => who.word()]);
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

    /// Returns the picture of the board. Translates its first line if that line only names the plies and the side to
    /// move. Other words beside the board stay as the rules write them.
    pub fn board(&self, game: &AnyGame, position: &AnyPosition) -> String {
        let picture = game.board_text(position);
        match (game.plies_in_board_text(position), picture.split_once('\n')) {
            (Some(plies), Some((_, board))) => {
                let side = game.side(position).name();
                let plies = format!("{plies:2}");
                format!("{}\n{board}", self.format("board", variables!["plies" => plies, "side" => side]))
            }
            _ => picture,
        }
    }

    /// Returns the list of commands, with a move as an example.
    pub fn help(&self, example: &str) -> String {
        self.format("help", variables!["move" => example, "padded" => format!("{example:15}")])
    }

    /// Describes a machine's opinion of a move that it has chosen for `side`. `score` is relative to `side`.
    pub fn opinion(&self, side: Side, source: OpinionSource, score: Score) -> String {
        let mut variables = variables!["source" => source.word(), "prospect" => self.prospect(side, source, score)];
        if let OpinionSource::Search(depth) = source {
            variables.set("depth", depth);
        }
        self.format("opinion", variables)
    }

    /// Describes the move that a machine suggests to `side`. The score of `thought` is relative to `side`.
    pub fn suggestion(&self, side: Side, mv: &str, thought: &Thought) -> String {
        let certainty = thought.score.outcome().map_or("open", Outcome::name);
        let opinion = self.opinion(side, thought.source, thought.score);
        self.format("suggestion", variables!["certainty" => certainty, "move" => mv, "opinion" => opinion])
    }

    /// Describes the likely or certain result for `score`, which is relative to `side`: "White wins in 5 plies" or
    /// "+1.20 for White", for example. A search that looks a few plies ahead proves that a side wins, but there may be
    /// a shorter way.
    fn prospect(&self, side: Side, source: OpinionSource, score: Score) -> String {
        match (score.outcome().and_then(|outcome| outcome.winner(side)), score) {
            (None, Score::Guess(0)) => self.text("even"),
            (None, Score::Guess(hundredths)) => {
                // The score is in hundredths of the unit of the game's evaluation.
                let score = format!("{:+.2}", f64::from(hundredths) / 100.0);
                self.format("ahead", variables!["side" => side.name(), "score" => score])
            }
            (None, _) => self.text("drawn"),
            (Some(winner), Score::Points(points)) => self.won_by(winner, points.unsigned_abs()),
            (Some(winner), _) => match score.plies() {
                Some(plies) => {
                    let id = if matches!(source, OpinionSource::Search(_)) { "won-within" } else { "won-in" };
                    self.format(id, variables!["side" => winner.name(), "plies" => plies.0])
                }
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

    /// Describes the value of a move for the side that makes it.
    pub fn worth(&self, mv: &MoveValue) -> String {
        let outcome = match mv.outcome {
            Outcome::Draw if mv.repeats => "repetition",
            outcome => outcome.name(),
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

    /// Describes the result of a game: the winner, the reason, and the points if there are any.
    pub fn result(&self, verdict: &GameVerdict) -> String {
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

    /// Returns the error message about a line that cannot be parsed.
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

/// Returns typed text for a message. Control characters are escaped, and the text is cut off after 60 characters.
fn visible(text: &str) -> String {
    const MAX_CHARACTERS: usize = 60;
    let shown: String = text.chars().flat_map(char::escape_debug).take(MAX_CHARACTERS).collect();
    if text.chars().count() > MAX_CHARACTERS { shown + "..." } else { shown }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    /// Returns the messages of a language with the variables in each.
    fn messages(language: Language) -> BTreeMap<&'static str, BTreeSet<&'static str>> {
        let mut messages = BTreeMap::<_, BTreeSet<_>>::new();
        let mut id = "";
        for line in language.messages().1.lines().filter(|line| !line.starts_with('#')) {
            if let Some((name, _)) = line.split_once(" =").filter(|(name, _)| !name.contains(' ')) {
                id = name;
                assert!(messages.insert(id, BTreeSet::new()).is_none(), "{id} is given twice");
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
