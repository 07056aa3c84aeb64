//! Distributions of metrics under a random ranking.
//!
//! A metric is hit-additive when it is a sum over the hits of a gain that depends on the rank and on the number of hits
//! so far: average precision, discounted gain, rank-biased precision, recall, bpref. One pass over (rank, hits so far)
//! then gives its moment-generating function at any complex argument ([`Law`], `forward`), and that of a weighted sum of
//! independent ones is the product ([`Joint`]): its cumulants, and its characteristic function under a tilt ([`Tilted`]),
//! which the caller inverts. Where few rankings matter, their sums are enumerated ([`Halves`], [`few_above`]).

mod bands;
mod counted_ranks;
mod cumulants;
mod few;
mod forward;
#[cfg(test)]
mod fuzz;
mod halves;
mod independent_ranks;
mod joint;
mod lanes;
mod law;
#[cfg(test)]
mod naive;
mod pairs;
mod range;
mod source;
mod step;

pub use counted_ranks::counted_transform;
pub use cumulants::Cumulants;
pub use few::few_above;
pub use halves::{Halves, Masses};
pub use independent_ranks::{IndependentRanks, conditional_transform};
pub use joint::{Joint, Part, Tilted};
pub use law::{Gain, Law, Tied};
pub use pairs::{pairs_at_least, sums_at_least};
pub use source::Source;
pub use step::Block;

/// Cells of (step, hits so far) that one pass may visit: about half a second.
pub(crate) const CELLS: usize = 25_000_000;

/// Why a question is not answered, in words that can follow "the engine".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused(pub String);

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refused {}
