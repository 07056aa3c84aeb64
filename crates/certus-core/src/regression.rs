//! Sums over pairs of a true and a predicted number, in one pass and without an array.
//!
//! Sums of losses are exact but for one rounding. For sums about means, samples are taken in blocks of a fixed size whose
//! results are joined in order, so that they are the same bits for any number of threads, and compensated: the error
//! stays at a few units in the last place for any number of samples.

use crate::{exact, threads};

/// Samples summed before a result is joined to the others; small enough for the first cache.
const BLOCK: usize = 1024;
/// Samples that one piece of work of a thread has.
const TASK: usize = 64 * BLOCK;
/// Pieces of work below which no second thread is worth it.
const TASKS_PER_THREAD: usize = 4;
const LANES: usize = 8;

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
/// Distances are taken from a value in the midst of the data first, so that nothing cancels however far the data lie
/// from 0. Blocks are joined by the formula of Chan, Golub & LeVeque (1983), Am. Stat. 37(3):242-247,
/// doi:10.1080/00031305.1983.10483115.
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
    check(truth, predicted)?;
    let first = truth.len().min(BLOCK);
    let middle = middle_of(&truth[..first]);
    let mut errors = Vec::with_capacity(first);
    errors.extend(truth.iter().zip(predicted).take(first).map(|(y, p)| y - p));
    let off = middle_of(&errors);
    let parts = threads::map(truth.len().div_ceil(TASK), TASKS_PER_THREAD, |range| {
        range
            .map(|task| {
                let (y, p) = (task_of(truth, task), task_of(predicted, task));
                let (mut squares, mut spread, mut total) =
                    (Sum::default(), Spread::default(), Spread::default());
                let mut buffer = [0.0; BLOCK];
                for (y, p) in y.chunks(BLOCK).zip(p.chunks(BLOCK)) {
                    let buffer = &mut buffer[..y.len()];
                    squares.add(block_sum(y, p, |y, p| (y - p) * (y - p)));
                    fill(buffer, y, p, |y, p| (y - p) - off);
                    spread = spread.joined(Spread::of(buffer));
                    fill(buffer, y, p, |y, _| y - middle);
                    total = total.joined(Spread::of(buffer));
                }
                (squares, spread, total)
            })
            .collect()
    });
    let (mut squares, mut spread, mut total) =
        (Sum::default(), Spread::default(), Spread::default());
    for (a, b, c) in parts {
        squares.join(a);
        spread = spread.joined(b);
        total = total.joined(c);
    }
    Ok(Residuals {
        squares: squares.value(),
        spread: spread.squares,
        total: total.squares,
    })
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

fn task_of(values: &[f64], task: usize) -> &[f64] {
    &values[task * TASK..values.len().min((task + 1) * TASK)]
}

/// The sum over one block, in several running sums that are then added in pairs.
#[inline]
fn block_sum(truth: &[f64], predicted: &[f64], of: impl Fn(f64, f64) -> f64) -> f64 {
    let mut sums = [0.0; LANES];
    let (y, p) = (truth.chunks_exact(LANES), predicted.chunks_exact(LANES));
    let rest = y.remainder().iter().zip(p.remainder());
    for (y, p) in y.zip(p) {
        for ((sum, y), p) in sums.iter_mut().zip(y).zip(p) {
            *sum += of(*y, *p);
        }
    }
    for ((y, p), sum) in rest.zip(&mut sums) {
        *sum += of(*y, *p);
    }
    let [a, b, c, d, e, f, g, h] = sums;
    ((a + b) + (c + d)) + ((e + f) + (g + h))
}

fn fill(buffer: &mut [f64], truth: &[f64], predicted: &[f64], of: impl Fn(f64, f64) -> f64) {
    for ((into, y), p) in buffer.iter_mut().zip(truth).zip(predicted) {
        *into = of(*y, *p);
    }
}

/// Some value within the range of the values: their mean, kept between the least and the greatest.
fn middle_of(values: &[f64]) -> f64 {
    let Some(&first) = values.first() else {
        return 0.0;
    };
    let (least, greatest) = values.iter().fold((first, first), |(least, greatest), &v| {
        (least.min(v), greatest.max(v))
    });
    let share = 1.0 / values.len() as f64;
    values
        .iter()
        .map(|v| v * share)
        .sum::<f64>()
        .max(least)
        .min(greatest)
}

/// A sum that keeps what rounding loses (Neumaier's).
#[derive(Clone, Copy, Default)]
struct Sum {
    sum: f64,
    lost: f64,
}

impl Sum {
    fn add(&mut self, value: f64) {
        let sum = self.sum + value;
        self.lost += if self.sum.abs() >= value.abs() {
            (self.sum - sum) + value
        } else {
            (value - sum) + self.sum
        };
        self.sum = sum;
    }

    fn join(&mut self, other: Self) {
        self.add(other.sum);
        self.lost += other.lost;
    }

    fn value(self) -> f64 {
        // An infinite sum has lost more than can be said.
        if self.sum.is_finite() {
            self.sum + self.lost
        } else {
            self.sum
        }
    }
}

/// How many numbers there were, their mean, and the sum of squared distances from it.
#[derive(Clone, Copy, Default)]
struct Spread {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Spread {
    fn of(values: &[f64]) -> Self {
        let count = values.len() as f64;
        let mean = block_sum(values, values, |v, _| v) / count;
        let off = block_sum(values, values, |v, _| v - mean);
        let squares = block_sum(values, values, |v, _| (v - mean) * (v - mean));
        Self {
            count,
            mean: mean + off / count,
            squares: (squares - off * off / count).max(0.0),
        }
    }

    fn joined(self, other: Self) -> Self {
        if self.count == 0.0 {
            return other;
        }
        let count = self.count + other.count;
        let apart = other.mean - self.mean;
        Self {
            count,
            mean: self.mean + apart * (other.count / count),
            squares: self.squares
                + other.squares
                + apart * apart * (self.count * (other.count / count)),
        }
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
