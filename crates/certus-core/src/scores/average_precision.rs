//! Average precision, tied samples taken together, and the variance of its influence values.

use super::Sum;
use super::auc::ranks;
use super::groups::{Groups, Score};
use super::order::{MarkGroups, POSITIVE};
use super::spread::{BLOCK, Moments, Spread};
use crate::{exact, interrupt, simd};

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
    let few = u32::try_from(negatives.len()).is_ok();
    let apart = few && positives.windows(2).all(|pair| pair[0] < pair[1]);
    if let Some(ranks) = apart.then(|| ranks(positives, negatives)).flatten() {
        return of_ranks(&ranks, negatives.len());
    }
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
    let mut below = 0;
    let ranks: Option<Vec<u32>> = MarkGroups::new(marks)
        .filter_map(|(ours, theirs)| {
            let rank = match ours {
                0 => None,
                1 if theirs == 0 => Some(u32::try_from(below).ok()),
                _ => Some(None),
            };
            below += theirs;
            rank
        })
        .collect();
    match ranks {
        Some(ranks) => of_ranks(&ranks, negatives),
        None => of_groups(positives as u64, negatives as u64, MarkGroups::new(marks)),
    }
}

/// The same from the negatives below each positive, no sample of its score, by increasing score: a block at a time.
fn of_ranks(ranks: &[u32], negatives: usize) -> AveragePrecision {
    let (m, n) = (ranks.len() as f64, negatives as f64);
    let mut precisions = exact::Sum::default();
    let (mut gained, mut lost, mut products) = (0.0, 0.0, 0.0);
    let (mut of_positives, mut of_negatives) = (Spread::default(), Spread::default());
    of_negatives.add(f64::from(ranks.first().copied().unwrap_or(0)), 0.0);
    let mut here = [[0.0; BLOCK]; 4];
    for (place, block) in ranks.chunks(BLOCK).enumerate() {
        interrupt::at(place);
        let first = place * BLOCK;
        let next = ranks
            .get(first + block.len())
            .map_or(n, |&rank| f64::from(rank));
        products += shares(block, m - first as f64, n, next, &mut here);
        let [precision, gains, losses, counts] = here.each_mut().map(|of| &mut of[..block.len()]);
        precisions.add_all(precision);
        // What lies below has been summed.
        for ((precision, gain), loss) in precision.iter_mut().zip(gains).zip(&mut *losses) {
            gained += *gain;
            lost += *loss;
            (*precision, *loss) = (*precision + gained, lost);
        }
        of_positives.add_block(&[1.0; BLOCK][..block.len()], precision);
        of_negatives.add_block(counts, losses);
    }
    found(
        precisions.rounded(),
        products,
        m,
        n,
        &of_positives,
        &of_negatives,
    )
}

simd::widest! {
/// For each positive the precision, what it takes part in by the negatives and by the positives above, and the negatives
/// between it and the next; and the sum of the products of the two shares. `above` are positives from the first one on.
fn shares(ranks: &[u32], above: f64, n: f64, next: f64, here: &mut [[f64; BLOCK]; 4]) -> f64 {
    let size = ranks.len().min(BLOCK);
    let [precision, gains, losses, counts] = here.each_mut().map(|of| &mut of[..size]);
    let ranks = &ranks[..size];
    let mut products = [0.0; 8];
    for lane in 0..size {
        let (above, passed) = (above - f64::from(lane as u32), n - f64::from(ranks[lane]));
        let total = above + passed;
        let (share, others, part) = (above / total, passed / total, 1.0 / total);
        precision[lane] = share;
        gains[lane] = part * others;
        losses[lane] = part * share;
        counts[lane] = share * others;
    }
    for chunk in counts.chunks(8) {
        products.iter_mut().zip(chunk).for_each(|(sum, product)| *sum += product);
    }
    let pairs = ranks.iter().zip(ranks.iter().skip(1));
    for (count, (&rank, &after)) in counts.iter_mut().zip(pairs) {
        *count = f64::from(after) - f64::from(rank);
    }
    if let (Some(count), Some(&rank)) = (counts.last_mut(), ranks.last()) {
        *count = next - f64::from(rank);
    }
    products.into_iter().sum()
}
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
    found(
        precisions.total(),
        products,
        m,
        n,
        &of_positives,
        &of_negatives,
    )
}

fn found(
    precisions: f64,
    products: f64,
    m: f64,
    n: f64,
    of_positives: &Spread,
    of_negatives: &Spread,
) -> AveragePrecision {
    let per_positive = n / m;
    let value = precisions / m;
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
    fn blocks_of_ranks_give_what_single_groups_give() {
        for n in [1_u32, 2, 255, 256, 257, 5000] {
            let place = |i: u32| f64::from(i.wrapping_mul(2_654_435_769));
            let mut sides = [Vec::new(), Vec::new()];
            (0..n).for_each(|i| sides[usize::from(i % 3 == 1)].push(place(i)));
            sides
                .iter_mut()
                .for_each(|side| side.sort_by(f64::total_cmp));
            let [positives, negatives] = &sides;
            let found = average_precision(positives, negatives);
            let groups = Groups::new(positives, negatives).map(|g| (g.positives, g.negatives));
            let one = of_groups(positives.len() as u64, negatives.len() as u64, groups);
            assert!((found.value - one.value).abs() <= 2e-16);
            let pairs = [
                (found.positives, one.positives),
                (found.negatives, one.negatives),
                (found.by_odds, one.by_odds),
            ];
            assert!(pairs.iter().all(|&(a, b)| close(a, b)), "{found:?} {one:?}");
            for (a, b) in found.moments.iter().zip(one.moments) {
                let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-12 * b.abs().max(1e-3);
                assert!(a.powers.iter().zip(&b.powers).all(near), "{a:?} {b:?}");
                assert!(close(a.least, b.least) && close(a.greatest, b.greatest));
            }
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
