//! Distribution functions and quantiles of the normal, Student's t, beta and gamma distribution.
//!
//! Positive series and continued fractions, in numbers of twice the precision, so that results are right to the last
//! digits of a double; Halley's method on the logarithm of a tail, which is concave, inverts them. Parameters for which
//! that would take long have no answer here.

mod beta;
#[cfg(test)]
mod fuzz;
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

/// The most steps of Halley's method; it takes about three.
const STEPS: usize = 120;

/// A step of Halley's method in doubles that is no longer than this part of the width is the last one.
const NEAR: f64 = 1e-4;

/// Halley's step to where a logarithm of a tail is `gap` more: its slope, and the slope of the logarithm of its density.
fn halley(gap: f64, slope: f64, density: f64) -> f64 {
    let step = gap / slope;
    let bend = 0.5 * step * (density - slope);
    step / (1.0 + bend.clamp(-0.5, 1.0))
}

/// About the point above which a standard normal value lies with a probability of that logarithm, at most about 1/2
/// (Abramowitz & Stegun 26.2.23).
fn upper_normal(ln_p: f64) -> f64 {
    let t = (-2.0 * ln_p).sqrt();
    let above = 2.515_517 + t * (0.802_853 + t * 0.010_328);
    t - above / (1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308)))
}

/// Whether a probability is one.
fn is_probability(p: f64) -> bool {
    (0.0..=1.0).contains(&p)
}

/// The quantile of a law around 0 that is unbounded and symmetric, at its centre and its ends; None elsewhere.
fn quantile_by_symmetry(p: f64) -> Option<f64> {
    if p == 0.5 {
        return Some(0.0);
    }
    (p == 0.0 || p == 1.0).then_some((p - 0.5) * f64::INFINITY)
}
