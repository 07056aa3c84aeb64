//! Average precision, tied samples taken together, and the variance of its influence values.

use super::Sum;
use super::groups::{Groups, Score};
use super::order::{MarkGroups, POSITIVE};

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
    let groups = Groups::new(positives, negatives).map(|group| (group.positives, group.negatives));
    of_groups(positives.len() as u64, negatives.len() as u64, groups)
}

/// The same from the marks of the samples by decreasing score, as [`marks_of`](super::marks_of) gives them.
///
/// ```
/// use certus_core::scores::{average_precision, average_precision_of_marks, marks_of};
/// let marks = marks_of(&[0.7, 0.9], &[0.8]);
/// assert_eq!(average_precision_of_marks(&marks), average_precision(&[0.7, 0.9], &[0.8]));
/// ```
#[must_use]
pub fn average_precision_of_marks(marks: &[u8]) -> AveragePrecision {
    let positives = marks.iter().filter(|mark| *mark & POSITIVE != 0).count();
    let negatives = marks.len() - positives;
    of_groups(positives as u64, negatives as u64, MarkGroups::new(marks))
}

/// The same of the positives and negatives that have each score, by increasing score.
fn of_groups(
    positives: u64,
    negatives: u64,
    groups: impl Iterator<Item = (u64, u64)>,
) -> AveragePrecision {
    let (m, n) = (positives as f64, negatives as f64);
    let (mut above, mut false_above) = (positives, negatives);
    let mut precisions = Sum::default();
    let (mut gained, mut lost, mut products) = (0.0, 0.0, 0.0);
    let (mut of_positives, mut of_negatives) = (Spread::default(), Spread::default());
    // By increasing score, so that what lies below has been summed.
    for (ours, theirs) in groups {
        if ours > 0 {
            let a = ours as f64;
            let total = (above + false_above) as f64;
            let precision = above as f64 / total;
            let part = a / total;
            precisions.add(a * precision);
            products += a * precision * (false_above as f64 / total);
            gained += part * (false_above as f64 / total);
            lost += part * precision;
            of_positives.add(a, precision + gained);
        }
        of_negatives.add(theirs as f64, lost);
        above -= ours;
        false_above -= theirs;
    }
    let per_positive = n / m;
    AveragePrecision {
        value: precisions.total() / m,
        positives: of_positives.variance(),
        negatives: per_positive * per_positive * of_negatives.variance(),
        by_odds: products / m,
    }
}

/// Values that are taken together before they are merged with those before.
const BLOCK: u32 = 256;

/// The spread of values that come one by one, from differences to their mean.
///
/// A block of values is summed as differences to its first one, then merged with what came before: Chan, Golub & LeVeque
/// (1983), Am. Stat. 37(3):242-247, doi:10.1080/00031305.1983.10483115.
#[derive(Clone, Copy, Debug, Default)]
struct Spread {
    count: f64,
    mean: f64,
    squares: f64,
    block: Block,
}

#[derive(Clone, Copy, Debug, Default)]
struct Block {
    values: u32,
    first: f64,
    count: f64,
    sum: f64,
    squares: f64,
}

impl Spread {
    /// Adds a value so many times.
    #[inline]
    fn add(&mut self, times: f64, value: f64) {
        if self.block.values == BLOCK {
            self.merge();
        }
        let block = &mut self.block;
        if block.values == 0 {
            block.first = value;
        }
        let difference = value - block.first;
        block.values += 1;
        block.count += times;
        block.sum += times * difference;
        block.squares += times * difference * difference;
    }

    fn merge(&mut self) {
        let block = std::mem::take(&mut self.block);
        if block.count == 0.0 {
            return;
        }
        let shift = block.sum / block.count;
        let apart = block.first + shift - self.mean;
        let count = self.count + block.count;
        self.squares += (block.squares - block.sum * shift).max(0.0)
            + apart * apart * (self.count * block.count / count);
        self.mean += apart * (block.count / count);
        self.count = count;
    }

    /// The sample variance; NaN of a single value or none.
    fn variance(mut self) -> f64 {
        self.merge();
        if self.count > 1.0 {
            self.squares / (self.count - 1.0)
        } else {
            f64::NAN
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scores::marks_of;
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
            let of_marks = average_precision_of_marks(&marks_of(&positives, &negatives));
            assert_eq!(format!("{of_marks:?}"), format!("{found:?}"));
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
    fn a_spread_is_the_variance_of_all_values_over_many_blocks() {
        let values: Vec<f64> = (0..10_000)
            .map(|i| 1e6 + (f64::from(i) * 0.37).sin())
            .collect();
        let mut spread = Spread::default();
        let mut written_out = Vec::new();
        for (i, &value) in values.iter().enumerate() {
            spread.add((i % 3) as f64, value);
            written_out.extend(std::iter::repeat_n(value, i % 3));
        }
        let expected = sample_variance(&written_out);
        assert!((spread.variance() / expected - 1.0).abs() < 1e-9);
        assert!(Spread::default().variance().is_nan());
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
