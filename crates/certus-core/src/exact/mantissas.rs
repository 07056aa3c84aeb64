//! Powers of floats as whole numbers: those of one exponent are added without any shift.

use super::accumulator::Sum;

/// Bits of half of a square.
const HALF: u32 = 53;
/// The least and one more than the greatest place of the last bit of a number, counted from 2^-1074: its fourth power
/// lies within the range of a sum.
const PLACES: std::ops::Range<usize> = 822..1222;

/// Sums of the powers of mantissas; a square is `high * 2^53 + low`.
#[derive(Clone, Copy, Default)]
struct Powers {
    first: u128,
    second: u128,
    /// Low and high half of the square, times the mantissa.
    third: [u128; 2],
    /// The squares of both halves, and their product.
    fourth: [u128; 3],
}

/// The powers of numbers by sign and exponent; of up to 2^16 numbers no sum overflows.
pub(super) struct Mantissas(Vec<Powers>);

impl Default for Mantissas {
    fn default() -> Self {
        Self(vec![Powers::default(); 2 * PLACES.len()])
    }
}

impl Mantissas {
    /// Adds a number; false of those that are very small, very large or not finite.
    #[inline]
    pub(super) fn add(&mut self, value: f64) -> bool {
        let bits = value.to_bits();
        let place = ((bits >> 52) & 0x7ff) as usize;
        // A normal number has its last bit at its exponent less 1.
        if !(PLACES.start + 1..=PLACES.end).contains(&place) {
            return value == 0.0;
        }
        let mantissa = u128::from(bits & ((1 << 52) - 1) | 1 << 52);
        let square = mantissa * mantissa;
        let (low, high) = (square & ((1 << HALF) - 1), square >> HALF);
        let sums = &mut self.0[2 * (place - 1 - PLACES.start) + (bits >> 63) as usize];
        sums.first += mantissa;
        sums.second += square;
        sums.third[0] += low * mantissa;
        sums.third[1] += high * mantissa;
        sums.fourth[0] += low * low;
        sums.fourth[1] += low * high;
        sums.fourth[2] += high * high;
        true
    }

    /// Adds all to the sums of the first to fourth powers, and starts anew.
    pub(super) fn empty_into(&mut self, sums: &mut [Sum; 4]) {
        let half = HALF as usize;
        for (i, held) in self.0.iter_mut().enumerate() {
            if held.first == 0 {
                continue;
            }
            let (place, negative) = (i / 2 + PLACES.start, i % 2 == 1);
            // The last bit of a power; 2^-1074 is place 0 of each sum.
            let at = |power: usize, more: usize| power * place + more - (power - 1) * 1074;
            sums[0].add_whole(held.first, at(1, 0), negative);
            sums[1].add_whole(held.second, at(2, 0), false);
            sums[2].add_whole(held.third[0], at(3, 0), negative);
            sums[2].add_whole(held.third[1], at(3, half), negative);
            sums[3].add_whole(held.fourth[0], at(4, 0), false);
            sums[3].add_whole(held.fourth[1], at(4, half + 1), false);
            sums[3].add_whole(held.fourth[2], at(4, 2 * half), false);
            *held = Powers::default();
        }
    }
}
