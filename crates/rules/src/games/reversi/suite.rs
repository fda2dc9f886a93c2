//! What lines of test suites (OBF) say beside the position: `<board> <side>; d3:+2; c4:-6; % a remark`.

use super::board::Position;
use super::game::Reversi;
use super::text;
use crate::game::TextError;
use crate::value::Score;

/// The remarks after the position, without what follows a `%`.
pub fn remarks(text: &str) -> Option<&str> {
    let (_, remarks) = text.split_once(';')?;
    remarks.split('%').next()
}

/// The score of the best of the moves that a line has scores for; `None` if it has none. Remarks that do not begin with
/// a square or a pass and a colon are no scores.
pub fn best_score(game: &Reversi, position: &Position, text: &str) -> Result<Option<Score>, TextError> {
    let scored = remarks(text).into_iter().flat_map(|remarks| remarks.split(';'));
    let scored = scored.filter_map(|remark| remark.split_once(':'));
    let scored = scored.map(|(name, score)| (name.trim(), score.trim()));
    let scored = scored.filter(|(name, _)| text::looks_like_move(name));
    let scores = scored.map(|(name, score)| score_of_move(game, position, name, score));
    Ok(scores.collect::<Result<Vec<_>, _>>()?.into_iter().max())
}

fn score_of_move(game: &Reversi, position: &Position, name: &str, score: &str) -> Result<Score, TextError> {
    text::parse_legal_move(game, position, name)?;
    let most = i32::from(Score::MOST);
    let points = score.parse().ok().filter(|points| (-most..=most).contains(points));
    let problem = || format!("score \"{score}\" is no number from -{most} to +{most}");
    points.map(Score::new).ok_or_else(|| TextError::new(format!("move \"{name}\""), problem()))
}
