//! `yomikiri query`: the value of a position and of its moves.
//!
//! `batch` answers many positions, `watch` shows and stops a proof, and `text` formats the answer.

mod batch;
mod text;
mod watch;

use std::io::IsTerminal;
use std::path::Path;
use std::time::Duration;

use clap::Args;
use yomikiri_answer::{Answerer, BatchSettings, Points, ProofLimits, ProofQuestion, QueryReport, Trust};
use yomikiri_rules::{AnyGame, AnyPosition, Game, Notation};
use yomikiri_search::Searchable;
use yomikiri_table::Location;

use super::error::Failure;
use super::open::answer_failure;
use super::output::{note, print, print_json, shown};
use super::progress::TerminalProgress;
use super::settings::{PositionWords, TablesOption, Threads, parse_memory, parse_time};
use super::suggest::check_advice;
use super::{CommandResult, settings};
use text::{head, summary, text_of};
use watch::{QueryMonitor, Shown, USUAL_TIME};

/// Show the value of a position and of every legal move, best first
///
/// With - for the position, each line of standard input is a position or a key. A line of JSON is written for each, in
/// the same order: an answer, or {"error":"..."}. Standard input may also be a file of recorded games (reversi: .wtb),
/// with a line for each game.
#[derive(Args)]
pub struct Arguments {
    /// Rule code, such as bin4x4
    code: String,

    #[command(flatten)]
    position: PositionWords,

    #[command(flatten)]
    tables: TablesOption,

    /// Memory for a search where no table reaches [default: 1G, or what the machine has]
    #[arg(long, value_name = "SIZE", value_parser = parse_memory)]
    memory: Option<u64>,

    /// Time limit for a proof or a search, if no table or certificate has the position [default: 30s]. With this
    /// option, moves that a certificate leaves open are decided too
    #[arg(long, value_name = "T", value_parser = parse_time)]
    time: Option<Duration>,

    /// If a win is found by a proof, also prove how soon it comes; the same for each move
    #[arg(long)]
    plies: bool,

    /// With --json: print a line for the winner and for each move as soon as it is decided, then the whole answer
    #[arg(long, requires = "json")]
    stream: bool,

    /// With many positions: show key and value only, without the moves
    #[arg(long)]
    brief: bool,

    /// With many positions: read the table into memory first, if it has all positions of a game
    #[arg(long)]
    resident: bool,

    #[command(flatten)]
    threads: Threads,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The default memory for proofs and searches, in bytes. A run of half a minute does not fill it.
const PROOF_MEMORY: u64 = 512 << 20;

pub fn run(arguments: Arguments) -> CommandResult {
    let game = &AnyGame::parse(&arguments.code)?;
    let Arguments { position, tables, memory, json, brief, resident, threads, time, plies, stream, .. } = arguments;
    let position = position.text().unwrap_or_else(|| "startpos".into());
    let (of_proofs, memory) = (memory.unwrap_or(PROOF_MEMORY), settings::memory(memory, 1 << 30)?);
    threads.apply()?;
    let location = tables.location_or_note()?;
    let mut answerer = Answerer::new(game, &location);
    answerer.set_proofs(ProofLimits { memory: of_proofs.min(memory), threads: threads.count() });
    if !game.has_proofs() && game.searcher(0).is_none() && (time.is_some() || plies) {
        note(&format!("{}: --time and --plies have no effect: the game has no proofs and no search", game.code()));
    }
    let limit = time.unwrap_or(USUAL_TIME);
    // A certificate answers at once, but may leave moves open. Deciding these moves may take hours, so this is done on
    // request only.
    let question = ProofQuestion { moves: !brief, plies, beyond_certificates: time.is_some() || plies };
    if position == "-" {
        if stream {
            let problem =
                "--stream is for one position; leave it out, because each position from a pipe has its own line anyway";
            return Err(Failure::request(problem));
        }
        answerer.set_resident(resident);
        let batch = BatchSettings { memory, question };
        return batch::answer(&mut answerer, batch, &mut QueryMonitor::new(game, limit, Shown::Nothing));
    }
    for (is_there, option) in [(brief, "--brief"), (resident, "--resident")] {
        if is_there {
            let problem =
                format!("{option} is for many positions; to read them from a pipe, write - in place of the position");
            return Err(Failure::request(problem));
        }
    }
    let position = game.parse_position(&position)?;
    let progress = TerminalProgress::new(false);
    let shown = match (stream, json) {
        (true, _) => Shown::Lines,
        (_, true) => Shown::Progress,
        _ if std::io::stdout().is_terminal() => Shown::Text(head(game, &position)),
        _ => Shown::Progress,
    };
    let mut watch = QueryMonitor::new(game, limit, shown);
    let mut report = QueryReport::prove(&mut answerer, &position, memory, question, &progress, &mut watch)
        .map_err(|error| answer_failure(&answerer, &position, error))?;
    let is_shown = watch.end()?;
    report.points = Points::of(game, &location, &position).unwrap_or_else(|error| {
        note(&format!("{error}; points are not shown"));
        None
    });
    if json {
        print_json(&report)?;
    } else {
        let advice = match report.certificate {
            Some(Trust::Unchecked) => advice_to_check(&mut answerer, &location, &position)?,
            _ => None,
        };
        let text = if is_shown { summary(&report, advice) } else { text_of(game, &position, &report, advice) };
        print(&text)?;
    }
    watch.remark(&report, plies)
}

/// Returns the advice to check the file that names the winner of `position`, or `None` if the file is checked. A file
/// at an address has to be downloaded first.
fn advice_to_check(
    answerer: &mut Answerer,
    location: &Location,
    position: &AnyPosition,
) -> Result<Option<String>, Failure> {
    let advice = |file: &Path| match file.file_name().filter(|_| location.is_remote(file)) {
        Some(name) => format!("download {} and {}", shown(file), check_advice(Path::new(name))),
        None => check_advice(file),
    };
    Ok(answerer.certificates()?.unchecked_file(position)?.map(advice))
}
