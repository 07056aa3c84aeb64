//! Where the hits of a tie group fall when its documents are put in random order: exact probabilities, stable for
//! groups of thousands. Every distribution is walked by ratios of neighbouring probabilities, so no binomial
//! coefficient is ever formed.

use crate::underflow::NEGLIGIBLE;

/// Calls `visit(i, j, p)` with the probability `p` that position `i` (from 1, up to `upto`) of a group of `size`
/// documents holds the `j`-th of its `hits` hits, C(i-1, j-1) C(size-i, hits-j) / C(size, hits).
///
/// ```
/// use certus_core::ranking::chance::placements;
///
/// let mut seen = vec![];
/// placements(3, 2, 3, |i, j, p| seen.push((i, j, (3.0 * p).round())));
/// assert_eq!(seen, [(1, 1, 2.0), (2, 1, 1.0), (2, 2, 1.0), (3, 2, 2.0)]);
/// ```
pub fn placements(size: u32, hits: u32, upto: u32, mut visit: impl FnMut(u32, u32, f64)) {
    if hits == 0 {
        return;
    }
    let share = f64::from(hits) / f64::from(size);
    // Given a hit at position i, chances[h] is the probability that h of the others came before.
    let (others, rest) = (hits - 1, size - 1);
    let mut chances = vec![0.0; hits as usize + 1];
    chances[0] = 1.0;
    let (mut low, mut high) = (0, 0);
    for before in 0..upto.min(size) {
        for h in low..=high {
            visit(before + 1, h + 1, share * chances[h as usize]);
        }
        if before == rest {
            return;
        }
        let left = f64::from(rest - before);
        for h in (low..=high).rev() {
            let hits_left = f64::from(others - h);
            let chance = chances[h as usize];
            chances[h as usize + 1] += chance * (hits_left / left);
            chances[h as usize] = chance * ((left - hits_left) / left);
        }
        high = (high + 1).min(others);
        while low < high && chances[low as usize] < NEGLIGIBLE {
            chances[low as usize] = 0.0;
            low += 1;
        }
        while high > low && chances[high as usize] < NEGLIGIBLE {
            chances[high as usize] = 0.0;
            high -= 1;
        }
    }
}

/// How many of the `hits` among `size` documents are among the first `draws`: each number with its probability.
///
/// ```
/// use certus_core::ranking::chance::hypergeometric;
///
/// assert_eq!(hypergeometric(2, 1, 4), [(0, 0.5), (1, 0.5)]);
/// ```
pub fn hypergeometric(draws: u32, hits: u32, size: u32) -> Vec<(u32, f64)> {
    let (n, k, all) = (u64::from(draws), u64::from(hits), u64::from(size));
    let low = (n + k).saturating_sub(all);
    let high = n.min(k);
    let mode = (n + 1) * (k + 1) / (all + 2);
    by_ratios(low, high, mode, |h| {
        let up = (k - h) as f64 * (n - h) as f64;
        let down = (h + 1) as f64 * (all + h + 1 - k - n) as f64;
        up / down
    })
}

/// At which position the `j`-th of the `hits` among `size` documents stands: each position with its probability.
///
/// ```
/// use certus_core::ranking::chance::position_of_hit;
///
/// assert_eq!(position_of_hit(1, 1, 4), [(1, 0.25), (2, 0.25), (3, 0.25), (4, 0.25)]);
/// ```
pub fn position_of_hit(j: u32, hits: u32, size: u32) -> Vec<(u32, f64)> {
    let (j, r, s) = (u64::from(j), u64::from(hits), u64::from(size));
    let mode = if r == 1 { j } else { s * (j - 1) / (r - 1) + 1 };
    by_ratios(j, s - r + j, mode, |i| {
        let up = i as f64 * (s + j - i - r) as f64;
        let down = (i + 1 - j) as f64 * (s - i) as f64;
        up / down
    })
}

/// The distribution on `low..=high` with p(x + 1) / p(x) = `ratio(x)`, built outward from near its mode.
fn by_ratios(low: u64, high: u64, mode: u64, ratio: impl Fn(u64) -> f64) -> Vec<(u32, f64)> {
    let mode = mode.clamp(low, high);
    let mut weights = Vec::new();
    let mut weight = 1.0;
    for x in (low..mode).rev() {
        weight /= ratio(x);
        if weight < NEGLIGIBLE {
            break;
        }
        weights.push((x as u32, weight));
    }
    weights.reverse();
    weights.push((mode as u32, 1.0));
    weight = 1.0;
    for x in mode..high {
        weight *= ratio(x);
        if weight < NEGLIGIBLE {
            break;
        }
        weights.push((x as u32 + 1, weight));
    }
    let total: f64 = weights.iter().map(|(_, weight)| weight).sum();
    for (_, weight) in &mut weights {
        *weight /= total;
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(n: u32, k: u32) -> f64 {
        if k > n {
            0.0
        } else {
            (0..k).fold(1.0, |c, i| c * f64::from(n - i) / f64::from(i + 1))
        }
    }

    #[test]
    fn placements_are_ratios_of_binomials() {
        for size in 1..9 {
            for hits in 1..=size {
                let mut cells = 0;
                placements(size, hits, size, |i, j, p| {
                    let exact =
                        choose(i - 1, j - 1) * choose(size - i, hits - j) / choose(size, hits);
                    assert!(
                        (p - exact).abs() < 1e-14,
                        "{size} {hits} {i} {j}: {p} {exact}"
                    );
                    cells += 1;
                });
                assert_eq!(cells, hits * (size - hits + 1));
            }
        }
    }

    #[test]
    fn distributions_are_ratios_of_binomials() {
        for size in 1..9 {
            for hits in 0..=size {
                for draws in 0..=size {
                    for (h, p) in hypergeometric(draws, hits, size) {
                        let exact =
                            choose(hits, h) * choose(size - hits, draws - h) / choose(size, draws);
                        assert!((p - exact).abs() < 1e-14);
                    }
                }
                for j in 1..=hits {
                    for (i, p) in position_of_hit(j, hits, size) {
                        let exact =
                            choose(i - 1, j - 1) * choose(size - i, hits - j) / choose(size, hits);
                        assert!((p - exact).abs() < 1e-14);
                    }
                }
            }
        }
    }

    #[test]
    fn groups_of_thousands_keep_total_and_mean() {
        let (size, hits) = (6000, 2500);
        let (mut total, mut mean) = (0.0, 0.0);
        placements(size, hits, size, |i, _, p| {
            total += p;
            mean += p * f64::from(i);
        });
        assert!((total / f64::from(hits) - 1.0).abs() < 1e-11);
        assert!((mean / f64::from(hits) / 3000.5 - 1.0).abs() < 1e-11);
        let mean: f64 = position_of_hit(1000, hits, size)
            .iter()
            .map(|&(i, p)| f64::from(i) * p)
            .sum();
        assert!((mean / (1000.0 * 6001.0 / 2501.0) - 1.0).abs() < 1e-11);
        let mean: f64 = hypergeometric(700, hits, size)
            .iter()
            .map(|&(h, p)| f64::from(h) * p)
            .sum();
        assert!((mean / (700.0 * 2500.0 / 6000.0) - 1.0).abs() < 1e-11);
    }
}
