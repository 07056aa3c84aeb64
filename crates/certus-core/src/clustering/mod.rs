//! Clusterings: the table of two of them, what their mutual information is by chance, and distances within and between.

mod cells;
mod distances;
mod expected;

pub use cells::{Cells, count_cells};
pub use distances::{Extremes, Means, Part, extreme_distances, mean_distances, weighted_distances};
pub use expected::expected_information;
