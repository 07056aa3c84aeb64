//! The many small values of a sum with random signs, by the cumulants of their sum.
//!
//! The logarithm of a factor `cos(w v) + i tanh(c v) sin(w v)` is analytic in `w v` up to pi / 2, so that small values
//! need no factor of their own: sums of powers of them do, to an error that is known.

use std::f64::consts::FRAC_2_PI;

/// Cumulants that are summed.
const ORDER: usize = 10;
/// Greatest product of a frequency and a value.
const REACH: f64 = 0.55;
/// Logarithm by which the transform is to have fallen where the series ends.
const FALL: f64 = 40.0;
/// Of values beyond the reach the squared factor falls by a half on average, of others at most by this.
const FALL_OF_LARGE: f64 = 0.35;
/// Values that may have a factor of their own.
const MOST_LARGE: usize = 4096;

/// The values but the largest.
pub(super) struct Series {
    /// How many of the largest values have a factor of their own.
    pub large: usize,
    /// Frequency up to which the series is good.
    pub end: f64,
    /// Mean of the sum of the small ones.
    pub mean: f64,
    /// Their cumulants over factorials, from the second on.
    terms: [f64; ORDER - 1],
    greatest: f64,
    squares: f64,
}

impl Series {
    /// The series of the small ones among descending values; None where too many are large.
    pub fn new(descending: &[f64], tilt: f64) -> Option<Self> {
        let large = split(descending, tilt)?;
        let small = &descending[large..];
        let greatest = *small.first()?;
        if !(greatest > 0.0 && greatest.is_finite()) {
            return None;
        }
        let polynomials = polynomials();
        let mut sums = [0.0; ORDER];
        for value in small {
            let slope = (tilt * value).tanh();
            let square = slope * slope;
            let mut power = 1.0;
            for (sum, polynomial) in sums.iter_mut().zip(&polynomials) {
                power *= value / greatest;
                *sum += power * polynomial.at(slope, square);
            }
        }
        let mut terms = [0.0; ORDER - 1];
        let mut factorial = 1.0;
        for (index, term) in terms.iter_mut().enumerate() {
            factorial *= (index + 2) as f64;
            *term = sums[index + 1] / factorial;
        }
        let squares = small.iter().map(|v| (v / greatest).powi(2)).sum();
        Some(Series {
            large,
            end: REACH / greatest,
            mean: sums[0] * greatest,
            terms,
            greatest,
            squares,
        })
    }

    /// Logarithm of the size, and angle, of the product of the small values' factors but for the mean; and the greatest
    /// relative error of it.
    pub fn at(&self, w: f64) -> (f64, f64, f64) {
        let y = w * self.greatest;
        let (mut size, mut angle, mut power) = (0.0, 0.0, y);
        for (index, term) in self.terms.iter().enumerate() {
            power *= y;
            // powers of i: -1, -i, 1, i
            let signed = if index % 4 < 2 { -power } else { power };
            if index % 2 == 0 {
                size += signed * term;
            } else {
                angle += signed * term;
            }
        }
        // By Cauchy's bound the coefficient of y^j is at most 2 (2 / pi)^j / j.
        let ratio = FRAC_2_PI * y;
        let left = 2.0 * ratio.powi(ORDER as i32 + 1) * self.squares
            / ((ORDER + 1) as f64 * (1.0 - ratio));
        (size, angle, left.exp_m1())
    }
}

/// The least number of large values with which the transform has fallen before the series of the others ends.
fn split(descending: &[f64], tilt: f64) -> Option<usize> {
    let bent = |value: f64| 1.0 - (tilt * value).tanh().powi(2);
    let mut variance: f64 = descending.iter().map(|v| v * v * bent(*v)).sum();
    let mut fallen = 0.0;
    for (index, value) in descending.iter().enumerate().take(MOST_LARGE) {
        let fall = 0.5 * REACH.powi(2) * variance.max(0.0) / value.powi(2) + fallen;
        if fall >= FALL {
            return Some(index);
        }
        variance -= value * value * bent(*value);
        fallen += FALL_OF_LARGE * bent(*value);
    }
    None
}

/// An odd or even polynomial, by its coefficients of the powers 0 or 1, 2 or 3, ...
struct Polynomial {
    coefficients: Vec<f64>,
    odd: bool,
}

impl Polynomial {
    fn at(&self, slope: f64, square: f64) -> f64 {
        let even = self
            .coefficients
            .iter()
            .rev()
            .fold(0.0, |sum, each| sum * square + each);
        if self.odd { even * slope } else { even }
    }
}

/// The derivatives of the logarithm of cosh as polynomials of tanh.
fn polynomials() -> Vec<Polynomial> {
    let mut dense = vec![0.0, 1.0];
    let mut all = Vec::with_capacity(ORDER);
    for order in 1..=ORDER {
        let odd = order % 2 == 1;
        let coefficients = dense
            .iter()
            .skip(usize::from(odd))
            .step_by(2)
            .copied()
            .collect();
        all.push(Polynomial { coefficients, odd });
        let mut next = vec![0.0; dense.len() + 1];
        for (power, each) in dense.iter().enumerate().skip(1) {
            next[power - 1] += each * power as f64;
            next[power + 1] -= each * power as f64;
        }
        dense = next;
    }
    all
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::f64::consts::PI;

    #[test]
    fn the_series_is_within_its_error_of_the_product() {
        let values: Vec<f64> = (1..=2000)
            .map(|i| (f64::from(i) * 0.618_034).fract() + 0.01)
            .collect();
        let mut descending = values.clone();
        descending.sort_unstable_by(|a, b| b.total_cmp(a));
        for tilt in [0.01, 0.4, 2.0] {
            let series = Series::new(&descending, tilt).unwrap();
            for part in 1..=20 {
                let w = series.end * f64::from(part) / 20.0;
                let (mut size, mut angle) = (0.0, -w * series.mean);
                for value in &descending[series.large..] {
                    let (s, c) = (w * value).sin_cos();
                    let turned = (tilt * value).tanh() * s;
                    size += 0.5 * c.mul_add(c, turned * turned).ln();
                    angle += turned.atan2(c);
                }
                let (log, turn, left) = series.at(w);
                let off = (log - size).hypot((turn - angle + PI).rem_euclid(2.0 * PI) - PI);
                assert!(off <= left + 1e-10, "{tilt} {w} {off} {left}");
            }
        }
    }
}
