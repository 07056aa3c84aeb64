//! Relevance judgments: for each query, its judged documents and their grades.

use std::path::Path;

use super::blocks::{Cut, too_long};
use super::error::{ReadError, show};
use super::group::Judged;
use super::normal::alike;
use super::parallel::{BlockError, Plan, for_each_block};
use super::source::Source;
use super::table::{IdMap, Table, hash};
use super::{Dialect, MAX_LINE, fields, numbers};
use crate::interrupt;

/// Judgments of all queries, in the byte order of their ids.
///
/// ```
/// use certus_core::read::QrelsRows;
/// let mut rows = QrelsRows::default();
/// rows.query(b"q1");
/// rows.push(b"d1", 2);
/// rows.push(b"d2", 0);
/// let qrels = rows.finish("qrels")?;
/// assert_eq!(qrels.queries(), [b"q1"]);
/// assert!(qrels.grades(0).eq([2, 0]));
/// # Ok::<(), certus_core::read::ReadError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Qrels {
    name: String,
    fingerprint: u128,
    queries: Vec<Vec<u8>>,
    index: Table,
    ascii: bool,
    /// Documents of query `q`: `offsets[q]..offsets[q + 1]`.
    offsets: Vec<usize>,
    docs: Vec<Entry>,
    text: Vec<u8>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    start: usize,
    len: u32,
    grade: i32,
    hash: u64,
}

/// Judgments in the order read, before they are sorted by query.
#[derive(Default)]
pub(crate) struct Rows {
    index: IdMap<usize>,
    docs: Vec<(usize, Entry, u64)>,
    text: Vec<u8>,
    last: (Vec<u8>, usize),
}

impl Rows {
    /// Whether a query has any judgment.
    pub(crate) fn knows(&self, query: &[u8]) -> bool {
        self.index.contains_key(query)
    }

    pub(crate) fn push(&mut self, query: &[u8], doc: &[u8], grade: i32, line: u64) {
        if self.docs.is_empty() || self.last.0 != query {
            let next = self.index.len();
            self.last.1 = match self.index.get(query) {
                Some(&known) => known,
                None => *self.index.entry(query.to_vec()).or_insert(next),
            };
            self.last.0.clear();
            self.last.0.extend_from_slice(query);
        }
        let known = self.last.1;
        let entry = Entry {
            start: self.text.len(),
            len: doc.len() as u32,
            grade,
            hash: hash(doc),
        };
        self.text.extend_from_slice(doc);
        self.docs.push((known, entry, line));
    }
}

impl Qrels {
    /// Reads a TREC qrels file: `query iteration document grade` on each line.
    ///
    /// # Errors
    /// For anything that is not such a line, naming file and line.
    pub fn read(path: &Path, name: &str, dialect: Dialect) -> Result<Self, ReadError> {
        let source = Source::open(path, name)?;
        let parse = |parts: &mut Vec<(usize, u64, Rows)>, number: usize, block: &[u8]| {
            let mut rows = Rows::default();
            let lines = parse_block(&mut rows, block, dialect)?;
            parts.push((number, lines, rows));
            Ok(lines)
        };
        let (states, fingerprint) = for_each_block(source, Plan::new(Cut::Line), Vec::new, parse)?;
        let mut parts: Vec<_> = states.into_iter().flatten().collect();
        parts.sort_unstable_by_key(|(number, ..)| *number);
        let mut all = Rows::default();
        let mut before = 0;
        for (_, lines, mut part) in parts {
            interrupt::poll();
            if all.docs.is_empty() {
                all = part;
            } else {
                let mut names: Vec<(Vec<u8>, usize)> = part.index.into_iter().collect();
                names.sort_unstable_by_key(|(_, known)| *known);
                let known: Vec<usize> = names
                    .into_iter()
                    .map(|(query, _)| {
                        let next = all.index.len();
                        *all.index.entry(query).or_insert(next)
                    })
                    .collect();
                let shift = all.text.len();
                all.docs.extend(part.docs.iter().map(|&(query, doc, line)| {
                    let query = known.get(query).copied().unwrap_or_default();
                    (
                        query,
                        Entry {
                            start: doc.start + shift,
                            ..doc
                        },
                        line + before,
                    )
                }));
                all.text.append(&mut part.text);
            }
            before += lines;
        }
        if all.docs.is_empty() {
            return Err(ReadError::new(
                name,
                None,
                "holds no judgments; expected lines 'query 0 document grade'",
            ));
        }
        Self::sorted(name, fingerprint, all, true)
    }

    pub(crate) fn sorted(
        name: &str,
        fingerprint: u128,
        rows: Rows,
        lines: bool,
    ) -> Result<Self, ReadError> {
        let mut queries: Vec<(Vec<u8>, usize)> = rows.index.into_iter().collect();
        queries.sort_unstable();
        let mut place = vec![0; queries.len()];
        for (new, &(_, old)) in queries.iter().enumerate() {
            if let Some(p) = place.get_mut(old) {
                *p = new;
            }
        }
        let mut docs: Vec<(usize, Entry, u64)> = rows
            .docs
            .into_iter()
            .map(|(old, entry, line)| (place.get(old).copied().unwrap_or_default(), entry, line))
            .collect();
        docs.sort_by_key(|(query, ..)| *query);

        let mut offsets = vec![0];
        let mut table = Table::default();
        let mut twice: Option<(u64, String)> = None;
        for group in docs.chunk_by(|a, b| a.0 == b.0) {
            interrupt::poll();
            let hashes = group.iter().map(|(_, doc, _)| doc.hash);
            let hash = |i: usize| group.get(i).map(|(_, doc, _)| doc.hash);
            let id = |i: usize| {
                group
                    .get(i)
                    .map_or(&[][..], |(_, doc, _)| id_of(&rows.text, doc))
            };
            if let Err(i) = table.build(hashes, |i, j| hash(i) == hash(j) && id(i) == id(j))
                && let Some(&(query, _, line)) = group.get(i)
                && twice.as_ref().is_none_or(|(first, _)| line < *first)
            {
                let query = queries.get(query).map_or(&[][..], |(q, _)| q);
                let what = format!(
                    "document {} is judged twice for query {}; keep one line, \
                     unless the second column numbers subtopics: such judgments are not read",
                    show(id(i)),
                    show(query)
                );
                twice = Some((line, what));
            }
            offsets.push(offsets.last().copied().unwrap_or(0) + group.len());
        }
        if let Some((line, what)) = twice {
            return Err(ReadError::new(name, lines.then_some(line), what));
        }
        let queries: Vec<Vec<u8>> = queries.into_iter().map(|(query, _)| query).collect();
        let mut index = Table::default();
        let id = |i: usize| queries.get(i).map_or(&[][..], Vec::as_slice);
        // Queries are distinct, so none is refused.
        let hashes = queries.iter().map(|query| hash(query));
        let _ = index.build(hashes, |i, j| id(i) == id(j));
        let ascii = rows.text.is_ascii();
        let docs = docs.into_iter().map(|(_, entry, _)| entry).collect();
        Ok(Self {
            name: name.into(),
            fingerprint,
            queries,
            index,
            ascii,
            offsets,
            docs,
            text: rows.text,
        })
    }

    /// The same rows with the fingerprint of the file they came from.
    #[must_use]
    pub fn with_fingerprint(self, fingerprint: u128) -> Self {
        Self {
            fingerprint,
            ..self
        }
    }

    /// The name errors and tables call it by.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// XXH3 (128 bits) of the file's bytes, or of the rows in the order given.
    #[must_use]
    pub fn fingerprint(&self) -> u128 {
        self.fingerprint
    }

    /// Query ids, sorted by their bytes.
    #[must_use]
    pub fn queries(&self) -> &[Vec<u8>] {
        &self.queries
    }

    /// Number of judgments.
    #[must_use]
    pub fn len(&self) -> usize {
        self.docs.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.docs.is_empty()
    }

    /// Judgments of negative grade.
    #[must_use]
    pub fn negative(&self) -> usize {
        self.docs.iter().filter(|doc| doc.grade < 0).count()
    }

    /// Judged ids that differ from another one of their query only by Unicode normalisation.
    #[must_use]
    pub fn normalised(&self) -> u32 {
        if self.ascii {
            return 0;
        }
        (0..self.queries.len())
            .map(|query| alike(self.judged(query).map(|doc| (doc.id, true))))
            .sum()
    }

    /// All rows: query, document, grade; by query, then in the order read.
    pub fn rows(&self) -> impl Iterator<Item = (&[u8], &[u8], i32)> {
        self.queries.iter().enumerate().flat_map(move |(q, query)| {
            self.judged(q)
                .map(move |doc| (query.as_slice(), doc.id, doc.grade))
        })
    }

    /// The grades of one query's judged documents, in the order read.
    pub fn grades(&self, query: usize) -> impl Iterator<Item = i32> {
        self.entries(query).iter().map(|doc| doc.grade)
    }

    pub(crate) fn position(&self, query: &[u8]) -> Option<usize> {
        self.index.find(hash(query), |i| {
            self.queries.get(i).is_some_and(|known| known == query)
        })
    }

    /// Whether all document ids are ASCII.
    pub(crate) fn is_ascii(&self) -> bool {
        self.ascii
    }

    pub(crate) fn judged(&self, query: usize) -> impl Iterator<Item = Judged<'_>> {
        self.entries(query).iter().map(|doc| Judged {
            id: id_of(&self.text, doc),
            hash: doc.hash,
            grade: doc.grade,
        })
    }

    fn entries(&self, query: usize) -> &[Entry] {
        match (self.offsets.get(query), self.offsets.get(query + 1)) {
            (Some(&from), Some(&to)) => self.docs.get(from..to).unwrap_or(&[]),
            _ => &[],
        }
    }
}

fn id_of<'a>(text: &'a [u8], doc: &Entry) -> &'a [u8] {
    text.get(doc.start..doc.start + doc.len as usize)
        .unwrap_or(&[])
}

fn parse_block(rows: &mut Rows, block: &[u8], dialect: Dialect) -> Result<u64, BlockError> {
    let (mut at, mut line) = (0, 0);
    while at < block.len() {
        line += 1;
        if let Some(next) = fields::skip_line(block, at, dialect.comments) {
            at = next;
            continue;
        }
        let fail = |what: String| (Some(line), what);
        let (found, next) = fields::columns::<4>(block, at, dialect.lenient).map_err(|found| {
            fail(fields::wrong_columns(
                block,
                at,
                found,
                4,
                "query iteration document grade",
            ))
        })?;
        if next - at > MAX_LINE {
            return Err(fail(too_long()));
        }
        let [query, _, doc, grade] = found.map(|(from, to)| block.get(from..to).unwrap_or(&[]));
        let grade = numbers::grade(grade).ok_or_else(|| {
            fail(format!(
                "the grade is {}; it must be a whole number from -2147483648 to 2147483647",
                show(grade)
            ))
        })?;
        rows.push(query, doc, grade, line);
        at = next;
    }
    Ok(line)
}
