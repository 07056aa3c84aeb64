//! Discounted cumulative gain of dense scores.

use std::iter::repeat_n;
use std::marker::PhantomData;

use super::groups::counts;
use super::lanes::{LANES, Lanes, MOST};
use super::options::{Dcg, share};
use super::rows::{Rows, each_block};
use crate::scores::Keyed;

/// Up to this many labels with a gain each is compared with every label, which is faster than sorting the row.
const FEW: usize = 20;

/// Distinct gains that are sought among those seen before.
const DISTINCT: usize = 8;

/// A label with a gain: how many labels stand above it, how many share its place, and the gain.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Placed {
    above: u64,
    size: u64,
    gain: f64,
}

struct Space<T: Keyed> {
    gains: Vec<f64>,
    placed: Vec<Placed>,
    keys: Vec<u128>,
    /// The distinct gains above 0, by their bits, and how many labels have each.
    ideal: Vec<(u64, usize)>,
    lanes: Lanes,
    scores: PhantomData<T>,
}

impl<T: Keyed> Default for Space<T> {
    fn default() -> Self {
        Self {
            gains: Vec::new(),
            placed: Vec::new(),
            keys: Vec::new(),
            ideal: Vec::new(),
            lanes: Lanes::default(),
            scores: PhantomData,
        }
    }
}

/// The sum over ranks of gain / log2(rank + 1), for each row; the ranks are those of decreasing scores.
/// None where the shapes differ.
///
/// ```
/// use certus_core::multilabel::{Dcg, Rows, dcg_of_rows};
///
/// let dcg = |average, normalised| {
///     let (grades, scores) = ([3.0, 0.0, 1.0], [0.9, 0.5, 0.5]);
///     let how = Dcg { cutoff: None, exponential: false, average, normalised };
///     Some(dcg_of_rows(how, &Rows::new(&grades, 1, 3, false)?, &Rows::new(&scores, 1, 3, false)?)?[0])
/// };
/// let (second, third) = (1.0 / f64::log2(3.0), 1.0 / 2.0);
/// assert_eq!(dcg(true, false), Some(3.0 + (second + third) / 2.0));
/// assert_eq!(dcg(false, false), Some(3.0 + second));
/// assert_eq!(dcg(false, true), Some(1.0));
/// ```
#[must_use]
pub fn dcg_of_rows<G: Copy + Into<f64> + Sync, T: Keyed + Into<f64>>(
    how: Dcg,
    grades: &Rows<G>,
    scores: &Rows<T>,
) -> Option<Vec<f64>> {
    let ranks = how.cutoff.unwrap_or(usize::MAX).min(scores.columns());
    let discounts: Vec<f64> = (0..ranks)
        .map(|rank| 1.0 / (rank as f64 + 2.0).log2())
        .collect();
    let columns = scores.columns();
    each_block(
        grades,
        scores,
        |rows, grades, scores, space: &mut Space<T>, values: &mut Vec<f64>| {
            let (mut grades, mut scores) = (grades, scores);
            for left in (1..=rows).rev().step_by(LANES) {
                let cells = left.min(LANES) * columns;
                let (these, others) = grades.split_at(cells);
                let (own, rest) = scores.split_at(cells);
                (grades, scores) = (others, rest);
                space.gains.clear();
                let gains = these.iter().map(|&grade| how.gain(grade.into()));
                space.gains.extend(gains);
                space.dcg_of_rows(own, left.min(LANES), how, &discounts, values);
            }
        },
    )
}

impl Dcg {
    fn gain(self, grade: f64) -> f64 {
        if !self.exponential {
            grade
        } else if grade.fract() == 0.0 && grade.abs() < 1024.0 {
            f64::powi(2.0, grade as i32) - 1.0
        } else {
            (grade * std::f64::consts::LN_2).exp_m1()
        }
    }
}

impl<T: Keyed + Into<f64>> Space<T> {
    /// Adds the values of up to eight rows.
    fn dcg_of_rows(
        &mut self,
        scores: &[T],
        rows: usize,
        how: Dcg,
        discounts: &[f64],
        values: &mut Vec<f64>,
    ) {
        let columns = scores.len() / rows;
        let gains = std::mem::take(&mut self.gains);
        let row = |row: usize| row * columns..(row + 1) * columns;
        let few =
            |row: &[f64]| how.average && row.iter().filter(|gain| **gain != 0.0).count() <= FEW;
        let all_few = (0..rows).all(|i| few(&gains[row(i)]));
        let together = rows == LANES && (2..=MOST).contains(&columns) && !all_few;
        let found = together.then(|| self.lanes.dcg_of(&gains, scores, how, discounts));
        match found.flatten() {
            Some(found) => values.extend(found),
            None => values.extend((0..rows).map(|i| {
                let (gains, scores) = (&gains[row(i)], &scores[row(i)]);
                self.dcg_of(gains, scores, few(gains), how, discounts)
            })),
        }
        self.gains = gains;
    }

    fn dcg_of(
        &mut self,
        gains: &[f64],
        scores: &[T],
        few: bool,
        how: Dcg,
        discounts: &[f64],
    ) -> f64 {
        self.placed.clear();
        if few {
            self.compare(gains, scores);
        } else {
            self.sort(gains, scores, how.average);
        }
        let mut sum = 0.0;
        for tied in self.placed.chunk_by(|a, b| a.above == b.above) {
            add(tied, discounts, &mut sum);
        }
        if !how.normalised {
            return sum;
        }
        share(sum, self.best(gains, discounts))
    }

    fn compare(&mut self, gains: &[f64], scores: &[T]) {
        for (&gain, &score) in gains.iter().zip(scores) {
            if gain != 0.0 {
                let (above, at_or_above) = counts(scores, score);
                self.placed.push(Placed {
                    above,
                    size: at_or_above - above,
                    gain,
                });
            }
        }
        self.placed.sort_by_key(|label| label.above);
    }

    fn sort(&mut self, gains: &[f64], scores: &[T], average: bool) {
        // Key and column in one number, which is compared without a branch.
        self.keys.clear();
        let labels = scores.iter().zip(0_u128..);
        self.keys
            .extend(labels.map(|(score, column)| score.key().into() << u32::BITS | column));
        self.keys.sort_unstable();
        let tie = |a: &u128, b: &u128| average && a >> u32::BITS == b >> u32::BITS;
        let mut above = 0;
        for tied in self.keys.chunk_by(tie).rev() {
            let size = tied.len() as u64;
            let tied = tied.iter().map(|key| gains[*key as u32 as usize]);
            let placed = tied.filter(|gain| *gain != 0.0);
            self.placed
                .extend(placed.map(|gain| Placed { above, size, gain }));
            above += size;
        }
    }

    /// The gain of the best order: gains are at least 0.
    fn best(&mut self, gains: &[f64], discounts: &[f64]) -> f64 {
        // Positive numbers are in the order of their bits. Most gains are among few: those are counted.
        self.ideal.clear();
        for gain in gains.iter().filter(|gain| **gain > 0.0) {
            let bits = gain.to_bits();
            let counted = self.ideal.iter_mut().take(DISTINCT);
            match counted.into_iter().find(|(other, _)| *other == bits) {
                Some((_, count)) => *count += 1,
                None => self.ideal.push((bits, 1)),
            }
        }
        self.ideal.sort_unstable();
        let each = |&(bits, count): &(u64, usize)| repeat_n(f64::from_bits(bits), count);
        let gains = self.ideal.iter().rev().flat_map(each);
        gains
            .zip(discounts)
            .fold(0.0, |sum, (gain, discount)| sum + gain * discount)
    }
}

/// Adds what the tied labels gain.
fn add(tied: &[Placed], discounts: &[f64], sum: &mut f64) {
    let Placed { above, size, gain } = tied[0];
    let ranks = discounts.iter().skip(above as usize).take(size as usize);
    if tied.len() as u64 == size && tied.iter().all(|label| label.gain == gain) {
        // Term by term, as the best order is summed: a perfect order is exactly 1.
        ranks.for_each(|discount| *sum += gain * discount);
    } else {
        let gains: f64 = tied.iter().map(|label| label.gain).sum();
        *sum += gains / size as f64 * ranks.sum::<f64>();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::multilabel::naive::{mean_over_orders, tables};

    fn of(how: Dcg, grades: &[f64], scores: &[f64]) -> f64 {
        let rows = |cells| Rows::new(cells, 1, grades.len(), false);
        let (Some(grades), Some(scores)) = (rows(grades), rows(scores)) else {
            unreachable!()
        };
        dcg_of_rows(how, &grades, &scores).map_or(f64::NAN, |values| values[0])
    }

    const PLAIN: Dcg = Dcg {
        cutoff: None,
        exponential: false,
        average: true,
        normalised: false,
    };

    #[test]
    fn tied_labels_share_the_mean_over_all_their_orders() {
        for (truth, scores) in tables() {
            // Grades that are all different where the label is true.
            let grades: Vec<f64> = truth
                .iter()
                .zip([1.0, 2.0, 3.5, 1.0, 7.0])
                .map(|(hit, grade)| f64::from(*hit) * grade)
                .collect();
            for cutoff in [None, Some(1), Some(3)] {
                for exponential in [false, true] {
                    let how = Dcg {
                        cutoff,
                        exponential,
                        ..PLAIN
                    };
                    let naive = mean_over_orders(&grades, &scores, |ranked| {
                        let kept = ranked.iter().take(cutoff.unwrap_or(9)).zip(2_u32..);
                        kept.map(|(grade, rank)| how.gain(*grade) / f64::from(rank).log2())
                            .sum()
                    });
                    assert!((of(how, &grades, &scores) - naive).abs() < 1e-12 * naive.max(1.0));
                }
            }
        }
    }

    #[test]
    fn the_order_of_the_grades_themselves_is_exactly_1() {
        let grades = [0.3, 0.1, 0.1, 0.7, 0.0, 0.1, 0.3, 1e-3];
        for cutoff in [None, Some(1), Some(3), Some(20)] {
            for average in [true, false] {
                let how = Dcg {
                    cutoff,
                    average,
                    normalised: true,
                    ..PLAIN
                };
                assert_eq!(of(how, &grades, &grades), 1.0);
            }
        }
    }

    #[test]
    fn comparing_and_sorting_agree() {
        let scores: Vec<f64> = (0..60).map(|i| f64::from(i * 7 % 11)).collect();
        let grades: Vec<f64> = (0..60)
            .map(|i| f64::from(u8::from(i % 5 == 0) * 3))
            .collect();
        let mut space = Space::default();
        space.compare(&grades, &scores);
        let mut compared = std::mem::take(&mut space.placed);
        space.sort(&grades, &scores, true);
        compared.sort_by_key(|label| label.above);
        assert_eq!(compared, space.placed);
    }

    #[test]
    fn eight_rows_have_the_values_of_each_of_them_to_the_bit() {
        let mut random = crate::fuzz::Random::new(1);
        let mut below = |n: u64| random.below(n);
        let mut together = 0;
        for case in 0..3_000 {
            let columns = [2, 3, 7, 64, 65, 100, 256][below(7) as usize];
            let (some, ties) = (
                [2, 5, 1 << 30][below(3) as usize],
                [3, 100, 1 << 30][below(3) as usize],
            );
            let mut draw = |n: u64| below(n) as f64;
            let odd = [0.0, -0.0, 1e-310, f64::INFINITY, 1.0, 1.0 + f64::EPSILON];
            let cells = LANES * columns;
            let gains: Vec<f64> = (0..cells)
                .map(|_| draw(some) / 4.0 - draw(6).floor() / 5.0)
                .collect();
            let scores: Vec<f64> = (0..cells)
                .map(|_| match draw(if case % 4 == 0 { 50 } else { 1 << 40 }) {
                    0.0 => odd[draw(6) as usize],
                    _ => (draw(ties) - ties as f64 / 3.0) / 97.0,
                })
                .collect();
            let how = Dcg {
                cutoff: [None, Some(1), Some(10)][case % 3],
                exponential: false,
                average: case % 2 == 0,
                normalised: case % 5 > 0,
            };
            let ranks = how.cutoff.unwrap_or(columns).min(columns);
            let discounts: Vec<f64> = (0..ranks)
                .map(|rank| 1.0 / (rank as f64 + 2.0).log2())
                .collect();
            let mut space = Space::<f64>::default();
            let Some(found) = space.lanes.dcg_of(&gains, &scores, how, &discounts) else {
                continue;
            };
            together += 1;
            let rows = gains
                .chunks_exact(columns)
                .zip(scores.chunks_exact(columns));
            for ((gains, scores), value) in rows.zip(found) {
                for few in [false, how.average] {
                    let alone = space.dcg_of(gains, scores, few, how, &discounts);
                    assert_eq!(alone.to_bits(), value.to_bits(), "{alone} {value} {how:?}");
                }
            }
        }
        assert!(together > 2_000, "{together}");
    }

    #[test]
    fn a_row_without_gain_has_no_best_order() {
        let how = Dcg {
            normalised: true,
            ..PLAIN
        };
        assert!(of(how, &[0.0, 0.0], &[0.1, 0.2]).is_nan());
        assert_eq!(of(PLAIN, &[0.0, -1.0], &[0.1, 0.2]), -1.0);
    }
}
