//! Notation: moves, SFEN and board diagrams.

use super::BinarsiOf;
use super::board::{Position, Rect, Way};
use super::goal::Goal;
use super::moves::{self, Move, Op};
use super::rules::{FILE_NAMES, IllegalModifies, RANK_NAMES, Rules};
use super::targets;
use crate::{Plies, Side, TextError, notation};

/// Returns the name of a way: the digit of a file or the letter of a rank.
pub fn way_name(way: Way) -> char {
    match way {
        Way::File(file) => FILE_NAMES[file as usize] as char,
        Way::Rank(rank) => RANK_NAMES[rank as usize] as char,
    }
}

/// Returns the way with this name on the board of `rules`.
pub fn parse_way(rules: &Rules, name: char) -> Result<Way, String> {
    Way::all(rules)
        .find(|&way| way_name(way) == name)
        .ok_or_else(|| format!("the {}x{} board has no way \"{name}\"", rules.files, rules.ranks))
}

/// The texts of all operators but the shifts `s1`..`s6`.
const OPS: [(&str, Op); 9] = [
    ("a", Op::And),
    ("n", Op::Not),
    ("nH", Op::NotHigh),
    ("nL", Op::NotLow),
    ("na", Op::Nand),
    ("no", Op::Nor),
    ("o", Op::Or),
    ("xn", Op::Xnor),
    ("xo", Op::Xor),
];

/// Returns the notation of a move, such as `4n` or `cs1`: the name of its way, then the operator.
pub fn move_text(mv: Move) -> String {
    let way = way_name(mv.way);
    match mv.op {
        Op::Shift(k) => format!("{way}s{k}"),
        op => format!("{way}{}", OPS.iter().find(|(_, other)| *other == op).expect("all operators have a text").0),
    }
}

/// Reads an operator in the notation of moves, such as `nH` or `s1`. `None` if the text is not an operator.
pub fn parse_op(text: &str) -> Option<Op> {
    match text.as_bytes() {
        [b's', k @ b'1'..=b'6'] => Some(Op::Shift(k - b'0')),
        _ => OPS.iter().find(|(name, _)| *name == text).map(|&(_, op)| op),
    }
}

/// Reads a legal move. The error says why the text is not a legal move.
pub fn parse_legal_move(rules: &Rules, position: &Position, text: &str) -> Result<Move, TextError> {
    let bad = |problem: String| TextError::new(format!("move \"{text}\""), problem);
    let mut letters = text.chars();
    let way = letters.next().ok_or_else(|| bad("is empty".into()))?;
    if way == '&' {
        return Err(bad("is a board edit, not a move".into()));
    }
    let way = parse_way(rules, way).map_err(bad)?;
    let op = letters.as_str();
    let op = parse_op(op).ok_or_else(|| {
        let is_edit = matches!(op, "c" | "e" | "ze" | "on");
        let editing = if is_edit { " (it is a board edit; write & before the way)" } else { "" };
        bad(format!("\"{op}\" is not an operator of the game{editing}"))
    })?;
    let mut legal = Vec::new();
    moves::generate(rules, position, &mut legal);
    let mv = Move { way, op };
    if legal.contains(&mv) { Ok(mv) } else { Err(bad(why_illegal(rules, position, mv, &legal))) }
}

fn why_illegal(rules: &Rules, position: &Position, mv: Move, legal: &[Move]) -> String {
    let name = way_name(mv.way);
    let codes = || {
        let codes: Vec<_> = legal.iter().filter(|other| other.way == mv.way).map(|&mv| move_text(mv)).collect();
        if codes.is_empty() { "has no legal move".to_string() } else { format!("allows {}", codes.join(" ")) }
    };
    match targets::verdict(position.targets) {
        targets::Verdict::Open => {}
        targets::Verdict::Won(_) => return "the game is over: a side has cleared its three targets".into(),
        targets::Verdict::Count => return "the game is over: all six targets are cleared".into(),
    }
    if position.locks & mv.way.lock() != 0 {
        return format!("way {name} is locked");
    }
    if !position.holds(mv.way) && moves::grown(position.rect, mv.way).is_none() {
        return format!("way {name} is not next to the stones");
    }
    let free = Rules { illegal_modifies: IllegalModifies::None, ..*rules };
    let mut allowed = Vec::new();
    moves::generate(&free, position, &mut allowed);
    let idle = match allowed.contains(&mv) {
        false => "",
        true if moves::play(&free, position, mv).stones == position.stones => "would leave the stones unchanged; ",
        true => "would turn the board into its mirror image; ",
    };
    let state = if position.holds(mv.way) { "holds stones" } else { "is new" };
    format!("{idle}way {name} {state} and {}", codes())
}

/// Returns the position as SFEN with five fields.
pub fn sfen(rules: &Rules, position: &Position) -> String {
    let turn = position.side().pick(['b', 'w']);
    let board = board_field(rules, position);
    format!("{board} {turn} {} {} {}", locks_field(rules, position), targets_field(position), position.ply())
}

fn board_field(rules: &Rules, position: &Position) -> String {
    notation::fen(0..rules.ranks, rules.files, |file, rank| {
        stone(position, file, rank).map(|side| side.pick(['x', 'o']))
    })
}

fn locks_field(rules: &Rules, position: &Position) -> String {
    let locks: String = Way::all(rules).filter(|way| position.locks & way.lock() != 0).map(way_name).collect();
    if locks.is_empty() { "-".into() } else { locks }
}

fn targets_field(position: &Position) -> String {
    if position.targets == 0 {
        return "-".into();
    }
    let field = |bit: usize| match position.targets >> bit & 1 {
        0 => String::new(),
        _ => position.clear_plies[bit].to_string(),
    };
    (0..6).map(field).collect::<Vec<_>>().join("/")
}

/// Returns the colour of the stone on a square, or `None` if the square is empty.
pub fn stone(position: &Position, file: u8, rank: u8) -> Option<Side> {
    let bit = 1u64 << (8 * rank + file);
    if position.stones & bit != 0 {
        Some(Side::Black)
    } else if position.rect.squares() & bit != 0 {
        Some(Side::White)
    } else {
        None
    }
}

/// Reads `startpos` or an SFEN, optionally followed by `moves ...`. A leading `position` or `sfen` is skipped. Board
/// edits (`&4e#$..10..`) may be among the moves.
pub fn parse_notation<V: Goal>(game: &BinarsiOf<V>, text: &str) -> Result<Position, TextError> {
    notation::parse_position(game, text, &["sfen"], "an SFEN of five fields", |words| parse_fields(&game.rules, words))
}

fn parse_fields<'a, 'b>(rules: &Rules, words: &'a [&'b str]) -> Result<(Position, &'a [&'b str]), TextError> {
    let [board, turn, locks, targets, ply, rest @ ..] = words else {
        let fields = words.len();
        return Err(TextError::new(
            "SFEN",
            format!("has {fields} of the five fields board, turn, locks, targets, ply"),
        ));
    };
    let mut position = parse_board(rules, board).map_err(notation::of_field("board", board))?;
    position.locks = parse_locks(rules, &position, locks).map_err(notation::of_field("locks", locks))?;
    check_ply(&position, ply).map_err(notation::of_field("ply", ply))?;
    check_turn(&position, turn).map_err(notation::of_field("turn", turn))?;
    position.clear_plies = parse_targets(&position, targets).map_err(notation::of_field("targets", targets))?;
    for (bit, &ply) in position.clear_plies.iter().enumerate() {
        position.targets |= u8::from(ply > 0) << bit;
    }
    let missing = targets::on_board(rules, position.stones, position.white()) & !position.targets;
    if missing != 0 {
        let name = targets::NAMES[missing.trailing_zeros() as usize];
        let problem = format!("{name} is on the board but not marked as cleared");
        return Err(notation::of_field("targets", targets)(problem));
    }
    Ok((position, rest))
}

fn parse_board(rules: &Rules, text: &str) -> Result<Position, String> {
    let names: Vec<char> = RANK_NAMES[..usize::from(rules.ranks)].iter().map(|&name| name.into()).collect();
    let (mut black, mut all) = (0, 0);
    for (file, rank, side) in notation::parse_fen(text, rules.files, &names, "stones", 7)? {
        let bit = 1u64 << (8 * rank + file);
        all |= bit;
        black |= side.pick([bit, 0]);
    }
    let rect = Rect::around(all).ok_or("has no stones")?;
    let holes = rect.squares() & !all;
    if holes != 0 {
        let (file, rank) = (holes.trailing_zeros() % 8, holes.trailing_zeros() / 8);
        let square = rules.square_name(file as u8, rank as u8);
        return Err(format!("the stones do not fill a rectangle: {square} is empty"));
    }
    Ok(Position { stones: black, rect, locks: 0, targets: 0, clear_plies: [0; 6] })
}

fn parse_locks(rules: &Rules, position: &Position, text: &str) -> Result<u16, String> {
    let mut locks = 0;
    if text == "-" {
        return Ok(locks);
    }
    for name in text.chars() {
        let way = parse_way(rules, name)?;
        if !position.holds(way) {
            return Err(format!("way {name} is locked but holds no stones"));
        }
        if locks & way.lock() != 0 {
            return Err(format!("way {name} is listed twice"));
        }
        locks |= way.lock();
    }
    Ok(locks)
}

/// Reads a number: digits without a sign or leading zeros.
fn parse_number(text: &str) -> Option<u32> {
    text.parse().ok().filter(|number: &u32| number.to_string() == text)
}

fn check_ply(position: &Position, text: &str) -> Result<(), String> {
    let (ply, size, locks) = (position.ply(), position.rect, position.locks.count_ones());
    match parse_number(text) {
        Some(given) if given == ply => Ok(()),
        _ => Err(format!(
            "must be {ply}: the stones have grown to {}x{}, and the number of locked ways is {locks}",
            size.width, size.height
        )),
    }
}

fn check_turn(position: &Position, text: &str) -> Result<(), String> {
    let side = match text {
        "b" => Side::Black,
        "w" => Side::White,
        _ => return Err("is neither b nor w".into()),
    };
    if side != position.side() {
        return Err(format!("after {} {} is to move", Plies(position.ply() as u16), position.side()));
    }
    Ok(())
}

fn parse_targets(position: &Position, text: &str) -> Result<[u8; 6], String> {
    let mut plies = [0; 6];
    if text == "-" {
        return Ok(plies);
    }
    let fields: Vec<_> = text.split('/').collect();
    if fields.len() != 6 {
        return Err(format!("has {} of six parts b3/b4/b5/w3/w4/w5", fields.len()));
    }
    for (bit, field) in fields.iter().enumerate().filter(|(_, field)| !field.is_empty()) {
        let limit = position.ply();
        plies[bit] = match parse_number(field) {
            Some(ply) if ply > 0 && ply <= limit => ply as u8,
            _ if limit == 0 => return Err("no target can be cleared at ply 0".into()),
            _ => return Err(format!("{} \"{field}\" is not a ply from 1 to {limit}", targets::NAMES[bit])),
        };
    }
    Ok(plies)
}

/// Returns the [`diagram`], below a line with the ply and the side to move.
pub fn board(rules: &Rules, position: &Position) -> String {
    format!("[{:2} moves | next {}]\n{}", position.ply(), position.side().name(), diagram(rules, position))
}

/// Returns the board with the names of the ways on its edges (`#` if locked), and the cleared targets.
pub fn diagram(rules: &Rules, position: &Position) -> String {
    let edge = |way: Way| if position.locks & way.lock() != 0 { '#' } else { way_name(way) };
    let mut text = String::from("   ");
    for file in 0..rules.files {
        text += &format!(" {}", edge(Way::File(file)));
    }
    let rule = format!("\n  +{}+", "-".repeat(2 * rules.files as usize + 1));
    text += &rule;
    for rank in 0..rules.ranks {
        text += &format!("\n{} |", edge(Way::Rank(rank)));
        for file in 0..rules.files {
            text += match stone(position, file, rank) {
                Some(Side::Black) => " 1",
                Some(Side::White) => " 0",
                None => " .",
            };
        }
        text += " |";
    }
    text += &rule;
    if position.targets != 0 {
        let cleared = (0..6).filter(|bit| position.targets >> bit & 1 == 1);
        let names: Vec<_> =
            cleared.map(|bit| format!("{} (ply {})", targets::NAMES[bit], position.clear_plies[bit])).collect();
        text += &format!("\ncleared: {}", names.join(", "));
    }
    text
}
