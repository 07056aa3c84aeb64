//! Random rankings: one query's documents in random order, as often as asked.

use super::columns::Columns;
use crate::bootstrap::{Stream, Units};
use crate::threads;

/// Judged documents drawn by a thread before it is worth asking another one to help.
const DRAWS_PER_TASK: usize = 1 << 14;

/// One query's documents, to be put in random order.
#[derive(Clone, Copy, Debug)]
pub struct Deck<'a> {
    /// Documents in random order.
    pub items: u32,
    /// How many of them the list shows, from the top.
    pub shown: u32,
    /// Grades of the judged ones among them; at most `items`.
    pub grades: &'a [i32],
    /// Grades of all judged documents of the query, in decreasing order.
    pub judged: &'a [i32],
    /// Sizes of the groups of tied ranks, from the top; their sum is `shown`. None: no ties.
    pub ties: Option<&'a [u32]>,
}

impl Deck<'_> {
    /// Whether the counts fit together.
    ///
    /// # Errors
    ///
    /// Says which do not.
    pub fn check(&self) -> Result<(), String> {
        if self.grades.len() > self.items as usize || self.shown > self.items {
            return Err(format!(
                "{} judged documents and {} shown do not fit in {} items",
                self.grades.len(),
                self.shown,
                self.items
            ));
        }
        let tied: u64 = self
            .ties
            .unwrap_or_default()
            .iter()
            .map(|&size| u64::from(size))
            .sum();
        if self.ties.is_some() && tied != u64::from(self.shown) {
            return Err(format!(
                "ties add up to {tied} but {} documents are shown",
                self.shown
            ));
        }
        Ok(())
    }
}

/// Random rankings number `first` and following, each as a query of its own; every order is as likely.
///
/// Ranking `i` draws from a random stream of its own that depends on the seed and `i` only, so the result is the same
/// for any number of threads, and rankings can be made in blocks.
///
/// ```
/// use certus_core::ranking::{Deck, shuffled};
///
/// let deck = Deck { items: 5, shown: 5, grades: &[2, 1], judged: &[2, 1], ties: Some(&[1, 4]) };
/// let drawn = shuffled(&deck, 0, 3, 7);
/// assert_eq!((drawn.offsets, drawn.retrieved), (vec![0, 2, 4, 6], vec![5, 5, 5]));
/// assert!(drawn.ranks.chunks(2).all(|ranks| 1 <= ranks[0] && ranks[0] < ranks[1] && ranks[1] <= 5));
/// assert!(drawn.tie_first.iter().all(|first| [1, 2].contains(first)));
/// ```
pub fn shuffled(deck: &Deck, first: u64, replicates: usize, seed: u64) -> Columns {
    let groups = groups(deck);
    let at_least = DRAWS_PER_TASK / deck.grades.len().max(1) + 1;
    let parts = threads::map(replicates, at_least, |range| {
        vec![part(
            deck,
            &groups,
            range.map(|i| first.wrapping_add(i as u64)),
            seed,
        )]
    });
    let mut parts = parts.into_iter();
    let mut all = parts.next().unwrap_or_else(Columns::new);
    parts.for_each(|part| all.append(part));
    all
}

/// Of each rank shown, the first rank and the size of its group; empty without ties.
fn groups(deck: &Deck) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    for &size in deck.ties.unwrap_or_default() {
        let first = found.len() as u32 + 1;
        found.extend(std::iter::repeat_n((first, size), size as usize));
    }
    found
}

fn part(
    deck: &Deck,
    groups: &[(u32, u32)],
    numbers: impl Iterator<Item = u64>,
    seed: u64,
) -> Columns {
    let mut columns = Columns::new();
    let Some(units) = Units::new(deck.items as usize) else {
        numbers.for_each(|_| columns.close(deck.shown, deck.judged));
        return columns;
    };
    let mut table = Table::new(deck, units);
    for number in numbers {
        table.deal(deck.grades, &mut Stream::new(seed, number));
        table.for_each_in_order(deck.shown, |rank, grade| {
            let (first, size) = groups.get(rank as usize - 1).copied().unwrap_or((rank, 1));
            columns.hit(rank, grade, first, size);
        });
        columns.close(deck.shown, deck.judged);
    }
    columns
}

/// Which ranks were dealt, and the grade on each.
struct Table {
    units: Units,
    taken: Vec<u64>,
    grades: Vec<i32>,
    ranks: Vec<u32>,
    /// All ranks, to shuffle a part of, where most are dealt; empty where a rank that was dealt is drawn again.
    order: Vec<u32>,
    /// Whether it is quicker to look for the ranks dealt among all than to sort them.
    dense: bool,
}

impl Table {
    fn new(deck: &Deck, units: Units) -> Self {
        let (items, dealt) = (deck.items as usize, deck.grades.len());
        Table {
            units,
            taken: vec![0; items / 64 + 1],
            grades: vec![0; items + 1],
            ranks: Vec::with_capacity(dealt),
            order: if 2 * dealt > items {
                (1..=deck.items).collect()
            } else {
                Vec::new()
            },
            dense: dealt > items / 256,
        }
    }

    /// Puts each grade on a rank of its own.
    fn deal(&mut self, grades: &[i32], stream: &mut Stream) {
        for &rank in &self.ranks {
            self.taken[rank as usize / 64] = 0;
        }
        self.ranks.clear();
        // From the same order each time, so that a ranking does not depend on the ones before.
        self.order
            .iter_mut()
            .zip(1..)
            .for_each(|(rank, before)| *rank = before);
        for (i, &grade) in grades.iter().enumerate() {
            let rank = if self.order.is_empty() {
                self.fresh(stream)
            } else {
                let left = Units::new(self.order.len() - i).map_or(0, |left| left.draw(stream));
                self.order.swap(i, i + left);
                self.order[i]
            };
            self.taken[rank as usize / 64] |= 1 << (rank % 64);
            self.grades[rank as usize] = grade;
            self.ranks.push(rank);
        }
    }

    /// A rank that was not dealt yet.
    fn fresh(&self, stream: &mut Stream) -> u32 {
        loop {
            let rank = self.units.draw(stream) + 1;
            if self.taken[rank / 64] >> (rank % 64) & 1 == 0 {
                return rank as u32;
            }
        }
    }

    /// The ranks dealt, up to the last one shown, and their grades.
    fn for_each_in_order(&mut self, last: u32, mut act: impl FnMut(u32, i32)) {
        if !self.dense {
            self.ranks.sort_unstable();
            for &rank in self.ranks.iter().take_while(|&&rank| rank <= last) {
                act(rank, self.grades[rank as usize]);
            }
            return;
        }
        for (word, &taken) in self.taken.iter().enumerate() {
            let mut left = taken;
            while left != 0 {
                let rank = word as u32 * 64 + left.trailing_zeros();
                if rank > last {
                    return;
                }
                act(rank, self.grades[rank as usize]);
                left &= left - 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    fn counts(deck: &Deck, replicates: usize) -> HashMap<Vec<(u32, i32)>, usize> {
        let drawn = shuffled(deck, 0, replicates, 11);
        let mut found = HashMap::new();
        for q in 0..replicates {
            let hits = drawn.offsets[q] as usize..drawn.offsets[q + 1] as usize;
            let list: Vec<_> = hits.map(|i| (drawn.ranks[i], drawn.grades[i])).collect();
            *found.entry(list).or_default() += 1;
        }
        found
    }

    #[test]
    fn every_order_is_as_likely_by_either_way_of_drawing() {
        for (items, grades, orders) in [
            (6, &[1, 2][..], 30),
            (3, &[2, 1][..], 6),
            (4, &[1, 1, 0][..], 12),
        ] {
            let deck = Deck {
                items,
                shown: items,
                grades,
                judged: grades,
                ties: None,
            };
            let replicates = 20_000;
            let found = counts(&deck, replicates);
            if orders == 0 {
                // Too many to count each: of either grade half stand above the other.
                let above = found
                    .iter()
                    .filter(|(list, _)| list[0].1 == 5)
                    .map(|(_, n)| n);
                let share = above.sum::<usize>() as f64 / replicates as f64;
                assert!(
                    (share - 0.5).abs() < 4.5 * 0.5 / (replicates as f64).sqrt(),
                    "{share}"
                );
                continue;
            }
            assert_eq!(found.len(), orders);
            let expected = replicates as f64 / orders as f64;
            let square: f64 = found
                .values()
                .map(|&n| (n as f64 - expected).powi(2) / expected)
                .sum();
            // Chi-squared with orders - 1 degrees of freedom: mean that, variance twice that.
            let free = (orders - 1) as f64;
            assert!(
                square < free + 4.5 * (2.0 * free).sqrt(),
                "{square} of {free}"
            );
        }
    }

    #[test]
    fn blocks_are_parts_of_the_whole() {
        let deck = Deck {
            items: 40,
            shown: 7,
            grades: &[1, 1, 0, 0],
            judged: &[1, 1, 0, 0],
            ties: None,
        };
        let whole = shuffled(&deck, 0, 10, 3);
        let mut parts = shuffled(&deck, 0, 4, 3);
        parts.append(shuffled(&deck, 4, 6, 3));
        assert_eq!(whole, parts);
        assert!(whole.ranks.iter().all(|&rank| rank <= 7));
    }

    #[test]
    fn nothing_to_draw_gives_empty_lists() {
        let deck = Deck {
            items: 0,
            shown: 0,
            grades: &[],
            judged: &[1],
            ties: None,
        };
        let drawn = shuffled(&deck, 0, 2, 3);
        assert_eq!((drawn.offsets, drawn.judged), (vec![0, 0, 0], vec![1, 1]));
        assert!(Deck { items: 1, ..deck }.check().is_ok());
        assert!(Deck { shown: 1, ..deck }.check().is_err());
        assert!(
            Deck {
                items: 3,
                shown: 3,
                ties: Some(&[1, 1]),
                ..deck
            }
            .check()
            .is_err()
        );
    }
}
