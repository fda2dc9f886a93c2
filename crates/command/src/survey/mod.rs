//! `yomikiri survey`: answers one question about many variants, and writes the answers to a file.
//!
//! `pattern` expands ranges to codes. `variants` removes duplicates and groups the variants that are decided together
//! into jobs. `methods` chooses the cheapest subcommand for a variant, and `ask` runs it in a child process. `komi`
//! infers the answer for one komi from the answer for another, and `komi_proofs` keeps the winners that have been
//! proved. `same_game` infers the answer for one code from the answer for another code of the same game. `pool` runs
//! the jobs on several threads. `show` formats the answers for people. The records are in `yomikiri_answer::survey`.

mod answer;
mod ask;
mod komi;
mod komi_proofs;
mod methods;
mod pattern;
mod pool;
mod read;
mod same_game;
mod show;
mod variants;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::{Args, value_parser};
use yomikiri_answer::survey::{Question, SurveyError, SurveyFile, SurveySummary, read_records, upgrade};
use yomikiri_rules::visible;
use yomikiri_table::{Replaceable, local, own_folder};

use super::error::Failure;
use super::output::{counted, grouped, note, print, shown};
use super::settings::{Threads, WritableTablesOption, parse_memory, parse_time};
use super::{CommandResult, signals};
use answer::QuestionArgument;
use ask::Runner;

/// Answer one question about many variants, and write the answers to a file
#[derive(Args)]
#[command(
    after_help = "Patterns are rule codes with choices in braces, which a shell may also expand: {3..5} and {a..d}\n\
    are ranges; {,-n,-m} stands for nothing, -n or -m. -s* stands for every start square, and ? for\n\
    every digit of animal shogi.\n\n\
    Examples:\n  \
    yomikiri survey 'bin{2..4}x{2..4}-s*' --out starts.jsonl\n  \
    yomikiri survey 'bin4x4-k{b,w}{0..9}.5{,-n,-m}' --out komi.jsonl\n  \
    yomikiri survey 'bin{3,4}x{3,4}' --answer fair-komi --out fair.jsonl\n  \
    yomikiri survey 'val1?' --answer plies --time 10m --out hens.jsonl\n  \
    yomikiri survey --show fair.jsonl\n\n\
    The same command resumes a run that was stopped or killed, and tries open variants again.\n\n\
    Exit status: 0 all decided, 1 some are open, 2 the request makes no sense."
)]
pub struct Arguments {
    /// Rule codes, with ranges
    #[arg(required_unless_present_any = ["show", "upgrade"], value_name = "PATTERN")]
    patterns: Vec<String>,

    /// Question about each variant
    #[arg(long, value_enum, default_value_t = QuestionArgument::Winner)]
    answer: QuestionArgument,

    /// File of answers: a line of JSON for each variant, in the order of the codes
    #[arg(long, value_name = "FILE", required_unless_present_any = ["list", "list_jobs", "show", "upgrade"])]
    out: Option<PathBuf>,

    /// Only list the codes
    #[arg(long)]
    list: bool,

    /// Only list the codes that are decided together (those of one game, or with other komi), a line for each group
    #[arg(long, conflicts_with = "list")]
    list_jobs: bool,

    /// Only show the answers of a file, a line for each variant
    #[arg(long, value_name = "FILE", exclusive = true)]
    show: Option<PathBuf>,

    /// Only add a checksum to each line of a file of an older version
    #[arg(long, value_name = "FILE", exclusive = true)]
    upgrade: Option<PathBuf>,

    /// Leave a variant open after this time, such as 90s, 30m or 12h
    #[arg(long, value_name = "T", value_parser = parse_time)]
    time: Option<Duration>,

    /// Stop after this time in all, such as 2h; variants that are not decided by then are open
    #[arg(long, value_name = "T", value_parser = parse_time)]
    budget: Option<Duration>,

    /// Ask in a random order with this seed, so that the variants decided within --budget are a random sample
    #[arg(long, value_name = "SEED")]
    draw: Option<u64>,

    /// Ask about N of the variants only, drawn with the seed of --draw
    #[arg(long, value_name = "N", requires = "draw", value_parser = value_parser!(u64).range(1..))]
    sample: Option<u64>,

    /// Memory for each variant, such as 256M or 4G
    #[arg(long, value_name = "SIZE", default_value = "256M", value_parser = parse_memory)]
    memory: u64,

    #[command(flatten)]
    threads: Threads,

    #[command(flatten)]
    tables: WritableTablesOption,
}

/// The purpose of the folder FILE.work, as written in the marker file by which the program recognises its own folders.
const WORK: &str = "work of a survey";

pub fn run(arguments: Arguments) -> CommandResult {
    if let Some(file) = &arguments.show {
        let lines = show::lines(&read_records(file)?);
        return lines.lines().try_for_each(|line| print(&visible(line)));
    }
    if let Some(file) = &arguments.upgrade {
        local::check(file).map_err(Failure::request)?;
        let lines = upgrade(file)?;
        return print(&format!("{}: lines with a new checksum: {}", shown(file), grouped(lines as u64)));
    }
    let Arguments { patterns, out, list, list_jobs, time, budget, draw, sample, memory, threads, tables, .. } =
        arguments;
    let question = Question::from(arguments.answer);
    let end = budget.map(|budget| Instant::now() + budget);
    let mut variants = variants::of_patterns(&patterns, question)?;
    if let (Some(seed), Some(size)) = (draw, sample) {
        variants = variants::drawn(variants, seed, size.try_into().unwrap_or(usize::MAX));
    }
    if list_jobs {
        let jobs = variants::jobs(variants, question, draw, |_| false);
        return print(&jobs.iter().map(|job| job.codes().join(" ")).collect::<Vec<_>>().join("\n"));
    }
    let codes: Vec<String> = variants.iter().map(|variant| variant.code()).collect();
    let Some(out) = out.filter(|_| !list) else { return print(&codes.join("\n")) };
    local::check(&out).map_err(Failure::request)?;
    let tables = tables.location()?.with_knowledge(None);
    let stop = Arc::default();
    signals::set_on_stop_then_end(&stop)?;
    // The file of answers may be read through a link, but a link is never replaced. Check that before the work begins.
    Replaceable::AnyFile.check(&out).map_err(Failure::request)?;
    let work = out.with_added_extension("work");
    own_folder::check(&work, WORK).map_err(Failure::request)?;
    let file = SurveyFile::open(&out, question, &codes)?;
    file.truncation_note().into_iter().for_each(note);
    let settled = file.settled(time, memory);
    let jobs = variants::jobs(variants, question, draw, |code| settled.contains_key(code));
    let asker = Runner { tables, work, time, end, memory, stop, unstarted: Default::default() };
    own_folder::take(&asker.work, WORK)?;
    let all_done = pool::work(&jobs, question, &asker, &settled, &file, threads.count())?;
    if let Some(error) = asker.unstarted.get() {
        let out = shown(&out);
        return Err(Failure::work(format!("{out}: cannot start a process: {error}; run the same command to resume")));
    }
    if asker.is_told_to_stop() {
        return Err(Failure::work(format!("{}: stopped; run the same command to resume", shown(&out))));
    }
    let summary = file.finish()?;
    // Finished work is deleted, and unfinished work is resumed by the next run. A folder that cannot be deleted only
    // takes up room.
    let _ = match all_done && summary.open == 0 {
        true => own_folder::remove(&asker.work, WORK),
        false => own_folder::remove_if_empty(&asker.work, WORK),
    };
    print(&format!("{}: {}", shown(&out), text(&summary)))?;
    match summary.open as u64 {
        0 => Ok(()),
        open => {
            let are = if open == 1 { "is" } else { "are" };
            Err(Failure::work(format!("{} {are} open", counted(open, "variant"))))
        }
    }
}

/// Formats a summary: "12 variants: Black wins 3, White 8, 1 open".
fn text(summary: &SurveySummary) -> String {
    let SurveySummary { all, won: [black, white, draws], open } = *summary;
    let [black, white] = [black, white].map(|number| grouped(number as u64));
    let mut text = format!("{}: Black wins {black}, White {white}", counted(all as u64, "variant"));
    for (number, what) in [(draws, "drawn"), (open, "open")] {
        if number > 0 {
            text += &format!(", {} {what}", grouped(number as u64));
        }
    }
    text
}

impl From<SurveyError> for Failure {
    fn from(error: SurveyError) -> Failure {
        match error {
            SurveyError::Refused { .. } => Failure::request(error),
            SurveyError::File(error) => error.into(),
        }
    }
}
