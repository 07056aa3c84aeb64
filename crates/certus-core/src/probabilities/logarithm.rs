//! The natural logarithm of probabilities, many at a time: the same bits on every machine.
//!
//! With `x = 2^k (1 + f)`, `1 + f` between `sqrt(1/2)` and `sqrt(2)`, and `s = f / (2 + f)`, the logarithm of `1 + f` is
//! `2 atanh(s)`, which is `f - f^2/2 + s (f^2/2 + z q(z))` with `z = s^2`. Nothing in it branches, so compilers take
//! several numbers at once.

use crate::simd;

/// The polynomial q, by Chebyshev interpolation of `(2 atanh(s) / s - 2) / z` for z in `[0, (3 - 2 sqrt(2))^2]`; its error
/// is at most 3.2e-16, that of the logarithm of `1 + f` at most `4.6e-18 s`.
const Q: [f64; 7] = [
    0.666666666666667,
    0.39999999999899444,
    0.2857142862600327,
    0.22222211130259878,
    0.18182889455674947,
    0.15331710618210773,
    0.14616585424888623,
];
/// The first 32 bits of ln 2, of which any multiple by an exponent is a float, and the rest.
const LN2: [f64; 2] = [
    f64::from_bits(0x3fe6_2e42_fee0_0000),
    1.908_214_929_270_587_7e-10,
];
/// The bits of sqrt(1/2), and those of the difference to 1.
const ROOT: u64 = 0x3fe6_a09e_667f_3bcd;
const TO_ONE: u64 = (1023 << 52) - ROOT;
const FRACTION: u64 = (1 << 52) - 1;
/// The exponent of a float whose last place is 1, and what is to be taken off for a number without one.
const WHOLE: u64 = 0x4330_0000_0000_0000;
const BIAS: f64 = (1_u64 << 52) as f64 + 1023.0;

/// `ln(x + rest)` of a positive normal number and what rounding took off it, to less than one unit in the last place.
#[inline(always)]
fn normal(x: f64, rest: f64, exponent: f64) -> f64 {
    let moved = x.to_bits().wrapping_add(TO_ONE);
    let k = f64::from_bits((moved >> 52) | WHOLE) - BIAS + exponent;
    let f = f64::from_bits((moved & FRACTION).wrapping_add(ROOT)) - 1.0;
    let s = f / (2.0 + f);
    let z = s * s;
    let [a, b, c, d, e, g, h] = Q;
    let square = z * z;
    // In pairs, so that no operation waits for six others.
    let low = (a + b * z) + (c + d * z) * square;
    let high = (e + g * z) + h * square;
    let q = z * (low + high * (square * square));
    let half = 0.5 * f * f;
    k * LN2[0] - ((half - (s * (half + q) + (k * LN2[1] + rest))) - f)
}

/// `ln(x)` of a number that is not a positive normal one: -infinity of 0, NaN of what is negative.
#[cold]
fn other(x: f64) -> f64 {
    if x == 0.0 {
        f64::NEG_INFINITY
    } else if x > 0.0 && x < f64::INFINITY {
        normal(x * (1_u64 << 54) as f64, 0.0, -54.0)
    } else {
        x.ln()
    }
}

simd::widest! {
/// The losses `-ln p` of samples, or `-ln(1 - p)` of those without a hit, p from 0 to 1: as many as there is room for.
///
/// The result tells whether all are right: not those of which p, or 1 - p, is not a positive normal number.
fn usual(probabilities: &[f64], hits: &[bool], found: &mut [f64]) -> bool {
    let mut usual = true;
    for ((&p, &hit), found) in probabilities.iter().zip(hits).zip(found) {
        let less = 1.0 - p;
        // From 1/2 on nothing is rounded; below, two terms more of 1 / (1 - p) are enough.
        let rest = ((1.0 - less) - p) * (1.0 + p * (1.0 + p));
        let (x, rest) = if hit { (p, 0.0) } else { (less, rest) };
        usual &= x >= f64::MIN_POSITIVE;
        usual &= x <= f64::MAX;
        // 0 - x rather than -x: certainty that came true costs 0, not -0.
        *found = 0.0 - normal(x, rest, 0.0);
    }
    usual
}
}

/// Writes `-ln p` of samples with a hit, and `-ln(1 - p)` without rounding 1 - p of the others.
pub(super) fn surprise(probabilities: &[f64], hits: &[bool], found: &mut [f64]) {
    if usual(probabilities, hits, found) {
        return;
    }
    for ((&p, &hit), found) in probabilities.iter().zip(hits).zip(found) {
        let x = if hit { p } else { 1.0 - p };
        if !(f64::MIN_POSITIVE..=f64::MAX).contains(&x) {
            *found = 0.0 - other(x);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::Random;

    /// Distance in units of the last place of the second.
    fn apart(found: f64, expected: f64) -> f64 {
        let unit = f64::from_bits(expected.abs().to_bits() + 1) - expected.abs();
        (found - expected).abs() / unit
    }

    fn one(p: f64, hit: bool) -> f64 {
        let mut found = [0.0];
        surprise(&[p], &[hit], &mut found);
        0.0 - found[0]
    }

    #[test]
    fn logarithms_are_those_of_the_system_but_for_the_last_place() {
        let mut random = Random::new(7);
        let mut worst = 0.0_f64;
        for power in [1, 2, 3, 10, 100, 1070] {
            for _ in 0..20_000 {
                let share = random.below(1 << 53) as f64 / (1_u64 << 53) as f64;
                let p = share * 2_f64.powi(-(random.below(power) as i32));
                if p > 0.0 {
                    worst = worst.max(apart(one(p, true), p.ln()));
                    worst = worst.max(apart(one(p, false), (-p).ln_1p()));
                    worst = worst.max(apart(one(1.0 - p, true), (1.0 - p).ln()));
                }
            }
        }
        // Both are off by less than one unit.
        assert!(worst < 2.0, "{worst}");
    }

    #[test]
    fn ends_are_exact_and_what_is_no_probability_has_no_logarithm() {
        assert_eq!([one(1.0, true), one(0.0, false)], [0.0, 0.0]);
        assert_eq!([one(0.0, true), one(1.0, false)], [f64::NEG_INFINITY; 2]);
        let least = f64::from_bits(1);
        assert_eq!(one(least, true), least.ln());
        assert_eq!(one(least, false), -least);
        assert!(one(f64::NAN, true).is_nan() && one(f64::NAN, false).is_nan());
        assert!(one(-1.0, true).is_nan() && one(2.0, false).is_nan());
        assert_eq!(one(f64::INFINITY, true), f64::INFINITY);
    }
}
