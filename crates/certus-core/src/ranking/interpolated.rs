//! Interpolated precision at recall levels and its average over eleven.

use super::at_recall::Rounding;
use super::lists::List;

/// The most steps one expected value over tied orders may take.
const MOST_STEPS: u64 = 1 << 27;

/// The greatest precision at any rank where `recall` or more is reached, 0 where it never is (trec_eval
/// iprec_at_recall). The level becomes a number of relevant documents by `rounding`.
///
/// With `average`, the exact expected value of this maximum. It costs the square of (documents x relevant documents)
/// in a tie group, and is refused with an error where that would take too long.
///
/// ```
/// use certus_core::ranking::{Columns, Rounding, interpolated_precision};
///
/// let columns = Columns::single(&[&[None], &[Some(1)], &[Some(1)], &[None, Some(1)]], &[]);
/// let list = columns.lists().list(0);
/// assert_eq!(interpolated_precision(&list, 1, 0.0, Rounding::Trec9, false), Ok(2.0 / 3.0));
/// assert_eq!(interpolated_precision(&list, 1, 1.0, Rounding::Trec9, false), Ok(0.6));
/// assert_eq!(interpolated_precision(&list, 1, 1.0, Rounding::Trec9, true), Ok(0.675));
/// ```
pub fn interpolated_precision(
    list: &List,
    rel: i32,
    recall: f64,
    rounding: Rounding,
    average: bool,
) -> Result<f64, String> {
    let wanted = rounding.count(recall, list.relevant(rel));
    if average {
        mean_best(list, rel, wanted)
    } else {
        Ok(best_from(&best_precisions(list, rel), wanted))
    }
}

/// The mean of [`interpolated_precision`] at recall 0, 0.1, ..., 1 (trec_eval 11pt_avg).
///
/// ```
/// use certus_core::ranking::{Columns, Rounding, eleven_point};
///
/// let columns = Columns::single(&[&[Some(1)], &[None], &[Some(1)]], &[]);
/// let value = eleven_point(&columns.lists().list(0), 1, Rounding::Trec9, false);
/// assert!((value.unwrap() - (6.0 + 5.0 * 2.0 / 3.0) / 11.0).abs() < 1e-15);
/// ```
pub fn eleven_point(
    list: &List,
    rel: i32,
    rounding: Rounding,
    average: bool,
) -> Result<f64, String> {
    let relevant = list.relevant(rel);
    let best = if average {
        vec![]
    } else {
        best_precisions(list, rel)
    };
    let mut sum = 0.0;
    for tenth in (0..=10).rev() {
        let wanted = rounding.count(f64::from(tenth) / 10.0, relevant);
        sum += if average {
            mean_best(list, rel, wanted)?
        } else {
            best_from(&best, wanted)
        };
    }
    Ok(sum / 11.0)
}

/// At `j - 1`, the greatest precision at the `j`-th relevant document retrieved or a later one.
fn best_precisions(list: &List, rel: i32) -> Vec<f64> {
    let mut best: Vec<f64> = Vec::new();
    for group in list.groups(false) {
        if group.relevant(rel) == 1 {
            best.push((best.len() + 1) as f64 / f64::from(group.first));
        }
    }
    for j in (1..best.len()).rev() {
        best[j - 1] = best[j - 1].max(best[j]);
    }
    best
}

fn best_from(best: &[f64], wanted: u32) -> f64 {
    best.get(wanted.max(1) as usize - 1).copied().unwrap_or(0.0)
}

/// A tie group, as far as it decides the best precision.
struct Tied {
    first: u32,
    size: u32,
    hits: u32,
    /// Relevant documents before the group.
    seen: u32,
    /// The first of its hits that counts for the level.
    from: u32,
}

impl Tied {
    fn precision(&self, j: u32, place: u32) -> f64 {
        f64::from(self.seen + j) / (f64::from(self.first) + f64::from(place - 1))
    }

    /// The best precision when its hits come last, and when they come first: no order does worse or better.
    fn range(&self) -> (f64, f64) {
        let best = |place: &dyn Fn(u32) -> u32| {
            (self.from..=self.hits)
                .map(|j| self.precision(j, place(j)))
                .fold(0.0, f64::max)
        };
        (best(&|j| self.size - self.hits + j), best(&|j| j))
    }

    /// The precisions above `floor` that it can reach, increasing.
    fn precisions(&self, floor: f64) -> Vec<f64> {
        let mut all: Vec<f64> = (self.from..=self.hits)
            .flat_map(|j| {
                (j..=self.size - self.hits + j).map(move |place| self.precision(j, place))
            })
            .filter(|&precision| precision > floor)
            .collect();
        all.sort_unstable_by(f64::total_cmp);
        all.dedup();
        all
    }

    /// The probability that none of its hits reaches a precision above `limit`: the mass of the lattice paths that
    /// stay below, walked position by position over the number of hits met.
    fn stays_within(&self, limit: f64) -> f64 {
        let mut chances = vec![0.0; self.hits as usize + 2];
        chances[0] = 1.0;
        for place in 1..=self.size {
            if self.precision(self.hits, place) <= limit {
                break;
            }
            let left = f64::from(self.size - (place - 1));
            let most = self.hits.min(place - 1);
            let least = (self.hits + place - 1).saturating_sub(self.size);
            for met in (least..=most).rev() {
                let chance = chances[met as usize];
                let hits_left = f64::from(self.hits - met);
                let allowed = met + 1 < self.from || self.precision(met + 1, place) <= limit;
                if allowed {
                    chances[met as usize + 1] += chance * (hits_left / left);
                }
                chances[met as usize] = chance * ((left - hits_left) / left);
            }
        }
        chances.iter().sum()
    }
}

/// The expected greatest precision at the `wanted`-th relevant document or a later one. The groups are independent, so
/// the distribution function of the greatest is the product of theirs.
fn mean_best(list: &List, rel: i32, wanted: u32) -> Result<f64, String> {
    let mut seen = 0;
    let mut floor = 0.0_f64;
    let mut open = Vec::new();
    for group in list.groups(true) {
        let hits = group.relevant(rel);
        let from = wanted.saturating_sub(seen).max(1);
        if from <= hits {
            let tied = Tied {
                first: group.first,
                size: group.size,
                hits,
                seen,
                from,
            };
            floor = floor.max(tied.range().0);
            open.push(tied);
        }
        seen += hits;
    }
    open.retain(|tied| tied.range().1 > floor);
    let mut steps = 0_u64;
    for tied in &open {
        let cells = u64::from(tied.size) * u64::from(tied.hits);
        steps = steps.saturating_add(cells.saturating_mul(cells));
        if steps > MOST_STEPS {
            return Err(format!(
                "interpolated precision averaged over ties is too costly with {} relevant among {} tied documents; \
                 settle the ties or leave this metric out",
                tied.hits, tied.size
            ));
        }
    }
    let below: Vec<(Vec<f64>, Vec<f64>)> = open
        .iter()
        .map(|tied| {
            let mut values = tied.precisions(floor);
            values.insert(0, floor);
            let chances = values
                .iter()
                .map(|&value| tied.stays_within(value))
                .collect();
            (values, chances)
        })
        .collect();
    Ok(floor + mean_excess(floor, &below))
}

/// The mean of how far the greatest of independent values exceeds `floor`, each given by the values it can take and
/// the probability not to exceed them: the integral of the probability to exceed.
fn mean_excess(floor: f64, below: &[(Vec<f64>, Vec<f64>)]) -> f64 {
    let mut values: Vec<f64> = below
        .iter()
        .flat_map(|(values, _)| values)
        .copied()
        .collect();
    values.sort_unstable_by(f64::total_cmp);
    values.dedup();
    let mut at = vec![0; below.len()];
    let mut mean = 0.0;
    let mut from = floor;
    let mut within = 1.0;
    for value in values {
        mean += (value - from) * (1.0 - within);
        for (at, (values, _)) in at.iter_mut().zip(below) {
            while *at + 1 < values.len() && values[*at + 1] <= value {
                *at += 1;
            }
        }
        within = at
            .iter()
            .zip(below)
            .map(|(&at, (_, chances))| chances[at])
            .product();
        from = value;
    }
    mean
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
mod tests {
    use super::*;
    use crate::ranking::Columns;
    use crate::ranking::naive::{Dense, agree, hits, relevant};

    fn naive(dense: &Dense, level: f64, rounding: Rounding) -> f64 {
        let all = relevant(&dense.judged, 1);
        let wanted = match rounding {
            Rounding::Trec9 => (level * all + 0.9).floor(),
            Rounding::Trec10 => (level * all + 0.5).floor(),
            Rounding::Exact => level * all,
        };
        (1..=dense.docs.len())
            .filter(|&k| hits(&dense.docs, 1, k) >= wanted)
            .map(|k| hits(&dense.docs, 1, k) / k as f64)
            .fold(0.0, f64::max)
    }

    #[test]
    fn agree_with_the_definition_over_all_tie_orders() {
        for rounding in [Rounding::Trec9, Rounding::Trec10, Rounding::Exact] {
            for level in [0.0, 0.1, 0.5, 0.75, 1.0] {
                agree(
                    |list, average| {
                        interpolated_precision(list, 1, level, rounding, average).unwrap()
                    },
                    |dense| naive(dense, level, rounding),
                );
            }
            agree(
                |list, average| eleven_point(list, 1, rounding, average).unwrap(),
                |dense| {
                    (0..=10)
                        .map(|tenth| naive(dense, f64::from(tenth) / 10.0, rounding))
                        .sum::<f64>()
                        / 11.0
                },
            );
        }
    }

    #[test]
    fn a_large_group_is_refused_only_when_it_matters() {
        let mut docs = vec![None; 1000];
        docs[..50].fill(Some(1));
        let columns = Columns::single(&[&docs], &[]);
        let why = eleven_point(&columns.lists().list(0), 1, Rounding::Trec9, true).unwrap_err();
        assert!(why.contains("50 relevant among 1000 tied"), "{why}");
        let columns = Columns::single(&[&[Some(1); 30], &docs], &[]);
        assert_eq!(
            interpolated_precision(&columns.lists().list(0), 1, 0.0, Rounding::Trec9, true),
            Ok(1.0)
        );
    }
}
