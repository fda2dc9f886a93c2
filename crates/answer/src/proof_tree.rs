//! A certificate as a tree, one node at a time. A node has the winner's move if the winner is to move, else every
//! reply.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::certificates::Certificates;
use super::key_text::KeyText;
use super::oracle::Trust;
use crate::view::Viewed;
use yomikiri_rules::{AnyGame, AnyMove, AnyPosition, Game, Notation, Side};
use yomikiri_solve::Result;

/// The maximum number of positions that are counted after a move.
const MAX_COUNTED: usize = 2_000;

/// The continuation of a proof after a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Continuation {
    /// The certificate gives the next moves.
    On,
    /// The position is beyond the horizon of the certificate, so near the end that a short search decides it.
    Horizon,
    /// The game is over.
    Over,
}

/// A position of the proof that a certificate gives, with the moves of the proof there.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ProofNode {
    /// The rule code.
    pub rules: String,
    /// The position, in the game's notation.
    pub position: String,
    /// The side to move.
    pub to_move: Side,
    /// The side that wins.
    pub winner: Side,
    /// True if the certificate has passed `yomikiri check` at its location.
    pub is_checked: bool,
    /// The winner's move, or all replies of the other side.
    pub moves: Vec<ProofMove>,
}

/// A move of the proof that a certificate gives.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ProofMove {
    /// The move, in the game's notation.
    #[serde(rename = "move")]
    pub mv: String,
    /// The position after the move.
    pub position: String,
    /// The key of the position after the move; `null` on boards without keys.
    pub key: Option<KeyText>,
    /// The continuation after the move.
    pub goes: Continuation,
    /// The number of positions that can follow the move when the winner makes the moves of the certificate. The
    /// position right after the move is included.
    pub below: usize,
    /// True if the count stopped at its limit. The number of positions may then be larger than `below`.
    pub more: bool,
}

impl ProofNode {
    /// Returns the node of a position, or `None` if no certificate decides it.
    pub fn of(game: &AnyGame, certificates: &Certificates, position: &AnyPosition) -> Result<Option<ProofNode>> {
        let Some(winner) = certificates.winner(position)? else { return Ok(None) };
        let moves = moves_of(game, certificates, position, winner)?;
        let describe = |mv: AnyMove| {
            let after = game.play(position, mv);
            let goes = goes(game, certificates, &after)?;
            let (below, more) = count_below(game, certificates, &after, winner)?;
            let (text, key) = (game.text_with_side(&after), KeyText::of(game, &after));
            Ok(ProofMove { mv: game.move_text(mv), position: text, key, goes, below, more })
        };
        Ok(Some(ProofNode {
            rules: game.code(),
            position: game.text_with_side(position),
            to_move: game.side(position),
            winner,
            is_checked: certificates.source(position)?.1 == Trust::Checked,
            moves: moves.into_iter().map(describe).collect::<Result<_>>()?,
        }))
    }
}

/// Returns the winner's move if the winner is to move, else all legal moves.
fn moves_of(game: &AnyGame, certificates: &Certificates, position: &AnyPosition, winner: Side) -> Result<Vec<AnyMove>> {
    match game.side(position) == winner {
        true => Ok(certificates.winning_move(position)?.into_iter().collect()),
        false => Ok(game.legal_moves(position)),
    }
}

fn goes(game: &AnyGame, certificates: &Certificates, position: &AnyPosition) -> Result<Continuation> {
    Ok(match certificates.winner(position)? {
        _ if game.terminal_value(position).is_some() => Continuation::Over,
        Some(_) => Continuation::On,
        None => Continuation::Horizon,
    })
}

/// Counts the positions of a proof that can follow `position`, including `position` itself, up to [`MAX_COUNTED`]. The
/// flag is true if the count stopped at this limit.
fn count_below(
    game: &AnyGame,
    certificates: &Certificates,
    position: &AnyPosition,
    winner: Side,
) -> Result<(usize, bool)> {
    let first = game.canonical(position);
    let (mut seen, mut open) = (HashSet::from([first]), vec![first]);
    while let Some(here) = open.pop() {
        if goes(game, certificates, &here)? != Continuation::On {
            continue;
        }
        for mv in moves_of(game, certificates, &here, winner)? {
            let after = game.canonical(&game.play(&here, mv));
            if seen.insert(after) {
                if seen.len() > MAX_COUNTED {
                    return Ok((MAX_COUNTED, true));
                }
                open.push(after);
            }
        }
    }
    Ok((seen.len(), false))
}
