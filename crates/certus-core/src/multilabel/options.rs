//! How a discounted gain is counted and normalised.

/// How gains are counted.
#[derive(Clone, Copy, Debug)]
pub struct Dcg {
    /// Ranks that are looked at.
    pub cutoff: Option<usize>,
    /// A grade g gains 2^g - 1 instead of g.
    pub exponential: bool,
    /// Tied labels share the gains of their ranks; else the later of them stands first.
    pub average: bool,
    /// As a share of the best order's; NaN where that is 0.
    pub normalised: bool,
}

/// A gain as a share of the best one.
pub(super) fn share(sum: f64, best: f64) -> f64 {
    // Ties make the two sums differ in their rounding.
    if best == 0.0 {
        f64::NAN
    } else {
        (sum / best).min(1.0)
    }
}
