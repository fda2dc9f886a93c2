//! Runs libFuzzer on one target. The variable YOMIKIRI_FUZZ names the target, and YOMIKIRI_FUZZ_INPUTS the folder of
//! its inputs.
#![no_main]

use std::path::PathBuf;
use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use yomikiri_fuzz::{TARGETS, Target};

static TARGET: OnceLock<Target> = OnceLock::new();

/// Returns the target that YOMIKIRI_FUZZ names.
fn named() -> Target {
    let name = std::env::var("YOMIKIRI_FUZZ").unwrap_or_default();
    let known = TARGETS.map(|target| target.name).join(", ");
    TARGETS
        .into_iter()
        .find(|target| target.name == name)
        .unwrap_or_else(|| panic!("YOMIKIRI_FUZZ must be one of {known}"))
}

/// Writes the inputs made from sound files to the folder of inputs, for libFuzzer to start from. Returns the target.
fn write_sound(target: Target) -> Target {
    let folder = PathBuf::from(std::env::var_os("YOMIKIRI_FUZZ_INPUTS").unwrap_or_default());
    for (number, input) in (target.sound)().into_iter().enumerate() {
        std::fs::write(folder.join(format!("sound-{number}")), input).expect("the folder of inputs can be written to");
    }
    target
}

fuzz_target!(
    init: {
        TARGET.get_or_init(|| write_sound(named()));
    },
    |bytes: &[u8]| (TARGET.get_or_init(named).run)(bytes)
);
