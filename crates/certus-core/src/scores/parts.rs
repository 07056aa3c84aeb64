//! The area under the ROC curve of many small parts of the samples at once.

use super::auc::{Auc, Placements};
use super::groups::Score;
use super::sides::Keyed;
use crate::{interrupt, threads};

/// Parts worked on by a thread before it is worth asking another one to help.
const PARTS_PER_TASK: usize = 256;

/// A part of the samples: how many positives and negatives it has, and what there is to know of their pairs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartAuc {
    pub positives: usize,
    pub negatives: usize,
    pub auc: Auc,
    /// What positives and negatives lose.
    pub losses: [Losses; 2],
}

/// What the samples of a class lose: the share of the other class that is on their wrong side, less the mean. Where the
/// area is below 1/2, the right side is the wrong one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Losses {
    /// The samples that lose more than the upper quartile, as `(sum l)^2 / sum l^2` of what they lose beyond it; 1 at
    /// least.
    pub beyond: f64,
    /// What is lost beyond the upper quartile, on average over the class.
    pub mean: f64,
    pub greatest: f64,
}

impl Losses {
    /// Of increasing losses.
    fn of(losses: &[f64]) -> Self {
        let Some(greatest) = losses.last() else {
            return Self::default();
        };
        let place = 0.75 * (losses.len() - 1) as f64;
        let (low, high) = (
            losses[place.floor() as usize],
            losses[place.ceil() as usize],
        );
        let quartile = low + place.fract() * (high - low);
        let (mut sum, mut squares) = (0.0, 0.0);
        // Those below the quartile add nothing.
        for loss in &losses[place.floor() as usize..] {
            let beyond = (loss - quartile).max(0.0);
            sum += beyond;
            squares += beyond * beyond;
        }
        let units = if squares > 0.0 {
            sum * sum / squares
        } else {
            1.0
        };
        Self {
            beyond: units.max(1.0),
            mean: sum / losses.len() as f64,
            greatest: *greatest,
        }
    }

    /// Of a class from its placements in halves of the other class, by increasing scores, into `losses`.
    fn of_class(
        halves: &[u64],
        others: usize,
        area: f64,
        positive: bool,
        losses: &mut Vec<f64>,
    ) -> Self {
        let sign = if area >= 0.5 { -1.0 } else { 1.0 };
        let loss = |half: &u64| sign * (*half as f64 / 2.0 / others as f64 - area);
        losses.clear();
        // The higher a positive is the more it wins, and the lower a negative.
        if positive == (area >= 0.5) {
            losses.extend(halves.iter().rev().map(loss));
        } else {
            losses.extend(halves.iter().map(loss));
        }
        Self::of(losses)
    }
}

/// What positives and negatives lose, of two ascending sides.
///
/// ```
/// let [positives, _] = certus_core::scores::losses_of_sides(&[0.2, 0.7, 0.8, 0.9], &[0.1, 0.5]).unwrap();
/// assert_eq!((positives.greatest, positives.mean), (0.375, 0.09375));
/// ```
///
/// # Errors
///
/// A side has 2^32 samples or more.
pub fn losses_of_sides<T: Score>(positives: &[T], negatives: &[T]) -> Result<[Losses; 2], String> {
    let mut placements = Placements::default();
    let auc = placements.of(positives, negatives)?;
    Ok(losses_of(&placements, auc.twice_wins, &mut Vec::new()))
}

fn losses_of(placements: &Placements, twice_wins: u128, room: &mut Vec<f64>) -> [Losses; 2] {
    let (m, n) = (placements.positives.len(), placements.negatives.len());
    let area = twice_wins as f64 / (2.0 * m as f64 * n as f64);
    [
        Losses::of_class(&placements.positives, n, area, true, room),
        Losses::of_class(&placements.negatives, m, area, false, room),
    ]
}

/// Places of the samples of each code, in their order, one code after another, and where each code ends.
///
/// ```
/// let (order, ends) = certus_core::scores::order_of_codes(&[1, 0, 1, 0], 3).unwrap();
/// assert_eq!((order, ends), (vec![1, 3, 0, 2], vec![2, 4, 4]));
/// ```
///
/// # Errors
///
/// A code is not below `size`.
pub fn order_of_codes(codes: &[u32], size: usize) -> Result<(Vec<i64>, Vec<i64>), &'static str> {
    let mut next = starts(codes.iter().map(|code| *code as usize), size)?;
    let mut order = vec![0; codes.len()];
    for (place, code) in (0..).zip(codes) {
        let next = &mut next[*code as usize];
        order[*next] = place;
        *next += 1;
    }
    Ok((order, next.into_iter().map(|end| end as i64).collect()))
}

/// The area of each part of the samples, the parts told by codes from 0; no score is NaN.
///
/// ```
/// let found = certus_core::scores::auc_of_parts(&[0.9, 0.5, 0.1], &[true, true, false], &[1, 0, 1], 2).unwrap();
/// assert_eq!((found[0].positives, found[0].negatives), (1, 0));
/// assert_eq!(found[1].auc.twice_wins, 2);
/// ```
///
/// # Errors
///
/// There is not one truth and one code for each score, a code is not below `size`, or a part is too large for `auc`.
pub fn auc_of_parts<T: Keyed>(
    scores: &[T],
    truth: &[bool],
    codes: &[u32],
    size: usize,
) -> Result<Vec<PartAuc>, String>
where
    T::Key: super::Score + Default,
{
    if scores.len() != truth.len() || scores.len() != codes.len() {
        return Err("each score needs its truth and its code".into());
    }
    // The positives of each part, then its negatives.
    let sides = || {
        codes
            .iter()
            .zip(truth)
            .map(|(code, positive)| 2 * *code as usize + usize::from(!positive))
    };
    let mut next = starts(sides(), 2 * size)?;
    let mut keys = vec![T::Key::default(); scores.len()];
    for (side, score) in sides().zip(scores) {
        let next = &mut next[side];
        keys[*next] = score.key();
        *next += 1;
    }
    let ends = next;
    let start = |side: usize| side.checked_sub(1).map_or(0, |before| ends[before]);
    let found = threads::map(size, PARTS_PER_TASK, |parts| {
        let (first, mut own) = (start(2 * parts.start), Vec::new());
        own.extend_from_slice(&keys[first..start(2 * parts.end)]);
        let side = |side: usize| start(side) - first..ends[side] - first;
        let (mut placements, mut losses) = (Placements::default(), Vec::new());
        parts
            .map(|part| {
                interrupt::poll();
                let sides = [side(2 * part), side(2 * part + 1)];
                for side in sides.clone() {
                    own[side].sort_unstable();
                }
                let [positives, negatives] = sides.map(|side| &own[side]);
                let auc = placements.of(positives, negatives)?;
                Ok(PartAuc {
                    positives: positives.len(),
                    negatives: negatives.len(),
                    losses: losses_of(&placements, auc.twice_wins, &mut losses),
                    auc,
                })
            })
            .collect::<Vec<Result<_, String>>>()
    });
    found.into_iter().collect()
}

/// Where the samples of each code start, those of one code after another.
fn starts(codes: impl Iterator<Item = usize>, size: usize) -> Result<Vec<usize>, &'static str> {
    let mut counts = vec![0; size];
    for code in codes {
        *counts.get_mut(code).ok_or("a code is too large")? += 1;
    }
    let mut start = 0;
    for count in &mut counts {
        start += std::mem::replace(count, start);
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scores::auc;
    use crate::scores::naive::pairs_of_sides;

    #[test]
    fn each_part_has_the_area_of_its_own_samples() {
        let (mut scores, mut truth, mut codes) = (Vec::<f64>::new(), Vec::new(), Vec::new());
        let sides = pairs_of_sides();
        for (code, (positives, negatives)) in (0..).zip(&sides) {
            for (side, class) in [(negatives, false), (positives, true)] {
                scores.extend(side.iter().rev());
                truth.extend(side.iter().map(|_| class));
                codes.extend(side.iter().map(|_| code));
            }
        }
        scores.reverse();
        truth.reverse();
        codes.reverse();
        let found = auc_of_parts(&scores, &truth, &codes, sides.len() + 1);
        let expected: Result<Vec<_>, String> = sides
            .iter()
            .chain([&(vec![], vec![])])
            .map(|(positives, negatives)| {
                let auc = auc(positives, negatives)?;
                Ok(PartAuc {
                    positives: positives.len(),
                    negatives: negatives.len(),
                    losses: naive(positives, negatives, auc.twice_wins),
                    auc,
                })
            })
            .collect();
        for (found, expected) in found
            .unwrap_or_default()
            .iter()
            .zip(expected.unwrap_or_default())
        {
            assert_eq!(
                (found.positives, found.negatives),
                (expected.positives, expected.negatives)
            );
            assert_eq!(found.auc, expected.auc);
            for (ours, naive) in found.losses.iter().zip(expected.losses) {
                let pairs = [
                    (ours.beyond, naive.beyond),
                    (ours.mean, naive.mean),
                    (ours.greatest, naive.greatest),
                ];
                assert!(
                    pairs
                        .iter()
                        .all(|(a, b)| (a - b).abs() < 1e-12 || a.is_nan() && b.is_nan())
                );
            }
        }
    }

    /// Each sample's loss from all its pairs.
    fn naive(positives: &[f64], negatives: &[f64], twice_wins: u128) -> [Losses; 2] {
        let halves = |p: &f64, n: &f64| f64::from(u8::from(p > n)) + f64::from(u8::from(p >= n));
        let area = twice_wins as f64 / (2 * positives.len() * negatives.len()) as f64;
        let sign = if area >= 0.5 { -1.0 } else { 1.0 };
        let of = |won: Vec<f64>, others: usize| {
            let mut losses: Vec<_> = won
                .iter()
                .map(|won| sign * (won / (2 * others) as f64 - area))
                .collect();
            losses.sort_by(f64::total_cmp);
            Losses::of(&losses)
        };
        let of_positive = |p: &f64| negatives.iter().map(|n| halves(p, n)).sum::<f64>();
        let of_negative = |n: &f64| positives.iter().map(|p| halves(p, n)).sum::<f64>();
        [
            of(positives.iter().map(of_positive).collect(), negatives.len()),
            of(negatives.iter().map(of_negative).collect(), positives.len()),
        ]
    }

    #[test]
    fn losses_beyond_the_quartile_are_few_where_few_lose_much() {
        let found = Losses::of(&[-1.0, 0.0, 0.0, 1.0, 3.0]);
        assert_eq!((found.beyond, found.mean, found.greatest), (1.0, 0.4, 3.0));
        assert_eq!(
            Losses::of(&[2.0; 7]),
            Losses {
                beyond: 1.0,
                mean: 0.0,
                greatest: 2.0
            }
        );
    }

    #[test]
    fn codes_and_lengths_that_do_not_fit_are_refused() {
        assert!(order_of_codes(&[0, 2], 2).is_err());
        assert!(auc_of_parts(&[0.5], &[true], &[1], 1).is_err());
        assert!(auc_of_parts(&[0.5], &[true], &[], 1).is_err());
        assert!(auc_of_parts(&[0.5_f32], &[], &[0], 1).is_err());
    }
}
