//! `yomikiri check`: checks that a certificate proves the winner, or that an opening is correct. The check of openings
//! is in `opening`.

mod opening;

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use yomikiri_answer::{CertificateReport, CheckedFileKind, KeyText};
use yomikiri_rules::games::binarsi::Binarsi;
use yomikiri_rules::{AnyGame, AnyPosition, Game, Notation};
use yomikiri_search::certificate::{CheckedCounts, Claim, rules_of};
use yomikiri_search::open_certificate;
use yomikiri_search::opening::opening_of;
use yomikiri_table::checked;
use yomikiri_table::source::FileSource;

use crate::CommandResult;
use crate::error::Failure;
use crate::output::{grouped, note, print, print_json, shown};
use crate::progress::TerminalProgress;
use crate::settings::{self, Threads, parse_memory};

/// Check by the rules that a certificate proves the winner, or that an opening is correct
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    yomikiri prove bin4x4 --certificate bin4x4.proof\n  \
    yomikiri check bin4x4.proof --rules bin4x4\n  \
    yomikiri check openings/bin4x4.opening --sample 20\n\n\
    A certificate says who wins, and lists a move of the winner for every position that can arise. The check\n\
    makes these moves and all moves of the loser by the rules; near the end, where nothing is listed, it tries all\n\
    moves of both sides.\n\n\
    An opening lists who wins the positions of the first plies (yomikiri opening). The check counts the positions.\n\
    It compares their winners with each other, and with the certificates in the folders of tables (see\n\
    yomikiri --help). With --sample N it also proves N random positions anew.\n\n\
    Exit status: 0 proved, 1 not proved or a damaged file, 2 the request makes no sense.")]
pub struct Arguments {
    /// Certificate, as written by yomikiri prove --certificate, or opening, as written by yomikiri opening
    file: PathBuf,

    /// Rule code that the file must be about, such as bin4x4, from the start unless --position is given [default: the
    /// rule code in the file]
    #[arg(long, value_name = "CODE")]
    rules: Option<String>,

    /// Position that the file must be about (startpos or an SFEN), with or without moves after it [default: the
    /// position in the file, with --rules the start]
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true)]
    position: Option<String>,

    /// Openings: prove N of the positions anew
    #[arg(long, value_name = "N", default_value_t = 0)]
    sample: usize,

    /// Openings: seed that draws these positions
    #[arg(long, value_name = "N", default_value_t = 1, requires = "sample")]
    seed: u64,

    /// Openings: memory for a proof, such as 16G or 500M [default: 2G, or what the machine has]
    #[arg(long, value_name = "SIZE", value_parser = parse_memory, requires = "sample")]
    memory: Option<u64>,

    #[command(flatten)]
    threads: Threads,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Checks a file by the rules of the game that the file names.
pub fn run(arguments: Arguments) -> CommandResult {
    if let Some(code) = opening_of(&arguments.file) {
        return match AnyGame::parse(&code)? {
            AnyGame::Binarsi(game) => check_opening(&game, arguments),
            _ => Err(Failure::request(format!("{code}: this game has no opening files"))),
        };
    }
    // If the file cannot be found, `check_certificate` reports that.
    if arguments.sample > 0 && arguments.file.exists() {
        return Err(Failure::request(format!(
            "{}: is not an opening; --sample is for openings",
            shown(&arguments.file)
        )));
    }
    check_certificate(arguments)
}

fn check_opening(game: &Binarsi, arguments: Arguments) -> CommandResult {
    let Arguments { file, rules, position, sample, seed, memory, threads, json } = arguments;
    if position.is_some() {
        return Err(Failure::request("an opening is about the start; leave out --position"));
    }
    let code = game.code();
    if let Some(rules) = rules.map(|code| AnyGame::parse(&code)).transpose()?.map(|game| game.code())
        && rules != code
    {
        return Err(Failure::work(format!("{}: is the opening of {code}, not of {rules}", shown(&file))));
    }
    threads.apply()?;
    let question = opening::CheckOptions { sample, seed, memory, threads: threads.count(), json };
    opening::run(game, &file, &settings::location(&[])?, &question)
}

fn check_certificate(arguments: Arguments) -> CommandResult {
    let Arguments { file, rules, position, threads, json, .. } = arguments;
    // The thread pool must start before the certificate is read, since reading uses it.
    threads.apply()?;
    let rules = rules.map(|code| AnyGame::parse(&code)).transpose()?.map(|game| game.code());
    let begun = Instant::now();
    let named = rules_of(&file).ok().and_then(|code| AnyGame::parse(&code).ok());
    let opened = open_certificate(named.as_ref(), Box::new(FileSource::open(&file)?), &file)?;
    let (hash, certificate) = (opened.hash(), opened.load()?);
    let claim = certificate.claim();
    let code = claim.game.code();
    let other = |what: String| Failure::work(format!("{}: {what}", shown(&file)));
    if let Some(rules) = rules.as_ref().filter(|rules| **rules != code) {
        return Err(other(format!("is a certificate of {code}, not of {rules}")));
    }
    let wanted = position.or(rules.map(|_| "startpos".into()));
    if let Some(wanted) = wanted.map(|text| claim.game.parse_position(&text)).transpose()? {
        check_position(&claim, &wanted).map_err(other)?;
    }
    claim.check_horizon().map_err(other)?;
    let counts = certificate.check(&TerminalProgress::new(false));
    let counts = counts.map_err(|why| Failure::work(why).named(format!("{}: not proved", shown(&file))))?;
    let seconds = begun.elapsed().as_secs_f64();
    // Queries and engines call a certificate unchecked unless the list of checked files names it.
    if let Err(error) = checked::note_checked(&file, hash) {
        note(&format!("{}: proved, but the result cannot be saved for queries: {error}", shown(&file)));
    }
    match json {
        true => print_json(&as_json(&file, &claim, certificate.entries(), counts, seconds)),
        false => print(&as_text(&claim, counts, seconds)),
    }
}

/// Returns an error if `claim`, the statement of a certificate, is about another position than `wanted`. Mirror images
/// count as the same position.
fn check_position(claim: &Claim<AnyGame>, wanted: &AnyPosition) -> Result<(), String> {
    let Claim { game, position, .. } = claim;
    if game.canonical(position) == game.canonical(wanted) {
        return Ok(());
    }
    let name = |position: &AnyPosition| match is_start_position(game, position) {
        true => format!("the start of {}", game.code()),
        false => game.position_text(position),
    };
    let about = if is_start_position(game, position) { "" } else { "the position " };
    let cure = if is_start_position(game, wanted) { "; see --position" } else { "" };
    Err(format!("is about {about}{}, not about {}{cure}", name(position), name(wanted)))
}

fn is_start_position(game: &AnyGame, position: &AnyPosition) -> bool {
    game.canonical(position) == game.canonical(&game.start())
}

fn as_text(claim: &Claim<AnyGame>, counts: CheckedCounts, seconds: f64) -> String {
    let Claim { game, position, winner, draws, horizon } = claim;
    let left = if *horizon == 1 { "1 ply".into() } else { format!("{horizon} plies") };
    let lines = [
        (counts.winner_to_move, format!("positions with {winner} to move, the listed move played")),
        (counts.loser_to_move, format!("positions with {} to move, all moves played", winner.other())),
        (
            counts.endgames,
            format!("positions solved by search, each at most {left} before the end of the longest possible game"),
        ),
    ];
    let verdict = crate::prove::claim(*winner, *draws);
    let later = if is_start_position(game, position) { "" } else { ", not from the start" };
    let mut text = format!("{}: {verdict} from {}{later}: proved", game.code(), game.position_text(position));
    for (count, what) in lines {
        text += &format!("\n{:>15} {what}", grouped(count));
    }
    text + &format!("\n{seconds:>15.1} seconds")
}

fn as_json(
    file: &Path,
    claim: &Claim<AnyGame>,
    entries: usize,
    counts: CheckedCounts,
    seconds: f64,
) -> CertificateReport {
    let Claim { game, position, winner, draws, horizon } = claim;
    let CheckedCounts { winner_to_move, loser_to_move, endgames: read_out } = counts;
    CertificateReport {
        file: file.display().to_string(),
        kind: CheckedFileKind::Certificate,
        rules: game.code(),
        position: game.position_text(position),
        key: KeyText::of(game, position),
        winner: *winner,
        draws: *draws,
        proved: true,
        horizon: *horizon,
        entries,
        winner_to_move,
        loser_to_move,
        read_out,
        seconds,
    }
}
