//! Sums over pairs of a true and a predicted number, without an array.
//!
//! Sums of losses are exact but for one rounding; sums about means are those of `moments`. All are the same bits for any
//! order of the samples and any number of threads.

use crate::exact;
use crate::moments::{self, BLOCK};

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

/// What R2 and the explained variance are made of.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Residuals {
    /// Sum of `(true - predicted)^2`.
    pub squares: f64,
    /// Sum of squared distances of `true - predicted` from their mean.
    pub spread: f64,
    /// Sum of squared distances of the true numbers from their mean; exactly 0 where all are equal.
    pub total: f64,
}

/// Sums of squares of the residuals, and of residuals and targets about their means.
///
/// # Errors
///
/// The two columns differ in length.
///
/// ```
/// let found = certus_core::regression::residuals(&[1e8, 1e8 + 2.0], &[1e8 + 1.0, 1e8 + 2.0]).unwrap();
/// assert_eq!((found.squares, found.spread, found.total), (1.0, 0.5, 2.0));
/// ```
pub fn residuals(truth: &[f64], predicted: &[f64]) -> Result<Residuals, String> {
    Ok(Residuals {
        squares: squared_error(truth, predicted)?,
        spread: spread(truth, predicted, |y, p| y - p)?,
        total: spread(truth, predicted, |y, _| y)?,
    })
}

/// The sum of squared distances from the mean; exactly 0 where all numbers are equal.
fn spread(
    truth: &[f64],
    predicted: &[f64],
    of: impl Fn(f64, f64) -> f64 + Sync,
) -> Result<f64, String> {
    let found = moments::of_pairs(truth, predicted, of)?;
    let varies = found.greatest > found.least;
    Ok(if varies { found.second } else { 0.0 })
}

fn check(truth: &[f64], predicted: &[f64]) -> Result<(), String> {
    if truth.len() == predicted.len() {
        return Ok(());
    }
    Err(format!(
        "{} true numbers but {} predicted ones",
        truth.len(),
        predicted.len()
    ))
}

fn summed(
    truth: &[f64],
    predicted: &[f64],
    of: impl Fn(f64, f64) -> f64 + Sync,
) -> Result<f64, String> {
    check(truth, predicted)?;
    let sum = exact::of_tasks(truth.len(), |range, sum| {
        let mut buffer = [0.0; BLOCK];
        let pairs = truth[range.clone()]
            .chunks(BLOCK)
            .zip(predicted[range].chunks(BLOCK));
        for (y, p) in pairs {
            fill(&mut buffer, y, p, &of);
            sum.add_all(&buffer[..y.len()]);
        }
    });
    Ok(sum.rounded())
}

fn fill(buffer: &mut [f64], truth: &[f64], predicted: &[f64], of: impl Fn(f64, f64) -> f64) {
    for ((into, y), p) in buffer.iter_mut().zip(truth).zip(predicted) {
        *into = of(*y, *p);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn undefined_errors_are_no_panic() {
        let found = residuals(&[f64::INFINITY; 3], &[f64::INFINITY; 3]).unwrap();
        assert!(found.squares.is_nan());
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

    fn exact_spread(values: impl Iterator<Item = i128> + Clone) -> f64 {
        let (n, sum) = (values.clone().count() as i128, values.clone().sum::<i128>());
        let squares: i128 = values.map(|v| v * v).sum();
        (n * squares - sum * sum) as f64 / n as f64
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
                let found = residuals(&y, &p).unwrap();
                assert_eq!(found.squares, squares as f64);
                if n == 0 {
                    assert_eq!(found, Residuals::default());
                    continue;
                }
                let spread = exact_spread(errors());
                let total = exact_spread(y.iter().map(|y| (y - shift) as i128));
                assert!((found.spread - spread).abs() <= 4e-15 * spread);
                assert!((found.total - total).abs() <= 4e-15 * total);
            }
        }
    }

    #[test]
    fn equal_targets_have_no_spread_at_all() {
        for n in [1, 3, 1024, 70_000] {
            let (y, p) = (vec![0.1; n], vec![0.3; n]);
            let found = residuals(&y, &p).unwrap();
            assert_eq!((found.spread, found.total), (0.0, 0.0));
        }
    }

    #[test]
    fn columns_of_different_lengths_are_refused() {
        assert!(absolute_error(&[1.0], &[]).is_err());
        assert!(residuals(&[1.0], &[]).is_err());
    }
}
