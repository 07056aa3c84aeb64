//! What each sample adds to AUC and to average precision, to first order.

use super::order::{LAST, OrderSteps, POSITIVE};
use super::walk::{Totals, Walker};
use super::{Metric, Sum};
use std::ops::Range;

/// A value and, for each sample, its derivative by the sample's weight times that weight. The derivatives sum to 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Influence {
    pub value: f64,
    pub terms: Vec<f64>,
}

/// One group of equal scores: its samples, its positives and negatives, and those of higher scores.
struct Tied {
    samples: Range<usize>,
    a: f64,
    b: f64,
    before: Totals,
}

/// The groups by decreasing score.
fn groups<'a>(marks: &'a [u8], weights: &'a [f64]) -> impl Iterator<Item = Tied> + 'a {
    let mut seen = Totals::default();
    let mut first = 0;
    let ends = (1..=marks.len()).filter(|&end| marks[end - 1] & LAST != 0);
    OrderSteps::new(marks, weights)
        .zip(ends)
        .map(move |((a, b), end)| {
            let samples = first..end;
            let before = seen;
            seen.step(a, b);
            first = end;
            Tied {
                samples,
                a,
                b,
                before,
            }
        })
}

/// Writes the terms of a group: the weights times what a positive or a negative of weight 1 adds.
fn fill(
    terms: &mut [f64],
    marks: &[u8],
    weights: &[f64],
    samples: Range<usize>,
    of_positive: f64,
    of_negative: f64,
) {
    let marked = marks[samples.clone()].iter().zip(&weights[samples.clone()]);
    for (term, (mark, weight)) in terms[samples].iter_mut().zip(marked) {
        let each = if mark & POSITIVE != 0 {
            of_positive
        } else {
            of_negative
        };
        *term = weight * each;
    }
}

/// The area under the ROC curve and what each sample adds to it; NaN without one of the classes.
///
/// A positive of weight w that lies above the part V of the negatives, a tied one counting half, adds `w (V - AUC)` as a
/// part of all positives' weight; a negative that lies below the part V of the positives likewise.
///
/// ```
/// let marks = certus_core::scores::marks_of(&[0.5, 0.9], &[0.1, 0.5]);
/// let found = certus_core::scores::auc_influence(&marks, &[1.0; 4]);
/// assert_eq!(found.value, 0.875);
/// assert_eq!(found.terms, [0.0625, -0.0625, -0.0625, 0.0625]);
/// ```
#[must_use]
pub fn auc_influence(marks: &[u8], weights: &[f64]) -> Influence {
    let steps = OrderSteps::new(marks, weights);
    let totals = Totals::default().walk(steps.clone());
    let value = Metric::Auc.of(|| totals, steps);
    let mut terms = vec![0.0; marks.len()];
    for group in groups(marks, weights) {
        let lost = (group.before.negatives + group.b / 2.0) / totals.negatives;
        let won = (group.before.positives + group.a / 2.0) / totals.positives;
        let of_positive = ((1.0 - lost) - value) / totals.positives;
        let of_negative = (won - value) / totals.negatives;
        fill(
            &mut terms,
            marks,
            weights,
            group.samples,
            of_positive,
            of_negative,
        );
    }
    Influence { value, terms }
}

/// Average precision and what each sample adds to it; NaN without positives.
///
/// A positive of weight w raises the mean by its own precision less the mean, and by `(T - R) / T^2` the precision of
/// each positive at or below it; a negative lowers each such precision by `R / T^2`.
///
/// ```
/// let marks = certus_core::scores::marks_of(&[0.7, 0.9], &[0.8]);
/// let found = certus_core::scores::average_precision_influence(&marks, &[1.0; 3]);
/// assert_eq!(found.value, (1.0 + 2.0 / 3.0) / 2.0);
/// // The negative takes 2/9 from the second positive's precision, of two positives.
/// assert!((found.terms[1] - -1.0 / 9.0).abs() < 1e-16);
/// ```
#[must_use]
pub fn average_precision_influence(marks: &[u8], weights: &[f64]) -> Influence {
    let mut precisions = Sum::default();
    let mut positives = Sum::default();
    let mut passed = Vec::new();
    for group in groups(marks, weights) {
        let above = group.before.positives + group.a;
        let total = above + (group.before.negatives + group.b);
        if group.a > 0.0 {
            precisions.add(group.a * (above / total));
            positives.add(group.a);
        }
        passed.push((group.samples, group.a, above / total, total));
    }
    let positives = positives.total();
    let value = precisions.total() / positives;
    let mut terms = vec![0.0; marks.len()];
    let (mut gained, mut lost) = (0.0, 0.0);
    for (samples, a, precision, total) in passed.into_iter().rev() {
        gained += a * (1.0 - precision) / total;
        lost += a * precision / total;
        let of_positive = (precision - value + gained) / positives;
        fill(
            &mut terms,
            marks,
            weights,
            samples,
            of_positive,
            -lost / positives,
        );
    }
    Influence { value, terms }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scores::{Metric, metric_of_order};

    type Kernel = fn(&[u8], &[f64]) -> Influence;

    const KERNELS: [(Metric, Kernel); 2] = [
        (Metric::Auc, auc_influence),
        (Metric::AveragePrecision, average_precision_influence),
    ];

    fn samples() -> Vec<(Vec<u8>, Vec<f64>)> {
        let mut all = Vec::new();
        for pattern in 0..1 << 10 {
            let marks: Vec<u8> = (0..5)
                .map(|i| (pattern >> (2 * i) & 3) as u8 | if i == 4 { LAST } else { 0 })
                .collect();
            let positives = marks.iter().filter(|b| **b & POSITIVE != 0).count();
            if positives > 0 && positives < 5 {
                all.push((marks.clone(), vec![1.0; 5]));
                all.push((marks, vec![0.5, 2.0, 1.0, 0.25, 3.0]));
            }
        }
        all
    }

    #[test]
    fn terms_are_derivatives_by_the_weights() {
        for (metric, kernel) in KERNELS {
            for (marks, weights) in samples() {
                let found = kernel(&marks, &weights);
                assert!((found.value - metric_of_order(metric, &marks, &weights)).abs() < 1e-15);
                for i in 0..5 {
                    let shifted = |by: f64| {
                        let mut weights = weights.clone();
                        weights[i] *= 1.0 + by;
                        metric_of_order(metric, &marks, &weights)
                    };
                    let derivative = (shifted(1e-5) - shifted(-1e-5)) / 2e-5;
                    assert!((found.terms[i] - derivative).abs() < 1e-9);
                }
                assert!(found.terms.iter().sum::<f64>().abs() < 1e-15);
            }
        }
    }

    #[test]
    fn perfect_separation_has_no_influence() {
        let marks = [POSITIVE | LAST, POSITIVE | LAST, LAST, LAST, LAST];
        let found = auc_influence(&marks, &[0.1, 0.7, 0.3, 1e-9, 5.3]);
        assert_eq!(found.value, 1.0);
        assert!(found.terms.iter().all(|term| *term == 0.0));
    }
}
