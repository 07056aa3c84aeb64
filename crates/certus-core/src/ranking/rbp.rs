//! Rank-biased precision and what is unknown about it.

use super::lists::{List, last_rank};

/// Rank-biased precision: (1 - p) times the sum of p^(rank - 1) over the relevant documents among the first `cutoff`
/// (Moffat & Zobel 2008); `p` in [0, 1).
///
/// ```
/// use certus_core::ranking::{Columns, rbp};
///
/// let columns = Columns::single(&[&[Some(1)], &[None, Some(1)]], &[]);
/// assert_eq!(rbp(&columns.lists().list(0), 0.5, 1, None, false), 0.5 + 0.125);
/// assert_eq!(rbp(&columns.lists().list(0), 0.5, 1, None, true), 0.5 + 0.1875);
/// ```
pub fn rbp(list: &List, p: f64, rel: i32, cutoff: Option<u64>, average: bool) -> f64 {
    let last = last_rank(cutoff);
    let mut sum = 0.0;
    for group in list.groups(average) {
        let inside = group.inside(last);
        if inside == 0 {
            break;
        }
        let hits = group.relevant(rel);
        if hits > 0 {
            sum += weight(p, group.first, inside) * (f64::from(hits) / f64::from(group.size));
        }
    }
    sum.min(1.0)
}

/// The weight of everything not known about rank-biased precision at `cutoff`: the unjudged documents (negative grades
/// included) among the first, and all ranks past the cutoff or the end of the list. [`rbp`] lies within its value and
/// its value plus this.
///
/// ```
/// use certus_core::ranking::{Columns, rbp_residual};
///
/// let columns = Columns::single(&[&[Some(1)], &[None], &[Some(0)]], &[]);
/// assert_eq!(rbp_residual(&columns.lists().list(0), 0.5, None, false), 0.25 + 0.125);
/// ```
pub fn rbp_residual(list: &List, p: f64, cutoff: Option<u64>, average: bool) -> f64 {
    let end = last_rank(cutoff).min(list.retrieved);
    let mut next = 1;
    let mut sum = 0.0;
    for group in list.groups(average) {
        let inside = group.inside(end);
        if inside == 0 {
            break;
        }
        sum += weight(p, next, group.first - next);
        let unjudged = group.size - group.relevant(0);
        if unjudged > 0 {
            sum += weight(p, group.first, inside) * (f64::from(unjudged) / f64::from(group.size));
        }
        next = group.first.saturating_add(inside);
    }
    sum += weight(p, next, (end - next.min(end)) + u32::from(next <= end));
    (sum + p.powf(f64::from(end))).min(1.0)
}

/// (1 - p) times the sum of p^(rank - 1) over `count` ranks from `first`, without cancellation for p near 1.
fn weight(p: f64, first: u32, count: u32) -> f64 {
    let start = p.powf(f64::from(first - 1));
    match count {
        0 => 0.0,
        1 => start * (1.0 - p),
        _ => start * -(f64::from(count) * p.ln()).exp_m1(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranking::Columns;
    use crate::ranking::naive::{agree, is_relevant};

    #[test]
    fn sums_of_weights_do_not_round_past_1() {
        for n in 1..=60 {
            let (unjudged, relevant) = (vec![None; n], vec![Some(1); n]);
            for list in [&unjudged, &relevant] {
                let documents: Vec<&[Option<i32>]> = list.chunks(1).collect();
                let columns = Columns::single(&documents, &[]);
                let list = columns.lists().list(0);
                for p in [0.1, 0.2, 0.3, 0.7, 0.9] {
                    assert!(rbp(&list, p, 1, None, false) <= 1.0);
                    assert!(rbp_residual(&list, p, None, false) <= 1.0);
                }
            }
        }
    }

    #[test]
    fn agree_with_the_definition_over_all_tie_orders() {
        for p in [0.0, 0.3, 0.95] {
            for k in [1, 3, 100] {
                agree(
                    |list, average| rbp(list, p, 1, Some(k as u64), average),
                    |dense| {
                        let first = dense.docs.iter().take(k).enumerate();
                        first
                            .map(|(i, &g)| {
                                f64::from(is_relevant(g, 1)) * p.powi(i as i32) * (1.0 - p)
                            })
                            .sum()
                    },
                );
                agree(
                    |list, average| rbp_residual(list, p, Some(k as u64), average),
                    |dense| {
                        let first = dense.docs.iter().take(k).enumerate();
                        1.0 - first
                            .map(|(i, &g)| {
                                f64::from(is_relevant(g, 0)) * p.powi(i as i32) * (1.0 - p)
                            })
                            .sum::<f64>()
                    },
                );
            }
        }
    }
}
