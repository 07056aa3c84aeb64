//! The parts of a line: ids, documents, entries, and what takes them.

use super::numbers::Score;
use super::parallel::BlockError;
use super::table::{Seed, head};

/// An id: where it stands in a text, with its first bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Id {
    pub start: usize,
    pub len: usize,
    pub head: u64,
}

impl Id {
    #[inline]
    pub fn new(text: &[u8], start: usize, end: usize) -> Self {
        let id = text.get(start..end).unwrap_or(&[]);
        Self {
            start,
            len: id.len(),
            head: head(id),
        }
    }

    #[inline]
    pub fn of(self, text: &[u8]) -> &[u8] {
        text.get(self.start..self.start + self.len).unwrap_or(&[])
    }

    /// Whether both are the same id.
    #[inline(always)]
    pub fn same(self, other: Self, text: &[u8]) -> bool {
        self.len == other.len
            && self.head == other.head
            && (self.len <= 8 || self.of(text) == other.of(text))
    }
}

/// A document's id: where it stands in a text, with its hash.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Doc {
    pub start: usize,
    pub len: usize,
    pub hash: u64,
}

impl Doc {
    /// The document whose id this is.
    #[inline(always)]
    pub fn new(id: Id, text: &[u8], seed: Seed) -> Self {
        Self {
            start: id.start,
            len: id.len,
            hash: seed.hash(id.of(text), id.head),
        }
    }

    #[inline]
    pub fn of(self, text: &[u8]) -> &[u8] {
        text.get(self.start..self.start + self.len).unwrap_or(&[])
    }
}

/// What a line says of a document, and the line's number in the block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Entry {
    pub number: u64,
    pub doc: Doc,
    pub rank: Option<u32>,
    pub score: Score,
}

/// One line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Line {
    pub query: Id,
    pub tag: Id,
    pub entry: Entry,
}

/// Where lines go.
pub(crate) trait Lines {
    /// The query and the tag of the entries that follow, which may be those there were.
    fn query(&mut self, query: Id, tag: Id) -> Result<(), BlockError>;

    fn entry(&mut self, entry: Entry);
}
