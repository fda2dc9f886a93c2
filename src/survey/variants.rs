//! The variants of a survey: each once, and those together that are decided together.

use std::collections::{HashMap, HashSet};

use yomikiri_answer::survey::Question;
use yomikiri_rules::games::binarsi::Rules;
use yomikiri_rules::{AnyGame, Side};

use super::pattern;
use crate::error::Failure;
use crate::output::{grouped, note};

/// A variant, and the rules of Binarsi if it is one of that.
#[derive(Clone)]
pub struct Variant {
    pub game: AnyGame,
    pub binarsi: Option<Rules>,
}

impl Variant {
    /// Of a code; the error is what is wrong with it.
    pub fn of(code: &str) -> Result<Variant, Failure> {
        let mut game = AnyGame::parse(code)?;
        // Starts that are mirror images of each other are one variant.
        if let AnyGame::Binarsi(_) | AnyGame::BinarsiPoints(_) | AnyGame::PyonpyonShogi(_) = game {
            game = AnyGame::parse(&game.same_game())?;
        }
        let binarsi = match &game {
            AnyGame::Binarsi(game) => Some(game.rules),
            AnyGame::BinarsiPoints(game) => Some(game.rules),
            _ => None,
        };
        Ok(Variant { game, binarsi })
    }

    pub fn code(&self) -> String {
        self.game.code()
    }

    /// The code that stands for all those of the same game.
    pub fn same_game(&self) -> String {
        self.game.same_game()
    }

    /// White's komi less Black's, in half points.
    fn komi(&self) -> i32 {
        let Some(Rules { komi, .. }) = self.binarsi else { return 0 };
        let half = 2 * i32::from(komi.whole) + 1;
        komi.side.pick([-half, half])
    }
}

/// Variants that are decided together, with their places in the survey.
pub struct Job {
    pub variants: Vec<Variant>,
}

impl Job {
    pub fn codes(&self) -> Vec<String> {
        self.variants.iter().map(Variant::code).collect()
    }
}

/// The variants of patterns in order, each once. Codes of a range that no game has are left out with a note.
pub fn of_patterns(patterns: &[String], question: Question) -> Result<Vec<Variant>, Failure> {
    let mut codes = Vec::new();
    for pattern in patterns {
        for code in pattern::expand(pattern).map_err(Failure::Request)? {
            codes.extend(with_starts(&code));
        }
    }
    let (mut found, mut seen, mut left_out, mut problem) = (Vec::new(), HashSet::new(), 0, None);
    for code in &codes {
        match Variant::of(code) {
            Ok(variant) => {
                let variant = asked(variant, question)?;
                if seen.insert(variant.code()) {
                    found.push(variant);
                }
            }
            Err(error) => {
                left_out += 1;
                problem = problem.or(Some(error));
            }
        }
    }
    match problem {
        Some(error) if found.is_empty() || codes.len() == patterns.len() => return Err(error),
        Some(error) => {
            let count = grouped(left_out);
            note(&format!(
                "{count} of {} codes are left out, the first: {}",
                grouped(codes.len() as u64),
                error.text()
            ));
        }
        None => {}
    }
    Ok(found)
}

/// So many of them, in their order, drawn by a seed: with the same seed more of them are these and others.
pub fn drawn(variants: Vec<Variant>, seed: u64, size: usize) -> Vec<Variant> {
    let mut numbered: Vec<(usize, Variant)> = variants.into_iter().enumerate().collect();
    fastrand::Rng::with_seed(seed).shuffle(&mut numbered);
    numbered.truncate(size);
    numbered.sort_unstable_by_key(|(number, _)| *number);
    numbered.into_iter().map(|(_, variant)| variant).collect()
}

/// `-s*` is every square of the board.
fn with_starts(code: &str) -> Vec<String> {
    let size = code.strip_prefix("bin").and_then(|rest| rest.split('-').next()).and_then(|size| size.split_once('x'));
    let (Some((front, back)), Some((files, ranks))) = (code.split_once("-s*"), size) else { return vec![code.into()] };
    let number = |text: &str| text.parse::<u8>().ok().filter(|number| (1..=9).contains(number)).unwrap_or(0);
    let squares = (1..=number(files)).flat_map(|file| (0..number(ranks)).map(move |rank| (file, rank)));
    squares.map(|(file, rank)| format!("{front}-s{file}{}{back}", char::from(b'a' + rank))).collect()
}

/// The variant about which is asked: with fair komi no code has any.
fn asked(variant: Variant, question: Question) -> Result<Variant, Failure> {
    match (question, &variant.binarsi, &variant.game) {
        (Question::FairKomi, Some(rules), _) => Variant::of(&without_komi(rules)),
        (Question::FairKomi, None, AnyGame::Reversi(_)) => Ok(variant),
        (Question::FairKomi, ..) => {
            let code = variant.code();
            Err(Failure::Request(format!("{code}: no komi is fair in a game without points")))
        }
        _ => Ok(variant),
    }
}

/// The code of the board with the usual komi.
pub fn without_komi(rules: &Rules) -> String {
    Rules { komi: Rules::standard(rules.files, rules.ranks).komi, ..*rules }.code()
}

/// The code of the board with a komi for White of `whole` and a half points, or for Black where that is less than 0.
pub fn with_komi(rules: &Rules, whole: i32) -> String {
    let (side, whole) = if whole < 0 { (Side::Black, -whole - 1) } else { (Side::White, whole) };
    let komi = yomikiri_rules::games::binarsi::rules::Komi { side, whole: whole as u8 };
    Rules { komi, ..*rules }.code()
}

/// What is left to do, in order. Boards that differ by nothing but komi are one job, in order of White's komi: who wins
/// with a komi wins with any better one. Such a job is done whole or not at all, so that its answers do not depend on
/// what was known before. A board of reversi and its transpose are one job too. With a seed the order is drawn, the same
/// for the same variants whatever is known.
pub fn jobs(
    variants: Vec<Variant>,
    question: Question,
    draw: Option<u64>,
    is_known: impl Fn(&str) -> bool,
) -> Vec<Job> {
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut jobs: Vec<Job> = Vec::new();
    for variant in variants {
        let board = match (&variant.binarsi, &variant.game) {
            (Some(rules), AnyGame::Binarsi(_)) if question == Question::Winner => without_komi(rules),
            _ => variant.same_game(),
        };
        let place = *places.entry(board).or_insert_with(|| {
            jobs.push(Job { variants: Vec::new() });
            jobs.len() - 1
        });
        jobs[place].variants.push(variant);
    }
    jobs.iter_mut().for_each(|job| job.variants.sort_by_key(Variant::komi));
    if let Some(seed) = draw {
        fastrand::Rng::with_seed(seed).shuffle(&mut jobs);
    }
    jobs.retain(|job| !job.variants.iter().all(|variant| is_known(&variant.code())));
    jobs
}
