//! The reciprocal rank of the first relevant document.

use super::chance::position_of_hit;
use super::lists::{List, last_rank};

/// One divided by the rank of the first relevant document; 0 when none is among the first `cutoff`.
///
/// ```
/// use certus_core::ranking::{Columns, reciprocal_rank};
///
/// let columns = Columns::single(&[&[None, Some(1)]], &[]);
/// assert_eq!(reciprocal_rank(&columns.lists().list(0), 1, None, false), 0.5);
/// assert_eq!(reciprocal_rank(&columns.lists().list(0), 1, None, true), 0.75);
/// assert_eq!(reciprocal_rank(&columns.lists().list(0), 1, Some(1), false), 0.0);
/// ```
pub fn reciprocal_rank(list: &List, rel: i32, cutoff: Option<u64>, average: bool) -> f64 {
    let last = last_rank(cutoff);
    let found = list
        .groups(average)
        .find_map(|group| match group.relevant(rel) {
            0 => None,
            hits => Some((group, hits)),
        });
    let Some((group, hits)) = found else {
        return 0.0;
    };
    let inside = group.inside(last);
    if group.size == 1 {
        return if inside == 1 {
            1.0 / f64::from(group.first)
        } else {
            0.0
        };
    }
    position_of_hit(1, hits, group.size)
        .iter()
        .take_while(|&&(position, _)| position <= inside)
        .map(|&(position, p)| p / f64::from(group.first + (position - 1)))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranking::naive::{agree, is_relevant};

    #[test]
    fn agrees_with_the_definition_over_all_tie_orders() {
        for rel in [0, 1, 3] {
            for k in [1, 2, 4, 100] {
                agree(
                    |list, average| reciprocal_rank(list, rel, Some(k as u64), average),
                    |dense| match dense.docs.iter().position(|&grade| is_relevant(grade, rel)) {
                        Some(i) if i < k => 1.0 / (i + 1) as f64,
                        _ => 0.0,
                    },
                );
            }
        }
    }
}
