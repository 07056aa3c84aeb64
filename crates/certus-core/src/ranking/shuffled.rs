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
    let mut table = Table::new(deck);
    let mut hits: Vec<(u32, i32)> = Vec::with_capacity(deck.grades.len());
    for number in numbers {
        let mut stream = Stream::new(seed, number);
        hits.clear();
        hits.extend(deck.grades.iter().map(|&grade| (0, grade)));
        table.place(&mut hits, &mut stream);
        hits.sort_unstable_by_key(|&(rank, _)| rank);
        for &(rank, grade) in hits.iter().take_while(|&&(rank, _)| rank <= deck.shown) {
            let (first, size) = groups.get(rank as usize - 1).copied().unwrap_or((rank, 1));
            columns.hit(rank, grade, first, size);
        }
        columns.close(deck.shown, deck.judged);
    }
    columns
}

/// Ranks without replacement. Few of many are drawn again where they were drawn before; else a part of the ranks is
/// shuffled.
enum Table {
    Taken(Units, Vec<u64>),
    Order(Vec<u32>),
    Nothing,
}

impl Table {
    fn new(deck: &Deck) -> Self {
        let items = deck.items as usize;
        match Units::new(items) {
            Some(units) if 2 * deck.grades.len() <= items => {
                Table::Taken(units, vec![0; items / 64 + 1])
            }
            Some(_) => Table::Order((1..=deck.items).collect()),
            None => Table::Nothing,
        }
    }

    /// Gives each hit a rank.
    fn place(&mut self, hits: &mut [(u32, i32)], stream: &mut Stream) {
        match self {
            Table::Taken(units, taken) => {
                for (rank, _) in hits.iter_mut() {
                    let mut drawn = units.draw(stream);
                    while taken[drawn / 64] >> (drawn % 64) & 1 == 1 {
                        drawn = units.draw(stream);
                    }
                    taken[drawn / 64] |= 1 << (drawn % 64);
                    *rank = drawn as u32 + 1;
                }
                for &(rank, _) in hits.iter() {
                    taken[(rank as usize - 1) / 64] = 0;
                }
            }
            Table::Order(order) => {
                // From the same order each time, so that a ranking does not depend on the ones before.
                for (rank, before) in order.iter_mut().zip(1..) {
                    *rank = before;
                }
                let items = order.len();
                for (i, (rank, _)) in hits.iter_mut().enumerate() {
                    if let Some(left) = Units::new(items - i) {
                        order.swap(i, i + left.draw(stream));
                        *rank = order[i];
                    }
                }
            }
            Table::Nothing => {}
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
