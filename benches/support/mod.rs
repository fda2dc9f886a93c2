//! The timing that benchmarks share.

use std::time::Instant;

/// Times `work`, which returns its number of units, and prints the rate in units per second. Panics unless the number
/// of units is `expected`.
pub fn line(name: &str, unit: &str, expected: u64, work: impl FnOnce() -> u64) {
    line_and_result(name, unit, expected, || (work(), ()));
}

/// As [`line`]. `work` also returns a result, which is returned.
pub fn line_and_result<T>(name: &str, unit: &str, expected: u64, work: impl FnOnce() -> (u64, T)) -> T {
    let start = Instant::now();
    let (units, result) = work();
    let seconds = start.elapsed().as_secs_f64();
    assert_eq!(units, expected, "{name}");
    println!("{name:44} {units:>12} {unit:10} {seconds:>8.2} s {:>14.0} a second", units as f64 / seconds);
    result
}
