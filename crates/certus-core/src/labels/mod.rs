//! Labels: distinct ones, codes for them, and how many samples have which pair of them.

mod intern;
mod ints;
mod pairs;

pub use intern::{Interner, intern_rows};
pub use ints::Ints;
pub use pairs::{Pairs, Sums, code_numbers, count_pairs, sum_pairs};
