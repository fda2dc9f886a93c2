//! The result of making an opening.

use std::path::Path;

use serde::Serialize;
use yomikiri_rules::games::binarsi::Binarsi;
use yomikiri_rules::{Game, Side, visible};
use yomikiri_search::opening::{GroupProof, Outcomes};
use yomikiri_table::TableError;

use crate::output::{bytes, grouped, to_thousandths};
use crate::suggest::check_advice;

/// The counts of an opening's positions, and the work of proving them, as JSON.
#[derive(Serialize)]
pub struct OpeningReport {
    rules: String,
    file: String,
    bytes: u64,
    /// The counts by ply, beginning with the start.
    plies: Vec<PlyCounts>,
    /// The number of expansions of all proofs. `seconds` is the time of all proofs and checks in seconds, summed over
    /// all threads.
    expansions: u64,
    seconds: f64,
    /// The total number of positions in the certificates of all proofs.
    listed: u64,
}

/// The counts of the positions at ply `ply`.
#[derive(Serialize)]
struct PlyCounts {
    ply: usize,
    black_wins: usize,
    white_wins: usize,
}

impl OpeningReport {
    pub fn new<'p>(
        game: &Binarsi,
        file: &Path,
        outcomes: &Outcomes,
        proved: impl Iterator<Item = &'p GroupProof>,
    ) -> Result<OpeningReport, TableError> {
        let count = |ply| {
            let black_wins = outcomes.winners(game, ply).filter(|&(_, winner)| winner == Side::Black).count();
            PlyCounts { ply, black_wins, white_wins: outcomes.levels[ply].len() - black_wins }
        };
        let proved: Vec<&GroupProof> = proved.collect();
        Ok(OpeningReport {
            rules: game.code(),
            file: file.display().to_string(),
            bytes: file.metadata().map_err(TableError::io(file))?.len(),
            plies: (0..outcomes.levels.len()).map(count).collect(),
            expansions: proved.iter().map(|proved| proved.expansions).sum(),
            seconds: to_thousandths(proved.iter().map(|proved| proved.seconds).sum()),
            listed: proved.iter().flat_map(|proved| &proved.certificates).map(|one| one.listed).sum(),
        })
    }

    pub fn text(&self) -> String {
        let OpeningReport { rules, file, plies, expansions, seconds, listed, .. } = self;
        let mut text =
            format!("{rules}: winners by number of moves\n\n  moves   positions   Black wins   White wins\n");
        for PlyCounts { ply, black_wins, white_wins } in plies {
            let [all, black, white] = [black_wins + white_wins, *black_wins, *white_wins].map(|n| grouped(n as u64));
            text += &format!("{ply:>7} {all:>11} {black:>12} {white:>12}\n");
        }
        let [expansions, listed] = [*expansions, *listed].map(grouped);
        text += &format!("\nproved by {expansions} expansions in {seconds:.0} s of all threads; ");
        text += &format!("the certificates listed {listed} positions");
        let advice = check_advice(Path::new(file));
        text + &format!("\n{}: {}; {advice}", visible(file), bytes(self.bytes as f64))
    }
}
