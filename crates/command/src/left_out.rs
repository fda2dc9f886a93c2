//! Subcommands and forms that this build of the program leaves out.

#[cfg(not(feature = "serve"))]
use std::ffi::OsString;

use super::error::Failure;

/// The arguments of a subcommand that this build leaves out. They are not read.
#[cfg(not(feature = "serve"))]
#[derive(clap::Args)]
pub struct Arguments {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    _rest: Vec<OsString>,
}

/// Returns the error for a part of the program that needs a feature of Cargo.
pub fn failure(part: &str, feature: &str) -> Failure {
    Failure::request(format!(
        "this program was built without {part} (feature {feature}); `make build` in the source folder builds the whole \
         program"
    ))
}
