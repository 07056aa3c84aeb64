//! Qrels and runs given row by row, as Python holds them.

use xxhash_rust::xxh3::Xxh3;

use super::error::{ReadError, show};
use super::fields::Score;
use super::qrels;
use super::{Qrels, Run};

/// Bytes that are hashed at once: many rows, since each call to the hash costs more than a row's bytes.
const PIECE: usize = 1 << 16;

/// The current query and a hash of the rows so far, in the order given.
#[derive(Default)]
struct Hashed {
    /// The query's length and bytes, which each of its rows begins with.
    query: Vec<u8>,
    piece: Vec<u8>,
    state: Xxh3,
}

impl Hashed {
    fn query(&mut self, query: &[u8]) {
        self.query.clear();
        self.query
            .extend_from_slice(&(query.len() as u64).to_le_bytes());
        self.query.extend_from_slice(query);
    }

    fn name(&self) -> &[u8] {
        self.query.get(8..).unwrap_or(&[])
    }

    fn row(&mut self, doc: &[u8], value: &[u8]) {
        self.piece.extend_from_slice(&self.query);
        self.piece
            .extend_from_slice(&(doc.len() as u64).to_le_bytes());
        self.piece.extend_from_slice(doc);
        self.piece.extend_from_slice(value);
        if self.piece.len() >= PIECE {
            self.state.update(&self.piece);
            self.piece.clear();
        }
    }

    fn digest(mut self) -> u128 {
        self.state.update(&self.piece);
        self.state.digest128()
    }
}

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
    hashed: Hashed,
    line: u64,
}

impl QrelsRows {
    /// The query that the next rows belong to; whether it is a new one.
    pub fn query(&mut self, query: &[u8]) -> bool {
        self.hashed.query(query);
        !self.rows.knows(query)
    }

    /// Adds a judgment of the current query.
    pub fn push(&mut self, doc: &[u8], grade: i32) {
        self.line += 1;
        self.rows.push(self.hashed.name(), doc, grade, self.line);
        self.hashed.row(doc, &grade.to_le_bytes());
    }

    /// The judgments by query.
    ///
    /// # Errors
    /// Where there is none, or a document is judged twice for one query.
    pub fn finish(self, name: &str) -> Result<Qrels, ReadError> {
        if self.line == 0 {
            return Err(ReadError::new(name, None, "hold no judgments"));
        }
        Qrels::sorted(name, self.hashed.digest(), self.rows, false)
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
    hashed: Hashed,
    at: usize,
    line: u64,
    refused: Option<String>,
}

impl RunRows {
    /// The query that the next rows belong to; whether it is a new one. One without rows is one for which nothing was
    /// retrieved.
    pub fn query(&mut self, query: &[u8]) -> bool {
        self.hashed.query(query);
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
                show(self.hashed.name())
            ));
        }
        self.line += 1;
        self.hashed.row(doc, &score.to_le_bytes());
        let score = Score {
            value: score + 0.0,
            long: None,
        };
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
        for query in self.run.empty() {
            self.hashed.query(query);
            self.hashed.piece.extend_from_slice(&self.hashed.query);
        }
        let mut run = self.run;
        run.name = name.into();
        run.fingerprint = self.hashed.digest();
        run.checked(false)
    }
}
