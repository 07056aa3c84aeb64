//! Metrics of how many relevant documents are among the first: precision, recall, F and their kin.

use super::chance::hypergeometric;
use super::lists::{List, last_rank, ratio};

/// The mean over tie orders of the number of relevant documents among the first `last`.
fn mean_count(list: &List, rel: i32, last: u32, average: bool) -> f64 {
    let mut seen = 0;
    for group in list.groups(average) {
        let inside = group.inside(last);
        if inside == group.size {
            seen += group.relevant(rel);
        } else {
            let share = f64::from(inside) * f64::from(group.relevant(rel)) / f64::from(group.size);
            return f64::from(seen) + share;
        }
    }
    f64::from(seen)
}

/// The mean over tie orders of `value(relevant documents among the first)`.
fn mean_of_count(
    list: &List,
    rel: i32,
    last: u32,
    average: bool,
    value: impl Fn(f64) -> f64,
) -> f64 {
    let mut seen = 0;
    for group in list.groups(average) {
        let inside = group.inside(last);
        let relevant = group.relevant(rel);
        if inside == group.size {
            seen += relevant;
        } else if inside == 0 {
            break;
        } else {
            let counts = hypergeometric(inside, relevant, group.size);
            return counts
                .iter()
                .map(|&(h, p)| p * value(f64::from(seen + h)))
                .sum();
        }
    }
    value(f64::from(seen))
}

/// Documents looked at: the cutoff, or all retrieved.
fn depth(list: &List, cutoff: Option<u64>) -> f64 {
    cutoff.map_or(f64::from(list.retrieved), |k| k as f64)
}

/// Relevant documents among the first `cutoff`, divided by `cutoff` even when fewer were retrieved (trec_eval P);
/// without a cutoff, divided by the number retrieved, 0 for none (set_P).
///
/// ```
/// use certus_core::ranking::{Columns, precision};
///
/// let columns = Columns::single(&[&[Some(1)], &[None, Some(1)]], &[]);
/// let list = columns.lists().list(0);
/// assert_eq!(precision(&list, 1, Some(2), false), 0.5);
/// assert_eq!(precision(&list, 1, Some(2), true), 0.75);
/// assert_eq!(precision(&list, 1, Some(4), false), 0.5);
/// assert_eq!(precision(&list, 1, None, false), 2.0 / 3.0);
/// ```
pub fn precision(list: &List, rel: i32, cutoff: Option<u64>, average: bool) -> f64 {
    ratio(
        mean_count(list, rel, last_rank(cutoff), average),
        depth(list, cutoff),
    )
}

/// Relevant documents among the first `cutoff`, divided by all relevant; 0 when there are none.
///
/// ```
/// use certus_core::ranking::{Columns, recall};
///
/// let columns = Columns::single(&[&[Some(1)], &[None, Some(1)]], &[1, 1]);
/// let list = columns.lists().list(0);
/// assert_eq!(recall(&list, 1, Some(2), false), 0.25);
/// assert_eq!(recall(&list, 1, Some(2), true), 0.375);
/// ```
pub fn recall(list: &List, rel: i32, cutoff: Option<u64>, average: bool) -> f64 {
    ratio(
        mean_count(list, rel, last_rank(cutoff), average),
        f64::from(list.relevant(rel)),
    )
}

/// Precision divided by the best precision possible at that depth: relevant documents among the first k, divided by
/// the smaller of k and the number relevant (trec_eval relative_P; without a cutoff k is the number retrieved, as in
/// set_relative_P). 0 when the divisor is 0.
///
/// ```
/// use certus_core::ranking::{Columns, relative_precision};
///
/// let columns = Columns::single(&[&[Some(1)], &[None], &[Some(1)]], &[]);
/// assert_eq!(relative_precision(&columns.lists().list(0), 1, Some(4), false), 1.0);
/// assert_eq!(relative_precision(&columns.lists().list(0), 1, Some(2), false), 0.5);
/// ```
pub fn relative_precision(list: &List, rel: i32, cutoff: Option<u64>, average: bool) -> f64 {
    let best = depth(list, cutoff).min(f64::from(list.relevant(rel)));
    ratio(mean_count(list, rel, last_rank(cutoff), average), best)
}

/// The weighted harmonic mean of precision and recall among the first `cutoff`,
/// (beta² + 1) P R / (beta² P + R), 0 when both are 0 (trec_eval set_F, whose parameter is beta²).
///
/// ```
/// use certus_core::ranking::{Columns, f_measure};
///
/// let columns = Columns::single(&[&[Some(1)], &[None]], &[1, 1]);
/// assert_eq!(f_measure(&columns.lists().list(0), 1, None, 1.0, false), 0.4);
/// ```
pub fn f_measure(list: &List, rel: i32, cutoff: Option<u64>, beta: f64, average: bool) -> f64 {
    let (retrieved, relevant) = (depth(list, cutoff), f64::from(list.relevant(rel)));
    let weight = beta * beta;
    mean_of_count(list, rel, last_rank(cutoff), average, |hits| {
        let precision = ratio(hits, retrieved);
        let recall = ratio(hits, relevant);
        ratio(
            (weight + 1.0) * precision * recall,
            weight * precision + recall,
        )
    })
}

/// 1 when any of the first `cutoff` documents is relevant, else 0 (trec_eval success).
///
/// ```
/// use certus_core::ranking::{Columns, success};
///
/// let columns = Columns::single(&[&[None, Some(1), None]], &[]);
/// assert_eq!(success(&columns.lists().list(0), 1, Some(1), false), 0.0);
/// assert!((success(&columns.lists().list(0), 1, Some(1), true) - 1.0 / 3.0).abs() < 1e-15);
/// ```
pub fn success(list: &List, rel: i32, cutoff: Option<u64>, average: bool) -> f64 {
    mean_of_count(list, rel, last_rank(cutoff), average, |hits| {
        if hits > 0.0 { 1.0 } else { 0.0 }
    })
}

/// Precision times recall of all that was retrieved (trec_eval set_map).
///
/// ```
/// use certus_core::ranking::{Columns, set_map};
///
/// let columns = Columns::single(&[&[Some(1)], &[None]], &[1]);
/// assert_eq!(set_map(&columns.lists().list(0), 1), 0.25);
/// ```
pub fn set_map(list: &List, rel: i32) -> f64 {
    let hits = num_relevant_retrieved(list, rel);
    ratio(
        hits * hits,
        f64::from(list.retrieved) * num_relevant(list, rel),
    )
}

/// Precision after `multiple` times R documents, R the number relevant; the cutoff is `multiple * R + 0.9` cut down to
/// a whole number (trec_eval Rprec_mult; Rprec for 1). 0 when the cutoff is 0.
///
/// ```
/// use certus_core::ranking::{Columns, r_precision};
///
/// let columns = Columns::single(&[&[Some(1)], &[None], &[Some(1)]], &[]);
/// assert_eq!(r_precision(&columns.lists().list(0), 1, 1.0, false), 0.5);
/// assert_eq!(r_precision(&columns.lists().list(0), 1, 2.0, false), 0.5);
/// ```
pub fn r_precision(list: &List, rel: i32, multiple: f64, average: bool) -> f64 {
    let cutoff = (multiple * f64::from(list.relevant(rel)) + 0.9) as u64;
    precision(list, rel, Some(cutoff), average)
}

/// The share of the first `cutoff` documents that is judged, of those retrieved when fewer are; 0 when nothing was
/// retrieved. A document of negative grade is not judged.
///
/// ```
/// use certus_core::ranking::{Columns, judged};
///
/// let columns = Columns::single(&[&[Some(0)], &[None], &[Some(-1)]], &[]);
/// assert_eq!(judged(&columns.lists().list(0), Some(2), false), 0.5);
/// assert_eq!(judged(&columns.lists().list(0), Some(9), false), 1.0 / 3.0);
/// ```
pub fn judged(list: &List, cutoff: Option<u64>, average: bool) -> f64 {
    let last = last_rank(cutoff);
    ratio(
        mean_count(list, 0, last, average),
        f64::from(last.min(list.retrieved)),
    )
}

/// Documents retrieved (trec_eval num_ret).
///
/// ```
/// use certus_core::ranking::{Columns, num_retrieved};
///
/// assert_eq!(num_retrieved(&Columns::single(&[&[None, Some(1)]], &[]).lists().list(0)), 2.0);
/// ```
pub fn num_retrieved(list: &List) -> f64 {
    f64::from(list.retrieved)
}

/// Relevant documents, retrieved or not (trec_eval num_rel).
///
/// ```
/// use certus_core::ranking::{Columns, num_relevant};
///
/// assert_eq!(num_relevant(&Columns::single(&[&[Some(1)]], &[2, 0]).lists().list(0), 1), 2.0);
/// ```
pub fn num_relevant(list: &List, rel: i32) -> f64 {
    f64::from(list.relevant(rel))
}

/// Relevant documents retrieved (trec_eval num_rel_ret).
///
/// ```
/// use certus_core::ranking::{Columns, num_relevant_retrieved};
///
/// assert_eq!(num_relevant_retrieved(&Columns::single(&[&[Some(1)]], &[2, 0]).lists().list(0), 1), 1.0);
/// ```
pub fn num_relevant_retrieved(list: &List, rel: i32) -> f64 {
    mean_count(list, rel, u32::MAX, false)
}

/// Documents retrieved and judged not relevant (trec_eval num_nonrel_judged_ret); negative grades are not judged.
///
/// ```
/// use certus_core::ranking::{Columns, num_nonrelevant_judged_retrieved};
///
/// let columns = Columns::single(&[&[Some(1)], &[Some(0)], &[Some(-1)], &[None]], &[]);
/// assert_eq!(num_nonrelevant_judged_retrieved(&columns.lists().list(0), 1), 1.0);
/// ```
pub fn num_nonrelevant_judged_retrieved(list: &List, rel: i32) -> f64 {
    num_relevant_retrieved(list, 0) - num_relevant_retrieved(list, rel)
}

/// A weighted sum of the four cells of the retrieved by relevant table (trec_eval utility): `weights` for relevant
/// retrieved, other retrieved, relevant missed and other missed, of a collection of `collection` documents.
///
/// ```
/// use certus_core::ranking::{Columns, utility};
///
/// let columns = Columns::single(&[&[Some(1)], &[None]], &[1, 1]);
/// assert_eq!(utility(&columns.lists().list(0), 1, [1.0, -1.0, 0.0, 0.0], 0), 0.0);
/// assert_eq!(utility(&columns.lists().list(0), 1, [1.0, 0.0, -2.0, 0.5], 10), 0.0);
/// ```
pub fn utility(list: &List, rel: i32, weights: [f64; 4], collection: u64) -> f64 {
    let hits = num_relevant_retrieved(list, rel);
    let (retrieved, relevant) = (num_retrieved(list), num_relevant(list, rel));
    let [a, b, c, d] = weights;
    a * hits
        + b * (retrieved - hits)
        + c * (relevant - hits)
        + d * (collection as f64 + hits - retrieved - relevant)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranking::naive::{agree, hits, relevant};

    #[test]
    fn counts_agree_with_the_definition_over_all_tie_orders() {
        for rel in [0, 1, 2] {
            for k in [1, 2, 3, 5, 30] {
                let cut = Some(k as u64);
                agree(
                    |list, average| precision(list, rel, cut, average),
                    |d| hits(&d.docs, rel, k) / k as f64,
                );
                agree(
                    |list, average| recall(list, rel, cut, average),
                    |d| ratio(hits(&d.docs, rel, k), relevant(&d.judged, rel)),
                );
                agree(
                    |list, average| relative_precision(list, rel, cut, average),
                    |d| {
                        ratio(
                            hits(&d.docs, rel, k),
                            relevant(&d.judged, rel).min(k as f64),
                        )
                    },
                );
                agree(
                    |list, average| success(list, rel, cut, average),
                    |d| f64::from(hits(&d.docs, rel, k) > 0.0),
                );
                agree(
                    |list, average| f_measure(list, rel, cut, 2.0, average),
                    |d| {
                        ratio(
                            5.0 * hits(&d.docs, rel, k),
                            4.0 * relevant(&d.judged, rel) + k as f64,
                        )
                    },
                );
                agree(
                    |list, average| judged(list, cut, average),
                    |d| ratio(hits(&d.docs, 0, k), k.min(d.docs.len()) as f64),
                );
            }
            agree(
                |list, average| precision(list, rel, None, average),
                |d| ratio(hits(&d.docs, rel, d.docs.len()), d.docs.len() as f64),
            );
            agree(
                |list, average| r_precision(list, rel, 1.0, average),
                |d| {
                    ratio(
                        hits(&d.docs, rel, relevant(&d.judged, rel) as usize),
                        relevant(&d.judged, rel),
                    )
                },
            );
        }
    }
}
