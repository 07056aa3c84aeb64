//! Values shuffled within each unit: how far apart the sums of the columns then are.

use crate::bootstrap::Stream;
use crate::threads;

/// Values that a thread moves before it is worth asking another one to help.
const MOVES_PER_TASK: usize = 1 << 16;
/// The places drawn from one random word are so many together at most: about one word in 2^16 is drawn again.
const MOST_PLACES: u64 = 1 << 48;

/// The largest less the smallest column sum, for each of `replicates` shuffles of the values within each unit.
///
/// `rows` holds one row of `columns` values per unit. Replicate `i` draws from a random stream of its own that depends
/// on the seed and `i` only, so the result is the same for any number of threads.
///
/// Source: Carterette (2012), ACM TOIS 30(1):4, doi:10.1145/2094072.2094076, algorithm 1.
///
/// ```
/// let ranges = certus_core::families::shuffled_ranges(&[1.0, 2.0, 4.0], 3, 5, 7);
/// assert_eq!(ranges, [3.0; 5]);
/// ```
#[must_use]
pub fn shuffled_ranges(rows: &[f64], columns: usize, replicates: usize, seed: u64) -> Vec<f64> {
    let batches = batches(columns);
    let at_least = MOVES_PER_TASK / rows.len().max(1) + 1;
    threads::map(replicates, at_least, |range| {
        let mut sums = vec![0.0; columns];
        let mut shuffled = vec![0.0; columns];
        range
            .map(|replicate| {
                let mut stream = Stream::new(seed, replicate as u64);
                sums.fill(0.0);
                for row in rows.chunks_exact(columns.max(1)) {
                    shuffled.copy_from_slice(row);
                    for batch in &batches {
                        batch.shuffle(&mut shuffled, &mut stream);
                    }
                    for (sum, value) in sums.iter_mut().zip(&shuffled) {
                        *sum += value;
                    }
                }
                range_of(&sums)
            })
            .collect()
    })
}

fn range_of(values: &[f64]) -> f64 {
    let (mut least, mut greatest) = (f64::INFINITY, f64::NEG_INFINITY);
    for &value in values {
        least = least.min(value);
        greatest = greatest.max(value);
    }
    (greatest - least).max(0.0)
}

/// Steps of a Fisher-Yates shuffle whose places are drawn from one random word.
///
/// Source: Brackett-Rozinsky & Lemire (2024), Software: Practice and Experience 55(3), doi:10.1002/spe.3369.
#[derive(Debug)]
struct Batch {
    /// The positions that get a value, from the last to the first.
    last: usize,
    first: usize,
    /// 2^64 modulo the number of choices: a word whose rest lies below it is drawn again.
    redraw_below: u64,
}

fn batches(columns: usize) -> Vec<Batch> {
    let mut all = Vec::new();
    let mut last = columns.saturating_sub(1);
    while last > 0 {
        let (mut first, mut choices) = (last, last as u64 + 1);
        while first > 1 && choices.saturating_mul(first as u64) <= MOST_PLACES {
            choices *= first as u64;
            first -= 1;
        }
        all.push(Batch {
            last,
            first,
            redraw_below: choices.wrapping_neg() % choices,
        });
        last = first - 1;
    }
    all
}

impl Batch {
    #[inline]
    fn shuffle(&self, values: &mut [f64], stream: &mut Stream) {
        let mut word = stream.next();
        while self.rest(word) < self.redraw_below {
            word = stream.next();
        }
        for position in (self.first..=self.last).rev() {
            let product = u128::from(word) * (position as u128 + 1);
            values.swap(position, (product >> 64) as usize);
            word = product as u64;
        }
    }

    /// What is left of a word when all places are drawn.
    #[inline]
    fn rest(&self, word: u64) -> u64 {
        (self.first..=self.last).fold(word, |word, position| {
            word.wrapping_mul(position as u64 + 1)
        })
    }
}
