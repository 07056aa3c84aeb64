//! Columns that own their data: what the transforms return, and a way to write a small list down.

use super::lists::Lists;

/// The columns of [`Lists`], owned.
///
/// ```
/// use certus_core::ranking::Columns;
///
/// // Rank 1 has grade 2; ranks 2 and 3 are tied, one judged 0 and one not judged; a document of grade 1 was missed.
/// let columns = Columns::single(&[&[Some(2)], &[None, Some(0)]], &[1]);
/// assert_eq!(columns.ranks, [1, 3]);
/// assert_eq!(columns.tie_first, [1, 2]);
/// assert_eq!(columns.tie_size, [1, 2]);
/// assert_eq!(columns.retrieved, [3]);
/// assert_eq!(columns.judged, [2, 1, 0]);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Columns {
    pub offsets: Vec<i64>,
    pub ranks: Vec<u32>,
    pub grades: Vec<i32>,
    pub tie_first: Vec<u32>,
    pub tie_size: Vec<u32>,
    pub retrieved: Vec<u32>,
    pub judged_offsets: Vec<i64>,
    pub judged: Vec<i32>,
}

impl Columns {
    /// No query yet.
    pub fn new() -> Self {
        Columns {
            offsets: vec![0],
            judged_offsets: vec![0],
            ..Columns::default()
        }
    }

    /// One query, from its groups of tied documents in the order retrieved (`None`: not judged), and the grades of
    /// the judged documents that were not retrieved.
    pub fn single(groups: &[&[Option<i32>]], missed: &[i32]) -> Self {
        let mut columns = Columns::new();
        let mut retrieved = 0;
        let mut judged = missed.to_vec();
        for group in groups {
            let first = retrieved + 1;
            for grade in *group {
                retrieved += 1;
                if let Some(grade) = *grade {
                    columns.hit(retrieved, grade, first, group.len() as u32);
                    judged.push(grade);
                }
            }
        }
        judged.sort_unstable_by(|a, b| b.cmp(a));
        columns.close(retrieved, &judged);
        columns
    }

    /// The columns as the kernels take them.
    pub fn lists(&self) -> Lists<'_> {
        Lists {
            offsets: &self.offsets,
            ranks: &self.ranks,
            grades: &self.grades,
            tie_first: &self.tie_first,
            tie_size: &self.tie_size,
            retrieved: &self.retrieved,
            judged_offsets: &self.judged_offsets,
            judged: &self.judged,
        }
    }

    /// Adds a hit to the query being built.
    pub(crate) fn hit(&mut self, rank: u32, grade: i32, tie_first: u32, tie_size: u32) {
        self.ranks.push(rank);
        self.grades.push(grade);
        self.tie_first.push(tie_first);
        self.tie_size.push(tie_size);
    }

    /// Adds the queries of other columns.
    pub(crate) fn append(&mut self, mut other: Columns) {
        let (hits, judged) = (self.ranks.len() as i64, self.judged.len() as i64);
        self.offsets
            .extend(other.offsets.iter().skip(1).map(|at| at + hits));
        self.judged_offsets
            .extend(other.judged_offsets.iter().skip(1).map(|at| at + judged));
        self.ranks.append(&mut other.ranks);
        self.grades.append(&mut other.grades);
        self.tie_first.append(&mut other.tie_first);
        self.tie_size.append(&mut other.tie_size);
        self.retrieved.append(&mut other.retrieved);
        self.judged.append(&mut other.judged);
    }

    /// Ends the query being built.
    pub(crate) fn close(&mut self, retrieved: u32, judged: &[i32]) {
        self.retrieved.push(retrieved);
        self.judged.extend_from_slice(judged);
        self.offsets.push(self.ranks.len() as i64);
        self.judged_offsets.push(self.judged.len() as i64);
    }
}
