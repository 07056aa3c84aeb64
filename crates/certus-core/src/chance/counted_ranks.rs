//! A graded sum's transform where few items have a gain: the numbers of each gain so far are counted, rank by rank.

use super::independent_ranks::IndependentRanks;
use crate::underflow::{NEGLIGIBLE, flush};
use crate::{interrupt, threads};

/// Frequencies that are taken together.
const LANES: usize = 32;
/// Ranks after which weights that have sunk to nothing are set to 0.
const SINKING: usize = 16;

/// E exp(i u S) summed over how many ranks hold each gain, each set of numbers times its factor `ends`, at each `u`.
///
/// The numbers go from 0 to `counts`, those of the last gain fastest.
///
/// ```
/// use certus_core::chance::{IndependentRanks, counted_transform};
///
/// // One rank that holds a gain of 2 with chance 1/4: no such rank counts once, one counts three times.
/// let ranks = IndependentRanks { chances: &[0.25], sizes: &[2.0], kinds: 1 };
/// let found = counted_transform(&ranks, &[0.5], &[1], &[1.0, 3.0]);
/// assert!((found[0].0 - (0.75 + 0.75 * 1f64.cos())).abs() < 1e-15);
/// assert!((found[0].1 - 0.75 * 1f64.sin()).abs() < 1e-15);
/// ```
#[must_use]
pub fn counted_transform(
    ranks: &IndependentRanks<'_>,
    u: &[f64],
    counts: &[usize],
    ends: &[f64],
) -> Vec<(f64, f64)> {
    let states = States::new(counts, ends.len());
    let blocks: Vec<&[f64]> = u.chunks(LANES).collect();
    threads::map(blocks.len(), 1, |range| {
        blocks[range]
            .iter()
            .flat_map(|u| block(ranks, u, &states, ends))
            .collect()
    })
}

/// The sets of numbers: for each, by gain, the place of the set with one fewer, if there is one.
struct States(Vec<Option<usize>>);

impl States {
    fn new(counts: &[usize], size: usize) -> Self {
        let mut before = Vec::with_capacity(size * counts.len());
        for place in 0..size {
            let mut stride = size;
            for &count in counts {
                stride /= count + 1;
                let number = place / stride % (count + 1);
                before.push((number > 0).then(|| place - stride));
            }
        }
        Self(before)
    }
}

type Lane = [f64; LANES];

fn block(
    ranks: &IndependentRanks<'_>,
    u: &[f64],
    states: &States,
    ends: &[f64],
) -> Vec<(f64, f64)> {
    let (mut re, mut im) = (
        vec![[0.0; LANES]; ends.len()],
        vec![[0.0; LANES]; ends.len()],
    );
    re[0] = [1.0; LANES];
    let mut turns = vec![([0.0; LANES], [0.0; LANES]); ranks.kinds];
    let each = ranks
        .chances
        .chunks(ranks.kinds)
        .zip(ranks.sizes.chunks(ranks.kinds));
    for (number, (chances, sizes)) in each.enumerate() {
        interrupt::poll();
        for ((cos, sin), (chance, size)) in turns.iter_mut().zip(chances.iter().zip(sizes)) {
            for (lane, u) in u.iter().enumerate() {
                let (b, a) = (u * size).sin_cos();
                (cos[lane], sin[lane]) = (chance * a, chance * b);
            }
        }
        rank(
            &mut re,
            &mut im,
            &turns,
            states,
            1.0 - chances.iter().sum::<f64>(),
        );
        if number % SINKING == SINKING - 1 {
            flush(re.as_flattened_mut(), NEGLIGIBLE);
            flush(im.as_flattened_mut(), NEGLIGIBLE);
        }
    }
    (0..u.len())
        .map(|lane| {
            let sum = |part: &[Lane]| -> f64 {
                let each = ends.iter().zip(part);
                each.map(|(end, state)| end * state[lane]).sum()
            };
            (sum(&re), sum(&im))
        })
        .collect()
}

/// One rank more: the sets with the most go first, as each takes from those with one fewer.
fn rank(re: &mut [Lane], im: &mut [Lane], turns: &[(Lane, Lane)], states: &States, none: f64) {
    for place in (0..re.len()).rev() {
        let ((re_before, re_here), (im_before, im_here)) =
            (re.split_at_mut(place), im.split_at_mut(place));
        let (a, b) = (&mut re_here[0], &mut im_here[0]);
        for lane in 0..LANES {
            a[lane] *= none;
            b[lane] *= none;
        }
        let before = &states.0[place * turns.len()..][..turns.len()];
        for ((cos, sin), from) in turns.iter().zip(before) {
            let Some(from) = *from else { continue };
            let (c, d) = (&re_before[from], &im_before[from]);
            for lane in 0..LANES {
                a[lane] += c[lane] * cos[lane] - d[lane] * sin[lane];
                b[lane] += c[lane] * sin[lane] + d[lane] * cos[lane];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::underflow::census;

    #[test]
    fn the_numbers_are_those_of_all_ways_to_fill_the_ranks() {
        let number = |i: usize| (i as f64 * 0.7).sin().abs();
        let chances: Vec<f64> = (0..12).map(|i| 0.4 * number(i)).collect();
        let sizes: Vec<f64> = (0..12).map(|i| 3.0 * number(i + 5)).collect();
        let ranks = IndependentRanks {
            chances: &chances,
            sizes: &sizes,
            kinds: 2,
        };
        let counts = [3, 2];
        let ends: Vec<f64> = (0..12).map(|i| number(i + 9)).collect();
        let u: Vec<f64> = (0..40).map(|i| 0.1 * f64::from(i)).collect();
        let found = counted_transform(&ranks, &u, &counts, &ends);
        assert_eq!(found.len(), u.len());
        for (u, found) in u.iter().zip(found) {
            let (mut a, mut b) = (0.0, 0.0);
            for way in 0..3_usize.pow(6) {
                let (mut weight, mut sum, mut numbers) = (1.0, 0.0, [0, 0]);
                for rank in 0..6 {
                    let held = way / 3_usize.pow(rank) % 3;
                    let first = 2 * rank as usize;
                    if held == 0 {
                        weight *= 1.0 - chances[first] - chances[first + 1];
                    } else {
                        weight *= chances[first + held - 1];
                        sum += sizes[first + held - 1];
                        numbers[held - 1] += 1;
                    }
                }
                if numbers[0] <= counts[0] && numbers[1] <= counts[1] {
                    weight *= ends[numbers[0] * 3 + numbers[1]];
                    a += weight * (u * sum).cos();
                    b += weight * (u * sum).sin();
                }
            }
            assert!((found.0 - a).abs() < 1e-13 && (found.1 - b).abs() < 1e-13);
        }
        assert!(counted_transform(&ranks, &[], &counts, &ends).is_empty());
    }

    #[test]
    fn no_subnormal_number_circulates() {
        let chances = vec![0.05; 20_000];
        let sizes: Vec<f64> = (0..20_000).map(|i| 1.0 / f64::from(i + 1)).collect();
        let ranks = IndependentRanks {
            chances: &chances,
            sizes: &sizes,
            kinds: 1,
        };
        let (states, u) = (States::new(&[40], 41), [0.3, 2.0]);
        let (flushed, left) = census::compared(0.01, || block(&ranks, &u, &states, &[1.0; 41]));
        let close = |a: f64, b: f64| (a - b).abs() <= 1e-288;
        let pairs = flushed.iter().zip(&left);
        assert!(
            pairs
                .into_iter()
                .all(|(a, b)| close(a.0, b.0) && close(a.1, b.1))
        );
    }
}
