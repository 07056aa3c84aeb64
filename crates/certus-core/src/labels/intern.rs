//! Texts numbered in the order in which they first occur.

use crate::{interrupt, threads};
use xxhash_rust::xxh3::xxh3_64;

/// Rows that are worth a thread.
const PER_THREAD: usize = 1 << 15;
const EMPTY: u32 = u32::MAX;

/// Numbers texts, given as bytes, in the order in which they first come.
///
/// ```
/// let mut interner = certus_core::labels::Interner::new();
/// assert_eq!(interner.code(b"spam"), 0);
/// assert_eq!(interner.code(b"ham"), 1);
/// assert_eq!(interner.code(b"spam"), 0);
/// assert_eq!(interner.len(), 2);
/// ```
#[derive(Debug)]
pub struct Interner {
    /// The bytes of all texts, one behind the other.
    bytes: Vec<u8>,
    /// Of each text its hash and where its bytes end.
    texts: Vec<(u64, usize)>,
    /// Open addressing: the number of a text, or `EMPTY`.
    slots: Vec<u32>,
}

impl Default for Interner {
    fn default() -> Self {
        Self::new()
    }
}

impl Interner {
    #[must_use]
    pub fn new() -> Self {
        Interner {
            bytes: Vec::new(),
            texts: Vec::new(),
            slots: vec![EMPTY; 64],
        }
    }

    /// How many different texts have come.
    #[must_use]
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether none has come.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// The number of a text, a new one if it has not come before.
    pub fn code(&mut self, text: &[u8]) -> u32 {
        let hash = xxh3_64(text);
        let mut slot = self.slot(hash);
        loop {
            match self.slots[slot] {
                EMPTY => break,
                code if self.is(code, hash, text) => return code,
                _ => slot = (slot + 1) & (self.slots.len() - 1),
            }
        }
        let code = self.texts.len() as u32;
        self.slots[slot] = code;
        self.bytes.extend_from_slice(text);
        self.texts.push((hash, self.bytes.len()));
        if 2 * self.texts.len() > self.slots.len() {
            self.grow();
        }
        code
    }

    /// The text of a number.
    fn text(&self, code: usize) -> &[u8] {
        let start = code.checked_sub(1).map_or(0, |before| self.texts[before].1);
        &self.bytes[start..self.texts[code].1]
    }

    fn is(&self, code: u32, hash: u64, text: &[u8]) -> bool {
        self.texts[code as usize].0 == hash && self.text(code as usize) == text
    }

    fn slot(&self, hash: u64) -> usize {
        hash as usize & (self.slots.len() - 1)
    }

    fn grow(&mut self) {
        self.slots = vec![EMPTY; 4 * self.slots.len()];
        for (code, &(hash, _)) in self.texts.iter().enumerate() {
            let mut slot = self.slot(hash);
            while self.slots[slot] != EMPTY {
                slot = (slot + 1) & (self.slots.len() - 1);
            }
            self.slots[slot] = code as u32;
        }
    }
}

/// Numbers the rows of a table of bytes: the number of each row, and where each number first stands.
///
/// The result does not depend on the number of threads.
///
/// ```
/// let (codes, first) = certus_core::labels::intern_rows(b"no yesno ", 3);
/// assert_eq!(codes, [0, 1, 0]);
/// assert_eq!(first, [0, 1]);
/// ```
#[must_use]
pub fn intern_rows(table: &[u8], width: usize) -> (Vec<u32>, Vec<usize>) {
    let rows = table.len().checked_div(width).unwrap_or(0);
    let threads = threads::count().min(rows / PER_THREAD).max(1);
    let bound = |i: usize| rows / threads * i + (rows % threads).min(i);
    let parts = threads::run(threads, |i| {
        let mut interner = Interner::new();
        let mut first = Vec::new();
        let codes: Vec<u32> = (bound(i)..bound(i + 1))
            .zip(table[bound(i) * width..].chunks_exact(width.max(1)))
            .map(|(row, text)| {
                interrupt::at(row);
                let code = interner.code(text);
                if code as usize == first.len() {
                    first.push(row);
                }
                code
            })
            .collect();
        (codes, first)
    });
    let mut all = Interner::new();
    let mut first = Vec::new();
    let mut codes = Vec::new();
    for (part, places) in parts {
        // A part numbers its texts from 0; in the whole they may have come before.
        let numbers: Vec<u32> = places
            .iter()
            .map(|&row| {
                let code = all.code(&table[row * width..(row + 1) * width]);
                if code as usize == first.len() {
                    first.push(row);
                }
                code
            })
            .collect();
        if codes.is_empty() {
            codes = part; // the first part's numbers are the whole's
            codes.reserve_exact(rows - codes.len());
        } else {
            codes.extend(part.iter().map(|&code| numbers[code as usize]));
        }
    }
    (codes, first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::Random;
    use std::collections::HashMap;

    #[test]
    fn rows_are_numbered_as_they_first_come() {
        let mut random = Random::new(5);
        for (different, rows, width) in [
            (3u64, 10, 1),
            (1000, 5000, 2),
            (40_000, 150_000, 3),
            (1, 70_000, 4),
        ] {
            let table: Vec<u8> = (0..rows)
                .flat_map(|_| random.below(different).to_le_bytes()[..width].to_vec())
                .collect();
            let (codes, first) = intern_rows(&table, width);
            let mut naive: HashMap<&[u8], u32> = HashMap::new();
            let mut places = Vec::new();
            for (row, (text, &code)) in table.chunks(width).zip(&codes).enumerate() {
                let next = naive.len() as u32;
                let expected = *naive.entry(text).or_insert_with(|| {
                    places.push(row);
                    next
                });
                assert_eq!(code, expected);
            }
            assert_eq!(codes.len(), rows);
            assert_eq!(first, places);
        }
    }

    #[test]
    fn texts_that_begin_alike_differ() {
        let mut interner = Interner::default();
        assert!(interner.is_empty());
        let codes = [&b"a"[..], b"ab", b"", b"a", b"b", b""].map(|text| interner.code(text));
        assert_eq!(codes, [0, 1, 2, 0, 3, 2]);
    }

    #[test]
    fn no_rows_have_no_numbers() {
        assert_eq!(intern_rows(&[], 3), (vec![], vec![]));
        assert_eq!(intern_rows(&[], 0), (vec![], vec![]));
    }
}
