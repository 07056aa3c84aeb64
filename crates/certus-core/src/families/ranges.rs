//! Values shuffled within each unit: how far apart the sums of the columns then are.

use super::shuffle::{Halves, MOST_HALVED, Steps};
use crate::bootstrap::Stream;
use crate::threads;

/// Values that a thread moves before it is worth asking another one to help.
const MOVES_PER_TASK: usize = 1 << 16;

/// The largest less the smallest column sum, for each of `replicates` shuffles of the values within each unit.
///
/// `rows` holds one row of `columns` values per unit. Replicate `i` draws from a random stream of its own that depends
/// on the seed and `i` only, so the result is the same for any number of threads.
///
/// Source: Carterette (2012), ACM TOIS 30(1):4, doi:10.1145/2094072.2094076, algorithm 1.
///
/// ```
/// let ranges = certus_core::families::shuffled_ranges(&[1.0, 2.0, 4.0], 3, 5, 7);
/// assert_eq!(ranges, [3.0; 5]);
/// ```
#[must_use]
pub fn shuffled_ranges(rows: &[f64], columns: usize, replicates: usize, seed: u64) -> Vec<f64> {
    // A number of columns known when compiled needs no bounds checks.
    match columns {
        0 | 1 => vec![0.0; replicates],
        2 => halved::<2>(rows, replicates, seed),
        3 => halved::<3>(rows, replicates, seed),
        4 => halved::<4>(rows, replicates, seed),
        5 => halved::<5>(rows, replicates, seed),
        6 => halved::<6>(rows, replicates, seed),
        7 => halved::<7>(rows, replicates, seed),
        8 => halved::<8>(rows, replicates, seed),
        9 => halved::<9>(rows, replicates, seed),
        10 => halved::<10>(rows, replicates, seed),
        11 => halved::<11>(rows, replicates, seed),
        MOST_HALVED => halved::<MOST_HALVED>(rows, replicates, seed),
        _ => stepped(rows, columns, replicates, seed),
    }
}

fn halved<const K: usize>(rows: &[f64], replicates: usize, seed: u64) -> Vec<f64> {
    let halves = Halves::new(K);
    each_replicate(rows, replicates, seed, |stream| {
        let mut sums = [0.0; K];
        for row in rows.chunks_exact(K) {
            halves.add(row, &mut sums, stream);
        }
        range_of(&sums)
    })
}

fn stepped(rows: &[f64], columns: usize, replicates: usize, seed: u64) -> Vec<f64> {
    let steps = Steps::new(columns);
    each_replicate(rows, replicates, seed, |stream| {
        let (mut sums, mut shuffled) = (vec![0.0; columns], vec![0.0; columns]);
        for row in rows.chunks_exact(columns) {
            shuffled.copy_from_slice(row);
            steps.shuffle(&mut shuffled, stream);
            for (sum, value) in sums.iter_mut().zip(&shuffled) {
                *sum += value;
            }
        }
        range_of(&sums)
    })
}

fn each_replicate(
    rows: &[f64],
    replicates: usize,
    seed: u64,
    range: impl Fn(&mut Stream) -> f64 + Sync,
) -> Vec<f64> {
    let at_least = MOVES_PER_TASK / rows.len().max(1) + 1;
    threads::map(replicates, at_least, |numbers| {
        numbers
            .map(|number| range(&mut Stream::new(seed, number as u64)))
            .collect()
    })
}

fn range_of(values: &[f64]) -> f64 {
    let (mut least, mut greatest) = (f64::INFINITY, f64::NEG_INFINITY);
    for &value in values {
        least = least.min(value);
        greatest = greatest.max(value);
    }
    (greatest - least).max(0.0)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
mod tests {
    use super::*;

    /// The definition: shuffle, add up, compare. How it shuffles is another matter; the laws must agree.
    fn naive(rows: &[f64], columns: usize, replicates: u64) -> Vec<f64> {
        (0..replicates)
            .map(|number| {
                let mut stream = Stream::new(77, number);
                let mut sums = vec![0.0; columns];
                for row in rows.chunks(columns) {
                    let mut left = row.to_vec();
                    for sum in &mut sums {
                        *sum += left.swap_remove((stream.next() % left.len() as u64) as usize);
                    }
                }
                range_of(&sums)
            })
            .collect()
    }

    fn rows(n: usize) -> Vec<f64> {
        (0..n).map(|i| ((i * i) as f64).sin()).collect()
    }

    #[test]
    fn ranges_have_the_law_of_the_definition() {
        for columns in [2, 3, 4, 7, 10, 12, 13, 20] {
            let rows = rows(5 * columns);
            let mut found = shuffled_ranges(&rows, columns, 20_000, 1);
            let mut expected = naive(&rows, columns, 20_000);
            found.sort_by(f64::total_cmp);
            expected.sort_by(f64::total_cmp);
            // The largest distance of two empirical distribution functions stays below 1.95 sqrt(2 / n) in 999 of
            // 1,000 cases (Kolmogorov and Smirnov).
            let gap = (0..20_000)
                .map(|i| {
                    let below = found.partition_point(|x| *x <= expected[i] + 1e-9);
                    let its = expected.partition_point(|x| *x <= expected[i] + 1e-9);
                    (below as f64 - its as f64).abs()
                })
                .fold(0.0, f64::max);
            assert!(
                gap / 20_000.0 < 1.95 * (2.0 / 20_000.0_f64).sqrt(),
                "{columns}: {gap}"
            );
        }
    }

    #[test]
    fn one_unit_has_its_own_range_and_no_columns_none() {
        for columns in [2, 9, 12, 13, 30] {
            let rows = rows(columns);
            let found = shuffled_ranges(&rows, columns, 20, 3);
            assert!(found.iter().all(|range| *range == range_of(&rows)));
        }
        assert_eq!(shuffled_ranges(&[], 0, 2, 0), [0.0, 0.0]);
        assert_eq!(shuffled_ranges(&[1.0, 2.0], 1, 2, 0), [0.0, 0.0]);
        assert_eq!(shuffled_ranges(&[], 4, 2, 0), [0.0, 0.0]);
    }
}
