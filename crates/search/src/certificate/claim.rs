//! The claim of a certificate, without the moves that prove it.

use serde::{Deserialize, Serialize};

use super::game::{keys_end, move_of};
use super::{CertificateGame, MAX_HORIZON};
use yomikiri_rules::{Notation, Side};

/// A claim that a side wins a position.
#[derive(Clone, Debug)]
pub struct Claim<G: Notation> {
    /// The rules.
    pub game: G,
    /// The position that is claimed to be won.
    pub position: G::Position,
    /// The side that is claimed to win the position.
    pub winner: Side,
    /// The side for which a draw counts as a win, or `None` if the game has no draws. If this side is the winner, the
    /// certificate proves only that it gets at least a draw.
    pub draws: Option<Side>,
    /// The horizon: positions with at most this number of plies left are not listed.
    pub horizon: u32,
}

/// The claim in the meta data of a file. The header of the file has the rules and their revision.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Meta {
    position: String,
    winner: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    draws: Option<String>,
    horizon: u32,
}

impl<G: Notation> Claim<G> {
    /// Returns an error message if the horizon exceeds [`MAX_HORIZON`]: a check would then have to search too much.
    pub fn check_horizon(&self) -> Result<(), String> {
        match self.horizon {
            ..=MAX_HORIZON => Ok(()),
            horizon => Err(format!(
                "a horizon of {horizon} plies leaves too much to search; at most {MAX_HORIZON} are allowed"
            )),
        }
    }
}

impl<G: CertificateGame> Claim<G> {
    pub(super) fn meta(&self) -> Meta {
        Meta {
            position: self.game.position_text(&self.position),
            winner: self.winner.name().into(),
            draws: self.draws.map(|side| side.name().into()),
            horizon: self.horizon,
        }
    }

    /// Reads the claim in the meta data of a file with rule code `code`. The error says what is wrong.
    pub(super) fn of_meta(code: &str, meta: &Meta) -> Result<Claim<G>, String> {
        let game = G::parse(code).map_err(|error| error.to_string())?;
        if game.code() != code {
            return Err(format!("the rule code is not in standard form; this program writes {}", game.code()));
        }
        if keys_end(&game) == 0 {
            return Err(format!("positions of {code} have no keys, or keys of more than 62 bits"));
        }
        let position = game.parse_position(&meta.position).map_err(|error| error.to_string())?;
        if game.position_text(&position) != meta.position {
            return Err(format!("position {:?} is not in standard notation", meta.position));
        }
        let draws = meta.draws.as_deref().map(side).transpose()?;
        Ok(Claim { game, position, winner: side(&meta.winner)?, draws, horizon: meta.horizon })
    }

    /// Returns true if a draw counts as a win for the winner.
    pub(super) fn draws_win(&self) -> bool {
        self.draws == Some(self.winner)
    }

    /// Returns the legal move of `position` that corresponds to a listed byte, or `None` if there is none. The byte
    /// stands for a move in the canonical form of `position`; the result is the corresponding move in `position`
    /// itself.
    pub(super) fn corresponding_move(&self, position: &G::Position, byte: u8) -> Option<G::Move> {
        let (canonical, mut moves) = (self.game.canonical(position), Vec::new());
        self.game.moves(&canonical, &mut moves);
        let listed = move_of(&self.game, &moves, byte)?;
        let goal = self.game.rank(&self.game.play(&canonical, listed));
        self.game.moves(position, &mut moves);
        moves.into_iter().find(|&mv| self.game.rank(&self.game.play(position, mv)) == goal)
    }
}

/// Returns the side with this name, or an error message if no side has it.
pub(super) fn side(name: &str) -> Result<Side, String> {
    let sides = [Side::Black, Side::White];
    sides.into_iter().find(|side| side.name() == name).ok_or_else(|| format!("{name:?} is not a side"))
}
