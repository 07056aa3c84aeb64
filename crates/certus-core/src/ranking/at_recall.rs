//! Precision and rank where a level of recall is reached.

use super::chance::position_of_hit;
use super::lists::{Group, List};

/// The fewest relevant documents whose share of all `relevant` is at least `recall`, compared as the doubles they are:
/// 0.55 of 100 is 55 although 0.55 * 100.0 is a little more.
fn needed(recall: f64, relevant: u32) -> u32 {
    let share = |count: u32| f64::from(count) / f64::from(relevant);
    let mut count = (recall * f64::from(relevant)).ceil() as u32;
    while count > 0 && share(count - 1) >= recall {
        count -= 1;
    }
    while count <= relevant && share(count) < recall {
        count += 1;
    }
    count
}

/// The group that holds the `wanted`-th relevant document, how many it holds, and which of them is the wanted one.
fn locate<'a>(
    list: &List<'a>,
    rel: i32,
    wanted: u32,
    average: bool,
) -> Option<(Group<'a>, u32, u32)> {
    let mut seen = 0;
    for group in list.groups(average) {
        let hits = group.relevant(rel);
        if seen + hits >= wanted {
            return Some((group, hits, wanted - seen));
        }
        seen += hits;
    }
    None
}

/// The smallest number of documents with which `recall` is reached, 0 for recall 0; NaN where it never is, and where
/// nothing is relevant.
///
/// ```
/// use certus_core::ranking::{Columns, k_at_recall};
///
/// let columns = Columns::single(&[&[None], &[Some(1)], &[None, Some(1)]], &[1]);
/// let list = columns.lists().list(0);
/// assert_eq!(k_at_recall(&list, 1, 0.3, false), 2.0);
/// assert_eq!(k_at_recall(&list, 1, 0.5, false), 4.0);
/// assert_eq!(k_at_recall(&list, 1, 0.5, true), 3.5);
/// assert!(k_at_recall(&list, 1, 1.0, false).is_nan());
/// ```
pub fn k_at_recall(list: &List, rel: i32, recall: f64, average: bool) -> f64 {
    let relevant = list.relevant(rel);
    let wanted = needed(recall, relevant);
    if relevant == 0 || recall.is_nan() {
        return f64::NAN;
    }
    if wanted == 0 {
        return 0.0;
    }
    match locate(list, rel, wanted, average) {
        None => f64::NAN,
        Some((group, _, _)) if group.size == 1 => f64::from(group.first),
        Some((group, hits, j)) => {
            let place = f64::from(j) * (f64::from(group.size) + 1.0) / (f64::from(hits) + 1.0);
            f64::from(group.first - 1) + place
        }
    }
}

/// The precision at the smallest number of documents with which `recall` is reached; 0 where it never is, where
/// nothing is relevant, and for recall 0, which is reached with no document at all.
///
/// ```
/// use certus_core::ranking::{Columns, precision_at_recall};
///
/// let columns = Columns::single(&[&[None], &[Some(1)], &[None], &[Some(1)]], &[1]);
/// let list = columns.lists().list(0);
/// assert_eq!(precision_at_recall(&list, 1, 0.3, false), 0.5);
/// assert_eq!(precision_at_recall(&list, 1, 0.6, false), 0.5);
/// assert_eq!(precision_at_recall(&list, 1, 1.0, false), 0.0);
/// ```
pub fn precision_at_recall(list: &List, rel: i32, recall: f64, average: bool) -> f64 {
    let relevant = list.relevant(rel);
    let wanted = needed(recall, relevant);
    if relevant == 0 || wanted == 0 {
        return 0.0;
    }
    let Some((group, hits, j)) = locate(list, rel, wanted, average) else {
        return 0.0;
    };
    let wanted = f64::from(wanted);
    if group.size == 1 {
        return wanted / f64::from(group.first);
    }
    position_of_hit(j, hits, group.size)
        .iter()
        .map(|&(place, p)| p * (wanted / f64::from(group.first + (place - 1))))
        .sum()
}

/// How a level of recall becomes a number of relevant documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// `level * R + 0.9`, cut down to a whole number, as up to trec_eval 9.
    Trec9,
    /// `level * R`, rounded half up, as in trec_eval 10.
    Trec10,
    /// The fewest whose share of R is at least the level: what the definition asks for.
    Exact,
}

impl Rounding {
    /// The rounding of that name.
    ///
    /// ```
    /// use certus_core::ranking::Rounding;
    ///
    /// assert_eq!(Rounding::parse("trec10"), Ok(Rounding::Trec10));
    /// assert!(Rounding::parse("trec11").is_err());
    /// ```
    pub fn parse(name: &str) -> Result<Self, String> {
        match name {
            "trec9" => Ok(Rounding::Trec9),
            "trec10" => Ok(Rounding::Trec10),
            "exact" => Ok(Rounding::Exact),
            _ => Err(format!(
                "no rounding is named '{name}'; use 'trec9', 'trec10' or 'exact'"
            )),
        }
    }

    pub(super) fn count(self, level: f64, relevant: u32) -> u32 {
        let exact = level * f64::from(relevant);
        match self {
            Rounding::Trec9 => (exact + 0.9) as u32,
            Rounding::Trec10 => exact.round() as u32,
            Rounding::Exact => needed(level, relevant),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranking::naive::{Dense, agree, is_relevant, relevant};

    #[test]
    fn a_level_is_compared_as_a_fraction() {
        assert_eq!(needed(0.55, 100), 55);
        assert_eq!(needed(0.0, 3), 0);
        assert_eq!(needed(1.0, 3), 3);
        assert_eq!(needed(1.0 / 3.0, 3), 1);
        assert_eq!(needed(0.34, 3), 2);
        assert!(needed(1.5, 3) > 3);
        for relevant in 1..200 {
            for count in 1..=relevant {
                assert_eq!(
                    needed(f64::from(count) / f64::from(relevant), relevant),
                    count
                );
            }
        }
    }

    fn naive(dense: &Dense, level: f64) -> Option<(f64, f64)> {
        let (mut seen, wanted) = (0.0, relevant(&dense.judged, 1));
        for (i, &grade) in dense.docs.iter().enumerate() {
            seen += f64::from(is_relevant(grade, 1));
            if wanted > 0.0 && seen / wanted >= level {
                return Some((i as f64 + 1.0, seen / (i as f64 + 1.0)));
            }
        }
        None
    }

    #[test]
    fn agree_with_the_definition_over_all_tie_orders() {
        for level in [0.01, 0.25, 0.5, 0.9, 1.0] {
            agree(
                |list, average| k_at_recall(list, 1, level, average),
                |dense| naive(dense, level).map_or(f64::NAN, |(k, _)| k),
            );
            agree(
                |list, average| precision_at_recall(list, 1, level, average),
                |dense| naive(dense, level).map_or(0.0, |(_, precision)| precision),
            );
        }
    }
}
