//! The certificate format of older programs, which this program only reads and converts: gzip with a checksum in its
//! header.
//!
//! ```text
//! 16 fixed bytes | XXH3-128 of the rest (16 bytes) | deflate stream, CRC and length as in any gzip file
//! ```
//!
//! The unpacked data is lines of text, an empty line, the differences between successive keys in LEB128, and a byte for
//! each move.

use std::io::{BufRead, BufReader, Read, Seek};
use std::path::Path;
use std::path::PathBuf;
use std::str::FromStr;

use flate2::bufread::GzDecoder;
use xxhash_rust::xxh3::Xxh3;

use super::claim::{Claim, side};
use super::game::keys_end;
use super::{Certificate, CertificateGame};
use yomikiri_rules::AnyGame;
use yomikiri_rules::games::{binarsi::Binarsi, connect_four::ConnectFour, reversi::Reversi};
use yomikiri_table::TableError;
use yomikiri_table::source::open_file;
use yomikiri_table::{Replaceable, disk};

/// The first line of the unpacked data.
const MAGIC: &str = "yomikiri certificate 1";

/// The header of the extra field of gzip that holds the checksum: two letters and the length of the data.
const EXTRA: [u8; 4] = [b'Y', b'K', 16, 0];

/// The first bytes of every file of version 1: gzip, deflate, with an extra field; no time; best compression; unknown
/// system; 20 bytes of extra fields.
const HEAD: [u8; 16] = [0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 2, 255, 20, 0, EXTRA[0], EXTRA[1], EXTRA[2], EXTRA[3]];

/// The offset of the first byte that the checksum covers.
const REST: u64 = 32;

/// The maximum length of a line of text in bytes.
const LINE: u64 = 256;

/// The maximum number of entries for which memory is reserved before they are read.
const ROOM: u64 = 1 << 16;

impl<G: CertificateGame> Certificate<G> {
    /// Reads a file of version 1.
    fn read_version1(path: &Path) -> Result<Certificate<G>, TableError> {
        let (io, mut file) = (TableError::io, open_file(path)?);
        let mut head = [0; REST as usize];
        let begins = file.read_exact(&mut head).is_ok() && head[..HEAD.len()] == HEAD;
        if !begins {
            return Err(TableError::foreign(path, "is not a certificate of Yomikiri"));
        }
        if checksum(&mut file).map_err(io(path))? != head[HEAD.len()..] {
            return Err(TableError::damaged(path, "does not match its checksum"));
        }
        file.rewind().map_err(io(path))?;
        let mut plain = BufReader::new(GzDecoder::new(BufReader::with_capacity(1 << 20, file)));
        let certificate = parse(&mut plain).map_err(|what| TableError::damaged(path, what))?;
        let mut packed = plain.into_inner().into_inner();
        let at_end = packed.fill_buf().map_err(io(path))?.is_empty();
        if at_end { Ok(certificate) } else { Err(TableError::damaged(path, "has data after its end")) }
    }
}

/// Converts a file of version 1: writes the certificate under its name without `.gz`, deletes the old file and returns
/// the new name. If a killed run has already written the same certificate under the new name, that file is kept.
/// Returns an error if any other file has that name.
pub fn upgrade_version1(path: &Path) -> Result<PathBuf, TableError> {
    match rules_of_version1(path).and_then(|code| AnyGame::parse(&code).ok()) {
        Some(AnyGame::ConnectFour(_)) => Certificate::<ConnectFour>::upgrade_version1(path),
        Some(AnyGame::Reversi(_)) => Certificate::<Reversi>::upgrade_version1(path),
        _ => Certificate::<Binarsi>::upgrade_version1(path),
    }
}

impl<G: CertificateGame> Certificate<G> {
    fn upgrade_version1(path: &Path) -> Result<PathBuf, TableError> {
        let certificate = Certificate::<G>::read_version1(path)?;
        let new = path.with_extension("");
        let is_there = new.exists() && Certificate::read(&new).is_ok_and(|found| found.says_same(&certificate));
        if new.exists() && !is_there {
            return Err(TableError::foreign(
                &new,
                format!("already exists with other contents; move it away to convert {}", path.display()),
            ));
        }
        if !is_there {
            certificate.write_over(&new, Replaceable::Nothing)?;
        }
        disk::remove(path).map_err(TableError::io(path))?;
        Ok(new)
    }

    /// Returns true if both certificates make the same claim and list the same moves.
    fn says_same(&self, other: &Certificate<G>) -> bool {
        let claim = |certificate: &Certificate<G>| {
            let Claim { game, position, winner, draws, horizon } = &certificate.claim;
            (game.code(), game.position_text(position), *winner, *draws, *horizon)
        };
        claim(self) == claim(other) && self.keys == other.keys && self.moves == other.moves
    }
}

/// Returns the rule code that a file of version 1 states, or `None` if the file is not a certificate of version 1.
/// Checks nothing else.
fn rules_of_version1(path: &Path) -> Option<String> {
    let plain = GzDecoder::new(BufReader::new(open_file(path).ok()?));
    let mut lines = BufReader::new(plain.take(2 * LINE)).lines().map_while(Result::ok);
    (lines.next()? == MAGIC).then_some(())?;
    lines.next()?.strip_prefix("rules ").map(str::to_string)
}

/// Returns the XXH3-128 of the rest of the file, low byte first.
fn checksum(file: &mut impl Read) -> std::io::Result<[u8; 16]> {
    let mut hash = Xxh3::new();
    std::io::copy(file, &mut hash)?;
    Ok(hash.digest128().to_le_bytes())
}

/// Reads a number in LEB128. Returns `None` if it does not fit 64 bits, or if the file ends.
fn read_number(bytes: &mut impl Iterator<Item = std::io::Result<u8>>) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let byte = bytes.next()?.ok()?;
        let bits = u64::from(byte & 127);
        if bits << shift >> shift != bits {
            return None;
        }
        number |= bits << shift;
        if byte < 128 {
            return Some(number);
        }
    }
    None
}

/// Parses the unpacked data to its end. The error says what is wrong.
fn parse<G: CertificateGame>(plain: &mut impl BufRead) -> Result<Certificate<G>, String> {
    if line(plain)? != MAGIC {
        return Err(format!("does not begin with \"{MAGIC}\""));
    }
    let code = field(plain, "rules")?;
    let game = G::parse(&code).map_err(|error| error.to_string())?;
    let revision = game.rules_revision();
    if game.code() != code || field(plain, "revision")? != revision.to_string() {
        return Err(format!("the rule code is not in standard form, or its rules are not of revision {revision}"));
    }
    let text = field(plain, "position")?;
    let position = game.parse_position(&text).map_err(|error| error.to_string())?;
    if game.position_text(&position) != text {
        return Err(format!("position {text:?} is not in standard notation"));
    }
    let winner = side(&field(plain, "winner")?)?;
    let next = line(plain)?;
    let draws = next.strip_prefix("draws ").map(side).transpose()?;
    let next = if draws.is_some() { line(plain)? } else { next };
    let horizon = number(&next, "horizon")?;
    let entries = number(&line(plain)?, "entries")?;
    if !line(plain)?.is_empty() {
        return Err("has no empty line after its text".into());
    }
    let keys = keys(plain, entries, keys_end(&game))?;
    let moves = moves(&game, plain, entries)?;
    Ok(Certificate { claim: Claim { game, position, winner, draws, horizon }, keys, moves })
}

/// Reads the next line, without its line break.
fn line(plain: &mut impl BufRead) -> Result<String, String> {
    let mut text = String::new();
    plain.by_ref().take(LINE).read_line(&mut text).map_err(|error| error.to_string())?;
    text.strip_suffix('\n').map(str::to_string).ok_or_else(|| "the text ends in the middle of a line".into())
}

/// Reads the next line and returns the value that follows `name`.
fn field(plain: &mut impl BufRead, name: &str) -> Result<String, String> {
    value(&line(plain)?, name).map(str::to_string)
}

/// Returns the value that follows `name` on a line.
fn value<'a>(line: &'a str, name: &str) -> Result<&'a str, String> {
    let value = line.strip_prefix(name).and_then(|rest| rest.strip_prefix(' '));
    value.ok_or_else(|| format!("line \"{name}\" is missing"))
}

fn number<T: FromStr>(line: &str, name: &str) -> Result<T, String> {
    value(line, name)?.parse().map_err(|_| format!("line \"{name}\" is not a number"))
}

/// Reads `entries` ascending keys below `end`.
fn keys(plain: &mut impl BufRead, entries: u64, end: u64) -> Result<Vec<u64>, String> {
    let mut keys: Vec<u64> = Vec::with_capacity(entries.min(ROOM) as usize);
    let mut bytes = plain.by_ref().bytes();
    for _ in 0..entries {
        let step = read_number(&mut bytes).ok_or("keys are cut off or too large")?;
        let before: Option<u64> = keys.last().copied();
        let key = before.unwrap_or(0).checked_add(step).filter(|&key| key < end && Some(key) != before);
        keys.push(key.ok_or("keys do not ascend, or are outside the key range of its board")?);
    }
    Ok(keys)
}

/// Reads `entries` move bytes and checks that no data follows them.
fn moves<G: CertificateGame>(game: &G, plain: &mut impl BufRead, entries: u64) -> Result<Vec<u8>, String> {
    let mut moves = Vec::new();
    let read = plain.by_ref().take(entries).read_to_end(&mut moves).and_then(|_| plain.read(&mut [0]));
    let more = read.map_err(|error| error.to_string())?;
    let is_move: [bool; 256] = std::array::from_fn(|byte| game.byte_text(byte as u8).is_some());
    match moves.iter().all(|&byte| is_move[usize::from(byte)]) {
        true if moves.len() as u64 == entries && more == 0 => Ok(moves),
        true => Err("the number of moves is not the number of keys".into()),
        false => Err("has bytes that are not moves".into()),
    }
}
