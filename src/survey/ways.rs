//! The cheapest way that decides a variant.

use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;
use yomikiri_answer::CostReport;
use yomikiri_answer::survey::{DecidedBy, Finding, Open, OpenReason, Question, Seconds, Winner};
use yomikiri_rules::{AnyGame, visible, with_game};
use yomikiri_solve::audit;
use yomikiri_table::{RunLock, name, pieces};

use super::ask::{Asker, Silence};
use super::variants::{Job, Variant};

/// So many positions are solved in memory while somebody waits.
const FEW: f64 = 2e6;

/// What a variant is solved whole for that could be proved: so many seconds of one core.
const WHOLE_SECONDS: f64 = 60.0;

/// The least time that a verb takes.
const LEAST: Duration = Duration::from_millis(1);

/// From so many squares on a proof may take hours, and is kept on the way.
const LARGE: u32 = 24;

/// A verb that is to decide a variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Table,
    Memory,
    Whole,
    Proof,
    Search,
}

impl Way {
    fn name(self) -> &'static str {
        match self {
            Way::Table => "table",
            Way::Memory => "memory",
            Way::Whole => "whole",
            Way::Proof => "proof",
            Way::Search => "search",
        }
    }

    fn by(self) -> DecidedBy {
        match self {
            Way::Table => DecidedBy::Table,
            Way::Memory => DecidedBy::Memory,
            Way::Whole => DecidedBy::Whole,
            Way::Proof => DecidedBy::Proof,
            Way::Search => DecidedBy::Search,
        }
    }
}

impl Asker {
    /// Decides the variants of a job; `None` if the survey is to stop. `settled` is what was known before, by codes.
    pub fn decide_all(
        &self,
        job: &Job,
        question: Question,
        settled: &HashMap<String, Finding>,
    ) -> Option<Vec<Finding>> {
        match job.variants.first()?.binarsi {
            Some(_) => self.decide_by_komi(job, question),
            None => self.decide_by_same_game(job, question, settled),
        }
    }

    /// Answers the question about a variant; `None` if the survey is to stop.
    pub fn decide(&self, variant: &Variant, question: Question) -> Option<Finding> {
        match question {
            Question::FairKomi => self.fair_komi(variant),
            _ => self.ask_about(variant, question),
        }
    }

    /// Asks another verb about a variant; about the value in points for its fair komi. `None` if somebody wants the
    /// survey to stop.
    pub fn ask_about(&self, variant: &Variant, question: Question) -> Option<Finding> {
        let (code, way, given) = (variant.code(), self.way(variant, question), self.given());
        let arguments = self.arguments(&code, way, question, given);
        let mut found = match way {
            _ if self.is_stopped() => Err(Silence::Stopped),
            Way::Whole => self.solve_whole(&code),
            Way::Proof | Way::Search if is_large(variant) => self.ask_and_keep(&code, way, &arguments),
            _ => self.ask(&arguments),
        }
        .map(|value| read(&value, way, question, self.limits()));
        if self.is_told_to_stop() && found.as_ref().map_or(true, |found| found.open.is_some()) {
            return None;
        }
        if let Ok(Finding { open: Some(open), .. }) = &mut found
            && let Some(given) = given.filter(|given| *given < self.time.unwrap_or(Duration::MAX))
        {
            (open.why, open.seconds) =
                (OpenReason::SurveyTime, Some(Seconds::from(Duration::from_secs(given.as_secs()))));
        }
        // What has not had its time, or has failed, is asked again by the same command.
        let unasked = |why: OpenReason| {
            let open = Open { why, seconds: Some(Seconds::default()), ..self.limits() };
            Finding { open: Some(open), ..Finding::default() }
        };
        let mut found = match found {
            Ok(Finding { winner: None, open: None, .. }) => {
                unasked(OpenReason::Said("its answer has no winner".into()))
            }
            Ok(found) => found,
            Err(Silence::Stopped) => unasked(OpenReason::SurveyTime),
            Err(Silence::Time) => Finding { open: Some(self.limits()), ..Finding::default() },
            // The line may name a file; where the survey's own ones lie is nothing for the record.
            Err(Silence::Failed(why)) => {
                let line = visible(why.replace(&format!("{}/", self.work.join(&code).display()), ""));
                unasked(OpenReason::from(line))
            }
            Err(Silence::Killed) => unasked(OpenReason::Killed),
        };
        found.by = way.by();
        found.command = self.command(&code, way, &arguments);
        Some(found)
    }

    /// Whether a table of the variant is at hand.
    pub fn has_table(&self, variant: &Variant) -> bool {
        pieces::is_there(&name::whole(&self.tables, &variant.code()))
    }

    /// Whether a question about points is answered from a table, or in memory.
    pub fn is_cheap(&self, points: &Variant) -> bool {
        matches!(self.way(points, Question::FairKomi), Way::Table | Way::Memory)
    }

    /// What a variant is given.
    fn limits(&self) -> Open {
        Open { seconds: self.time.map(Seconds::from), memory: self.memory, ..Open::default() }
    }

    /// The cheapest way: a table that is there; all positions if they are few; for who wins a proof, where the game has
    /// a fast one; a search; else all positions, or a proof where they are too many.
    fn way(&self, variant: &Variant, question: Question) -> Way {
        if self.has_table(variant) {
            return Way::Table;
        }
        let wants_winner = question == Question::Winner;
        match &variant.game {
            AnyGame::Binarsi(_) if matches!(question, Question::Winner | Question::FirstMoves) => Way::Proof,
            AnyGame::AnimalShogi(_) | AnyGame::Pyonpyon(_) | AnyGame::PyonpyonShogi(_) => Way::Whole,
            game => {
                let cost = with_game!(game.clone(), game => CostReport::of(&game));
                let is_short =
                    cost.seconds * 2.0 <= WHOLE_SECONDS && cost.memory.is_some_and(|bytes| bytes <= self.memory);
                match game {
                    _ if cost.positions <= FEW => Way::Memory,
                    _ if is_short => Way::Whole,
                    AnyGame::Binarsi(_) => Way::Proof,
                    AnyGame::Reversi(_) | AnyGame::ConnectFour(_)
                        if wants_winner || question != Question::FirstMoves =>
                    {
                        Way::Search
                    }
                    _ => Way::Whole,
                }
            }
        }
    }

    /// The command of a way, which is given so much time.
    fn arguments(&self, code: &str, way: Way, question: Question, given: Option<Duration>) -> Vec<String> {
        let memory = format!("{}M", self.memory >> 20);
        let words = match way {
            Way::Table | Way::Whole => vec!["query", code, "startpos", "--json"],
            Way::Memory => vec!["query", code, "startpos", "--memory", &memory, "--json"],
            Way::Search => vec!["solve", code, "--threads", "1", "--memory", &memory, "--json"],
            Way::Proof => {
                let asked = match question {
                    Question::FirstMoves => vec!["--all-moves"],
                    Question::Plies => vec!["--length"],
                    Question::Winner | Question::FairKomi => vec![],
                };
                let front = vec!["prove", code, "--threads", "1", "--memory", &memory];
                [front, asked, vec!["--json"]].concat()
            }
        };
        let mut words: Vec<String> = words.into_iter().map(String::from).collect();
        match way {
            Way::Table => words.extend(["--tables".into(), self.tables.display().to_string()]),
            // Certificates at hand tell less than all positions.
            Way::Memory => words.extend(["--tables".into(), self.work.display().to_string()]),
            Way::Proof | Way::Search => {
                let time = given.map(|time| vec!["--time".into(), format!("{}s", time.max(LEAST).as_secs_f64())]);
                words.extend(time.into_iter().flatten());
            }
            Way::Whole => {}
        }
        words
    }

    /// The command as people give it: without folders and without a limit.
    fn command(&self, code: &str, way: Way, arguments: &[String]) -> String {
        let plain = arguments.iter().map(String::as_str).take_while(|word| !["--tables", "--time"].contains(word));
        let asked = format!("yomikiri {}", plain.collect::<Vec<_>>().join(" "));
        if way == Way::Whole { format!("yomikiri analyze {code}; {asked}") } else { asked }
    }

    /// Asks for a proof or a search that goes on after a kill, and after it was left open.
    fn ask_and_keep(&self, code: &str, way: Way, arguments: &[String]) -> Result<Value, Silence> {
        let folder = self.work.join(code);
        let kept = [arguments, &["--checkpoint".into(), folder.display().to_string()]].concat();
        let base = folder.join(way.name());
        let value = match self.ask_after_others(&base, &kept) {
            // Of another version of the program, perhaps, or damaged.
            Err(Silence::Failed(_)) if base.with_added_extension("checkpoint").exists() => {
                let _ = std::fs::remove_dir_all(&folder);
                self.ask(&kept)?
            }
            value => value?,
        };
        if !value["stopped"].is_string() {
            let _ = std::fs::remove_dir_all(&folder);
        }
        Ok(value)
    }

    /// Asks what takes this lock, for which a run that a killed survey has left may come first.
    fn ask_after_others(&self, base: &Path, arguments: &[String]) -> Result<Value, Silence> {
        loop {
            self.wait_for_run(base)?;
            match self.ask(arguments) {
                Err(Silence::Failed(_)) if RunLock::is_taken(base) => {}
                value => return value,
            }
        }
    }

    /// Makes a table in a folder of its own, asks it, and deletes it.
    fn solve_whole(&self, code: &str) -> Result<Value, Silence> {
        let folder = self.work.join(code);
        let tables = folder.display().to_string();
        let words = |words: &[&str]| words.iter().map(|word| word.to_string()).collect::<Vec<_>>();
        let memory = format!("{}M", self.memory >> 20);
        let base = name::whole(&folder, code).with_extension("");
        let analyze = words(&["analyze", code, "--threads", "1", "--memory", &memory, "--tables", &tables]);
        if let Err(silence) = self.ask_after_others(&base, &analyze) {
            if let Silence::Failed(_) = silence {
                // A table that has failed its audit is not to be audited again: the next survey makes it anew.
                let _ = std::fs::remove_file(base.with_added_extension(audit::UNAUDITED));
            }
            return Err(silence);
        }
        let mut value = self.ask(&words(&["query", code, "startpos", "--json", "--tables", &tables]))?;
        let stats = self.ask(&words(&["stats", code, "--json", "--tables", &tables]))?;
        // The work of a killed run is taken up again, a table that was asked is not needed any more.
        let _ = std::fs::remove_dir_all(&folder);
        value["stats"] = stats;
        Ok(value)
    }
}

/// Whether a proof or a search may take long.
fn is_large(variant: &Variant) -> bool {
    match &variant.game {
        AnyGame::Binarsi(game) => u32::from(game.rules.files) * u32::from(game.rules.ranks) >= LARGE,
        _ => true,
    }
}

/// What a verb has said.
fn read(value: &Value, way: Way, question: Question, limits: Open) -> Finding {
    let mut found = Finding { winner: winner(value), ..Finding::default() };
    let mover = value["to_move"].as_str();
    if way == Way::Proof {
        let asked = &value["plies"];
        let exact = asked["at_least"].as_u64().filter(|least| Some(*least) == asked["at_most"].as_u64());
        found.plies = exact.and_then(|plies| plies.try_into().ok());
        found.first_moves =
            value["all_moves"].as_array().map(|moves| named(moves, |mv| mv["winner"].as_str() == mover));
        if value["stopped"].is_string() {
            let number = |name: &str| value[name].as_u64();
            let [at_least, at_most] = ["at_least", "at_most"].map(|name| asked[name].as_i64());
            let [to_win, to_loss] = ["to_win", "to_loss"].map(number);
            let expansions = number("expansions");
            let moves = value["all_moves"].as_array().map(|moves| named(moves, |mv| mv["winner"].is_null()));
            found.open = Some(Open { to_win, to_loss, expansions, moves, at_least, at_most, ..limits });
            found.plies = None;
        }
        return found;
    }
    let sign = if mover == Some("black") { 1 } else { -1 };
    found.nodes = value["nodes"].as_u64();
    if value["stopped"].is_string() {
        // For Black, as scores are.
        let score = |name: &str| value[name]["score"].as_i64().map(|score| sign * score);
        let bounds = [score("at_least"), score("at_most")];
        let [at_least, at_most] = if sign > 0 { bounds } else { [bounds[1], bounds[0]] };
        found.open = Some(Open { at_least, at_most, ..limits });
        return found;
    }
    let outcome = value["outcome"].as_str();
    if outcome == Some("draw") {
        found.winner = Some(Winner::Draw);
    }
    let stats = &value["stats"];
    [found.positions, found.draws, found.longest] =
        ["positions", "draws", "max_plies"].map(|field| stats[field].as_u64());
    match question {
        Question::Winner => {}
        Question::FirstMoves if outcome == Some("loss") => found.first_moves = Some(Vec::new()),
        Question::FirstMoves => {
            let moves = value["moves"].as_array();
            found.first_moves = moves.map(|moves| named(moves, |mv| mv["outcome"].as_str() == outcome));
        }
        Question::Plies | Question::FairKomi => {
            found.plies = value["plies"].as_u64().and_then(|plies| plies.try_into().ok());
            found.score = value["score"].as_i64().and_then(|score| (sign * score).try_into().ok());
        }
    }
    found
}

/// Who wins, as a verb names the side.
fn winner(value: &Value) -> Option<Winner> {
    match value["winner"].as_str()? {
        "black" => Some(Winner::Black),
        "white" => Some(Winner::White),
        _ => None,
    }
}

/// The texts of some moves, in the order of the notation.
fn named(moves: &[Value], is_meant: impl Fn(&Value) -> bool) -> Vec<String> {
    let mut texts: Vec<String> =
        moves.iter().filter(|mv| is_meant(mv)).filter_map(|mv| mv["move"].as_str()).map(String::from).collect();
    texts.sort();
    texts
}
