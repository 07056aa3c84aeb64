//! Labels: distinct ones, codes for them, and how many samples have which pair of them.

mod codes;
mod intern;
mod ints;
mod pairs;

pub use codes::code_numbers;
pub use intern::{Interner, intern_rows};
pub use ints::Ints;
pub use pairs::{Pairs, Sums, count_pairs, sum_pairs};
