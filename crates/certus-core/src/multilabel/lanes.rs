//! Discounted gain of eight rows at a time: one network sorts them all, and tied labels are added without a branch.

use wide::f64x8;

use super::network::sort_descending;
use super::options::{Dcg, share};

/// Rows taken together.
pub(super) const LANES: usize = 8;
/// Up to this many labels the network, which compares more pairs than a sort does, is faster.
pub(super) const MOST: usize = 256;

/// The least positive score that is taken, and what stands for 0: with any low bits it is below that score and normal.
const LEAST: f64 = f64::from_bits(64 << 52);
const ZERO: f64 = f64::MIN_POSITIVE;

/// Memory that is used again for each eight rows.
#[derive(Default)]
pub(super) struct Lanes {
    cells: Vec<[f64; LANES]>,
}

impl Lanes {
    /// The gain of each of eight rows, to the bit what they have one by one.
    ///
    /// None where scores are infinite, nearly 0, or differ only in the bits that hold the label, and where gains are not
    /// finite.
    pub(super) fn dcg_of<T: Copy + Into<f64>>(
        &mut self,
        gains: &[f64],
        scores: &[T],
        how: Dcg,
        discounts: &[f64],
    ) -> Option<[f64; LANES]> {
        let columns = scores.len() / LANES;
        let low = (columns.next_power_of_two() as u64).wrapping_sub(1);
        // Labels that share their gains stand in the order of their columns; otherwise the later one stands first.
        let flip = |negative: bool| if how.average == negative { 0 } else { low };
        let mut fit = gains.iter().fold(true, |fit, gain| fit & gain.is_finite());
        self.fill(scores, |score, column| {
            let score: f64 = score.into();
            let size = score.abs();
            fit &= (size == 0.0) | (LEAST..f64::INFINITY).contains(&size);
            let score = if size == 0.0 { ZERO } else { score };
            let label = column as u64 ^ flip(score < 0.0);
            f64::from_bits(score.to_bits() & !low | label)
        });
        if !fit {
            return None;
        }
        sort_descending(&mut self.cells);
        let mut sums = Sums::default();
        let mut before = ([f64::NAN; LANES], [u64::MAX; LANES]);
        let mut unsure = false;
        for (rank, keys) in self.cells.iter().enumerate() {
            let (mut gain, mut score, mut high) = ([0.0; LANES], [0.0; LANES], [0; LANES]);
            for (row, key) in keys.iter().enumerate() {
                let label = (key.to_bits() ^ flip(*key < 0.0)) & low;
                let place = row * columns + label as usize;
                gain[row] = gains[place];
                score[row] = scores[place].into();
                high[row] = key.to_bits() & !low;
                unsure |= (high[row] == before.1[row]) & (score[row] != before.0[row]);
            }
            let tied = f64x8::new(score).simd_eq(f64x8::new(before.0));
            let tied = if how.average { tied } else { f64x8::splat(0.0) };
            let discount = discounts.get(rank).copied().unwrap_or(0.0);
            sums.add(tied, f64x8::new(gain), f64x8::splat(discount));
            before = (score, high);
        }
        let sums = sums.sum.to_array();
        if unsure || !how.normalised {
            return (!unsure).then_some(sums);
        }
        let best = self.best(gains, discounts).to_array();
        Some(std::array::from_fn(|row| share(sums[row], best[row])))
    }

    /// The gains of the best orders.
    fn best(&mut self, gains: &[f64], discounts: &[f64]) -> f64x8 {
        self.fill(gains, |gain, _| if gain > 0.0 { gain } else { 0.0 });
        sort_descending(&mut self.cells);
        let ranks = self.cells.iter().zip(discounts);
        ranks.fold(f64x8::splat(0.0), |sum, (gain, discount)| {
            sum + f64x8::new(*gain) * f64x8::splat(*discount)
        })
    }

    /// Turns eight rows into columns of eight cells.
    fn fill<T: Copy>(&mut self, rows: &[T], mut cell: impl FnMut(T, usize) -> f64) {
        let columns = rows.len() / LANES;
        self.cells.clear();
        self.cells.resize(columns, [0.0; LANES]);
        for (row, values) in rows.chunks_exact(columns).enumerate() {
            for (column, (cells, &value)) in self.cells.iter_mut().zip(values).enumerate() {
                cells[row] = cell(value, column);
            }
        }
    }
}

/// Sums over the ranks so far, as if the labels tied at the last of them ended there.
#[derive(Default)]
struct Sums {
    sum: f64x8,
    /// The sum before the tied labels, and with them rank by rank, which counts where they all gain the same.
    start: f64x8,
    each: f64x8,
    alike: f64x8,
    /// Of the tied labels: what the first gains, what all gain, their discounts, and how many they are.
    first: f64x8,
    gains: f64x8,
    discounts: f64x8,
    size: f64x8,
}

impl Sums {
    /// Adds a label, which is tied with the one before where the bits of `tied` are set.
    #[inline(always)]
    fn add(&mut self, tied: f64x8, gain: f64x8, discount: f64x8) {
        let one = f64x8::splat(1.0);
        self.start = tied.select(self.start, self.sum);
        self.each = tied.select(self.each, self.sum) + gain * discount;
        self.first = tied.select(self.first, gain);
        let alike = gain.simd_eq(self.first);
        self.alike = tied.select(self.alike & alike, alike);
        self.gains = tied.select(self.gains + gain, gain);
        self.discounts = tied.select(self.discounts + discount, discount);
        self.size = tied.select(self.size + one, one);
        let shared = self.start + self.gains / self.size * self.discounts;
        // Term by term, as the best order is summed: a perfect order is exactly 1.
        self.sum = self.alike.select(self.each, shared);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::multilabel::{Rows, dcg_of_rows};

    #[test]
    fn scores_that_differ_in_their_last_bits_are_not_tied() {
        let score = |i: usize| 1.0 + i as f64 * f64::EPSILON;
        let (columns, how) = (
            40,
            Dcg {
                normalised: true,
                cutoff: None,
                exponential: false,
                average: true,
            },
        );
        let scores: Vec<f64> = (0..LANES * columns).map(|i| score(i % columns)).collect();
        let grades: Vec<f64> = (0..LANES * columns).map(|i| (i % columns) as f64).collect();
        let rows = |cells| Rows::new(cells, LANES, columns, false);
        let values = rows(&grades)
            .zip(rows(&scores))
            .and_then(|(g, s)| dcg_of_rows(how, &g, &s));
        assert_eq!(values, Some(vec![1.0; LANES]));
    }
}
