//! A run held in memory: for each query, the documents retrieved and their scores.

use std::path::Path;

use super::blocks::Cut;
use super::entry::{Doc, Entry, Id, Lines};
use super::error::{ReadError, show};
use super::group::Group;
use super::line::parse_lines;
use super::numbers::Score;
use super::parallel::{BlockError, Plan, for_each_block};
use super::source::Source;
use super::tags::Tags;
use super::{Dialect, table};
use crate::interrupt;

/// A run of any order, grouped by query; queries in the order read.
#[derive(Clone, Debug, Default)]
pub struct Run {
    pub(crate) name: String,
    pub(crate) fingerprint: u128,
    pub(crate) tag: Vec<u8>,
    pub(crate) tags: Tags,
    /// Their ids and numbers of rows.
    queries: Vec<(Vec<u8>, usize)>,
    rows: Vec<Row>,
    index: table::IdMap<usize>,
    text: Vec<u8>,
}

#[derive(Clone, Copy, Debug)]
struct Row {
    start: usize,
    query: u32,
    len: u32,
    rank: Option<u32>,
    line: u64,
    value: f64,
    long: Option<u64>,
}

/// The lines of a block as a run of their own.
struct Held<'a> {
    block: &'a [u8],
    run: Run,
    at: usize,
    tag: Id,
}

impl Lines for Held<'_> {
    fn query(&mut self, query: Id, tag: Id) -> Result<(), BlockError> {
        self.at = self.run.place_of(query.of(self.block));
        if !tag.same(self.tag, self.block) {
            self.run.tags.add(tag.of(self.block));
            self.tag = tag;
        }
        Ok(())
    }

    #[inline(always)]
    fn entry(&mut self, entry: Entry) {
        let doc = entry.doc.of(self.block);
        self.run
            .push(self.at, doc, entry.score, entry.rank, entry.number);
    }
}

impl Run {
    /// Reads a TREC run file, its lines in any order: `query Q0 document rank score tag`.
    ///
    /// # Errors
    /// For anything that is not such a line, naming file and line.
    pub fn read(path: &Path, name: &str, dialect: Dialect) -> Result<Self, ReadError> {
        Self::of(Source::open(path, name)?, dialect, Plan::new(Cut::Line))
    }

    pub(crate) fn of(source: Source, dialect: Dialect, plan: Plan) -> Result<Self, ReadError> {
        let name = source.name.clone();
        let (parts, fingerprint) =
            for_each_block(source, plan, Vec::new, |parts, number, block| {
                let mut held = Held {
                    block,
                    run: Run::default(),
                    at: 0,
                    tag: Id::default(),
                };
                let lines = parse_lines(block, dialect, &mut held)?;
                let mut part = held.run;
                part.tag = held.tag.of(block).to_vec();
                parts.push((number, lines, part));
                Ok(lines)
            })?;
        let mut parts: Vec<(usize, u64, Run)> = parts.into_iter().flatten().collect();
        parts.sort_unstable_by_key(|(number, ..)| *number);
        let mut run = Run {
            name,
            fingerprint,
            ..Run::default()
        };
        let mut before = 0;
        for (_, lines, part) in parts {
            interrupt::poll();
            run.append(part, before);
            before += lines;
        }
        run.grouped().checked(true)
    }

    /// Adds a document of the query at a place.
    pub(crate) fn push(
        &mut self,
        at: usize,
        doc: &[u8],
        score: Score,
        rank: Option<u32>,
        line: u64,
    ) {
        let row = Row {
            start: self.text.len(),
            query: at as u32,
            len: doc.len() as u32,
            rank,
            line,
            value: score.value(),
            long: score.long,
        };
        self.text.extend_from_slice(doc);
        self.rows.push(row);
        self.count(at, 1);
    }

    fn count(&mut self, at: usize, rows: usize) {
        if let Some((_, count)) = self.queries.get_mut(at) {
            *count += rows;
        }
    }

    /// The place of a query, which need not have been seen before.
    pub(crate) fn place_of(&mut self, query: &[u8]) -> usize {
        let last = self.queries.len().wrapping_sub(1);
        match self.queries.last() {
            Some((name, _)) if name == query => last,
            _ => match self.index.get(query) {
                Some(&at) => at,
                None => {
                    self.index.insert(query.to_vec(), self.queries.len());
                    self.queries.push((query.to_vec(), 0));
                    self.queries.len() - 1
                }
            },
        }
    }

    /// The same rows by query, those of a query in the order read.
    pub(crate) fn grouped(mut self) -> Self {
        if !self.rows.is_sorted_by_key(|row| row.query) {
            let mut places: Vec<usize> = Vec::with_capacity(self.queries.len());
            let mut start = 0;
            for (_, count) in &self.queries {
                places.push(start);
                start += count;
            }
            let mut rows = self.rows.clone();
            for (read, row) in self.rows.iter().enumerate() {
                interrupt::at(read);
                if let Some(place) = places.get_mut(row.query as usize)
                    && let Some(slot) = rows.get_mut(*place)
                {
                    *slot = *row;
                    *place += 1;
                }
            }
            self.rows = rows;
        }
        self
    }

    /// Each query and its rows.
    fn groups(&self) -> impl Iterator<Item = (&[u8], &[Row])> {
        let mut start = 0;
        self.queries.iter().map(move |(query, count)| {
            let rows = self.rows.get(start..start + count).unwrap_or(&[]);
            start += count;
            (query.as_slice(), rows)
        })
    }

    /// Queries for which nothing was retrieved.
    pub(crate) fn empty(&self) -> impl Iterator<Item = &[u8]> {
        let empty = self.queries.iter().filter(|(_, count)| *count == 0);
        empty.map(|(query, _)| query.as_slice())
    }

    fn append(&mut self, mut part: Run, lines_before: u64) {
        let shift = self.text.len();
        self.text.append(&mut part.text);
        let mut places: Vec<u32> = Vec::with_capacity(part.queries.len());
        for (query, count) in &part.queries {
            let at = self.place_of(query);
            self.count(at, *count);
            places.push(at as u32);
        }
        self.rows.extend(part.rows.iter().map(|r| Row {
            start: r.start + shift,
            line: r.line + lines_before,
            query: places.get(r.query as usize).copied().unwrap_or_default(),
            ..*r
        }));
        // A block of blank lines has none.
        self.tags.merge(&part.tags);
        if !part.tag.is_empty() {
            self.tag = part.tag;
        }
    }

    /// Refuses a run that holds a document twice for one query, and a file that holds nothing.
    pub(crate) fn checked(self, lines: bool) -> Result<Self, ReadError> {
        if lines && self.queries.is_empty() {
            return Err(ReadError::new(
                &self.name,
                None,
                "holds no results; expected lines 'query Q0 document rank score tag'",
            ));
        }
        let mut table = table::Table::default();
        let mut hashes: Vec<u64> = Vec::new();
        let mut first: Option<(u64, String)> = None;
        for (query, rows) in self.groups() {
            interrupt::poll();
            let id = |i: usize| rows.get(i).map_or(&[][..], |row| self.id(row));
            hashes.clear();
            hashes.extend(rows.iter().map(|row| table::hash(self.id(row))));
            let same = |i: usize, j: usize| hashes.get(i) == hashes.get(j) && id(i) == id(j);
            if let Err(i) = table.build(hashes.iter().copied(), same)
                && let Some(row) = rows.get(i)
                && first.as_ref().is_none_or(|(line, _)| row.line < *line)
            {
                first = Some((row.line, super::stream::twice(&show(id(i)), query)));
            }
        }
        match first {
            Some((line, what)) => Err(ReadError::new(&self.name, lines.then_some(line), what)),
            None => Ok(self),
        }
    }

    fn id(&self, row: &Row) -> &[u8] {
        self.text
            .get(row.start..row.start + row.len as usize)
            .unwrap_or(&[])
    }

    /// The same rows with the fingerprint of the file they came from.
    #[must_use]
    pub fn with_fingerprint(self, fingerprint: u128) -> Self {
        Self {
            fingerprint,
            ..self
        }
    }

    /// The same rows, which were given one by one, with the rank that the source states of each.
    #[must_use]
    pub fn with_ranks(mut self, ranks: &[u32]) -> Self {
        for row in &mut self.rows {
            row.rank = ranks.get(row.line as usize - 1).copied();
        }
        self
    }

    /// The name errors and tables call it by.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The last column of the last line read.
    #[must_use]
    pub fn tag(&self) -> &[u8] {
        &self.tag
    }

    /// XXH3 (128 bits) of the file's bytes, or of the rows in the order given.
    #[must_use]
    pub fn fingerprint(&self) -> u128 {
        self.fingerprint
    }

    /// Query ids in the order read.
    pub fn queries(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.queries.iter().map(|(query, _)| query.as_slice())
    }

    /// Number of documents retrieved, over all queries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.queries.is_empty()
    }

    /// All rows: query, document, score; by query, then in the order read.
    pub fn rows(&self) -> impl Iterator<Item = (&[u8], &[u8], f64)> {
        self.groups().flat_map(move |(query, rows)| {
            rows.iter().map(move |row| (query, self.id(row), row.value))
        })
    }

    /// Calls `with(query, text, group)` for each query.
    pub(crate) fn for_each_group<E>(
        &self,
        mut with: impl FnMut(&[u8], &[u8], &mut Group) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut group = Group::default();
        group.ascii = self.text.is_ascii();
        let seed = table::Seed::get();
        for (query, rows) in self.groups() {
            interrupt::poll();
            group.clear();
            for row in rows {
                let id = Id::new(&self.text, row.start, row.start + row.len as usize);
                let score = Score::of(row.value, row.long);
                group.push(Doc::new(id, &self.text, seed), score, row.rank);
            }
            with(query, &self.text, &mut group)?;
        }
        Ok(())
    }
}
