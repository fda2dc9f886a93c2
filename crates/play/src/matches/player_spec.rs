//! Players by name: `table`, `search,depth=4`, `usi,time=1s:COMMAND LINE`.

use std::fmt;
use std::time::Duration;

use crate::Limits;
use crate::arguments::seconds;
use crate::search::DEEPEST;
use yomikiri_rules::TextError;

/// Who plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    Own(Style),
    /// Another program that speaks USI: its command line as it was written, and its words.
    Usi(String, Vec<String>),
}

/// What a player of this program plays by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// The table of the game alone.
    Table,
    /// Looking ahead alone.
    Search,
    /// A table if there is one, else the exact search where that is quick, else looking ahead.
    Computer,
    Random,
    Greedy,
}

impl Style {
    const ALL: [Style; 5] = [Style::Table, Style::Search, Style::Computer, Style::Random, Style::Greedy];

    fn name(self) -> &'static str {
        match self {
            Style::Table => "table",
            Style::Search => "search",
            Style::Computer => "computer",
            Style::Random => "random",
            Style::Greedy => "greedy",
        }
    }
}

/// A player of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerSpec {
    pub kind: Kind,
    /// How long it thinks about a move; none for players that do not think.
    pub limits: Limits,
}

impl PlayerSpec {
    /// Reads a name with options. Players that think and have no options of their own get the limits `usual`.
    pub fn parse(text: &str, usual: Limits) -> Result<PlayerSpec, TextError> {
        let bad = |problem: String| TextError::new(format!("player \"{text}\""), problem);
        let (head, command) = match text.split_once(':') {
            Some((head, command)) => (head, Some(command)),
            None => (text, None),
        };
        let mut words = head.split(',');
        let name = words.next().unwrap_or_default();
        let kind = kind(name, command).map_err(&bad)?;
        let mut limits = Limits::default();
        for word in words {
            read_limit(&mut limits, word).map_err(&bad)?;
        }
        match thinks(&kind) {
            true if limits == Limits::default() => limits = usual,
            false if limits != Limits::default() => return Err(bad(format!("{name} takes no options"))),
            _ => {}
        }
        Ok(PlayerSpec { kind, limits })
    }

    /// Whether it plays the same moves again, however busy the machine is and whatever else there is.
    pub fn is_repeatable(&self) -> bool {
        self.limits.time.is_none() && !matches!(self.kind, Kind::Usi(..))
    }

    /// Whether it always makes the same move in the same game.
    pub fn is_fixed(&self) -> bool {
        self.is_repeatable() && !matches!(self.kind, Kind::Own(Style::Random | Style::Greedy))
    }
}

fn thinks(kind: &Kind) -> bool {
    matches!(kind, Kind::Own(Style::Search | Style::Computer) | Kind::Usi(..))
}

fn kind(name: &str, command: Option<&str>) -> Result<Kind, String> {
    let own = Style::ALL.into_iter().find(|style| style.name() == name);
    match (own, name, command) {
        (Some(style), _, None) => Ok(Kind::Own(style)),
        (None, "usi", Some(command)) => program(command),
        (None, "usi", None) => Err("a colon and a command line have to follow, as usi:./engine".into()),
        _ => Err(format!("is none of {}, usi:COMMAND", Style::ALL.map(Style::name).join(", "))),
    }
}

/// A program by its command line, which is cut into words as a shell would.
fn program(command: &str) -> Result<Kind, String> {
    if command.chars().any(char::is_control) {
        return Err("its command has a control character in it".into());
    }
    let words = shlex::split(command).ok_or("its command has a quotation mark without its other one")?;
    // A blank at its end may belong to a word: "a\\ ".
    let is_same = |command: &&str| shlex::split(command).is_some_and(|cut| cut == words);
    let command = [command.trim(), command.trim_start()].into_iter().find(is_same).unwrap_or(command);
    match words.first().is_none_or(String::is_empty) {
        true => Err("its command is empty".into()),
        false => Ok(Kind::Usi(command.into(), words)),
    }
}

fn read_limit(limits: &mut Limits, word: &str) -> Result<(), String> {
    match word.split_once('=') {
        Some(("time", text)) => limits.time = Some(parse_time(text)?),
        Some(("depth", text)) => {
            let depth = text.parse().ok().filter(|depth| (1..=DEEPEST).contains(depth));
            limits.depth = Some(depth.ok_or_else(|| format!("depth: \"{text}\" is no number from 1 to {DEEPEST}"))?);
        }
        Some(("nodes", text)) => {
            let nodes = text.parse().ok().filter(|&nodes: &u64| nodes > 0);
            limits.nodes = Some(nodes.ok_or_else(|| format!("nodes: \"{text}\" is no number from 1 on"))?);
        }
        _ => return Err(format!("\"{word}\" is none of time=T, depth=N, nodes=N")),
    }
    Ok(())
}

/// Longest time for a move.
const LONGEST: Duration = Duration::from_secs(86_400);

/// Reads `200ms`, `1s`, `1.5s` or `2m`: from a millisecond to a day.
pub fn parse_time(text: &str) -> Result<Duration, String> {
    let wrong = || format!("\"{text}\" is no time from 1ms to 1440m, as 200ms, 1.5s or 2m");
    if !text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'm' | b's')) {
        return Err(wrong());
    }
    let seconds = seconds(text, &[("ms", 0.001), ("s", 1.0), ("m", 60.0)]).ok_or_else(wrong)?;
    let time = Duration::from_millis((seconds * 1000.0).round() as u64);
    if time.is_zero() || time > LONGEST { Err(wrong()) } else { Ok(time) }
}

/// The shortest way to write a time that [`parse_time`] reads.
fn time_text(time: Duration) -> String {
    match time.as_millis() {
        whole if whole.is_multiple_of(1000) => format!("{}s", whole / 1000),
        milliseconds => format!("{milliseconds}ms"),
    }
}

/// The name with all options, as [`PlayerSpec::parse`] reads it.
impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            Kind::Own(style) => style.name(),
            Kind::Usi(..) => "usi",
        })?;
        let Limits { depth, nodes, time } = self.limits;
        if let Some(time) = time {
            write!(f, ",time={}", time_text(time))?;
        }
        if let Some(depth) = depth {
            write!(f, ",depth={depth}")?;
        }
        if let Some(nodes) = nodes {
            write!(f, ",nodes={nodes}")?;
        }
        if let Kind::Usi(command, _) = &self.kind { write!(f, ":{command}") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const USUAL: Limits = Limits { depth: None, nodes: None, time: Some(Duration::from_millis(100)) };

    fn shown(text: &str) -> String {
        PlayerSpec::parse(text, USUAL).map_or_else(|error| error.to_string(), |spec| spec.to_string())
    }

    #[test]
    fn names_are_read_and_written() {
        for (text, long) in [
            ("table", "table"),
            ("random", "random"),
            ("search", "search,time=100ms"),
            ("search,depth=4", "search,depth=4"),
            ("computer,nodes=10000,time=1.5s", "computer,time=1500ms,nodes=10000"),
            ("search,time=2m", "search,time=120s"),
            ("usi:./engine --level 3", "usi,time=100ms:./engine --level 3"),
            ("usi,depth=3: a:b,c ", "usi,depth=3:a:b,c"),
        ] {
            assert_eq!(shown(text), long);
            assert_eq!(shown(long), long);
        }
        let Kind::Usi(_, words) = PlayerSpec::parse("usi:'my engine' -x \"a b\"", USUAL).unwrap().kind else {
            panic!()
        };
        assert_eq!(words, ["my engine", "-x", "a b"]);
    }

    #[test]
    fn mistakes_are_named() {
        for (text, problem) in [
            ("", "is none of table, search, computer, random, greedy, usi:COMMAND"),
            ("table:x", "is none of table, search, computer, random, greedy, usi:COMMAND"),
            ("table,depth=3", "table takes no options"),
            ("search,depth=0", "depth: \"0\" is no number from 1 to 100"),
            ("search,nodes=x", "nodes: \"x\" is no number from 1 on"),
            ("search,fast", "\"fast\" is none of time=T, depth=N, nodes=N"),
            ("search,time=5", "\"5\" is no time from 1ms to 1440m, as 200ms, 1.5s or 2m"),
            ("usi", "a colon and a command line have to follow, as usi:./engine"),
            ("usi:", "its command is empty"),
            ("usi:'a", "its command has a quotation mark without its other one"),
        ] {
            assert_eq!(shown(text), format!("player \"{text}\": {problem}"));
        }
        for bad in ["1h", "0s", "-1s", "1441m", "ms", "1e3s", "infs", "é", "1 s", "..s"] {
            assert!(parse_time(bad).is_err(), "{bad}");
        }
    }
}
