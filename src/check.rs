//! `yomikiri check`: whether a certificate proves who wins.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use yomikiri_answer::{CertificateReport, KeyText};
use yomikiri_rules::AnyGame;
use yomikiri_rules::games::binarsi::Binarsi;
use yomikiri_rules::games::binarsi_points::BinarsiPoints;
use yomikiri_rules::games::connect_four::ConnectFour;
use yomikiri_rules::games::reversi::Reversi;
use yomikiri_solve::certificate::{
    Certificate, CertificateFile, CertificateGame, Claim, MOST_HORIZON, Report, check, rules_of,
};
use yomikiri_table::checked;

use super::Done;
use super::error::Failure;
use super::output::{grouped, note, print, print_json};
use super::progress::TerminalProgress;
use super::prove::claim;
use super::settings::Threads;

/// Play a certificate by the rules: does it prove who wins?
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    yomikiri prove bin4x4 --certificate bin4x4.proof\n  \
    yomikiri check bin4x4.proof --rules bin4x4\n\n\
    A certificate says who wins, and lists a move of the winner for every position that its play can come to. The check\n\
    makes these moves and all moves of the loser by the rules; near the end, where nothing is listed, it tries all\n\
    moves of both sides.\n\n\
    Exit status: 0 proved, 1 not proved or a damaged file, 2 the request makes no sense.")]
pub struct Arguments {
    /// Certificate, as yomikiri prove --certificate writes it
    file: PathBuf,

    /// Rule code that it has to be about, as bin4x4, from the start unless --position says otherwise [default: what the
    /// file says]
    #[arg(long, value_name = "CODE")]
    rules: Option<String>,

    /// Position that it has to be about (startpos or an SFEN), or one with moves after it [default: what the file says,
    /// with --rules the start]
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true)]
    position: Option<String>,

    #[command(flatten)]
    threads: Threads,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// By the game that the file names; a file that names none is told what is wrong with it as one of Binarsi.
pub fn run(arguments: Arguments) -> Done {
    match rules_of(&arguments.file).ok().and_then(|code| AnyGame::parse(&code).ok()) {
        Some(AnyGame::BinarsiPoints(_)) => check_file::<BinarsiPoints>(arguments),
        Some(AnyGame::ConnectFour(_)) => check_file::<ConnectFour>(arguments),
        Some(AnyGame::Reversi(_)) => check_file::<Reversi>(arguments),
        _ => check_file::<Binarsi>(arguments),
    }
}

fn check_file<G: CertificateGame>(arguments: Arguments) -> Done {
    let Arguments { file, rules, position, threads, json } = arguments;
    // Before anything is read: that starts the threads too.
    threads.apply()?;
    let rules = rules.map(|code| AnyGame::parse(&code)).transpose()?.map(|game| game.code());
    let begun = Instant::now();
    let opened = CertificateFile::<G>::open(&file)?;
    let (hash, certificate) = (opened.hash(), opened.load()?);
    let claim = &certificate.claim;
    let code = claim.game.code();
    let other = |what: String| Failure::Work(format!("{}: {what}", file.display()));
    if let Some(rules) = rules.as_ref().filter(|rules| **rules != code) {
        return Err(other(format!("is the certificate of {code}, not of {rules}")));
    }
    let wanted = position.or(rules.map(|_| "startpos".into()));
    if let Some(wanted) = wanted.map(|text| claim.game.parse_position(&text)).transpose()? {
        check_position(claim, &wanted).map_err(other)?;
    }
    let horizon = claim.horizon;
    if horizon > MOST_HORIZON {
        let most = format!("at most {MOST_HORIZON} are allowed");
        return Err(other(format!("a horizon of {horizon} plies leaves too much to be read out, {most}")));
    }
    let report = check(&certificate, &TerminalProgress::new(false));
    let report = report.map_err(|why| Failure::Work(format!("{}: not proved: {why}", file.display())))?;
    let seconds = begun.elapsed().as_secs_f64();
    // Queries and engines say 'unchecked' of any other.
    if let Err(error) = checked::note_checked(&file, hash) {
        note(&format!("proved, but that cannot be noted for queries: {error}"));
    }
    match json {
        true => print_json(&as_json(&file, &certificate, report, seconds)),
        false => print(&as_text(&certificate, report, seconds)),
    }
}

/// Refuses a certificate of another position, mirror images being the same; the error says of which.
fn check_position<G: CertificateGame>(claim: &Claim<G>, wanted: &G::Position) -> Result<(), String> {
    let Claim { game, position, .. } = claim;
    if game.canonical(position) == game.canonical(wanted) {
        return Ok(());
    }
    let name = |position: &G::Position| match is_start(game, position) {
        true => format!("the start of {}", game.code()),
        false => game.position_text(position),
    };
    let about = if is_start(game, position) { "" } else { "the position " };
    let cure = if is_start(game, wanted) { "; see --position" } else { "" };
    Err(format!("is about {about}{}, not about {}{cure}", name(position), name(wanted)))
}

fn is_start<G: CertificateGame>(game: &G, position: &G::Position) -> bool {
    game.canonical(position) == game.canonical(&game.start())
}

fn as_text<G: CertificateGame>(certificate: &Certificate<G>, report: Report, seconds: f64) -> String {
    let Claim { game, position, winner, draws, horizon } = &certificate.claim;
    let left = if *horizon == 1 { "1 ply".into() } else { format!("{horizon} plies") };
    let counts = [
        (report.winner_to_move, format!("positions with {winner} to move, the listed move played")),
        (report.loser_to_move, format!("positions with {} to move, all moves played", winner.other())),
        (report.endgames, format!("positions read out, at most {left} before the end of the longest game")),
    ];
    let claim = claim(*winner, *draws);
    let later = if is_start(game, position) { "" } else { ", not from the start" };
    let mut text = format!("{}: {claim} from {}{later}: proved", game.code(), game.position_text(position));
    for (count, what) in counts {
        text += &format!("\n{:>15} {what}", grouped(count));
    }
    text + &format!("\n{seconds:>15.1} seconds")
}

fn as_json<G: CertificateGame>(
    file: &Path,
    certificate: &Certificate<G>,
    report: Report,
    seconds: f64,
) -> CertificateReport {
    let Claim { game, position, winner, draws, horizon } = &certificate.claim;
    let Report { winner_to_move, loser_to_move, endgames: read_out } = report;
    CertificateReport {
        file: file.display().to_string(),
        rules: game.code(),
        position: game.position_text(position),
        key: KeyText::of(game, position),
        winner: *winner,
        draws: *draws,
        proved: true,
        horizon: *horizon,
        entries: certificate.len(),
        winner_to_move,
        loser_to_move,
        read_out,
        seconds,
    }
}
