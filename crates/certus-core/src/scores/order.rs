//! Samples by decreasing score: one byte each, and a mass each.

use super::groups::{Groups, Score};
use super::metric::Metric;
use super::walk::{Totals, Walker};

/// Set in the byte of a positive.
pub const POSITIVE: u8 = 1;
/// Set in the byte of the last sample of each score.
pub const LAST: u8 = 2;

/// One byte per sample of two ascending sides, by decreasing score: [`POSITIVE`] and [`LAST`].
///
/// ```
/// use certus_core::scores::{LAST, POSITIVE, order};
/// assert_eq!(order(&[0.5, 0.9], &[0.1, 0.5]), [POSITIVE | LAST, POSITIVE, LAST, LAST]);
/// ```
#[must_use]
pub fn order<T: Score>(positives: &[T], negatives: &[T]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(positives.len() + negatives.len());
    for group in Groups::new(positives, negatives).rev() {
        bytes.extend((0..group.positives).map(|_| POSITIVE));
        bytes.extend((0..group.negatives).map(|_| 0));
        if let Some(last) = bytes.last_mut() {
            *last |= LAST;
        }
    }
    bytes
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
    bytes: &'a [u8],
    masses: &'a [M],
}

impl<'a, M: Mass> OrderSteps<'a, M> {
    /// `masses` belongs to `bytes` one by one.
    #[must_use]
    pub fn new(bytes: &'a [u8], masses: &'a [M]) -> Self {
        Self { bytes, masses }
    }
}

impl<M: Mass> Iterator for OrderSteps<'_, M> {
    type Item = (f64, f64);

    fn next(&mut self) -> Option<(f64, f64)> {
        let size = 1 + self.bytes.iter().position(|byte| byte & LAST != 0)?;
        let (bytes, rest) = self.bytes.split_at(size);
        let (masses, others) = self.masses.split_at(size);
        (self.bytes, self.masses) = (rest, others);
        OrderSteps { bytes, masses }.fold(None, |_, step| Some(step))
    }

    /// A whole walk, in which a branch is taken only where scores are tied.
    #[inline]
    fn fold<B, F: FnMut(B, (f64, f64)) -> B>(self, init: B, mut visit: F) -> B {
        let mut found = init;
        let (mut a, mut b) = (M::Sum::default(), M::Sum::default());
        for (byte, mass) in self.bytes.iter().zip(self.masses) {
            let positive = byte & POSITIVE != 0;
            a = mass.add_if(positive, a);
            b = mass.add_if(!positive, b);
            if byte & LAST != 0 {
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
/// use certus_core::scores::{Metric, metric_of_order, order};
/// let bytes = order(&[0.5, 0.9], &[0.1, 0.5]);
/// assert_eq!(metric_of_order(Metric::Auc, &bytes, &[1.0; 4]), 0.875);
/// // The tied negative counts twice.
/// assert_eq!(metric_of_order(Metric::Auc, &bytes, &[1.0, 1.0, 2.0, 1.0]), 5.0 / 6.0);
/// ```
#[must_use]
pub fn metric_of_order<M: Mass>(metric: Metric, bytes: &[u8], masses: &[M]) -> f64 {
    let steps = OrderSteps::new(bytes, masses);
    metric.of(|| Totals::default().walk(steps.clone()), steps.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scores::naive::pairs_of_sides;
    use crate::scores::walk::steps_of;

    #[test]
    fn an_order_has_the_steps_of_its_sides() {
        for (positives, negatives) in pairs_of_sides() {
            let bytes = order(&positives, &negatives);
            let ones = vec![1_u8; bytes.len()];
            let expected = steps_of(&positives, &negatives);
            assert!(OrderSteps::new(&bytes, &ones).eq(expected));
        }
    }

    #[test]
    fn a_mass_of_2_is_the_sample_twice_and_0_is_no_sample() {
        let bytes = [POSITIVE | LAST, 0, POSITIVE | LAST, LAST];
        let twice = [POSITIVE, POSITIVE | LAST, POSITIVE | LAST, LAST];
        for metric in [Metric::Auc, Metric::AveragePrecision, Metric::BreakEven] {
            assert_eq!(
                metric_of_order(metric, &bytes, &[2_u8, 0, 1, 1]),
                metric_of_order(metric, &twice, &[1_u8; 4])
            );
        }
    }
}
