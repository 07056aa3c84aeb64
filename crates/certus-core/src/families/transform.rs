//! The characteristic function of a sum with random signs.

use crate::threads;

/// Angles that share a table of powers.
const STRIDE: usize = 64;
/// Factors between two looks at how small the product has become.
const CHUNK: usize = 16;
/// A product of squared absolute values below this counts as 0: it could not change a sum that begins near 1.
const NOTHING: f64 = 1e-50;
/// Factors that a thread multiplies before it is worth asking another one to help.
const FACTORS_PER_TASK: usize = 1 << 18;

/// `prod(cos(w v) + i slope sin(w v))` over the values v, each with its slope, for `count` angles `w = step j` from
/// number `first` on: the real and the imaginary part of each. Slopes lie in [-1, 1].
///
/// ```
/// let found = certus_core::families::sign_transform(&[1.0, 2.0], &[0.0, 0.0], 0.5, 1, 1);
/// assert!((found[0] - 0.5_f64.cos() * 1.0_f64.cos()).abs() < 1e-15 && found[1] == 0.0);
/// ```
#[must_use]
pub fn sign_transform(
    values: &[f64],
    slopes: &[f64],
    step: f64,
    first: usize,
    count: usize,
) -> Vec<f64> {
    let near: Vec<Vec<Turn>> = (0..STRIDE.min(count))
        .map(|number| turns(values, step * number as f64))
        .collect();
    let strides = count.div_ceil(STRIDE);
    let at_least = FACTORS_PER_TASK / (STRIDE * values.len()).max(1) + 1;
    threads::map(strides, at_least, |range| {
        let mut found = Vec::with_capacity(2 * STRIDE * range.len());
        for stride in range {
            let far = turns(values, step * (first + stride * STRIDE) as f64);
            for near in near.iter().take(count - stride * STRIDE) {
                found.extend(product(near, &far, slopes));
            }
        }
        found
    })
}

/// Cosine and sine.
type Turn = (f64, f64);

fn turns(values: &[f64], angle: f64) -> Vec<Turn> {
    values
        .iter()
        .map(|value| {
            let (sin, cos) = (angle * value).sin_cos();
            (cos, sin)
        })
        .collect()
}

fn product(near: &[Turn], far: &[Turn], slopes: &[f64]) -> [f64; 2] {
    let (mut re, mut im) = (1.0, 0.0);
    for ((near, far), slopes) in near
        .chunks(CHUNK)
        .zip(far.chunks(CHUNK))
        .zip(slopes.chunks(CHUNK))
    {
        for ((near, far), slope) in near.iter().zip(far).zip(slopes) {
            let cos = near.0 * far.0 - near.1 * far.1;
            let sin = slope * (near.0 * far.1 + near.1 * far.0);
            (re, im) = (re * cos - im * sin, re * sin + im * cos);
        }
        // No factor exceeds 1.
        if re * re + im * im < NOTHING {
            return [0.0, 0.0];
        }
    }
    [re, im]
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
mod tests {
    use super::*;

    fn naive(values: &[f64], slopes: &[f64], angle: f64) -> (f64, f64) {
        values
            .iter()
            .zip(slopes)
            .fold((1.0, 0.0), |(re, im), (value, slope)| {
                let (cos, sin) = ((angle * value).cos(), slope * (angle * value).sin());
                (re * cos - im * sin, re * sin + im * cos)
            })
    }

    #[test]
    fn products_are_those_of_the_definition() {
        for n in [0, 1, 5, 16, 17, 60] {
            let values: Vec<f64> = (1..=n).map(|i| f64::from(i * i).sin() / 4.0).collect();
            let slopes: Vec<f64> = values.iter().map(|value| (2.0 * value).tanh()).collect();
            for (first, count) in [(0, 0), (0, 1), (0, 64), (7, 200), (1000, 65)] {
                let found = sign_transform(&values, &slopes, 0.17, first, count);
                assert_eq!(found.len(), 2 * count);
                for (number, found) in found.chunks(2).enumerate() {
                    let (re, im) = naive(&values, &slopes, 0.17 * (first + number) as f64);
                    assert!((found[0] - re).abs() < 1e-13, "{n} {number}");
                    assert!((found[1] - im).abs() < 1e-13, "{n} {number}");
                }
            }
        }
    }

    #[test]
    fn a_product_that_vanishes_is_0() {
        let found = sign_transform(&[1.0; 400], &[0.0; 400], 1.0, 1, 1);
        assert_eq!(found, [0.0, 0.0]);
    }
}
