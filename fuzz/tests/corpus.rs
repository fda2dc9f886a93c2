//! Every target with its kept inputs, with sound ones, and with changes of them, the same ones each time.

use std::path::Path;

use fastrand::Rng;
use yomikiri_fuzz::{TARGETS, Target};

/// Changed inputs of a target.
const CHANGES: usize = 500;

/// The kept inputs of a target, in the order of their names.
fn kept(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name);
    let mut paths: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

/// An input with a part of it, or of another, put in, taken out or changed.
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

/// Runs a target by its name.
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

targets! { codes positions boards records sessions checkpoints searches journals certificates tables answers surveys parts }
