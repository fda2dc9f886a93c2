//! Reads the positions that a certificate proves, and stores them in the table of a prover.

use std::path::{Path, PathBuf};

use super::{Certificate, CertificateFile, CertificateGame, Refutation, check_all};
use crate::proof::{ProofGame, Prover};
use yomikiri_rules::{Game, Side};
use yomikiri_table::{Progress, TableError};

/// The reason why a certificate cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KnownError {
    /// The file cannot be read, or is about other rules.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The certificate does not prove its claim.
    #[error("{}: the certificate does not prove its claim: {refutation}", file.display())]
    Refuted {
        /// The file of the certificate.
        file: PathBuf,
        /// The position at which the check failed, with the reason.
        refutation: Refutation,
    },
}

/// Checks the certificate in `file` by the rules. Fills the table of `prover` with the positions that the certificate
/// proves, and returns their number.
///
/// # Errors
///
/// If the file cannot be read, is about other rules, or does not prove its claim. In the last case, the table is empty.
pub fn add_certificate<P: ProofGame<Rules: CertificateGame>>(
    prover: &mut Prover<P>,
    file: &Path,
    progress: &dyn Progress,
) -> Result<u64, KnownError> {
    let certificate = read(prover.game(), file)?;
    let mut solved = prover.begin_adding();
    let (rules, winner, mut count) = (&certificate.claim.game, certificate.claim.winner, 0);
    let mut add = |keys: &[u64], mover: Side| {
        count += keys.len() as u64;
        for &key in keys {
            let position = rules.unrank(key).expect("the check has met the position of this key");
            solved.add(&position, mover, winner);
        }
    };
    let positions = [certificate.claim.position];
    match check_all(&certificate, &positions, &|_| false, &mut add, progress) {
        Ok(_) => Ok(count),
        Err(refutation) => {
            prover.forget();
            Err(KnownError::Refuted { file: file.into(), refutation })
        }
    }
}

/// Reads a certificate. Returns an error if it is about other rules, counts draws differently from `game`, or has a
/// horizon that is too large to check.
fn read<P: ProofGame<Rules: CertificateGame>>(game: &P, file: &Path) -> Result<Certificate<P::Rules>, TableError> {
    let foreign = |what: String| TableError::foreign(file, what);
    let code = game.rules().code();
    match super::rules_of(file)? {
        other if other != code => return Err(foreign(format!("is a certificate of {other}, not of {code}"))),
        _ => {}
    }
    let opened = CertificateFile::<P::Rules>::open(file)?;
    let draws = opened.claim.draws;
    if draws != game.draws() {
        return Err(foreign(match draws {
            Some(side) => format!("counts draws as wins of {}; see --draws", side.name()),
            None => "does not say which side wins a draw".into(),
        }));
    }
    opened.claim.check_horizon().map_err(foreign)?;
    opened.load()
}
