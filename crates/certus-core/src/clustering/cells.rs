//! The pairs of codes that occur in two columns, with how often: a table that is mostly empty.

use crate::interrupt;

/// The cells that are not empty, by row and then by column.
#[derive(Debug, PartialEq)]
pub struct Cells {
    pub rows: Vec<u32>,
    pub columns: Vec<u32>,
    pub counts: Vec<i64>,
}

/// Counts the pairs of two columns of codes below `most_rows`: samples are put into their rows, then each row is sorted.
///
/// # Errors
///
/// The columns differ in length, or a code of the first is `most_rows` or more.
///
/// ```
/// use certus_core::clustering::count_cells;
/// let cells = count_cells(&[1, 0, 1, 1], &[7, 2, 7, 0], 2)?;
/// assert_eq!((cells.rows, cells.columns), (vec![0, 1, 1], vec![2, 0, 7]));
/// assert_eq!(cells.counts, [1, 1, 2]);
/// # Ok::<(), String>(())
/// ```
pub fn count_cells(first: &[u32], second: &[u32], most_rows: usize) -> Result<Cells, String> {
    if first.len() != second.len() {
        return Err("the columns differ in length".to_owned());
    }
    let mut ends = vec![0usize; most_rows + 1];
    for &code in first {
        let Some(end) = ends.get_mut(code as usize + 1) else {
            return Err(format!("a code is {code}; it must be below {most_rows}"));
        };
        *end += 1;
    }
    for row in 0..most_rows {
        ends[row + 1] += ends[row];
    }
    let mut places = ends.clone();
    let mut sorted = vec![0u32; second.len()];
    for (sample, (&row, &column)) in first.iter().zip(second).enumerate() {
        interrupt::at(sample);
        let place = &mut places[row as usize];
        sorted[*place] = column;
        *place += 1;
    }
    let mut cells = Cells {
        rows: Vec::new(),
        columns: Vec::new(),
        counts: Vec::new(),
    };
    for row in 0..most_rows {
        interrupt::at(row);
        let part = &mut sorted[ends[row]..ends[row + 1]];
        part.sort_unstable();
        for same in part.chunk_by(|one, other| one == other) {
            cells.rows.push(row as u32);
            cells.columns.push(same[0]);
            cells.counts.push(same.len() as i64);
        }
    }
    Ok(cells)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::fuzz::Random;
    use std::collections::BTreeMap;

    #[test]
    fn every_pair_is_counted() {
        let mut random = Random::new(5);
        for (labels, samples) in [(1u64, 1u64), (3, 50), (400, 1000), (2, 100_000)] {
            let mut draw = || {
                (0..samples)
                    .map(|_| random.below(labels) as u32)
                    .collect::<Vec<u32>>()
            };
            let (first, second) = (draw(), draw());
            let mut expected = BTreeMap::new();
            for pair in first.iter().zip(&second) {
                *expected.entry(pair).or_insert(0i64) += 1;
            }
            let found = count_cells(&first, &second, labels as usize).unwrap();
            let pairs = found.rows.iter().zip(&found.columns);
            assert!(
                pairs
                    .zip(&found.counts)
                    .eq(expected.iter().map(|(&pair, count)| (pair, count)))
            );
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        assert!(count_cells(&[0], &[0, 1], 1).is_err());
        assert!(count_cells(&[3], &[0], 3).is_err());
        assert!(count_cells(&[], &[], 0).unwrap().counts.is_empty());
    }
}
