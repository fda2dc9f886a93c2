//! Variants of Binarsi and their codes: `bin<F>x<R>[-s<square>][-t<3 digits>][-k<b|w><n>.5][-n|-m]`, and for points
//! `bin<F>x<R>[-s<square>][-t<3 digits>][-n|-m]-p`.

use crate::{Side, TextError};

/// The names of files by board index, from left to right.
pub const FILE_NAMES: &[u8] = b"1234567";
/// The names of ranks by board index, from top to bottom.
pub const RANK_NAMES: &[u8] = b"abcdef";

/// The order of the options in a code.
const ORDER: &str = "-s -t -k, then -n or -m";

/// The last option in the codes of variants for points.
pub const POINTS_ENDING: &str = "-p";

/// The points that one side has before the first move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Komi {
    /// The side that gets the points.
    pub side: Side,
    /// The whole points. Half a point is added, so that no game is a draw.
    pub whole: u8,
}

/// The modifies (moves on ways that hold stones) that are illegal because of their result. Moves that add a new way are
/// always legal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum IllegalModifies {
    /// All modifies are legal.
    #[default]
    None,
    /// A modify must not leave the stones unchanged (`-n`).
    Unchanged,
    /// A modify must not leave the stones unchanged, or turn the board into its left-right or up-down mirror image
    /// (`-m`).
    Mirrored,
}

impl IllegalModifies {
    /// Returns the option in rule codes without its `-`: `n` or `m`, or `None` if all modifies are legal.
    pub fn option(self) -> Option<&'static str> {
        match self {
            IllegalModifies::None => None,
            IllegalModifies::Unchanged => Some("n"),
            IllegalModifies::Mirrored => Some("m"),
        }
    }

    /// Returns the legality of a modify that leaves the stones unchanged, in words.
    fn text(self) -> &'static str {
        match self {
            IllegalModifies::None => "legal",
            IllegalModifies::Unchanged => "illegal",
            IllegalModifies::Mirrored => "illegal, as is one to the board's mirror image",
        }
    }

    /// Returns true if some modifies (moves on ways that hold stones) are illegal. A position on a full board can then
    /// have no legal move although a way is unlocked.
    #[inline]
    pub fn has_any(self) -> bool {
        self != IllegalModifies::None
    }
}

/// One variant. Squares and ways are counted from 0 here; texts count from `1` and `a`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// The number of files, 2..=7.
    pub files: u8,
    /// The number of ranks, 2..=6.
    pub ranks: u8,
    /// The file of the stone in the starting position.
    pub start_file: u8,
    /// The rank of the stone in the starting position.
    pub start_rank: u8,
    /// The lengths of the short, the diagonal and the long target, 2..=9. A target that does not fit on the board can
    /// never be cleared.
    pub lengths: [u8; 3],
    /// The points that one side has before the first move. These points count when stones decide the winner; values
    /// that are scores do not include them.
    pub komi: Komi,
    /// The modifies that are illegal because of their result.
    pub illegal_modifies: IllegalModifies,
}

impl Rules {
    /// Returns the default variant for a board of this size.
    pub fn standard(files: u8, ranks: u8) -> Rules {
        Rules {
            files,
            ranks,
            start_file: (files / 2).max(1) - 1,
            start_rank: (ranks / 2).max(1) - 1,
            lengths: [3, 4, 5].map(|length: u8| length.min(files).min(ranks)),
            komi: Komi { side: Side::White, whole: 0 },
            illegal_modifies: IllegalModifies::None,
        }
    }

    /// Reads a rule code. Defaults may be spelled out.
    pub fn parse(code: &str) -> Result<Rules, TextError> {
        let bad = |problem: String| TextError::new(format!("rule code \"{code}\""), problem);
        let rest = code.strip_prefix("bin").ok_or_else(|| bad("Binarsi codes start with bin".into()))?;
        let mut parts = rest.split('-');
        let (files, ranks) = parse_size(parts.next().unwrap_or("")).map_err(&bad)?;
        let mut rules = Rules::standard(files, ranks);
        let mut last = 0;
        for part in parts {
            let idle = rules.illegal_modifies.option();
            let order = rules.parse_option(part).map_err(&bad)?;
            if idle.is_some() && idle != rules.illegal_modifies.option() {
                return Err(bad("-m includes -n; write only one of them".into()));
            }
            if order <= last {
                return Err(bad(format!("option -{part} is repeated or out of order (the order is {ORDER})")));
            }
            last = order;
        }
        Ok(rules)
    }

    /// Reads one option, without its `-`, into `self`. Returns the place of the option in the order of options, from 1
    /// on.
    fn parse_option(&mut self, part: &str) -> Result<u8, String> {
        let (Some(letter), Some(rest)) = (part.get(..1), part.get(1..)) else {
            return Err("an option is missing after -".into());
        };
        match letter {
            "s" => {
                (self.start_file, self.start_rank) = parse_square(rest, self.files, self.ranks)?;
                Ok(1)
            }
            "t" => {
                self.lengths = parse_lengths(rest)?;
                Ok(2)
            }
            "k" => {
                self.komi = parse_komi(rest)?;
                Ok(3)
            }
            "n" | "m" if rest.is_empty() => {
                self.illegal_modifies =
                    if letter == "n" { IllegalModifies::Unchanged } else { IllegalModifies::Mirrored };
                Ok(4)
            }
            _ => Err(format!(
                "unknown option -{part} (known: -s<square> -t<3 digits> -k<b|w><n>.5 -n -m, and -p at the end)"
            )),
        }
    }

    /// Returns the variant with the smallest start square among this variant and its mirror images. All of them are the
    /// same game.
    pub fn with_least_start(&self) -> Rules {
        let least = |at: u8, all: u8| at.min(all - 1 - at);
        Rules {
            start_file: least(self.start_file, self.files),
            start_rank: least(self.start_rank, self.ranks),
            ..*self
        }
    }

    /// Returns the shortest code of this variant.
    pub fn code(&self) -> String {
        let standard = Rules::standard(self.files, self.ranks);
        let mut code = format!("bin{}x{}", self.files, self.ranks);
        if (self.start_file, self.start_rank) != (standard.start_file, standard.start_rank) {
            code += &format!("-s{}", self.square_name(self.start_file, self.start_rank));
        }
        if self.lengths != standard.lengths {
            code += &format!("-t{}", self.lengths.map(|length| length.to_string()).concat());
        }
        if self.komi != standard.komi {
            code += &format!("-k{}{}.5", if self.komi.side == Side::Black { 'b' } else { 'w' }, self.komi.whole);
        }
        match self.illegal_modifies.option() {
            Some(option) => code + "-" + option,
            None => code,
        }
    }

    /// Returns the shortest code of the variant that has these rules but is played for points. The code has no komi,
    /// because scores do not include the komi.
    pub fn points_code(&self) -> String {
        let komi = Rules::standard(self.files, self.ranks).komi;
        Rules { komi, ..*self }.code() + POINTS_ENDING
    }

    /// Returns the name of a square: file, then rank.
    pub fn square_name(&self, file: u8, rank: u8) -> String {
        format!("{}{}", FILE_NAMES[file as usize] as char, RANK_NAMES[rank as usize] as char)
    }

    /// Returns all settings, defaults included, as pairs of name and value. The first is `game`.
    pub fn settings(&self) -> Vec<(&'static str, String)> {
        let [short, diagonal, long] = self.lengths;
        vec![
            ("game", "binarsi".into()),
            ("board", format!("{} files x {} ranks", self.files, self.ranks)),
            ("start square", self.square_name(self.start_file, self.start_rank)),
            ("black targets", format!("b3 {short} across, b4 {diagonal} diagonal, b5 {long} down")),
            ("white targets", format!("w3 {short} down, w4 {diagonal} diagonal, w5 {long} across")),
            ("komi", format!("{}.5 for {}", self.komi.whole, self.komi.side)),
            ("modify without change", self.illegal_modifies.text().into()),
            ("longest game", format!("{} plies", self.max_plies())),
        ]
    }

    /// Returns the number of plies of the longest game. Every way except the two through the start square is added
    /// once, and every way is locked once.
    #[inline]
    pub fn max_plies(&self) -> u32 {
        2 * (u32::from(self.files) + u32::from(self.ranks)) - 2
    }

    /// Returns the side with more points, komi included, if Black and White have these numbers of stones.
    #[inline]
    pub fn stones_winner(&self, black: u32, white: u32) -> Side {
        let komi = 2 * u32::from(self.komi.whole) + 1;
        let [komi_of_black, komi_of_white] = self.komi.side.pick([[komi, 0], [0, komi]]);
        if 2 * black + komi_of_black > 2 * white + komi_of_white { Side::Black } else { Side::White }
    }
}

fn parse_size(text: &str) -> Result<(u8, u8), String> {
    let wrong = || format!("board size \"{text}\" is not <files>x<ranks> from 2x2 to 7x6");
    let (files, ranks) = text.split_once('x').ok_or_else(wrong)?;
    let number = |text: &str, most: u8| match text.as_bytes() {
        [digit @ b'2'..=b'7'] if digit - b'0' <= most => Ok(digit - b'0'),
        _ => Err(wrong()),
    };
    Ok((number(files, 7)?, number(ranks, 6)?))
}

fn parse_square(text: &str, files: u8, ranks: u8) -> Result<(u8, u8), String> {
    let outside = || format!("start square \"{text}\" is not on the {files}x{ranks} board");
    let [file, rank] = text.as_bytes() else { return Err(outside()) };
    let find = |names: &[u8], name: &u8, limit: u8| {
        names[..limit as usize].iter().position(|n| n == name).map(|i| i as u8).ok_or_else(outside)
    };
    Ok((find(FILE_NAMES, file, files)?, find(RANK_NAMES, rank, ranks)?))
}

fn parse_lengths(text: &str) -> Result<[u8; 3], String> {
    match text.as_bytes() {
        [a @ b'2'..=b'9', b @ b'2'..=b'9', c @ b'2'..=b'9'] => Ok([a, b, c].map(|digit| digit - b'0')),
        _ => Err(format!("target lengths \"{text}\" are not three digits from 2 to 9")),
    }
}

fn parse_komi(text: &str) -> Result<Komi, String> {
    let wrong = || format!("komi \"{text}\" is not b or w and a number from 0.5 to 99.5 ending in .5");
    let side = match text.get(..1) {
        Some("b") => Side::Black,
        Some("w") => Side::White,
        _ => return Err(wrong()),
    };
    let whole = text[1..].strip_suffix(".5").ok_or_else(wrong)?;
    let plain = matches!(whole.len(), 1..=2) && whole.bytes().all(|byte| byte.is_ascii_digit());
    if !plain || (whole.len() == 2 && whole.starts_with('0')) {
        return Err(wrong());
    }
    Ok(Komi { side, whole: whole.parse().map_err(|_| wrong())? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_follow_the_board() {
        let rules = Rules::parse("bin7x6").unwrap();
        assert_eq!((rules.start_file, rules.start_rank, rules.lengths), (2, 2, [3, 4, 5]));
        let rules = Rules::parse("bin3x3").unwrap();
        assert_eq!((rules.start_file, rules.start_rank, rules.lengths), (0, 0, [3, 3, 3]));
        assert_eq!(Rules::parse("bin2x2").unwrap().lengths, [2, 2, 2]);
    }
}
