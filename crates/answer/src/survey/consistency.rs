//! Checks that a finding, the result for one variant, can be the answer to the survey's question.

use yomikiri_rules::{AnyGame, Game, Notation, visible};

use super::finding::{DecidedBy, Finding, Open, OpenReason, Winner};
use super::question::Question;

/// The maximum number of plies in a bound or an answer.
const MAX_PLIES: u32 = 100_000;

/// The absolute value of a score or of a fair komi (the points for White that make a game even) must be less than this:
/// a board of 64 squares has at most 64 points.
const MAX_POINTS: i16 = 65;

/// A contradiction in a record, as text. An error message puts the place in the file, such as "line 3", before the
/// text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("contradicts itself: {0}")]
pub struct Inconsistent(String);

impl Inconsistent {
    pub(super) fn new(what: impl Into<String>) -> Inconsistent {
        Inconsistent(visible::<String>(what.into()))
    }
}

/// Returns an error with the text of the first condition that does not hold.
fn all<const COUNT: usize>(conditions: [(bool, &str); COUNT]) -> Result<(), Inconsistent> {
    conditions.iter().find(|(holds, _)| !holds).map_or(Ok(()), |(_, what)| Err(Inconsistent::new(*what)))
}

/// Checks that the finding can be the answer to `question` about a variant.
pub fn check(game: &AnyGame, question: Question, finding: &Finding) -> Result<(), Inconsistent> {
    let Finding { winner, open, first_moves, by, .. } = finding;
    all([
        (winner.is_some() || open.is_some(), "neither decided nor open"),
        (*by != DecidedBy::None || open.is_some(), "decided without a method"),
    ])?;
    check_fields(question, finding)?;
    check_costs(finding)?;
    check_commands(&finding.command)?;
    check_points(game, question, finding)?;
    match open {
        Some(open) => check_open(question, finding, open)?,
        None => check_decided(game, question, finding)?,
    }
    let moves = first_moves.iter().chain(open.as_ref().and_then(|open| open.moves.as_ref()));
    moves.into_iter().try_for_each(|moves| check_moves(game, moves))
}

/// Returns true if values of the game are points.
fn is_about_points(game: &AnyGame) -> bool {
    matches!(game, AnyGame::Reversi(_) | AnyGame::BinarsiPoints(_))
}

/// Checks that fields that belong to other questions are absent.
fn check_fields(question: Question, finding: &Finding) -> Result<(), Inconsistent> {
    let Finding { first_moves, plies, score, fair_komi, by_targets, .. } = finding;
    let of_komi = fair_komi.is_some() || *by_targets;
    all([
        (first_moves.is_none() || question == Question::FirstMoves, "first moves that were not asked for"),
        ((plies.is_none() && score.is_none()) || question == Question::Plies, "plies or a score that nobody asked for"),
        (!of_komi || question == Question::FairKomi, "a fair komi that was not asked for"),
        (plies.is_none() || score.is_none(), "plies and a score"),
        (fair_komi.is_none() || !by_targets, "a fair komi and a win by targets"),
        (plies.is_none_or(|plies| plies <= MAX_PLIES), "more plies than any game has"),
    ])
}

/// Checks that counts of positions and nodes are present only if the variant was solved or searched.
fn check_costs(finding: &Finding) -> Result<(), Inconsistent> {
    use DecidedBy::{SameGame, Search, Transposition, Whole};
    let Finding { positions, draws, longest, nodes, by, .. } = finding;
    all([
        (positions.is_none() || matches!(by, Whole | SameGame | Transposition), "positions without a table"),
        (nodes.is_none() || matches!(by, Search | Transposition), "nodes without a search"),
        (positions.is_some() == draws.is_some(), "a number of positions but none of draws, or the reverse"),
        (longest.is_none() || positions.is_some(), "a longest win without a number of positions"),
        (draws <= positions, "more draws than positions"),
        (longest.is_none_or(|plies| plies <= u64::from(MAX_PLIES)), "a longer win than any game has"),
    ])
}

fn check_commands(commands: &str) -> Result<(), Inconsistent> {
    let is_command = |command: &str| command.starts_with("yomikiri ") && !command.chars().any(char::is_control);
    all([(commands.split("; ").all(is_command), "a command that is not a yomikiri command")])
}

/// Checks that a score or a fair komi (the points for White that make a game even) occurs only in a game that counts
/// points, and that it agrees with the winner.
fn check_points(game: &AnyGame, question: Question, finding: &Finding) -> Result<(), Inconsistent> {
    let Finding { winner, plies, score, fair_komi, by_targets, .. } = finding;
    let is_binarsi = matches!(game, AnyGame::Binarsi(_) | AnyGame::BinarsiPoints(_));
    let winner_by = |points: i16| match points {
        1.. => Winner::Black,
        0 if is_binarsi && fair_komi.is_some() => Winner::White,
        0 => Winner::Draw,
        _ => Winner::White,
    };
    let agrees = |points: Option<i16>| points.is_none_or(|points| *winner == Some(winner_by(points)));
    let is_small = |points: Option<i16>| points.is_none_or(|points| points.abs() < MAX_POINTS);
    all([
        (question != Question::FairKomi || is_binarsi || is_about_points(game), "a fair komi of a game without points"),
        (score.is_none() || is_about_points(game), "a score of a game without points"),
        (plies.is_none() || !is_about_points(game), "plies of a game about points"),
        (agrees(*score) && agrees(*fair_komi), "points that disagree with the winner"),
        (is_small(*score) && is_small(*fair_komi), "more points than a board has"),
        (
            !by_targets || is_binarsi && matches!(winner, Some(Winner::Black | Winner::White)),
            "a win by targets without a winner",
        ),
    ])
}

/// Checks that a decided finding answers its question.
fn check_decided(game: &AnyGame, question: Question, finding: &Finding) -> Result<(), Inconsistent> {
    let Finding { winner, first_moves, plies, score, fair_komi, by_targets, .. } = finding;
    let is_draw = *winner == Some(Winner::Draw);
    let is_about_points = is_about_points(game);
    let has_measure = if is_about_points { score.is_some() } else { plies.is_some() || is_draw };
    all([
        (question != Question::FirstMoves || first_moves.is_some(), "decided without first moves"),
        (question != Question::Plies || has_measure, "decided without plies or points"),
        (question != Question::Plies || is_about_points || plies.is_none() || !is_draw, "a draw with plies"),
        (question != Question::FairKomi || fair_komi.is_some() || *by_targets, "decided without a fair komi"),
    ])?;
    match first_moves {
        Some(moves) => check_number_of_moves(game, *winner, moves),
        None => Ok(()),
    }
}

/// Checks the number of first moves that win or draw: 0 if the side to move loses, else at least 1. A game that is over
/// at the start may have none.
fn check_number_of_moves(game: &AnyGame, winner: Option<Winner>, moves: &[String]) -> Result<(), Inconsistent> {
    let start = game.start();
    let loses = winner == Some(game.side(&start).pick([Winner::White, Winner::Black]));
    let can_move = game.terminal_value(&start).is_none();
    all([
        (!loses || moves.is_empty(), "winning first moves of a lost game"),
        (loses || !can_move || !moves.is_empty(), "no first move that keeps the result"),
    ])
}

/// Checks a finding that leaves its variant open, with its bounds and its progress.
fn check_open(question: Question, finding: &Finding, open: &Open) -> Result<(), Inconsistent> {
    let Finding { plies, score, fair_komi, by_targets, positions, by, .. } = finding;
    let Open { why, seconds: _, memory, to_win, to_loss, expansions, moves, at_least, at_most } = open;
    let numbers = [to_win, to_loss, expansions];
    let is_asked = *by != DecidedBy::None;
    let most = i64::from(MAX_PLIES);
    let is_bound = |bound: Option<i64>| bound.is_none_or(|bound| (-most..=most).contains(&bound));
    let is_line = |text: &str| !text.is_empty() && !text.chars().any(char::is_control);
    all([
        (plies.is_none() && score.is_none() && fair_komi.is_none() && !by_targets, "open and answered"),
        (positions.is_none(), "open with a count of all positions"),
        (is_asked || numbers.iter().all(|number| number.is_none()) && moves.is_none(), "proof numbers without a proof"),
        (moves.is_none() || question == Question::FirstMoves, "open first moves that were not asked for"),
        (is_bound(*at_least) && is_bound(*at_most), "bounds beyond any game"),
        (at_least.is_none() || at_most.is_none() || at_least <= at_most, "a lower bound above the upper one"),
        (*memory > 0, "open with a memory limit of 0"),
        (!matches!(why, OpenReason::Said(text) if !is_line(text)), "a reason that is not one line"),
    ])
}

/// Checks that moves are legal at the start of the game, in the game's notation, sorted, and without duplicates.
fn check_moves(game: &AnyGame, moves: &[String]) -> Result<(), Inconsistent> {
    let start = game.start();
    let is_legal = |text: &String| game.parse_move(&start, text).is_ok_and(|mv| game.move_text(mv) == *text);
    match moves.iter().find(|text| !is_legal(text)) {
        Some(text) => Err(Inconsistent::new(format!("\"{text}\" is not a legal first move"))),
        None => all([(moves.is_sorted_by(|one, two| one < two), "first moves that repeat or are not sorted")]),
    }
}
