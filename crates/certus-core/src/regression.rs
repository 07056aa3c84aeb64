//! Sums over pairs of a true and a predicted number, without an array.
//!
//! Sums are exact but for one rounding of each term; powers are those of `moments`. All are the same bits for any order
//! and any parts of the samples, and any number of threads.

use std::ops::Range;

use crate::exact::{self, Sum};
use crate::moments::{self, BLOCK, Total};
use crate::simd;

/// The sum of `|true - predicted|`.
///
/// # Errors
///
/// The two columns differ in length.
///
/// ```
/// let sum = certus_core::regression::absolute_error(&[1.0, 2.0, 4.0], &[1.5, 2.0, 2.0]);
/// assert_eq!(sum, Ok(2.5));
/// ```
pub fn absolute_error(truth: &[f64], predicted: &[f64]) -> Result<f64, String> {
    summed(truth, predicted, |y, p| (y - p).abs())
}

/// The sum of `(true - predicted)^2`.
///
/// # Errors
///
/// The two columns differ in length.
///
/// ```
/// let sum = certus_core::regression::squared_error(&[1.0, 2.0, 4.0], &[1.5, 2.0, 2.0]);
/// assert_eq!(sum, Ok(4.25));
/// ```
pub fn squared_error(truth: &[f64], predicted: &[f64]) -> Result<f64, String> {
    summed(truth, predicted, |y, p| (y - p) * (y - p))
}

/// A number that is made of a pair of a true number y and a predicted one p.
#[derive(Clone, Copy, Debug)]
pub enum Term {
    /// `y - shift`.
    True(f64),
    /// `p - shift`.
    Predicted(f64),
    /// `y - p - shift`.
    Error(f64),
    /// `(y - shift)^2` where no y is farther from `shift` than `farthest`.
    TrueSquare { shift: f64, farthest: f64 },
    /// `(p - shift)^2`.
    PredictedSquare(f64),
    /// `(y - p - shift)^2`.
    ErrorSquare(f64),
    /// `(y - one) (p - other)`.
    Product(f64, f64),
    /// What ``1 - squares / total`` gains without the pair.
    ///
    /// Without a sample of residual e at a distance d from the mean, which is `mean + rest`, the sums are `squares - e^2` and `total - times d^2`,
    /// `times` being n / (n - 1), from which the value is subtracted in a form that loses no digits. Where the sample has
    /// all of the total but for rounding, the gain is infinite.
    R2 {
        mean: f64,
        rest: f64,
        squares: f64,
        total: f64,
        times: f64,
    },
}

/// Part of a total that rounding may leave of it without the one sample that has it all.
const ROUNDED: f64 = 1e-12;

impl Term {
    /// True if the least and the greatest number are found: of squares and products nobody needs them.
    fn has_ends(self) -> bool {
        matches!(
            self,
            Self::True(_) | Self::Predicted(_) | Self::Error(_) | Self::R2 { .. }
        )
    }
}

simd::widest! {
/// Writes the numbers of a term.
fn write(term: Term, truth: &[f64], predicted: &[f64], block: &mut [f64]) -> () {
    let pairs = block.iter_mut().zip(truth).zip(predicted);
    match term {
        Term::True(shift) => pairs.for_each(|((out, y), _)| *out = y - shift),
        Term::Predicted(shift) => pairs.for_each(|((out, _), p)| *out = p - shift),
        Term::Error(shift) => pairs.for_each(|((out, y), p)| *out = y - p - shift),
        Term::TrueSquare { shift, .. } => {
            pairs.for_each(|((out, y), _)| *out = (y - shift) * (y - shift));
        }
        Term::PredictedSquare(shift) => {
            pairs.for_each(|((out, _), p)| *out = (p - shift) * (p - shift));
        }
        Term::ErrorSquare(shift) => {
            pairs.for_each(|((out, y), p)| *out = (y - p - shift) * (y - p - shift));
        }
        Term::Product(one, other) => {
            pairs.for_each(|((out, y), p)| *out = (y - one) * (p - other));
        }
        Term::R2 { mean, rest, squares, total, times } => {
            let (ratio, most) = (squares / total, (1.0 - ROUNDED) * total);
            pairs.for_each(|((out, y), p)| {
                let off = y - mean - rest;
                let less = off * off * times;
                let left = if less < most { total - less } else { 0.0 };
                *out = ((y - p) * (y - p) - less * ratio) / left;
            });
        }
    }
}
}

/// The exact sums of terms over pairs, and the least and the greatest number of those that are no squares or products;
/// those of several parts merge.
///
/// # Errors
///
/// The two columns differ in length.
///
/// ```
/// use certus_core::regression::{Term, totals};
/// let found = totals(&[1.0, 2.0, 4.0], &[1.5, 2.0, 2.0], &[Term::Error(0.5)]).unwrap();
/// assert_eq!((found[0].sum.rounded(), found[0].least, found[0].greatest), (0.0, -1.0, 1.5));
/// ```
pub fn totals(truth: &[f64], predicted: &[f64], terms: &[Term]) -> Result<Vec<Total>, String> {
    moments::check(truth, predicted)?;
    let mut all = vec![Total::default(); terms.len()];
    let parts = moments::over_ranges(
        truth.len(),
        all.clone(),
        |found: &mut Vec<Total>, range, block| {
            for (total, term) in found.iter_mut().zip(terms) {
                if let Term::TrueSquare { .. } = term {
                    continue;
                }
                write(
                    *term,
                    &truth[range.clone()],
                    &predicted[range.clone()],
                    block,
                );
                total.sum.add_all(block);
                if term.has_ends() {
                    total.widen(moments::ends_of(block));
                }
            }
        },
    );
    for part in &parts {
        all.iter_mut()
            .zip(part)
            .for_each(|(one, more)| one.merge(more));
    }
    for (total, term) in all.iter_mut().zip(terms) {
        // In digits, which takes half of the time.
        if let &Term::TrueSquare { shift, farthest } = term {
            let written = moments::writer(truth, truth, |y, _| y);
            [total.sum] = moments::powers_about(truth.len(), &written, shift, farthest);
        }
    }
    Ok(all)
}

/// The sums of the second to fourth powers of the distances of a term from `mean`, none of them beyond `farthest`; those
/// of several parts add up.
///
/// # Errors
///
/// The two columns differ in length.
///
/// ```
/// use certus_core::regression::{Term, powers};
/// let sums = powers(&[1.0, 2.0, 6.0], &[0.0; 3], Term::True(0.0), 3.0, 3.0).unwrap();
/// assert_eq!(sums.map(|sum| sum.rounded()), [14.0, 18.0, 98.0]);
/// ```
pub fn powers(
    truth: &[f64],
    predicted: &[f64],
    term: Term,
    mean: f64,
    farthest: f64,
) -> Result<[Sum; 3], String> {
    moments::check(truth, predicted)?;
    let written = |range: Range<usize>, block: &mut [f64]| {
        write(term, &truth[range.clone()], &predicted[range], block);
    };
    Ok(moments::powers_about(truth.len(), &written, mean, farthest))
}

fn summed(
    truth: &[f64],
    predicted: &[f64],
    of: impl Fn(f64, f64) -> f64 + Sync,
) -> Result<f64, String> {
    moments::check(truth, predicted)?;
    let write = moments::writer(truth, predicted, of);
    let sum = exact::of_tasks(truth.len(), |range, sum| {
        let mut buffer = [0.0; BLOCK];
        for first in range.clone().step_by(BLOCK) {
            let here = first..range.end.min(first + BLOCK);
            let block = &mut buffer[..here.len()];
            write(here, block);
            sum.add_all(block);
        }
    });
    Ok(sum.rounded())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn undefined_errors_are_no_panic() {
        let found = totals(
            &[f64::INFINITY; 3],
            &[f64::INFINITY; 3],
            &[Term::Error(0.0)],
        )
        .unwrap();
        assert!(found[0].sum.rounded().is_nan());
    }

    /// Whole numbers whose sums are exact, far from 0.
    fn columns(n: usize, shift: f64) -> (Vec<f64>, Vec<f64>) {
        let truth: Vec<f64> = (0..n).map(|i| shift + ((i * 37) % 101) as f64).collect();
        let predicted = truth
            .iter()
            .enumerate()
            .map(|(i, y)| y + ((i * 13) % 7) as f64 - 3.0)
            .collect();
        (truth, predicted)
    }

    #[test]
    fn sums_are_those_of_whole_numbers() {
        for n in [0, 1, 2, 7, 8, 9, 1023, 1024, 1025, 65_536, 300_001] {
            for shift in [0.0, 1e8, 1e12] {
                let (y, p) = columns(n, shift);
                let errors = || y.iter().zip(&p).map(|(y, p)| (y - p) as i128);
                let absolute: i128 = errors().map(i128::abs).sum();
                let squares: i128 = errors().map(|e| e * e).sum();
                assert_eq!(absolute_error(&y, &p).unwrap(), absolute as f64);
                assert_eq!(squared_error(&y, &p).unwrap(), squares as f64);
                let terms = [
                    Term::True(shift),
                    Term::Predicted(shift),
                    Term::TrueSquare {
                        shift,
                        farthest: 101.0,
                    },
                    Term::PredictedSquare(shift),
                    Term::ErrorSquare(1.0),
                    Term::Product(shift, shift),
                ];
                let naive: [fn(i128, i128) -> i128; 6] = [
                    |y, _| y,
                    |_, p| p,
                    |y, _| y * y,
                    |_, p| p * p,
                    |y, p| (y - p - 1) * (y - p - 1),
                    |y, p| y * p,
                ];
                let pairs = || {
                    y.iter()
                        .zip(&p)
                        .map(|(y, p)| ((y - shift) as i128, (p - shift) as i128))
                };
                let mut naive_has_ends = [true, true, false, false, false, false].into_iter();
                for (found, of) in totals(&y, &p, &terms).unwrap().iter().zip(naive) {
                    let numbers = || pairs().map(|(y, p)| of(y, p));
                    assert_eq!(found.sum.rounded(), numbers().sum::<i128>() as f64);
                    let kept = naive_has_ends.next().unwrap();
                    let ends = numbers().min().zip(numbers().max()).filter(|_| kept);
                    let ends = ends.map_or((f64::INFINITY, f64::NEG_INFINITY), |(low, high)| {
                        (low as f64, high as f64)
                    });
                    assert_eq!((found.least, found.greatest), ends);
                }
            }
        }
    }

    #[test]
    fn no_parts_of_the_pairs_change_a_bit() {
        let (y, p) = columns(200_001, 0.3);
        let p: Vec<f64> = p.iter().map(|p| p / 3.0).collect();
        let terms = [Term::Product(50.1, 0.2), Term::ErrorSquare(0.7)];
        let whole = totals(&y, &p, &terms).unwrap();
        let powers_of = |y: &[f64], p: &[f64]| powers(y, p, Term::Error(0.1), 33.0, 80.0).unwrap();
        let all = powers_of(&y, &p);
        for cut in [1, 700, 131_072] {
            let ((y1, y2), (p1, p2)) = (y.split_at(cut), p.split_at(cut));
            let mut one = totals(y2, p2, &terms).unwrap();
            for (total, more) in one.iter_mut().zip(totals(y1, p1, &terms).unwrap()) {
                total.merge(&more);
            }
            for (found, total) in one.iter().zip(&whole) {
                assert!(found.sum == total.sum);
                assert_eq!((found.least, found.greatest), (total.least, total.greatest));
            }
            for ((sum, more), want) in powers_of(y1, p1).iter().zip(powers_of(y2, p2)).zip(&all) {
                let mut sum = sum.clone();
                sum.merge(&more);
                assert!(sum == *want);
            }
        }
    }

    #[test]
    fn what_each_sample_adds_to_r2_is_what_is_lost_without_it() {
        let n = 50;
        let (truth, near) = columns(n, 3.0);
        // Far from perfect, so that differences of values lose few digits.
        let predicted: Vec<f64> = truth
            .iter()
            .zip(&near)
            .map(|(y, p)| y + 9.0 * (p - y))
            .collect();
        let r2 = |left: Option<usize>| {
            let kept = || (0..n).filter(move |&i| Some(i) != left);
            let mean = kept().map(|i| truth[i]).sum::<f64>() / kept().count() as f64;
            let squares: f64 = kept().map(|i| (truth[i] - predicted[i]).powi(2)).sum();
            let total: f64 = kept().map(|i| (truth[i] - mean).powi(2)).sum();
            (1.0 - squares / total, squares, total, mean)
        };
        let (value, squares, total, mean) = r2(None);
        let times = n as f64 / (n - 1) as f64;
        let term = Term::R2 {
            mean,
            rest: 0.0,
            squares,
            total,
            times,
        };
        let added: Vec<f64> = (0..n).map(|i| r2(Some(i)).0 - value).collect();
        let expected = moments::of_values(&added);
        let found = &totals(&truth, &predicted, &[term]).unwrap()[0];
        assert!((found.sum.rounded() - added.iter().sum::<f64>()).abs() < 1e-14);
        assert!((found.least - expected.least).abs() < 1e-14);
        let sums = powers(&truth, &predicted, term, expected.mean, 1.0).unwrap();
        let [second, third, fourth] = sums.map(|sum| sum.rounded());
        assert!((second / expected.second - 1.0).abs() < 1e-12);
        assert!((third - expected.third).abs() < 1e-12 * expected.second.powf(1.5));
        assert!((fourth / expected.fourth - 1.0).abs() < 1e-11);
    }

    #[test]
    fn a_sample_that_has_all_of_the_total_gains_without_bound() {
        let (y, p) = ([0.1, 0.1, 0.1, 1.1], [0.2, 0.1, 0.0, 1.0]);
        let term = Term::R2 {
            mean: 0.25,
            rest: 0.1,
            squares: 0.03,
            total: 0.75,
            times: 4.0 / 3.0,
        };
        let found = &totals(&y, &p, &[term]).unwrap()[0];
        assert!(found.sum.rounded().is_infinite());
    }

    #[test]
    fn columns_of_different_lengths_are_refused() {
        assert!(absolute_error(&[1.0], &[]).is_err());
        assert!(totals(&[1.0], &[], &[]).is_err());
        assert!(powers(&[1.0], &[], Term::True(0.0), 0.0, 1.0).is_err());
    }
}
