//! Reading qrels and runs: bytes of a file to columns, in parallel, without a string or an object per line.

mod blocks;
mod columns;
mod digits;
mod entry;
mod error;
mod fields;
#[cfg(test)]
mod fuzz;
mod group;
mod gzip;
mod limit;
mod line;
mod low_bytes;
mod next_line;
mod normal;
mod numbers;
mod parallel;
mod qrels;
mod rows;
mod run;
mod source;
mod stream;
mod table;
mod tags;
mod usual_line;

pub use columns::{ids, joined_numbers};
pub use error::{ReadError, show};
pub use group::{Notes, Rule, TieOrder};
pub use qrels::Qrels;
pub use rows::{QrelsRows, RunRows};
pub use run::Run;
pub use source::{read_all, read_start};
pub use stream::{Ranked, rank_file, rank_run};
pub use tags::Tags;

/// How lines are read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Dialect {
    /// Ignore what follows the last column, and round scores that no double holds, as trec_eval does.
    pub lenient: bool,
    /// Ignore lines that start with `#`, as trec_eval 10 does.
    pub comments: bool,
}

/// The longest line that is read, in bytes.
pub const MAX_LINE: usize = 64 << 20;
