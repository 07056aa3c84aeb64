//! Ranking a run against qrels while it is read.

use std::collections::HashSet;
use std::path::Path;

use super::blocks::Cut;
use super::entry::{Entry, Id, Lines};
use super::error::{ReadError, show};
use super::group::{Group, Hit, Notes, Rule};
use super::line::parse_lines;
use super::parallel::{BlockError, Plan, for_each_block};
use super::source::Source;
use super::tags::Tags;
use super::{Dialect, Qrels, Run};
use crate::ranking::Columns;

/// Some ids of documents of a run, and of the judgments, which have none in common.
pub type Unmatched = (Vec<Vec<u8>>, Vec<Vec<u8>>);

/// A run reduced to the ranks and grades of its judged documents, and what was seen on the way.
#[derive(Clone, Debug, Default)]
pub struct Ranked {
    /// Positions in the qrels of the queries kept, increasing.
    pub queries: Vec<usize>,
    /// The hits of those queries.
    pub columns: Columns,
    /// Per query kept, what looks suspicious.
    pub notes: Vec<Notes>,
    /// Queries of the run without judgments, in byte order.
    pub only_in_run: Vec<Vec<u8>>,
    /// Positions in the qrels of the queries that the run lacks.
    pub missing: Vec<usize>,
    /// The last column of the last line.
    pub tag: Vec<u8>,
    pub tags: Tags,
    /// Where no retrieved document of any query is judged: retrieved and judged ids of the first query.
    pub unmatched: Option<Unmatched>,
    pub fingerprint: u128,
}

/// Ids of each side that show why none meet.
const EXAMPLES: usize = 1000;

pub(crate) fn twice(doc: &str, query: &[u8]) -> String {
    format!(
        "document {doc} appears twice for query {}; keep one of its lines",
        show(query)
    )
}

/// Ranked queries in the order met by one thread.
#[derive(Default)]
struct Part {
    group: Group,
    /// Position in the qrels, retrieved documents, first hit, notes.
    queries: Vec<(usize, u32, usize, Notes)>,
    hits: Vec<Hit>,
    unjudged: Vec<Vec<u8>>,
    /// The first query in the qrels of which no retrieved document is judged, while there is no hit; its documents.
    unmatched: Option<(usize, Vec<Vec<u8>>)>,
    tag: (usize, Vec<u8>),
    tags: Tags,
}

impl Part {
    /// Ranks the documents gathered in the group, which are those of `query`.
    fn finish(
        &mut self,
        qrels: &Qrels,
        query: &[u8],
        text: &[u8],
        rule: Rule,
    ) -> Result<(), (usize, String)> {
        let group = &mut self.group;
        group
            .check(text)
            .map_err(|(start, doc)| (start, twice(&doc, query)))?;
        let Some(position) = qrels.position(query) else {
            self.unjudged.push(query.to_vec());
            return Ok(());
        };
        let mut notes = group.notes(text, qrels.judged(position), qrels.is_ascii());
        let first_hit = self.hits.len();
        group.find(text, qrels.judged(position));
        group.rank(text, rule, &mut self.hits);
        notes.self_rank = group.self_rank(text, query, rule.ties);
        self.queries
            .push((position, group.len() as u32, first_hit, notes));
        let first = self.unmatched.as_ref().is_none_or(|(q, _)| position < *q);
        if self.hits.is_empty() && first {
            let ids = group.ids(text).take(EXAMPLES).map(<[u8]>::to_vec);
            self.unmatched = Some((position, ids.collect()));
        }
        Ok(())
    }
}

/// Reads a TREC run file and ranks it. Memory does not grow with the file as long as the lines of a query stand
/// together; otherwise the run is read again, whole.
///
/// # Errors
/// For anything that is not a run, naming file and line.
pub fn rank_file(
    qrels: &Qrels,
    path: &Path,
    name: &str,
    rule: Rule,
    dialect: Dialect,
    all: bool,
) -> Result<Ranked, ReadError> {
    let source = Source::open(path, name)?;
    match rank_source(qrels, source, rule, dialect, all, Plan::new(Cut::Query))? {
        Some(ranked) => Ok(ranked),
        None => Ok(rank_run(qrels, &Run::read(path, name, dialect)?, rule, all)),
    }
}

/// `None` where the lines of a query do not stand together.
fn rank_source(
    qrels: &Qrels,
    source: Source,
    rule: Rule,
    dialect: Dialect,
    all: bool,
    plan: Plan,
) -> Result<Option<Ranked>, ReadError> {
    let name = source.name.clone();
    let (parts, fingerprint) = for_each_block(
        source,
        plan,
        Part::default,
        |part: &mut Part, number, block| rank_block(part, number, block, qrels, rule, dialect),
    )?;
    let Some(ranked) = joined(qrels, parts, all) else {
        return Ok(None);
    };
    // with `all` the queries are there, each with an empty list
    if ranked.missing.len() == qrels.queries().len() && ranked.only_in_run.is_empty() {
        let what = "holds no results; expected lines 'query Q0 document rank score tag'";
        return Err(ReadError::new(&name, None, what));
    }
    Ok(Some(Ranked {
        fingerprint,
        ..ranked
    }))
}

fn rank_block(
    part: &mut Part,
    number: usize,
    block: &[u8],
    qrels: &Qrels,
    rule: Rule,
    dialect: Dialect,
) -> Result<u64, BlockError> {
    part.group.clear();
    part.group.ascii = block.is_ascii();
    let mut lines = Ranking {
        part,
        block,
        qrels,
        rule,
        query: Id::default(),
        tag: Id::default(),
    };
    let read = parse_lines(block, dialect, &mut lines)?;
    let tag = lines.tag;
    if lines.finish()? {
        // counted from 1, so that a thread that read nothing does not win against the only block
        part.tag = (number + 1, tag.of(block).to_vec());
    }
    Ok(read)
}

/// The lines of a block, ranked query by query.
struct Ranking<'a> {
    part: &'a mut Part,
    block: &'a [u8],
    qrels: &'a Qrels,
    rule: Rule,
    query: Id,
    tag: Id,
}

impl Ranking<'_> {
    /// Ranks the documents gathered; whether there are any.
    fn finish(&mut self) -> Result<bool, BlockError> {
        if self.part.group.len() == 0 {
            return Ok(false);
        }
        let query = self.query.of(self.block);
        let done = self.part.finish(self.qrels, query, self.block, self.rule);
        done.map_err(|(start, what)| (Some(line_at(self.block, start)), what))?;
        self.part.group.clear();
        Ok(true)
    }
}

impl Lines for Ranking<'_> {
    fn query(&mut self, query: Id, tag: Id) -> Result<(), BlockError> {
        if !query.same(self.query, self.block) {
            self.finish()?;
            self.query = query;
        }
        if !tag.same(self.tag, self.block) {
            self.part.tags.add(tag.of(self.block));
            self.tag = tag;
        }
        Ok(())
    }

    #[inline(always)]
    fn entry(&mut self, entry: Entry) {
        self.part.group.push(entry.doc, entry.score, entry.rank);
    }
}

/// The 1-based line of a block that holds position `at`.
#[cold]
fn line_at(block: &[u8], at: usize) -> u64 {
    memchr::memchr_iter(b'\n', block.get(..at).unwrap_or(block)).count() as u64 + 1
}

/// Ranks a run held in memory.
#[must_use]
pub fn rank_run(qrels: &Qrels, run: &Run, rule: Rule, all: bool) -> Ranked {
    let mut part = Part::default();
    // A run has been checked, so that nothing is left to refuse.
    let _: Result<(), (usize, String)> = run.for_each_group(|query, text, group| {
        std::mem::swap(&mut part.group, group);
        let done = part.finish(qrels, query, text, rule);
        std::mem::swap(&mut part.group, group);
        done
    });
    let ranked = joined(qrels, vec![part], all).unwrap_or_default();
    Ranked {
        tag: run.tag.clone(),
        tags: run.tags.clone(),
        fingerprint: run.fingerprint,
        ..ranked
    }
}

/// The parts in the order of the qrels; `None` where a query was met twice. With `all`, queries that the run lacks
/// are kept as empty lists.
fn joined(qrels: &Qrels, parts: Vec<Part>, all: bool) -> Option<Ranked> {
    let count = qrels.queries().len();
    let mut place: Vec<Option<(usize, usize)>> = vec![None; count];
    let mut unjudged: HashSet<&[u8]> = HashSet::new();
    for (p, part) in parts.iter().enumerate() {
        for (i, &(query, ..)) in part.queries.iter().enumerate() {
            if place.get_mut(query)?.replace((p, i)).is_some() {
                return None;
            }
        }
        if !part.unjudged.iter().all(|query| unjudged.insert(query)) {
            return None;
        }
    }
    let mut ranked = Ranked {
        columns: Columns::new(),
        ..Ranked::default()
    };
    let mut grades: Vec<i32> = Vec::new();
    ranked.only_in_run = unjudged.into_iter().map(<[u8]>::to_vec).collect();
    ranked.only_in_run.sort_unstable();
    ranked.tag = parts
        .iter()
        .map(|part| &part.tag)
        .max_by_key(|tag| tag.0)
        .map(|tag| tag.1.clone())
        .unwrap_or_default();
    parts.iter().for_each(|part| ranked.tags.merge(&part.tags));
    if parts.iter().all(|part| part.hits.is_empty()) {
        let first = parts.iter().filter_map(|part| part.unmatched.as_ref());
        ranked.unmatched = first.min_by_key(|(query, _)| *query).map(|(query, ids)| {
            let judged = qrels.judged(*query).take(EXAMPLES);
            (ids.clone(), judged.map(|doc| doc.id.to_vec()).collect())
        });
    }
    for (query, place) in place.into_iter().enumerate() {
        let found = place.and_then(|(p, i)| {
            let part = parts.get(p)?;
            let &(_, retrieved, from, notes) = part.queries.get(i)?;
            let to = part
                .queries
                .get(i + 1)
                .map_or(part.hits.len(), |next| next.2);
            Some((retrieved, part.hits.get(from..to)?, notes))
        });
        if found.is_none() {
            ranked.missing.push(query);
            if !all {
                continue;
            }
        }
        let (retrieved, hits, notes) = found.unwrap_or_default();
        ranked.queries.push(query);
        ranked.notes.push(notes);
        for hit in hits {
            ranked
                .columns
                .hit(hit.rank, hit.grade, hit.tie_first, hit.tie_size);
        }
        grades.clear();
        grades.extend(qrels.grades(query));
        grades.sort_unstable_by(|a, b| b.cmp(a));
        ranked.columns.close(retrieved, &grades);
    }
    Some(ranked)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::read::{QrelsRows, TieOrder};

    /// What both ways of reading find in a file of these lines.
    fn found(qrels: &Qrels, text: &[u8], size: usize, threads: usize) -> [String; 2] {
        let path = std::env::temp_dir().join(format!("certus-cuts-{}", std::process::id()));
        std::fs::write(&path, text).unwrap();
        let plan = |cut| Plan { cut, size, threads };
        let open = || Source::open(&path, "run").unwrap();
        let (dialect, rule) = (
            Dialect::default(),
            Rule {
                ties: TieOrder::Trec,
                float32: false,
            },
        );
        let ranked = rank_source(qrels, open(), rule, dialect, false, plan(Cut::Query));
        let held = Run::of(open(), dialect, plan(Cut::Line));
        let held = held.map(|run| rank_run(qrels, &run, rule, false));
        std::fs::remove_file(&path).unwrap();
        [format!("{ranked:?}"), format!("{held:?}")]
    }

    #[test]
    fn every_size_of_blocks_and_every_number_of_threads_finds_the_same() {
        let good: [&[u8]; 12] = [
            b"7 Q0 d1 1 9.500000 run-a\n",
            b"7 Q0 d2 2 8.25 run-a\r\n",
            b"\n",
            b"7\tQ0\td3\t3\t8.25\trun-b\n",
            b"10 Q0 a-document-with-a-name-longer-than-the-window-of-the-usual-line 1 2.5 run-a\n",
            b" 10  Q0 d2 2 2.5e0 run-a\n",
            b"10 Q0 d9 3 11.125000 run-a\n",
            b" \t \n",
            b"unjudged Q0 d1 1 -3.5 run-a\n",
            b"unjudged Q0 d2 2 0.12345678901234567 run-a\n",
            b"8 Q0 d1 1 0.1 run-a\n",
            b"8 Q0 d2 1 0.1 last-tag",
        ];
        let mut rows = QrelsRows::default();
        for (query, doc) in [("7", "d3"), ("10", "d2"), ("8", "d1"), ("9", "d1")] {
            rows.query(query.as_bytes());
            rows.push(doc.as_bytes(), 1);
        }
        let qrels = rows.finish("qrels").unwrap();
        let mut cases = vec![good.concat()];
        for (first, second) in [(0, 5), (3, 4), (1, 11), (6, 10)] {
            for bad in [
                &b"7 Q0 d1 1 nan run-a\n"[..],
                b"8 Q0 d1\n",
                b"10 Q0 d2 1 1.5 t\n",
            ] {
                let mut lines = good;
                (lines[first], lines[second]) = (bad, b"8 Q0 d\0 1 1.5 t\n");
                cases.push(lines.concat());
            }
        }
        for text in cases {
            let expected = found(&qrels, &text, text.len() + 1, 1);
            for size in 1..=text.len() {
                for threads in [1, 2, 1 + size % 8] {
                    let other = found(&qrels, &text, size, threads);
                    assert_eq!(other, expected, "blocks of {size} bytes, {threads} threads");
                }
            }
        }
    }
}
