//! `yomikiri prove`: who wins a position that no table reaches, in a game that never repeats one.
//!
//! `watch` looks after a proof while it runs, `progress` shows it, `estimate` says how long it may take yet,
//! `certificate` what others can check, `soon` in how many plies it is won, `report` what has come of it.

mod certificate;
mod estimate;
mod progress;
mod report;
mod soon;
mod watch;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};
use yomikiri_rules::{AnyGame, Game, Side};
use yomikiri_solve::Solvable;
use yomikiri_solve::adapters::binarsi::BinarsiProof;
use yomikiri_solve::certificate::{CertificateGame, MOST_HORIZON};
use yomikiri_solve::proof::{PlainProof, ProofGame, Prover};

use super::Done;
use super::error::Failure;
use super::keeping::{self, Keeping};
use super::output::{print, print_json};
use super::settings::{TablesFolder, Threads, memory, parse_memory, parse_time, position_argument, position_or_start};
use certificate::Target;
use progress::Display;
use report::Report;
pub use report::claim;
use soon::Question;
use watch::Watch;

/// Prove who wins a position where no table reaches, in a game that never repeats one
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    yomikiri prove bin5x4 --certificate bin5x4.proof\n  \
    yomikiri prove bin6x6 --memory 16G --checkpoint proof --time 12h\n  \
    yomikiri prove bin7x6 \"startpos moves 4n cs1 bn\" --json\n  \
    yomikiri prove bin5x5 --all-moves\n  \
    yomikiri prove bin5x5 --length\n  \
    yomikiri prove con5x4 --draws white\n\n\
    With --checkpoint the same command goes on where the last one stopped or was killed, also with other memory,\n\
    with other threads or on another machine. A certificate is checked by: yomikiri check FILE\n\n\
    Exit status: 0 decided, 1 not decided in the time, or stopped, 2 the request makes no sense.")]
pub struct Arguments {
    /// Rule code, as bin5x4
    code: String,

    /// Position (startpos or an SFEN), or one with moves after it [default: startpos]
    #[arg(value_parser = position_argument, allow_hyphen_values = true)]
    position: Option<String>,

    /// The side for which draws count, in games that have them: whether the other one wins is decided
    #[arg(long, value_name = "SIDE", default_value = "white", value_parser = parse_side)]
    draws: Side,

    /// Decide who wins after every legal move, not only after one that wins
    #[arg(long)]
    all_moves: bool,

    /// Say whether the winner wins within so many plies
    #[arg(long, value_name = "N", conflicts_with = "length")]
    within: Option<u32>,

    /// Say in how many plies the winner wins who hurries against a loser who delays
    #[arg(long)]
    length: bool,

    /// Who wins, if that is known: then only how soon is asked
    #[arg(long, value_name = "SIDE", value_parser = parse_side, conflicts_with_all = ["all_moves", "certificate"])]
    winner: Option<Side>,

    /// Memory for proof numbers, as 16G or 500M [default: 1G, or what the machine has]
    #[arg(long, value_name = "SIZE", value_parser = parse_memory)]
    memory: Option<u64>,

    #[command(flatten)]
    threads: Threads,

    /// Stop after so long, as 90s, 30m or 12h
    #[arg(long, value_name = "T", value_parser = parse_time)]
    time: Option<Duration>,

    #[command(flatten)]
    keeping: keeping::Place,

    /// When it is decided, write the winner's moves to this file, which yomikiri check plays by the rules; without a
    /// file, to the one in the folder of tables that query and engines ask
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "")]
    #[arg(value_parser = OsStringValueParser::new().map(Place::of))]
    certificate: Option<Place>,

    #[command(flatten)]
    tables: TablesFolder,

    /// The certificate leaves out positions with so many plies to the end of the longest game, and fewer: less makes
    /// larger files
    #[arg(long, value_name = "N", default_value_t = 6, requires = "certificate")]
    #[arg(value_parser = clap::value_parser!(u32).range(..=i64::from(MOST_HORIZON)))]
    horizon: u32,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Write the certificate in place of a file that is something else
    #[arg(long, requires = "certificate")]
    force: bool,
}

/// Where a certificate goes.
#[derive(Clone, Debug)]
enum Place {
    File(PathBuf),
    /// Its place in the folder of tables.
    Tables,
}

impl Place {
    fn of(file: OsString) -> Place {
        if file.is_empty() { Place::Tables } else { Place::File(file.into()) }
    }
}

fn parse_side(text: &str) -> Result<Side, String> {
    match text {
        "black" => Ok(Side::Black),
        "white" => Ok(Side::White),
        _ => Err("write black or white".into()),
    }
}

/// Binarsi for the win by what it knows, other games by their rules.
pub fn run(arguments: Arguments) -> Done {
    let draws = arguments.draws;
    if arguments.winner.is_some() && arguments.question().is_none() {
        return Err(Failure::Request("--winner is for --within and --length".into()));
    }
    let game = AnyGame::parse(&arguments.code)?;
    // Certificates are packed on the pool of the process.
    arguments.threads.apply()?;
    match game {
        AnyGame::Binarsi(game) => prove(BinarsiProof::new(&game), arguments),
        AnyGame::BinarsiPoints(_) | AnyGame::Reversi(_) if arguments.question().is_some() => {
            let code = arguments.code;
            Err(Failure::Request(format!("{code}: this game is about points, so nobody counts plies to its end")))
        }
        AnyGame::BinarsiPoints(game) => prove(PlainProof::new(&game, draws)?, arguments),
        AnyGame::ConnectFour(game) => prove(PlainProof::new(&game, draws)?, arguments),
        AnyGame::Reversi(game) => prove(PlainProof::new(&game, draws)?, arguments),
        AnyGame::AnimalShogi(_) | AnyGame::Pyonpyon(_) | AnyGame::PyonpyonShogi(_) => Err(Failure::Request(format!(
            "{code}: proofs are for games that never repeat a position; values of this one come from: \
             yomikiri query {code} POSITION",
            code = arguments.code
        ))),
    }
}

impl Arguments {
    /// What is asked about plies.
    fn question(&self) -> Option<Question> {
        self.within.map(Question::Within).or(self.length.then_some(Question::Length))
    }
}

/// The whole command for any game.
fn prove<P: ProofGame<Rules: CertificateGame + Solvable>>(game: P, arguments: Arguments) -> Done {
    let position = position_or_start(game.rules(), arguments.position.as_deref())?;
    let (memory, question, known) = (memory(arguments.memory, 1 << 30)?, arguments.question(), arguments.winner);
    let all_moves = arguments.all_moves;
    let Arguments { keeping, certificate, horizon, tables, json, force, .. } = arguments;
    let file = |place| match place {
        Place::File(file) => Ok(file),
        Place::Tables => certificate::place(game.rules(), &position, &tables.folder()?),
    };
    let target = |file| Target::new(&game.rules().code(), file, horizon, force);
    let certificate = certificate.map(file).transpose()?.map(target).transpose()?;
    let keeping = Keeping::open(keeping)?;
    let display = Display::new(game.rules(), &position, json);
    let mut prover = Prover::new(game, memory, arguments.threads.count());
    let mut watch = Watch::new(arguments.time, keeping, display)?;
    watch.resume(&mut prover, &position, json)?;
    let winner = known.or_else(|| prover.winner(&position, |state| watch.look(state, &position)));
    prover.check_threads()?;
    let played = all_moves.then(|| prover.winners_of_moves(&position, |state| watch.look(state, &position)));
    prover.check_threads()?;
    watch.end(&prover.state(&position), &position);
    let mut report = Report::new(&prover, &position, winner, &watch);
    report.set_moves(&prover, &position, played, &watch);
    let certified = winner.zip(certificate).map_or(Ok(()), |(winner, target)| {
        let written = certificate::write(&mut prover, &position, winner, &target, &watch)?;
        report.certificate = Some(written);
        Ok(())
    });
    let soon = winner.zip(question).filter(|_| certified.is_ok()).map_or(Ok(()), |(winner, question)| {
        let threads = prover.threads();
        let soon = soon::ask(prover.into_game(), &position, winner, question, (memory, threads), &mut watch)?;
        report.set_plies(soon, &watch);
        Ok(())
    });
    if json {
        print_json(&report)?;
    } else {
        print(&report.text())?;
    }
    certified.and(soon).and(report.failure().map_or(Ok(()), Err))
}
