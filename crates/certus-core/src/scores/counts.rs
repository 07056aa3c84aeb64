//! How often each unit is drawn when as many units as there are are drawn with replacement.
//!
//! The counts are multinomial, and independent Poisson counts with a given sum are multinomial too. So each unit gets a
//! Poisson count of mean 1, which takes a few bits of a random word and one look into a table, and the few units that
//! the sum is then off by are drawn, or taken away, one at a time.

use crate::bootstrap::{Stream, Units};

/// Bits of a random word for one unit.
const BITS: u32 = 12;
const CELLS: usize = 1 << BITS;
const MASK: u64 = CELLS as u64 - 1;
/// Counts that fit into one random word.
const BATCH: usize = 64 / BITS as usize;

/// A cell of the table in which a count ends: further bits decide.
const BOUNDARY: u8 = u8::MAX;
/// Bits after the binary point of the distribution function.
const PRECISION: u32 = BITS + 64;
/// More counts than have a probability of `2^-PRECISION`.
const COUNTS: usize = 26;

/// `P(X <= k)` of the Poisson distribution of mean 1, `PRECISION` bits after the binary point.
const BELOW: [u128; COUNTS] = distribution();
/// The count of each cell, or `BOUNDARY`.
static TABLE: [u8; CELLS] = table();

const fn distribution() -> [u128; COUNTS] {
    // e = 1 + 1 + 1/2! + ...; its inverse is 1 - 1 + 1/2! - 1/3! + ..., in 120 bits.
    const ONE: u128 = 1 << 120;
    let (mut inverse, mut term, mut k) = (0_u128, ONE, 0_u128);
    while term > 0 {
        if k.is_multiple_of(2) {
            inverse += term;
        } else {
            inverse -= term;
        }
        k += 1;
        term /= k;
    }
    let mut below = [0; COUNTS];
    let (mut sum, mut probability, mut k) = (0, inverse, 0);
    while k < COUNTS {
        sum += probability;
        below[k] = sum >> (120 - PRECISION);
        probability /= k as u128 + 1;
        k += 1;
    }
    below
}

const fn table() -> [u8; CELLS] {
    let mut table = [BOUNDARY; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        let start = (cell as u128) << 64;
        let count = count_at(start);
        if count == count_at(start + (1 << 64) - 1) {
            table[cell] = count;
        }
        cell += 1;
    }
    table
}

/// How many values of the distribution function do not exceed the number.
const fn count_at(number: u128) -> u8 {
    let mut count = 0;
    while count < COUNTS && BELOW[count] <= number {
        count += 1;
    }
    count as u8
}

/// A Poisson count that begins with the given cell.
#[inline]
fn in_cell(cell: u64, stream: &mut Stream) -> u8 {
    match TABLE[(cell & MASK) as usize] {
        BOUNDARY => beyond_the_table(cell & MASK, stream),
        count => count,
    }
}

#[cold]
fn beyond_the_table(cell: u64, stream: &mut Stream) -> u8 {
    count_at(u128::from(cell) << 64 | u128::from(stream.next()))
}

/// Fills with independent Poisson counts of mean 1.
fn poisson(counts: &mut [u8], stream: &mut Stream) {
    let mut batches = counts.chunks_exact_mut(BATCH);
    for batch in &mut batches {
        let mut word = stream.next();
        for count in batch {
            *count = in_cell(word, stream);
            word >>= BITS;
        }
    }
    let mut word = stream.next();
    for count in batches.into_remainder() {
        *count = in_cell(word, stream);
        word >>= BITS;
    }
}

/// Draws or takes away units until the counts of `units` units, now `sum`, are as many. `at` says where the i-th one is.
fn settle(
    counts: &mut [u8],
    units: usize,
    at: impl Fn(usize) -> usize,
    mut sum: usize,
    stream: &mut Stream,
) {
    if let Some(drawn) = Units::new(units) {
        while sum < units {
            counts[at(drawn.draw(stream))] += 1;
            sum += 1;
        }
    }
    if sum == units {
        return;
    }
    // What is taken away is any of the draws: a unit and one of `most` places, if the unit's draws fill that place.
    let most = (0..units).fold(0, |most, i| most.max(counts[at(i)]));
    let most = usize::from(most);
    if let Some(places) = Units::new(units * most) {
        while sum > units {
            let place = places.draw(stream);
            let count = &mut counts[at(place / most)];
            if place % most < usize::from(*count) {
                *count -= 1;
                sum -= 1;
            }
        }
    }
}

/// The sum of counts, in pieces whose sum cannot overflow, so that no addition need be checked.
fn total(counts: &[u8]) -> usize {
    let piece = |piece: &[u8]| {
        let sum = piece
            .iter()
            .fold(0_u32, |sum, &count| sum.wrapping_add(count.into()));
        sum as usize
    };
    counts.chunks(1 << 16).map(piece).sum()
}

/// Multinomial counts: of all units together, or of each stratum by itself. `strata` lists the units of each stratum.
pub(super) fn draw(counts: &mut [u8], strata: &[Vec<u32>], stream: &mut Stream) {
    poisson(counts, stream);
    if strata.is_empty() {
        settle(counts, counts.len(), |i| i, total(counts), stream);
    }
    for stratum in strata {
        let sum = stratum
            .iter()
            .map(|&i| usize::from(counts[i as usize]))
            .sum();
        settle(counts, stratum.len(), |i| stratum[i] as usize, sum, stream);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
mod tests {
    use super::*;

    #[test]
    fn the_distribution_is_poisson() {
        let mut probability = (-1.0_f64).exp();
        let mut below = 0.0;
        for (k, value) in BELOW.iter().enumerate() {
            below += probability;
            assert!((*value as f64 / 2_f64.powi(PRECISION as i32) - below).abs() < 1e-15);
            probability /= (k + 1) as f64;
        }
        // The part that is left out is less than the last bit.
        assert!((1_u128 << PRECISION) - BELOW[COUNTS - 1] <= COUNTS as u128);
    }

    #[test]
    fn a_cell_holds_the_count_of_all_its_numbers() {
        let boundaries = TABLE.iter().filter(|count| **count == BOUNDARY).count();
        assert!(boundaries < 8, "{boundaries}");
        for (cell, &count) in TABLE.iter().enumerate() {
            let start = (cell as u128) << 64;
            for number in [start, start + (1 << 63), start + (1 << 64) - 1] {
                assert!(count == BOUNDARY || count == count_at(number));
            }
        }
        // P(X > 9) = 1.1e-7 and P(X > 10) = 1.0e-8.
        assert_eq!(count_at((1 << PRECISION) - (1 << (PRECISION - 26))), 10);
    }

    #[test]
    fn a_boundary_takes_more_bits() {
        let cell = TABLE.iter().position(|count| *count == BOUNDARY).unwrap() as u64;
        let mut found = [0; 3];
        let mut stream = Stream::new(1, 1);
        for _ in 0..10_000 {
            found[usize::from(in_cell(cell, &mut stream))] += 1;
        }
        // The first boundary parts counts 0 and 1, at exp(-1) 4096 = 1506.8.
        let share = 0.8342;
        assert_eq!(cell, 1506);
        assert!((f64::from(found[0]) / 10_000.0 - share).abs() < 0.02);
        assert_eq!(found[2], 0);
    }

    #[test]
    fn counts_have_the_moments_of_the_multinomial_distribution() {
        // Of 5 units: variance 4/5, covariance -1/5, third central moment 5 p (1 - p) (1 - 2p) = 0.48.
        let (mut square, mut product, mut cube) = (0.0, 0.0, 0.0);
        let rounds = 400_000;
        for round in 0..rounds {
            let mut counts = [0; 5];
            draw(&mut counts, &[], &mut Stream::new(3, round));
            assert_eq!(counts.iter().map(|c| u32::from(*c)).sum::<u32>(), 5);
            let [x, y] = [counts[0], counts[4]].map(|count| f64::from(count) - 1.0);
            square += x * x;
            product += x * y;
            cube += x * x * x;
        }
        let mean = |sum: f64| sum / rounds as f64;
        // Four standard errors are about 0.008, 0.005 and 0.03.
        assert!((mean(square) - 0.8).abs() < 0.008, "{}", mean(square));
        assert!((mean(product) + 0.2).abs() < 0.006, "{}", mean(product));
        assert!((mean(cube) - 0.48).abs() < 0.03, "{}", mean(cube));
    }

    #[test]
    fn every_outcome_of_three_units_has_its_multinomial_probability() {
        // 27 equally likely sequences of draws; the outcome (x, y, z) has 3! / (x! y! z!) of them.
        let mut seen = std::collections::BTreeMap::new();
        let rounds = 270_000;
        for round in 0..rounds {
            let mut counts = [0; 3];
            draw(&mut counts, &[], &mut Stream::new(5, round));
            *seen.entry(counts).or_insert(0.0) += 1.0;
        }
        let factorial = [1.0, 1.0, 2.0, 6.0];
        let chi_square: f64 = seen
            .iter()
            .map(|(counts, found)| {
                let ways: f64 = counts.iter().map(|c| factorial[usize::from(*c)]).product();
                let expected = rounds as f64 * 6.0 / ways / 27.0;
                (found - expected) * (found - expected) / expected
            })
            .sum();
        // 10 outcomes: 9 degrees of freedom, 99.9% quantile 27.9.
        assert_eq!(seen.len(), 10);
        assert!(chi_square < 27.9, "{chi_square}");
    }

    #[test]
    fn each_stratum_keeps_its_size() {
        let strata = [vec![0, 2, 4, 6, 8], vec![1, 3], vec![5], vec![7, 9]];
        for round in 0..200 {
            let mut counts = [0; 10];
            draw(&mut counts, &strata, &mut Stream::new(7, round));
            for stratum in &strata {
                let sum: usize = stratum
                    .iter()
                    .map(|&i| usize::from(counts[i as usize]))
                    .sum();
                assert_eq!(sum, stratum.len());
            }
        }
    }

    #[test]
    fn a_single_unit_and_none_are_drawn() {
        let mut stream = Stream::new(0, 0);
        let mut counts = [0];
        draw(&mut counts, &[], &mut stream);
        assert_eq!(counts, [1]);
        draw(&mut [], &[], &mut stream);
    }
}
