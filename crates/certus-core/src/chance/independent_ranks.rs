//! Products over ranks that hold one of several gains each, at many angles: what a graded sum's transform is made of.

use std::ops::Range;

use crate::underflow::{NEGLIGIBLE, flush};
use crate::{interrupt, threads};

/// Ranks that hold one of some gains, independently of each other.
#[derive(Clone, Debug)]
pub struct IndependentRanks<'a> {
    /// The chance of each gain but the most common one, rank by rank.
    pub chances: &'a [f64],
    /// What each of these gains adds at each rank, rank by rank.
    pub sizes: &'a [f64],
    /// How many such gains there are.
    pub kinds: usize,
}

/// Nodes that are taken together.
const LANES: usize = 64;
/// Ranks after which products that have sunk to nothing are set to 0.
const SINKING: usize = 16;

/// E exp(i u S + i angle . numbers) at each `u`, summed over the nodes with their factors `back`: `angles` has the
/// nodes' angles, those of the first gain first, S the sum of the ranks' sizes, numbers of how many ranks hold each gain.
///
/// The second part is the sum over some nodes only, of the sizes of what they add.
///
/// ```
/// use certus_core::chance::{IndependentRanks, conditional_transform};
///
/// // One rank that holds a gain of 2 with chance 1/4: E exp(iuS) = 3/4 + 1/4 exp(2iu), times a factor of 1.
/// let ranks = IndependentRanks { chances: &[0.25], sizes: &[2.0], kinds: 1 };
/// let found = conditional_transform(&ranks, &[0.5], &[0.0], &[1.0], &[0.0], &[true]);
/// assert!((found[0].0 - (0.75 + 0.25 * 1f64.cos())).abs() < 1e-15);
/// assert!((found[0].1 - 0.25 * 1f64.sin()).abs() < 1e-15);
/// assert!((found[0].2 - found[0].0.hypot(found[0].1)).abs() < 1e-15);
/// ```
#[must_use]
pub fn conditional_transform(
    ranks: &IndependentRanks<'_>,
    u: &[f64],
    angles: &[f64],
    back_re: &[f64],
    back_im: &[f64],
    edge: &[bool],
) -> Vec<(f64, f64, f64)> {
    let nodes = back_re.len();
    let blocks = nodes.div_ceil(LANES);
    let each = |range: Range<usize>| -> Vec<(f64, f64, f64)> {
        range
            .map(|index| {
                interrupt::poll();
                let mut sum = (0.0, 0.0, 0.0);
                let factors = factors(ranks, u[index / blocks.max(1)]);
                let first = index % blocks.max(1) * LANES;
                let last = nodes.min(first + LANES);
                let (re, im) = product(ranks, &factors, angles, nodes, first..last);
                for (lane, node) in (first..last).enumerate() {
                    let (a, b) = (
                        re[lane] * back_re[node] - im[lane] * back_im[node],
                        re[lane] * back_im[node] + im[lane] * back_re[node],
                    );
                    sum.0 += a;
                    sum.1 += b;
                    if edge[node] {
                        sum.2 += a.hypot(b);
                    }
                }
                sum
            })
            .collect()
    };
    let parts = threads::map(u.len() * blocks, 4, each);
    let add = |parts: &[(f64, f64, f64)]| {
        parts.iter().fold((0.0, 0.0, 0.0), |sum, part| {
            (sum.0 + part.0, sum.1 + part.1, sum.2 + part.2)
        })
    };
    if blocks == 0 {
        return vec![(0.0, 0.0, 0.0); u.len()];
    }
    parts.chunks(blocks).map(add).collect()
}

/// Chance times exp(i u size), rank by rank.
fn factors(ranks: &IndependentRanks<'_>, u: f64) -> Vec<(f64, f64)> {
    let each = ranks.chances.iter().zip(ranks.sizes);
    each.map(|(chance, size)| {
        let (sin, cos) = (u * size).sin_cos();
        (chance * cos, chance * sin)
    })
    .collect()
}

fn product(
    ranks: &IndependentRanks<'_>,
    factors: &[(f64, f64)],
    angles: &[f64],
    nodes: usize,
    range: Range<usize>,
) -> ([f64; LANES], [f64; LANES]) {
    let mut turns = vec![([1.0; LANES], [0.0; LANES]); ranks.kinds];
    for (kind, (cos, sin)) in turns.iter_mut().enumerate() {
        for (lane, node) in range.clone().enumerate() {
            (sin[lane], cos[lane]) = angles[kind * nodes + node].sin_cos();
        }
    }
    let (mut re, mut im) = ([1.0; LANES], [0.0; LANES]);
    let each = ranks
        .chances
        .chunks(ranks.kinds)
        .zip(factors.chunks(ranks.kinds));
    for (number, (chances, factors)) in each.enumerate() {
        let (mut a, mut b) = ([1.0 - chances.iter().sum::<f64>(); LANES], [0.0; LANES]);
        for ((x, y), (cos, sin)) in factors.iter().zip(&turns) {
            for lane in 0..LANES {
                a[lane] += x * cos[lane] - y * sin[lane];
                b[lane] += x * sin[lane] + y * cos[lane];
            }
        }
        for lane in 0..LANES {
            let (c, d) = (re[lane], im[lane]);
            re[lane] = c * a[lane] - d * b[lane];
            im[lane] = c * b[lane] + d * a[lane];
        }
        if number % SINKING == SINKING - 1 {
            interrupt::poll();
            flush(&mut re, NEGLIGIBLE);
            flush(&mut im, NEGLIGIBLE);
        }
    }
    (re, im)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::underflow::census;

    /// One node and one frequency at a time, by polar coordinates.
    fn naive(ranks: &IndependentRanks<'_>, u: f64, angles: &[f64]) -> (f64, f64) {
        let (mut size, mut turn) = (1.0_f64, 0.0_f64);
        for (chances, sizes) in ranks
            .chances
            .chunks(ranks.kinds)
            .zip(ranks.sizes.chunks(ranks.kinds))
        {
            let (mut a, mut b) = (1.0 - chances.iter().sum::<f64>(), 0.0);
            for ((p, s), angle) in chances.iter().zip(sizes).zip(angles) {
                a += p * (u * s + angle).cos();
                b += p * (u * s + angle).sin();
            }
            size *= a.hypot(b);
            turn += b.atan2(a);
        }
        (size * turn.cos(), size * turn.sin())
    }

    #[test]
    fn sums_over_nodes_are_those_of_single_products() {
        let number = |i: usize| (i as f64 * 0.7).sin().abs();
        let chances: Vec<f64> = (0..14).map(|i| 0.4 * number(i)).collect();
        let sizes: Vec<f64> = (0..14).map(|i| 3.0 * number(i + 5)).collect();
        let ranks = IndependentRanks {
            chances: &chances,
            sizes: &sizes,
            kinds: 2,
        };
        let nodes = 150;
        let angles: Vec<f64> = (0..2 * nodes).map(|i| 3.0 * number(i + 9)).collect();
        let back_re: Vec<f64> = (0..nodes).map(|i| number(i + 2)).collect();
        let back_im: Vec<f64> = (0..nodes).map(|i| number(i + 3)).collect();
        let edge: Vec<bool> = (0..nodes).map(|i| i % 3 == 0).collect();
        let u = [0.0, 0.3, 2.0];
        let found = conditional_transform(&ranks, &u, &angles, &back_re, &back_im, &edge);
        for (u, found) in u.iter().zip(&found) {
            let mut sum = (0.0, 0.0, 0.0);
            for node in 0..nodes {
                let (a, b) = naive(&ranks, *u, &[angles[node], angles[nodes + node]]);
                let part = (
                    a * back_re[node] - b * back_im[node],
                    a * back_im[node] + b * back_re[node],
                );
                sum.0 += part.0;
                sum.1 += part.1;
                if edge[node] {
                    sum.2 += part.0.hypot(part.1);
                }
            }
            assert!((found.0 - sum.0).abs() < 1e-12 && (found.1 - sum.1).abs() < 1e-12);
            assert!((found.2 - sum.2).abs() < 1e-12);
        }
        assert_eq!(
            conditional_transform(&ranks, &[1.0], &[], &[], &[], &[]),
            [(0.0, 0.0, 0.0)]
        );
    }

    #[test]
    fn no_subnormal_number_circulates() {
        let sizes: Vec<f64> = (2..8_000).map(|rank| 1.0 / f64::from(rank).ln()).collect();
        let chances = vec![0.3; sizes.len()];
        let ranks = IndependentRanks {
            chances: &chances,
            sizes: &sizes,
            kinds: 1,
        };
        let angles: Vec<f64> = (0..64).map(|i| 0.1 * f64::from(i)).collect();
        let (ones, edge) = ([1.0; 64], [false; 64]);
        let work = || product(&ranks, &factors(&ranks, 0.5), &angles, 64, 0..64);
        let (flushed, left) = census::compared(0.1, work);
        let close = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-289);
        assert!(close(&flushed.0, &left.0) && close(&flushed.1, &left.1));
        let sums = || conditional_transform(&ranks, &[0.01], &angles, &ones, &ones, &edge);
        let (flushed, left) = census::compared(0.0, sums);
        assert_eq!(flushed, left);
    }
}
