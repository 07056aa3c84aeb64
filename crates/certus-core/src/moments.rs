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
/// Bits of a power that a running sum has room for: 53 less those that BLOCK / LANES such numbers carry.
const DIGIT: i32 = 46;
/// Added to a number below 2^51 and taken off again, it rounds to a whole number.
const ROUND: f64 = 1.5 * (1_u64 << 52) as f64;
/// The fourth power of a distance, and the last place of its second digit, are normal numbers up to this and down to its
/// reciprocal.
const MODERATE: f64 = 1e50;

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

/// The sum, rounded once, and the moments of numbers that are written block by block, as often as they are needed.
pub(crate) fn of_blocks(
    n: usize,
    write: impl Fn(Range<usize>, &mut [f64]) + Sync,
) -> (f64, Moments) {
    let count = n as f64;
    let parts = over_blocks(
        n,
        &write,
        (Sum::default(), Moments::default()),
        |(sum, ends), block| {
            sum.add_all(block);
            let (least, greatest) = ends_of(block);
            ends.least = ends.least.min(least);
            ends.greatest = ends.greatest.max(greatest);
        },
    );
    let (mut sum, mut found) = (Sum::default(), Moments::default());
    for (part, ends) in parts {
        sum.merge(&part);
        found.least = found.least.min(ends.least);
        found.greatest = found.greatest.max(ends.greatest);
    }
    if n == 0 {
        return (0.0, found);
    }
    let total = sum.rounded();
    let mean = total / count;
    let farthest = (found.greatest - mean).max(mean - found.least);
    let places = (MODERATE.recip()..MODERATE)
        .contains(&farthest)
        .then(|| places_of(farthest));
    let none = || [(); 4].map(|()| Sum::default());
    let parts = over_blocks(n, &write, none(), |sums, block| match &places {
        Some(places) => add_powers(mean, places, block, sums),
        None => add_powers_of_any(mean, block, sums),
    });
    let mut sums = none();
    for part in parts {
        sums.iter_mut()
            .zip(&part)
            .for_each(|(sum, more)| sum.merge(more));
    }
    let [off, second, third, fourth] = sums.map(|sum| sum.rounded());
    // What rounding left of the mean.
    let rest = off / count;
    let moments = Moments {
        count,
        mean: mean + rest,
        second: (second - off * rest).max(0.0),
        third: third - 3.0 * rest * second + 2.0 * off * rest * rest,
        fourth: fourth - 4.0 * rest * third + 6.0 * rest * rest * second,
        ..found
    };
    (total, moments)
}

simd::widest! {
/// The least and the greatest number, NaN apart.
fn ends_of(block: &[f64]) -> (f64, f64) {
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

/// For each power what rounds to its first and to its second digit, by the distance of the number farthest from the mean.
fn places_of(farthest: f64) -> [[f64; 2]; 4] {
    let digit = f64::from_bits(((1023 - DIGIT) as u64) << 52);
    powers_of(farthest).map(|power| {
        let top = f64::from_bits(power.to_bits() & (0x7ff << 52));
        [top * digit * ROUND, top * digit * digit / 4.0 * ROUND]
    })
}

#[inline(always)]
fn powers_of(distance: f64) -> [f64; 4] {
    let square = distance * distance;
    [distance, square, square * distance, square * square]
}

/// Adds two digits of the first to fourth powers of the distances from the mean. What is left of a power is below 2^-92
/// of the largest one, and is the same in every order.
fn add_powers(mean: f64, places: &[[f64; 2]; 4], block: &mut [f64], sums: &mut [Sum; 4]) {
    let mut powers = [[0.0; BLOCK]; 3];
    let [squares, cubes, fourths] = &mut powers;
    write_powers(mean, block, squares, cubes, fourths);
    let powers = [&*block, &*squares, &*cubes, &*fourths];
    for ((sum, power), &places) in sums.iter_mut().zip(powers).zip(places) {
        let digits = digits_of(&power[..block.len()], places);
        digits.iter().flatten().for_each(|&digit| sum.add(digit));
    }
}

simd::widest! {
/// Writes the distances in place of the numbers, and their second to fourth powers.
fn write_powers(
    mean: f64,
    block: &mut [f64],
    squares: &mut [f64],
    cubes: &mut [f64],
    fourths: &mut [f64],
) -> () {
    let powers = squares.iter_mut().zip(cubes).zip(fourths);
    for (value, ((square, cube), fourth)) in block.iter_mut().zip(powers) {
        let d = *value - mean;
        *value = d;
        *square = d * d;
        *cube = d * d * d;
        *fourth = (d * d) * (d * d);
    }
}
}

simd::widest! {
/// The sums of two digits of each number in several lanes, none of them rounded.
fn digits_of(block: &[f64], places: [f64; 2]) -> [[f64; LANES]; 2] {
    let [first, second] = places;
    let (mut ones, mut twos) = ([0.0; LANES], [0.0; LANES]);
    let (chunks, others) = block.as_chunks::<LANES>();
    let mut last = [0.0; LANES];
    last[..others.len()].copy_from_slice(others);
    for values in chunks.iter().chain([&last]) {
        for lane in 0..LANES {
            let one = (values[lane] + first) - first;
            let two = ((values[lane] - one) + second) - second;
            ones[lane] += one;
            twos[lane] += two;
        }
    }
    [ones, twos]
}
}

/// The same of numbers that are equal, or of which a power may be infinite or 0.
fn add_powers_of_any(mean: f64, block: &[f64], sums: &mut [Sum; 4]) {
    for &value in block {
        for (sum, power) in sums.iter_mut().zip(powers_of(value - mean)) {
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
    let task = BLOCK * BLOCKS;
    threads::map(n.div_ceil(task), TASKS_PER_THREAD, |range| {
        range
            .map(|i| {
                let mut found = start.clone();
                let mut buffer = [0.0; BLOCK];
                for first in (i * task..n.min((i + 1) * task)).step_by(BLOCK) {
                    let here = first..n.min(first + BLOCK);
                    let block = &mut buffer[..here.len()];
                    write(here, block);
                    add(&mut found, block);
                }
                found
            })
            .collect()
    })
}

/// The moments of a function of pairs of numbers.
pub(crate) fn of_pairs(
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
    Ok(of_blocks(truth.len(), |range, block| {
        let pairs = truth[range.clone()].iter().zip(&predicted[range]);
        for (value, (&y, &p)) in block.iter_mut().zip(pairs) {
            *value = of(y, p);
        }
    })
    .1)
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
