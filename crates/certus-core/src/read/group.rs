//! The documents retrieved for one query, and their ranks among themselves.

use super::entry::Doc;
use super::error::show;
use super::normal::alike;
use super::numbers::{Scale, Score};
use super::table::Table;

/// How documents with equal scores are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TieOrder {
    /// The greater id, byte by byte, comes first: trec_eval's rule.
    Trec,
    /// The one read first comes first.
    Input,
}

/// How scores become ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    pub ties: TieOrder,
    /// Compare scores after rounding them to 32 bits, as trec_eval 9 does.
    pub float32: bool,
}

/// What looks suspicious in one query of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// Whether all scores (of two or more) are equal.
    pub all_equal: bool,
    /// Documents whose scores differ in the file and are equal as doubles.
    pub rounded: u32,
    /// Neighbouring lines whose ranks and scores disagree, and agree.
    pub discordant: u32,
    pub concordant: u32,
    /// Retrieved ids that differ from another id only by Unicode normalisation.
    pub normalised: u32,
    /// Rank of the document that has the id of the query; 0 where none has.
    pub self_rank: u32,
}

/// One judged document retrieved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    pub rank: u32,
    pub grade: i32,
    pub tie_first: u32,
    pub tie_size: u32,
}

/// A judged document of the query.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judged<'a> {
    pub id: &'a [u8],
    pub hash: u64,
    pub grade: i32,
}

/// The documents of one query, as positions in a text. Reused from query to query.
#[derive(Default)]
pub(crate) struct Group {
    docs: Vec<Doc>,
    /// Numbers in the order of the scores, all of one scale.
    scores: Vec<f64>,
    scale: Scale,
    long: Vec<(u32, u64)>,
    rank: Option<u32>,
    discordant: u32,
    concordant: u32,
    unsorted: bool,
    tied: bool,
    /// Whether the whole text the ids stand in is ASCII.
    pub ascii: bool,
    table: Table,
    found: Vec<(usize, i32)>,
    members: Vec<u32>,
    order: Vec<u32>,
}

/// Up to this many hits their ranks are counted, in one pass each; more are sorted for.
const COUNT: usize = 8;

impl Group {
    pub fn clear(&mut self) {
        self.docs.clear();
        self.scores.clear();
        self.long.clear();
        self.rank = None;
        (self.discordant, self.concordant) = (0, 0);
        (self.unsorted, self.tied) = (false, false);
    }

    pub fn len(&self) -> usize {
        self.docs.len()
    }

    /// The ids in the order of the text.
    pub fn ids<'a>(&'a self, text: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
        self.docs.iter().map(|doc| doc.of(text))
    }

    /// Adds a document.
    #[inline(always)]
    pub fn push(&mut self, doc: Doc, score: Score, rank: Option<u32>) {
        let number = if score.scale == self.scale {
            score.number
        } else {
            self.other_scale(score)
        };
        if let Some(&last) = self.scores.last() {
            if number < last {
                self.compare(rank, false);
            } else if number > last {
                self.unsorted = true;
                self.compare(rank, true);
            } else {
                self.tied = true;
            }
        }
        self.rank = rank;
        if let Some(key) = score.long {
            self.long.push((self.docs.len() as u32, key));
        }
        self.docs.push(doc);
        self.scores.push(number);
    }

    /// The number of a score whose scale is not that of those before it, which become their values.
    #[cold]
    fn other_scale(&mut self, score: Score) -> f64 {
        if self.docs.is_empty() {
            self.scale = score.scale;
            return score.number;
        }
        self.take_values();
        score.value()
    }

    fn take_values(&mut self) {
        if self.scale != Scale::VALUES {
            let scale = std::mem::replace(&mut self.scale, Scale::VALUES);
            let value = |&number: &f64| Score::new(number, scale).value();
            self.scores.iter_mut().for_each(|s| *s = value(s));
        }
    }

    #[inline(always)]
    fn compare(&mut self, rank: Option<u32>, rises: bool) {
        if let (Some(before), Some(now)) = (self.rank, rank)
            && before != now
        {
            if (now > before) == rises {
                self.discordant = self.discordant.wrapping_add(1);
            } else {
                self.concordant = self.concordant.wrapping_add(1);
            }
        }
    }

    /// Checks that no document stands twice.
    ///
    /// # Errors
    /// Where in the text the second one starts, and its id for a message.
    pub fn check(&mut self, text: &[u8]) -> Result<(), (usize, String)> {
        let docs = &self.docs;
        let same = |i: usize, j: usize| {
            let hash = |i: usize| docs.get(i).map(|doc| doc.hash);
            hash(i) == hash(j) && id(text, docs, i) == id(text, docs, j)
        };
        let place = |i: usize| docs.get(i).map_or(0, |doc| doc.start);
        self.table
            .build(docs.iter().map(|doc| doc.hash), same)
            .map_err(|i| (place(i), show(id(text, docs, i))))
    }

    /// Appends the judged documents that were found to be retrieved, in rank order, to `hits`. Call after `find`.
    pub fn rank(&mut self, text: &[u8], rule: Rule, hits: &mut Vec<Hit>) {
        let found = std::mem::take(&mut self.found);
        let before = hits.len();
        if rule.float32 {
            self.take_values();
            self.scores
                .iter_mut()
                .for_each(|s| *s = f64::from(*s as f32) + 0.0);
            self.tied = true;
        }
        if !self.unsorted && !self.tied {
            hits.extend(found.iter().map(|&(i, grade)| {
                let rank = i as u32 + 1;
                Hit {
                    rank,
                    grade,
                    tie_first: rank,
                    tie_size: 1,
                }
            }));
        } else if found.len() <= COUNT {
            for &(i, grade) in &found {
                hits.push(self.count(text, i, grade, rule.ties));
            }
        } else {
            self.sort(text, &found, rule.ties, hits);
        }
        if let Some(new) = hits.get_mut(before..) {
            new.sort_unstable_by_key(|hit| hit.rank);
        }
        self.found = found;
    }

    /// Looks for the judged documents among those retrieved. Call after `check`.
    pub fn find<'a>(&mut self, text: &[u8], judged: impl Iterator<Item = Judged<'a>>) {
        self.found.clear();
        for doc in judged {
            let is = |i: usize| {
                self.docs.get(i).is_some_and(|found| found.hash == doc.hash)
                    && id(text, &self.docs, i) == doc.id
            };
            if let Some(i) = self.table.find(doc.hash, is) {
                self.found.push((i, doc.grade));
            }
        }
    }

    /// Rank of the document that has the id of the query; 0 where none has. Call after `rank`.
    pub fn self_rank(&self, text: &[u8], query: &[u8], ties: TieOrder) -> u32 {
        let is = |i: usize| id(text, &self.docs, i) == query;
        match self.table.find(super::table::hash(query), is) {
            Some(i) if !self.unsorted && !self.tied => i as u32 + 1,
            Some(i) => self.count(text, i, 0, ties).rank,
            None => 0,
        }
    }

    fn count(&self, text: &[u8], i: usize, grade: i32, ties: TieOrder) -> Hit {
        let score = self.scores.get(i).copied().unwrap_or_default();
        // A checked addition would keep the compiler from counting several at a time.
        let number = |counted: fn(f64, f64) -> bool| {
            let all = self.scores.iter();
            all.fold(0, |n, &other| {
                u32::wrapping_add(n, u32::from(counted(other, score)))
            })
        };
        let (above, equal) = (number(|a, b| a > b), number(|a, b| a == b));
        let mut before = 0;
        if equal > 1 {
            for (j, _) in self
                .scores
                .iter()
                .enumerate()
                .filter(|(_, other)| **other == score)
            {
                let first = match ties {
                    TieOrder::Input => j < i,
                    TieOrder::Trec => id(text, &self.docs, j) > id(text, &self.docs, i),
                };
                before += u32::from(first);
            }
        }
        Hit {
            rank: above + before + 1,
            grade,
            tie_first: above + 1,
            tie_size: equal,
        }
    }

    fn sort(&mut self, text: &[u8], found: &[(usize, i32)], ties: TieOrder, hits: &mut Vec<Hit>) {
        let (docs, scores) = (&self.docs, &self.scores);
        let score = |i: u32| scores.get(i as usize).copied().unwrap_or_default();
        self.order.clear();
        self.order.extend(0..docs.len() as u32);
        if self.unsorted {
            self.order.sort_by(|&i, &j| score(j).total_cmp(&score(i)));
        }
        // Grades by position, so that one sweep over the groups of equal scores places every hit.
        let mut grades: Vec<Option<i32>> = vec![None; docs.len()];
        for &(i, grade) in found {
            if let Some(place) = grades.get_mut(i) {
                *place = Some(grade);
            }
        }
        let mut first = 0_u32;
        for group in self.order.chunk_by(|&i, &j| score(i) == score(j)) {
            let size = group.len() as u32;
            let judged = |i: u32| grades.get(i as usize).copied().flatten();
            if group.iter().any(|&i| judged(i).is_some()) {
                self.members.clear();
                self.members.extend_from_slice(group);
                if ties == TieOrder::Trec && size > 1 {
                    self.members.sort_unstable_by(|&i, &j| {
                        id(text, docs, j as usize).cmp(id(text, docs, i as usize))
                    });
                }
                for (k, &i) in self.members.iter().enumerate() {
                    if let Some(grade) = judged(i) {
                        hits.push(Hit {
                            rank: first + k as u32 + 1,
                            grade,
                            tie_first: first + 1,
                            tie_size: size,
                        });
                    }
                }
            }
            first += size;
        }
    }

    /// What looks suspicious. Call after `check`; `judged` are the judged documents of the query, `ascii` whether all
    /// their ids are ASCII.
    pub fn notes<'a>(
        &self,
        text: &'a [u8],
        judged: impl Iterator<Item = Judged<'a>>,
        ascii: bool,
    ) -> Notes {
        let n = self.docs.len();
        let all_equal =
            n > 1 && self.tied && self.scores.iter().all(|s| Some(s) == self.scores.first());
        // Long scores are values.
        let rounded = if self.long.is_empty() || !self.tied && !self.unsorted {
            0
        } else {
            self.rounded()
        };
        let normalised = if self.ascii && ascii {
            0
        } else {
            self.normalised(text, judged)
        };
        Notes {
            all_equal,
            rounded,
            discordant: self.discordant,
            concordant: self.concordant,
            normalised,
            self_rank: 0,
        }
    }

    fn rounded(&self) -> u32 {
        let mut keys = vec![0_u64; self.docs.len()];
        for &(i, key) in &self.long {
            if let Some(place) = keys.get_mut(i as usize) {
                *place = key;
            }
        }
        let mut all: Vec<(u64, u64)> = self.scores.iter().map(|s| s.to_bits()).zip(keys).collect();
        all.sort_unstable();
        all.chunk_by(|a, b| a.0 == b.0)
            .filter(|group| group.first() != group.last())
            .map(|group| group.len() as u32)
            .sum()
    }

    fn normalised<'a>(&self, text: &'a [u8], judged: impl Iterator<Item = Judged<'a>>) -> u32 {
        let retrieved = |doc: &Judged<'a>| {
            let is = |i: usize| id(text, &self.docs, i) == doc.id;
            self.table.find(doc.hash, is).is_some()
        };
        let others = judged.filter(|doc| !doc.id.is_ascii() && !retrieved(doc));
        let here = self.docs.iter().map(|doc| (doc.of(text), true));
        alike(here.chain(others.map(|doc| (doc.id, false))))
    }
}

fn id<'a>(text: &'a [u8], docs: &[Doc], i: usize) -> &'a [u8] {
    docs.get(i).map_or(&[], |doc| doc.of(text))
}
