//! `yomikiri prove`: proves the winner of a position that no table reaches, in a game that never repeats a position.
//!
//! `watch` monitors a proof while it runs, `progress` shows it, and `estimate` says how long it may still take.
//! `certificate` writes the winner's moves, so that others can check the proof. `plies` finds the number of plies to
//! the win, and `report` formats the result.

mod certificate;
mod estimate;
mod plies;
mod progress;
mod report;
mod watch;

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use clap::builder::TypedValueParser;
use yomikiri_answer::{Answerer, Source};
use yomikiri_rules::{AnyGame, AnyPosition, Game, Side, ValueCodec};
use yomikiri_search::Searchable;
use yomikiri_search::certificate::MAX_HORIZON;
use yomikiri_search::position_proof::{PliesQuestion, PositionProof, ProofOptions};
use yomikiri_solve::Solvable;
use yomikiri_table::{Progress, Silent};

use super::CommandResult;
use super::checkpoints::{self, CheckpointWriter};
use super::error::Failure;
use super::output::{counted, note, print, print_json, shown};
use super::progress::TerminalProgress;
use super::settings::{
    PositionWords, Threads, WritableTablesOption, memory, parse_memory, parse_time, path_beside_position,
    position_or_start,
};
use super::suggest::{position_argument, tables_options};
use certificate::CertificateTarget;
use progress::Display;
pub use report::{ProofReport, claim};
use watch::ProofMonitor;

/// Prove who wins a position that no table reaches, in a game that never repeats a position
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    yomikiri prove bin5x4 --certificate bin5x4.proof\n  \
    yomikiri prove bin6x6 --memory 16G --checkpoint proof --time 12h\n  \
    yomikiri prove bin7x6 \"startpos moves 4n cs1 bn\" --json\n  \
    yomikiri prove bin5x5 --all-moves\n  \
    yomikiri prove bin5x5 --length\n  \
    yomikiri prove bin4x4 --from bin4x4.proof --certificate detailed.proof --horizon 2\n  \
    yomikiri prove con5x4 --draws white\n\n\
    With --checkpoint the same command resumes a run that was stopped or killed, also with other memory,\n\
    with other threads or on another machine. Check a certificate with: yomikiri check FILE\n\n\
    Exit status: 0 decided, 1 not decided in the time, or stopped, 2 the request makes no sense.")]
pub struct Arguments {
    /// Rule code, such as bin5x4
    code: String,

    #[command(flatten)]
    position: PositionWords,

    /// Side for which a draw counts as a win, in games with draws
    #[arg(long, value_name = "SIDE", default_value = "white", value_parser = parse_side)]
    draws: Side,

    /// Decide who wins after every legal move, not only after one winning move
    #[arg(long)]
    all_moves: bool,

    /// Decide whether the winner wins within N plies
    #[arg(long, value_name = "N", conflicts_with = "length")]
    within: Option<u32>,

    /// Find the number of plies to the win, if the winner hurries and the loser delays
    #[arg(long)]
    length: bool,

    /// Begin with the positions that this certificate of the same rules proves; it is checked first, which --time does
    /// not count
    #[arg(long, value_name = "FILE", value_parser = path_beside_position())]
    from: Option<PathBuf>,

    /// Memory for proof numbers, such as 16G or 500M [default: 1G, or what the machine has]
    #[arg(long, value_name = "SIZE", value_parser = parse_memory)]
    memory: Option<u64>,

    #[command(flatten)]
    threads: Threads,

    /// Stop after this time, such as 90s, 30m or 12h
    #[arg(long, value_name = "T", value_parser = parse_time)]
    time: Option<Duration>,

    #[command(flatten)]
    keeping: checkpoints::CheckpointOptions,

    /// Write the winner's moves to this file, for yomikiri check; without FILE, write to the file in the folder of
    /// tables that query and engines read
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = TABLES)]
    #[arg(value_parser = path_beside_position().map(CertificatePlace::of))]
    certificate: Option<CertificatePlace>,

    #[command(flatten)]
    tables: WritableTablesOption,

    /// Leave positions at most N plies before the end of the longest possible game out of the certificate; a smaller N
    /// makes a larger file
    #[arg(long, value_name = "N", default_value_t = 6, requires = "certificate")]
    #[arg(value_parser = clap::value_parser!(u32).range(..=i64::from(MAX_HORIZON)))]
    horizon: u32,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Let the certificate replace a file that is something else
    #[arg(long, requires = "certificate")]
    force: bool,
}

/// The value of `--certificate` without a file. No file can have this name.
const TABLES: &str = "\0";

/// The place that a certificate is written to.
#[derive(Clone, Debug)]
enum CertificatePlace {
    File(PathBuf),
    /// The default file in the folder of tables.
    Tables,
}

impl CertificatePlace {
    fn of(file: PathBuf) -> CertificatePlace {
        if file == Path::new(TABLES) { CertificatePlace::Tables } else { CertificatePlace::File(file) }
    }
}

/// Tells `proof` which positions the certificate in `file` proves, and prints a note with their number. If `json` is
/// true, shows no progress.
fn add_certificate(proof: &mut dyn PositionProof, file: &Path, json: bool) -> Result<(), Failure> {
    let bars = TerminalProgress::new(false);
    let progress: &dyn Progress = if json { &Silent } else { &bars };
    let count = proof.add_certificate(file, progress).map_err(Failure::work)?;
    note(&format!("{}: proves {}", shown(file), counted(count, "position")));
    Ok(())
}

fn parse_side(text: &str) -> Result<Side, String> {
    match text {
        "black" => Ok(Side::Black),
        "white" => Ok(Side::White),
        _ => Err("write black or white".into()),
    }
}

/// Prints a note if a file already has the result of `position`. A damaged file is not an error: the proof does not use
/// it. Prints nothing if tables are also read from an address, because that may take long.
fn note_known(game: &AnyGame, position: &AnyPosition, tables: &WritableTablesOption) {
    let known = |location| -> yomikiri_table::Result<Option<&str>> {
        let mut answerer = Answerer::new(game, location);
        if answerer.table_of(position)?.is_some() {
            return Ok(Some(Source::Table.in_words(None)));
        }
        let certificates = answerer.certificates()?;
        if certificates.winner(position)?.is_none() {
            return Ok(None);
        }
        let (source, trust) = certificates.source(position)?;
        Ok(Some(source.in_words(Some(trust))))
    };
    if game.terminal_value(position).is_none()
        && let Ok(Some(location)) = tables.local_location()
        && let options = tables_options(&location)
        && let Ok(Some(source)) = known(location)
    {
        let (code, text) = (game.code(), position_argument(game, position));
        note(&format!("{source} has the result of this position; show it with: yomikiri query {code} {text}{options}"));
    }
}

impl Arguments {
    /// Returns the question about the number of plies to the win, or `None` if the user has not asked it.
    fn question(&self) -> Option<PliesQuestion> {
        self.within.map(PliesQuestion::Within).or(self.length.then_some(PliesQuestion::Length))
    }
}

/// Proves the winner of a position and prints the report.
pub fn run(arguments: Arguments) -> CommandResult {
    let question = arguments.question();
    let (game, code) = (AnyGame::parse(&arguments.code)?, &arguments.code);
    // Certificates are packed on the global thread pool.
    arguments.threads.apply()?;
    if question.is_some() && game.codec() == ValueCodec::Score {
        let problem = "this game is about points; --within and --length are for games without points";
        return Err(Failure::request(format!("{code}: {problem}")));
    }
    if game.is_cyclic() {
        return Err(Failure::request(format!(
            "{code}: proofs exist only for games that never repeat a position; values of this one come from: \
             yomikiri query {code} POSITION"
        )));
    }
    let position = position_or_start(&game, arguments.position.text().as_deref())?;
    let memory = memory(arguments.memory, 1 << 30)?;
    let options = ProofOptions { draws: arguments.draws, memory, threads: arguments.threads.count() };
    let mut proof = game.proof(&position, &options)?.expect("games that never repeat a position have proofs");
    let Arguments { keeping, certificate, horizon, tables, json, force, all_moves, from, .. } = arguments;
    let file = |place| match place {
        CertificatePlace::File(file) => Ok(file),
        CertificatePlace::Tables => certificate::place(&game, &position, &tables.folder()?),
    };
    let target = |file| CertificateTarget::new(&game.code(), file, horizon, force);
    let certificate = certificate.map(file).transpose()?.map(target).transpose()?;
    // `add_certificate` checks the certificate. Signals are not caught yet, so that Ctrl-C ends the program during the
    // check.
    if let Some(file) = &from {
        add_certificate(&mut *proof, file, json)?;
    }
    let keeping = CheckpointWriter::open(keeping)?;
    if question.is_none() && !all_moves && certificate.is_none() && !json {
        note_known(&game, &position, &tables);
    }
    let mut watch = ProofMonitor::new(arguments.time, keeping, Display::new(&game, &position, json))?;
    watch.resume(&mut *proof, json)?;
    let winner = proof.winner(&mut |state| watch.look(state))?;
    let played = all_moves.then(|| proof.winners_of_moves(&mut |state| watch.look(state))).transpose()?;
    watch.end(&*proof.state());
    let mut report = ProofReport::new(&game, &position, &*proof, winner, &watch);
    report.set_moves(&game, &position, played, &watch);
    let certified = winner.zip(certificate).map_or(Ok(()), |(winner, target)| {
        report.certificate = Some(certificate::write(&mut *proof, winner, &target, &watch)?);
        Ok(())
    });
    let measured = winner.zip(question).filter(|_| certified.is_ok()).map_or(Ok(()), |(winner, question)| {
        report.set_plies(plies::ask(proof, winner, question, &mut watch)?, &watch);
        Ok(())
    });
    if json {
        print_json(&report)?;
    } else {
        print(&report.text())?;
    }
    certified.and(measured).and(report.failure().map_or(Ok(()), Err))
}
