//! Writes the certificate of a proof to a file.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use yomikiri_rules::{AnyGame, AnyPosition, Game, Side, visible};
use yomikiri_search::certificate;
use yomikiri_search::position_proof::PositionProof;
use yomikiri_table::{PartFile, Progress, Replaceable, TableError, disk, name};

use super::watch::ProofMonitor;
use crate::error::Failure;
use crate::output::{bytes, grouped, shown};
use crate::output_file;
use crate::progress::TerminalProgress;
use crate::suggest::check_advice;

/// A certificate that has been written, as JSON.
#[derive(Serialize, Deserialize)]
pub struct WrittenCertificate {
    file: String,
    horizon: u32,
    /// The number of positions in the certificate.
    entries: usize,
    bytes: u64,
}

impl WrittenCertificate {
    pub fn line(&self) -> String {
        let WrittenCertificate { file, entries, bytes: size, .. } = self;
        let (entries, size) = (grouped(*entries as u64), bytes(*size as f64));
        let (file, advice) = (visible(file), check_advice(Path::new(file)));
        format!("certificate   {file}: {entries} positions, {size}; {advice}")
    }
}

/// Returns the path of the certificate of `position` in a folder of tables, and creates the folder if it does not
/// exist. The file name contains the key of the position, unless the position is the start of the game. It is an error
/// if the name needs a key and positions of the board have no keys.
pub fn place(game: &AnyGame, position: &AnyPosition, folder: &Path) -> Result<PathBuf, Failure> {
    let code = game.code();
    disk::make_folder(folder)?;
    if *position == game.start() {
        return Ok(name::proof(folder, &code));
    }
    if !game.has_keys() {
        let problem = "positions of this board have no keys for file names; write --certificate FILE";
        return Err(Failure::request(format!("{code}: {problem}")));
    }
    Ok(name::proof_below(folder, &code, game.rank(position)))
}

/// The file to write a certificate to, and the rule for replacing an existing file.
pub struct CertificateTarget {
    file: PathBuf,
    horizon: u32,
    replace: Replaceable,
}

impl CertificateTarget {
    /// Checks that a certificate can be written to `file`. Call it before the proof begins. Without `force`, an
    /// existing file may be replaced only if it is a certificate of the rule code `code`. Positions at most `horizon`
    /// plies before the end of the longest game are left out of the certificate.
    pub fn new(code: &str, file: PathBuf, horizon: u32, force: bool) -> Result<CertificateTarget, Failure> {
        let replace = certificate::replaceable(code).unless_forced(force);
        check_place(&file, &replace)?;
        Ok(CertificateTarget { file, horizon, replace })
    }
}

fn check_place(file: &Path, replace: &Replaceable) -> Result<(), Failure> {
    output_file::check(file, replace)?;
    drop(PartFile::create(file, replace.clone())?);
    Ok(())
}

/// Extracts a certificate from the proof and writes it. It is an error if `watch` has a reason to stop before the
/// certificate is complete.
pub fn write(
    proof: &mut dyn PositionProof,
    winner: Side,
    target: &CertificateTarget,
    watch: &ProofMonitor,
) -> Result<WrittenCertificate, Failure> {
    let CertificateTarget { file, horizon, replace } = target;
    let (progress, mut counted) = (TerminalProgress::new(false), 0);
    progress.begin("certificate", 0);
    let certificate = proof.certificate(winner, *horizon, &mut |count| {
        progress.advance(count - counted);
        counted = count;
        watch.stop().is_none()
    });
    progress.end("");
    let none = |why| Failure::work(why).named(format!("{}: no certificate was written", shown(file)));
    let certificate = certificate?.map_err(none)?;
    certificate.write_over(file, replace.clone())?;
    let bytes = file.metadata().map_err(TableError::io(file))?.len();
    Ok(WrittenCertificate {
        file: file.display().to_string(),
        horizon: *horizon,
        entries: certificate.entries(),
        bytes,
    })
}
