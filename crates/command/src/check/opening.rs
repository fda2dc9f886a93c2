//! `yomikiri check` of an opening: counts its positions, and compares their winners with each other, with certificates
//! in the folders of tables, and with new proofs of a sample.

use std::path::Path;
use std::time::Instant;

use serde::Serialize;
use yomikiri_answer::{Certificates, CheckedFileKind};
use yomikiri_rules::games::binarsi::Binarsi;
use yomikiri_rules::{Game, Notation, Registered, Side};
use yomikiri_search::Searchable;
use yomikiri_search::opening::{HORIZON, OpeningFile};
use yomikiri_search::position_proof::ProofOptions;
use yomikiri_table::source::FileSource;
use yomikiri_table::{Location, Progress, Silent, checked};

use crate::CommandResult;
use crate::error::Failure;
use crate::output::{grouped, note, print, print_json, shown};
use crate::progress::TerminalProgress;
use crate::settings::memory;

/// The options of the check.
pub struct CheckOptions {
    /// The number of positions to prove again, drawn at random with `seed`. `memory` is the memory for a proof in
    /// bytes, or `None` for the default.
    pub sample: usize,
    pub seed: u64,
    pub memory: Option<u64>,
    pub threads: usize,
    pub json: bool,
}

/// The result of the check, as JSON.
#[derive(Serialize)]
struct OpeningCheckReport {
    file: String,
    /// Always `opening`. The report of a certificate is a [`CertificateReport`](yomikiri_answer::CertificateReport).
    kind: CheckedFileKind,
    rules: String,
    /// The last ply of the opening.
    plies: u32,
    /// The number of listed positions. `open` is the number of positions up to the last ply that are not listed.
    positions: usize,
    open: usize,
    /// The number of positions whose listed winner follows from the listed winners of the positions after their moves.
    followed: usize,
    /// The number of listed positions for which a certificate proves the listed winner.
    certified: usize,
    /// The number of positions that were proved again. `seed` is the seed that selected them.
    proved_anew: usize,
    seed: u64,
    seconds: f64,
}

/// Checks the opening in `file` and prints the result. Returns an error at the first fault.
pub fn run(game: &Binarsi, file: &Path, tables: &Location, question: &CheckOptions) -> CommandResult {
    let begun = Instant::now();
    let memory = memory(question.memory, 2 << 30)?;
    let opening = OpeningFile::open(game, Box::new(FileSource::open(file)?), file)?;
    let outcomes = opening.load()?;
    let entries: Vec<OpeningEntry> =
        (0..outcomes.levels.len()).flat_map(|plies| outcomes.winners(game, plies)).collect();
    let certified = agree(game, file, tables, &entries)?;
    prove_sample(game, file, &entries, question, memory)?;
    // Queries and engines call an opening unchecked unless the list of checked files names it.
    if let Err(error) = checked::note_checked(file, opening.hash()) {
        note(&format!("{}: correct, but the result cannot be saved for queries: {error}", shown(file)));
    }
    let report = OpeningCheckReport {
        file: file.display().to_string(),
        kind: CheckedFileKind::Opening,
        rules: game.code(),
        plies: opening.plies(),
        positions: entries.len(),
        open: outcomes.wins.iter().flatten().filter(|wins| wins.is_none()).count(),
        followed: (0..outcomes.levels.len() - 1)
            .map(|plies| outcomes.following(game, plies).into_iter().flatten().count())
            .sum(),
        certified,
        proved_anew: question.sample.min(entries.len()),
        seed: question.seed,
        seconds: begun.elapsed().as_secs_f64(),
    };
    if question.json { print_json(&report) } else { print(&report.text()) }
}

/// A listed position and its winner.
type OpeningEntry = (<Binarsi as Game>::Position, Side);

/// Compares the winners in the opening with the winners that certificates prove. Returns the number of positions that a
/// certificate decides. It is an error if the opening and a certificate have different winners for a position.
fn agree(game: &Binarsi, file: &Path, tables: &Location, entries: &[OpeningEntry]) -> Result<usize, Failure> {
    let any = game.clone().into();
    let (certificates, mut certified) = (Certificates::open(&any, tables.clone()), 0);
    for (position, winner) in entries {
        match certificates.winner(&Binarsi::any_position(*position))? {
            Some(other) if other != *winner => {
                return Err(contradicted(game, file, position, *winner, "a certificate"));
            }
            Some(_) => certified += 1,
            None => {}
        }
    }
    Ok(certified)
}

/// Proves a random sample of the positions again, and checks the certificate of each proof. It is an error if a proof
/// finds a winner other than the one in the opening.
fn prove_sample(
    game: &Binarsi,
    file: &Path,
    entries: &[OpeningEntry],
    question: &CheckOptions,
    memory: u64,
) -> CommandResult {
    let sample = question.sample.min(entries.len());
    let mut random = fastrand::Rng::with_seed(question.seed);
    let options = ProofOptions { draws: Side::White, memory, threads: question.threads };
    let progress = TerminalProgress::new(false);
    progress.begin("proofs", sample as u64);
    for (position, winner) in random.choose_multiple(entries, sample) {
        let mut proof = game.proof(position, &options)?.expect("Binarsi has proofs");
        if proof.winner(&mut |_| true)? != Some(*winner) {
            return Err(contradicted(game, file, position, *winner, "a proof"));
        }
        let failed = |why: String| Failure::work(format!("{}: {}: {why}", shown(file), game.position_text(position)));
        let certificate = proof.certificate(*winner, HORIZON, &mut |_| true)?;
        let certificate = certificate.map_err(|why| failed(why.to_string()))?;
        certificate.check(&Silent).map_err(|why| failed(why.to_string()))?;
        progress.advance(1);
    }
    progress.end("");
    Ok(())
}

fn contradicted(
    game: &Binarsi,
    file: &Path,
    position: &<Binarsi as Game>::Position,
    winner: Side,
    by: &str,
) -> Failure {
    let text = game.position_text(position);
    Failure::work(format!("{}: says that {winner} wins {text}; {by} says that {} wins", shown(file), winner.other()))
}

impl OpeningCheckReport {
    fn text(&self) -> String {
        let OpeningCheckReport { rules, plies, positions, open, followed, certified, proved_anew, .. } = self;
        let OpeningCheckReport { seed, seconds, .. } = self;
        let (state, listed) = match open {
            0 => ("complete", "all positions of these plies, each once".to_string()),
            _ => ("correct", format!("each once; {} others of these plies are open", grouped(*open as u64))),
        };
        let mut text = format!("{rules}: the opening through ply {plies} is {state}");
        for (count, what) in [
            (positions, format!("positions listed: {listed}")),
            (followed, "positions whose winner follows from the winners after their moves".into()),
            (certified, "positions have the same winner in a certificate".into()),
            (proved_anew, format!("positions, drawn at random with seed {seed}, were proved again")),
        ] {
            text += &format!("\n{:>15} {what}", grouped(*count as u64));
        }
        text + &format!("\n{seconds:>15.1} seconds")
    }
}
