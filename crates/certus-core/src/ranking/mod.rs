//! Ranking metrics over judged retrieved documents.
//!
//! A kernel takes one query's [`List`] and gives one value; [`Lists::per_query`] runs it over all queries. A document
//! is relevant when its grade is at least `rel` and not negative. With `average`, a kernel gives the exact expected
//! value over all orders of the documents in each tie group, each order of a group equally likely.

mod at_recall;
mod average_precision;
mod bpref;
pub mod chance;
mod check;
mod columns;
mod counts;
mod dcg;
mod err;
#[cfg(test)]
mod fuzz;
mod g;
mod gains;
mod interpolated;
mod lists;
#[cfg(test)]
pub(crate) mod naive;
mod rbp;
mod reciprocal_rank;
mod shuffled;
mod transform;

pub use at_recall::{Rounding, k_at_recall, precision_at_recall};
pub use average_precision::{Denominator, average_precision};
pub use bpref::{bpref, inf_ap};
pub use columns::Columns;
pub use counts::{
    f_measure, judged, num_nonrelevant_judged_retrieved, num_relevant, num_relevant_retrieved,
    num_retrieved, precision, r_precision, recall, relative_precision, set_map, success, utility,
};
pub use dcg::{dcg, ndcg, ndcg_rel, rndcg};
pub use err::{err, nerr};
pub use g::{bin_g, g};
pub use gains::Gains;
pub use interpolated::{eleven_point, interpolated_precision};
pub use lists::{Group, Groups, List, Lists};
pub use rbp::{rbp, rbp_residual};
pub use reciprocal_rank::reciprocal_rank;
pub use shuffled::{Deck, shuffled};
pub use transform::{assume_relevant, condense, order_ties, relevance_string, truncate};
