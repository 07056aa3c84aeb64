//! Random orders of few values, several places drawn from one random word.
//!
//! A word of 64 random bits times a number of choices has the choice in its upper half, and the rest of the word, in
//! the lower half, serves the next one. Every order is as likely if words whose last rest lies below 2^64 modulo the
//! number of all choices are drawn again.
//!
//! Source: Lemire (2019), ACM TOMACS 29(1):3, doi:10.1145/3230636; Brackett-Rozinsky & Lemire (2024), Software:
//! Practice and Experience 55(3), doi:10.1002/spe.3369.

use crate::bootstrap::Stream;

/// Values up to which an order is looked up: which of them make up the first half, and the order of either half.
pub(super) const MOST_HALVED: usize = 12;
/// Choices made from one word are so many at most: about one word in 2^16 is drawn again.
const MOST_CHOICES: u64 = 1 << 48;

/// How many choices one word makes.
#[derive(Clone, Copy, Debug)]
struct Choices {
    number: u64,
    redraw_below: u64,
}

impl Choices {
    fn new(number: u64) -> Self {
        Choices {
            number,
            redraw_below: number.wrapping_neg() % number,
        }
    }

    #[inline]
    fn word(self, stream: &mut Stream) -> u64 {
        loop {
            let word = stream.next();
            if word.wrapping_mul(self.number) >= self.redraw_below {
                return word;
            }
        }
    }
}

/// One of `number` choices; the word becomes its rest.
#[inline]
fn choose(word: &mut u64, number: u64) -> usize {
    let product = u128::from(*word) * u128::from(number);
    *word = product as u64;
    (product >> 64) as usize
}

/// All orders of up to [`MOST_HALVED`] values, by halves.
#[derive(Debug)]
pub(super) struct Halves {
    choices: Choices,
    /// The places of each choice of half of the values, from 0 on, and of the others, from 8 on.
    splits: Vec<[u8; 16]>,
    first: Vec<[u8; 8]>,
    second: Vec<[u8; 8]>,
}

impl Halves {
    /// For 2 to [`MOST_HALVED`] values.
    pub(super) fn new(values: usize) -> Self {
        let half = values / 2;
        let splits: Vec<_> = (0..1_u32 << values)
            .filter(|chosen| chosen.count_ones() as usize == half)
            .map(|chosen| split(chosen, values))
            .collect();
        let (first, second) = (orders(half), orders(values - half));
        Halves {
            choices: Choices::new((splits.len() * first.len() * second.len()) as u64),
            splits,
            first,
            second,
        }
    }

    /// Adds the values of a row in random order to the sums.
    #[inline]
    pub(super) fn add<const K: usize>(
        &self,
        row: &[f64],
        sums: &mut [f64; K],
        stream: &mut Stream,
    ) {
        let mut word = self.choices.word(stream);
        let split = &self.splits[choose(&mut word, self.splits.len() as u64)];
        let first = &self.first[choose(&mut word, self.first.len() as u64)];
        let second = &self.second[choose(&mut word, self.second.len() as u64)];
        // Of 16 places, 4 bits name one: nothing is out of bounds.
        let (mut values, mut halves) = ([0.0; 16], [0.0; 16]);
        values[..K].copy_from_slice(&row[..K]);
        for i in 0..K / 2 {
            halves[i] = values[usize::from(split[i] & 15)];
        }
        for i in 8..8 + K - K / 2 {
            halves[i] = values[usize::from(split[i] & 15)];
        }
        for i in 0..K / 2 {
            sums[i] += halves[usize::from(first[i] & 7)];
        }
        for i in 0..K - K / 2 {
            sums[K / 2 + i] += halves[usize::from(8 | (second[i] & 7))];
        }
    }
}

fn split(chosen: u32, values: usize) -> [u8; 16] {
    let mut places = [0; 16];
    let (mut inside, mut outside) = (0, 8);
    for place in 0..values {
        let next = if chosen >> place & 1 == 1 {
            &mut inside
        } else {
            &mut outside
        };
        places[*next] = place as u8;
        *next += 1;
    }
    places
}

/// All orders of 0 to `values` - 1.
fn orders(values: usize) -> Vec<[u8; 8]> {
    let mut all = vec![[0; 8]];
    for length in 0..values {
        all = all
            .iter()
            .flat_map(|order| {
                (0..=length).map(move |place| {
                    let mut longer = *order;
                    longer.copy_within(place..length, place + 1);
                    longer[place] = length as u8;
                    longer
                })
            })
            .collect();
    }
    all
}

/// A Fisher-Yates shuffle of any number of values.
#[derive(Debug)]
pub(super) struct Steps(Vec<Batch>);

/// Steps whose places are drawn from one word: these positions get a value, from the last to the first.
#[derive(Debug)]
struct Batch {
    last: usize,
    first: usize,
    choices: Choices,
}

impl Steps {
    pub(super) fn new(values: usize) -> Self {
        let mut batches = Vec::new();
        let mut last = values.saturating_sub(1);
        while last > 0 {
            let (mut first, mut choices) = (last, last as u64 + 1);
            while first > 1 && choices.saturating_mul(first as u64) <= MOST_CHOICES {
                first -= 1;
                choices *= first as u64 + 1;
            }
            batches.push(Batch {
                last,
                first,
                choices: Choices::new(choices),
            });
            last = first - 1;
        }
        Steps(batches)
    }

    #[inline]
    pub(super) fn shuffle(&self, values: &mut [f64], stream: &mut Stream) {
        for batch in &self.0 {
            let mut word = batch.choices.word(stream);
            for position in (batch.first..=batch.last).rev() {
                values.swap(position, choose(&mut word, position as u64 + 1));
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// Pearson's chi-square of the orders of four values against equal shares; 23 degrees of freedom.
    fn chi_square(mut order: impl FnMut(&mut Stream) -> Vec<u8>) -> f64 {
        let mut stream = Stream::new(4, 0);
        let mut times = HashMap::new();
        for _ in 0..24_000 {
            *times.entry(order(&mut stream)).or_insert(0.0) += 1.0;
        }
        assert_eq!(times.len(), 24);
        times
            .values()
            .map(|n: &f64| (n - 1000.0).powi(2) / 1000.0)
            .sum()
    }

    #[test]
    fn every_order_comes_equally_often() {
        let halves = Halves::new(4);
        let found = chi_square(|stream| {
            let mut sums = [0.0; 4];
            halves.add(&[1.0, 2.0, 3.0, 4.0], &mut sums, stream);
            sums.iter().map(|&x| x as u8).collect()
        });
        assert!(found < 49.7, "{found}"); // 99.9% quantile
        let steps = Steps::new(4);
        let found = chi_square(|stream| {
            let mut values = [1.0, 2.0, 3.0, 4.0];
            steps.shuffle(&mut values, stream);
            values.iter().map(|&x| x as u8).collect()
        });
        assert!(found < 49.7, "{found}");
    }

    #[test]
    fn all_choices_are_all_orders() {
        for values in 2..=MOST_HALVED {
            let halves = Halves::new(values);
            assert_eq!(halves.choices.number, (1..=values as u64).product());
        }
        let mut six = orders(6);
        six.sort_unstable();
        six.dedup();
        assert_eq!(six.len(), 720);
        assert!(six.iter().all(|order| {
            let mut sorted = order[..6].to_vec();
            sorted.sort_unstable();
            sorted == [0, 1, 2, 3, 4, 5]
        }));
    }

    #[test]
    fn a_word_in_the_biased_part_is_drawn_again() {
        // 2^64 modulo 3 * 2^62 is 2^62: of the four rests of a product only 0 lies below it.
        let choices = Choices::new(3 << 62);
        assert_eq!(choices.redraw_below, 1 << 62);
        let mut stream = Stream::new(1, 0);
        assert!((0..100).all(|_| !choices.word(&mut stream).is_multiple_of(4)));
    }

    #[test]
    fn batches_draw_every_position_once() {
        for values in [2, 3, 15, 16, 17, 100, 5000] {
            let drawn: Vec<usize> = Steps::new(values)
                .0
                .iter()
                .flat_map(|batch| (batch.first..=batch.last).rev())
                .collect();
            assert_eq!(drawn, (1..values).rev().collect::<Vec<_>>());
        }
    }
}
