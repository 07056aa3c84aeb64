//! Student's t distribution.

use super::beta::Beta;
use super::normal::normal_quantile;
use super::twofold::{Number, Twofold};
use super::{is_probability, quantile_by_symmetry};

/// From here on four terms of the expansion about the normal distribution are right to all digits.
const NORMAL_FROM: f64 = 1e7;

/// The probabilities below and above `t`; None for degrees of freedom that are too many.
///
/// ```
/// let (below, above) = certus_core::special::t_tails(1.0, 1.0).unwrap_or_default();
/// assert_eq!((below, above), (0.75, 0.25));
/// ```
pub fn t_tails(freedom: f64, t: f64) -> Option<(f64, f64)> {
    let beta = Beta::new(freedom / 2.0, 0.5)?;
    let square = Twofold::square(t);
    if !(1e-280..=1e150).contains(&square.hi) {
        return (t.abs() < 1.0).then_some((0.5, 0.5)); // nothing but 0 and its neighbours
    }
    let freedom = Twofold::new(freedom);
    let total = freedom + square;
    let twice = beta.at(freedom / total, square / total)?.lower;
    let (one, half) = (Twofold::new(1.0), Twofold::new(0.5));
    let (far, near) = ((twice * half).to_f64(), (one - twice * half).to_f64());
    Some(if t < 0.0 { (far, near) } else { (near, far) })
}

/// The point below which the probability `p` lies; None where there is none.
///
/// ```
/// assert_eq!(certus_core::special::t_quantile(1.0, 0.75), Some(1.0));
/// ```
pub fn t_quantile(freedom: f64, p: f64) -> Option<f64> {
    if !is_probability(p) || freedom.is_nan() || freedom <= 0.0 {
        return None;
    }
    if let Some(known) = quantile_by_symmetry(p) {
        return Some(known);
    }
    if freedom >= NORMAL_FROM {
        return normal_quantile(p).map(|z| expanded(z, freedom));
    }
    let tail = if p < 0.5 { p } else { 1.0 - p };
    let (beta, twice) = (Beta::new(freedom / 2.0, 0.5)?, Twofold::new(2.0 * tail));
    let sign = if p < 0.5 { -1.0 } else { 1.0 };
    if let Some(log) = beta.far(twice) {
        let size = ((Twofold::new(freedom).ln() - log) * Twofold::new(0.5)).exp();
        return Some(sign * size.to_f64());
    }
    let (beyond, within) = if tail <= 0.25 {
        beta.quantile(twice)?
    } else {
        let central = Twofold::new(1.0) - twice;
        let (within, beyond) = Beta::new(0.5, freedom / 2.0)?.quantile(central)?;
        (beyond, within)
    };
    let size = (Twofold::new(freedom) * within / beyond).to_f64().sqrt();
    Some(sign * size)
}

/// Fisher's expansion in the inverse of the degrees of freedom (Abramowitz & Stegun 26.7.5).
pub(super) fn expanded(z: f64, freedom: f64) -> f64 {
    if freedom.is_infinite() {
        return z;
    }
    let s = z * z;
    let first = (s + 1.0) * z / 4.0;
    let second = ((5.0 * s + 16.0) * s + 3.0) * z / 96.0;
    let third = (((3.0 * s + 19.0) * s + 17.0) * s - 15.0) * z / 384.0;
    z + (first + (second + third / freedom) / freedom) / freedom
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_degree_of_freedom_is_cauchys_distribution() {
        for p in [1e-9f64, 0.025, 0.3, 0.6, 0.975] {
            let found = t_quantile(1.0, p).unwrap_or(f64::NAN);
            let exact = -1.0 / (std::f64::consts::PI * p).tan();
            assert!((found / exact - 1.0).abs() < 1e-14, "{p}: {found}");
        }
    }

    #[test]
    fn two_degrees_of_freedom_have_a_closed_form() {
        for p in [1e-12, 0.025, 0.4, 0.6, 0.975] {
            let found = t_quantile(2.0, p).unwrap_or(f64::NAN);
            let exact = (2.0 * p - 1.0) / (2.0 * p * (1.0 - p)).sqrt();
            assert!((found / exact - 1.0).abs() < 1e-14, "{p}: {found}");
        }
    }

    #[test]
    fn the_expansion_meets_the_beta_distribution() {
        let near = t_quantile(NORMAL_FROM * 0.999_999, 0.975).unwrap_or(f64::NAN);
        let far = t_quantile(NORMAL_FROM, 0.975).unwrap_or(f64::NAN);
        assert!((near - far).abs() < 1e-12, "{near} {far}");
        assert_eq!(t_quantile(f64::INFINITY, 0.975), normal_quantile(0.975));
    }

    #[test]
    fn what_is_none_has_no_answer() {
        assert_eq!(t_quantile(f64::NAN, 0.5), None);
        assert_eq!(t_quantile(-1.0, 0.5), None);
        assert_eq!(t_tails(3.0, f64::NAN), None);
        assert_eq!(t_tails(3.0, 0.0), Some((0.5, 0.5)));
    }
}
