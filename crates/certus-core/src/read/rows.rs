//! Qrels and runs given row by row, as Python holds them.

use super::columns::RowHash;
use super::error::{ReadError, show};
use super::numbers::Score;
use super::qrels;
use super::{Qrels, Run};

/// Judgments given one by one, in any order.
///
/// ```
/// use certus_core::read::QrelsRows;
/// let mut rows = QrelsRows::default();
/// assert!(rows.query(b"q1"));
/// rows.push(b"d1", 2);
/// rows.push(b"d2", 0);
/// assert!(!rows.query(b"q1"));
/// assert_eq!(rows.finish("qrels")?.queries(), [b"q1"]);
/// # Ok::<(), certus_core::read::ReadError>(())
/// ```
#[derive(Default)]
pub struct QrelsRows {
    rows: qrels::Rows,
    hash: RowHash,
    query: Vec<u8>,
    line: u64,
}

impl QrelsRows {
    /// The query that the next rows belong to; whether it is a new one.
    pub fn query(&mut self, query: &[u8]) -> bool {
        if self.query == query {
            return false;
        }
        self.query.clear();
        self.query.extend_from_slice(query);
        !self.rows.knows(query)
    }

    /// Adds a judgment of the current query.
    pub fn push(&mut self, doc: &[u8], grade: i32) {
        self.line += 1;
        self.rows.push(&self.query, doc, grade, self.line);
        self.hash.id(&self.query);
        self.hash.id(doc);
        self.hash.number(&grade.to_le_bytes());
    }

    /// The judgments by query.
    ///
    /// # Errors
    /// Where there is none, or a document is judged twice for one query.
    pub fn finish(self, name: &str) -> Result<Qrels, ReadError> {
        if self.line == 0 {
            return Err(ReadError::new(name, None, "hold no judgments"));
        }
        Qrels::sorted(name, self.hash.digest(), self.rows, false)
    }
}

/// Results given one document at a time, in any order.
///
/// ```
/// use certus_core::read::RunRows;
/// let mut rows = RunRows::default();
/// rows.query(b"q1");
/// rows.push(b"d7", 2.5);
/// rows.query(b"q2");
/// let run = rows.finish("run")?;
/// assert!(run.queries().eq([b"q1", b"q2"]));
/// assert_eq!(run.len(), 1);
/// # Ok::<(), certus_core::read::ReadError>(())
/// ```
#[derive(Default)]
pub struct RunRows {
    run: Run,
    hash: RowHash,
    query: Vec<u8>,
    at: usize,
    line: u64,
    refused: Option<String>,
}

impl RunRows {
    /// The query that the next rows belong to; whether it is a new one. One without rows is one for which nothing was
    /// retrieved.
    pub fn query(&mut self, query: &[u8]) -> bool {
        if self.query == query {
            return false;
        }
        self.query.clear();
        self.query.extend_from_slice(query);
        let known = self.run.queries().len();
        self.at = self.run.place_of(query);
        self.at == known
    }

    /// Adds a document of the current query.
    pub fn push(&mut self, doc: &[u8], score: f64) {
        if !score.is_finite() && self.refused.is_none() {
            self.refused = Some(format!(
                "the score of document {} for query {} is {score}; it must be finite",
                show(doc),
                show(&self.query)
            ));
        }
        self.line += 1;
        self.hash.id(&self.query);
        self.hash.id(doc);
        self.hash.number(&score.to_le_bytes());
        let score = Score::of(score, None);
        self.run.push(self.at, doc, score, None, self.line);
    }

    /// The results by query.
    ///
    /// # Errors
    /// Where a document stands twice for one query, or a score is not finite.
    pub fn finish(mut self, name: &str) -> Result<Run, ReadError> {
        if let Some(what) = self.refused {
            return Err(ReadError::new(name, None, what));
        }
        let mut run = self.run.grouped();
        for query in run.empty() {
            self.hash.id(query);
        }
        run.name = name.into();
        run.fingerprint = self.hash.digest();
        run.checked(false)
    }
}
