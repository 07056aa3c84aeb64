//! Cutting a file into blocks of whole lines, so that no query stands in two of them.

use memchr::{memchr, memrchr};

use super::MAX_LINE;
use super::source::Source;

/// Where a block may end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// After any line.
    Line,
    /// Before a line whose first column differs from the line before it.
    Query,
}

/// Bytes read at a time: small enough to stay in a core's cache while it is parsed.
pub(crate) const BLOCK: usize = 1 << 20;
/// Bytes of blank lines that are kept for the sake of a query that may go on behind them.
const BLANKS: usize = 1 << 16;

pub(crate) struct Blocks {
    pub source: Source,
    cut: Cut,
    size: usize,
    carry: Vec<u8>,
    end: bool,
}

impl Blocks {
    /// Blocks of about `size` bytes, which need not hold a whole line.
    pub fn new(source: Source, cut: Cut, size: usize) -> Self {
        Self {
            source,
            cut,
            size,
            carry: Vec::new(),
            end: false,
        }
    }

    /// Puts the next block at the start of `buffer`, every line ended by a line feed, and returns its length; 0 at the
    /// end of the file. The buffer is used again from block to block, so that it is cleared only once.
    ///
    /// # Errors
    /// What went wrong and at which line of the block (1-based), where one is at fault.
    pub fn next(&mut self, buffer: &mut Vec<u8>) -> Result<usize, (Option<u64>, String)> {
        let mut filled = self.carry.len();
        if buffer.len() < filled {
            buffer.resize(filled, 0);
        }
        if let Some(start) = buffer.get_mut(..filled) {
            start.copy_from_slice(&self.carry);
        }
        self.carry.clear();
        let mut room = self.size;
        while !self.end {
            let read = self
                .source
                .fill(buffer, filled, room)
                .map_err(|what| (None, what))?;
            filled += read;
            self.end = read < room;
            if self.end {
                break;
            }
            let block = buffer.get(..filled).unwrap_or(&[]);
            let at = match self.cut {
                Cut::Line => last_line_end(block),
                Cut::Query => last_query_start(block),
            };
            if at > 0 {
                self.carry.extend_from_slice(block.get(at..).unwrap_or(&[]));
                return Ok(at);
            }
            if filled - last_line_end(block) > MAX_LINE {
                let line = memchr::memchr_iter(b'\n', block).count() as u64 + 1;
                return Err((Some(line), too_long()));
            }
            // One query fills all that was read: look again only after as much again.
            room = filled.max(self.size);
        }
        if filled > 0 && buffer.get(filled - 1) != Some(&b'\n') {
            buffer.insert(filled, b'\n');
            filled += 1;
        }
        Ok(filled)
    }
}

pub(crate) fn too_long() -> String {
    format!(
        "the line is longer than {} MB; is this a TREC file?",
        MAX_LINE >> 20
    )
}

fn last_line_end(text: &[u8]) -> usize {
    memrchr(b'\n', text).map_or(0, |i| i + 1)
}

/// Start of the last run of whole lines that share their first column; 0 where there is only one run. Blank lines belong
/// to no run; behind so many of them that they would fill the memory the text is cut even if the run may go on.
fn last_query_start(text: &[u8]) -> usize {
    let end = last_line_end(text);
    let line_before = |end: usize| -> Option<(usize, &[u8])> {
        let body = text.get(..end.checked_sub(1)?)?;
        let start = memrchr(b'\n', body).map_or(0, |i| i + 1);
        Some((start, first_column(body.get(start..)?)))
    };
    let (mut start, mut query) = (end, &[][..]);
    while let Some((earlier, other)) = line_before(start) {
        if query.is_empty() && other.is_empty() && end - earlier > BLANKS {
            return end;
        }
        if !query.is_empty() && !other.is_empty() && other != query {
            return start;
        }
        start = earlier;
        if query.is_empty() {
            query = other;
        }
    }
    if query.is_empty() { end } else { 0 }
}

fn first_column(line: &[u8]) -> &[u8] {
    let blank = |b: &u8| matches!(b, b' ' | b'\t'..=b'\r');
    if line.first().is_some_and(|b| !blank(b)) {
        let end = memchr(b' ', line).unwrap_or(line.len());
        let column = line.get(..end).unwrap_or(line);
        return column
            .iter()
            .position(blank)
            .and_then(|i| column.get(..i))
            .unwrap_or(column);
    }
    let start = line.iter().position(|b| !blank(b)).unwrap_or(line.len());
    let rest = line.get(start..).unwrap_or(&[]);
    rest.get(..rest.iter().position(blank).unwrap_or(rest.len()))
        .unwrap_or(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_ends_before_the_last_query_that_may_go_on() {
        assert_eq!(last_query_start(b"1 a\n1 b\n2 c\n2 d\n2 e"), 8);
        assert_eq!(last_query_start(b"1 a\n1 b\n2 c\n3 d"), 8);
        assert_eq!(last_query_start(b"1 a\n1 b\n1"), 0);
        assert_eq!(last_query_start(b"1"), 0);
        assert_eq!(last_query_start(b""), 0);
        assert_eq!(last_query_start(b" 1 a\n1\tb\n 2 c\n"), 9);
    }

    #[test]
    fn blank_lines_belong_to_no_query_and_are_not_gathered_without_end() {
        assert_eq!(last_query_start(b"\n \n\n"), 4);
        assert_eq!(last_query_start(b"1 a\n\n1 b\n"), 0);
        assert_eq!(last_query_start(b"1 a\n\n2 b\n\n2 c\n\n"), 4);
        let padded = [b"1 a\n", &[b'\n'; BLANKS + 1][..]].concat();
        assert_eq!(last_query_start(&padded), padded.len());
        assert_eq!(last_query_start(&padded[..BLANKS]), 0);
    }
}
