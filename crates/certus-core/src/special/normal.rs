//! The standard normal distribution.

use super::gamma::Gamma;
use super::twofold::Twofold;
use super::{is_probability, quantile_by_symmetry};

/// Beyond this no probability is left that a double holds.
const FAR: f64 = 39.0;
/// Below it tails have no room left for their digits.
const LEAST: f64 = 1e-300;

/// The probability below `x`; None for NaN.
///
/// ```
/// assert_eq!(certus_core::special::normal_cdf(0.0), Some(0.5));
/// ```
pub fn normal_cdf(x: f64) -> Option<f64> {
    if x.is_nan() {
        return None;
    }
    if x == 0.0 || x.abs() >= FAR {
        return Some(0.5 + 0.5 * x.clamp(-1.0, 1.0).round());
    }
    let square = Twofold::square(x);
    let half = Twofold {
        hi: square.hi / 2.0,
        lo: square.lo / 2.0,
    };
    if half.hi < 1e-280 {
        return Some(0.5);
    }
    let found = Gamma::new(0.5)?.at(half)?;
    Some(if x < 0.0 {
        found.upper.to_f64() / 2.0
    } else {
        (Twofold::new(1.0) - found.upper * Twofold::new(0.5)).to_f64()
    })
}

/// The point below which the probability `p` lies; None where `p` is no probability.
///
/// ```
/// let found = certus_core::special::normal_quantile(0.975);
/// assert_eq!(found, Some(1.9599639845400538)); // of 0.975 as a double
/// ```
pub fn normal_quantile(p: f64) -> Option<f64> {
    if !is_probability(p) {
        return None;
    }
    if let Some(known) = quantile_by_symmetry(p) {
        return Some(known);
    }
    if p < LEAST {
        return Some(-beyond(p.ln()));
    }
    let tail = if p < 0.5 { p } else { 1.0 - p };
    let gamma = Gamma::new(0.5)?;
    let half_square = if tail <= 0.25 {
        gamma.quantile(Twofold::new(2.0 * tail), true)?
    } else {
        gamma.quantile(Twofold::new(1.0 - 2.0 * tail), false)?
    };
    let size = (2.0 * half_square.to_f64()).sqrt();
    Some(if p < 0.5 { -size } else { size })
}

/// The point beyond which lies a probability of this logarithm, from 37 on: by the asymptotic expansion (Abramowitz &
/// Stegun 26.2.12), of which each term is less than a 400th of the one before.
fn beyond(ln_p: f64) -> f64 {
    let mut z = (-2.0 * ln_p).sqrt();
    for _ in 0..8 {
        let inverse = 1.0 / (z * z);
        let below = (1..=7).rev().map(|k| -f64::from(2 * k - 1) * inverse);
        let series = below.fold(1.0, |sum, ratio| 1.0 + ratio * sum);
        let root = (2.0 * std::f64::consts::PI).sqrt();
        z = (2.0 * ((series / (z * root)).ln() - ln_p)).sqrt();
    }
    z
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_quantiles_come_out() {
        // to 16 digits, from mpmath
        for (p, exact) in [
            (0.9, 1.281_551_565_544_600_4),
            (0.995, 2.575_829_303_548_900_4),
            (1e-10, -6.361_340_902_404_056),
            (1e-300, -37.047_096_299_361_2),
            (9.9e-301, -37.047_367_386_528_54),
            (5e-324, -38.467_405_617_144_344),
            (0.6, 0.253_347_103_135_799_8),
        ] {
            let found = normal_quantile(p).unwrap_or(f64::NAN);
            assert!((found / exact - 1.0).abs() < 4e-16, "{p}: {found}");
        }
        assert_eq!(normal_quantile(0.0), Some(f64::NEG_INFINITY));
        assert_eq!(normal_quantile(1.0), Some(f64::INFINITY));
        assert_eq!(normal_quantile(f64::NAN), None);
    }

    #[test]
    fn the_distribution_function_inverts_quantiles() {
        for p in [1e-300, 1e-12, 0.025, 0.3, 0.5, 0.7, 0.975] {
            let back = normal_quantile(p).and_then(normal_cdf).unwrap_or(f64::NAN);
            assert!((back / p - 1.0).abs() < 2e-13, "{p}: {back}");
        }
        assert_eq!(normal_cdf(f64::INFINITY), Some(1.0));
        assert_eq!(normal_cdf(-50.0), Some(0.0));
        assert_eq!(normal_cdf(1e-200), Some(0.5));
    }
}
