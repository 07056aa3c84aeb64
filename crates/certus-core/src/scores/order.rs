//! Samples by decreasing score: one mark each, and a mass each.

use super::groups::{Groups, Score};
use super::metric::Metric;
use super::walk::{Totals, Walker, steps_of};
use crate::threads;
use std::cmp::Ordering;

/// Cells sorted by a thread before it is worth asking another one to help.
const CELLS_PER_TASK: usize = 1 << 14;

/// Set in the mark of a positive.
pub const POSITIVE: u8 = 1;
/// Set in the mark of the last sample of each score.
pub const LAST: u8 = 2;

/// One mark per sample of two ascending sides, by decreasing score: [`POSITIVE`] and [`LAST`].
///
/// ```
/// use certus_core::scores::{LAST, POSITIVE, marks_of};
/// assert_eq!(marks_of(&[0.5, 0.9], &[0.1, 0.5]), [POSITIVE | LAST, POSITIVE, LAST, LAST]);
/// ```
#[must_use]
pub fn marks_of<T: Score>(positives: &[T], negatives: &[T]) -> Vec<u8> {
    let mut marks = Vec::with_capacity(positives.len() + negatives.len());
    for group in Groups::new(positives, negatives).rev() {
        marks.extend((0..group.positives).map(|_| POSITIVE));
        marks.extend((0..group.negatives).map(|_| 0));
        if let Some(last) = marks.last_mut() {
            *last |= LAST;
        }
    }
    marks
}

/// The positives and the negatives of each score, by increasing score, from the marks of samples by decreasing score.
///
/// ```
/// use certus_core::scores::{MarkGroups, marks_of};
/// let marks = marks_of(&[0.5, 0.9], &[0.1, 0.5]);
/// assert!(MarkGroups::new(&marks).eq([(0, 1), (1, 1), (1, 0)]));
/// ```
#[derive(Clone, Debug)]
pub struct MarkGroups<'a>(&'a [u8]);

impl<'a> MarkGroups<'a> {
    #[must_use]
    pub fn new(marks: &'a [u8]) -> Self {
        Self(marks)
    }
}

impl Iterator for MarkGroups<'_> {
    type Item = (u64, u64);

    #[inline]
    fn next(&mut self) -> Option<(u64, u64)> {
        let (last, mut rest) = self.0.split_last()?;
        let mut positives = u64::from(last & POSITIVE);
        let mut samples = 1;
        while let [others @ .., mark] = rest {
            if mark & LAST != 0 {
                break;
            }
            positives += u64::from(mark & POSITIVE);
            samples += 1;
            rest = others;
        }
        self.0 = rest;
        Some((positives, samples - positives))
    }
}

/// Scores ascending, no two equal, and how many samples have each.
#[derive(Clone, Copy, Debug)]
pub struct Counted<'a, T> {
    pub scores: &'a [T],
    pub counts: &'a [i64],
}

impl<T: Score> Counted<'_, T> {
    /// Takes the samples of the first score if it is this one.
    fn take(&mut self, score: T) -> i64 {
        match (self.scores, self.counts) {
            ([first, scores @ ..], [count, counts @ ..]) if *first == score => {
                (self.scores, self.counts) = (scores, counts);
                *count
            }
            _ => 0,
        }
    }
}

/// Writes the marks of two sides, see [`marks_of`], of which each score comes once with its count.
///
/// ```
/// use certus_core::scores::{Counted, marks_into, marks_of};
/// let positives = Counted { scores: &[0.5, 0.9], counts: &[2, 1] };
/// let negatives = Counted { scores: &[0.1, 0.5], counts: &[1, 3] };
/// let mut marks = [0; 7];
/// assert!(marks_into(positives, negatives, &mut marks).is_ok());
/// assert_eq!(marks[..], marks_of(&[0.5, 0.5, 0.9], &[0.1, 0.5, 0.5, 0.5]));
/// ```
///
/// # Errors
///
/// There are more or fewer samples than places, or a count is not positive.
pub fn marks_into<T: Score>(
    mut positives: Counted<'_, T>,
    mut negatives: Counted<'_, T>,
    marks: &mut [u8],
) -> Result<(), &'static str> {
    const LENGTHS: &str = "there are more or fewer samples than places for their marks";
    let mut rest = marks;
    // By increasing score, and so from the back.
    while let Some(&score) = match (positives.scores.first(), negatives.scores.first()) {
        (Some(p), Some(n)) => Some(if n < p { n } else { p }),
        (p, n) => p.or(n),
    } {
        let (ours, theirs) = (positives.take(score), negatives.take(score));
        let (ours, theirs) = match (usize::try_from(ours), usize::try_from(theirs)) {
            (Ok(ours), Ok(theirs)) if ours > 0 || theirs > 0 => (ours, theirs),
            _ => return Err("a score has no samples"),
        };
        let size = ours.checked_add(theirs).ok_or(LENGTHS)?;
        let from = rest.len().checked_sub(size).ok_or(LENGTHS)?;
        let (before, group) = rest.split_at_mut(from);
        let (first, second) = group.split_at_mut(ours);
        first.fill(POSITIVE);
        second.fill(0);
        if let Some(last) = group.last_mut() {
            *last |= LAST;
        }
        rest = before;
    }
    if rest.is_empty() {
        Ok(())
    } else {
        Err(LENGTHS)
    }
}

/// How much a sample counts: how often it was drawn, or its weight.
pub trait Mass: Copy + Send + Sync {
    /// Exact sums of masses.
    type Sum: Copy + Default;
    /// The sum with this mass if `counts`, without a branch.
    fn add_if(self, counts: bool, sum: Self::Sum) -> Self::Sum;
    fn value(sum: Self::Sum) -> f64;
}

impl Mass for u8 {
    type Sum = u32;
    #[inline]
    fn add_if(self, counts: bool, sum: u32) -> u32 {
        sum + (u32::from(self) & u32::from(counts).wrapping_neg())
    }
    #[inline]
    fn value(sum: u32) -> f64 {
        f64::from(sum)
    }
}

impl Mass for f64 {
    type Sum = f64;
    #[inline]
    fn add_if(self, counts: bool, sum: f64) -> f64 {
        sum + if counts { self } else { 0.0 }
    }
    #[inline]
    fn value(sum: f64) -> f64 {
        sum
    }
}

/// The steps of samples by decreasing score.
#[derive(Clone, Debug)]
pub struct OrderSteps<'a, M> {
    marks: &'a [u8],
    masses: &'a [M],
}

impl<'a, M: Mass> OrderSteps<'a, M> {
    /// `masses` belongs to `marks` one by one.
    #[must_use]
    pub fn new(marks: &'a [u8], masses: &'a [M]) -> Self {
        Self { marks, masses }
    }
}

impl<M: Mass> Iterator for OrderSteps<'_, M> {
    type Item = (f64, f64);

    fn next(&mut self) -> Option<(f64, f64)> {
        let size = 1 + self.marks.iter().position(|mark| mark & LAST != 0)?;
        let (marks, rest) = self.marks.split_at(size);
        let (masses, others) = self.masses.split_at(size);
        (self.marks, self.masses) = (rest, others);
        OrderSteps { marks, masses }.fold(None, |_, step| Some(step))
    }

    /// A whole walk, in which a branch is taken only where scores are tied.
    #[inline]
    fn fold<B, F: FnMut(B, (f64, f64)) -> B>(self, init: B, mut visit: F) -> B {
        let mut found = init;
        let (mut a, mut b) = (M::Sum::default(), M::Sum::default());
        for (mark, mass) in self.marks.iter().zip(self.masses) {
            let positive = mark & POSITIVE != 0;
            a = mass.add_if(positive, a);
            b = mass.add_if(!positive, b);
            if mark & LAST != 0 {
                found = visit(found, (M::value(a), M::value(b)));
                (a, b) = (M::Sum::default(), M::Sum::default());
            }
        }
        found
    }
}

/// A metric of samples by decreasing score.
///
/// ```
/// use certus_core::scores::{Metric, marks_of, metric_of_order};
/// let marks = marks_of(&[0.5, 0.9], &[0.1, 0.5]);
/// assert_eq!(metric_of_order(Metric::Auc, &marks, &[1.0; 4]), 0.875);
/// // The tied negative counts twice.
/// assert_eq!(metric_of_order(Metric::Auc, &marks, &[1.0, 1.0, 2.0, 1.0]), 5.0 / 6.0);
/// ```
#[must_use]
pub fn metric_of_order<M: Mass>(metric: Metric, marks: &[u8], masses: &[M]) -> f64 {
    let steps = OrderSteps::new(marks, masses);
    metric.of(|| Totals::default().walk(steps.clone()), steps.clone())
}

/// The positives and the negatives of each step, highest score first.
///
/// ```
/// use certus_core::scores::{marks_of, sums_of_order};
/// let marks = marks_of(&[0.5, 0.9], &[0.1, 0.5]);
/// let (positives, negatives) = sums_of_order(&marks, &[1.0, 2.0, 4.0, 8.0]);
/// assert_eq!(positives, [1.0, 2.0, 0.0]);
/// assert_eq!(negatives, [0.0, 4.0, 8.0]);
/// ```
#[must_use]
pub fn sums_of_order(marks: &[u8], weights: &[f64]) -> (Vec<f64>, Vec<f64>) {
    OrderSteps::new(marks, weights).unzip()
}

/// A metric of each row of a table of truths and scores, none of them NaN.
///
/// ```
/// use certus_core::scores::{Metric, metric_of_rows};
/// let truth = [true, false, true, false, true, true];
/// let scores = [0.9, 0.4, 0.4, 0.1, 0.5, 0.6];
/// assert_eq!(metric_of_rows(Metric::Auc, &truth, &scores, 3), [0.75, 1.0]);
/// ```
#[must_use]
pub fn metric_of_rows<T: Score>(
    metric: Metric,
    truth: &[bool],
    scores: &[T],
    columns: usize,
) -> Vec<f64> {
    let rows = truth.len().checked_div(columns).unwrap_or(0);
    threads::map(rows, CELLS_PER_TASK / columns.max(1), |range| {
        let mut sides = (Vec::new(), Vec::new());
        range
            .map(|row| {
                let row = row * columns..(row + 1) * columns;
                sides.0.clear();
                sides.1.clear();
                for (&positive, &score) in truth[row.clone()].iter().zip(&scores[row]) {
                    let side = if positive { &mut sides.0 } else { &mut sides.1 };
                    side.push(score);
                }
                for side in [&mut sides.0, &mut sides.1] {
                    side.sort_unstable_by(|a, b| a.partial_cmp(b).unwrap_or(Ordering::Equal));
                }
                metric_of_sides(metric, &sides.0, &sides.1)
            })
            .collect()
    })
}

/// A metric of two ascending sides.
///
/// ```
/// use certus_core::scores::{Metric, metric_of_sides};
/// assert_eq!(metric_of_sides(Metric::Ks { either_side: true }, &[0.5, 0.9], &[0.1, 0.5]), 0.5);
/// ```
#[must_use]
pub fn metric_of_sides<T: Score>(metric: Metric, positives: &[T], negatives: &[T]) -> f64 {
    let totals = Totals {
        positives: positives.len() as f64,
        negatives: negatives.len() as f64,
    };
    metric.of(|| totals, steps_of(positives, negatives))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scores::naive::pairs_of_sides;

    #[test]
    fn an_order_has_the_steps_of_its_sides() {
        for (positives, negatives) in pairs_of_sides() {
            let marks = marks_of(&positives, &negatives);
            let ones = vec![1_u8; marks.len()];
            let expected = steps_of(&positives, &negatives);
            assert!(OrderSteps::new(&marks, &ones).eq(expected));
        }
    }

    #[test]
    fn counted_scores_have_the_marks_and_groups_of_their_samples() {
        for (positives, negatives) in pairs_of_sides() {
            let counted = |side: &[f64]| -> (Vec<f64>, Vec<i64>) {
                let mut found: Vec<(f64, i64)> = Vec::new();
                for &score in side {
                    match found.last_mut() {
                        Some((last, count)) if *last == score => *count += 1,
                        _ => found.push((score, 1)),
                    }
                }
                found.into_iter().unzip()
            };
            let (p, n) = (counted(&positives), counted(&negatives));
            let side = |(scores, counts)| Counted { scores, counts };
            let (p, n) = (side((&p.0[..], &p.1[..])), side((&n.0[..], &n.1[..])));
            let mut marks = vec![0; positives.len() + negatives.len()];
            assert_eq!(marks_into(p, n, &mut marks), Ok(()));
            assert_eq!(marks, marks_of(&positives, &negatives));
            let groups = Groups::new(&positives, &negatives).map(|g| (g.positives, g.negatives));
            assert!(MarkGroups::new(&marks).eq(groups));
            marks.push(0);
            assert!(marks_into(p, n, &mut marks).is_err());
            if !marks[1..].is_empty() {
                assert!(marks_into(p, n, &mut vec![0; marks.len() - 2]).is_err());
            }
        }
        let none = Counted {
            scores: &[1.0],
            counts: &[0],
        };
        assert!(
            marks_into(
                none,
                Counted {
                    scores: &[],
                    counts: &[]
                },
                &mut []
            )
            .is_err()
        );
    }

    #[test]
    fn a_mass_of_2_is_the_sample_twice_and_0_is_no_sample() {
        let marks = [POSITIVE | LAST, 0, POSITIVE | LAST, LAST];
        let twice = [POSITIVE, POSITIVE | LAST, POSITIVE | LAST, LAST];
        for metric in [Metric::Auc, Metric::AveragePrecision, Metric::BreakEven] {
            assert_eq!(
                metric_of_order(metric, &marks, &[2_u8, 0, 1, 1]),
                metric_of_order(metric, &twice, &[1_u8; 4])
            );
        }
    }
}
