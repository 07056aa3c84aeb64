//! Many comparisons on the same units: what the largest of their differences is by chance.

mod flips;
mod ranges;
mod shuffle;

pub use flips::{Contrast, Draws, Tally, flip_signs};
pub use ranges::shuffled_ranges;
