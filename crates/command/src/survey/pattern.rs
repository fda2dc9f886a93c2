//! Expands patterns of rule codes: `bin{3..5}x4{,-n}` is six codes.

/// A pattern for all digits in codes of animal shogi. A digit encodes the set of directions in which a kind of piece
/// moves.
const DIGITS: &str = "{0..9,a..v}";

/// The maximum number of codes of a pattern.
const MAX_CODES: usize = 1_000_000;

/// Returns the codes of a pattern, in order. The error says what is wrong with the pattern.
pub fn expand(pattern: &str) -> Result<Vec<String>, String> {
    let wrong = |problem: &str| format!("pattern \"{pattern}\": {problem}");
    let mut done = vec![String::new()];
    let spelled = pattern.replace('?', DIGITS);
    let mut rest = spelled.as_str();
    while let Some(at) = rest.find(['{', '}']) {
        let (plain, from) = rest.split_at(at);
        if from.starts_with('}') {
            return Err(wrong("a } without {"));
        }
        let end = closing(from).ok_or_else(|| wrong("a { without }"))?;
        let choices = choices(&from[1..end], pattern)?;
        if done.len() * choices.len() > MAX_CODES {
            return Err(wrong("more than a million codes"));
        }
        done =
            done.iter().flat_map(|front| choices.iter().map(move |choice| format!("{front}{plain}{choice}"))).collect();
        rest = &from[end + 1..];
    }
    done.iter_mut().for_each(|code| code.push_str(rest));
    Ok(done)
}

/// Returns the byte index of the brace that closes the first brace of `text`, or `None` if there is none. `text` begins
/// with a brace.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    text.char_indices().find_map(|(at, letter)| {
        depth += match letter {
            '{' => 1,
            '}' => -1,
            _ => 0,
        };
        (depth == 0).then_some(at)
    })
}

/// Expands the text between braces: choices separated by commas, each a text, a range or a pattern.
fn choices(body: &str, pattern: &str) -> Result<Vec<String>, String> {
    let (mut parts, mut depth, mut from) = (Vec::new(), 0, 0);
    for (at, letter) in body.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&body[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&body[from..]);
    let mut all = Vec::new();
    for part in parts {
        match part.split_once("..") {
            Some((first, last)) if !part.contains('{') => all.extend(range(first, last).ok_or_else(|| {
                format!("pattern \"{pattern}\": {part} is not a range of numbers, or of letters from a to z")
            })?),
            _ => all.extend(expand(part)?),
        }
    }
    Ok(all)
}

/// Expands a range such as `3..5` or `c..a`, both ends included. Returns `None` if the ends are not two numbers or two
/// letters.
fn range(first: &str, last: &str) -> Option<Vec<String>> {
    /// The largest number in a range. No code has a larger one.
    const LARGEST: u32 = 999;
    let number =
        |text: &str| text.parse::<u32>().ok().filter(|number| *number <= LARGEST && number.to_string() == text);
    let letter = |text: &str| match text.as_bytes() {
        [letter @ b'a'..=b'z'] => Some(u32::from(*letter)),
        _ => None,
    };
    let (is_number, first, last) = match (number(first), number(last)) {
        (Some(first), Some(last)) => (true, first, last),
        _ => (false, letter(first)?, letter(last)?),
    };
    let text = |value: u32| if is_number { value.to_string() } else { char::from(value as u8).to_string() };
    let mut all: Vec<String> = (first.min(last)..=first.max(last)).map(text).collect();
    if first > last {
        all.reverse();
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_their_codes() {
        let expanded = |pattern: &str| expand(pattern).unwrap().join(" ");
        assert_eq!(expanded("bin3x3"), "bin3x3");
        assert_eq!(expanded("bin{2..3}x{4,2}{,-n}"), "bin2x4 bin2x4-n bin2x2 bin2x2-n bin3x4 bin3x4-n bin3x2 bin3x2-n");
        assert_eq!(expanded("x{9..11}"), "x9 x10 x11");
        assert_eq!(expanded("s{c..a}"), "sc sb sa");
        assert_eq!(expanded("{,-k{b,w}{0..1}.5}"), " -kb0.5 -kb1.5 -kw0.5 -kw1.5");
        assert_eq!(expanded("{1..2,x,a..b}"), "1 2 x a b");
        let digits = expand("val1?").unwrap();
        assert_eq!((digits.len(), digits[0].as_str(), digits[31].as_str()), (32, "val10", "val1v"));
    }

    #[test]
    fn what_is_no_pattern_is_refused() {
        for (pattern, problem) in [
            ("bin{3", "a { without }"),
            ("bin3}", "a } without {"),
            ("b{1..x}", "1..x is not a range of numbers, or of letters from a to z"),
            ("b{..}", ".. is not a range of numbers, or of letters from a to z"),
            ("b{1..1000}", "1..1000 is not a range of numbers, or of letters from a to z"),
            ("?????????", "more than a million codes"),
        ] {
            assert_eq!(expand(pattern), Err(format!("pattern \"{pattern}\": {problem}")));
        }
    }
}
