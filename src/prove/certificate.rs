//! The certificate of a proof, written to a file.

use std::path::{Path, PathBuf};

use serde::Serialize;
use yomikiri_rules::{Side, visible};
use yomikiri_solve::certificate::{self, CertificateGame};
use yomikiri_solve::proof::{FullPosition, ProofGame, Prover};
use yomikiri_table::{Part, Progress, Replace, TableError, name};

use super::watch::Watch;
use crate::error::Failure;
use crate::output::{bytes, grouped};
use crate::progress::TerminalProgress;

/// A certificate in its file.
#[derive(Serialize)]
pub struct Written {
    file: String,
    horizon: u32,
    /// Positions listed.
    entries: usize,
    bytes: u64,
}

impl Written {
    pub fn line(&self) -> String {
        let Written { file, entries, bytes: size, .. } = self;
        let (entries, size) = (grouped(*entries as u64), bytes(*size as f64));
        let file = visible(file);
        format!("certificate   {file}: {entries} positions, {size}; to be checked by yomikiri check")
    }
}

/// The certificate of a position in a folder of tables, which is made if it is not there.
pub fn place<G: CertificateGame>(game: &G, position: &G::Position, folder: &Path) -> Result<PathBuf, Failure> {
    let code = game.code();
    std::fs::create_dir_all(folder).map_err(TableError::io(folder))?;
    if *position == game.start() {
        return Ok(name::proof(folder, &code));
    }
    if !game.has_keys() {
        let problem = "positions of this board have no keys, so no names; write --certificate FILE";
        return Err(Failure::Request(format!("{code}: {problem}")));
    }
    Ok(name::proof_below(folder, &code, game.rank(position)))
}

/// Where a certificate goes, and what may lie there already.
pub struct Target {
    file: PathBuf,
    horizon: u32,
    replace: Replace,
}

impl Target {
    /// Refuses a place that cannot be written before any work is done for it. Without `force` only certificates of the
    /// same rules are replaced.
    pub fn new(code: &str, file: PathBuf, horizon: u32, force: bool) -> Result<Target, Failure> {
        let replace = certificate::own(code).unless_forced(force);
        check_place(&file, &replace)?;
        Ok(Target { file, horizon, replace })
    }
}

fn check_place(file: &Path, replace: &Replace) -> Result<(), Failure> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        return Err(Failure::Request(format!("{}: its folder is not there", file.display())));
    }
    replace.check(file).map_err(|error| Failure::Request(error.to_string()))?;
    drop(Part::create(file, replace.clone())?);
    Ok(())
}

/// Lists the winner's moves and writes them, unless it is time to stop.
pub fn write<P: ProofGame<Rules: CertificateGame>>(
    prover: &mut Prover<P>,
    position: &FullPosition<P>,
    winner: Side,
    target: &Target,
    watch: &Watch,
) -> Result<Written, Failure> {
    let Target { file, horizon, replace } = target;
    let (progress, mut shown) = (TerminalProgress::new(false), 0);
    progress.begin("certificate", 0);
    let certificate = certificate::extract(prover, position, winner, *horizon, |count| {
        progress.advance(count - shown);
        shown = count;
        watch.stop().is_none()
    });
    progress.end("");
    prover.check_threads()?;
    let none = |why| Failure::Work(format!("{}: no certificate was written: {why}", file.display()));
    let certificate = certificate.map_err(none)?;
    certificate.write_over(file, replace.clone())?;
    let bytes = file.metadata().map_err(TableError::io(file))?.len();
    Ok(Written { file: file.display().to_string(), horizon: *horizon, entries: certificate.len(), bytes })
}
