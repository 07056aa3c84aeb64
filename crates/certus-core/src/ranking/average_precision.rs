//! Average precision, with each denominator in use.

use super::chance::hypergeometric;
use super::lists::{Group, List, last_rank, ratio};

/// What the sum of precisions is divided by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Denominator {
    /// All relevant documents (trec_eval map, map_cut).
    Relevant,
    /// The smaller of the relevant documents and the cutoff; all relevant without a cutoff.
    Min,
    /// The relevant documents retrieved up to the cutoff.
    Hits,
}

impl Denominator {
    /// The denominator of that name.
    ///
    /// ```
    /// use certus_core::ranking::Denominator;
    ///
    /// assert_eq!(Denominator::parse("min"), Ok(Denominator::Min));
    /// assert!(Denominator::parse("R").is_err());
    /// ```
    pub fn parse(name: &str) -> Result<Self, String> {
        match name {
            "relevant" => Ok(Denominator::Relevant),
            "min" => Ok(Denominator::Min),
            "hits" => Ok(Denominator::Hits),
            _ => Err(format!(
                "no denominator is named '{name}'; use 'relevant', 'min' or 'hits'"
            )),
        }
    }
}

/// The mean of the precisions at the relevant documents among the first `cutoff`, 0 when there are none.
///
/// ```
/// use certus_core::ranking::{Columns, Denominator, average_precision};
///
/// let columns = Columns::single(&[&[Some(1)], &[None], &[Some(1)]], &[1]);
/// let list = columns.lists().list(0);
/// assert_eq!(average_precision(&list, 1, None, Denominator::Relevant, false), (1.0 + 2.0 / 3.0) / 3.0);
/// assert_eq!(average_precision(&list, 1, Some(2), Denominator::Min, false), 0.5);
/// assert_eq!(average_precision(&list, 1, Some(2), Denominator::Hits, false), 1.0);
/// ```
pub fn average_precision(
    list: &List,
    rel: i32,
    cutoff: Option<u64>,
    denominator: Denominator,
    average: bool,
) -> f64 {
    let last = last_rank(cutoff);
    let relevant = f64::from(list.relevant(rel));
    let divisor = match denominator {
        Denominator::Relevant => relevant,
        Denominator::Min => cutoff.map_or(relevant, |k| relevant.min(k as f64)),
        Denominator::Hits => return over_hits(list, rel, last, average),
    };
    let mut seen = 0;
    let mut sum = 0.0;
    for group in list.groups(average) {
        let inside = group.inside(last);
        if inside == 0 {
            break;
        }
        let hits = group.relevant(rel);
        sum += precisions(&group, hits, inside, group.size, seen);
        seen += hits;
    }
    ratio(sum, divisor)
}

/// The mean sum of precisions at the hits in the first `inside` positions of a group when `hits` hits are spread at
/// random over `places` of its positions and `seen` relevant documents stand before it.
///
/// A position holds a hit with chance hits / places, and the mean number of hits on the positions before it grows by
/// (hits - 1) / (places - 1) with each.
fn precisions(group: &Group, hits: u32, inside: u32, places: u32, seen: u32) -> f64 {
    if hits == 0 {
        return 0.0;
    }
    let upto = f64::from(seen + 1);
    if places == 1 {
        return upto / f64::from(group.first);
    }
    let slope = f64::from(hits - 1) / f64::from(places - 1);
    let sum: f64 = (0..inside)
        .map(|before| (upto + slope * f64::from(before)) / f64::from(group.first + before))
        .sum();
    sum * (f64::from(hits) / f64::from(places))
}

/// Average precision over the relevant documents found. Only the group the cutoff divides leaves their number open.
fn over_hits(list: &List, rel: i32, last: u32, average: bool) -> f64 {
    let mut seen = 0;
    let mut sum = 0.0;
    for group in list.groups(average) {
        let inside = group.inside(last);
        if inside == 0 {
            break;
        }
        let hits = group.relevant(rel);
        if inside < group.size {
            return hypergeometric(inside, hits, group.size)
                .iter()
                .map(|&(found, p)| {
                    p * ratio(
                        sum + precisions(&group, found, inside, inside, seen),
                        f64::from(seen + found),
                    )
                })
                .sum();
        }
        sum += precisions(&group, hits, inside, group.size, seen);
        seen += hits;
    }
    ratio(sum, f64::from(seen))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranking::naive::{Dense, agree, hits, is_relevant, relevant};

    fn naive(dense: &Dense, rel: i32, k: usize, denominator: Denominator) -> f64 {
        let sum: f64 = (1..=k.min(dense.docs.len()))
            .filter(|&i| is_relevant(dense.docs[i - 1], rel))
            .map(|i| hits(&dense.docs, rel, i) / i as f64)
            .sum();
        let divisor = match denominator {
            Denominator::Relevant => relevant(&dense.judged, rel),
            Denominator::Min => relevant(&dense.judged, rel).min(k as f64),
            Denominator::Hits => hits(&dense.docs, rel, k),
        };
        ratio(sum, divisor)
    }

    #[test]
    fn agrees_with_the_definition_over_all_tie_orders() {
        for denominator in [Denominator::Relevant, Denominator::Min, Denominator::Hits] {
            for rel in [0, 1, 2] {
                for k in [1, 2, 4, 7] {
                    agree(
                        |list, average| {
                            average_precision(list, rel, Some(k as u64), denominator, average)
                        },
                        |dense| naive(dense, rel, k, denominator),
                    );
                }
                agree(
                    |list, average| average_precision(list, rel, None, denominator, average),
                    |dense| naive(dense, rel, usize::MAX, denominator),
                );
            }
        }
    }
}
