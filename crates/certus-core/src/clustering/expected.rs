//! The expected mutual information of two random clusterings whose cluster sizes are given.
//!
//! With sizes a and b out of n, the number k of samples that two clusters share is hypergeometric with mean m = ab/n, and
//! they add E[k/n log(k/m)]. Since E[k - m] = 0 that is (m/n) E[phi(k/m)] with phi(x) = x log x - x + 1 >= 0: no term is
//! negative, so nothing cancels. The probabilities come from their ratios, from the mode outwards, and are divided by
//! their sum: no factorial is ever computed.

use crate::{interrupt, threads};

/// A probability below this part of the sum no longer matters.
const NEGLIGIBLE: f64 = 1e-18;
/// A term below this part of the sum no longer matters.
const SMALL: f64 = 1e-17;
/// Below this mean E[k log k] - m log m is right to a few units in the last place, and faster.
const FEW: f64 = 8.0;
/// So many products k log k are known already: more than two clusters with so small a mean can share with any probability.
const KNOWN: usize = 256;

/// The sum over all pairs of a row and a column, each size counted `times` over; in nats.
///
/// # Errors
///
/// The columns differ in length, or a size is 0 or larger than `n`.
///
/// ```
/// use certus_core::clustering::expected_information;
/// // Two pairs against two pairs: of 6 ways 2 agree wholly, which is log 2, and 4 share nothing.
/// let found = expected_information(&[2], &[2.0], &[2], &[2.0], 4)?;
/// assert!((found - 2f64.ln() / 3.0).abs() < 1e-15);
/// # Ok::<(), String>(())
/// ```
pub fn expected_information(
    rows: &[u64],
    row_times: &[f64],
    columns: &[u64],
    column_times: &[f64],
    n: u64,
) -> Result<f64, String> {
    if rows.len() != row_times.len() || columns.len() != column_times.len() {
        return Err("the columns differ in length".to_owned());
    }
    if n >= 1 << 62
        || rows
            .iter()
            .chain(columns)
            .any(|&size| size == 0 || size > n)
    {
        return Err(format!("a cluster is empty or larger than all {n} samples"));
    }
    let products: Vec<f64> = (0..KNOWN)
        .map(|k| k as f64 * (k.max(1) as f64).ln())
        .collect();
    let whole = n as f64;
    let log_columns: Vec<f64> = columns.iter().map(|&b| (b as f64).ln()).collect();
    // Neighbours in size cost alike: every other one goes to each half of the threads.
    let half = rows.len().div_ceil(2);
    let place = |i: usize| if i < half { 2 * i } else { 2 * (i - half) + 1 };
    let sums = threads::map(rows.len(), 1 + 4096 / columns.len().max(1), |range| {
        range
            .map(|i| {
                let row = place(i);
                let log_row = (rows[row] as f64).ln() - whole.ln();
                let parts = columns.iter().zip(column_times).zip(&log_columns);
                let sum: f64 = parts
                    .enumerate()
                    .map(|(column, ((&b, &times), &log_b))| {
                        interrupt::at(column);
                        let mean = rows[row] as f64 * b as f64 / whole;
                        // Where k hardly varies the two parts of the difference would cancel.
                        let varies = rows[row] <= n / 2 && b <= n / 2;
                        let found = if mean < FEW && varies {
                            few(rows[row], b, n, &products) - mean * (log_row + log_b)
                        } else {
                            many(rows[row], b, n)
                        };
                        times * found
                    })
                    .sum();
                sum * row_times[row] / whole
            })
            .collect()
    });
    Ok(sums.iter().sum())
}

/// E[k log k] of two clusters of sizes a and b, from the least k upwards.
fn few(a: u64, b: u64, n: u64, products: &[f64]) -> f64 {
    let (low, high) = ((a + b).saturating_sub(n), a.min(b));
    let (fa, fb, rest) = (a as f64, b as f64, n as f64 - (a + b) as f64 + 1.0);
    let known = &products[products.len().min(low as usize)..products.len().min(high as usize + 1)];
    let (mut weight, mut weights, mut sum) = (1.0, 0.0, 0.0);
    let mut x = low as f64;
    for product in known {
        weights += weight;
        let term = weight * product;
        sum += term;
        if term < SMALL * sum && weight < NEGLIGIBLE * weights {
            break;
        }
        weight *= (fa - x) * (fb - x) / ((x + 1.0) * (rest + x));
        x += 1.0;
    }
    sum / weights
}

/// E[m phi(k/m)] of two clusters of sizes a and b, from the mode outwards.
fn many(a: u64, b: u64, n: u64) -> f64 {
    let (low, high) = ((a + b).saturating_sub(n), a.min(b));
    let (whole, both) = (n as f64, a as f64 * b as f64);
    // How far mode n is from a b, exactly; up to 31 bits in the integers that are fast.
    let (mode, start) = if n < 1 << 31 {
        let product = a * b;
        let mode = ((product + a + b + 1) / (n + 2)).clamp(low, high);
        (
            mode,
            ((mode * n).wrapping_sub(product)).cast_signed() as f64,
        )
    } else {
        let product = u128::from(a) * u128::from(b);
        let mode = (product + u128::from(a) + u128::from(b) + 1) / (u128::from(n) + 2);
        let mode = (mode as u64).clamp(low, high);
        let start = i128::from(mode) * i128::from(n) - product.cast_signed();
        (mode, start as f64)
    };
    let mean = both / whole;
    let from_mode = |k: u64| start + (k as f64 - mode as f64) * whole;
    let value = |k: u64| mean * phi(from_mode(k) / both);
    let (fa, fb, rest) = (a as f64, b as f64, whole - (a + b) as f64);
    let (mut weights, mut terms) = (1.0, value(mode));
    let mut weight = 1.0;
    for k in mode..high {
        interrupt::at((k - mode) as usize);
        let x = k as f64;
        weight *= (fa - x) * (fb - x) / ((x + 1.0) * (rest + x + 1.0));
        let term = weight * value(k + 1);
        weights += weight;
        terms += term;
        if weight < NEGLIGIBLE * weights && term < SMALL * terms {
            break;
        }
    }
    weight = 1.0;
    for k in (low..mode).rev() {
        interrupt::at((mode - k) as usize);
        let x = k as f64;
        weight *= (x + 1.0) * (rest + x + 1.0) / ((fa - x) * (fb - x));
        let term = weight * value(k);
        weights += weight;
        terms += term;
        if weight < NEGLIGIBLE * weights && term < SMALL * terms {
            break;
        }
    }
    terms / weights
}

/// ``(1 + d) log(1 + d) - d``, right to the last digits near 0 too.
fn phi(d: f64) -> f64 {
    if d.abs() > 0.25 {
        let x = 1.0 + d;
        return if x <= 0.0 { 1.0 } else { x * x.ln() - d };
    }
    // log(1 + d) = 2 atanh(s), whose series has only odd powers.
    let s = d / (2.0 + d);
    let t = s * s;
    let tail = (1..=11)
        .rev()
        .fold(0.0, |sum, i| sum * t + 1.0 / f64::from(2 * i + 1));
    2.0 * t * (1.0 + (t + s) * tail) / (1.0 - s)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// All tables of two clusters each, by factorials.
    fn naive(a: u64, b: u64, n: u64) -> f64 {
        let choose = |n: u64, k: u64| {
            (0..k).fold(1.0, |product, i| product * (n - i) as f64 / (i + 1) as f64)
        };
        let sizes = |x: u64| [x, n - x];
        let mut sum = 0.0;
        for a in sizes(a) {
            for b in sizes(b) {
                for k in (a + b).saturating_sub(n).max(1)..=a.min(b) {
                    let share = k as f64 / n as f64;
                    let ratio = k as f64 * n as f64 / (a as f64 * b as f64);
                    sum += share * ratio.ln() * choose(a, k) * choose(n - a, b - k) / choose(n, b);
                }
            }
        }
        sum
    }

    #[test]
    fn it_is_the_mean_over_all_tables() {
        for (a, b, n) in [
            (1, 1, 2),
            (2, 3, 7),
            (5, 5, 10),
            (9, 1, 10),
            (20, 13, 40),
            (30, 45, 60),
        ] {
            let found =
                expected_information(&[a, n - a], &[1.0; 2], &[b, n - b], &[1.0; 2], n).unwrap();
            let expected = naive(a, b, n);
            assert!(
                (found - expected).abs() < 1e-13 * expected,
                "{found} {expected}"
            );
        }
    }

    #[test]
    fn one_cluster_and_single_samples_are_exact() {
        assert_eq!(
            expected_information(&[9], &[1.0], &[4, 5], &[1.0, 1.0], 9).unwrap(),
            0.0
        );
        let found = expected_information(&[1], &[8.0], &[2], &[4.0], 8).unwrap();
        assert!((found - 4f64.ln()).abs() < 1e-15);
    }

    #[test]
    fn phi_meets_at_the_change_of_formula() {
        for d in [0.25f64, -0.25] {
            let direct = (1.0 + d) * (1.0 + d).ln() - d;
            assert!((phi(d) - direct).abs() < 1e-15);
        }
        assert!((phi(1e-8) - 0.5e-16).abs() < 1e-24);
        assert_eq!((phi(0.0), phi(-1.0)), (0.0, 1.0));
    }

    #[test]
    fn impossible_sizes_are_refused() {
        assert!(expected_information(&[0], &[1.0], &[1], &[1.0], 1).is_err());
        assert!(expected_information(&[2], &[1.0], &[1], &[1.0], 1).is_err());
        assert!(expected_information(&[1], &[], &[1], &[1.0], 1).is_err());
    }
}
