//! Text from elsewhere, made safe to show: file names, arguments, lines of other programs.

/// Escapes control characters and format characters ([`is_invisible`]), so that the text stays on one line, cannot
/// affect a terminal, and reads in the order of its characters.
pub fn visible<T: ToString>(text: T) -> String {
    let text = text.to_string();
    if !text.chars().any(is_invisible) {
        return text;
    }
    let shown =
        |letter: char| if is_invisible(letter) { letter.escape_default().to_string() } else { letter.to_string() };
    text.chars().map(shown).collect()
}

/// Returns true for a control character, a separator of lines or paragraphs, and a format character that has no shape
/// of its own. Format characters change the order in which a terminal shows a text, or make different texts look the
/// same. They are those of the general category `Cf` of Unicode 17.0, without the signs of Arabic, Syriac and Kaithi
/// numbers and of Egyptian quadrats, which have a shape.
pub fn is_invisible(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0001}' | '\u{e0020}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_escaped() {
        for (text, expected) in [
            ("表 é ❤\u{fe0f} e\u{301}", "表 é ❤\u{fe0f} e\u{301}"),
            ("a\nb\u{1b}[31m", "a\\nb\\u{1b}[31m"),
            ("lbt.\u{202e}txt\u{202c}", "lbt.\\u{202e}txt\\u{202c}"),
            ("\u{2066}a\u{2069}\u{200e}\u{200f}\u{61c}", "\\u{2066}a\\u{2069}\\u{200e}\\u{200f}\\u{61c}"),
            ("a\u{200b}b\u{feff}c\u{ad}d\u{2028}e\u{e0041}", "a\\u{200b}b\\u{feff}c\\u{ad}d\\u{2028}e\\u{e0041}"),
        ] {
            assert_eq!(visible(text), expected);
        }
        // A text that has been made visible stays as it is.
        assert_eq!(visible(visible("\u{202e}\n")), visible("\u{202e}\n"));
    }
}
