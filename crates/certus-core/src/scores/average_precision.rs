//! Average precision, tied samples taken together, and the variance of its influence values.

use super::Sum;
use super::groups::{Groups, Score};

/// Average precision and the sample variances of its influence values in the two classes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AveragePrecision {
    pub value: f64,
    /// Of the positives' influence values, which a mean over `m` of them adds to the error; NaN for a single one.
    pub positives: f64,
    pub negatives: f64,
    /// The derivative by the logarithm of the odds of a positive: what the share of positives has to do with it.
    pub by_odds: f64,
}

/// Average precision: precision at each positive's score, averaged; NaN without positives.
///
/// With R positives and T samples at or above a score, precision there is `R / T`. The influence value of a positive
/// with score x is `R(x) / T(x) - AP + S(x)`, where S sums `(T - R) / T^2` over the positives at or below x, and that of
/// a negative `-(n / m) Q(x)`, where Q sums `R / T^2`; each less the mean of its class.
///
/// ```
/// let found = certus_core::scores::average_precision(&[0.7, 0.9], &[0.8]);
/// assert_eq!(found.value, (1.0 + 2.0 / 3.0) / 2.0);
/// ```
#[must_use]
pub fn average_precision<T: Score>(positives: &[T], negatives: &[T]) -> AveragePrecision {
    let (m, n) = (positives.len() as f64, negatives.len() as f64);
    let mut precisions = Sum::default();
    let mut products = Sum::default();
    walk(positives, negatives, |at| {
        precisions.add(at.a * (at.above / at.total));
        products.add(at.a * (at.above / at.total) * (at.false_above / at.total));
    });
    let value = precisions.total() / m;
    // Both classes' sums of S and Q are the sum of R (T - R) / T^2.
    let mean_positive = value + products.total() / m;
    let mean_negative = products.total() / n;
    let (mut gained, mut lost) = (0.0, 0.0);
    let (mut squares_positive, mut squares_negative) = (0.0, 0.0);
    walk(positives, negatives, |at| {
        gained += at.a * (at.false_above / at.total) / at.total;
        lost += at.a * (at.above / at.total) / at.total;
        squares_positive += at.a * (at.above / at.total + gained - mean_positive).powi(2);
        squares_negative += at.b * (lost - mean_negative).powi(2);
    });
    let per_positive = n / m;
    AveragePrecision {
        value,
        positives: variance(squares_positive, m),
        negatives: per_positive * per_positive * variance(squares_negative, n),
        by_odds: products.total() / m,
    }
}

fn variance(squares: f64, count: f64) -> f64 {
    if count > 1.0 {
        squares / (count - 1.0)
    } else {
        f64::NAN
    }
}

/// One group of equal scores: its positives and negatives, and how many samples have at least its score.
struct At {
    a: f64,
    b: f64,
    above: f64,
    false_above: f64,
    total: f64,
}

/// Visits the groups by increasing score.
#[inline]
fn walk<T: Score>(positives: &[T], negatives: &[T], mut visit: impl FnMut(At)) {
    let (mut above, mut false_above) = (positives.len() as u64, negatives.len() as u64);
    for group in Groups::new(positives, negatives) {
        visit(At {
            a: group.positives as f64,
            b: group.negatives as f64,
            above: above as f64,
            false_above: false_above as f64,
            total: (above + false_above) as f64,
        });
        above -= group.positives;
        false_above -= group.negatives;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scores::naive::pairs_of_sides;

    /// `(R, T)` at a threshold.
    fn at(positives: &[f64], negatives: &[f64], score: f64) -> (f64, f64) {
        let r = positives.iter().filter(|s| **s >= score).count();
        let v = negatives.iter().filter(|s| **s >= score).count();
        (r as f64, (r + v) as f64)
    }

    fn sample_variance(values: &[f64]) -> f64 {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0)
    }

    fn naive(positives: &[f64], negatives: &[f64]) -> AveragePrecision {
        let (m, n) = (positives.len() as f64, negatives.len() as f64);
        let precision = |x: f64| {
            let (r, t) = at(positives, negatives, x);
            r / t
        };
        let sum = |x: f64, term: &dyn Fn(f64, f64) -> f64| -> f64 {
            positives
                .iter()
                .filter(|p| **p <= x)
                .map(|&p| at(positives, negatives, p))
                .map(|(r, t)| term(r, t))
                .sum()
        };
        let value = positives.iter().map(|&p| precision(p)).sum::<f64>() / m;
        let of_positives: Vec<f64> = positives
            .iter()
            .map(|&x| precision(x) - value + sum(x, &|r, t| (t - r) / (t * t)))
            .collect();
        let of_negatives: Vec<f64> = negatives
            .iter()
            .map(|&y| -n / m * sum(y, &|r, t| r / (t * t)))
            .collect();
        AveragePrecision {
            value,
            positives: sample_variance(&of_positives),
            negatives: sample_variance(&of_negatives),
            by_odds: positives
                .iter()
                .map(|&p| precision(p) * (1.0 - precision(p)))
                .sum::<f64>()
                / m,
        }
    }

    fn close(a: f64, b: f64) -> bool {
        a.is_nan() && b.is_nan() || (a - b).abs() <= 1e-13
    }

    #[test]
    fn agrees_with_the_definition_for_every_pattern_of_ties() {
        for (positives, negatives) in pairs_of_sides() {
            let found = average_precision(&positives, &negatives);
            let expected = naive(&positives, &negatives);
            assert!(close(found.value, expected.value), "{found:?} {expected:?}");
            assert!(close(found.by_odds, expected.by_odds));
            assert!(
                positives.len() < 2 || close(found.positives, expected.positives),
                "{found:?} {expected:?}"
            );
            assert!(
                positives.is_empty()
                    || negatives.len() < 2
                    || close(found.negatives, expected.negatives),
                "{found:?} {expected:?}"
            );
        }
    }

    #[test]
    fn perfect_separation_is_exactly_1() {
        for m in 1..100 {
            let positives: Vec<f64> = (0..m).map(f64::from).collect();
            let found = average_precision(&positives, &[-1.0, -2.0]);
            assert_eq!(found.value, 1.0);
        }
    }
}
