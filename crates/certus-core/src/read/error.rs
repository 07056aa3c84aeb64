//! What went wrong, where, and what to do about it.

use std::fmt;

/// An error in a user's input: `file:line: what was found; what to do`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The file's name as the user gave it.
    pub file: String,
    /// 1-based line, where there is one.
    pub line: Option<u64>,
    /// What was found.
    pub found: String,
    /// What to do about it, where something can be done.
    pub remedy: Option<String>,
}

impl ReadError {
    /// The remedy follows the last semicolon of `what`: no remedy holds one, nor a text of the user's.
    pub(crate) fn new(file: &str, line: Option<u64>, what: impl Into<String>) -> Self {
        let mut found = what.into();
        let remedy = found.rfind("; ").map(|end| {
            let remedy = found[end + 2..].to_owned();
            found.truncate(end);
            remedy
        });
        Self {
            file: show_text(file.as_bytes(), usize::MAX),
            line,
            found,
            remedy,
        }
    }

    /// The file, and the line where there is one: `run.txt:3`.
    #[must_use]
    pub fn place(&self) -> String {
        self.line
            .map_or_else(|| self.file.clone(), |line| format!("{}:{line}", self.file))
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place(), self.found)?;
        match &self.remedy {
            Some(remedy) => write!(f, "; {remedy}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for ReadError {}

/// An id or a field for a message: quoted, shortened, and safe on a terminal.
///
/// ```
/// assert_eq!(certus_core::read::show(b"D17"), "'D17'");
/// assert_eq!(certus_core::read::show(b"a\x1b[2J\xff"), r"'a\x1b[2J\xff'");
/// ```
#[must_use]
pub fn show(bytes: &[u8]) -> String {
    format!("'{}'", show_text(bytes, 60))
}

fn show_text(bytes: &[u8], limit: usize) -> String {
    let mut out = String::new();
    let mut shown = 0;
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            if shown >= limit {
                out.push('…');
                return out;
            }
            shown += 1;
            if is_unsafe(c) {
                let code = c as u32;
                if code < 0x100 {
                    out.push_str(&format!("\\x{code:02x}"));
                } else {
                    out.push_str(&format!("\\u{{{code:x}}}"));
                }
            } else {
                out.push(c);
            }
        }
        for b in chunk.invalid() {
            shown += 1;
            out.push_str(&format!("\\x{b:02x}"));
        }
    }
    out
}

/// Control characters, and the invisible and direction-changing ones that can disguise a text.
fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bidirectional_controls_are_escaped() {
        assert_eq!(show("a\u{202e}b".as_bytes()), "'a\\u{202e}b'");
    }

    #[test]
    fn long_ids_are_shortened() {
        assert_eq!(show(&[b'x'; 100]).chars().count(), 60 + 1 + 2);
    }
}
