//! `yomikiri survey`: one question about many variants, the answers in a file.
//!
//! `pattern` makes codes of ranges, `variants` leaves one of those that are the same and puts together what is decided
//! together, `ask` has the program itself decide one variant by another of its verbs, `ways` chooses by which, `komi`
//! goes from one komi to another, `same_game` from one code to another of the same game, `record` is the file, `pool`
//! does it all on several threads.

mod answer;
mod ask;
mod komi;
mod pattern;
mod pool;
mod record;
mod same_game;
mod variants;
mod ways;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use yomikiri_table::TableError;

use super::error::Failure;
use super::output::{grouped, print, shown};
use super::settings::{TablesFolder, Threads, parse_memory, parse_time};
use super::{Done, signals};
use answer::Answer;
use ask::Asker;
use record::Record;

/// Answer one question about many variants, and keep the answers in a file
#[derive(Args)]
#[command(
    after_help = "Patterns are rule codes with choices in braces, which a shell may spell out as well: {3..5} and {a..d} are\n\
    ranges, {,-n,-m} is one of three. -s* is every start square, ? every digit of animal shogi.\n\n\
    Examples:\n  \
    yomikiri survey 'bin{2..4}x{2..4}-s*' --out starts.jsonl\n  \
    yomikiri survey 'bin4x4-k{b,w}{0..9}.5{,-n,-m}' --out komi.jsonl\n  \
    yomikiri survey 'bin{3,4}x{3,4}' --answer fair-komi --out fair.jsonl\n  \
    yomikiri survey 'val1?' --answer plies --time 10m --out hens.jsonl\n\n\
    The same command goes on where the last one was stopped or killed, and asks again what stayed open.\n\n\
    Exit status: 0 all decided, 1 some are open, 2 the request makes no sense."
)]
pub struct Arguments {
    /// Rule codes, with ranges
    #[arg(required = true, value_name = "PATTERN")]
    patterns: Vec<String>,

    /// What is asked of each
    #[arg(long, value_enum, default_value_t = Answer::Winner)]
    answer: Answer,

    /// The file of answers, a line of JSON for each variant in the order of the codes
    #[arg(long, value_name = "FILE", required_unless_present_any = ["list", "list_jobs"])]
    out: Option<PathBuf>,

    /// List the codes, and do nothing
    #[arg(long)]
    list: bool,

    /// List the codes that are decided together, those of one game or with other komi, a line each, and do nothing
    #[arg(long, conflicts_with = "list")]
    list_jobs: bool,

    /// Leave a variant open after so long, as 90s, 30m or 12h
    #[arg(long, value_name = "T", value_parser = parse_time)]
    time: Option<Duration>,

    /// Stop after so long in all, as 2h: what is not decided by then is open
    #[arg(long, value_name = "T", value_parser = parse_time)]
    budget: Option<Duration>,

    /// Ask in an order drawn by this number, so that what --budget leaves room for is a random sample
    #[arg(long, value_name = "SEED")]
    draw: Option<u64>,

    /// Ask about so many of the variants alone, those drawn by --draw
    #[arg(long, value_name = "N", requires = "draw")]
    sample: Option<usize>,

    /// Memory for each variant, as 256M or 4G
    #[arg(long, value_name = "SIZE", default_value = "256M", value_parser = parse_memory)]
    memory: u64,

    #[command(flatten)]
    threads: Threads,

    #[command(flatten)]
    tables: TablesFolder,
}

pub fn run(arguments: Arguments) -> Done {
    let Arguments { patterns, answer, out, list, list_jobs, time, budget, draw, sample, memory, threads, tables } =
        arguments;
    let end = budget.map(|budget| Instant::now() + budget);
    let mut variants = variants::of_patterns(&patterns, answer)?;
    if let (Some(seed), Some(size)) = (draw, sample) {
        variants = variants::drawn(variants, seed, size);
    }
    if list_jobs {
        let jobs = variants::jobs(variants, answer, draw, |_| false);
        return print(&jobs.iter().map(|job| job.codes().join(" ")).collect::<Vec<_>>().join("\n"));
    }
    let codes: Vec<String> = variants.iter().map(|variant| variant.code()).collect();
    let Some(out) = out.filter(|_| !list) else { return print(&codes.join("\n")) };
    let tables = tables.folder()?;
    let stop = Arc::default();
    signals::set_on_stop_then_end(&stop)?;
    let record = Record::open(&out, answer, &codes)?;
    let settled = record.settled(time, memory);
    let jobs = variants::jobs(variants, answer, draw, |code| settled.contains_key(code));
    let work = out.with_added_extension("work");
    let asker = Asker { tables, work, time, end, memory, stop, unstarted: Default::default() };
    std::fs::create_dir_all(&asker.work).map_err(TableError::io(&asker.work))?;
    let all_done = pool::work(&jobs, answer, &asker, &settled, &record, threads.count())?;
    if let Some(error) = asker.unstarted.get() {
        let out = shown(&out);
        return Err(Failure::Work(format!("{out}: no process can be started: {error}; the same command goes on")));
    }
    if asker.is_told_to_stop() {
        return Err(Failure::Work(format!("{}: stopped; the same command goes on", shown(&out))));
    }
    let summary = record.finish()?;
    // What was solved whole is not needed any more, what is half solved is gone on with.
    if all_done && summary.open == 0 {
        let _ = std::fs::remove_dir_all(&asker.work);
    }
    let _ = std::fs::remove_dir(&asker.work);
    print(&format!("{}: {}", shown(&out), summary.text()))?;
    match summary.open {
        0 => Ok(()),
        1 => Err(Failure::Work("1 variant is open".into())),
        open => Err(Failure::Work(format!("{} variants are open", grouped(open as u64)))),
    }
}
