//! Tables read in blocks of rows, in whichever order they lie in memory.

use std::ops::Range;

use crate::threads;

/// Rows read at a time: a block of a hundred columns stays in the nearest caches.
const BLOCK: usize = 64;
/// A thread is worth starting for this many cells.
const CELLS_PER_TASK: usize = 1 << 13;

/// A table of cells, row after row or column after column.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a, T> {
    cells: &'a [T],
    rows: usize,
    columns: usize,
    by_column: bool,
}

impl<'a, T: Copy> Rows<'a, T> {
    /// The table whose cells these are; None where they are not as many as rows times columns.
    ///
    /// ```
    /// use certus_core::multilabel::Rows;
    ///
    /// assert!(Rows::new(&[1, 2, 3, 4, 5, 6], 2, 3, false).is_some());
    /// assert!(Rows::new(&[1, 2, 3], 2, 3, false).is_none());
    /// ```
    #[must_use]
    pub fn new(cells: &'a [T], rows: usize, columns: usize, by_column: bool) -> Option<Self> {
        (rows.checked_mul(columns)? == cells.len()).then_some(Self {
            cells,
            rows,
            columns,
            by_column,
        })
    }

    pub(super) fn columns(&self) -> usize {
        self.columns
    }

    /// These rows one after the other, in `copied` where they do not lie so.
    fn part<'b>(&'b self, range: Range<usize>, copied: &'b mut Vec<T>) -> &'b [T] {
        let columns = self.columns;
        if !self.by_column {
            return &self.cells[range.start * columns..range.end * columns];
        }
        copied.clear();
        let Some(&first) = self.cells.first() else {
            return copied;
        };
        copied.resize(range.len() * columns, first);
        for (column, cells) in self.cells.chunks_exact(self.rows).enumerate() {
            let places = copied.iter_mut().skip(column).step_by(columns);
            for (place, cell) in places.zip(&cells[range.clone()]) {
                *place = *cell;
            }
        }
        copied
    }
}

/// `value(one row, the other's row, space)` of each pair of rows, in order; `space` is a thread's own.
/// None where the tables have different shapes.
pub(super) fn each_row<A: Copy + Sync, B: Copy + Sync, S: Default>(
    one: &Rows<A>,
    other: &Rows<B>,
    value: impl Fn(&[A], &[B], &mut S) -> f64 + Sync,
) -> Option<Vec<f64>> {
    let columns = one.columns;
    let row = |row: usize| row * columns..(row + 1) * columns;
    each_block(one, other, |rows, ones, others, space, values| {
        values.extend((0..rows).map(|i| value(&ones[row(i)], &others[row(i)], space)));
    })
}

/// `add(number of rows, their cells, the other's, space, values)` for blocks of rows, in order; it adds a value for each
/// row. None where the tables have different shapes.
pub(super) fn each_block<A: Copy + Sync, B: Copy + Sync, S: Default>(
    one: &Rows<A>,
    other: &Rows<B>,
    add: impl Fn(usize, &[A], &[B], &mut S, &mut Vec<f64>) + Sync,
) -> Option<Vec<f64>> {
    if (one.rows, one.columns) != (other.rows, other.columns) {
        return None;
    }
    Some(threads::map(
        one.rows,
        CELLS_PER_TASK.div_ceil(one.columns.max(1)),
        |range| {
            let (mut space, mut ones, mut others) = (S::default(), Vec::new(), Vec::new());
            let mut values = Vec::with_capacity(range.len());
            for start in range.clone().step_by(BLOCK) {
                let block = start..range.end.min(start + BLOCK);
                let ones = one.part(block.clone(), &mut ones);
                let others = other.part(block.clone(), &mut others);
                add(block.len(), ones, others, &mut space, &mut values);
            }
            values
        },
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_by_column_has_the_rows_of_its_transpose() {
        for rows in [1, 2, 63, 64, 65, 200] {
            let columns = 3;
            let by_row: Vec<usize> = (0..rows * columns).collect();
            let by_column: Vec<usize> = (0..rows * columns)
                .map(|i| by_row[(i % rows) * columns + i / rows])
                .collect();
            let sum = |a: &[usize], b: &[usize], seen: &mut Vec<usize>| {
                assert_eq!(a, b);
                seen.push(a[0]);
                a[0] as f64
            };
            let one = Rows::new(&by_row, rows, columns, false);
            let other = Rows::new(&by_column, rows, columns, true);
            let (Some(one), Some(other)) = (one, other) else {
                unreachable!()
            };
            let expected: Vec<f64> = (0..rows).map(|row| (row * columns) as f64).collect();
            assert_eq!(each_row(&one, &other, sum), Some(expected));
        }
    }
}
