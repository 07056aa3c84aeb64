//! Metrics of samples with several labels, one value for each row of a table of scores.
//!
//! A table is read as it lies in memory, row by row or column by column. Scores are compared in their own width and are
//! not NaN. Rows do not depend on each other, so the values do not depend on the number of threads.

mod dcg;
mod groups;
mod lanes;
mod measure;
#[cfg(test)]
mod naive;
mod network;
mod options;
mod rows;

pub use dcg::dcg_of_rows;
pub use groups::Group;
pub use measure::{Measure, measure_rows};
pub use options::Dcg;
pub use rows::Rows;
