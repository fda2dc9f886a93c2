//! The variants of a survey, without duplicates, and the jobs: groups of variants that are decided together.

use std::collections::{HashMap, HashSet};

use yomikiri_answer::survey::Question;
use yomikiri_rules::games::binarsi::Rules;
use yomikiri_rules::{AnyGame, Game, Side};

use super::pattern;
use crate::error::Failure;
use crate::output::{grouped, note};

/// A variant. If the game is Binarsi, `binarsi` has its rules.
#[derive(Clone)]
pub struct Variant {
    pub game: AnyGame,
    pub binarsi: Option<Rules>,
}

impl Variant {
    /// Parses a rule code. Codes that differ only by a mirrored start become the same variant.
    pub fn of(code: &str) -> Result<Variant, Failure> {
        let mut game = AnyGame::parse(code)?;
        // In these games, the codes of the same game differ only by a mirrored start.
        if let AnyGame::Binarsi(_) | AnyGame::BinarsiPoints(_) | AnyGame::PyonpyonShogi(_) = game {
            game = AnyGame::parse(&game.representative_code())?;
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

    /// Returns the code that represents all codes of the same game.
    pub fn same_game(&self) -> String {
        self.game.representative_code()
    }

    /// Returns White's komi minus Black's, in half points; 0 for games other than Binarsi.
    fn komi(&self) -> i32 {
        let Some(Rules { komi, .. }) = self.binarsi else { return 0 };
        let half = 2 * i32::from(komi.whole) + 1;
        komi.side.pick([-half, half])
    }
}

/// Variants that are decided together, in ascending order of White's komi.
pub struct Job {
    pub variants: Vec<Variant>,
}

impl Job {
    pub fn codes(&self) -> Vec<String> {
        self.variants.iter().map(Variant::code).collect()
    }
}

/// Returns the variants of patterns in order, without duplicates. If each pattern is a single code, an invalid code is
/// an error. Otherwise invalid codes are left out and a note says so, but it is an error if no code is valid.
pub fn of_patterns(patterns: &[String], question: Question) -> Result<Vec<Variant>, Failure> {
    let mut codes = Vec::new();
    for pattern in patterns {
        for code in pattern::expand(pattern).map_err(Failure::request)? {
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
                "skipped {count} of {} codes because they are not valid; the first: {}",
                grouped(codes.len() as u64),
                error
            ));
        }
        None => {}
    }
    Ok(found)
}

/// Draws `size` of the variants at random with a seed. Returns them in the order of `variants`. A larger sample with
/// the same seed contains every smaller one.
pub fn drawn(variants: Vec<Variant>, seed: u64, size: usize) -> Vec<Variant> {
    let mut numbered: Vec<(usize, Variant)> = variants.into_iter().enumerate().collect();
    fastrand::Rng::with_seed(seed).shuffle(&mut numbered);
    numbered.truncate(size);
    numbered.sort_unstable_by_key(|(number, _)| *number);
    numbered.into_iter().map(|(_, variant)| variant).collect()
}

/// Expands the start square `-s*` of a Binarsi code to every square of the board. The numbers of files and ranks must
/// be from 1 to 9. Any other code is returned as it is; if it contains `-s*`, it is refused later as an invalid code.
fn with_starts(code: &str) -> Vec<String> {
    let number = |text: &str| text.parse::<u8>().ok().filter(|number| (1..=9).contains(number));
    let size = || {
        let (files, ranks) = code.strip_prefix("bin")?.split('-').next()?.split_once('x')?;
        Some((number(files)?, number(ranks)?))
    };
    let (Some((front, back)), Some((files, ranks))) = (code.split_once("-s*"), size()) else {
        return vec![code.into()];
    };
    let squares = (1..=files).flat_map(|file| (0..ranks).map(move |rank| (file, rank)));
    squares.map(|(file, rank)| format!("{front}-s{file}{}{back}", char::from(b'a' + rank))).collect()
}

/// Returns the variant to ask about. For the fair komi of Binarsi, this is the same board with the usual komi,
/// otherwise `variant` itself. It is an error if the question is the fair komi and the game has none.
fn asked(variant: Variant, question: Question) -> Result<Variant, Failure> {
    match (question, &variant.binarsi, &variant.game) {
        (Question::FairKomi, Some(rules), _) => Variant::of(&without_komi(rules)),
        (Question::FairKomi, None, AnyGame::Reversi(_)) => Ok(variant),
        (Question::FairKomi, ..) => {
            let code = variant.code();
            Err(Failure::request(format!("{code}: a game without points has no fair komi")))
        }
        _ => Ok(variant),
    }
}

/// Returns the code of the board with the usual komi.
pub fn without_komi(rules: &Rules) -> String {
    Rules { komi: Rules::standard(rules.files, rules.ranks).komi, ..*rules }.code()
}

/// Returns the code of the board with a komi of `whole + 0.5` points for White. If `whole` is negative, the code has a
/// komi for Black instead, of `-whole - 0.5` points.
pub fn with_komi(rules: &Rules, whole: i32) -> String {
    let (side, whole) = if whole < 0 { (Side::Black, -whole - 1) } else { (Side::White, whole) };
    let komi = yomikiri_rules::games::binarsi::rules::Komi { side, whole: whole as u8 };
    Rules { komi, ..*rules }.code()
}

/// Groups the variants into jobs, in order. Codes of the same game are one job. If the question is the winner, Binarsi
/// boards that differ only by komi are one job too. `is_known` returns true for a rule code that needs no further work.
/// A job is left out if none of its codes needs further work. The other jobs keep all their variants, so that their
/// answers do not depend on earlier surveys. With a seed `draw`, the jobs are shuffled, in an order that does not
/// depend on `is_known`.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_is_a_start() {
        assert_eq!(
            with_starts("bin2x3-s*-n").join(" "),
            "bin2x3-s1a-n bin2x3-s1b-n bin2x3-s1c-n bin2x3-s2a-n bin2x3-s2b-n bin2x3-s2c-n"
        );
        // Codes without squares are refused later, not left out silently.
        for code in ["bin3x3", "bin10x3-s*", "bin3x0-s*", "binx3-s*", "bin3-s*", "rev4x4-s*", "-s*"] {
            assert_eq!(with_starts(code), [code]);
        }
    }
}
