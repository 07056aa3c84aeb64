//! Measures for incomplete judgments: bpref and inferred average precision.

use super::chance::placements;
use super::lists::{List, is_relevant, ratio};

/// What keeps inferred AP defined where nothing was judged above a document (trec_eval's value).
const EPSILON: f64 = 0.00001;

/// The share of preferences "relevant before judged non-relevant" that the ranking keeps, counting at most R
/// non-relevant documents (Buckley & Voorhees 2004, as trec_eval computes it).
///
/// Documents not judged, negative grades included, are passed over, so ties are averaged over the orders of the judged
/// documents alone. With nothing relevant (a `rel` above the highest grade included, where trec_eval reads past its
/// table) it is 0.
///
/// ```
/// use certus_core::ranking::{Columns, bpref};
///
/// let columns = Columns::single(&[&[Some(1)], &[None], &[Some(0)], &[Some(1)]], &[0]);
/// assert_eq!(bpref(&columns.lists().list(0), 1, false), (1.0 + 0.5) / 2.0);
/// ```
pub fn bpref(list: &List, rel: i32, average: bool) -> f64 {
    let relevant = list.relevant(rel);
    let non_relevant = list.relevant(0) - relevant;
    let most = f64::from(non_relevant.min(relevant));
    let kept = |before: u32| {
        if before > 0 {
            1.0 - f64::from(before.min(relevant)) / most
        } else {
            1.0
        }
    };
    let mut before = 0;
    let mut sum = 0.0;
    for group in list.groups(average) {
        let hits = group.relevant(rel);
        let judged = group.relevant(0);
        if judged == 1 {
            sum += if hits == 1 { kept(before) } else { 0.0 };
        } else {
            placements(judged, hits, judged, |i, j, p| {
                sum += p * kept(before + i - j)
            });
        }
        before += judged - hits;
    }
    ratio(sum, f64::from(relevant))
}

/// Inferred average precision for judgments sampled from a pool (Yilmaz & Aslam 2006, as trec_eval computes it):
/// grade < 0 is in the pool but not judged, no grade is outside the pool. 0 with nothing relevant.
///
/// ```
/// use certus_core::ranking::{Columns, inf_ap};
///
/// let columns = Columns::single(&[&[Some(1)], &[None], &[Some(1)]], &[]);
/// let second = 1.0 / 3.0 + 2.0 / 3.0 * 0.5 * (1.00001 / 1.00002);
/// assert!((inf_ap(&columns.lists().list(0), 1, false) - (1.0 + second) / 2.0).abs() < 1e-15);
/// ```
pub fn inf_ap(list: &List, rel: i32, average: bool) -> f64 {
    // The expected precision at rank k + 1 with `hits` relevant, `judged` judged and `pool` pool documents before it.
    let inferred = |k: f64, hits: f64, judged: f64, pool: f64| {
        if k == 0.0 {
            return 1.0;
        }
        1.0 / (k + 1.0)
            + (k / (k + 1.0)) * (pool / k) * ((hits + EPSILON) / (judged + 2.0 * EPSILON))
    };
    let (mut hits, mut judged, mut pool) = (0.0, 0.0, 0.0);
    let mut sum = 0.0;
    for group in list.groups(average) {
        let in_pool = group.grades.len() as u32;
        let known = group.relevant(0);
        let found = group.relevant(rel);
        if group.size == 1 {
            if is_relevant(group.grades[0], rel) {
                sum += inferred(f64::from(group.first - 1), hits, judged, pool);
            }
        } else if found > 0 {
            // Given t judged documents before a hit, those relevant among them and the pool documents among the
            // others before it are independent, and the term is linear in both: their means are enough.
            let share = f64::from(found) / f64::from(known);
            let relevant_share = ratio(f64::from(found - 1), f64::from(known - 1));
            let pool_share = ratio(f64::from(in_pool - known), f64::from(group.size - known));
            placements(group.size, known, group.size, |i, j, p| {
                let above = f64::from(j - 1);
                let others = f64::from(i - j) * pool_share;
                let k = f64::from(group.first - 1) + f64::from(i - 1);
                sum += p
                    * share
                    * inferred(
                        k,
                        hits + above * relevant_share,
                        judged + above,
                        pool + above + others,
                    );
            });
        }
        hits += f64::from(found);
        judged += f64::from(known);
        pool += f64::from(in_pool);
    }
    ratio(sum, f64::from(list.relevant(rel)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranking::naive::{agree, is_relevant, relevant};

    #[test]
    fn bpref_agrees_with_the_definition_over_all_tie_orders() {
        for rel in [0, 1, 2, 4] {
            agree(
                |list, average| bpref(list, rel, average),
                |dense| {
                    let wanted = relevant(&dense.judged, rel);
                    let unwanted = relevant(&dense.judged, 0) - wanted;
                    let (mut sum, mut before) = (0.0, 0.0_f64);
                    for &grade in &dense.docs {
                        if is_relevant(grade, rel) {
                            sum += if before > 0.0 {
                                1.0 - before.min(wanted) / unwanted.min(wanted)
                            } else {
                                1.0
                            };
                        } else if is_relevant(grade, 0) {
                            before += 1.0;
                        }
                    }
                    ratio(sum, wanted)
                },
            );
        }
    }

    #[test]
    fn inf_ap_agrees_with_the_definition_over_all_tie_orders() {
        for rel in [0, 1, 2] {
            agree(
                |list, average| inf_ap(list, rel, average),
                |dense| {
                    let (mut sum, mut hits, mut judged, mut pool) = (0.0, 0.0, 0.0, 0.0);
                    for (k, &grade) in dense.docs.iter().enumerate() {
                        let k = k as f64;
                        if is_relevant(grade, rel) {
                            let seen = (hits + EPSILON) / (judged + 2.0 * EPSILON);
                            sum += if k == 0.0 {
                                1.0
                            } else {
                                (1.0 + pool * seen) / (k + 1.0)
                            };
                            hits += 1.0;
                        }
                        judged += f64::from(is_relevant(grade, 0));
                        pool += f64::from(grade.is_some());
                    }
                    ratio(sum, relevant(&dense.judged, rel))
                },
            );
        }
    }
}
