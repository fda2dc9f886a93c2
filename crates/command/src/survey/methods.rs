//! Chooses the cheapest method to decide a variant, and runs it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::de::DeserializeOwned;
use yomikiri_answer::survey::{DecidedBy, Finding, Open, OpenReason, Question, Seconds};
use yomikiri_answer::{CostReport, QueryReport, Stats};
use yomikiri_rules::{AnyGame, visible};
use yomikiri_solve::audit;
use yomikiri_table::{AT_WORK, name};

use super::super::suggest::tables_option;
use super::ask::{NO_WINNER, NoAnswer, Runner};
use super::read::{of_proof, of_query, of_search};
use super::variants::{Job, Variant};

/// The maximum number of positions of a game that is solved in memory.
const FEW: f64 = 2e6;

/// Variants with at most this estimated cost (core-seconds) are solved whole instead of proved or searched. The cost is
/// twice the time in [`CostReport`], which is for two cores.
const WHOLE_SECONDS: f64 = 60.0;

/// The least time limit that a subcommand accepts.
const MIN_TIME: Duration = Duration::from_millis(1);

/// The minimum number of squares of a Binarsi board whose proofs may take hours. Such proofs write checkpoints.
const LARGE: u32 = 24;

/// A method to decide a variant: an existing table, a solution in memory, a table of the whole game that is made and
/// then deleted, a proof, or a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Method {
    Table,
    Memory,
    Whole,
    Proof,
    Search,
}

impl Method {
    fn by(self) -> DecidedBy {
        match self {
            Method::Table => DecidedBy::Table,
            Method::Memory => DecidedBy::Memory,
            Method::Whole => DecidedBy::Whole,
            Method::Proof => DecidedBy::Proof,
            Method::Search => DecidedBy::Search,
        }
    }
}

impl Runner {
    /// Decides the variants of a job. `settled` has the findings of earlier runs that need no further work, by rule
    /// code. Returns a finding for each variant in order, or `None` if the survey is to stop.
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

    /// Answers the question about a variant. Returns `None` if the survey is to stop.
    pub fn decide(&self, variant: &Variant, question: Question) -> Option<Finding> {
        match question {
            Question::FairKomi => self.fair_komi(variant),
            _ => self.ask_about(variant, question),
        }
    }

    /// Asks another subcommand about a variant. If the question is the fair komi, the finding has the score of the
    /// start position instead. Returns `None` if the survey is to stop.
    pub fn ask_about(&self, variant: &Variant, question: Question) -> Option<Finding> {
        let (code, way, given) = (variant.code(), self.way(variant, question), self.given());
        let arguments = self.arguments(&code, way, question, given);
        let mut found = match way {
            _ if self.is_stopped() => Err(NoAnswer::Stopped),
            Method::Table | Method::Memory => self.ask(&arguments).map(|report| of_query(&report, None, question)),
            Method::Whole => self.solve_whole(&code).map(|(report, stats)| of_query(&report, Some(&stats), question)),
            Method::Proof => self.ask_and_keep(variant, way, &arguments, |report| of_proof(&report, self.limits())),
            Method::Search => {
                self.ask_and_keep(variant, way, &arguments, |answer| of_search(&answer, question, self.limits()))
            }
        };
        if self.is_told_to_stop() && found.as_ref().map_or(true, |found| found.open.is_some()) {
            return None;
        }
        if let Ok(Finding { open: Some(open), .. }) = &mut found
            && let Some(given) = given.filter(|given| *given < self.time.unwrap_or(Duration::MAX))
        {
            (open.why, open.seconds) =
                (OpenReason::SurveyTime, Some(Seconds::from(Duration::from_secs(given.as_secs()))));
        }
        // After a failure, or if the time was cut short, the record says that the variant got 0 seconds. So the next
        // survey asks again.
        let unasked = |why: OpenReason| {
            let open = Open { why, seconds: Some(Seconds::default()), ..self.limits() };
            Finding { open: Some(open), ..Finding::default() }
        };
        let mut found = match found {
            Ok(Finding { winner: None, open: None, .. }) => unasked(OpenReason::Said(NO_WINNER.into())),
            Ok(found) => found,
            Err(NoAnswer::Stopped) => unasked(OpenReason::SurveyTime),
            Err(NoAnswer::Time) => Finding { open: Some(self.limits()), ..Finding::default() },
            // The error may name a file or suggest a command. The survey's own folder does not belong in the record.
            Err(NoAnswer::Failed(why)) => {
                let folder = self.work.join(&code);
                let why = why.replace(&tables_option(&folder), "");
                unasked(OpenReason::from(visible(why.replace(&folder.join("").display().to_string(), ""))))
            }
            Err(NoAnswer::Killed) => unasked(OpenReason::Killed),
        };
        found.by = way.by();
        found.command = self.command(&code, way, &arguments);
        Some(found)
    }

    /// Returns true if there is a table of the variant.
    pub fn has_table(&self, variant: &Variant) -> bool {
        self.tables.has(&self.tables.file(|folder| name::whole(folder, &variant.code())))
    }

    /// Returns true if the fair komi of `points` comes from an existing table or from a solution in memory. `points` is
    /// a variant that is played for points.
    pub fn is_cheap(&self, points: &Variant) -> bool {
        matches!(self.way(points, Question::FairKomi), Method::Table | Method::Memory)
    }

    /// Returns an [`Open`] with the limits of time and memory for a variant, and with the defaults of all other fields.
    fn limits(&self) -> Open {
        Open { seconds: self.time.map(Seconds::from), memory: self.memory, ..Open::default() }
    }

    /// Chooses the method to answer a question. Returns the first of these methods that applies:
    /// - A table of the variant that exists already.
    /// - A proof, for the winner and the first moves of Binarsi without points.
    /// - A table of the whole game, for games that can repeat positions.
    /// - A solution in memory, for games with at most [`FEW`] positions.
    /// - A table of the whole game, if it costs at most [`WHOLE_SECONDS`] and fits into the memory.
    /// - A proof, for Binarsi without points.
    /// - A search, for reversi and Connect Four, except for the first moves.
    /// - A table of the whole game.
    fn way(&self, variant: &Variant, question: Question) -> Method {
        if self.has_table(variant) {
            return Method::Table;
        }
        match &variant.game {
            AnyGame::Binarsi(_) if matches!(question, Question::Winner | Question::FirstMoves) => Method::Proof,
            AnyGame::AnimalShogi(_) | AnyGame::Pyonpyon(_) | AnyGame::PyonpyonShogi(_) => Method::Whole,
            game => {
                let cost = CostReport::of(game);
                let is_short =
                    cost.seconds * 2.0 <= WHOLE_SECONDS && cost.memory.is_some_and(|bytes| bytes <= self.memory);
                match game {
                    _ if cost.positions <= FEW => Method::Memory,
                    _ if is_short => Method::Whole,
                    AnyGame::Binarsi(_) => Method::Proof,
                    AnyGame::Reversi(_) | AnyGame::ConnectFour(_) if question != Question::FirstMoves => Method::Search,
                    _ => Method::Whole,
                }
            }
        }
    }

    /// Returns the arguments of the subcommand for a method, with the time limit `given`.
    fn arguments(&self, code: &str, way: Method, question: Question, given: Option<Duration>) -> Vec<String> {
        let memory = memory_text(self.memory);
        let words = match way {
            Method::Table | Method::Whole => vec!["query", code, "startpos", "--json"],
            Method::Memory => vec!["query", code, "startpos", "--memory", &memory, "--json"],
            Method::Search => vec!["solve", code, "--threads", "1", "--memory", &memory, "--json"],
            Method::Proof => {
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
        let tables = |folder: PathBuf| ["--tables".into(), folder.display().to_string()];
        match way {
            Method::Table => words.extend(self.tables.candidates(Path::to_path_buf).into_iter().flat_map(tables)),
            // In the usual folders, a certificate might answer, and it says less than a solution of all positions. The
            // work folder has no certificates.
            Method::Memory => words.extend(tables(self.work.clone())),
            Method::Proof | Method::Search => {
                let time = given.map(|time| vec!["--time".into(), format!("{}s", time.max(MIN_TIME).as_secs_f64())]);
                words.extend(time.into_iter().flatten());
            }
            Method::Whole => {}
        }
        words
    }

    /// Returns the command that the record shows, without folders and time limit.
    fn command(&self, code: &str, way: Method, arguments: &[String]) -> String {
        let plain = arguments.iter().map(String::as_str).take_while(|word| !["--tables", "--time"].contains(word));
        let asked = format!("yomikiri {}", plain.collect::<Vec<_>>().join(" "));
        if way == Method::Whole { format!("yomikiri analyze {code}; {asked}") } else { asked }
    }

    /// Runs a proof or a search of `variant`, and converts its report with `read`. For a large variant, the command
    /// writes checkpoints, so that the next survey can resume the work after a kill or a time limit.
    fn ask_and_keep<R: DeserializeOwned>(
        &self,
        variant: &Variant,
        way: Method,
        arguments: &[String],
        read: impl Fn(R) -> Finding,
    ) -> Result<Finding, NoAnswer> {
        if !is_large(variant) {
            return self.ask(arguments).map(read);
        }
        let folder = self.work.join(variant.code());
        let kept = [arguments, &["--checkpoint".into(), folder.display().to_string()]].concat();
        let base = folder.join(if way == Method::Proof { "proof" } else { "search" });
        let report = match self.after_others(&base, || self.ask(&kept)) {
            // The checkpoint may be damaged, or of another version of the program. The work begins anew without it.
            Err(NoAnswer::Failed(_)) if base.with_added_extension("checkpoint").exists() => {
                let _ = std::fs::remove_dir_all(&folder);
                self.ask(&kept)?
            }
            report => report?,
        };
        let found = read(report);
        if found.open.is_none() {
            let _ = std::fs::remove_dir_all(&folder);
        }
        Ok(found)
    }

    /// Calls `run`, which runs a command that takes the lock of the files at `base`. Before each call, waits until no
    /// other process holds the lock. A killed survey may have left such a process behind. If the command fails because
    /// another process has taken the lock meanwhile, waits and calls `run` again.
    fn after_others<R>(&self, base: &Path, run: impl Fn() -> Result<R, NoAnswer>) -> Result<R, NoAnswer> {
        loop {
            self.wait_for_other_run(base)?;
            match run() {
                Err(NoAnswer::Failed(why)) if why.contains(AT_WORK) => {}
                report => return report,
            }
        }
    }

    /// Makes the table of a variant in a folder of its own, reads the value and the counts from it, and deletes the
    /// folder.
    fn solve_whole(&self, code: &str) -> Result<(QueryReport, Stats), NoAnswer> {
        let folder = self.work.join(code);
        let tables = folder.display().to_string();
        let words = |words: &[&str]| words.iter().map(|word| word.to_string()).collect::<Vec<_>>();
        let memory = memory_text(self.memory);
        let base = name::whole(&folder, code).with_extension("");
        let analyze = words(&["analyze", code, "--threads", "1", "--memory", &memory, "--tables", &tables]);
        if let Err(silence) = self.after_others(&base, || self.run(&analyze)) {
            if let NoAnswer::Failed(_) = silence {
                // The table may have failed its audit. Without this file, the next survey makes a new table and does
                // not repeat the audit.
                let _ = std::fs::remove_file(base.with_added_extension(audit::UNAUDITED));
            }
            return Err(silence);
        }
        let report = self.ask(&words(&["query", code, "startpos", "--json", "--tables", &tables]))?;
        let stats = self.ask(&words(&["stats", code, "--json", "--tables", &tables]))?;
        // A table that has answered is of no further use. Only the unfinished work of a killed run is kept.
        let _ = std::fs::remove_dir_all(&folder);
        Ok((report, stats))
    }
}

/// Returns a size as a subcommand reads it.
fn memory_text(bytes: u64) -> String {
    if bytes.is_multiple_of(1 << 20) { format!("{}M", bytes >> 20) } else { bytes.to_string() }
}

/// Returns true if a proof or a search may take long, so that it writes checkpoints.
fn is_large(variant: &Variant) -> bool {
    match &variant.game {
        AnyGame::Binarsi(game) => u32::from(game.rules.files) * u32::from(game.rules.ranks) >= LARGE,
        _ => true,
    }
}
