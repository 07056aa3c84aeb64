//! Labels: distinct ones, codes for them, and how many samples have which pair of them.

mod codes;
mod correlation;
mod intern;
mod ints;
mod pairs;
mod shares;

pub use codes::code_numbers;
pub use correlation::{OfTwo, correlation, correlation_slopes};
pub use intern::{Interner, intern_rows};
pub use ints::Ints;
pub use pairs::{Pairs, Sums, count_pairs, sum_pairs};
pub use shares::{OverClasses, Share, mean_of_shares};
