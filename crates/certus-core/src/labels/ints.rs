//! Columns of whole numbers of any width.

use std::ops::Range;

/// A column of whole numbers.
#[derive(Clone, Copy, Debug)]
pub enum Ints<'a> {
    I8(&'a [i8]),
    I16(&'a [i16]),
    I32(&'a [i32]),
    I64(&'a [i64]),
    U8(&'a [u8]),
    U16(&'a [u16]),
    U32(&'a [u32]),
}

macro_rules! each {
    ($column:expr, $values:ident => $result:expr) => {
        match $column {
            Ints::I8($values) => $result,
            Ints::I16($values) => $result,
            Ints::I32($values) => $result,
            Ints::I64($values) => $result,
            Ints::U8($values) => $result,
            Ints::U16($values) => $result,
            Ints::U32($values) => $result,
        }
    };
}

#[allow(clippy::useless_conversion, clippy::unnecessary_cast)] // of one width of seven
impl Ints<'_> {
    /// How many numbers there are.
    #[must_use]
    pub fn len(&self) -> usize {
        each!(self, values => values.len())
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The least and the greatest number.
    ///
    /// ```
    /// use certus_core::labels::Ints;
    /// assert_eq!(Ints::I8(&[3, -7, 5]).range(), Some((-7, 5)));
    /// assert_eq!(Ints::U32(&[]).range(), None);
    /// ```
    #[must_use]
    pub fn range(&self) -> Option<(i64, i64)> {
        each!(self, values => {
            let (first, rest) = values.split_first()?;
            // Where all are 0 or 1, their common bits tell: that takes several at once at any width.
            let bits = rest.iter().fold((*first, *first), |(all, any), &x| (all & x, any | x));
            let (least, greatest) = if bits.1 >> 1 == 0 {
                bits
            } else {
                rest.iter()
                    .fold((*first, *first), |(low, high), &x| (low.min(x), high.max(x)))
            };
            Some((i64::from(least), i64::from(greatest)))
        })
    }

    /// Calls `work` with each number, in order.
    pub(super) fn for_each(&self, mut work: impl FnMut(i64)) {
        each!(self, values => values.iter().for_each(|&x| work(i64::from(x))));
    }

    /// The distances from `least` of the numbers of a range, each below 2^32.
    pub(super) fn offsets(&self, range: Range<usize>, least: i64) -> Vec<u32> {
        // The low halves alone tell them.
        let least = least as u32;
        each!(self, values => values[range].iter().map(|&x| (x as u32).wrapping_sub(least)).collect())
    }

    /// The distances from `least` of the numbers from place `start` on, for as many as `out` takes.
    pub(super) fn distances(&self, start: usize, least: i64, out: &mut [u64]) {
        each!(self, values => {
            for (distance, &x) in out.iter_mut().zip(&values[start..]) {
                *distance = i64::from(x).wrapping_sub(least) as u64;
            }
        });
    }
}
