//! The program `yomikiri`. All of it is in the crate `yomikiri-command`.

use std::process::ExitCode;

fn main() -> ExitCode {
    yomikiri_command::main()
}
