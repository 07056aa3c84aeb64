//! The sparse rankings every ranking kernel reads: one list of judged hits per query, as flat columns.

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
