//! Clusterings: the table of two of them, what their mutual information is by chance, and distances within and between.

mod cells;
mod centroids;
mod distances;
mod expected;
mod means;
mod samples;

pub use cells::{Cells, count_cells};
pub use centroids::{Centroids, centroids, distances_from};
pub use distances::{Extremes, Part, extreme_distances, weighted_distances};
pub use expected::expected_information;
pub use means::{Means, mean_distances};
pub use samples::in_order;
