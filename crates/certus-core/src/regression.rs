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

/// What R2 and the explained variance are made of: what is lost, and of how much.
///
/// `lost` is the sum of `(true - predicted)^2`, or, `about_mean`, of squared distances of `true - predicted` from their
/// mean; `total` that of squared distances of the true numbers from their mean, exactly 0 where all are equal.
///
/// # Errors
///
/// The two columns differ in length.
///
/// ```
/// use certus_core::regression::residuals;
/// let (y, p) = ([1e8, 1e8 + 2.0], [1e8 + 1.0, 1e8 + 2.0]);
/// assert_eq!(residuals(&y, &p, false), Ok((1.0, 2.0)));
/// assert_eq!(residuals(&y, &p, true), Ok((0.5, 2.0)));
/// ```
pub fn residuals(truth: &[f64], predicted: &[f64], about_mean: bool) -> Result<(f64, f64), String> {
    let lost = if about_mean {
        spread(truth, predicted, |y, p| y - p)?
    } else {
        squared_error(truth, predicted)?
    };
    Ok((lost, spread(truth, truth, |y, _| y)?))
}

fn spread(
    truth: &[f64],
    predicted: &[f64],
    of: impl Fn(f64, f64) -> f64 + Sync,
) -> Result<f64, String> {
    moments::check(truth, predicted)?;
    let write = moments::writer(truth, predicted, of);
    Ok(moments::spread_of_blocks(truth.len(), write))
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
        let (lost, _) = residuals(&[f64::INFINITY; 3], &[f64::INFINITY; 3], false).unwrap();
        assert!(lost.is_nan());
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
                let (lost, found) = residuals(&y, &p, false).unwrap();
                assert_eq!(lost, squares as f64);
                let (off_mean, again) = residuals(&y, &p, true).unwrap();
                assert_eq!(again, found);
                if n == 0 {
                    assert_eq!((off_mean, found), (0.0, 0.0));
                    continue;
                }
                let spread = exact_spread(errors());
                let total = exact_spread(y.iter().map(|y| (y - shift) as i128));
                assert!((off_mean - spread).abs() <= 4e-15 * spread);
                assert!((found - total).abs() <= 4e-15 * total);
            }
        }
    }

    #[test]
    fn equal_targets_have_no_spread_at_all() {
        for n in [1, 3, 1024, 70_000] {
            let (y, p) = (vec![0.1; n], vec![0.3; n]);
            assert_eq!(residuals(&y, &p, true), Ok((0.0, 0.0)));
        }
    }

    #[test]
    fn columns_of_different_lengths_are_refused() {
        assert!(absolute_error(&[1.0], &[]).is_err());
        assert!(residuals(&[1.0], &[], false).is_err());
    }
}
