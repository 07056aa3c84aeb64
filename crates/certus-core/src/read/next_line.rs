//! The line that starts and ends as the one before it: query and tag are compared as vectors, and not read again.

use wide::u8x16;

use super::digits::{Form, Rank, Window, word};
use super::entry::{Doc, Entry, Line, Lines};
use super::low_bytes::low_bytes_of_half;
use super::table::Seed;

/// How a line starts, up to its document, and ends, from the blank behind its score; and how its numbers are written.
pub(super) struct Before {
    start: Part,
    end: [Part; 2],
    start_len: usize,
    end_len: usize,
    blank: u8,
    rank: Rank,
    form: Form,
}

/// Some bytes of a line, and which of them are not compared.
#[derive(Clone, Copy, Default)]
struct Part {
    bytes: u8x16,
    unused: u8x16,
}

impl Part {
    /// Up to 16 bytes.
    fn of(bytes: &[u8]) -> Self {
        let mut part = ([0; 16], [u8::MAX; 16]);
        for ((to, unused), from) in part.0.iter_mut().zip(&mut part.1).zip(bytes) {
            (*to, *unused) = (*from, 0);
        }
        Self {
            bytes: u8x16::new(part.0),
            unused: u8x16::new(part.1),
        }
    }

    /// All bits of the bytes that are the same or not compared.
    #[inline(always)]
    fn same(self, bytes: &[u8; 16]) -> u8x16 {
        self.bytes.simd_eq(u8x16::new(*bytes)) | self.unused
    }
}

const ALL: u32 = 0xffff;

impl Default for Before {
    /// No line: none is like it, as its document would start with a byte that ends a column.
    fn default() -> Self {
        Self {
            start: Part::default(),
            end: [Part::default(); 2],
            start_len: 0,
            end_len: 0,
            blank: 0,
            rank: Rank::default(),
            form: Form::default(),
        }
    }
}

impl Before {
    /// The line from `at` to `next`; no line where not all of its blanks are single and the same, or where its start or
    /// end is longer than the vectors.
    pub fn of(text: &[u8], at: usize, line: &Line, next: usize) -> Self {
        let (doc, end) = (line.entry.doc.start, line.tag.start.saturating_sub(1));
        let part = |from: usize, to: usize| text.get(from..to).unwrap_or(&[]);
        let (start, rest) = (part(at, doc), part(end, next));
        let low = |bytes: &[u8]| bytes.iter().filter(|byte| **byte <= b' ').count();
        if start.len() > 16 || rest.len() > 32 || low(start) != 2 || low(rest) != 2 {
            return Self::default();
        }
        let (first, second) = rest.split_at(rest.len().min(16));
        Self {
            start: Part::of(start),
            end: [Part::of(first), Part::of(second)],
            start_len: start.len(),
            end_len: rest.len(),
            blank: rest.first().copied().unwrap_or_default(),
            ..Self::default()
        }
    }

    /// Hands on the entry of the line at `at` if it starts and ends as this one and is a usual line; returns the position
    /// after it. `None` for any other.
    #[inline(always)]
    pub fn next_entry(
        &mut self,
        text: &[u8],
        at: usize,
        number: u64,
        seed: Seed,
        lines: &mut impl Lines,
    ) -> Option<usize> {
        let window: &Window = text.get(at..)?.first_chunk()?;
        let from = self.start_len & 31;
        let [c, d, e] = ends(window.get(from..)?.first_chunk()?).map(|end| from + end);
        let start = self.start.same(window.first_chunk()?);
        let end = self.end[0].same(window.get(e..)?.first_chunk()?);
        let len = c.wrapping_sub(from);
        if (start & end).to_bitmask() != ALL
            || window.get(c)? != &self.blank
            || window.get(d)? != &self.blank
            || len == 0
        {
            return None;
        }
        if self.end_len > 16 {
            let end = self.end[1].same(window.get(e + 16..)?.first_chunk()?);
            if end.to_bitmask() != ALL {
                return None;
            }
        }
        if !self.form.fits(window, d, e) {
            self.form = Form::of(window, d, e)?;
        }
        let rank = self.rank.next(window, c, d)?;
        let head = word(window, from);
        let hash = if len <= 8 {
            seed.short(head << (64_usize.wrapping_sub(8 * len) & 63), len)
        } else {
            seed.long(window.get(from..c)?, head)
        };
        let score = self.form.score(window, d)?;
        // From here, as numbers that pass through memory together stall the processor.
        lines.entry(Entry {
            number,
            doc: Doc {
                start: at.wrapping_add(from),
                len,
                hash,
            },
            rank: Some(rank),
            score,
        });
        Some(at.wrapping_add(e).wrapping_add(self.end_len))
    }
}

/// Where the first three columns of a text end: the positions of its first bytes up to 0x20, 64 where there are no more.
#[inline(always)]
fn ends(text: &[u8; 64]) -> [usize; 3] {
    let (halves, _) = text.as_chunks();
    let mut first = u64::from(low_bytes_of_half(&halves[0]));
    // Rarely a column ends further behind.
    if without_lowest(without_lowest(first)) == 0 {
        first |= u64::from(low_bytes_of_half(&halves[1])) << 32;
    }
    let second = without_lowest(first);
    [first, second, without_lowest(second)].map(|bits| bits.trailing_zeros() as usize)
}

#[inline(always)]
fn without_lowest(bits: u64) -> u64 {
    bits & bits.wrapping_sub(1)
}
