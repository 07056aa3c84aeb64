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
    /// The influence values of all samples in one stratum, times the share of positives: of the positives, of the
    /// negatives.
    pub moments: [Moments; 2],
}

/// Sums of the second to fourth powers of values, the least value and the greatest, 0 at least.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    pub powers: [f64; 3],
    pub least: f64,
    pub greatest: f64,
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
/// let (positives, negatives) = (&[0.7, 0.9], &[0.1, 0.8]);
/// let marks = marks_of(positives, negatives);
/// assert_eq!(average_precision_of_marks(&marks), average_precision(positives, negatives));
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
    let value = precisions.total() / m;
    AveragePrecision {
        value,
        positives: of_positives.variance(),
        negatives: per_positive * per_positive * of_negatives.variance(),
        by_odds: products / m,
        moments: [
            of_positives.about(value, 1.0),
            of_negatives.about(0.0, -1.0),
        ],
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
    /// Sums of the second to fourth powers of the differences.
    powers: [f64; 3],
    range: Option<(f64, f64)>,
    block: Block,
}

#[derive(Clone, Copy, Debug, Default)]
struct Block {
    values: u32,
    first: f64,
    count: f64,
    /// Sums of the first to fourth powers of differences to the first value.
    sums: [f64; 4],
    least: f64,
    greatest: f64,
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
        let square = difference * difference;
        block.values += 1;
        block.count += times;
        block.sums[0] += times * difference;
        block.sums[1] += times * square;
        block.sums[2] += times * square * difference;
        block.sums[3] += times * square * square;
        let counted = if times > 0.0 { difference } else { 0.0 };
        block.least = block.least.min(counted);
        block.greatest = block.greatest.max(counted);
    }

    /// Takes the block in: Pébay (2008), Sandia report SAND2008-6212, section 3.1, for the third and fourth powers.
    fn merge(&mut self) {
        let block = std::mem::take(&mut self.block);
        if block.count == 0.0 {
            return;
        }
        let (n, k) = (self.count, block.count);
        let shift = block.sums[0] / k;
        let [_, second, third, fourth] = block.sums;
        let own = [
            (second - block.sums[0] * shift).max(0.0),
            third - 3.0 * shift * second + 2.0 * shift * shift * block.sums[0],
            fourth - 4.0 * shift * third + 6.0 * shift * shift * second
                - 3.0 * shift * shift * shift * block.sums[0],
        ];
        let apart = block.first + shift - self.mean;
        let count = n + k;
        let (before, part) = (n / count, k / count);
        let [two, three, four] = self.powers;
        let square = apart * apart;
        self.powers = [
            two + own[0] + square * (n * k / count),
            three
                + own[1]
                + apart * square * (n * k / count) * (before - part)
                + 3.0 * apart * (before * own[0] - part * two),
            four + own[2]
                + square
                    * square
                    * (n * k / count)
                    * (before * before - before * part + part * part)
                + 6.0 * square * (before * before * own[0] + part * part * two)
                + 4.0 * apart * (before * own[1] - part * three),
        ];
        self.mean += apart * part;
        self.count = count;
        let (least, greatest) = (block.first + block.least, block.first + block.greatest);
        let (l, g) = self.range.unwrap_or((least, greatest));
        self.range = Some((l.min(least), g.max(greatest)));
    }

    /// The sample variance; NaN of a single value or none.
    fn variance(mut self) -> f64 {
        self.merge();
        if self.count > 1.0 {
            self.powers[0] / (self.count - 1.0)
        } else {
            f64::NAN
        }
    }

    /// The moments of the differences to a number, with that sign.
    fn about(mut self, center: f64, sign: f64) -> Moments {
        self.merge();
        let apart = self.mean - center;
        let square = apart * apart;
        let [two, three, four] = self.powers;
        let (low, high) = self.range.unwrap_or((center, center));
        let ends = [sign * (low - center), sign * (high - center)];
        Moments {
            powers: [
                two + self.count * square,
                sign * (three + apart * (3.0 * two + self.count * square)),
                four + apart * (4.0 * three + apart * (6.0 * two + self.count * square)),
            ],
            least: ends[0].min(ends[1]).min(0.0),
            greatest: ends[0].max(ends[1]).max(0.0),
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
            moments: [
                moments_of(positives, |x| {
                    precision(x) - value + sum(x, &|r, t| (t - r) / (t * t))
                }),
                moments_of(negatives, |y| -sum(y, &|r, t| r / (t * t))),
            ],
        }
    }

    fn moments_of(side: &[f64], term: impl Fn(f64) -> f64) -> Moments {
        let values: Vec<f64> = side.iter().map(|x| term(*x)).collect();
        Moments {
            powers: [2, 3, 4].map(|power| values.iter().map(|v| v.powi(power)).sum()),
            least: values.iter().copied().fold(0.0, f64::min),
            greatest: values.iter().copied().fold(0.0, f64::max),
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
            for (ours, naive) in found.moments.iter().zip(expected.moments) {
                let powers = ours.powers.iter().zip(naive.powers);
                assert!(positives.is_empty() || powers.clone().all(|(a, b)| close(*a, b)));
                assert!(positives.is_empty() || close(ours.least, naive.least));
                assert!(positives.is_empty() || close(ours.greatest, naive.greatest));
            }
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
        let center = 1e6 + 0.25;
        let moments = spread.about(center, -1.0);
        let naive = moments_of(&written_out, |value| center - value);
        for (ours, theirs) in moments.powers.iter().zip(naive.powers) {
            assert!((ours / theirs - 1.0).abs() < 1e-8, "{ours} {theirs}");
        }
        assert!(close(moments.least, naive.least) && close(moments.greatest, naive.greatest));
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
