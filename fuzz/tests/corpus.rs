//! Runs every target on its kept inputs, on inputs made from sound files, and on changes of both. The changes are the
//! same in each run.

use std::path::Path;

use fastrand::Rng;
use yomikiri_fuzz::{TARGETS, Target};

/// The number of changed inputs for each target.
const CHANGES: usize = 500;

/// Returns the kept inputs of a target, sorted by file name.
fn kept(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name);
    let mut paths: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

/// Returns a changed input: bytes are removed, repeated, or replaced by random bytes or by bytes of another input.
fn changed(inputs: &[Vec<u8>], random: &mut Rng) -> Vec<u8> {
    let mut bytes = inputs[random.usize(..inputs.len())].clone();
    for _ in 0..random.usize(1..4) {
        let other = &inputs[random.usize(..inputs.len())];
        let range = |length: usize, random: &mut Rng| {
            let start = random.usize(..=length);
            start..(start + random.usize(..9)).min(length)
        };
        let (here, there) = (range(bytes.len(), random), range(other.len(), random));
        let new: Vec<u8> = match random.u8(..4) {
            0 => Vec::new(),
            1 => other[there].to_vec(),
            2 => std::iter::repeat_with(|| random.u8(..)).take(here.len()).collect(),
            _ => bytes[here.clone()].repeat(2),
        };
        bytes.splice(here, new);
    }
    bytes
}

/// Runs a target, given by its name, on all its inputs.
fn run(name: &str) {
    let Target { run, sound, .. } = TARGETS.into_iter().find(|target| target.name == name).unwrap();
    let inputs = [kept(name), sound()].concat();
    inputs.iter().for_each(|input| run(input));
    let mut random = Rng::with_seed(16);
    for _ in 0..CHANGES {
        run(&changed(&inputs, &mut random));
    }
}

macro_rules! targets {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            run(stringify!($name));
        })*

        #[test]
        fn all_targets_are_here() {
            assert_eq!(TARGETS.map(|target| target.name), [$(stringify!($name)),*]);
        }
    };
}

targets! {
    codes positions boards records sessions checkpoints searches journals certificates tables answers surveys parts
}
