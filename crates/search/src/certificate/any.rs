//! Certificates of games that are known only at run time.

use std::path::Path;

use super::{Certificate, CertificateFile, CertificateGame, CheckedCounts, Claim, Refutation, check};
use crate::Strategy;
use yomikiri_rules::{AnyGame, AnyMove, AnyPosition, Registered, Side};
use yomikiri_table::source::ReadAt;
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
        any_claim(&self.claim)
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

/// A certificate of any game in a file. [`CertificateFile`] documents the methods.
pub trait AnyCertificateFile: Send + Sync {
    /// The claim that the certificate proves.
    fn claim(&self) -> Claim<AnyGame>;

    /// The hash in the header, which covers the whole file.
    fn hash(&self) -> u64;

    /// Returns the winner of a position, by the listed moves or, near the end of the game, by a search of some
    /// milliseconds; `None` if the certificate does not tell.
    fn winner(&self, position: &AnyPosition) -> Result<Option<Side>, TableError>;

    /// Returns the listed move of a position with the winner to move; `None` if no move is listed.
    fn winning_move(&self, position: &AnyPosition) -> Result<Option<AnyMove>, TableError>;

    /// Reads the whole certificate.
    fn load(self: Box<Self>) -> Result<Box<dyn AnyCertificate>, TableError>;
}

impl<G: CertificateGame + Registered> AnyCertificateFile for CertificateFile<G> {
    fn claim(&self) -> Claim<AnyGame> {
        any_claim(&self.claim)
    }

    fn hash(&self) -> u64 {
        CertificateFile::hash(self)
    }

    fn winner(&self, position: &AnyPosition) -> Result<Option<Side>, TableError> {
        let position = G::position_of(position);
        Ok(Strategy::winner(self, position)?.or_else(|| self.winner_near_end(position)))
    }

    fn winning_move(&self, position: &AnyPosition) -> Result<Option<AnyMove>, TableError> {
        Ok(Strategy::winning_move(self, G::position_of(position))?.map(G::any_move))
    }

    fn load(self: Box<Self>) -> Result<Box<dyn AnyCertificate>, TableError> {
        Ok(Box::new(CertificateFile::load(*self)?))
    }
}

fn any_claim<G: CertificateGame + Registered>(claim: &Claim<G>) -> Claim<AnyGame> {
    let &Claim { ref game, position, winner, draws, horizon } = claim;
    Claim { game: game.clone().into(), position: G::any_position(position), winner, draws, horizon }
}

/// Opens a certificate of the game `G`.
pub fn open<G: CertificateGame + Registered>(
    source: Box<dyn ReadAt>,
    path: &Path,
) -> Result<Box<dyn AnyCertificateFile>, TableError> {
    Ok(Box::new(CertificateFile::<G>::from_source(source, path)?))
}
