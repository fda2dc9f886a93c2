//! `yomikiri opening`: proves the winner of every position of the first plies, and writes these winners to a file.

mod report;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use clap::{Args, value_parser};
use yomikiri_rules::games::binarsi::Binarsi;
use yomikiri_rules::{AnyGame, Game};
use yomikiri_search::adapters::binarsi::{OpeningEvents, OpeningProver};
use yomikiri_search::opening::{MAX_PLIES, OpeningFile, Outcomes, Record, last_ply};
use yomikiri_solve::Adapter;
use yomikiri_solve::estimate::Limits;
use yomikiri_table::source::FileSource;
use yomikiri_table::{Progress, Replaceable, disk, name};

use super::CommandResult;
use super::error::Failure;
use super::output::{bytes, grouped, note, print, print_json, shown};
use super::progress::TerminalProgress;
use super::settings::{Resources, WritableTablesOption, parse_time};
use super::signals;
use report::OpeningReport;

/// The first ply whose positions are counted before a run. At earlier plies, no board has more than 20,442 positions.
const CHECKED_PLY: u32 = 6;

/// The memory of a run for each position of its last ply, in bytes: 2.17 GB were measured for the 3.4 million positions
/// of the full board after seven plies.
const POSITION_BYTES: u64 = 650;

/// Prove who wins every position of the first plies, for queries and engines
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    yomikiri opening bin4x4 --plies 2\n  \
    yomikiri opening bin7x6 --plies 4 --memory 8G\n\n\
    The run proves each position by search, and checks a certificate of the proof by the rules. It does not keep\n\
    the certificates; the record beside the file has their hashes and sizes. A stopped run writes the winners that it\n\
    knows. The same command resumes a run that was stopped or killed. A file that already has more winners than the\n\
    run knows is not replaced.\n\n\
    Exit status: 0 done, 1 the work failed or was stopped, 2 the request makes no sense.")]
pub struct Arguments {
    /// Rule code of Binarsi without -p at the end, such as bin7x6
    code: String,

    /// Last ply at which all winning moves are known; winners are proved for one more ply
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = value_parser!(u32).range(..=i64::from(MAX_PLIES) - 1))]
    plies: u32,

    #[command(flatten)]
    resources: Resources,

    /// Stop after this time, such as 90s, 30m or 12h
    #[arg(long, value_name = "T", value_parser = parse_time)]
    time: Option<Duration>,

    #[command(flatten)]
    tables: WritableTablesOption,

    /// File to write [default: openings/CODE.opening in the folder of tables, which queries and engines read]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: Arguments) -> CommandResult {
    match AnyGame::parse(&arguments.code)? {
        AnyGame::Binarsi(game) => prove(&game, arguments),
        _ => {
            let code = arguments.code;
            let what = "openings exist only for codes of Binarsi without -p";
            Err(Failure::request(format!("{code}: {what}")))
        }
    }
}

fn prove(game: &Binarsi, arguments: Arguments) -> CommandResult {
    let Arguments { plies, resources, time, tables, out, json, .. } = arguments;
    if !game.has_keys() {
        return Err(Failure::request(format!("{}: positions of this board have no keys", game.code())));
    }
    let (memory, code, begun) = (resources.memory()?, game.code(), Instant::now());
    resources.threads.apply()?;
    let last = last_ply(game, plies + 1);
    let memory = memory - memory_for_positions(game, plies, last, memory)?;
    let file = match out {
        Some(file) => file,
        None => name::opening(&tables.folder()?, &code),
    };
    if file.extension().is_some_and(|ending| ending == "jsonl") {
        let what = "the ending .jsonl is for the record of the run; give --out another ending";
        return Err(Failure::request(format!("{}: {what}", shown(&file))));
    }
    let own = Replaceable::own(format!("an opening of {code}"), {
        let game = game.clone();
        move |path| FileSource::open(path).is_ok_and(|file| OpeningFile::open(&game, Box::new(file), path).is_ok())
    });
    own.check(&file).map_err(Failure::request)?;
    if let Some(folder) = file.parent() {
        disk::make_folder(folder)?;
    }
    let record_file = file.with_extension("jsonl");
    let record = Record::open(game, &record_file)?;
    if record.cut > 0 {
        note(&format!("{}: the last line was incomplete; removed its {} bytes", shown(&record_file), record.cut));
    }
    let prover = OpeningProver::new(game, memory, resources.threads.count());
    let stop = StopCondition { begun, time, signal: Arc::default() };
    signals::set_on_stop_then_end(&stop.signal)?;
    let mut work = Work { code, prover, record, stop };
    // Proves the positions of the last but one ply first. Their proofs help with the last ply, and a file with their
    // winners is already useful.
    if last > 0 && work.prove(last - 1)? {
        work.write(game, &file, own.clone())?;
    }
    work.prove(last)?;
    let (outcomes, kept) = work.write(game, &file, own)?;
    work.is_done(last, &file, &outcomes, kept)?;
    if kept > 0 {
        note(&format!(
            "{}: stays as it is, because it has more winners ({}) than the record ({})",
            shown(&file),
            grouped(kept),
            grouped(outcomes.known())
        ));
    }
    let report = OpeningReport::new(game, &file, &outcomes, work.record.proved())?;
    work.record.sort()?;
    if json { print_json(&report) } else { print(&report.text()) }
}

/// Returns the memory for the positions of the ply `last`, in bytes: a run lists them all. Returns an error if that is
/// more than half of `memory`, the bytes for everything. `plies` is the value of `--plies`.
fn memory_for_positions(game: &Binarsi, plies: u32, last: u32, memory: u64) -> Result<u64, Failure> {
    if last < CHECKED_PLY {
        return Ok(0);
    }
    let estimate = game.estimate_from(&game.start(), Limits::default());
    let needed = estimate.by_ply.get(last as usize).map_or(0, |&count| count as u64 * POSITION_BYTES);
    if needed <= memory / 2 {
        return Ok(needed);
    }
    let (code, size, option) = (game.code(), bytes(needed as f64), (2 * needed).div_ceil(1 << 20));
    Err(Failure::work(format!(
        "{code}: --plies {plies} proves the positions after {last} plies, whose list takes about {size}; allow \
         --memory {option}M, or fewer plies"
    )))
}

/// A run that proves an opening.
struct Work {
    code: String,
    prover: OpeningProver,
    record: Record<Binarsi>,
    stop: StopCondition,
}

impl Work {
    /// Writes all known winners to `file`, unless none is known or the file already has more winners. `own` tells which
    /// existing files may be replaced. Returns the known winners. Also returns the number of winners in the file if the
    /// file has more, otherwise 0.
    fn write(&self, game: &Binarsi, file: &Path, own: Replaceable) -> Result<(Outcomes, u64), Failure> {
        let outcomes = self.record.outcomes();
        let known = outcomes.known();
        let source = FileSource::open(file).ok();
        let before = source.and_then(|source| OpeningFile::open(game, Box::new(source), file).ok());
        let kept = before.map(|before| before.positions()).filter(|&before| before > known).unwrap_or(0);
        if known > 0 && kept == 0 {
            outcomes.write(game, file, own)?;
        }
        Ok((outcomes, kept))
    }

    /// Checks that all positions after `plies` moves are proved. `outcomes` and `kept` are the result of
    /// [`Work::write`].
    ///
    /// # Errors
    ///
    /// If the winner of a position after `plies` moves is not proved yet. The error says how many winners `file` has,
    /// if it has any.
    fn is_done(&self, plies: u32, file: &Path, outcomes: &Outcomes, kept: u64) -> CommandResult {
        let open: usize = self.record.open_groups(plies).iter().map(|group| group.keys.len()).sum();
        if open == 0 {
            return Ok(());
        }
        let known = outcomes.known();
        let has = match (known, kept) {
            (_, 1..) => format!("; {} stays as it is, with {} winners", shown(file), grouped(kept)),
            (0, _) => String::new(),
            _ => format!("; {} has the {} known winners", shown(file), grouped(known)),
        };
        let (open, resume) = (grouped(open as u64), "run the same command to resume");
        let what = format!("stopped; positions of ply {plies} that are not proved yet: {open}{has}; {resume}");
        Err(Failure::work(format!("{}: {what}", self.code)))
    }

    /// Proves the positions at ply `plies` that are not proved yet, group by group, until it is time to stop. The
    /// positions of a group are children of the same position; at ply 0, the start is the only group. Returns false if
    /// all groups were already proved.
    fn prove(&mut self, plies: u32) -> Result<bool, Failure> {
        let Work { code: _, prover, record, stop } = self;
        let open = record.open_groups(plies);
        let positions: usize = open.iter().map(|group| group.keys.len()).sum();
        if open.is_empty() {
            return Ok(false);
        }
        let progress = TerminalProgress::new(false);
        progress.begin(&format!("after {plies} moves"), positions as u64);
        let record = Mutex::new(record);
        let events = OpeningEvents {
            decided: &|| progress.advance(1),
            proved: &|proved| record.lock().unwrap_or_else(PoisonError::into_inner).add(proved),
        };
        let fault = prover.prove(open, &events, || !stop.is_due());
        progress.end("");
        fault?.map_or(Ok(true), |fault| Err(Failure::work(fault)))
    }
}

/// The conditions for stopping a run: a time limit and signals.
struct StopCondition {
    begun: Instant,
    time: Option<Duration>,
    signal: Arc<AtomicBool>,
}

impl StopCondition {
    fn is_due(&self) -> bool {
        self.signal.load(Ordering::Relaxed) || self.time.is_some_and(|time| self.begun.elapsed() >= time)
    }
}
