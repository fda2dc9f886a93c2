//! Learns the initial weights for proofs of Binarsi (`crates/search/src/adapters/binarsi/prior.rs`):
//! `cargo run --release --package yomikiri-search --example prior -- learn COUNT FILE`. It proves COUNT positions of
//! `bin7x6` after five to ten random plies and writes the learned weights to FILE. The proofs use one thread and a
//! fixed seed, so that every run writes the same file.
//!
//! `... --example prior -- compare PLY COUNT [CODE]` takes COUNT positions after PLY random plies of the variant CODE
//! (`bin7x6` by default). It proves each of them without the initial weights and with them, and prints the numbers of
//! expansions and the times of both proofs.

use std::time::Instant;

use fastrand::Rng;
use yomikiri_rules::Game;
use yomikiri_rules::games::binarsi::Binarsi;
use yomikiri_rules::games::binarsi::board::Position;
use yomikiri_search::adapters::binarsi::BinarsiProof;
use yomikiri_search::proof::Prover;

const MEMORY: u64 = 256 << 20;

/// Returns a random nonterminal position after `ply` plies.
fn draw(game: &Binarsi, ply: usize, random: &mut Rng) -> Position {
    loop {
        let mut position = Some(game.start());
        for _ in 0..ply {
            let next = position.and_then(|here| Some(game.play(&here, random.choice(game.legal_moves(&here))?)));
            position = next.filter(|here| game.terminal_value(here).is_none());
        }
        if let Some(position) = position {
            return position;
        }
    }
}

/// Proves a position. Returns the game, including what it has learned, and the work in expansions.
fn prove(game: BinarsiProof, position: &Position) -> (BinarsiProof, u64) {
    let mut prover = Prover::new(game, MEMORY, 1);
    prover.winner(position, |_| true).expect("nobody stops it");
    let work = prover.state(position).work;
    (prover.into_game(), work)
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["learn", count, file] => {
            let game = Binarsi::parse("bin7x6").unwrap();
            let (mut learned, mut random) = (BinarsiProof::blank(&game), Rng::with_seed(1));
            for number in 0..count.parse::<usize>().unwrap() {
                let ply = [5, 6, 7, 8, 9, 10][number % 6];
                let (after, work) = prove(learned, &draw(&game, ply, &mut random));
                learned = after;
                println!("{number}: ply {ply}, work {work}");
                if number % 10 == 9 {
                    std::fs::write(file, learned.weights()).unwrap();
                }
            }
            std::fs::write(file, learned.weights()).unwrap();
        }
        ["compare", ply, count, ref code @ ..] => {
            let game = Binarsi::parse(code.first().unwrap_or(&"bin7x6")).unwrap();
            let mut random = Rng::with_seed(1000);
            let (mut sums, mut times) = ([0; 2], [0.0; 2]);
            for _ in 0..count.parse::<usize>().unwrap() {
                let position = draw(&game, ply.parse().unwrap(), &mut random);
                let [blank, kept] = [BinarsiProof::blank(&game), BinarsiProof::new(&game)].map(|game| {
                    let begun = Instant::now();
                    let work = prove(game, &position).1;
                    (work, begun.elapsed().as_secs_f64())
                });
                for (at, (work, time)) in [blank, kept].into_iter().enumerate() {
                    sums[at] += work;
                    times[at] += time;
                }
                println!(
                    "{} {} {:.2} {:.2} s {:.2} s",
                    blank.0,
                    kept.0,
                    kept.0 as f64 / blank.0 as f64,
                    blank.1,
                    kept.1
                );
            }
            println!("{sums:?} {:.3}, {times:.2?} s {:.3}", sums[1] as f64 / sums[0] as f64, times[1] / times[0]);
        }
        _ => panic!("learn COUNT FILE, or compare PLY COUNT [CODE]"),
    }
}
