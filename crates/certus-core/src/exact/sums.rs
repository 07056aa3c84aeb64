//! Sums of columns, their products, their groups and their powers, with all threads.

use super::accumulator::{BLOCK, Sum};
use super::mantissas::Mantissas;
use super::products::two_products;
use crate::threads;

/// Numbers of one piece of work of a thread.
const TASK: usize = 1 << 16;

/// The exact sum of some numbers.
///
/// ```
/// let values = [0.1, 1e16, 0.2, -1e16];
/// assert_eq!(certus_core::exact::of_values(&values).rounded(), 0.30000000000000004);
/// ```
#[must_use]
pub fn of_values(values: &[f64]) -> Sum {
    of_tasks(values.len(), |range, sum| sum.add_all(&values[range]))
}

/// The exact sum of the products of pairs.
///
/// # Errors
///
/// The two columns differ in length.
///
/// ```
/// let sum = certus_core::exact::of_products(&[0.1, 1e200], &[0.1, 0.0]).unwrap();
/// assert_eq!(sum.rounded(), 0.1 * 0.1);
/// ```
pub fn of_products(a: &[f64], b: &[f64]) -> Result<Sum, String> {
    if a.len() != b.len() {
        return Err(format!("{} numbers but {} beside them", a.len(), b.len()));
    }
    Ok(of_tasks(a.len(), |range, sum| {
        sum.add_products(&a[range.clone()], &b[range]);
    }))
}

/// The sum of what `add` adds for each part of `0..size`.
pub fn of_tasks(size: usize, add: impl Fn(std::ops::Range<usize>, &mut Sum) + Sync) -> Sum {
    let parts = threads::map(size.div_ceil(TASK), 4, |tasks| {
        tasks
            .map(|i| {
                let mut sum = Sum::default();
                add(i * TASK..size.min((i + 1) * TASK), &mut sum);
                sum
            })
            .collect()
    });
    let mut all = Sum::default();
    parts.iter().for_each(|part| all.merge(part));
    all
}

/// The sum of the numbers of each code from 0 to `size` - 1, as the nearest float.
///
/// # Errors
///
/// The two columns differ in length, or a code is not from 0 to `size` - 1.
///
/// ```
/// let sums = certus_core::exact::by_code(&[1, 0, 1], &[0.5, 2.0, 0.25], 3);
/// assert_eq!(sums, Ok(vec![2.0, 0.75, 0.0]));
/// ```
pub fn by_code(codes: &[i64], values: &[f64], size: usize) -> Result<Vec<f64>, String> {
    if codes.len() != values.len() {
        return Err(format!(
            "{} codes but {} numbers",
            codes.len(),
            values.len()
        ));
    }
    // Where the numbers of each code start, once they are sorted by it.
    let mut ends = vec![0_usize; size + 1];
    for &code in codes {
        let place = usize::try_from(code).ok().filter(|&place| place < size);
        ends[place.ok_or_else(|| format!("code {code} is not from 0 to {size} - 1"))? + 1] += 1;
    }
    for i in 0..size {
        ends[i + 1] += ends[i];
    }
    let mut sorted = vec![0.0; values.len()];
    for (&code, &value) in codes.iter().zip(values) {
        let next = &mut ends[code as usize];
        sorted[*next] = value;
        *next += 1;
    }
    // Each start has moved to the end of its code.
    let sums = threads::map(size, 1 << 12, |range| {
        range
            .map(|code| {
                let first = if code == 0 { 0 } else { ends[code - 1] };
                small(&sorted[first..ends[code]])
            })
            .collect()
    });
    Ok(sums)
}

/// The sum of some numbers as the nearest float; of one or two, one operation.
fn small(values: &[f64]) -> f64 {
    match *values {
        [] => 0.0,
        [one] => one + 0.0,
        [one, other] => one + other,
        _ => {
            let mut sum = Sum::default();
            sum.add_all(values);
            sum.rounded()
        }
    }
}

/// The sums of the first to fourth powers of some numbers, each exact where its parts are floats.
///
/// ```
/// let powers = certus_core::exact::powers(&[1.0, 2.0, 3.0]);
/// assert_eq!(powers.map(|sum| sum.rounded()), [6.0, 14.0, 36.0, 98.0]);
/// ```
#[must_use]
pub fn powers(values: &[f64]) -> [Sum; 4] {
    let mut sums = [(); 4].map(|()| Sum::default());
    let mut others = Vec::new();
    let mut table = Mantissas::default();
    for block in values.chunks(TASK) {
        others.extend(block.iter().copied().filter(|&value| !table.add(value)));
        table.empty_into(&mut sums);
    }
    add_powers_of_any(&others, &mut sums);
    sums
}

/// Adds the powers of numbers of any size as floats and what rounding took off them.
fn add_powers_of_any(values: &[f64], sums: &mut [Sum; 4]) {
    let [first, second, third, fourth] = sums;
    let (mut squares, mut rests) = ([0.0; BLOCK], [0.0; BLOCK]);
    for block in values.chunks(BLOCK) {
        let (squares, rests) = (&mut squares[..block.len()], &mut rests[..block.len()]);
        two_products(block, block, squares, rests);
        first.add_all(block);
        second.add_all(squares);
        second.add_all(rests);
        third.add_products(squares, block);
        third.add_products(rests, block);
        fourth.add_products(squares, squares);
        fourth.add_products(rests, rests);
        rests.iter_mut().for_each(|rest| *rest *= 2.0);
        fourth.add_products(squares, rests);
    }
}
