//! trec_eval's experimental measures G and binG: gain discounted by how much better the documents before could have
//! been.

use super::chance::placements;
use super::gains::Gains;
use super::lists::{Group, List, is_relevant, ratio};

/// The most steps one expected value over tied orders may take.
const MOST_STEPS: usize = 1 << 26;

/// The sum of 1 / log2(2 + non-relevant documents before) over the relevant documents retrieved, divided by all
/// relevant (trec_eval binG); 0 with nothing relevant.
///
/// ```
/// use certus_core::ranking::{Columns, bin_g};
///
/// let columns = Columns::single(&[&[Some(1)], &[None], &[None], &[Some(1)]], &[]);
/// assert_eq!(bin_g(&columns.lists().list(0), 1, false), (1.0 + 0.5) / 2.0);
/// ```
pub fn bin_g(list: &List, rel: i32, average: bool) -> f64 {
    let term = |before: f64| 1.0 / (2.0 + before).log2();
    let mut seen = 0;
    let mut sum = 0.0;
    for group in list.groups(average) {
        let hits = group.relevant(rel);
        let before = group.first - 1 - seen;
        if group.size == 1 {
            if is_relevant(group.grades[0], rel) {
                sum += term(f64::from(before));
            }
        } else {
            placements(group.size, hits, group.size, |i, j, p| {
                sum += p * term(f64::from(before + (i - j)))
            });
        }
        seen += hits;
    }
    ratio(sum, f64::from(list.relevant(rel)))
}

/// The sum of gain / log2(2 + cost - gain so far), divided by the ideal sum of gains (trec_eval G), where the cost of
/// a list adds, rank by rank, the ideal ranking's gain or 1 if that is more, and both sums include the document
/// itself. 0 where no gain is positive.
///
/// With `average`, the exact expected value: it needs the distribution of the gain of a random part of a tie group,
/// and is refused with an error where that takes too many steps.
///
/// ```
/// use certus_core::ranking::{Columns, Gains, g};
///
/// let columns = Columns::single(&[&[None], &[Some(1)], &[Some(2)]], &[]);
/// let gains = Gains::new("linear", &[]).unwrap();
/// // Costs so far 2, 3, 4; gains so far 0, 1, 3.
/// let want = (1.0 / 4.0_f64.log2() + 2.0 / 3.0_f64.log2()) / 3.0;
/// assert_eq!(g(&columns.lists().list(0), &gains, false), Ok(want));
/// ```
pub fn g(list: &List, gains: &Gains, average: bool) -> Result<f64, String> {
    let best = gains.ideal(list, 0);
    let mut costs = vec![0.0];
    for gain in &best {
        costs.push(costs[costs.len() - 1] + gain.max(1.0));
    }
    let cost = |rank: u32| {
        let ideal = (rank as usize).min(best.len());
        costs[ideal] + (rank as usize - ideal) as f64
    };
    let mut steps = 0;
    let mut so_far = 0.0;
    let mut sum = 0.0;
    for group in list.groups(average) {
        let values: Vec<f64> = group
            .grades
            .iter()
            .map(|&grade| gains.of(grade))
            .filter(|&gain| gain != 0.0)
            .collect();
        if values.is_empty() {
            continue;
        }
        if group.size == 1 {
            so_far += values[0];
            sum += values[0] / (2.0 + cost(group.first) - so_far).log2();
        } else {
            sum += tied(&group, &values, &mut steps, |rank, gain| {
                2.0 + cost(rank) - (so_far + gain)
            })?;
            so_far += values.iter().sum::<f64>();
        }
    }
    Ok(if best.is_empty() {
        0.0
    } else {
        sum / best.iter().sum::<f64>()
    })
}

/// The expected sum over a tie group's documents of gain; `inner(rank, gain)` is what stands in the logarithm for a
/// document at `rank` with `gain` in the group up to and including it.
fn tied(
    group: &Group,
    values: &[f64],
    steps: &mut usize,
    inner: impl Fn(u32, f64) -> f64,
) -> Result<f64, String> {
    let refused = || {
        format!(
            "G averaged over ties is too costly with {} gains among {} tied documents; settle the ties or leave this \
             metric out",
            values.len(),
            group.size
        )
    };
    let mut distinct = values.to_vec();
    distinct.sort_unstable_by(f64::total_cmp);
    distinct.dedup();
    let mut total = 0.0;
    for gain in distinct {
        let mut others = values.to_vec();
        if let Some(own) = others.iter().position(|&value| value == gain) {
            others.swap_remove(own);
        }
        let count = values.iter().filter(|&&value| value == gain).count();
        let share = count as f64 / values.len() as f64;
        let parts = gains_of_parts(&others, steps).ok_or_else(refused)?;
        let most = parts.iter().map(Vec::len).sum::<usize>();
        *steps = steps.saturating_add(most.saturating_mul(group.size as usize));
        if *steps > MOST_STEPS {
            return Err(refused());
        }
        placements(group.size, values.len() as u32, group.size, |i, j, p| {
            let rank = group.first + (i - 1);
            let terms = parts[j as usize - 1].iter();
            let mean: f64 = terms
                .map(|&(before, q)| q / inner(rank, before + gain).log2())
                .sum();
            total += p * share * gain * mean;
        });
    }
    Ok(total)
}

/// At `h`, the distribution of the summed gain of `h` of the documents drawn at random: each sum, increasing, with its
/// probability. `None` once that takes too many steps.
fn gains_of_parts(values: &[f64], steps: &mut usize) -> Option<Vec<Vec<(f64, f64)>>> {
    let mut parts = vec![vec![(0.0, 1.0)]];
    for (n, &value) in (1..).zip(values) {
        // Of h documents drawn from n, the last one is among them with chance h / n.
        parts.push(vec![]);
        for h in (0..parts.len()).rev() {
            let with = h as f64 / n as f64;
            let mut sums: Vec<(f64, f64)> = parts[h]
                .iter()
                .map(|&(sum, p)| (sum, p * (1.0 - with)))
                .collect();
            if h > 0 {
                sums.extend(parts[h - 1].iter().map(|&(sum, p)| (sum + value, p * with)));
            }
            sums.retain(|&(_, p)| p > 0.0);
            sums.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
            sums.dedup_by(|next, kept| {
                let same = next.0 == kept.0;
                if same {
                    kept.1 += next.1;
                }
                same
            });
            *steps = steps.saturating_add(sums.len() * 8);
            parts[h] = sums;
        }
        if *steps > MOST_STEPS {
            return None;
        }
    }
    Some(parts)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
mod tests {
    use super::*;
    use crate::ranking::Columns;
    use crate::ranking::naive::{agree, is_relevant, relevant};

    #[test]
    fn bin_g_agrees_with_the_definition_over_all_tie_orders() {
        for rel in [0, 1, 2] {
            agree(
                |list, average| bin_g(list, rel, average),
                |dense| {
                    let (mut sum, mut before) = (0.0, 0.0_f64);
                    for &grade in &dense.docs {
                        if is_relevant(grade, rel) {
                            sum += 1.0 / (2.0 + before).log2();
                        } else {
                            before += 1.0;
                        }
                    }
                    ratio(sum, relevant(&dense.judged, rel))
                },
            );
        }
    }

    #[test]
    fn g_agrees_with_the_definition_over_all_tie_orders() {
        for levels in [vec![], vec![(0, 0.25), (1, 1.5), (3, 0.5)]] {
            let gains = Gains::new("linear", &levels).unwrap();
            agree(
                |list, average| g(list, &gains, average).unwrap(),
                |dense| {
                    let mut best: Vec<f64> =
                        dense.judged.iter().map(|&grade| gains.of(grade)).collect();
                    best.retain(|&gain| gain > 0.0);
                    best.sort_by(|a, b| b.total_cmp(a));
                    let (mut cost, mut so_far, mut sum) = (0.0, 0.0, 0.0);
                    for (i, grade) in dense.docs.iter().enumerate() {
                        let gain = grade.map_or(0.0, |grade| gains.of(grade));
                        cost += best.get(i).map_or(1.0, |gain| gain.max(1.0));
                        so_far += gain;
                        sum += gain / (2.0 + cost - so_far).log2();
                    }
                    ratio(sum, best.iter().sum())
                },
            );
        }
    }

    #[test]
    fn g_of_a_list_all_tied_is_computed_and_one_beyond_reason_refused() {
        let gains = Gains::new("linear", &[]).unwrap();
        let mut docs = vec![None; 1000];
        docs[..20].fill(Some(1));
        docs[20..30].fill(Some(2));
        let columns = Columns::single(&[&docs], &[]);
        let value = g(&columns.lists().list(0), &gains, true).unwrap();
        assert!(value > 0.1 && value < 0.2, "{value}");
        for (i, doc) in docs.iter_mut().enumerate() {
            *doc = Some(1 + (i * i % 97) as i32);
        }
        let columns = Columns::single(&[&docs], &[]);
        let why = g(&columns.lists().list(0), &gains, true).unwrap_err();
        assert!(why.contains("1000 gains among 1000 tied"), "{why}");
    }
}
