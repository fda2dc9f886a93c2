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

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};
use yomikiri_rules::{AnyGame, Game, Side};
use yomikiri_search::adapters::binarsi::BinarsiProof;
use yomikiri_search::certificate::{CertificateGame, MAX_HORIZON};
use yomikiri_search::proof::{PlainProof, ProofGame, Prover};
use yomikiri_solve::Solvable;

use super::CommandResult;
use super::checkpoints::{self, CheckpointWriter};
use super::error::Failure;
use super::output::{print, print_json};
use super::settings::{
    PositionWords, Threads, WritableTablesOption, memory, parse_memory, parse_time, position_or_start,
};
use certificate::CertificateTarget;
use plies::PliesQuestion;
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

    /// The winner, if known: only the number of plies is then searched for
    #[arg(long, value_name = "SIDE", value_parser = parse_side, conflicts_with_all = ["all_moves", "certificate"])]
    winner: Option<Side>,

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
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "")]
    #[arg(value_parser = OsStringValueParser::new().map(CertificatePlace::of))]
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

/// The place that a certificate is written to.
#[derive(Clone, Debug)]
enum CertificatePlace {
    File(PathBuf),
    /// The default file in the folder of tables.
    Tables,
}

impl CertificatePlace {
    fn of(file: OsString) -> CertificatePlace {
        if file.is_empty() { CertificatePlace::Tables } else { CertificatePlace::File(file.into()) }
    }
}

fn parse_side(text: &str) -> Result<Side, String> {
    match text {
        "black" => Ok(Side::Black),
        "white" => Ok(Side::White),
        _ => Err("write black or white".into()),
    }
}

/// Runs `prove` with Binarsi's own proof search, or with the plain rules for other games.
pub fn run(arguments: Arguments) -> CommandResult {
    let draws = arguments.draws;
    if arguments.winner.is_some() && arguments.question().is_none() {
        return Err(Failure::Request("--winner needs --within or --length".into()));
    }
    let game = AnyGame::parse(&arguments.code)?;
    // Certificates are packed on the global thread pool.
    arguments.threads.apply()?;
    match game {
        AnyGame::Binarsi(game) => prove(BinarsiProof::new(&game), arguments),
        AnyGame::BinarsiPoints(_) | AnyGame::Reversi(_) if arguments.question().is_some() => {
            let code = arguments.code;
            let problem = "this game is about points; --within and --length are for games without points";
            Err(Failure::Request(format!("{code}: {problem}")))
        }
        AnyGame::BinarsiPoints(game) => prove(PlainProof::new(&game, draws)?, arguments),
        AnyGame::ConnectFour(game) => prove(PlainProof::new(&game, draws)?, arguments),
        AnyGame::Reversi(game) => prove(PlainProof::new(&game, draws)?, arguments),
        AnyGame::AnimalShogi(_) | AnyGame::Pyonpyon(_) | AnyGame::PyonpyonShogi(_) => Err(Failure::Request(format!(
            "{code}: proofs exist only for games that never repeat a position; values of this one come from: \
             yomikiri query {code} POSITION",
            code = arguments.code
        ))),
    }
}

impl Arguments {
    /// Returns the question about plies, if there is one.
    fn question(&self) -> Option<PliesQuestion> {
        self.within.map(PliesQuestion::Within).or(self.length.then_some(PliesQuestion::Length))
    }
}

/// Proves a position of any game and prints the report.
fn prove<P: ProofGame<Rules: CertificateGame + Solvable>>(game: P, arguments: Arguments) -> CommandResult {
    let position = position_or_start(game.rules(), arguments.position.text().as_deref())?;
    let (memory, question, known) = (memory(arguments.memory, 1 << 30)?, arguments.question(), arguments.winner);
    let all_moves = arguments.all_moves;
    let Arguments { keeping, certificate, horizon, tables, json, force, .. } = arguments;
    let file = |place| match place {
        CertificatePlace::File(file) => Ok(file),
        CertificatePlace::Tables => certificate::place(game.rules(), &position, &tables.folder()?),
    };
    let target = |file| CertificateTarget::new(&game.rules().code(), file, horizon, force);
    let certificate = certificate.map(file).transpose()?.map(target).transpose()?;
    let keeping = CheckpointWriter::open(keeping)?;
    let display = Display::new(game.rules(), &position, json);
    let mut prover = Prover::new(game, memory, arguments.threads.count());
    let mut watch = ProofMonitor::new(arguments.time, keeping, display)?;
    watch.resume(&mut prover, &position, json)?;
    let winner = known.or_else(|| prover.winner(&position, |state| watch.look(state, &position)));
    prover.check_threads()?;
    let played = all_moves.then(|| prover.winners_of_moves(&position, |state| watch.look(state, &position)));
    prover.check_threads()?;
    watch.end(&prover.state(&position), &position);
    let mut report = ProofReport::new(&prover, &position, winner, &watch);
    report.set_moves(&prover, &position, played, &watch);
    let certified = winner.zip(certificate).map_or(Ok(()), |(winner, target)| {
        let written = certificate::write(&mut prover, &position, winner, &target, &watch)?;
        report.certificate = Some(written);
        Ok(())
    });
    let measured = winner.zip(question).filter(|_| certified.is_ok()).map_or(Ok(()), |(winner, question)| {
        let threads = prover.threads();
        let plies = plies::ask(prover.into_game(), &position, winner, question, (memory, threads), &mut watch)?;
        report.set_plies(plies, &watch);
        Ok(())
    });
    if json {
        print_json(&report)?;
    } else {
        print(&report.text())?;
    }
    certified.and(measured).and(report.failure().map_or(Ok(()), Err))
}
