//! Discounted cumulative gain, as it is, normalised, and averaged over ranks as trec_eval's experimental measures do.

use std::sync::LazyLock;

use super::gains::Gains;
use super::lists::{List, last_rank, ratio};

/// log2(rank + 1) of the first ranks, where most hits are.
static LOGS: LazyLock<Vec<f64>> = LazyLock::new(|| {
    (0..=1024)
        .map(|rank| f64::log2(f64::from(rank) + 1.0))
        .collect()
});

/// What the gain at `rank` is divided by.
fn discount(rank: u32) -> f64 {
    LOGS.get(rank as usize)
        .copied()
        .unwrap_or_else(|| (f64::from(rank) + 1.0).log2())
}

/// The sum of gain / log2(rank + 1) over the first `cutoff` documents (Järvelin & Kekäläinen 2002, in the form of
/// Burges et al. 2005 that trec_eval uses). Infinite where an exponential gain is (grades above 1023).
///
/// ```
/// use certus_core::ranking::{Columns, Gains, dcg};
///
/// let columns = Columns::single(&[&[Some(2)], &[None], &[Some(1)]], &[]);
/// let list = columns.lists().list(0);
/// assert_eq!(dcg(&list, None, &Gains::new("linear", &[]).unwrap(), false), 2.0 + 0.5);
/// assert_eq!(dcg(&list, Some(1), &Gains::new("exp", &[]).unwrap(), false), 3.0);
/// ```
pub fn dcg(list: &List, cutoff: Option<u64>, gains: &Gains, average: bool) -> f64 {
    scaled_dcg(list, last_rank(cutoff), gains, 0, average)
}

/// [`dcg`] divided by that of the judged documents in their best order; 0 where that is 0 (trec_eval ndcg, ndcg_cut).
/// Defined for any grade: where exponential gains would overflow, all are scaled down alike.
///
/// ```
/// use certus_core::ranking::{Columns, Gains, ndcg};
///
/// let columns = Columns::single(&[&[Some(1)], &[None], &[Some(2)]], &[]);
/// let list = columns.lists().list(0);
/// let gains = Gains::new("linear", &[]).unwrap();
/// assert_eq!(ndcg(&list, Some(1), &gains, false), 0.5);
/// assert_eq!(ndcg(&list, None, &gains, false), 2.0 / (2.0 + 1.0 / 3.0_f64.log2()));
/// ```
pub fn ndcg(list: &List, cutoff: Option<u64>, gains: &Gains, average: bool) -> f64 {
    let last = last_rank(cutoff);
    let scale = gains.scale(list);
    let ideal = gains.with_ideal(list, scale, |best| {
        (1..=last)
            .zip(best)
            .fold(0.0, |sum, (rank, gain)| sum + gain / discount(rank))
    });
    ratio(scaled_dcg(list, last, gains, scale, average), ideal)
}

fn scaled_dcg(list: &List, last: u32, gains: &Gains, scale: i32, average: bool) -> f64 {
    let mut sum = 0.0;
    for group in list.groups(average) {
        let inside = group.inside(last);
        if inside == 0 {
            break;
        }
        if group.size == 1 {
            let gain = gains.scaled(group.grades[0], scale);
            if gain != 0.0 {
                sum += gain / discount(group.first);
            }
        } else {
            // Each document stands on each position equally often, so the gains meet the mean discount.
            let gain: f64 = group
                .grades
                .iter()
                .map(|&grade| gains.scaled(grade, scale))
                .sum();
            let weight: f64 = (0..inside)
                .map(|before| 1.0 / discount(group.first + before))
                .sum();
            sum += gain * (weight / f64::from(group.size));
        }
    }
    sum
}

/// nDCG at the rank of each document of positive gain, averaged over all of these; those not retrieved count with the
/// value at the end of the list (trec_eval ndcg_rel, an experimental measure). 0 where no gain is positive, and where
/// negative gains would make the value (with `average`, the mean) negative.
///
/// ```
/// use certus_core::ranking::{Columns, Gains, ndcg_rel};
///
/// let columns = Columns::single(&[&[None], &[Some(1)]], &[]);
/// let at_two = 1.0 / 3.0_f64.log2();
/// assert_eq!(ndcg_rel(&columns.lists().list(0), &Gains::new("linear", &[]).unwrap(), false), at_two);
/// ```
pub fn ndcg_rel(list: &List, gains: &Gains, average: bool) -> f64 {
    let scale = gains.scale(list);
    let ideals = ideal_dcgs(&gains.ideal(list, scale));
    let Some(&ideal) = ideals.last() else {
        return 0.0;
    };
    let ideal_at = |rank: u32| ideals[(rank as usize).min(ideals.len()) - 1];
    let mut found = 0_usize;
    let mut dcg = 0.0;
    let mut sum = 0.0;
    for group in list.groups(average) {
        let values: Vec<f64> = group
            .grades
            .iter()
            .map(|&grade| gains.scaled(grade, scale))
            .collect();
        let total: f64 = values.iter().sum();
        let good: Vec<f64> = values.into_iter().filter(|&gain| gain > 0.0).collect();
        found += good.len();
        if group.size == 1 {
            if total != 0.0 {
                dcg += total / discount(group.first);
            }
            if !good.is_empty() {
                sum += dcg / ideal_at(group.first);
            }
            continue;
        }
        let own: f64 = good.iter().sum();
        let others: f64 =
            good.iter().map(|gain| total - gain).sum::<f64>() / f64::from(group.size - 1);
        let mut weights = 0.0;
        let mut at_hits = 0.0;
        for rank in (0..group.size).map(|before| group.first + before) {
            let weight = 1.0 / discount(rank);
            at_hits += (good.len() as f64 * dcg + own * weight + others * weights) / ideal_at(rank);
            weights += weight;
        }
        sum += at_hits / f64::from(group.size);
        dcg += total * (weights / f64::from(group.size));
    }
    sum += (ideals.len() as f64 - found as f64) * dcg / ideal;
    if sum > 0.0 {
        sum / ideals.len() as f64
    } else {
        0.0
    }
}

/// nDCG averaged over the ranks where the ideal ranking passes to a lower gain, and over the end of the list where
/// that lies at least two documents further (trec_eval Rndcg, an experimental measure). 0 with nothing relevant.
///
/// ```
/// use certus_core::ranking::{Columns, Gains, rndcg};
///
/// let columns = Columns::single(&[&[Some(1)], &[Some(2)]], &[]);
/// let gains = Gains::new("linear", &[]).unwrap();
/// let list = columns.lists().list(0);
/// let log = 3.0_f64.log2();
/// assert_eq!(rndcg(&list, 1, &gains, false), (0.5 + (1.0 + 2.0 / log) / (2.0 + 1.0 / log)) / 2.0);
/// ```
pub fn rndcg(list: &List, rel: i32, gains: &Gains, average: bool) -> f64 {
    let scale = gains.scale(list);
    let best = gains.ideal(list, scale);
    let ideals = ideal_dcgs(&best);
    let Some(&ideal) = ideals.last() else {
        return 0.0;
    };
    if list.relevant(rel) == 0 {
        return 0.0;
    }
    let mut sum = 0.0;
    let mut points = 0.0;
    for (i, &at) in ideals.iter().enumerate() {
        if best.get(i + 1) != Some(&best[i]) {
            sum += scaled_dcg(list, i as u32 + 1, gains, scale, average) / at;
            points += 1.0;
        }
    }
    if (list.retrieved as usize) > ideals.len() + 1 {
        sum += scaled_dcg(list, u32::MAX, gains, scale, average) / ideal;
        points += 1.0;
    }
    sum / points
}

/// The DCG of the ideal ranking at each rank where it still gains.
fn ideal_dcgs(best: &[f64]) -> Vec<f64> {
    let mut sum = 0.0;
    (1..)
        .zip(best)
        .map(|(rank, gain)| {
            sum += gain / discount(rank);
            sum
        })
        .collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
mod tests {
    use super::*;
    use crate::ranking::Columns;
    use crate::ranking::naive::{Dense, agree};

    fn every_gain() -> Vec<Gains> {
        [
            ("linear", vec![]),
            ("exp", vec![]),
            ("linear", vec![(0, 0.5), (1, 4.0), (2, -1.0)]),
        ]
        .iter()
        .map(|(name, levels)| Gains::new(name, levels).unwrap())
        .collect()
    }

    fn naive_dcg(docs: &[Option<i32>], gains: &Gains, k: usize) -> f64 {
        let first = docs.iter().take(k).enumerate();
        first
            .map(|(i, grade)| grade.map_or(0.0, |grade| gains.of(grade)) / (i as f64 + 2.0).log2())
            .sum()
    }

    fn best_order(dense: &Dense, gains: &Gains) -> Vec<Option<i32>> {
        let mut best: Vec<i32> = dense
            .judged
            .iter()
            .copied()
            .filter(|&grade| gains.of(grade) > 0.0)
            .collect();
        best.sort_by(|a, b| gains.of(*b).total_cmp(&gains.of(*a)));
        best.into_iter().map(Some).collect()
    }

    #[test]
    fn dcg_and_ndcg_agree_with_the_definition_over_all_tie_orders() {
        for gains in every_gain() {
            for k in [1, 3, 100] {
                agree(
                    |list, average| dcg(list, Some(k as u64), &gains, average),
                    |dense| naive_dcg(&dense.docs, &gains, k),
                );
                agree(
                    |list, average| ndcg(list, Some(k as u64), &gains, average),
                    |dense| {
                        let ideal = naive_dcg(&best_order(dense, &gains), &gains, k);
                        ratio(naive_dcg(&dense.docs, &gains, k), ideal)
                    },
                );
            }
        }
    }

    #[test]
    fn ndcg_rel_agrees_with_the_definition_over_all_tie_orders() {
        // Negative gains can make single orders, but not their mean, negative, where the value is cut at 0.
        for gains in every_gain().into_iter().take(2) {
            agree(
                |list, average| ndcg_rel(list, &gains, average),
                |dense| {
                    let best = best_order(dense, &gains);
                    let at = |k| naive_dcg(&dense.docs, &gains, k) / naive_dcg(&best, &gains, k);
                    let good = |docs: &[Option<i32>], i: usize| {
                        docs[i].is_some_and(|grade| gains.of(grade) > 0.0)
                    };
                    let found: Vec<usize> = (0..dense.docs.len())
                        .filter(|&i| good(&dense.docs, i))
                        .collect();
                    let sum: f64 = found.iter().map(|&i| at(i + 1)).sum();
                    let missed = (best.len() - found.len()) as f64;
                    if best.is_empty() {
                        0.0
                    } else {
                        (sum + missed * at(usize::MAX)) / best.len() as f64
                    }
                },
            );
        }
    }

    #[test]
    fn rndcg_agrees_with_the_definition_over_all_tie_orders() {
        for gains in every_gain() {
            agree(
                |list, average| rndcg(list, 0, &gains, average),
                |dense| {
                    let best = best_order(dense, &gains);
                    let at = |k| naive_dcg(&dense.docs, &gains, k) / naive_dcg(&best, &gains, k);
                    let gain = |i: usize| best.get(i).map_or(0.0, |grade| gains.of(grade.unwrap()));
                    let mut points: Vec<usize> = (1..=best.len())
                        .filter(|&k| gain(k) != gain(k - 1))
                        .collect();
                    if dense.docs.len() > best.len() + 1 && !best.is_empty() {
                        points.push(usize::MAX);
                    }
                    ratio(points.iter().map(|&k| at(k)).sum(), points.len() as f64)
                },
            );
        }
    }

    #[test]
    fn huge_grades_overflow_the_sum_but_not_the_ratio() {
        let gains = Gains::new("exp", &[]).unwrap();
        let columns = Columns::single(&[&[Some(1999)], &[Some(2000)]], &[]);
        let list = columns.lists().list(0);
        assert_eq!(dcg(&list, None, &gains, false), f64::INFINITY);
        let log = 3.0_f64.log2();
        assert!(
            (ndcg(&list, None, &gains, false) - (0.5 + 1.0 / log) / (1.0 + 0.5 / log)).abs()
                < 1e-15
        );
    }

    #[test]
    fn scaling_exponential_gains_keeps_every_bit() {
        let gains = Gains::new("exp", &[]).unwrap();
        for grade in 0..60 {
            assert_eq!(gains.scaled(grade, 60) * power(60), gains.of(grade));
        }
    }

    fn power(exponent: i32) -> f64 {
        super::super::gains::power_of_two(exponent)
    }
}
