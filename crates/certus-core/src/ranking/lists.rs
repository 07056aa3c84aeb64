//! The sparse rankings every ranking kernel reads: one list of judged hits per query, as flat columns.

use std::ops::Range;
use std::slice;

use crate::threads;

/// Flat columns of all queries. Query `q` owns `offsets[q]..offsets[q + 1]` of the hit columns
/// and `judged_offsets[q]..judged_offsets[q + 1]` of `judged`.
#[derive(Clone, Copy, Debug)]
pub struct Lists<'a> {
    /// Length `queries + 1`.
    pub offsets: &'a [i64],
    /// 1-based ranks of the judged retrieved documents, increasing within a query.
    pub ranks: &'a [u32],
    /// Their grades.
    pub grades: &'a [i32],
    /// The best rank in each hit's group of tied scores.
    pub tie_first: &'a [u32],
    /// The number of retrieved documents (judged or not) in that group, 1 for no tie.
    pub tie_size: &'a [u32],
    /// Number of documents retrieved, per query.
    pub retrieved: &'a [u32],
    /// Length `queries + 1`.
    pub judged_offsets: &'a [i64],
    /// The grades of all judged documents of the query, retrieved or not, in decreasing order.
    pub judged: &'a [i32],
}

/// One query's share of [`Lists`].
#[derive(Clone, Copy, Debug)]
pub struct List<'a> {
    pub ranks: &'a [u32],
    pub grades: &'a [i32],
    pub tie_first: &'a [u32],
    pub tie_size: &'a [u32],
    pub retrieved: u32,
    pub judged: &'a [i32],
}

/// The hits whose documents share one score, and how many documents share it.
#[derive(Clone, Copy, Debug)]
pub struct Group<'a> {
    /// The best rank in the group.
    pub first: u32,
    /// Documents in the group, judged or not; at least one.
    pub size: u32,
    /// Ranks of its hits.
    pub ranks: &'a [u32],
    /// Grades of its hits.
    pub grades: &'a [i32],
}

/// Below this many queries and hits a second thread costs more than it brings.
const WORTH_THREADS: usize = 1 << 18;

impl<'a> Lists<'a> {
    /// How many queries there are.
    pub fn queries(&self) -> usize {
        self.retrieved.len()
    }

    /// The list of query `q`. The columns must have passed [`Lists::check`].
    pub fn list(&self, q: usize) -> List<'a> {
        let hits = self.offsets[q] as usize..self.offsets[q + 1] as usize;
        let judged = self.judged_offsets[q] as usize..self.judged_offsets[q + 1] as usize;
        List {
            ranks: &self.ranks[hits.clone()],
            grades: &self.grades[hits.clone()],
            tie_first: &self.tie_first[hits.clone()],
            tie_size: &self.tie_size[hits],
            retrieved: self.retrieved[q],
            judged: &self.judged[judged],
        }
    }

    /// Whether one thread is enough.
    pub(super) fn is_small(&self) -> bool {
        self.queries() + self.ranks.len() < WORTH_THREADS
    }

    /// One value per query. Each is computed on its own, so the bits do not depend on the number of threads.
    ///
    /// ```
    /// use certus_core::ranking::{Columns, precision};
    ///
    /// let columns = Columns::single(&[&[Some(1)], &[None]], &[]);
    /// assert_eq!(columns.lists().per_query(|list| precision(list, 1, Some(2), false)), [0.5]);
    /// ```
    pub fn per_query<T: Send>(&self, value: impl Fn(&List<'a>) -> T + Sync) -> Vec<T> {
        let values = |queries: Range<usize>| queries.map(|q| value(&self.list(q))).collect();
        if self.is_small() {
            values(0..self.queries())
        } else {
            threads::map(self.queries(), 1, values)
        }
    }

    /// [`Lists::per_query`] for kernels that may refuse; the error names the first query refused.
    pub fn try_per_query(
        &self,
        value: impl Fn(&List<'a>) -> Result<f64, String> + Sync,
    ) -> Result<Vec<f64>, String> {
        let mut values = Vec::with_capacity(self.queries());
        for (q, result) in self.per_query(value).into_iter().enumerate() {
            values.push(result.map_err(|why| format!("query at index {q}: {why}"))?);
        }
        Ok(values)
    }
}

impl<'a> List<'a> {
    /// The number of relevant documents judged, retrieved or not.
    ///
    /// ```
    /// use certus_core::ranking::Columns;
    ///
    /// let columns = Columns::single(&[&[Some(2)]], &[1, 0, -1]);
    /// assert_eq!(columns.lists().list(0).relevant(1), 2);
    /// ```
    pub fn relevant(&self, rel: i32) -> u32 {
        self.judged
            .partition_point(|&grade| is_relevant(grade, rel)) as u32
    }

    /// The hits by groups of tied scores, best first; with `average` false each hit stands alone at its settled rank.
    pub fn groups(&self, average: bool) -> Groups<'a> {
        Groups {
            list: *self,
            average,
            next: 0,
        }
    }
}

/// The groups of a list, see [`List::groups`].
pub struct Groups<'a> {
    list: List<'a>,
    average: bool,
    /// The first hit not given yet.
    next: usize,
}

impl<'a> Iterator for Groups<'a> {
    type Item = Group<'a>;

    /// Most hits stand alone, so that case is kept short enough to be inlined.
    #[inline]
    fn next(&mut self) -> Option<Group<'a>> {
        let List {
            ranks,
            grades,
            tie_size,
            ..
        } = self.list;
        let (rank, grade) = (ranks.get(self.next)?, grades.get(self.next)?);
        if self.average && tie_size[self.next] > 1 {
            return Some(self.tied());
        }
        self.next += 1;
        Some(Group {
            first: *rank,
            size: 1,
            ranks: slice::from_ref(rank),
            grades: slice::from_ref(grade),
        })
    }
}

impl<'a> Groups<'a> {
    #[inline(never)]
    fn tied(&mut self) -> Group<'a> {
        let List {
            ranks,
            grades,
            tie_first,
            tie_size,
            ..
        } = self.list;
        let start = self.next;
        let first = tie_first[start];
        let hits = tie_first[start..]
            .iter()
            .take_while(|&&other| other == first)
            .count();
        self.next += hits;
        let hits = start..self.next;
        Group {
            first,
            size: tie_size[start],
            ranks: &ranks[hits.clone()],
            grades: &grades[hits],
        }
    }
}

impl Group<'_> {
    /// The number of relevant hits.
    pub fn relevant(&self, rel: i32) -> u32 {
        if let [grade] = self.grades {
            return u32::from(is_relevant(*grade, rel));
        }
        self.grades
            .iter()
            .filter(|&&grade| is_relevant(grade, rel))
            .count() as u32
    }

    /// How many of the group's positions are among the first `last` ranks.
    pub fn inside(&self, last: u32) -> u32 {
        if self.first > last {
            0
        } else {
            self.size.min((last - self.first).saturating_add(1))
        }
    }
}

/// Whether a grade counts as relevant: at least `rel`, and never when negative (in the pool but not judged).
pub(crate) fn is_relevant(grade: i32, rel: i32) -> bool {
    grade >= rel.max(0)
}

/// The last rank a cutoff lets in; every rank without one.
pub(crate) fn last_rank(cutoff: Option<u64>) -> u32 {
    cutoff.map_or(u32::MAX, |k| u32::try_from(k).unwrap_or(u32::MAX))
}

/// `a / b`, and 0 for the quotients trec_eval leaves at 0: nothing retrieved, nothing relevant.
pub(crate) fn ratio(a: f64, b: f64) -> f64 {
    if b == 0.0 { 0.0 } else { a / b }
}
