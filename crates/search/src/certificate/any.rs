//! Certificates of games that are known only at run time.

use std::path::Path;

use super::{Certificate, CertificateFile, CertificateGame, CheckedCounts, Claim, Refutation, check};
use yomikiri_rules::{AnyGame, Registered};
use yomikiri_table::{Progress, Replaceable, TableError};

/// A certificate of any game. [`Certificate`] documents the methods.
pub trait AnyCertificate {
    /// The claim that the certificate proves.
    fn claim(&self) -> Claim<AnyGame>;

    /// The number of positions listed.
    fn entries(&self) -> usize;

    /// Checks that the winner wins as the certificate claims ([`check()`]).
    fn check(&self, progress: &dyn Progress) -> Result<CheckedCounts, Refutation>;

    /// Writes a file under a temporary name and renames it. `replace` says which file at `path` may be replaced.
    fn write_over(&self, path: &Path, replace: Replaceable) -> Result<(), TableError>;
}

impl<G: CertificateGame + Registered> AnyCertificate for Certificate<G> {
    fn claim(&self) -> Claim<AnyGame> {
        let Claim { game, position, winner, draws, horizon } = &self.claim;
        let (game, position) = (game.clone().into(), G::any_position(*position));
        Claim { game, position, winner: *winner, draws: *draws, horizon: *horizon }
    }

    fn entries(&self) -> usize {
        self.len()
    }

    fn check(&self, progress: &dyn Progress) -> Result<CheckedCounts, Refutation> {
        check(self, progress)
    }

    fn write_over(&self, path: &Path, replace: Replaceable) -> Result<(), TableError> {
        Certificate::write_over(self, path, replace)
    }
}

/// A certificate that was read from a file, with the hash in the header of the file.
pub struct ReadCertificate {
    /// The hash, which covers the whole file.
    pub hash: u64,
    /// The certificate.
    pub certificate: Box<dyn AnyCertificate>,
}

/// Reads the certificate of a game from a file.
pub fn read<G: CertificateGame + Registered>(path: &Path) -> Result<ReadCertificate, TableError> {
    let file = CertificateFile::<G>::open(path)?;
    Ok(ReadCertificate { hash: file.hash(), certificate: Box::new(file.load()?) })
}
