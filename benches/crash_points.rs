//! Tests every crash point of the runs of larger rule codes, and prints a line for each code: `make sweep`.

#[path = "../tests/support/crash.rs"]
mod crash;

use std::time::Instant;

fn main() {
    let codes: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    if codes.is_empty() {
        println!("crash points: give rule codes, as make sweep does");
    }
    for code in codes {
        let begun = Instant::now();
        let tried = crash::table(&code);
        println!("{code}: {tried} points, {:.0} s", begun.elapsed().as_secs_f64());
    }
}
