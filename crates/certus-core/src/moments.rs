//! Central moments of many numbers in one pass, without an array of them.
//!
//! Numbers come in blocks of a fixed size. Each has moments about its own mean, and blocks are joined in order by the
//! formulas of Pébay (2008), Sandia report SAND2008-6212, so that nothing cancels however far the numbers lie from 0,
//! and the moments are the same bits for any number of threads.

use crate::{simd, threads};

/// Numbers whose moments are taken together; small enough for the first cache.
pub(crate) const BLOCK: usize = 1024;
/// Blocks that one piece of work of a thread has.
const BLOCKS: usize = 64;
/// Pieces of work below which no second thread is worth it.
const TASKS_PER_THREAD: usize = 4;
const LANES: usize = 8;

/// How many numbers there are, their mean, the sums of the second to fourth powers of their distances from it, and the
/// least and the greatest of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments {
    pub count: f64,
    pub mean: f64,
    pub second: f64,
    pub third: f64,
    pub fourth: f64,
    pub least: f64,
    pub greatest: f64,
}

impl Default for Moments {
    fn default() -> Self {
        Self {
            count: 0.0,
            mean: 0.0,
            second: 0.0,
            third: 0.0,
            fourth: 0.0,
            least: f64::INFINITY,
            greatest: f64::NEG_INFINITY,
        }
    }
}

impl Moments {
    /// Of numbers that fit into the first cache.
    pub(crate) fn of(values: &[f64]) -> Self {
        of_block(values)
    }

    pub(crate) fn joined(self, other: Self) -> Self {
        if self.count == 0.0 {
            return other;
        }
        if other.count == 0.0 {
            return self;
        }
        let count = self.count + other.count;
        let (p, q) = (self.count / count, other.count / count);
        let apart = other.mean - self.mean;
        let square = apart * apart;
        let both = self.count * q;
        Self {
            count,
            mean: self.mean + apart * q,
            second: self.second + other.second + square * both,
            third: self.third
                + other.third
                + square * apart * both * (p - q)
                + 3.0 * apart * (p * other.second - q * self.second),
            fourth: self.fourth
                + other.fourth
                + square * square * both * (p * p - p * q + q * q)
                + 6.0 * square * (p * p * other.second + q * q * self.second)
                + 4.0 * apart * (p * other.third - q * self.third),
            least: self.least.min(other.least),
            greatest: self.greatest.max(other.greatest),
        }
    }
}

simd::widest! {
fn of_block(values: &[f64]) -> Moments {
    let count = values.len() as f64;
    let [sum] = sums(values, |v| [v]);
    let mean = sum / count;
    let [off, second, third, fourth] = sums(values, |v| {
        let d = v - mean;
        let square = d * d;
        [d, square, square * d, square * square]
    });
    // What rounding left of the mean.
    let rest = off / count;
    Moments {
        count,
        mean: mean + rest,
        second: (second - off * rest).max(0.0),
        third: third - 3.0 * rest * second + 2.0 * off * rest * rest,
        fourth: fourth - 4.0 * rest * third + 6.0 * rest * rest * second,
        least: extreme(values, f64::INFINITY, |v, least| v < least),
        greatest: extreme(values, f64::NEG_INFINITY, |v, greatest| v > greatest),
    }
}
}

/// The number of which none is further, NaN apart.
#[inline(always)]
fn extreme(values: &[f64], from: f64, further: impl Fn(f64, f64) -> bool) -> f64 {
    let mut lanes = [from; LANES];
    let take = |lane: &mut f64, v: f64| *lane = if further(v, *lane) { v } else { *lane };
    let chunks = values.chunks_exact(LANES);
    let rest = chunks.remainder();
    for chunk in chunks {
        lanes
            .iter_mut()
            .zip(chunk)
            .for_each(|(lane, &v)| take(lane, v));
    }
    lanes
        .iter_mut()
        .zip(rest)
        .for_each(|(lane, &v)| take(lane, v));
    lanes
        .into_iter()
        .fold(from, |all, v| if further(v, all) { v } else { all })
}

/// Sums of some functions of each number, each in several running sums.
#[inline(always)]
fn sums<const K: usize>(values: &[f64], of: impl Fn(f64) -> [f64; K]) -> [f64; K] {
    let mut lanes = [[0.0; LANES]; K];
    let chunks = values.chunks_exact(LANES);
    let rest = chunks.remainder();
    for chunk in chunks {
        for (lane, &v) in chunk.iter().enumerate() {
            for (sums, x) in lanes.iter_mut().zip(of(v)) {
                sums[lane] += x;
            }
        }
    }
    for (lane, &v) in rest.iter().enumerate() {
        for (sums, x) in lanes.iter_mut().zip(of(v)) {
            sums[lane] += x;
        }
    }
    lanes.map(|[a, b, c, d, e, f, g, h]| ((a + b) + (c + d)) + ((e + f) + (g + h)))
}

/// The moments of a function of pairs of numbers, block by block.
fn of_pairs(
    truth: &[f64],
    predicted: &[f64],
    of: impl Fn(f64, f64) -> f64 + Sync,
) -> Result<Moments, String> {
    if truth.len() != predicted.len() {
        return Err(format!(
            "{} true numbers but {} predicted ones",
            truth.len(),
            predicted.len()
        ));
    }
    let task = BLOCK * BLOCKS;
    let parts = threads::map(truth.len().div_ceil(task), TASKS_PER_THREAD, |range| {
        range
            .map(|i| {
                let here = i * task..truth.len().min((i + 1) * task);
                let pairs = truth[here.clone()]
                    .chunks(BLOCK)
                    .zip(predicted[here].chunks(BLOCK));
                let mut buffer = [0.0; BLOCK];
                pairs.fold(Moments::default(), |all, (y, p)| {
                    for ((value, &y), &p) in buffer.iter_mut().zip(y).zip(p) {
                        *value = of(y, p);
                    }
                    all.joined(Moments::of(&buffer[..y.len()]))
                })
            })
            .collect()
    });
    Ok(parts.into_iter().fold(Moments::default(), Moments::joined))
}

/// The moments of some numbers.
///
/// ```
/// let found = certus_core::moments::of_values(&[1.0, 2.0, 6.0]);
/// assert_eq!((found.mean, found.second, found.third, found.fourth), (3.0, 14.0, 18.0, 98.0));
/// assert_eq!((found.least, found.greatest), (1.0, 6.0));
/// ```
#[must_use]
pub fn of_values(values: &[f64]) -> Moments {
    of_pairs(values, values, |v, _| v).unwrap_or_default()
}

/// The moments of `(true - predicted)^2`.
///
/// # Errors
///
/// The two columns differ in length.
///
/// ```
/// let found = certus_core::moments::of_squared_error(&[1.0, 2.0, 4.0], &[1.0, 1.0, 2.0]).unwrap();
/// assert_eq!((found.mean * 3.0, found.count), (5.0, 3.0));
/// ```
pub fn of_squared_error(truth: &[f64], predicted: &[f64]) -> Result<Moments, String> {
    of_pairs(truth, predicted, |y, p| (y - p) * (y - p))
}

/// The moments of `|true - predicted|`.
///
/// # Errors
///
/// The two columns differ in length.
///
/// ```
/// let found = certus_core::moments::of_absolute_error(&[1.0, 2.0, 4.0], &[1.0, 3.0, 2.0]).unwrap();
/// assert_eq!((found.mean, found.second, found.third), (1.0, 2.0, 0.0));
/// ```
pub fn of_absolute_error(truth: &[f64], predicted: &[f64]) -> Result<Moments, String> {
    of_pairs(truth, predicted, |y, p| (y - p).abs())
}

/// The moments of what leaving out each sample in turn adds to ``1 - squares / total``.
///
/// `mean` is that of the true numbers, `total` the sum of squared distances from it and `squares` that of the residuals.
/// Without a sample of residual e at a distance d from the mean they are `squares - e^2` and `total - d^2 n / (n - 1)`,
/// from which the value is subtracted in a form that loses no digits.
///
/// # Errors
///
/// The two columns differ in length.
///
/// ```
/// // Of 1 - 1/2 the first sample leaves 1 - 1 / 0.5, the second 1 - 0 / 0.5, the third 1 - 1/2.
/// let found = certus_core::moments::of_r2(&[1.0, 3.0, 2.0], &[1.0, 2.0, 2.0], 2.0, 1.0, 2.0).unwrap();
/// assert_eq!(3.0 * found.mean, -1.5 + 0.5 + 0.0);
/// ```
pub fn of_r2(
    truth: &[f64],
    predicted: &[f64],
    mean: f64,
    squares: f64,
    total: f64,
) -> Result<Moments, String> {
    let n = truth.len() as f64;
    let times = n / (n - 1.0);
    let ratio = squares / total;
    let added = |y: f64, p: f64| {
        let lost = (y - mean) * (y - mean) * times;
        ((y - p) * (y - p) - lost * ratio) / (total - lost)
    };
    of_pairs(truth, predicted, added)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn values(n: usize, shift: f64) -> Vec<f64> {
        (0..n)
            .map(|i| shift + ((i * 37) % 101) as f64 + f64::from(u8::from(i % 7 == 0)) * 50.0)
            .collect()
    }

    /// Distances of whole numbers from their mean, times how many there are, are whole.
    fn exact(values: &[f64], shift: f64) -> [f64; 4] {
        let n = values.len() as i128;
        let whole: Vec<i128> = values.iter().map(|v| (v - shift) as i128).collect();
        let sum: i128 = whole.iter().sum();
        let power = |k: u32| -> f64 {
            let total: i128 = whole.iter().map(|v| (n * v - sum).pow(k)).sum();
            total as f64 / (n as f64).powi(k as i32)
        };
        [sum as f64 / n as f64 + shift, power(2), power(3), power(4)]
    }

    #[test]
    fn moments_are_those_of_whole_numbers() {
        for n in [1, 2, 7, 8, 1023, 1025, 65_537, 300_001] {
            for shift in [0.0, 1e6] {
                let values = values(n, shift);
                let found = of_values(&values);
                let [mean, second, third, fourth] = exact(&values, shift);
                assert!((found.mean - mean).abs() <= 1e-15 * mean.abs());
                assert!((found.second - second).abs() <= 1e-13 * second);
                let size = second.powf(1.5);
                assert!((found.third - third).abs() <= 1e-12 * size, "{n} {shift}");
                assert!((found.fourth - fourth).abs() <= 1e-12 * fourth.max(1e-300));
            }
        }
    }

    #[test]
    fn moments_of_errors_are_those_of_an_array_of_them() {
        let truth = values(70_001, 0.5);
        let predicted: Vec<f64> = truth.iter().rev().map(|y| y + 0.25).collect();
        let errors = || truth.iter().zip(&predicted).map(|(y, p)| y - p);
        let absolute: Vec<f64> = errors().map(f64::abs).collect();
        let squared: Vec<f64> = errors().map(|e| e * e).collect();
        let found = of_absolute_error(&truth, &predicted).unwrap();
        assert_eq!(found, of_values(&absolute));
        let found = of_squared_error(&truth, &predicted).unwrap();
        assert_eq!(found, of_values(&squared));
    }

    #[test]
    fn what_each_sample_adds_to_r2_is_what_is_lost_without_it() {
        let n = 50;
        let truth = values(n, 3.0);
        let predicted: Vec<f64> = truth
            .iter()
            .enumerate()
            .map(|(i, y)| y + ((i * 13) % 7) as f64 - 3.0)
            .collect();
        let r2 = |left: Option<usize>| {
            let kept = || (0..n).filter(move |&i| Some(i) != left);
            let mean = kept().map(|i| truth[i]).sum::<f64>() / kept().count() as f64;
            let squares: f64 = kept().map(|i| (truth[i] - predicted[i]).powi(2)).sum();
            let total: f64 = kept().map(|i| (truth[i] - mean).powi(2)).sum();
            (1.0 - squares / total, squares, total, mean)
        };
        let (value, squares, total, mean) = r2(None);
        let added: Vec<f64> = (0..n).map(|i| r2(Some(i)).0 - value).collect();
        let expected = of_values(&added);
        let found = of_r2(&truth, &predicted, mean, squares, total).unwrap();
        assert!((found.mean - expected.mean).abs() < 1e-15);
        assert!((found.second / expected.second - 1.0).abs() < 1e-12);
        assert!((found.third - expected.third).abs() < 1e-12 * expected.second.powf(1.5));
        assert!((found.fourth / expected.fourth - 1.0).abs() < 1e-11);
    }

    #[test]
    fn no_numbers_have_no_moments_and_columns_of_different_lengths_are_refused() {
        assert_eq!(of_values(&[]), Moments::default());
        assert!(of_squared_error(&[1.0], &[]).is_err());
        assert!(of_absolute_error(&[1.0], &[]).is_err());
    }
}
