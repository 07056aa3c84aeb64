//! Bootstrap resampling: sums over units drawn with replacement, or how often each unit was drawn.
//!
//! Replicate `b` draws from a random stream of its own that depends on the seed and `b` only. So the
//! results are the same bits for any number of threads, replicates can be made in blocks, and two
//! calls with one seed draw the same units, whatever columns they sum.

use crate::{interrupt, threads};

/// Draws that a thread makes before it is worth asking another one to help.
const DRAWS_PER_TASK: usize = 1 << 14;

/// The sums of each column over `replicates` resamples, one row of `columns` sums per replicate.
///
/// `rows` holds one row of `columns` values per unit. Each resample draws as many units as there
/// are, with replacement.
///
/// ```
/// // Two units (1, 10) and (2, 20): both columns are summed over the same units.
/// let sums = certus_core::bootstrap::resample_sums(&[1.0, 10.0, 2.0, 20.0], 2, 3, 7);
/// assert_eq!(sums.len(), 3 * 2);
/// assert!(sums.chunks(2).all(|sum| sum[1] == 10.0 * sum[0]));
/// ```
pub fn resample_sums(rows: &[f64], columns: usize, replicates: usize, seed: u64) -> Vec<f64> {
    let Some(units) = Units::new(rows.len().checked_div(columns).unwrap_or(0)) else {
        return vec![0.0; replicates * columns];
    };
    threads::map(replicates, units.replicates_per_task(), |range| {
        let mut all = vec![0.0; range.len() * columns];
        for (replicate, sums) in range.zip(all.chunks_exact_mut(columns)) {
            let stream = Stream::new(seed, replicate as u64);
            match columns {
                1 => sums.copy_from_slice(&sum_fixed::<1>(rows, units, stream)),
                2 => sums.copy_from_slice(&sum_fixed::<2>(rows, units, stream)),
                _ => sum_any(rows, units, stream, sums),
            }
        }
        all
    })
}

/// How often each of `units` units stands in each of `replicates` resamples, one row per replicate.
///
/// The first row belongs to replicate number `first`, so that many replicates can be made in
/// blocks. These are the units that [`resample_sums`] sums for the same seed.
///
/// ```
/// let counts = certus_core::bootstrap::resample_counts(3, 0, 4, 7);
/// assert!(counts.chunks(3).all(|row| row.iter().sum::<u32>() == 3));
/// assert_eq!(counts[6..], certus_core::bootstrap::resample_counts(3, 2, 2, 7));
/// ```
pub fn resample_counts(units: usize, first: u64, replicates: usize, seed: u64) -> Vec<u32> {
    let Some(drawn) = Units::new(units) else {
        return Vec::new();
    };
    threads::map(replicates, drawn.replicates_per_task(), |range| {
        let mut counts = vec![0; range.len() * units];
        for (replicate, row) in range.zip(counts.chunks_exact_mut(units)) {
            let mut stream = Stream::new(seed, first.wrapping_add(replicate as u64));
            for block in interrupt::blocks(units) {
                for _ in block {
                    row[drawn.draw(&mut stream)] += 1;
                }
            }
        }
        counts
    })
}

/// Sums of a number of columns known when compiled: they stay in registers, as does the stream.
fn sum_fixed<const K: usize>(rows: &[f64], units: Units, mut stream: Stream) -> [f64; K] {
    let mut sums = [0.0; K];
    for block in interrupt::blocks(units.n) {
        (sums, stream) = sum_block(rows, units, block.len(), sums, stream);
    }
    sums
}

#[inline(never)]
fn sum_block<const K: usize>(
    rows: &[f64],
    units: Units,
    draws: usize,
    mut sums: [f64; K],
    mut stream: Stream,
) -> ([f64; K], Stream) {
    for _ in 0..draws {
        let at = units.draw(&mut stream) * K;
        for (sum, value) in sums.iter_mut().zip(&rows[at..at + K]) {
            *sum += value;
        }
    }
    (sums, stream)
}

fn sum_any(rows: &[f64], units: Units, mut stream: Stream, sums: &mut [f64]) {
    for block in interrupt::blocks(units.n) {
        for _ in block {
            let at = units.draw(&mut stream) * sums.len();
            for (sum, value) in sums.iter_mut().zip(&rows[at..]) {
                *sum += value;
            }
        }
    }
}

/// Uniform draws from `0..n`, without bias, by a multiplication.
///
/// Source: Lemire (2019), ACM TOMACS 29(1):3, doi:10.1145/3230636. A draw whose low half falls
/// below `2^64 mod n` is drawn again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Units {
    n: usize,
    redraw_below: u64,
}

impl Units {
    /// `None` where there is nothing to draw from.
    pub(crate) fn new(n: usize) -> Option<Self> {
        let redraw_below = (n as u64).wrapping_neg().checked_rem(n as u64)?;
        Some(Self { n, redraw_below })
    }

    #[inline]
    pub(crate) fn draw(self, stream: &mut Stream) -> usize {
        loop {
            let product = u128::from(stream.next()) * self.n as u128;
            if product as u64 >= self.redraw_below {
                return (product >> 64) as usize;
            }
        }
    }

    fn replicates_per_task(self) -> usize {
        (DRAWS_PER_TASK / self.n).max(1)
    }
}

/// The xoshiro256++ generator, started by splitmix64.
///
/// Source: Blackman & Vigna (2021), ACM TOMS 47(4):36, doi:10.1145/3460772; Steele, Lea & Flood
/// (2014), OOPSLA, doi:10.1145/2660193.2660195.
#[derive(Clone, Debug)]
pub(crate) struct Stream([u64; 4]);

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

impl Stream {
    /// The stream of one replicate. For one seed no two replicates start alike: each step from the
    /// replicate's number to the state is one to one.
    pub(crate) fn new(seed: u64, replicate: u64) -> Self {
        let key = mix(seed.wrapping_add(GOLDEN));
        let mut state = mix(key.wrapping_add(replicate.wrapping_mul(GOLDEN)));
        Self(std::array::from_fn(|_| splitmix(&mut state)))
    }

    #[inline]
    pub(crate) fn next(&mut self) -> u64 {
        let s = &mut self.0;
        let result = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }
}

fn splitmix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(GOLDEN);
    mix(*state)
}

/// A one-to-one scrambling of 64 bits.
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
mod tests {
    use super::*;

    /// The definition: draw a unit, add its row.
    fn naive_sums(rows: &[f64], columns: usize, replicates: usize, seed: u64) -> Vec<f64> {
        let n = (rows.len() / columns) as u128;
        let mut result = Vec::new();
        for replicate in 0..replicates as u64 {
            let mut stream = Stream::new(seed, replicate);
            let mut sums = vec![0.0; columns];
            let mut drawn = 0;
            while drawn < n {
                let product = u128::from(stream.next()) * n;
                if product % (1 << 64) < (1 << 64) % n {
                    continue;
                }
                for (column, sum) in sums.iter_mut().enumerate() {
                    *sum += rows[(product >> 64) as usize * columns + column];
                }
                drawn += 1;
            }
            result.extend(sums);
        }
        result
    }

    fn rows(n: usize) -> Vec<f64> {
        (0..n).map(|i| ((i * i) as f64).sin()).collect()
    }

    #[test]
    fn the_generators_give_their_published_values() {
        let mut state = 1_234_567;
        assert_eq!(splitmix(&mut state), 6_457_827_717_110_365_317);
        assert_eq!(splitmix(&mut state), 3_203_168_211_198_807_973);
        let mut stream = Stream([1, 2, 3, 4]);
        let first: Vec<u64> = (0..5).map(|_| stream.next()).collect();
        assert_eq!(
            first,
            [
                41_943_041,
                58_720_359,
                3_588_806_011_781_223,
                3_591_011_842_654_386,
                9_228_616_714_210_784_205
            ]
        );
    }

    #[test]
    fn sums_are_those_of_the_definition_for_any_number_of_columns() {
        for columns in 1..6 {
            for n in [1, 2, 7, 100] {
                let rows = rows(n * columns);
                assert_eq!(
                    resample_sums(&rows, columns, 50, 3),
                    naive_sums(&rows, columns, 50, 3)
                );
            }
        }
    }

    #[test]
    fn counts_are_those_of_the_sums_with_the_same_seed() {
        let n = 13;
        let values: Vec<f64> = (0..n).map(|i| (1_u64 << (3 * i)) as f64).collect();
        let sums = resample_sums(&values, 1, 200, 11);
        let counts = resample_counts(n, 0, 200, 11);
        for (row, sum) in counts.chunks(n).zip(sums) {
            let expected: f64 = row
                .iter()
                .zip(&values)
                .map(|(&count, value)| f64::from(count) * value)
                .sum();
            assert_eq!(sum, expected);
        }
    }

    #[test]
    fn results_do_not_depend_on_the_number_of_threads() {
        // Enough draws for several threads and several parts; the definition knows of neither.
        let rows = rows(100);
        assert_eq!(
            resample_sums(&rows, 1, 5_000, 1),
            naive_sums(&rows, 1, 5_000, 1)
        );
        let counts = resample_counts(100, 0, 5_000, 1);
        assert_eq!(counts[..1_000], resample_counts(100, 0, 10, 1));
    }

    #[test]
    fn every_unit_is_drawn_equally_often() {
        // 10 units, 100,000 draws: Pearson's chi-square has 9 degrees of freedom, 99.9% quantile 27.9.
        let counts = resample_counts(10, 0, 10_000, 5);
        let mut drawn = [0_u32; 10];
        for row in counts.chunks(10) {
            for (total, count) in drawn.iter_mut().zip(row) {
                *total += count;
            }
        }
        let chi_square: f64 = drawn
            .iter()
            .map(|&count| (f64::from(count) - 10_000.0).powi(2) / 10_000.0)
            .sum();
        assert!(chi_square < 27.9, "{chi_square}");
    }

    #[test]
    fn a_draw_in_the_biased_part_is_drawn_again() {
        let units = Units::new(3 << 62).unwrap();
        assert_eq!(units.redraw_below, 1 << 62);
        // The first output of this state is 0: its low half lies below 2^62, so the second is used.
        let mut stream = Stream([0, 2, 3, 0]);
        let mut twin = stream.clone();
        assert_eq!(twin.next(), 0);
        let second = u128::from(twin.next()) * (3 << 62);
        assert!(second as u64 >= 1 << 62);
        assert_eq!(units.draw(&mut stream), (second >> 64) as usize);
    }

    #[test]
    fn nothing_to_draw_from_gives_zeros() {
        assert_eq!(resample_sums(&[], 1, 2, 0), [0.0, 0.0]);
        assert!(resample_counts(0, 0, 2, 0).is_empty());
        assert!(resample_sums(&[], 0, 2, 0).is_empty());
    }
}
