//! A certificate as a tree, a node at a time: the winner's move where the winner is to move, else every reply.

use std::collections::HashSet;

use serde::Serialize;

use super::answerer::Certificates;
use super::key_text::KeyText;
use yomikiri_rules::Side;
use yomikiri_solve::{Result, Solvable};

/// Positions that are looked at to count those below a node, at most.
const MOST_COUNTED: usize = 2_000;

/// How a branch of a proof goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Goes {
    /// The certificate tells how the winner goes on.
    On,
    /// Near the end, where the certificate lists nothing because a short search tells.
    Horizon,
    /// The game is over.
    Over,
}

/// A position of a proof.
#[derive(Clone, Debug, Serialize)]
pub struct ProofNode {
    pub rules: String,
    pub position: String,
    pub to_move: Side,
    pub winner: Side,
    /// Whether the certificate has passed `yomikiri check` where it lies.
    pub is_checked: bool,
    /// The winner's move, or all replies of the other side.
    pub moves: Vec<ProofMove>,
}

/// A move of a proof.
#[derive(Clone, Debug, Serialize)]
pub struct ProofMove {
    #[serde(rename = "move")]
    pub mv: String,
    pub position: String,
    pub key: Option<KeyText>,
    pub goes: Goes,
    /// Positions that games come to from here when the winner makes the moves of the certificate, this one included; in
    /// all of them the winner has a move or the certificate ends.
    pub below: usize,
    /// Whether there are more of them than were counted.
    pub more: bool,
}

impl ProofNode {
    /// The node of a position; `None` if no certificate decides it.
    pub fn of<G: Solvable>(
        game: &G,
        certificates: &Certificates<G>,
        position: &G::Position,
    ) -> Result<Option<ProofNode>> {
        let Some(winner) = certificates.winner(position)? else { return Ok(None) };
        let moves = moves_of(game, certificates, position, winner)?;
        let describe = |mv: G::Move| {
            let after = game.play(position, mv);
            let goes = goes(game, certificates, &after)?;
            let (below, more) = count_below(game, certificates, &after, winner)?;
            let (text, key) = (game.position_text(&after), KeyText::of(game, &after));
            Ok(ProofMove { mv: game.move_text(mv), position: text, key, goes, below, more })
        };
        Ok(Some(ProofNode {
            rules: game.code(),
            position: game.position_text(position),
            to_move: game.side(position),
            winner,
            is_checked: certificates.is_checked(position)?,
            moves: moves.into_iter().map(describe).collect::<Result<_>>()?,
        }))
    }
}

/// The winner's move, or all moves of the other side.
fn moves_of<G: Solvable>(
    game: &G,
    certificates: &Certificates<G>,
    position: &G::Position,
    winner: Side,
) -> Result<Vec<G::Move>> {
    match game.side(position) == winner {
        true => Ok(certificates.winning_move(position)?.into_iter().collect()),
        false => Ok(game.legal_moves(position)),
    }
}

fn goes<G: Solvable>(game: &G, certificates: &Certificates<G>, position: &G::Position) -> Result<Goes> {
    Ok(match certificates.winner(position)? {
        _ if game.terminal_value(position).is_some() => Goes::Over,
        Some(_) => Goes::On,
        None => Goes::Horizon,
    })
}

/// How many positions a proof has from one on, and whether there are more.
fn count_below<G: Solvable>(
    game: &G,
    certificates: &Certificates<G>,
    position: &G::Position,
    winner: Side,
) -> Result<(usize, bool)> {
    let first = game.canonical(position);
    let (mut seen, mut open) = (HashSet::from([first]), vec![first]);
    while let Some(here) = open.pop() {
        if goes(game, certificates, &here)? != Goes::On {
            continue;
        }
        for mv in moves_of(game, certificates, &here, winner)? {
            let after = game.canonical(&game.play(&here, mv));
            if seen.len() >= MOST_COUNTED {
                return Ok((seen.len(), true));
            }
            if seen.insert(after) {
                open.push(after);
            }
        }
    }
    Ok((seen.len(), false))
}
