//! Far tails that few rankings reach: those rankings, one by one.

use std::collections::HashMap;

use super::law::{Gain, Law};
use crate::interrupt;

/// The logarithms of P(S > x) and P(S = x), from the rankings that reach `x`; `None` if that takes more than `limit`
/// visits, or if a hit may gain by moving down.
///
/// Hits are placed from the top. When the hits placed leave `x` out of reach even with all others right behind them,
/// moving the last one further down cannot help. So every visit leads to a ranking that counts.
///
/// ```
/// use certus_core::chance::{Gain, Law, few_above};
///
/// let law = Law::new(40, 2, Gain::Times((1..=40).map(|t| 1.0 / t as f64).collect())).unwrap();
/// // Only ranks 1 and 2 give 2; 1 and 3 give 1 + 2/3.
/// let (above, at) = few_above(&law, 1.0 + 2.0 / 3.0, 1000).unwrap();
/// assert!((above + 780f64.ln()).abs() < 1e-13 && (at + 780f64.ln()).abs() < 1e-13);
/// ```
#[must_use]
pub fn few_above(law: &Law, x: f64, limit: usize) -> Option<(f64, f64)> {
    let Gain::Times(weights) = &law.gain else {
        return None;
    };
    let falling = weights.windows(2).all(|pair| pair[0] >= pair[1]);
    if !law.blocks.is_empty() || !falling || weights.last()? < &0.0 || law.most() > DEEPEST {
        return None;
    }
    let (least, most) = law.range();
    let places = law.most() + 1;
    let mut search = Search {
        law,
        weights,
        x,
        slack: 1e-12 * (most - least),
        runs: HashMap::new(),
        above: vec![0; places],
        at: vec![0; places],
        visits: limit,
    };
    search.visit(0, 0, 0.0)?;
    let chance = |counts: &[u64]| {
        let each = counts.iter().enumerate().filter(|(_, count)| **count > 0);
        let logs: Vec<f64> = each
            .map(|(j, count)| (*count as f64).ln() + search.arrangement(j))
            .collect();
        let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if most == f64::NEG_INFINITY {
            return most;
        }
        most + logs.iter().map(|log| (log - most).exp()).sum::<f64>().ln()
    };
    Some((chance(&search.above), chance(&search.at)))
}

/// More hits than this would go too deep into the stack.
const DEEPEST: usize = 2000;

struct Search<'a> {
    law: &'a Law,
    weights: &'a [f64],
    x: f64,
    slack: f64,
    /// For each number of others above: what the first hits would add if all stood right behind those others.
    runs: HashMap<usize, Vec<f64>>,
    /// By number of hits above the cutoff: arrangements with a greater sum, and with this one.
    above: Vec<u64>,
    at: Vec<u64>,
    visits: usize,
}

impl Search<'_> {
    /// `hits` are placed, the last at rank `last`.
    fn visit(&mut self, hits: usize, last: usize, sum: f64) -> Option<()> {
        let (n, m, k) = (self.law.items, self.law.hits, self.weights.len());
        if m - hits <= n - k {
            if sum > self.x + self.slack {
                self.above[hits] += 1;
            } else if sum >= self.x - self.slack {
                self.at[hits] += 1;
            }
        }
        if hits == m {
            return Some(());
        }
        for rank in last + 1..=k.min(n - (m - hits - 1)) {
            let next = sum + self.weights[rank - 1] * (hits + 1) as f64;
            if next + self.rest(rank - hits - 1, hits + 1) < self.x - self.slack {
                break;
            }
            self.visits = self.visits.checked_sub(1)?;
            interrupt::at(self.visits);
            self.visit(hits + 1, rank, next)?;
        }
        Some(())
    }

    /// What the hits behind the first `hits` add at most, with so many others above.
    fn rest(&mut self, others: usize, hits: usize) -> f64 {
        let most = self.law.most();
        let run = self.runs.entry(others).or_default();
        if run.is_empty() {
            run.push(0.0);
            let mut sum = 0.0;
            for r in 1..=most {
                sum += self.weights.get(others + r - 1).unwrap_or(&0.0) * r as f64;
                run.push(sum);
            }
        }
        run[most] - run[hits]
    }

    /// The log of the chance that the ranks above the cutoff hold hits at `hits` given places and nowhere else.
    fn arrangement(&self, hits: usize) -> f64 {
        let (n, m, k) = (self.law.items, self.law.hits, self.weights.len());
        let of_hits = (0..hits).map(|i| ((m - i) as f64 / (n - i) as f64).ln());
        let of_others =
            (0..k - hits).map(|i| ((n - m).saturating_sub(i) as f64 / (n - hits - i) as f64).ln());
        of_hits.sum::<f64>() + of_others.sum::<f64>()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::chance::naive;

    #[test]
    fn few_rankings_are_those_of_all() {
        let mut seen = 0;
        for law in naive::laws() {
            let all = naive::sums(&law);
            for &(x, _) in &all {
                if let Some((above, here)) = few_above(&law, x, 10_000) {
                    let (tail, at) = naive::chances(&all, x);
                    assert!((here.exp() - at).abs() < 1e-13, "{law:?} {x}");
                    assert!((above.exp() + here.exp() - tail).abs() < 1e-13, "{law:?}");
                    seen += 1;
                }
            }
        }
        assert!(seen > 1000);
    }

    #[test]
    fn a_long_search_is_given_up() {
        let law = Law::new(60, 30, Gain::Times(naive::inverse(60))).unwrap();
        assert_eq!(few_above(&law, 0.0, 1000), None);
    }
}
