//! Animal shogi: pieces, hands and drops, as Black sees the board.

use super::arrangement::{ArrangedStone, Arrangement, fen, find, piece_of};
use super::report::{BoardNames, BySide, Effect, FamilyName, Held, Parts, PieceName, PieceSteps, Stone};
use super::squares::{count_from, names};
use super::viewed::Viewed;
use yomikiri_rules::bits::squares_of;
use yomikiri_rules::games::animal_shogi::board::{Board, COLUMN_SQUARES, Kind, OPPONENT_HAND, Position, SQUARES};
use yomikiri_rules::games::animal_shogi::moves::Move;
use yomikiri_rules::games::animal_shogi::text::square_text;
use yomikiri_rules::games::animal_shogi::{AnimalShogi, sfen};
use yomikiri_rules::{Notation, Side, TextError};

/// The number of files of the board.
const FILES: u8 = 3;

/// The names of the kinds of pieces, in the order of [`Kind`].
const PIECES: [PieceName; 5] =
    [PieceName::Lion, PieceName::Elephant, PieceName::Giraffe, PieceName::Chick, PieceName::Hen];

fn name_of(kind: Kind) -> PieceName {
    PIECES[kind as usize]
}

/// Returns the board from Black's point of view: [`Board::own`] has Black's pieces, whichever side is to move.
fn seen_by_black(position: &Position) -> Board {
    position.side.pick([position.board, position.board.rotated()])
}

/// Returns the index of the square at a file and a rank, counted from 0 at the left and at the top.
fn square(file: u8, rank: u8) -> usize {
    usize::from(FILES - 1 - file) * COLUMN_SQUARES + usize::from(rank)
}

impl Viewed for AnimalShogi {
    fn name(&self) -> FamilyName {
        FamilyName::AnimalShogi
    }

    fn board(&self) -> BoardNames {
        let mut files = count_from('1', FILES);
        files.reverse();
        BoardNames { files, ranks: count_from('a', COLUMN_SQUARES as u8) }
    }

    fn stones(&self, position: &Position) -> Vec<Stone> {
        let board = seen_by_black(position);
        let stone = |square: usize| {
            let kind = board.kind_at(square)?;
            let side = if board.own() >> square & 1 == 1 { Side::Black } else { Side::White };
            let (column, rank) = (square / COLUMN_SQUARES, square % COLUMN_SQUARES);
            let (file, rank) = (FILES - 1 - column as u8, rank as u8);
            Some(Stone { square: square_text(square), file, rank, side, piece: Some(name_of(kind)) })
        };
        (0..SQUARES).filter_map(stone).collect()
    }

    fn parts(&self, position: &Position) -> Parts {
        let board = seen_by_black(position);
        let hand = |shift: u32| {
            let held = |kind: Kind| Held { piece: name_of(kind), count: board.in_hand(kind, shift) as u8 };
            Kind::HAND.into_iter().map(held).filter(|held| held.count > 0).collect()
        };
        let steps = |kind: Kind| {
            let mut steps: Vec<[i8; 2]> = self.rules.steps(kind).map(|(left, down)| [-left, down]).collect();
            steps.sort_by_key(|&[right, down]| (down, right));
            PieceSteps { piece: name_of(kind), steps }
        };
        Parts {
            hands: Some(BySide { black: hand(0), white: hand(OPPONENT_HAND) }),
            pieces: Some(Kind::ALL.into_iter().map(steps).collect()),
            ..Parts::default()
        }
    }

    fn effect(&self, position: &Position, mv: Move, _: &Position) -> Effect {
        let taken = seen_by_black(position).kind_at(mv.to.into());
        Effect {
            from: mv.from.map(|square| square_text(square.into())),
            to: Some(square_text(mv.to.into())),
            drop: mv.from.is_none().then_some(name_of(mv.kind)),
            promotes: mv.promotes,
            captures: taken.map(name_of),
            ..Effect::default()
        }
    }

    /// If the lion of the side that has just moved can be taken, returns the square of that lion and the squares of its
    /// attackers. Otherwise returns the square of the lion that has reached the last rank.
    fn deciding(&self, position: &Position, _: Side) -> Option<Vec<String>> {
        let board = &position.board;
        let lion = board.opponent_lion();
        let squares = u64::from(1 << lion | board.own_attackers(&self.rules, lion));
        let turned = |bit: u8| position.side.pick([bit, SQUARES as u8 - 1 - bit]);
        Some(names(squares_of(squares).map(|bit| 1 << turned(bit)).sum(), |bit| square_text(bit.into())))
    }

    /// Returns the position as a key if Black is to move, and as SFEN if White is to move. A key shows the board as the
    /// side to move sees it, and does not tell which side that is.
    fn text_with_side(&self, position: &Position) -> String {
        match position.side {
            Side::Black => self.position_text(position),
            Side::White => sfen::text(position, 0),
        }
    }

    fn arrange(&self, arrangement: &Arrangement) -> Result<String, TextError> {
        let board = self.board();
        let name = |file, rank| square_text(square(file, rank));
        let letter = |stone: &ArrangedStone| letter_of(piece_of(stone)?, stone.side);
        let grid = arrangement.grid(&board, |text| find(&board, text, name), letter)?;
        let of_side = |side: Side| {
            let hands = arrangement.hands.iter();
            let held = hands.flat_map(move |hands| side.pick([&hands.black, &hands.white]));
            held.map(move |held| Ok(letter_of(held.piece, side)?.repeat(held.count.into())))
        };
        let hands: String = of_side(Side::Black).chain(of_side(Side::White)).collect::<Result<_, TextError>>()?;
        let hands = if hands.is_empty() { "-" } else { &hands };
        Ok(format!("{} {} {hands} 1", fen(&grid), arrangement.side().pick(['b', 'w'])))
    }
}

/// Returns the letter of a piece in SFEN.
fn letter_of(piece: PieceName, side: Side) -> Result<String, TextError> {
    let foreign = || TextError::new(format!("piece {piece:?}"), "is not a piece of animal shogi");
    let kind = PIECES.iter().position(|&other| other == piece).map(|kind| Kind::ALL[kind]).ok_or_else(foreign)?;
    let letter = if kind == Kind::Hen { "+C".into() } else { kind.letter().to_string() };
    Ok(side.pick([letter.clone(), letter.to_lowercase()]))
}
