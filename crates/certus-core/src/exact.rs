//! Exact sums of floating-point numbers: the same bits for any order, any partition and any number of threads.
//!
//! A [`Sum`] is a fixed-point number wide enough for every float, in chunks of 32 bits that 64-bit integers hold, so that
//! carries wait: the small superaccumulator of Neal (2015), "Fast exact summation using small and large superaccumulators",
//! arXiv:1505.05571.

use crate::threads;

/// Chunks of 32 bits from 2^-1074 upwards; the last takes the sign and what a huge number of summands carries.
pub const CHUNKS: usize = 67;
/// Numbers that can be added before carries must be passed on: each adds less than 2^53 to a chunk.
const WAITING: u32 = 1000;
/// Numbers of one piece of work of a thread.
const BLOCK: usize = 1 << 16;
const LOW: i64 = 0xffff_ffff;
/// What is not finite, noted beside the sum.
const NAN: u8 = 1;
const PLUS: u8 = 2;
const MINUS: u8 = 4;

/// An exact sum.
///
/// ```
/// use certus_core::exact::Sum;
/// let mut sum = Sum::default();
/// for value in [1e300, 1.0, -1e300, 1e-300] {
///     sum.add(value);
/// }
/// assert_eq!(sum.rounded(), 1.0);
/// ```
#[derive(Clone, Debug)]
pub struct Sum {
    chunks: [i64; CHUNKS],
    left: u32,
    special: u8,
}

impl Default for Sum {
    fn default() -> Self {
        Self {
            chunks: [0; CHUNKS],
            left: WAITING,
            special: 0,
        }
    }
}

impl PartialEq for Sum {
    fn eq(&self, other: &Self) -> bool {
        self.settled() == other.settled() && self.special == other.special
    }
}

impl Sum {
    /// Adds a number.
    #[inline]
    pub fn add(&mut self, value: f64) {
        let bits = value.to_bits();
        let exponent = ((bits >> 52) & 0x7ff) as usize;
        if exponent == 0x7ff {
            self.special |= match value {
                f64::INFINITY => PLUS,
                f64::NEG_INFINITY => MINUS,
                _ => NAN,
            };
            return;
        }
        let fraction = bits & ((1 << 52) - 1);
        // A subnormal number has the exponent 1 and no leading bit.
        let (mantissa, place) = match exponent {
            0 => (fraction, 0),
            _ => (fraction | 1 << 52, exponent - 1),
        };
        let (chunk, shift) = (place >> 5, (place & 31) as u32);
        let low = ((mantissa << shift) & LOW as u64) as i64;
        let high = (mantissa >> (32 - shift)) as i64;
        // All ones for a negative number: (x ^ sign) - sign is -x.
        let sign = -((bits >> 63) as i64);
        self.chunks[chunk] += (low ^ sign) - sign;
        self.chunks[chunk + 1] += (high ^ sign) - sign;
        self.left -= 1;
        if self.left == 0 {
            self.settle();
        }
    }

    /// Adds `a * b` without rounding, unless the product is too large or too small for its parts to be floats.
    #[inline]
    pub fn add_product(&mut self, a: f64, b: f64) {
        let (product, rest) = two_product(a, b);
        self.add(product);
        self.add(rest);
    }

    /// Adds what another sum holds.
    pub fn merge(&mut self, other: &Self) {
        self.settle();
        for (chunk, add) in self.chunks.iter_mut().zip(other.settled()) {
            *chunk += add;
        }
        self.special |= other.special;
        self.settle();
    }

    /// The sum as the nearest float, ties to even.
    #[must_use]
    pub fn rounded(&self) -> f64 {
        self.rounded_over(0)
    }

    /// The sum over `2^power`, as the nearest float where that is a normal number.
    #[must_use]
    pub fn rounded_over(&self, power: u32) -> f64 {
        match self.special {
            0 => {}
            PLUS => return f64::INFINITY,
            MINUS => return f64::NEG_INFINITY,
            _ => return f64::NAN,
        }
        let mut chunks = self.settled();
        let negative = chunks[CHUNKS - 1] < 0;
        if negative {
            chunks.iter_mut().for_each(|chunk| *chunk = -*chunk);
            carry(&mut chunks);
        }
        let size = magnitude(&chunks, power);
        if negative { -size } else { size }
    }

    /// The chunks of 32 bits, all from 0 to 2^32 - 1 but the last, which has the sign; and the marks of what was not
    /// finite.
    #[must_use]
    pub fn parts(&self) -> ([i64; CHUNKS], u8) {
        (self.settled(), self.special)
    }

    /// The sum of these parts; `None` where they are none.
    #[must_use]
    pub fn of_parts(chunks: [i64; CHUNKS], special: u8) -> Option<Self> {
        let proper = chunks[..CHUNKS - 1].iter().all(|c| (0..=LOW).contains(c)) && special < 8;
        proper.then_some(Self {
            chunks,
            left: WAITING,
            special,
        })
    }

    fn settle(&mut self) {
        carry(&mut self.chunks);
        self.left = WAITING;
    }

    fn settled(&self) -> [i64; CHUNKS] {
        let mut chunks = self.chunks;
        carry(&mut chunks);
        chunks
    }
}

/// `a * b` as a float and the rest that rounding took off.
#[inline]
#[must_use]
pub fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    if !product.is_finite() {
        return (product, 0.0);
    }
    (product, a.mul_add(b, -product))
}

fn carry(chunks: &mut [i64; CHUNKS]) {
    let mut over = 0;
    for chunk in &mut chunks[..CHUNKS - 1] {
        let here = *chunk + over;
        *chunk = here & LOW;
        over = here >> 32;
    }
    chunks[CHUNKS - 1] += over;
}

/// Of settled chunks without a sign, over `2^power`.
fn magnitude(chunks: &[i64; CHUNKS], power: u32) -> f64 {
    let Some(top) = chunks.iter().rposition(|&chunk| chunk != 0) else {
        return 0.0;
    };
    // The first three chunks have at least 65 bits, unless there are no more.
    let lowest = top.saturating_sub(2);
    let head = chunks[lowest..=top]
        .iter()
        .rev()
        .fold(0_u128, |all, &chunk| all << 32 | chunk as u128);
    let bits = 128 - head.leading_zeros();
    let below = 32 * lowest as u64;
    if bits <= 53 && below == 0 {
        // Fewer bits than a mantissa: the encoding of the number is the number.
        let small = f64::from_bits(head as u64);
        return small / 2_f64.powi(power as i32);
    }
    let drop = bits - 53;
    let kept = (head >> drop) as u64;
    let rest = head & ((1 << drop) - 1);
    let half = 1_u128 << (drop - 1);
    let more = chunks[..lowest].iter().any(|&chunk| chunk != 0);
    let up = rest > half || rest == half && (more || kept & 1 == 1);
    let exponent = below + u64::from(drop);
    if exponent < u64::from(power) {
        return 0.0;
    }
    let encoded = ((exponent - u64::from(power)) << 52) + kept + u64::from(up);
    if encoded >= f64::INFINITY.to_bits() {
        return f64::INFINITY;
    }
    f64::from_bits(encoded)
}

/// The exact sum of some numbers.
///
/// ```
/// let values = [0.1, 1e16, 0.2, -1e16];
/// assert_eq!(certus_core::exact::of_values(&values).rounded(), 0.30000000000000004);
/// ```
#[must_use]
pub fn of_values(values: &[f64]) -> Sum {
    of_blocks(values.len(), |range, sum| {
        values[range].iter().for_each(|&value| sum.add(value));
    })
}

/// The exact sum of the products of pairs.
///
/// # Errors
///
/// The two columns differ in length.
///
/// ```
/// let sum = certus_core::exact::of_products(&[0.1, 1e200], &[0.1, 0.0]).unwrap();
/// assert_eq!(sum.rounded(), 0.1 * 0.1);
/// ```
pub fn of_products(a: &[f64], b: &[f64]) -> Result<Sum, String> {
    if a.len() != b.len() {
        return Err(format!("{} numbers but {} beside them", a.len(), b.len()));
    }
    Ok(of_blocks(a.len(), |range, sum| {
        for (&a, &b) in a[range.clone()].iter().zip(&b[range]) {
            sum.add_product(a, b);
        }
    }))
}

fn of_blocks(size: usize, add: impl Fn(std::ops::Range<usize>, &mut Sum) + Sync) -> Sum {
    let parts = threads::map(size.div_ceil(BLOCK), 4, |blocks| {
        blocks
            .map(|i| {
                let mut sum = Sum::default();
                add(i * BLOCK..size.min((i + 1) * BLOCK), &mut sum);
                sum
            })
            .collect()
    });
    let mut all = Sum::default();
    parts.iter().for_each(|part| all.merge(part));
    all
}

/// The sums of the first to fourth powers of some numbers, each exact where its parts are floats.
///
/// ```
/// let powers = certus_core::exact::powers(&[1.0, 2.0, 3.0]);
/// assert_eq!(powers.map(|sum| sum.rounded()), [6.0, 14.0, 36.0, 98.0]);
/// ```
#[must_use]
pub fn powers(values: &[f64]) -> [Sum; 4] {
    let mut sums = [(); 4].map(|()| Sum::default());
    let [first, second, third, fourth] = &mut sums;
    for &value in values {
        first.add(value);
        let (square, rest) = two_product(value, value);
        second.add(square);
        second.add(rest);
        third.add_product(square, value);
        third.add_product(rest, value);
        fourth.add_product(square, square);
        fourth.add_product(square, 2.0 * rest);
        fourth.add_product(rest, rest);
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_round_to_even() {
        let step = f64::EPSILON;
        assert_eq!(of_values(&[1.0, step / 2.0]).rounded(), 1.0);
        assert_eq!(
            of_values(&[1.0 + step, step / 2.0]).rounded(),
            1.0 + 2.0 * step
        );
        assert_eq!(of_values(&[1.0, step / 2.0, 1e-300]).rounded(), 1.0 + step);
        assert_eq!(
            of_values(&[-1.0, -step / 2.0, -1e-300]).rounded(),
            -1.0 - step
        );
    }

    #[test]
    fn the_ends_of_the_range_are_reached() {
        let tiny = f64::from_bits(1);
        assert_eq!(of_values(&[tiny; 3]).rounded(), f64::from_bits(3));
        assert_eq!(
            of_values(&[f64::MAX, f64::MAX, -f64::MAX]).rounded(),
            f64::MAX
        );
        assert_eq!(of_values(&[f64::MAX; 2]).rounded(), f64::INFINITY);
        assert_eq!(of_values(&[f64::MAX; 4]).rounded_over(2), f64::MAX);
        assert_eq!(
            of_values(&[-f64::MIN_POSITIVE, tiny]).rounded(),
            -f64::MIN_POSITIVE + tiny
        );
        assert_eq!(of_values(&[]).rounded(), 0.0);
    }

    #[test]
    fn what_is_not_finite_is_told() {
        assert_eq!(of_values(&[1.0, f64::INFINITY]).rounded(), f64::INFINITY);
        assert!(
            of_values(&[f64::NEG_INFINITY, f64::INFINITY])
                .rounded()
                .is_nan()
        );
        assert!(of_values(&[f64::NAN]).rounded().is_nan());
    }

    #[test]
    fn parts_make_the_sum_again() {
        let values: Vec<f64> = (0..5000).map(|i| (f64::from(i) - 2000.3).powi(5)).collect();
        let sum = of_values(&values);
        let (chunks, special) = sum.parts();
        assert_eq!(Sum::of_parts(chunks, special), Some(sum));
        assert_eq!(Sum::of_parts([-1; CHUNKS], 0), None);
    }
}
