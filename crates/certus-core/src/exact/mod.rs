//! Exact sums of floating-point numbers: the same bits for any order, any partition and any number of threads.
//!
//! A [`Sum`] is a fixed-point number wide enough for every float, in chunks of 32 bits that 64-bit integers hold, so that
//! carries wait: the small superaccumulator of Neal (2015), "Fast exact summation using small and large superaccumulators",
//! arXiv:1505.05571.

mod accumulator;
mod mantissas;
mod products;
mod sums;

pub use accumulator::{CHUNKS, Sum};
pub use products::two_product;
pub use sums::{by_code, of_products, of_tasks, of_values, powers};

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
    fn powers_are_the_products_of_each_number() {
        let mut values: Vec<f64> = (0..3000)
            .map(|i| (f64::from(i) - 1000.3).powi(i % 5) * 2_f64.powi(i % 97 - 48))
            .collect();
        values.extend([
            0.0, -0.0, 1.5e-61, -2.5e-61, 1.5e60, -1.7e60, 1e-70, 3e70, 1e-309, -1e-160,
        ]);
        let mut sums = [(); 4].map(|()| Sum::default());
        for &v in &values {
            let (square, rest) = two_product(v, v);
            let twice = 2.0 * rest;
            sums[0].add(v);
            sums[1].add(square);
            sums[1].add(rest);
            sums[2].add_product(square, v);
            sums[2].add_product(rest, v);
            sums[3].add_product(square, square);
            sums[3].add_product(rest, rest);
            sums[3].add_product(square, twice);
        }
        assert_eq!(powers(&values), sums);
        let infinite = powers(&[1.0, f64::NEG_INFINITY]).map(|sum| sum.rounded());
        assert_eq!(infinite[0], f64::NEG_INFINITY);
        assert_eq!(infinite[1], f64::INFINITY);
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
        for greatest in [i64::MAX, i64::MIN, 1 << 32] {
            let mut chunks = [0; CHUNKS];
            chunks[CHUNKS - 1] = greatest;
            assert_eq!(Sum::of_parts(chunks, 0), None);
        }
    }
}
