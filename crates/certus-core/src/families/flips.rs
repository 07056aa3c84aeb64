//! Joint sign flips: the signs of whole units are drawn, and all columns of a unit get the same one.

use crate::bootstrap::Stream;
use crate::threads;
use std::sync::{Mutex, PoisonError};

/// Units whose signed sums are listed beforehand: a draw then adds one row of a table for so many units.
const GROUP: usize = 4;
const SIGNS: usize = 1 << GROUP;
const GROUPS_PER_WORD: usize = 64 / GROUP;
/// Additions that a thread makes before it is worth asking another one to help.
const ADDITIONS_PER_TASK: usize = 1 << 18;

/// Which signs are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draws {
    /// Every choice of signs of the first so many units, at most 63; the others keep theirs.
    All(u32),
    /// So many random ones.
    Random {
        /// How many.
        replicates: u64,
        /// Of the random streams: draw number `i` depends on it and on `i` only.
        seed: u64,
    },
}

/// The sum of one column less that of another, times a factor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contrast {
    /// The column.
    pub left: usize,
    /// The column that is subtracted.
    pub right: usize,
    /// What the difference is multiplied by.
    pub factor: f64,
}

/// How many draws reached the threshold of each column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The column's own sum did.
    pub own: Vec<u64>,
    /// The largest sum of all columns did.
    pub single_step: Vec<u64>,
    /// The largest sum of this column and those after it did.
    pub step_down: Vec<u64>,
}

/// Sums of columns with joint random signs of the units, counted against a threshold for each column.
///
/// `rows` holds one row of as many values per unit as there are columns. With `contrasts` the differences of the
/// columns' sums are counted, which are the sums of the columns' differences. If `absolute`, sums count without their
/// sign. With thresholds in decreasing order the counts are those of the single-step and the step-down maximum.
///
/// Source: Westfall & Young (1993), Resampling-Based Multiple Testing, algorithms 2.5 and 2.8.
///
/// ```
/// use certus_core::families::{Draws, flip_signs};
///
/// // One unit's signs: the sums are (-3, -1) and (3, 1).
/// let tally = flip_signs(&[3.0, 1.0], 2, None, &[3.0, 1.0], false, Draws::All(1));
/// assert_eq!((tally.own, tally.single_step, tally.step_down), (vec![1, 1], vec![1, 1], vec![1, 1]));
/// ```
///
/// # Panics
///
/// A contrast names a column that is not there.
#[must_use]
pub fn flip_signs(
    rows: &[f64],
    columns: usize,
    contrasts: Option<&[Contrast]>,
    thresholds: &[f64],
    absolute: bool,
    draws: Draws,
) -> Tally {
    let counted = thresholds.len();
    if columns == 0 || counted == 0 {
        return Tally::new(counted);
    }
    let units = rows.len() / columns;
    let tables = tables(rows, columns);
    let number = match draws {
        Draws::All(free) => 1 << free.min(63),
        Draws::Random { replicates, .. } => replicates as usize,
    };
    let at_least = ADDITIONS_PER_TASK / (units * columns + counted).max(1) + 1;
    // One tally for all: with many comparisons each is large.
    let total = Mutex::new(Tally::new(counted));
    threads::map::<()>(number, at_least, |range| {
        let mut tally = Tally::new(counted);
        let mut words = vec![0; units.div_ceil(GROUP).div_ceil(GROUPS_PER_WORD)];
        let mut sums = vec![0.0; columns];
        let mut differences = vec![0.0; contrasts.map_or(0, <[_]>::len)];
        for number in range {
            draw(draws, number as u64, &mut words);
            add_up(&tables, &words, &mut sums);
            let reached = match contrasts {
                None => &mut sums,
                Some(contrasts) => {
                    for (difference, each) in differences.iter_mut().zip(contrasts) {
                        *difference = (sums[each.left] - sums[each.right]) * each.factor;
                    }
                    &mut differences
                }
            };
            if absolute {
                reached.iter_mut().for_each(|sum| *sum = sum.abs());
            }
            tally.count(reached, thresholds);
        }
        total
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .add(&tally);
        Vec::new()
    });
    total.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// For each group of units the row of sums for each choice of their signs; a bit that is set means a plus.
fn tables(rows: &[f64], columns: usize) -> Vec<f64> {
    let groups = rows.chunks(GROUP * columns);
    let mut all = Vec::with_capacity(groups.len() * SIGNS * columns);
    for group in groups {
        for signs in 0..SIGNS {
            let start = all.len();
            all.resize(start + columns, 0.0);
            for (unit, row) in group.chunks(columns).enumerate() {
                let sign = if signs >> unit & 1 == 1 { 1.0 } else { -1.0 };
                for (sum, value) in all[start..].iter_mut().zip(row) {
                    *sum += sign * value;
                }
            }
        }
    }
    all
}

/// The signs of a draw, one bit a unit.
fn draw(draws: Draws, number: u64, words: &mut [u64]) {
    match draws {
        Draws::All(free) => {
            words.fill(u64::MAX);
            if let Some(first) = words.first_mut() {
                *first = (u64::MAX << free.min(63)) | number;
            }
        }
        Draws::Random { seed, .. } => {
            let mut stream = Stream::new(seed, number);
            words.iter_mut().for_each(|word| *word = stream.next());
        }
    }
}

fn add_up(tables: &[f64], words: &[u64], sums: &mut [f64]) {
    let columns = sums.len();
    sums.fill(0.0);
    for (group, table) in tables.chunks_exact(SIGNS * columns).enumerate() {
        let signs = words[group / GROUPS_PER_WORD] >> (GROUP * (group % GROUPS_PER_WORD))
            & (SIGNS as u64 - 1);
        let start = signs as usize * columns;
        for (sum, value) in sums.iter_mut().zip(&table[start..start + columns]) {
            *sum += value;
        }
    }
}

impl Tally {
    fn new(columns: usize) -> Self {
        let zeros = vec![0; columns];
        Tally {
            own: zeros.clone(),
            single_step: zeros.clone(),
            step_down: zeros,
        }
    }

    fn count(&mut self, sums: &[f64], thresholds: &[f64]) {
        let mut largest = f64::NEG_INFINITY;
        for (column, (&sum, &threshold)) in sums.iter().zip(thresholds).enumerate().rev() {
            largest = largest.max(sum);
            self.own[column] += u64::from(sum >= threshold);
            self.step_down[column] += u64::from(largest >= threshold);
        }
        for (reached, &threshold) in self.single_step.iter_mut().zip(thresholds) {
            *reached += u64::from(largest >= threshold);
        }
    }

    fn add(&mut self, other: &Tally) {
        for (mine, its) in [
            (&mut self.own, &other.own),
            (&mut self.single_step, &other.single_step),
            (&mut self.step_down, &other.step_down),
        ] {
            mine.iter_mut()
                .zip(its)
                .for_each(|(mine, its)| *mine += its);
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
mod tests {
    use super::*;

    /// The definition: signs times rows, maxima over the columns, compared.
    fn naive(rows: &[f64], thresholds: &[f64], absolute: bool, signs: &[Vec<f64>]) -> Tally {
        let columns = thresholds.len();
        let mut tally = Tally::new(columns);
        for signs in signs {
            let sums: Vec<f64> = (0..columns)
                .map(|column| {
                    let sum: f64 = signs
                        .iter()
                        .enumerate()
                        .map(|(unit, sign)| sign * rows[unit * columns + column])
                        .sum();
                    if absolute { sum.abs() } else { sum }
                })
                .collect();
            for column in 0..columns {
                let max = |from: usize| sums[from..].iter().copied().fold(f64::MIN, f64::max);
                tally.own[column] += u64::from(sums[column] >= thresholds[column]);
                tally.step_down[column] += u64::from(max(column) >= thresholds[column]);
                tally.single_step[column] += u64::from(max(0) >= thresholds[column]);
            }
        }
        tally
    }

    fn rows(n: usize) -> Vec<f64> {
        (0..n).map(|i| ((i * i) as f64).sin()).collect()
    }

    #[test]
    fn all_signs_are_those_of_the_definition() {
        for (units, columns, absolute) in [(1, 1, true), (3, 2, false), (7, 5, true), (10, 3, true)]
        {
            let rows = rows(units * columns);
            let thresholds: Vec<f64> = (0..columns).map(|j| 1.5 - 0.3 * j as f64).collect();
            let signs: Vec<Vec<f64>> = (0..1_u32 << units)
                .map(|bits| {
                    (0..units)
                        .map(|i| f64::from(bits >> i & 1) * 2.0 - 1.0)
                        .collect()
                })
                .collect();
            let found = flip_signs(
                &rows,
                columns,
                None,
                &thresholds,
                absolute,
                Draws::All(units as u32),
            );
            assert_eq!(found, naive(&rows, &thresholds, absolute, &signs));
            let kept: Vec<Vec<f64>> = signs[signs.len() / 2..].to_vec();
            let found = flip_signs(
                &rows,
                columns,
                None,
                &thresholds,
                absolute,
                Draws::All(units as u32 - 1),
            );
            assert_eq!(found, naive(&rows, &thresholds, absolute, &kept));
        }
    }

    #[test]
    fn random_signs_are_the_bits_of_the_streams() {
        let (units, columns) = (70, 6);
        let rows = rows(units * columns);
        let thresholds = [12.0, 9.0, 7.0, 5.0, 3.0, 1.0];
        let signs: Vec<Vec<f64>> = (0..300)
            .map(|number| {
                let mut stream = Stream::new(9, number);
                let words = [stream.next(), stream.next()];
                (0..units)
                    .map(|i| {
                        if words[i / 64] >> (i % 64) & 1 == 1 {
                            1.0
                        } else {
                            -1.0
                        }
                    })
                    .collect()
            })
            .collect();
        let draws = Draws::Random {
            replicates: 300,
            seed: 9,
        };
        assert_eq!(
            flip_signs(&rows, columns, None, &thresholds, true, draws),
            naive(&rows, &thresholds, true, &signs)
        );
    }

    #[test]
    fn nothing_to_flip_counts_every_draw_that_0_reaches() {
        let draws = Draws::Random {
            replicates: 5,
            seed: 0,
        };
        assert_eq!(flip_signs(&[], 0, None, &[], true, draws), Tally::default());
        assert_eq!(
            flip_signs(&[], 2, None, &[0.0, -1.0], true, draws).own,
            [5, 5]
        );
        assert_eq!(
            flip_signs(&[], 1, None, &[1.0], true, Draws::All(0)).own,
            [0]
        );
    }

    #[test]
    fn contrasts_are_the_columns_of_their_differences() {
        let (units, columns) = (30, 5);
        // Whole numbers, whose sums are exact.
        let rows: Vec<f64> = (0..units * columns).map(|i| (i * i % 11) as f64).collect();
        let pairs: Vec<(usize, usize)> = (0..columns)
            .flat_map(|i| (0..i).map(move |j| (i, j)))
            .collect();
        let contrasts: Vec<Contrast> = pairs
            .iter()
            .map(|&(left, right)| Contrast {
                left,
                right,
                factor: 0.5,
            })
            .collect();
        let differences: Vec<f64> = rows
            .chunks(columns)
            .flat_map(|row| pairs.iter().map(|&(i, j)| (row[i] - row[j]) / 2.0))
            .collect();
        let thresholds: Vec<f64> = (0..pairs.len()).map(|i| 20.0 - i as f64).collect();
        let draws = Draws::Random {
            replicates: 500,
            seed: 3,
        };
        for absolute in [false, true] {
            let found = flip_signs(
                &rows,
                columns,
                Some(&contrasts),
                &thresholds,
                absolute,
                draws,
            );
            let plain = flip_signs(
                &differences,
                pairs.len(),
                None,
                &thresholds,
                absolute,
                draws,
            );
            assert_eq!(found, plain);
        }
    }
}
