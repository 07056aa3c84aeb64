//! The number that an exact sum is.

use super::products::{MODERATE, two_product, two_products};
use crate::simd;

/// Chunks of 32 bits from 2^-1074 upwards; the last takes the sign and what a huge number of summands carries.
pub const CHUNKS: usize = 67;
/// Numbers that can be added before carries must be passed on: each adds less than 2^53 to a chunk.
const WAITING: u32 = 1000;
/// Numbers that are added together where their sizes allow it.
pub(super) const BLOCK: usize = 512;
/// Running sums of a block, each of BLOCK / LANES numbers.
const LANES: usize = 8;
/// Bits of a number that a running sum has room for: 53 less those that BLOCK / LANES such numbers carry, and the sign.
const DIGIT: i32 = 46;
/// Added to a number below 2^51 and taken off again, it rounds to a whole number.
const ROUND: f64 = 1.5 * (1_u64 << 52) as f64;
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

    /// Adds many numbers.
    pub fn add_all(&mut self, values: &[f64]) {
        for block in values.chunks(BLOCK) {
            if !self.add_digits(block) {
                block.iter().for_each(|&value| self.add(value));
            }
        }
    }

    /// Adds a block as the sums of two digits of each number, of which no sum is rounded; false where a number has more
    /// bits than they hold.
    fn add_digits(&mut self, block: &[f64]) -> bool {
        let sums = digits(block);
        if let Some(sums) = &sums {
            sums.iter().flatten().for_each(|&sum| self.add(sum));
        }
        sums.is_some()
    }

    /// Adds the products of pairs, each without rounding unless it is too large or too small for its parts to be floats.
    pub(super) fn add_products(&mut self, a: &[f64], b: &[f64]) {
        let (mut products, mut rests) = ([0.0; BLOCK], [0.0; BLOCK]);
        for (a, b) in a.chunks(BLOCK).zip(b.chunks(BLOCK)) {
            let (products, rests) = (&mut products[..a.len()], &mut rests[..a.len()]);
            two_products(a, b, products, rests);
            self.add_all(products);
            self.add_all(rests);
        }
    }

    /// Adds `a * b` without rounding, unless the product is too large or too small for its parts to be floats.
    #[inline]
    pub fn add_product(&mut self, a: f64, b: f64) {
        let (product, rest) = two_product(a, b);
        self.add(product);
        self.add(rest);
    }

    /// Adds `size * 2^(place - 1074)`, or takes it off.
    pub(crate) fn add_whole(&mut self, size: u128, place: usize, negative: bool) {
        let (chunk, shift) = (place >> 5, place & 31);
        for limb in 0..4 {
            let part = u64::from((size >> (32 * limb)) as u32) << shift;
            let (low, high) = ((part & LOW as u64) as i64, (part >> 32) as i64);
            let sign = if negative { -1 } else { 1 };
            self.chunks[chunk + limb] += sign * low;
            self.chunks[chunk + limb + 1] += sign * high;
        }
        self.left -= 1;
        if self.left == 0 {
            self.settle();
        }
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
        // 2^40 numbers do not come near it: far beyond, merging would overflow
        let proper = chunks[..CHUNKS - 1].iter().all(|c| (0..=LOW).contains(c))
            && chunks[CHUNKS - 1].unsigned_abs() <= LOW.unsigned_abs()
            && special < 8;
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

simd::widest! {
/// The sums of two digits of each number of a block in several lanes, none of them rounded; nothing where a number has
/// more bits than they hold.
fn digits(block: &[f64]) -> Option<[[f64; LANES]; 2]> {
    let largest = largest(block);
    if !(MODERATE.recip()..MODERATE).contains(&largest) {
        return None;
    }
    // The power of two that the largest number reaches.
    let top = f64::from_bits(largest.to_bits() & (0x7ff << 52));
    let digit = f64::from_bits(((1023 - DIGIT) as u64) << 52);
    // The last place of the first digit is `top * digit`, what it leaves is below half of that.
    let (first, second) = (top * digit * ROUND, top * digit * digit / 4.0 * ROUND);
    let (mut ones, mut twos, mut left) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
    let (chunks, others) = block.as_chunks::<LANES>();
    let mut last = [0.0; LANES];
    last[..others.len()].copy_from_slice(others);
    for values in chunks.iter().chain([&last]) {
        for lane in 0..LANES {
            let one = (values[lane] + first) - first;
            let rest = values[lane] - one;
            let two = (rest + second) - second;
            ones[lane] += one;
            twos[lane] += two;
            left[lane] += (rest - two).abs();
        }
    }
    // NaN is not 0 either.
    (left == [0.0; LANES]).then_some([ones, twos])
}
}

/// The greatest distance from 0, apart from NaN; in several lanes, as one would wait for itself.
#[inline(always)]
fn largest(values: &[f64]) -> f64 {
    let (chunks, others) = values.as_chunks::<LANES>();
    let mut last = [0.0; LANES];
    last[..others.len()].copy_from_slice(others);
    let mut most = [0.0; LANES];
    for chunk in chunks.iter().chain([&last]) {
        for lane in 0..LANES {
            let value = chunk[lane].abs();
            most[lane] = if value > most[lane] {
                value
            } else {
                most[lane]
            };
        }
    }
    most.into_iter()
        .fold(0.0, |most, value| if value > most { value } else { most })
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
