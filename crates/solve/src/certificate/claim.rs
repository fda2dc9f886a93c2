//! What a certificate says, without the moves that prove it.

use serde::{Deserialize, Serialize};

use super::CertificateGame;
use super::game::{keys_end, move_of};
use yomikiri_rules::Side;

/// Who wins from a position.
#[derive(Clone, Debug)]
pub struct Claim<G: CertificateGame> {
    pub game: G,
    /// The position that is won, and who wins it.
    pub position: G::Position,
    pub winner: Side,
    /// The side for which draws count; `None` if the game has none. If it is the winner, all that is proved is that
    /// it can get a draw.
    pub draws: Option<Side>,
    /// Positions with at most so many plies left are not listed.
    pub horizon: u32,
}

/// The same in the meta data of a file; rules and their revision stand in its header.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Meta {
    position: String,
    winner: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    draws: Option<String>,
    horizon: u32,
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

    /// The claim of a file about `code`; the error says what is wrong.
    pub(super) fn of_meta(code: &str, meta: &Meta) -> Result<Claim<G>, String> {
        let game = G::parse(code).map_err(|error| error.to_string())?;
        if game.code() != code {
            return Err(format!("its rules are not written as this program does, as {}", game.code()));
        }
        if keys_end(&game) == 0 {
            return Err(format!("positions of {code} have no keys that a certificate can hold"));
        }
        let position = game.parse_position(&meta.position).map_err(|error| error.to_string())?;
        if game.position_text(&position) != meta.position {
            return Err(format!("{:?} is not how a position is written", meta.position));
        }
        let draws = meta.draws.as_deref().map(side).transpose()?;
        Ok(Claim { game, position, winner: side(&meta.winner)?, draws, horizon: meta.horizon })
    }

    /// Whether draws count for the winner.
    pub(super) fn draws_win(&self) -> bool {
        self.draws == Some(self.winner)
    }

    /// The move of a byte that is listed for a position. It is listed for the canonical form of the position: this is
    /// the one that corresponds to it. `None` if no legal move does.
    pub(super) fn corresponding_move(&self, position: &G::Position, byte: u8) -> Option<G::Move> {
        let (canonical, mut moves) = (self.game.canonical(position), Vec::new());
        self.game.moves(&canonical, &mut moves);
        let listed = move_of(&self.game, &moves, byte)?;
        let goal = self.game.rank(&self.game.play(&canonical, listed));
        self.game.moves(position, &mut moves);
        moves.into_iter().find(|&mv| self.game.rank(&self.game.play(position, mv)) == goal)
    }
}

/// The side of a name.
pub(super) fn side(name: &str) -> Result<Side, String> {
    let sides = [Side::Black, Side::White];
    sides.into_iter().find(|side| side.name() == name).ok_or_else(|| format!("{name:?} is no side"))
}
