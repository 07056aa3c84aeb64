//! Distribution functions and quantiles of the normal, Student's t, beta and gamma distribution.
//!
//! Positive series and one continued fraction, in numbers of twice the precision, so that results are right to the last
//! digits of a double; Newton's method on the logarithm of a tail, which is concave, inverts them. Parameters for which
//! that would take long have no answer here.

mod beta;
mod gamma;
mod normal;
mod student;
mod students;
mod twofold;

pub use beta::{beta_quantile, beta_tails};
pub use gamma::gamma_quantile;
pub use normal::{normal_cdf, normal_quantile};
pub use student::{t_quantile, t_tails};
pub use students::TQuantiles;

/// The most terms of a series.
const TERMS: f64 = 3e5;

/// The most steps of Newton's method; it takes about five.
const STEPS: usize = 120;

/// Whether a probability is one.
fn is_probability(p: f64) -> bool {
    (0.0..=1.0).contains(&p)
}
