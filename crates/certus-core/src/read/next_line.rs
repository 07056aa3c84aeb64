//! The line that starts and ends as the one before it: query and tag are compared as vectors, and not read again.

use wide::u8x16;

use super::line::{Doc, Entry, Line};
use super::low_bytes::low_bytes;
use super::table::Seed;
use super::usual_line::{Window, lowest_bits, usual_numbers, word};

/// How a line starts, up to its document, and ends, from the blank behind its score.
pub(super) struct Before {
    start: u8x16,
    end: [u8x16; 2],
    /// One bit for each byte that counts.
    start_bits: u64,
    end_bits: u64,
    start_len: usize,
    end_len: usize,
    blank: u8,
}

impl Default for Before {
    /// No line: none is like it.
    fn default() -> Self {
        Self {
            start: u8x16::splat(0),
            end: [u8x16::splat(0); 2],
            start_bits: u64::MAX,
            end_bits: u64::MAX,
            start_len: 0,
            end_len: 0,
            blank: 0,
        }
    }
}

impl Before {
    /// The line from `at` to `next`; no line where not all of its blanks are single and the same, or where its start or
    /// end is longer than the vectors.
    pub fn of(text: &[u8], at: usize, line: &Line, next: usize) -> Self {
        let part = |from: usize, to: usize, i: usize| {
            let mut part = [0; 16];
            let bytes = text.get(from..to).unwrap_or(&[]).iter().skip(16 * i);
            part.iter_mut()
                .zip(bytes)
                .for_each(|(to, from)| *to = *from);
            u8x16::new(part)
        };
        let (doc, end) = (line.entry.doc.start, line.tag.start.saturating_sub(1));
        let (start_len, end_len) = (doc.saturating_sub(at), next.saturating_sub(end));
        let low = |from: usize, to: usize| {
            let bytes = text.get(from..to).unwrap_or(&[]).iter();
            bytes.filter(|byte| **byte <= b' ').count()
        };
        if start_len > 16 || end_len > 32 || low(at, doc) != 2 || low(end, next) != 2 {
            return Self::default();
        }
        Self {
            start: part(at, doc, 0),
            end: [part(end, next, 0), part(end, next, 1)],
            start_bits: (1 << start_len) - 1,
            end_bits: (1 << end_len) - 1,
            start_len,
            end_len,
            blank: text.get(end).copied().unwrap_or_default(),
        }
    }

    /// The entry of the line at `at` if it starts and ends as this one and is a usual line, and the position after it.
    /// `None` for any other.
    #[inline(always)]
    pub fn next_entry(
        &self,
        text: &[u8],
        at: usize,
        number: u64,
        seed: Seed,
    ) -> Option<(Entry, usize)> {
        let window: &Window = text.get(at..)?.first_chunk()?;
        let low = low_bytes(window.first_chunk()?) & !self.start_bits;
        let [c, d, e] = lowest_bits(low);
        let start = equal(self.start, window.get(..)?.first_chunk()?);
        let first = equal(self.end[0], window.get(e..)?.first_chunk()?);
        let second = equal(self.end[1], window.get(e + 16..)?.first_chunk()?);
        let differs = self.start_bits & !start | self.end_bits & !(first | second << 16);
        let from = self.start_len & 31;
        let len = c.wrapping_sub(from);
        if differs != 0
            || window.get(c)? != &self.blank
            || window.get(d)? != &self.blank
            || len == 0
        {
            return None;
        }
        let (rank, score) = usual_numbers(window, c, d, e)?;
        let head = word(window, from);
        let hash = if len <= 8 {
            seed.short(head << (64_usize.wrapping_sub(8 * len) & 63), len)
        } else {
            seed.long(window.get(from..c)?, head)
        };
        let entry = Entry {
            number,
            doc: Doc {
                start: at.wrapping_add(from),
                len,
                hash,
            },
            rank: Some(rank),
            score,
        };
        Some((entry, at.wrapping_add(e).wrapping_add(self.end_len)))
    }
}

/// One bit for each byte that is the same.
#[inline(always)]
fn equal(vector: u8x16, bytes: &[u8; 16]) -> u64 {
    u64::from(vector.simd_eq(u8x16::new(*bytes)).to_bitmask())
}
