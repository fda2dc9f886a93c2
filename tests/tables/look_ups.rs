//! What look-ups read of a file.

use std::borrow::Cow;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use crate::support::games::binarsi;
use crate::support::solving::analyzed;
use yomikiri_rules::Distance;
use yomikiri_table::probe::{open_source, probe};
use yomikiri_table::source::ReadAt;

/// A file that counts how often it is read, and reads wrongly if so it is told.
#[derive(Clone)]
struct Watched {
    bytes: Arc<Vec<u8>>,
    reads: Arc<AtomicU64>,
    /// Added to all bytes that are read.
    fault: Arc<AtomicU64>,
}

impl ReadAt for Watched {
    fn length(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn read_at(&self, range: Range<u64>) -> io::Result<Cow<'_, [u8]>> {
        self.reads.fetch_add(1, Relaxed);
        let fault = self.fault.load(Relaxed) as u8;
        let bytes = &self.bytes[range.start as usize..range.end as usize];
        Ok(bytes.iter().map(|byte| byte.wrapping_add(fault)).collect::<Vec<_>>().into())
    }
}

#[test]
fn a_block_is_read_once_and_what_is_read_wrong_is_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    let game = binarsi("bin3x3");
    let sound = analyzed(&game, folder.path());
    let all = yomikiri_table::entries::listed_within(&sound, 0..u64::MAX).unwrap();
    let bytes = Arc::new(std::fs::read(sound.path()).unwrap());
    let source = Watched { bytes, reads: Arc::default(), fault: Arc::default() };
    let table = open_source(&game, source.clone(), Path::new("watched")).unwrap();
    // The pages of the index, which stay in memory.
    table.sections().unwrap();
    let opening = source.reads.load(Relaxed);
    let keys = all.keys;
    let ask = || keys.iter().map(|&key| probe::<Distance>(&table, key)).collect::<Result<Vec<_>, _>>();

    source.fault.store(1, Relaxed);
    let wrong = ask().unwrap_err().to_string();
    assert!(wrong.contains("does not match its checksum"), "{wrong}");
    source.fault.store(0, Relaxed);
    let first = ask().unwrap();
    let expected: Vec<_> = keys.iter().map(|&key| probe::<Distance>(&sound, key).unwrap()).collect();
    assert_eq!(first, expected);
    let reads = source.reads.load(Relaxed) - opening;
    assert_eq!(reads, 1 + table.blocks(), "the one that was wrong, and each block");
    // Nothing is read again, whatever has become of the file.
    source.fault.store(1, Relaxed);
    assert_eq!(ask().unwrap(), expected);
    assert_eq!(source.reads.load(Relaxed) - opening, reads);
    // Who goes through all blocks reads the file.
    assert!(table.block(0).is_err());
}
