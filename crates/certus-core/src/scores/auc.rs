//! The area under the ROC curve and the spread of its placements, in whole numbers.

use super::groups::{Groups, Score};
use super::order::{MarkGroups, POSITIVE};
use crate::interrupt;

/// The area as a fraction of whole numbers, and what the variance of DeLong needs.
///
/// A positive's placement is the part of the negatives it lies above, a tied one counting half; a negative's is the part
/// of the positives it lies below. Each is a whole number of halves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Auc {
    /// Twice the pairs in which the positive has the higher score, a tie counting once; of `2 m n`.
    pub twice_wins: u128,
    /// `m^2` times the variance (divided by `m`) of the positives' placements in halves of a negative.
    pub positives: u128,
    /// `n^2` times the variance (divided by `n`) of the negatives' placements in halves of a positive.
    pub negatives: u128,
}

/// Counts the pairs in the right order, and the squares of the placements.
///
/// No sum can overflow below 2^32 samples a side: placements are taken from their middle, so that a square is less than
/// 2^64, and the sum of squares times the number of samples less than 2^128. More samples are an error.
///
/// Source: DeLong, DeLong & Clarke-Pearson (1988), Biometrics 44(3):837-845, doi:10.2307/2531595.
///
/// ```
/// let auc = certus_core::scores::auc(&[0.5, 0.9], &[0.1, 0.5]).unwrap();
/// assert_eq!(auc.twice_wins, 7);
/// // Placements in halves: 3 and 4 of the positives, 4 and 3 of the negatives.
/// assert_eq!((auc.positives, auc.negatives), (2 * (9 + 16) - 49, 2 * (16 + 9) - 49));
/// ```
pub fn auc<T: Score>(positives: &[T], negatives: &[T]) -> Result<Auc, String> {
    let (m, n) = (samples(positives.len())?, samples(negatives.len())?);
    let sums = match ranks(positives, negatives) {
        Some(ranks) => of_ranks(&ranks, n),
        None => {
            let groups = Groups::new(positives, negatives);
            of_groups(groups.map(|group| (group.positives, group.negatives)), m, n)
        }
    };
    Ok(of_sums(sums, m, n))
}

/// The same from the marks of the samples by decreasing score, as [`marks_of`](super::marks_of) gives them.
///
/// ```
/// use certus_core::scores::{auc, auc_of_marks, marks_of};
/// let marks = marks_of(&[0.5, 0.9], &[0.1, 0.5]);
/// assert_eq!(auc_of_marks(&marks), auc(&[0.5, 0.9], &[0.1, 0.5]));
/// ```
///
/// # Errors
///
/// A class has 2^32 samples or more.
pub fn auc_of_marks(marks: &[u8]) -> Result<Auc, String> {
    let positives = marks.iter().filter(|mark| *mark & POSITIVE != 0).count();
    let (m, n) = (samples(positives)?, samples(marks.len() - positives)?);
    Ok(of_sums(of_groups(MarkGroups::new(marks), m, n), m, n))
}

/// The samples of one class, if they are not too many.
fn samples(number: usize) -> Result<i64, String> {
    u32::try_from(number)
        .map(i64::from)
        .map_err(|_| format!("{number} samples of one class; AUC counts up to 2^32"))
}

fn of_sums((twice_wins, squares): Sums, m: i64, n: i64) -> Auc {
    // Both sides' placements, taken from their middle, sum to the wins less the middle.
    let sum = (twice_wins as i128 - i128::from(m) * i128::from(n)).unsigned_abs();
    let spread = |count: i64, squares: u128| count as u128 * squares - sum * sum;
    Auc {
        twice_wins,
        positives: spread(m, squares[0]),
        negatives: spread(n, squares[1]),
    }
}

/// Twice the wins, and the sums of the squares of the placements of positives and of negatives, from their middle.
type Sums = (u128, [u128; 2]);

/// Of the positives and negatives that have each score, by increasing score.
fn of_groups(groups: impl Iterator<Item = (u64, u64)>, m: i64, n: i64) -> Sums {
    let (mut p, mut q) = (0_i64, 0_i64);
    let mut twice_wins = 0_u128;
    let mut squares = [0_u128; 2];
    for (a, b) in groups {
        let won = 2 * q + b as i64;
        let lost = 2 * p + a as i64;
        twice_wins += u128::from(a) * u128::from(won.unsigned_abs());
        squares[0] += u128::from(a) * u128::from((won - n).unsigned_abs().pow(2));
        squares[1] += u128::from(b) * u128::from((m - lost).unsigned_abs().pow(2));
        p += a as i64;
        q += b as i64;
    }
    (twice_wins, squares)
}

/// The same from the negatives below each positive, none with its score. Those between two positives lie above as many.
fn of_ranks(ranks: &[u32], n: i64) -> Sums {
    let m = ranks.len() as i64;
    let (mut wins, mut squares) = (0_u128, [0_u128; 2]);
    let mut last = 0;
    let of_negatives = |count: i64, below: i64| {
        u128::from(count.unsigned_abs()) * u128::from((m - 2 * below).unsigned_abs().pow(2))
    };
    for (below, rank) in (0..).zip(ranks) {
        let rank = i64::from(*rank);
        wins += u128::from(rank.unsigned_abs());
        squares[0] += u128::from((2 * rank - n).unsigned_abs().pow(2));
        squares[1] += of_negatives(rank - last, below);
        last = rank;
    }
    squares[1] += of_negatives(n - last, m);
    (2 * wins, squares)
}

/// The placements of small sides in halves of the other class: room that is used again and again.
#[derive(Debug, Default)]
pub(super) struct Placements {
    /// Twice the negatives below each positive, a tied one counting half.
    pub positives: Vec<u64>,
    /// Twice the positives above each negative.
    pub negatives: Vec<u64>,
    spare: [Vec<u64>; 2],
}

impl Placements {
    /// The placements of ascending sides, and what [`auc`] counts.
    pub fn of<T: Score>(&mut self, positives: &[T], negatives: &[T]) -> Result<Auc, String> {
        let (m, n) = (samples(positives.len())?, samples(negatives.len())?);
        let [won, below] = [&mut self.positives, &mut self.negatives];
        if merge(positives, negatives, won, below, |n, p| n < p) {
            let [more_won, more_below] = &mut self.spare;
            merge(positives, negatives, more_won, more_below, |n, p| n <= p);
            for (sum, more) in won
                .iter_mut()
                .zip(more_won)
                .chain(below.iter_mut().zip(more_below))
            {
                *sum += *more;
            }
        } else {
            // No score is in both classes: the other merge would find the same.
            for count in won.iter_mut().chain(below.iter_mut()) {
                *count *= 2;
            }
        }
        let twice_wins = won.iter().map(|won| u128::from(*won)).sum();
        let mut squares = [0_u128; 2];
        for won in won {
            squares[0] += u128::from((*won as i64 - n).unsigned_abs().pow(2));
        }
        for below in below {
            squares[1] += u128::from((m - *below as i64).unsigned_abs().pow(2));
            *below = 2 * m as u64 - *below;
        }
        Ok(of_sums((twice_wins, squares), m, n))
    }
}

/// Counts the samples of the other class that come before each one in the merged sides, without a branch that a
/// processor could guess wrong; whether any score is in both.
fn merge<T: Score>(
    positives: &[T],
    negatives: &[T],
    won: &mut Vec<u64>,
    below: &mut Vec<u64>,
    before: impl Fn(T, T) -> bool,
) -> bool {
    won.clear();
    won.resize(positives.len(), 0);
    below.clear();
    below.resize(negatives.len(), 0);
    let (mut i, mut j, mut tied) = (0, 0, false);
    while i < positives.len() && j < negatives.len() {
        let (positive, negative) = (positives[i], negatives[j]);
        // The one that is not passed is met again, and counted again.
        won[i] = j as u64;
        below[j] = i as u64;
        tied |= positive == negative;
        let first = before(negative, positive);
        j += usize::from(first);
        i += usize::from(!first);
    }
    won[i..].fill(j as u64);
    below[j..].fill(i as u64);
    tied
}

/// Parts that both sides are cut into, each at a score, so that several merges go on side by side.
const CHAINS: usize = 4;
/// Steps of each between two looks whether to go on.
const STEPS: usize = 64;

/// The number of negatives below each positive; None where a positive and a negative have the same score.
pub(super) fn ranks<T: Score>(positives: &[T], negatives: &[T]) -> Option<Vec<u32>> {
    let mut ranks = vec![0; positives.len()];
    let mut cut = [0, 0];
    let mut chains = [1, 2, 3, CHAINS].map(|part| {
        let start = cut;
        cut = match positives.get(positives.len() / CHAINS * part) {
            Some(score) if part < CHAINS => [(positives, 0), (negatives, 1)]
                .map(|(side, class)| start[class].max(side.partition_point(|other| other < score))),
            _ => [positives.len(), negatives.len()],
        };
        (start, cut)
    });
    let mut going = true;
    while going {
        going = false;
        let mut tied = false;
        for _ in 0..STEPS {
            // In turns, and without a branch that a processor could guess wrong: no step waits for another.
            for ([i, j], [i_end, j_end]) in &mut chains {
                if *i < *i_end && *j < *j_end {
                    let (positive, negative) = (positives[*i], negatives[*j]);
                    ranks[*i] = *j as u32;
                    tied |= positive == negative;
                    let lower = positive < negative;
                    *i += usize::from(lower);
                    *j += usize::from(!lower);
                    going = true;
                }
            }
        }
        if tied {
            return None;
        }
        interrupt::poll();
    }
    for ([i, j], [i_end, _]) in chains {
        ranks[i..i_end].fill(j as u32);
    }
    Some(ranks)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
mod tests {
    use super::*;
    use crate::scores::marks_of;
    use crate::scores::naive::pairs_of_sides;

    fn halves(winner: f64, loser: f64) -> u128 {
        2 * u128::from(winner > loser) + u128::from(winner == loser)
    }

    fn spread(placements: &[u128]) -> u128 {
        let sum: u128 = placements.iter().sum();
        let squares: u128 = placements.iter().map(|x| x * x).sum();
        placements.len() as u128 * squares - sum * sum
    }

    #[test]
    fn agrees_with_the_comparison_of_all_pairs() {
        for (positives, negatives) in pairs_of_sides() {
            let of_positives: Vec<u128> = positives
                .iter()
                .map(|&p| negatives.iter().map(|&n| halves(p, n)).sum())
                .collect();
            let of_negatives: Vec<u128> = negatives
                .iter()
                .map(|&n| positives.iter().map(|&p| halves(p, n)).sum())
                .collect();
            let expected = Auc {
                twice_wins: of_positives.iter().sum(),
                positives: spread(&of_positives),
                negatives: spread(&of_negatives),
            };
            assert_eq!(auc(&positives, &negatives), Ok(expected));
            assert_eq!(
                auc_of_marks(&marks_of(&positives, &negatives)),
                Ok(expected)
            );
            let mut placements = Placements::default();
            assert_eq!(placements.of(&positives, &negatives), Ok(expected));
            let whole = |halves: &[u64]| halves.iter().map(|x| u128::from(*x)).collect::<Vec<_>>();
            assert_eq!(whole(&placements.positives), of_positives);
            assert_eq!(whole(&placements.negatives), of_negatives);
        }
    }

    #[test]
    fn ranks_give_what_groups_give_unless_scores_are_tied() {
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for i in 0..1_000_u64 {
            let score = (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 11) as f64;
            if i % 3 == 0 { &mut ours } else { &mut theirs }.push(score);
            let mut sides = (ours.clone(), theirs.clone());
            sides.0.sort_by(f64::total_cmp);
            sides.1.sort_by(f64::total_cmp);
            let (m, n) = (ours.len() as i64, theirs.len() as i64);
            let found = ranks(&sides.0, &sides.1).unwrap();
            let groups =
                Groups::new(&sides.0, &sides.1).map(|group| (group.positives, group.negatives));
            assert_eq!(of_ranks(&found, n), of_groups(groups, m, n));
            sides.1.push(ours[0]);
            sides.1.sort_by(f64::total_cmp);
            assert_eq!(ranks(&sides.0, &sides.1), None);
        }
    }

    #[test]
    fn counts_beyond_64_bits_are_exact() {
        // Half of the positives above all negatives, half below: placements 2n and 0.
        let k = 1 << 17;
        let positives = [vec![0.0_f32; k], vec![2.0; k]].concat();
        let negatives = vec![1.0_f32; 2 * k];
        let (m, n) = (2 * k as u128, 2 * k as u128);
        let found = auc(&positives, &negatives).unwrap();
        assert_eq!(found.twice_wins, m * n);
        assert_eq!(
            found.positives,
            m * (m / 2) * (2 * n) * (2 * n) - (m * n) * (m * n)
        );
        assert!(found.positives > u128::from(u64::MAX));
        assert_eq!(found.negatives, 0);
    }
}
