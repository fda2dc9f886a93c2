//! Rewrites tables of cyclic games in their smaller form.

use std::path::Path;

use super::{Cyclic, DenseKey};
use crate::Result;
use yomikiri_table::format::BlockEntry;
use yomikiri_table::recode::{self, Packing, Runs};
use yomikiri_table::{Progress, probe};

/// Rewrites a finished table of the game in place in its smaller form, if the table becomes smaller. It is an error if
/// the table lists all its positions.
pub fn pack<G: Cyclic>(game: &G, path: &Path, progress: &dyn Progress) -> Result<Packing> {
    probe::open(game, path)?;
    Ok(recode::to_smaller(path, |block| runs(game, block), progress)?)
}

/// Returns the layout of the game's runs ([`Cyclic::run`], ranges of keys) in a block: their length, and the place of
/// the first one. If the length changes within the block, the run in the middle of the block determines the layout.
fn runs<G: Cyclic>(game: &G, block: &BlockEntry) -> Runs {
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
