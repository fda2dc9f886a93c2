//! Tables of cyclic games in the smaller form of their blocks.

use std::path::Path;

use super::{Cyclic, DenseKey};
use crate::Result;
use yomikiri_table::format::Block;
use yomikiri_table::recode::{self, Runs};
use yomikiri_table::{Progress, probe};

/// Writes a finished table of the game anew, in its place, in the smaller form; false if it has that.
pub fn pack<G: Cyclic>(game: &G, path: &Path, progress: &dyn Progress) -> Result<bool> {
    probe::open(game, path)?;
    Ok(recode::to_coded(path, |block| runs(game, block), progress)?)
}

/// Where the runs of the game lie in a block. Their length may change in it; then those in its middle count.
fn runs<G: Cyclic>(game: &G, block: &Block) -> Runs {
    let keys: u64 = game.open_keys().into();
    let middle = (block.key + u64::from(block.rows) * super::table::LANES / 2).min(keys.saturating_sub(1));
    let (first, count) = game.run(G::Key::of(middle), &mut G::Block::default());
    let runs = count.is_power_of_two().then(|| {
        let (bits, count) = (count.trailing_zeros() as u8, i128::from(count));
        let phase = (i128::from(block.key) - i128::from(first)).rem_euclid(count);
        Runs::new(bits, u8::try_from(phase).ok()?)
    });
    runs.flatten().unwrap_or(Runs::ALONE)
}
