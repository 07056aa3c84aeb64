//! What the kernels are tested against: small dense lists, and every order of their tied documents.

use super::columns::Columns;
use super::lists::List;
use crate::fuzz::Random;

/// A list written out: the grade of each document retrieved (`None`: not judged), and all grades judged, decreasing.
pub struct Dense {
    pub docs: Vec<Option<i32>>,
    pub judged: Vec<i32>,
}

/// Tie groups and the grades of missed documents, drawn small enough to enumerate every order.
pub fn draw(random: &mut Random) -> (Vec<Vec<Option<i32>>>, Vec<i32>) {
    let groups = (0..random.below(5))
        .scan(1, |orders, _| {
            let size = 1 + random.below(5);
            *orders *= (1..=size).product::<u64>();
            (*orders <= 720).then_some(size)
        })
        .collect::<Vec<_>>();
    let groups = groups
        .iter()
        .map(|&size| {
            (0..size)
                .map(|_| {
                    [
                        None,
                        None,
                        Some(-1),
                        Some(0),
                        Some(1),
                        Some(1),
                        Some(2),
                        Some(3),
                    ][random.below(8) as usize]
                })
                .collect()
        })
        .collect();
    let missed = (0..random.below(4))
        .map(|_| random.below(5) as i32 - 1)
        .collect();
    (groups, missed)
}

/// Every order of every group, all combinations, best group first.
pub fn orders(groups: &[Vec<Option<i32>>]) -> Vec<Vec<Option<i32>>> {
    let Some((first, rest)) = groups.split_first() else {
        return vec![vec![]];
    };
    let tails = orders(rest);
    permutations(first)
        .iter()
        .flat_map(|head| {
            tails
                .iter()
                .map(move |tail| [head.as_slice(), tail].concat())
        })
        .collect()
}

fn permutations(items: &[Option<i32>]) -> Vec<Vec<Option<i32>>> {
    if items.is_empty() {
        return vec![vec![]];
    }
    let mut all = Vec::new();
    for i in 0..items.len() {
        let mut rest = items.to_vec();
        let item = rest.remove(i);
        all.extend(
            permutations(&rest)
                .into_iter()
                .map(|tail| [vec![item], tail].concat()),
        );
    }
    all
}

/// Asserts that `kernel(list, average)` is the definition on random lists: of the settled order, and the mean of it
/// over all orders.
pub fn agree(kernel: impl Fn(&List, bool) -> f64, definition: impl Fn(&Dense) -> f64) {
    let mut random = Random::new(20250719);
    for case in 0..120 {
        let (groups, missed) = draw(&mut random);
        let slices: Vec<&[Option<i32>]> = groups.iter().map(Vec::as_slice).collect();
        let columns = Columns::single(&slices, &missed);
        assert_eq!(columns.lists().check(), Ok(()));
        let list = columns.lists().list(0);
        let value = |docs: &[Option<i32>]| {
            definition(&Dense {
                docs: docs.to_vec(),
                judged: columns.judged.clone(),
            })
        };
        let all = orders(&groups);
        let mean = all.iter().map(|docs| value(docs)).sum::<f64>() / all.len() as f64;
        for (average, want) in [(false, value(&groups.concat())), (true, mean)] {
            let got = kernel(&list, average);
            let close =
                (got - want).abs() <= 1e-12 * want.abs().max(1.0) || got.is_nan() && want.is_nan();
            assert!(
                close,
                "case {case}, average {average}: {got} is not {want} for {groups:?} missed {missed:?}"
            );
        }
    }
}

/// Relevant documents among the first k.
pub fn hits(docs: &[Option<i32>], rel: i32, k: usize) -> f64 {
    docs.iter()
        .take(k)
        .filter(|grade| is_relevant(**grade, rel))
        .count() as f64
}

/// Relevant documents judged.
pub fn relevant(judged: &[i32], rel: i32) -> f64 {
    judged
        .iter()
        .filter(|&&grade| is_relevant(Some(grade), rel))
        .count() as f64
}

pub fn is_relevant(grade: Option<i32>, rel: i32) -> bool {
    grade.is_some_and(|grade| grade >= 0 && grade >= rel)
}
