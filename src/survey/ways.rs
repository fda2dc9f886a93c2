//! The cheapest way that decides a variant.

use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use yomikiri_answer::CostReport;
use yomikiri_rules::{AnyGame, with_game};
use yomikiri_solve::audit;
use yomikiri_table::{RunLock, name};

use super::answer::Answer;
use super::ask::{Asker, Silence};
use super::variants::{Job, Variant};

/// So many positions are solved in memory while somebody waits.
const FEW: f64 = 2e6;

/// What a variant is solved whole for that could be proved: so many seconds of one core.
const WHOLE_SECONDS: f64 = 60.0;

/// The least time that a verb takes.
const LEAST: Duration = Duration::from_millis(1);

/// Why a variant is open that more time of the survey would decide.
const OVER: &str = "not decided in the time of the survey";

/// From so many squares on a proof may take hours, and is kept on the way.
const LARGE: u32 = 24;

/// Bytes for each variant where nobody says otherwise (`--memory`).
const MEMORY: u64 = 256 << 20;

/// What has been found out about a variant.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
pub struct Found {
    /// `black`, `white` or `draw`; null while that is open.
    pub winner: Option<String>,
    /// First moves that win, or that draw where none wins; none where all lose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_moves: Option<Vec<String>>,
    /// Plies to the end of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<u64>,
    /// By how much Black wins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<i64>,
    /// Komi for White with which the stones are even; for Black where it is less than 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fair_komi: Option<i64>,
    /// The winner wins by targets, whatever the komi is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_targets: bool,
    /// Of what was solved whole: positions, draws among them, and plies of the longest win.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub positions: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draws: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub longest: Option<u64>,
    /// Of what was searched: positions looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open: Option<Open>,
    /// `table`, `memory` (all positions, in memory), `whole` (all positions, by a table that was made for it), `proof`,
    /// `search`, `komi` (it follows from another komi), `transposition` (from the same board on its side), `same-game`
    /// (from another code of the same game), `none`.
    pub by: String,
    /// What makes it again; several commands stand between `; `.
    pub command: String,
}

/// Why a variant is open, and how far it is.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
pub struct Open {
    /// A line.
    pub why: String,
    /// Seconds that it was given; null if as many as it takes.
    pub seconds: Option<f64>,
    /// Bytes that it was given; left out of the file if they are [`MEMORY`].
    #[serde(default = "usual", skip_serializing_if = "is_usual")]
    pub memory: u64,
    /// Proof numbers, as `prove` says them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_win: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_loss: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expansions: Option<u64>,
    /// First moves of which it is open who wins after them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<String>>,
    /// What is known of plies, or of the fair komi.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_least: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_most: Option<i64>,
}

fn usual() -> u64 {
    MEMORY
}

fn is_usual(memory: &u64) -> bool {
    *memory == MEMORY
}

impl Found {
    /// A variant that the survey's time was not enough for.
    pub fn unasked(code: &str, answer: Answer) -> Found {
        let open = Open { why: OVER.into(), seconds: Some(0.0), memory: MEMORY, ..Open::default() };
        let command = format!("yomikiri survey {code} --answer {} --out {code}.jsonl", answer.name());
        Found { open: Some(open), by: "none".into(), command, ..Found::default() }
    }
}

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
}

impl Asker {
    /// Decides the variants of a job; `None` if the survey is to stop. `settled` is what was known before, by codes.
    pub fn decide_all(&self, job: &Job, answer: Answer, settled: &HashMap<String, Found>) -> Option<Vec<Found>> {
        match job.variants.first()?.binarsi {
            Some(_) => self.decide_by_komi(job, answer),
            None => self.decide_by_same_game(job, answer, settled),
        }
    }

    /// Answers the question about a variant; `None` if the survey is to stop.
    pub fn decide(&self, variant: &Variant, answer: Answer) -> Option<Found> {
        match answer {
            Answer::FairKomi => self.fair_komi(variant),
            _ => self.ask_about(variant, answer),
        }
    }

    /// Asks another verb about a variant; about the value in points for its fair komi. `None` if somebody wants the
    /// survey to stop.
    pub fn ask_about(&self, variant: &Variant, answer: Answer) -> Option<Found> {
        let (code, way, given) = (variant.code(), self.way(variant, answer), self.given());
        let arguments = self.arguments(&code, way, answer, given);
        let mut found = match way {
            _ if self.is_stopped() => Err(Silence::Stopped),
            Way::Whole => self.solve_whole(&code),
            Way::Proof | Way::Search if is_large(variant) => self.ask_and_keep(&code, way, &arguments),
            _ => self.ask(&arguments),
        }
        .map(|value| read(&value, way, answer, self.limits()));
        if self.is_told_to_stop() && found.as_ref().map_or(true, |found| found.open.is_some()) {
            return None;
        }
        if let Ok(Found { open: Some(open), .. }) = &mut found
            && open.why.is_empty()
        {
            (open.why, open.seconds) = match given {
                Some(given) if given < self.time.unwrap_or(Duration::MAX) => {
                    (OVER.into(), Some(given.as_secs() as f64))
                }
                _ => (self.late(), open.seconds),
            };
        }
        // What has not had its time, or has failed, is asked again by the same command.
        let unasked = |why: &str| {
            let open = Open { why: why.into(), seconds: Some(0.0), ..self.limits() };
            Found { open: Some(open), ..Found::default() }
        };
        let mut found = match found {
            Ok(found) => found,
            Err(Silence::Stopped) => unasked(OVER),
            Err(Silence::Time) => self.open(self.late()),
            // The line may name a file; where the survey's own ones lie is nothing for the record.
            Err(Silence::Failed(why)) => unasked(&why.replace(&format!("{}/", self.work.join(&code).display()), "")),
            Err(Silence::Killed) => unasked("the program was killed"),
        };
        found.by = way.name().into();
        found.command = self.command(&code, way, &arguments);
        Some(found)
    }

    /// Whether a table of the variant is at hand.
    pub fn has_table(&self, variant: &Variant) -> bool {
        name::whole(&self.tables, &variant.code()).exists()
    }

    /// Whether a question about points is answered from a table, or in memory.
    pub fn is_cheap(&self, points: &Variant) -> bool {
        matches!(self.way(points, Answer::FairKomi), Way::Table | Way::Memory)
    }

    fn late(&self) -> String {
        "not decided in the time".into()
    }

    /// What a variant is given.
    fn limits(&self) -> Open {
        Open { seconds: self.time.map(|time| time.as_secs_f64()), memory: self.memory, ..Open::default() }
    }

    /// An open variant.
    pub fn open(&self, why: String) -> Found {
        let open = Open { why, ..self.limits() };
        Found { open: Some(open), by: "none".into(), ..Found::default() }
    }

    /// The cheapest way: a table that is there; all positions if they are few; for who wins a proof, where the game has
    /// a fast one; a search; else all positions, or a proof where they are too many.
    fn way(&self, variant: &Variant, answer: Answer) -> Way {
        if self.has_table(variant) {
            return Way::Table;
        }
        let wants_winner = answer == Answer::Winner;
        match &variant.game {
            AnyGame::Binarsi(_) if matches!(answer, Answer::Winner | Answer::FirstMoves) => Way::Proof,
            AnyGame::AnimalShogi(_) | AnyGame::Pyonpyon(_) | AnyGame::PyonpyonShogi(_) => Way::Whole,
            game => {
                let cost = with_game!(game.clone(), game => CostReport::of(&game));
                let is_short =
                    cost.seconds * 2.0 <= WHOLE_SECONDS && cost.memory.is_some_and(|bytes| bytes <= self.memory);
                match game {
                    _ if cost.positions <= FEW => Way::Memory,
                    _ if is_short => Way::Whole,
                    AnyGame::Binarsi(_) => Way::Proof,
                    AnyGame::Reversi(_) | AnyGame::ConnectFour(_) if wants_winner || answer != Answer::FirstMoves => {
                        Way::Search
                    }
                    _ => Way::Whole,
                }
            }
        }
    }

    /// The command of a way, which is given so much time.
    fn arguments(&self, code: &str, way: Way, answer: Answer, given: Option<Duration>) -> Vec<String> {
        let memory = format!("{}M", self.memory >> 20);
        let words = match way {
            Way::Table | Way::Whole => vec!["query", code, "startpos", "--json"],
            Way::Memory => vec!["query", code, "startpos", "--memory", &memory, "--json"],
            Way::Search => vec!["solve", code, "--threads", "1", "--memory", &memory, "--json"],
            Way::Proof => {
                let asked = match answer {
                    Answer::FirstMoves => vec!["--all-moves"],
                    Answer::Plies => vec!["--length"],
                    Answer::Winner | Answer::FairKomi => vec![],
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
fn read(value: &Value, way: Way, answer: Answer, limits: Open) -> Found {
    let mut found = Found { winner: value["winner"].as_str().map(String::from), ..Found::default() };
    let mover = value["to_move"].as_str();
    if way == Way::Proof {
        let asked = &value["plies"];
        let exact = asked["at_least"].as_u64().filter(|least| Some(*least) == asked["at_most"].as_u64());
        found.plies = exact;
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
        found.winner = Some("draw".into());
    }
    let stats = &value["stats"];
    [found.positions, found.draws, found.longest] =
        ["positions", "draws", "max_plies"].map(|field| stats[field].as_u64());
    match answer {
        Answer::Winner => {}
        Answer::FirstMoves if outcome == Some("loss") => found.first_moves = Some(Vec::new()),
        Answer::FirstMoves => {
            let moves = value["moves"].as_array();
            found.first_moves = moves.map(|moves| named(moves, |mv| mv["outcome"].as_str() == outcome));
        }
        Answer::Plies | Answer::FairKomi => {
            found.plies = value["plies"].as_u64();
            found.score = value["score"].as_i64().map(|score| sign * score);
        }
    }
    found
}

/// The texts of some moves, in the order of the notation.
fn named(moves: &[Value], is_meant: impl Fn(&Value) -> bool) -> Vec<String> {
    let mut texts: Vec<String> =
        moves.iter().filter(|mv| is_meant(mv)).filter_map(|mv| mv["move"].as_str()).map(String::from).collect();
    texts.sort();
    texts
}
