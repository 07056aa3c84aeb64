//! A threshold lowered step by step over the distinct scores, and what watches it.

use super::groups::{Groups, Score};

/// Something computed from the positives and negatives passed at each step of a threshold that is lowered from above
/// every score to below every score. A step may be empty: its samples were not drawn.
pub trait Walker: Sized {
    type Output;
    /// The threshold passes `a` positives and `b` negatives of one score, or the sums of their weights.
    fn step(&mut self, a: f64, b: f64);
    fn finish(self) -> Self::Output;

    /// The whole walk.
    fn walk(mut self, steps: impl Iterator<Item = (f64, f64)>) -> Self::Output {
        steps.for_each(|(a, b)| self.step(a, b));
        self.finish()
    }
}

/// The steps of two ascending sides.
///
/// ```
/// use certus_core::scores::{Totals, Walker, steps_of};
/// let totals = Totals::default().walk(steps_of(&[0.5, 0.9], &[0.1, 0.5, 0.7]));
/// assert_eq!((totals.positives, totals.negatives), (2.0, 3.0));
/// ```
pub fn steps_of<'a, T: Score>(
    positives: &'a [T],
    negatives: &'a [T],
) -> impl Iterator<Item = (f64, f64)> + 'a {
    Groups::new(positives, negatives)
        .rev()
        .map(|group| (group.positives as f64, group.negatives as f64))
}

/// All positives and all negatives, or the sums of their weights in the order of the walk.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Totals {
    pub positives: f64,
    pub negatives: f64,
}

impl Walker for Totals {
    type Output = Self;
    #[inline]
    fn step(&mut self, a: f64, b: f64) {
        self.positives += a;
        self.negatives += b;
    }
    fn finish(self) -> Self {
        self
    }
}
