//! Rankings made from rankings: ties put in order, unjudged documents removed or assumed relevant, lists cut.

use super::columns::Columns;
use super::lists::{List, Lists};

/// Each tie group in its best order (judged by decreasing grade, then unjudged) or its worst (the reverse), and no
/// ties left.
///
/// ```
/// use certus_core::ranking::{Columns, order_ties};
///
/// let columns = Columns::single(&[&[None, Some(0), Some(2)]], &[]);
/// let best = order_ties(&columns.lists(), true);
/// assert_eq!((best.ranks, best.grades, best.tie_size), (vec![1, 2], vec![2, 0], vec![1, 1]));
/// let worst = order_ties(&columns.lists(), false);
/// assert_eq!((worst.ranks, worst.grades, worst.tie_first), (vec![2, 3], vec![0, 2], vec![2, 3]));
/// ```
pub fn order_ties(lists: &Lists, best: bool) -> Columns {
    rebuilt(lists, |list, columns| {
        for group in list.groups(true) {
            let mut grades = group.grades.to_vec();
            grades.sort_unstable();
            let mut first = group.first;
            if best {
                grades.reverse();
            } else {
                first += group.size - grades.len() as u32;
            }
            for (rank, grade) in (first..).zip(grades) {
                columns.hit(rank, grade, rank, 1);
            }
        }
        columns.close(list.retrieved, list.judged);
    })
}

/// Without the unjudged documents, those of negative grade included (trec_eval -J). Tied documents that remain are
/// tied still, and what was judged is unchanged.
///
/// ```
/// use certus_core::ranking::{Columns, condense};
///
/// let columns = Columns::single(&[&[None], &[Some(-1), Some(1), None, Some(0)]], &[]);
/// let condensed = condense(&columns.lists());
/// assert_eq!((condensed.ranks, condensed.grades), (vec![1, 2], vec![1, 0]));
/// assert_eq!((condensed.tie_first, condensed.tie_size), (vec![1, 1], vec![2, 2]));
/// assert_eq!((condensed.retrieved, condensed.judged), (vec![2], vec![1, 0, -1]));
/// ```
pub fn condense(lists: &Lists) -> Columns {
    rebuilt(lists, |list, columns| {
        let mut retrieved = 0;
        for group in list.groups(true) {
            let (first, size) = (retrieved + 1, group.relevant(0));
            for &grade in group.grades.iter().filter(|&&grade| grade >= 0) {
                retrieved += 1;
                columns.hit(retrieved, grade, first, size);
            }
        }
        columns.close(retrieved, list.judged);
    })
}

/// As if every retrieved document not judged (negative grades included) had been given the query's highest grade, at
/// least 1. It is then judged: a hit, and one more in the judged grades.
///
/// An unjudged document keeps its place in the tie group of a hit. Which unjudged documents were tied among themselves
/// only is not known, and does not matter: all get the same grade, so their order changes nothing.
///
/// ```
/// use certus_core::ranking::{Columns, assume_relevant};
///
/// let columns = Columns::single(&[&[None, Some(2)], &[Some(-1)], &[None]], &[0]);
/// let all = assume_relevant(&columns.lists());
/// assert_eq!((all.ranks, all.grades), (vec![1, 2, 3, 4], vec![2, 2, 2, 2]));
/// assert_eq!((all.tie_first, all.tie_size), (vec![1, 1, 3, 4], vec![2, 2, 1, 1]));
/// assert_eq!(all.judged, [2, 2, 2, 2, 0]);
/// ```
pub fn assume_relevant(lists: &Lists) -> Columns {
    rebuilt(lists, |list, columns| {
        let highest = list.judged.first().map_or(1, |&top| top.max(1));
        let mut added = 0;
        let mut replaced = Vec::new();
        let mut next = 1;
        for group in list.groups(true) {
            for rank in next..group.first {
                columns.hit(rank, highest, rank, 1);
                added += 1;
            }
            let mut hits = group.ranks.iter().zip(group.grades).peekable();
            for rank in (0..group.size).map(|before| group.first + before) {
                let known = hits
                    .next_if(|&(&hit, _)| hit == rank)
                    .map(|(_, &grade)| grade);
                let grade = known.filter(|&grade| grade >= 0).unwrap_or_else(|| {
                    added += 1;
                    replaced.extend(known);
                    highest
                });
                columns.hit(rank, grade, group.first, group.size);
            }
            next = group.first.saturating_add(group.size);
        }
        for rank in next..=list.retrieved {
            columns.hit(rank, highest, rank, 1);
            added += 1;
        }
        columns.close(
            list.retrieved,
            &judged_after(list.judged, highest, added, replaced),
        );
    })
}

/// The judged grades with `added` more of the highest and without those `replaced`.
fn judged_after(judged: &[i32], highest: i32, added: usize, mut replaced: Vec<i32>) -> Vec<i32> {
    replaced.sort_unstable_by(|a, b| b.cmp(a));
    let mut gone = replaced.into_iter().peekable();
    let kept = judged
        .iter()
        .copied()
        .filter(|&grade| gone.next_if_eq(&grade).is_none());
    std::iter::repeat_n(highest, added).chain(kept).collect()
}

/// Cut after the first `n` documents of the settled order. Of a tie group that the cut divides, the documents that
/// stay are those the tie rule puts first; averaging over ties then goes over the orders of these alone.
///
/// ```
/// use certus_core::ranking::{Columns, truncate};
///
/// let columns = Columns::single(&[&[Some(1)], &[Some(0), None, Some(2)]], &[]);
/// let first = truncate(&columns.lists(), 3);
/// assert_eq!((first.ranks, first.grades, first.retrieved), (vec![1, 2], vec![1, 0], vec![3]));
/// assert_eq!((first.tie_first, first.tie_size), (vec![1, 2], vec![1, 2]));
/// ```
pub fn truncate(lists: &Lists, n: u64) -> Columns {
    let last = u32::try_from(n).unwrap_or(u32::MAX);
    rebuilt(lists, |list, columns| {
        for group in list.groups(true) {
            let size = group.inside(last);
            for (&rank, &grade) in group
                .ranks
                .iter()
                .zip(group.grades)
                .filter(|&(&rank, _)| rank <= last)
            {
                columns.hit(rank, grade, group.first, size);
            }
        }
        columns.close(list.retrieved.min(last), list.judged);
    })
}

/// New columns, query by query; `build` adds the hits and closes the query.
fn rebuilt(lists: &Lists, build: impl Fn(&List, &mut Columns)) -> Columns {
    let mut columns = Columns::new();
    for q in 0..lists.queries() {
        build(&lists.list(q), &mut columns);
    }
    columns
}

/// The first `length` documents as characters: the grade, `>` above 9, `-` not in the pool, `.` in the pool but not
/// judged (trec_eval relstring).
///
/// ```
/// use certus_core::ranking::{Columns, relevance_string};
///
/// let columns = Columns::single(&[&[Some(1)], &[None], &[Some(10)], &[Some(-1)], &[None]], &[]);
/// assert_eq!(relevance_string(&columns.lists().list(0), 10), "1->.-");
/// assert_eq!(relevance_string(&columns.lists().list(0), 2), "1-");
/// ```
pub fn relevance_string(list: &List, length: u64) -> String {
    let shown = length.min(u64::from(list.retrieved)) as usize;
    let mut text = vec!['-'; shown];
    for (&rank, &grade) in list.ranks.iter().zip(list.grades) {
        if let Some(place) = text.get_mut(rank as usize - 1) {
            *place = match u32::try_from(grade) {
                Ok(grade) => char::from_digit(grade, 10).unwrap_or('>'),
                Err(_) => '.',
            };
        }
    }
    text.into_iter().collect()
}
