//! Quantiles of Student's t distribution of one tail and many degrees of freedom.

use super::normal::normal_quantile;
use super::student::expanded;

/// Points of a polynomial: each factor of 2 in the degrees of freedom has its own.
const POINTS: usize = 18;
const SEGMENTS: usize = 24;
/// The most steps of Newton's method, which takes about four, and the most terms of a continued fraction.
const STEPS: usize = 60;
const FRACTIONS: usize = 20_000;
const LEAST: f64 = 1e-60;
/// From so many degrees of freedom on, and from so many times the square of the normal quantile, three terms of the
/// expansion about it are right to 13 digits, and the fraction loses some of them.
const EXPANDED: (f64, f64) = (4096.0, 1000.0);

/// The points above which the probability is `tail`, in a thousandth of the time of [`t_quantile`](super::t_quantile)
/// each, and right to 12 digits or more.
///
/// The logarithm of a quantile is a smooth function of the inverse degrees of freedom: polynomials through Chebyshev's
/// points stand for it, which are made where they are first needed. A quantile depends on the tail and on its own degrees
/// of freedom, and on nothing that was asked before.
///
/// ```
/// let mut quantiles = certus_core::special::TQuantiles::new(0.025).unwrap();
/// let exact = certus_core::special::t_quantile(31.4, 0.975).unwrap();
/// assert!((quantiles.upper(31.4) / exact - 1.0).abs() < 1e-14);
/// ```
pub struct TQuantiles {
    tail: f64,
    normal: f64,
    points: [(f64, f64); POINTS],
    segments: [Option<[f64; POINTS]>; SEGMENTS],
}

impl TQuantiles {
    /// None for a tail that does not lie between 1e-60 and 1/2.
    #[must_use]
    pub fn new(tail: f64) -> Option<Self> {
        if !(LEAST..0.5).contains(&tail) {
            return None;
        }
        let mut points = [(0.0, 0.0); POINTS];
        for (k, (x, weight)) in points.iter_mut().enumerate() {
            let angle = std::f64::consts::PI * (2 * k + 1) as f64 / (2 * POINTS) as f64;
            let sign = if k % 2 == 0 { 1.0 } else { -1.0 };
            (*x, *weight) = (angle.cos(), sign * angle.sin());
        }
        Some(Self {
            tail,
            normal: -normal_quantile(tail)?,
            points,
            segments: [None; SEGMENTS],
        })
    }

    /// The quantile of so many degrees of freedom, 1 at least; NaN for fewer.
    pub fn upper(&mut self, freedom: f64) -> f64 {
        if freedom.is_nan() || freedom < 1.0 {
            return f64::NAN;
        }
        if freedom >= EXPANDED.0.max(EXPANDED.1 * self.normal * self.normal) {
            return expanded(self.normal, freedom);
        }
        // From 2^k to 2^(k + 1), by the exponent of the number.
        let segment = (freedom.to_bits() >> 52) as usize - 1023;
        let start = (1_u64 << segment) as f64;
        let (tail, normal, points) = (self.tail, self.normal, &self.points);
        let logs = self.segments[segment].get_or_insert_with(|| {
            points.map(|(x, _)| direct(4.0 * start / (3.0 + x), tail, normal).ln())
        });
        let here = 4.0 * start / freedom - 3.0;
        let (mut above, mut below) = (0.0, 0.0);
        for ((x, weight), log) in points.iter().zip(logs.iter()) {
            let apart = here - x;
            if apart == 0.0 {
                return log.exp();
            }
            let share = weight / apart;
            above += share * log;
            below += share;
        }
        (above / below).exp()
    }
}

/// The quantile by Newton's method on the logarithm of the tail, as a function of that of the point.
fn direct(freedom: f64, tail: f64, normal: f64) -> f64 {
    // Source: Wallace (1959), Ann. Math. Statist. 30(4):1121-1126, doi:10.1214/aoms/1177706090.
    let squeezed = normal * (8.0 * freedom + 3.0) / (8.0 * freedom + 1.0);
    let mut log = (freedom * (squeezed * squeezed / freedom).exp_m1()).ln() / 2.0;
    let gamma_ratio = gamma_ratio(freedom / 2.0);
    for _ in 0..STEPS {
        let t = log.exp();
        let (found, slope) = beyond(freedom, t, gamma_ratio);
        // Too far out for doubles: back.
        let step = if found > 0.0 {
            (found / tail).ln() * found / slope
        } else {
            -0.1
        };
        log += step.clamp(-2.0, 2.0);
        if step.abs() < 1e-10 {
            break;
        }
    }
    log.exp()
}

/// The probability beyond t, and the density times t.
fn beyond(freedom: f64, t: f64, gamma_ratio: f64) -> (f64, f64) {
    let a = freedom / 2.0;
    let square = t * t / freedom;
    // x^a (1 - x)^(1/2) / B(a, 1/2) with x = freedom / (freedom + t^2)
    let total = 1.0 + square;
    let kernel = (-a * square.ln_1p()).exp() * (square / total).sqrt() * gamma_ratio
        / std::f64::consts::PI.sqrt();
    let (x, y) = (1.0 / total, square / total);
    let found = if x * (a + 2.5) < a + 1.0 {
        kernel * fraction(a, 0.5, x) / (2.0 * a)
    } else {
        0.5 - kernel * fraction(0.5, a, y)
    };
    (found, kernel)
}

/// The continued fraction of the incomplete beta function, by Lentz's method.
///
/// Source: Abramowitz & Stegun 26.5.8; Lentz (1976), Appl. Opt. 15(3):668-671, doi:10.1364/AO.15.000668.
fn fraction(a: f64, b: f64, x: f64) -> f64 {
    let mut below = 1.0 / (1.0 - (a + b) * x / (a + 1.0));
    let (mut above, mut value) = (1.0, below);
    for k in 1..FRACTIONS {
        let m = k as f64;
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        below = 1.0 / (1.0 + even * below);
        above = 1.0 + even / above;
        value *= below * above;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        below = 1.0 / (1.0 + odd * below);
        above = 1.0 + odd / above;
        value *= below * above;
        if (below * above - 1.0).abs() < f64::EPSILON {
            break;
        }
    }
    value
}

/// Gamma(a + 1/2) / Gamma(a).
fn gamma_ratio(a: f64) -> f64 {
    let (mut a, mut factor) = (a, 1.0);
    while a < 16.0 {
        factor *= a / (a + 0.5);
        a += 1.0;
    }
    // The series of the logarithm of Gamma(a + 1/2) / (Gamma(a) sqrt(a)), from Bernoulli numbers.
    let u = 1.0 / (a * a);
    let series = -1.0 / 8.0
        + u * (1.0 / 192.0
            + u * (-1.0 / 640.0
                + u * (17.0 / 14336.0 + u * (-31.0 / 18432.0 + u * 691.0 / 180_224.0))));
    factor * a.sqrt() * (series / a).exp()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::special::t_quantile;

    #[test]
    fn quantiles_are_those_of_numbers_of_twice_the_precision() {
        for tail in [1e-60, 1e-30, 1e-12, 2.5e-6, 5e-4, 0.025, 0.05, 0.2, 0.3] {
            let mut quantiles = TQuantiles::new(tail).unwrap();
            let mut freedom = 1.0;
            while freedom < 2e7 {
                let found = quantiles.upper(freedom);
                if let Some(exact) = t_quantile(freedom, tail) {
                    // Many degrees of freedom: of 1 - x a thousandth is left, and as many digits less.
                    let slack = 3e-13;
                    assert!(
                        (found / -exact - 1.0).abs() < slack,
                        "{tail} {freedom}: {found} for {exact}"
                    );
                }
                freedom *= 1.37;
            }
        }
    }

    #[test]
    fn a_quantile_does_not_depend_on_what_was_asked_before() {
        let mut often = TQuantiles::new(0.01).unwrap();
        for freedom in [1.0, 3.5, 1.75, 100.0, 3.5, 1e6, 2.0] {
            let mut once = TQuantiles::new(0.01).unwrap();
            assert_eq!(often.upper(freedom), once.upper(freedom));
        }
    }

    #[test]
    fn what_is_none_has_no_answer() {
        for tail in [0.0, 1e-61, 0.5, 1.0, -1.0, f64::NAN] {
            assert!(TQuantiles::new(tail).is_none());
        }
        let mut quantiles = TQuantiles::new(0.025).unwrap();
        assert!(quantiles.upper(0.5).is_nan() && quantiles.upper(f64::NAN).is_nan());
        assert_eq!(
            quantiles.upper(f64::INFINITY),
            -normal_quantile(0.025).unwrap()
        );
    }
}
