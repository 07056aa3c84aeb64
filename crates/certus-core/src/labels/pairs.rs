//! How many samples have which pair of labels, straight from two columns of whole numbers.

use super::codes::{CHUNK, Codes, PER_THREAD};
use super::ints::Ints;
use crate::exact::{self, Sum};
use crate::{interrupt, threads};

/// Cells up to which every thread has a table of its own.
const CELLS_PER_THREAD: usize = 1 << 16;
/// Cells up to which a table is kept four times, so that neighbouring samples do not wait for each other.
const CELLS_PER_LANE: usize = 1 << 10;

/// Which labels each column holds, increasing, and how many samples have which pair of them.
#[derive(Debug, PartialEq)]
pub struct Pairs {
    pub first: Vec<i64>,
    pub second: Vec<i64>,
    /// One row for each label of the first column.
    pub counts: Vec<u64>,
}

/// The same with sums of weights and of their squares.
#[derive(Debug, PartialEq)]
pub struct Sums {
    pub first: Vec<i64>,
    pub second: Vec<i64>,
    pub weights: Vec<f64>,
    pub squares: Vec<f64>,
}

/// Counts the pairs of two columns of one length; the result does not depend on the number of threads.
///
/// # Errors
///
/// A column holds more than `most` different labels.
///
/// ```
/// use certus_core::labels::{Ints, count_pairs};
/// let pairs = count_pairs(Ints::I64(&[5, 5, 9]), Ints::U8(&[5, 7, 7]), 100)?;
/// assert_eq!((pairs.first, pairs.second), (vec![5, 9], vec![5, 7]));
/// assert_eq!(pairs.counts, [1, 1, 0, 1]);
/// # Ok::<(), String>(())
/// ```
pub fn count_pairs(first: Ints, second: Ints, most: usize) -> Result<Pairs, String> {
    let samples = same_length(&first, &second)?;
    let (rows, columns) = (Codes::of(first, most)?, Codes::of(second, most)?);
    let cells = rows.len() * columns.len();
    let threads = if cells <= CELLS_PER_THREAD {
        threads::count().min(samples / PER_THREAD).max(1)
    } else {
        1
    };
    let bound = |i: usize| samples / threads * i + (samples % threads).min(i);
    let mut parts = threads::run(threads, |i| {
        let lanes = if cells <= CELLS_PER_LANE { 4 } else { 1 };
        let mut counts = vec![0u64; cells * lanes];
        each_chunk(&rows, &columns, bound(i), bound(i + 1), |_, found| {
            let mut four = found.chunks_exact(4);
            for cell in &mut four {
                for (lane, &cell) in cell.iter().enumerate() {
                    let place = (lane % lanes) * cells + cell as usize;
                    counts[place] = counts[place].wrapping_add(1);
                }
            }
            for &cell in four.remainder() {
                counts[cell as usize] += 1;
            }
        });
        let mut lanes = counts.chunks_exact(cells.max(1));
        let mut sums = lanes.next().map_or_else(Vec::new, <[u64]>::to_vec);
        lanes.for_each(|lane| add(&mut sums, lane));
        sums
    })
    .into_iter();
    let mut counts = parts.next().unwrap_or_default();
    parts.for_each(|part| add(&mut counts, &part));
    let found = used(&counts, columns.len());
    Ok(Pairs {
        first: pick(&rows.labels(), &found.0),
        second: pick(&columns.labels(), &found.1),
        counts: part(&counts, columns.len(), &found),
    })
}

/// Sums the weights of the pairs of two columns, each sum rounded once: no order of the samples changes a bit.
///
/// A label whose samples all have weight 0 is not found.
///
/// # Errors
///
/// A column holds more than `most` different labels.
///
/// ```
/// use certus_core::labels::{Ints, sum_pairs};
/// let sums = sum_pairs(Ints::I8(&[0, 1, 1]), Ints::I8(&[1, 1, 1]), &[0.5, 2.0, 1.0], 100)?;
/// assert_eq!((sums.first, sums.second), (vec![0, 1], vec![1]));
/// assert_eq!((sums.weights, sums.squares), (vec![0.5, 3.0], vec![0.25, 5.0]));
/// # Ok::<(), String>(())
/// ```
pub fn sum_pairs(first: Ints, second: Ints, weights: &[f64], most: usize) -> Result<Sums, String> {
    let samples = same_length(&first, &second)?;
    if weights.len() != samples {
        return Err("the columns differ in length".to_owned());
    }
    let (rows, columns) = (Codes::of(first, most)?, Codes::of(second, most)?);
    let cells = rows.len() * columns.len();
    let (sums, squares) = if cells <= CELLS_PER_LANE {
        let mut both = vec![[(); 2].map(|()| Sum::default()); cells];
        each_chunk(&rows, &columns, 0, samples, |start, found| {
            for (&cell, &weight) in found.iter().zip(&weights[start..]) {
                let [sum, square] = &mut both[cell as usize];
                sum.add(weight);
                square.add(weight * weight);
            }
        });
        both.iter()
            .map(|[sum, square]| (sum.rounded(), square.rounded()))
            .unzip()
    } else {
        let mut codes = vec![0; samples];
        each_chunk(&rows, &columns, 0, samples, |start, found| {
            for (code, &cell) in codes[start..].iter_mut().zip(found) {
                *code = i64::from(cell);
            }
        });
        let squared: Vec<f64> = weights.iter().map(|weight| weight * weight).collect();
        (
            exact::by_code(&codes, weights, cells)?,
            exact::by_code(&codes, &squared, cells)?,
        )
    };
    let found = used(&sums, columns.len());
    Ok(Sums {
        first: pick(&rows.labels(), &found.0),
        second: pick(&columns.labels(), &found.1),
        weights: part(&sums, columns.len(), &found),
        squares: part(&squares, columns.len(), &found),
    })
}

fn same_length(first: &Ints, second: &Ints) -> Result<usize, String> {
    if first.len() == second.len() {
        Ok(first.len())
    } else {
        Err("the columns differ in length".to_owned())
    }
}

fn add(sums: &mut [u64], counts: &[u64]) {
    for (sum, count) in sums.iter_mut().zip(counts) {
        *sum += count;
    }
}

/// The cell of each sample from `start` to `end`, a chunk at a time.
fn each_chunk(
    rows: &Codes,
    columns: &Codes,
    start: usize,
    end: usize,
    mut work: impl FnMut(usize, &[u32]),
) {
    let (mut distances, mut cells) = ([0u64; CHUNK], [0u32; CHUNK]);
    for from in (start..end).step_by(CHUNK) {
        interrupt::poll();
        let size = CHUNK.min(end - from);
        rows.write(from, &mut distances[..size]);
        let width = columns.len() as u64;
        for (cell, &code) in cells[..size].iter_mut().zip(&distances) {
            *cell = code.wrapping_mul(width) as u32;
        }
        columns.write(from, &mut distances[..size]);
        for (cell, &code) in cells[..size].iter_mut().zip(&distances) {
            *cell = cell.wrapping_add(code as u32);
        }
        work(from, &cells[..size]);
    }
}

/// The rows and the columns of a table that are not empty.
fn used<T: Copy + Default + PartialEq>(table: &[T], width: usize) -> (Vec<usize>, Vec<usize>) {
    let rows: Vec<&[T]> = table.chunks_exact(width.max(1)).collect();
    let full = |cell: &T| *cell != T::default();
    (
        (0..rows.len())
            .filter(|&r| rows[r].iter().any(full))
            .collect(),
        (0..width)
            .filter(|&c| rows.iter().any(|row| full(&row[c])))
            .collect(),
    )
}

fn pick<T: Copy>(values: &[T], places: &[usize]) -> Vec<T> {
    places.iter().map(|&place| values[place]).collect()
}

fn part<T: Copy>(table: &[T], width: usize, (rows, columns): &(Vec<usize>, Vec<usize>)) -> Vec<T> {
    rows.iter()
        .flat_map(|row| {
            columns
                .iter()
                .map(move |column| table[row * width + column])
        })
        .collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
mod tests {
    use super::*;
    use crate::fuzz::Random;
    use crate::labels::code_numbers;
    use std::collections::BTreeMap;

    /// One entry for each pair that occurs.
    fn naive(
        first: &[i64],
        second: &[i64],
        weights: &[f64],
    ) -> BTreeMap<(i64, i64), (u64, f64, f64)> {
        let mut found = BTreeMap::new();
        for ((&one, &other), &weight) in first.iter().zip(second).zip(weights) {
            let entry = found.entry((one, other)).or_insert((0, 0.0, 0.0));
            *entry = (entry.0 + 1, entry.1 + weight, entry.2 + weight * weight);
        }
        found
    }

    #[test]
    fn pairs_are_counted_whatever_the_span() {
        let mut random = Random::new(3);
        for (labels, stride, samples) in [
            (2u64, 1i64, 1000u64),
            (3, 1, 200_003),
            (60, 1, 7),
            (200, 1, 100_000),
            (900, 1, 100_000),
            (40, 50, 1000),
            (300, 1_000_003, 5000),
            (5, i64::MAX / 4, 100),
            (1, 1, 1),
        ] {
            let mut draw = || {
                (0..samples)
                    .map(|_| random.below(labels) as i64 * stride - 7)
                    .collect()
            };
            let (first, second): (Vec<i64>, Vec<i64>) = (draw(), draw());
            let weights: Vec<f64> = (0..samples)
                .map(|_| (1 + random.below(9)) as f64 / 4.0)
                .collect();
            let expected = naive(&first, &second, &weights);
            let pairs = count_pairs(Ints::I64(&first), Ints::I64(&second), 5000).unwrap();
            let sums = sum_pairs(Ints::I64(&first), Ints::I64(&second), &weights, 5000).unwrap();
            assert_eq!((&pairs.first, &pairs.second), (&sums.first, &sums.second));
            let mut seen = 0;
            for (r, one) in pairs.first.iter().enumerate() {
                for (c, other) in pairs.second.iter().enumerate() {
                    let cell = r * pairs.second.len() + c;
                    let (count, weight, square) =
                        expected.get(&(*one, *other)).copied().unwrap_or_default();
                    assert_eq!(pairs.counts[cell], count);
                    assert_eq!((sums.weights[cell], sums.squares[cell]), (weight, square));
                    seen += count;
                }
            }
            assert_eq!(seen, samples);
            assert!(pairs.first.is_sorted() && pairs.second.is_sorted());
            let (labels, codes) = code_numbers(Ints::I64(&first));
            assert_eq!(labels, pairs.first);
            assert!(
                codes
                    .iter()
                    .zip(&first)
                    .all(|(&code, &x)| labels[code as usize] == x)
            );
        }
    }

    #[test]
    fn columns_of_any_width_count_alike() {
        let (a, b) = ([1i8, 0, 1], [1u8, 1, 0]);
        let expected = count_pairs(Ints::I64(&[1, 0, 1]), Ints::I64(&[1, 1, 0]), 9).unwrap();
        assert_eq!(
            count_pairs(Ints::I8(&a), Ints::U8(&b), 9).unwrap(),
            expected
        );
        let (a, b) = ([1i16, 0, 1], [1u16, 1, 0]);
        assert_eq!(
            count_pairs(Ints::I16(&a), Ints::U16(&b), 9).unwrap(),
            expected
        );
        let (a, b) = ([1i32, 0, 1], [1u32, 1, 0]);
        assert_eq!(
            count_pairs(Ints::I32(&a), Ints::U32(&b), 9).unwrap(),
            expected
        );
    }

    #[test]
    fn the_extremes_of_64_bits_are_two_labels() {
        for near in [
            [i64::MAX - 1, i64::MAX],
            [i64::MIN, i64::MIN + 1],
            [i64::MAX - 4000, i64::MAX],
        ] {
            let pairs = count_pairs(Ints::I64(&near), Ints::I64(&near), 9).unwrap();
            assert_eq!(
                (&pairs.first[..], &pairs.counts[..]),
                (&near[..], &[1, 0, 0, 1][..])
            );
            assert_eq!(code_numbers(Ints::I64(&near)), (near.to_vec(), vec![0, 1]));
        }
        let values = [i64::MIN, i64::MAX];
        let pairs = count_pairs(Ints::I64(&values), Ints::I64(&values), 9).unwrap();
        assert_eq!(
            (pairs.first, pairs.counts),
            (values.to_vec(), vec![1, 0, 0, 1])
        );
    }

    #[test]
    fn too_many_labels_and_unequal_lengths_are_refused() {
        let many: Vec<i64> = (0..100).collect();
        let error = count_pairs(Ints::I64(&many), Ints::I64(&many), 99).unwrap_err();
        assert_eq!(
            error,
            "there are 100 different labels; a table of at most 99 is supported"
        );
        assert!(count_pairs(Ints::I64(&many), Ints::I64(&many[1..]), 999).is_err());
        assert!(sum_pairs(Ints::I64(&many), Ints::I64(&many), &[1.0], 999).is_err());
    }

    #[test]
    fn no_samples_have_no_labels() {
        let pairs = count_pairs(Ints::I64(&[]), Ints::U8(&[]), 9).unwrap();
        assert!(pairs.first.is_empty() && pairs.second.is_empty() && pairs.counts.is_empty());
        assert!(
            sum_pairs(Ints::I64(&[]), Ints::I64(&[]), &[], 9)
                .unwrap()
                .weights
                .is_empty()
        );
    }
}
