//! Central moments of many numbers, without an array of them.
//!
//! Numbers come in blocks, twice: for their mean, and for the powers of their distances from it, so that nothing cancels
//! however far the numbers lie from 0. No sum of theirs is rounded: the moments are the same bits for any order of the
//! numbers and any number of threads.

use std::ops::Range;

use crate::exact::Sum;
use crate::{simd, threads};

/// Numbers that are written at a time; small enough for the first cache.
pub(crate) const BLOCK: usize = 512;
/// Blocks that one piece of work of a thread has.
const BLOCKS: usize = 128;
/// Pieces of work below which no second thread is worth it.
const TASKS_PER_THREAD: usize = 4;
const LANES: usize = 8;
/// Bits of a power that a running sum has room for: 50 less those that BLOCK * BLOCKS / LANES such numbers carry.
const DIGIT: i32 = 36;
/// What is added to a number from 2^52 to 2^53 is rounded to a whole number; sums start in the middle.
const ROUND: f64 = 1.5 * (1_u64 << 52) as f64;
/// The fourth power of a distance, and the last place of its second digit, are normal numbers up to this and down to its
/// reciprocal.
const MODERATE: f64 = 1e50;

/// The sums of two digits of some numbers in several lanes, none of them rounded, each beside where it started.
type Digits = [[f64; LANES]; 2];

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

/// Numbers about their mean: the sum of them, and of the second to (K + 1)th powers of their distances from `mean`, which
/// is off by `rest`.
struct About<const K: usize> {
    total: f64,
    mean: f64,
    rest: f64,
    powers: [f64; K],
    least: f64,
    greatest: f64,
}

/// The sum, rounded once, and the moments of numbers that are written block by block, as often as they are needed.
pub(crate) fn of_blocks(
    n: usize,
    write: impl Fn(Range<usize>, &mut [f64]) + Sync,
) -> (f64, Moments) {
    if n == 0 {
        return (0.0, Moments::default());
    }
    let found = about_mean(n, &write);
    let (count, rest) = (n as f64, found.rest);
    let [second, third, fourth] = found.powers;
    let moments = Moments {
        count,
        mean: found.mean + rest,
        second: (second - count * rest * rest).max(0.0),
        third: third - 3.0 * rest * second + 2.0 * count * rest * rest * rest,
        fourth: fourth - 4.0 * rest * third + 6.0 * rest * rest * second,
        least: found.least,
        greatest: found.greatest,
    };
    (found.total, moments)
}

/// The exact sum of some numbers, the least and the greatest of them.
#[derive(Clone)]
pub struct Total {
    pub sum: Sum,
    pub least: f64,
    pub greatest: f64,
}

impl Default for Total {
    fn default() -> Self {
        Self {
            sum: Sum::default(),
            least: f64::INFINITY,
            greatest: f64::NEG_INFINITY,
        }
    }
}

impl Total {
    pub(crate) fn add(&mut self, block: &[f64]) {
        self.sum.add_all(block);
        self.widen(ends_of(block));
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        self.sum.merge(&other.sum);
        self.widen((other.least, other.greatest));
    }

    pub(crate) fn widen(&mut self, (least, greatest): (f64, f64)) {
        self.least = self.least.min(least);
        self.greatest = self.greatest.max(greatest);
    }
}

fn about_mean<const K: usize>(
    n: usize,
    write: &(impl Fn(Range<usize>, &mut [f64]) + Sync),
) -> About<K> {
    let count = n as f64;
    let mut all = Total::default();
    let parts = over_blocks(n, write, Total::default(), |part, block| part.add(block));
    parts.iter().for_each(|part| all.merge(part));
    let total = all.sum.rounded();
    let mean = total / count;
    // What rounding left of the mean.
    all.sum.add_product(-count, mean);
    let rest = all.sum.rounded() / count;
    let farthest = (all.greatest - mean).max(mean - all.least);
    About {
        total,
        mean,
        rest,
        powers: powers_about::<K>(n, write, mean, farthest).map(|sum| sum.rounded()),
        least: all.least,
        greatest: all.greatest,
    }
}

/// The sums of the second to (K + 1)th powers of the distances from `mean`, none of which is greater than `farthest`; the
/// sums of several parts of some numbers, all with the same `farthest`, add up.
pub(crate) fn powers_about<const K: usize>(
    n: usize,
    write: &(impl Fn(Range<usize>, &mut [f64]) + Sync),
    mean: f64,
    farthest: f64,
) -> [Sum; K] {
    let mut sums = [(); K].map(|()| Sum::default());
    if (MODERATE.recip()..MODERATE).contains(&farthest) {
        let start = powers_of::<K>(farthest).map(start_of);
        let parts = over_blocks(n, write, start, |digits, block| {
            simd::run(AddPowers {
                mean,
                block,
                digits,
            });
        });
        for part in parts {
            for ((sum, digits), start) in sums.iter_mut().zip(&part).zip(&start) {
                let both = digits.as_flattened().iter().zip(start.as_flattened());
                both.for_each(|(digit, start)| sum.add(digit - start));
            }
        }
    } else if farthest != 0.0 {
        let parts = over_blocks(n, write, sums.clone(), |sums, block| {
            add_powers_of_any(mean, block, sums);
        });
        for part in parts {
            sums.iter_mut()
                .zip(&part)
                .for_each(|(sum, more)| sum.merge(more));
        }
    }
    sums
}

simd::widest! {
/// The least and the greatest number, NaN apart.
pub(crate) fn ends_of(block: &[f64]) -> (f64, f64) {
    let mut least = [f64::INFINITY; LANES];
    let mut greatest = [f64::NEG_INFINITY; LANES];
    let (chunks, others) = block.as_chunks::<LANES>();
    let mut last = [f64::NAN; LANES];
    last[..others.len()].copy_from_slice(others);
    for values in chunks.iter().chain([&last]) {
        for lane in 0..LANES {
            let v = values[lane];
            least[lane] = if v < least[lane] { v } else { least[lane] };
            greatest[lane] = if v > greatest[lane] { v } else { greatest[lane] };
        }
    }
    (
        least.into_iter().fold(f64::INFINITY, f64::min),
        greatest.into_iter().fold(f64::NEG_INFINITY, f64::max),
    )
}
}

/// Where the sums of the first and of the second digits of a power start, by the largest power.
fn start_of(largest: f64) -> Digits {
    let digit = f64::from_bits(((1023 - DIGIT) as u64) << 52);
    let top = f64::from_bits(largest.to_bits() & (0x7ff << 52));
    [top * digit * ROUND, top * digit * digit / 4.0 * ROUND].map(|start| [start; LANES])
}

/// The second to (K + 1)th powers.
fn powers_of<const K: usize>(distance: f64) -> [f64; K] {
    let mut power = distance;
    [(); K].map(|()| {
        power *= distance;
        power
    })
}

/// Adds two digits of the second to (K + 1)th powers of the distances from the mean. What is left of a power is below
/// 2^-72 of the largest one, and is the same in every order.
struct AddPowers<'a, const K: usize> {
    mean: f64,
    block: &'a [f64],
    digits: &'a mut [Digits; K],
}

impl<const K: usize> pulp::WithSimd for AddPowers<'_, K> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        let mut digits = *self.digits;
        let (chunks, others) = self.block.as_chunks::<LANES>();
        let mut last = [self.mean; LANES];
        last[..others.len()].copy_from_slice(others);
        for values in chunks.iter().chain([&last]) {
            let mut distances = [0.0; LANES];
            for lane in 0..LANES {
                distances[lane] = values[lane] - self.mean;
            }
            let mut powers = distances;
            for [ones, twos] in &mut digits {
                for lane in 0..LANES {
                    powers[lane] *= distances[lane];
                    let more = ones[lane] + odd(powers[lane]);
                    let rest = powers[lane] - (more - ones[lane]);
                    ones[lane] = more;
                    twos[lane] += odd(rest);
                }
            }
        }
        *self.digits = digits;
    }
}

/// The number with its last bit set, so that it is never midway between two whole numbers: what that is rounded to would
/// hang on the sum that it is added to.
#[inline(always)]
fn odd(value: f64) -> f64 {
    f64::from_bits(value.to_bits() | 1)
}

/// The same of numbers of which a power may be infinite or 0.
fn add_powers_of_any<const K: usize>(mean: f64, block: &[f64], sums: &mut [Sum; K]) {
    for &value in block {
        for (sum, power) in sums.iter_mut().zip(powers_of::<K>(value - mean)) {
            sum.add(power);
        }
    }
}

/// What each piece of work adds up of the blocks of numbers in it.
fn over_blocks<T: Clone + Send + Sync>(
    n: usize,
    write: &(impl Fn(Range<usize>, &mut [f64]) + Sync),
    start: T,
    add: impl Fn(&mut T, &mut [f64]) + Sync,
) -> Vec<T> {
    over_ranges(n, start, |found, range, block| {
        write(range, block);
        add(found, block);
    })
}

/// What each piece of work adds up over ranges of at most `BLOCK` numbers, for which there is room in a block.
pub(crate) fn over_ranges<T: Clone + Send + Sync>(
    n: usize,
    start: T,
    add: impl Fn(&mut T, Range<usize>, &mut [f64]) + Sync,
) -> Vec<T> {
    let task = BLOCK * BLOCKS;
    threads::map(n.div_ceil(task), TASKS_PER_THREAD, |range| {
        range
            .map(|i| {
                let mut found = start.clone();
                let mut buffer = [0.0; BLOCK];
                for first in (i * task..n.min((i + 1) * task)).step_by(BLOCK) {
                    let here = first..n.min(first + BLOCK);
                    let block = &mut buffer[..here.len()];
                    add(&mut found, here, block);
                }
                found
            })
            .collect()
    })
}

/// The moments of a function of pairs of numbers.
fn of_pairs(
    truth: &[f64],
    predicted: &[f64],
    of: impl Fn(f64, f64) -> f64 + Sync,
) -> Result<Moments, String> {
    check(truth, predicted)?;
    Ok(of_blocks(truth.len(), writer(truth, predicted, of)).1)
}

/// Writes a function of pairs of numbers.
pub(crate) fn writer(
    truth: &[f64],
    predicted: &[f64],
    of: impl Fn(f64, f64) -> f64 + Sync,
) -> impl Fn(Range<usize>, &mut [f64]) + Sync {
    move |range, block| {
        let pairs = truth[range.clone()].iter().zip(&predicted[range]);
        for (value, (&y, &p)) in block.iter_mut().zip(pairs) {
            *value = of(y, p);
        }
    }
}

pub(crate) fn check(truth: &[f64], predicted: &[f64]) -> Result<(), String> {
    if truth.len() == predicted.len() {
        return Ok(());
    }
    Err(format!(
        "{} true numbers but {} predicted ones",
        truth.len(),
        predicted.len()
    ))
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
    fn no_order_of_the_numbers_changes_a_bit() {
        for scale in [1.0, 1e-20, 1e70] {
            let mut numbers: Vec<f64> = (0..70_001)
                .map(|i| scale * (f64::from((i * 37) % 1013) / 7.0).powi(i % 5))
                .collect();
            let found = of_values(&numbers);
            numbers.reverse();
            assert_eq!(of_values(&numbers), found);
            numbers.sort_by(f64::total_cmp);
            assert_eq!(of_values(&numbers), found);
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
    fn no_numbers_have_no_moments_and_columns_of_different_lengths_are_refused() {
        assert_eq!(of_values(&[]), Moments::default());
        assert!(of_squared_error(&[1.0], &[]).is_err());
        assert!(of_absolute_error(&[1.0], &[]).is_err());
    }
}
