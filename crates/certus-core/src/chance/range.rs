//! The ends of a law.

use super::law::{Gain, Law};
use super::step::{Block, Step};
use crate::interrupt;

impl Law {
    /// The least and the greatest sum, from the gains: ranks without one are not walked through.
    ///
    /// ```
    /// use certus_core::chance::{Gain, Law};
    ///
    /// let law = Law::new(4_000_000_000, 2_000_000_000, Gain::Above(vec![0.5, -1.0])).unwrap();
    /// assert_eq!(law.range(), (-2e9, 1e9));
    /// ```
    #[must_use]
    pub fn range(&self) -> (f64, f64) {
        let others = self.items - self.hits;
        match &self.gain {
            _ if !self.blocks.is_empty() => {}
            Gain::Times(w) => {
                if w.windows(2).all(|pair| pair[0] >= pair[1])
                    && w.last().is_none_or(|&last| last >= 0.0)
                {
                    // Hits gain by moving up.
                    let sum = |start: usize| -> f64 {
                        let ranks = w.iter().skip(start).take(self.hits);
                        ranks.zip(1_u32..).map(|(w, r)| w * f64::from(r)).sum()
                    };
                    return (sum(others), sum(0));
                }
            }
            Gain::Rank(w) => return self.of_ranks(w),
            Gain::First(w) if self.hits > 0 => return ends(w, others + 1, 1),
            // All hits may have the same number of others above.
            Gain::Above(table) if self.hits > 0 => return ends(table, others + 1, self.hits),
            Gain::First(_) | Gain::Above(_) => return (0.0, 0.0),
        }
        (-self.best(-1.0), self.best(1.0))
    }

    /// Any ranks may hold the hits: the greatest gains, and the least ones.
    fn of_ranks(&self, weights: &[f64]) -> (f64, f64) {
        let mut falling = weights.to_vec();
        falling.sort_by(|a, b| b.total_cmp(a));
        // Hits that find no place among ranks without a gain.
        let forced = self.hits.saturating_sub(self.items - weights.len());
        let most = self.hits.min(weights.len());
        let taken = |sorted: &mut dyn Iterator<Item = &f64>, sign: f64| {
            let chosen = sorted.take(most).enumerate();
            chosen
                .take_while(|&(place, &w)| place < forced || sign * w > 0.0)
                .count()
        };
        let (high, low) = (
            taken(&mut falling.iter(), 1.0),
            taken(&mut falling.iter().rev(), -1.0),
        );
        // In one order, so that both ends are the same number where all ranks are hits.
        let sum = |part: &[f64]| part.iter().sum::<f64>();
        (sum(&falling[falling.len() - low..]), sum(&falling[..high]))
    }

    /// The greatest sum of `sign` times the gains, step by step.
    fn best(&self, sign: f64) -> f64 {
        let mut best = vec![f64::NEG_INFINITY; self.most() + 1];
        best[0] = 0.0;
        let mut end = 0;
        for (above, step) in self.each_step() {
            interrupt::poll();
            match step {
                Step::Block(block) => {
                    best = self.best_of_group(&best, above, &block, sign);
                    end = above + block.size;
                }
                step => {
                    for r in self.possible(above + 1).rev() {
                        let stay = if self.miss(above, r) > 0.0 {
                            best[r]
                        } else {
                            f64::NEG_INFINITY
                        };
                        let come = if r > 0 {
                            best[r - 1] + sign * step.gain(r)
                        } else {
                            f64::NEG_INFINITY
                        };
                        best[r] = stay.max(come);
                    }
                    end = above + 1;
                }
            }
        }
        let last = self.possible(end).map(|r| best[r]);
        last.fold(f64::NEG_INFINITY, f64::max)
    }

    fn best_of_group(&self, best: &[f64], above: usize, block: &Block, sign: f64) -> Vec<f64> {
        let mut next = vec![f64::NEG_INFINITY; best.len()];
        let behind = self.possible(above + block.size);
        for r in self.possible(above) {
            interrupt::poll();
            let most = (r + block.size).min(*behind.end());
            let least = r.max(*behind.start());
            for (to, next) in next.iter_mut().enumerate().take(most + 1).skip(least) {
                *next = next.max(best[r] + sign * block.gain(r, to - r));
            }
        }
        next
    }
}

/// `times` the least and the greatest of the first `count` gains; those that are not there are 0.
fn ends(gains: &[f64], count: usize, times: usize) -> (f64, f64) {
    let first = if gains.len() < count { Some(0.0) } else { None };
    let all = gains.iter().take(count).copied().chain(first);
    let (low, high) = all.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), gain| {
        (low.min(gain), high.max(gain))
    });
    (low * times as f64, high * times as f64)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::chance::naive;

    #[test]
    fn the_ends_are_those_of_all_rankings() {
        let mut laws = naive::laws();
        for hits in 0..=4 {
            for gains in [vec![], vec![0.5], vec![-1.0, 2.0, 0.25], vec![-3.0, -1.0]] {
                for gain in [
                    Gain::Times(gains.clone()),
                    Gain::Rank(gains.clone()),
                    Gain::First(gains.clone()),
                    Gain::Above(gains.clone()),
                ] {
                    laws.extend(Law::new(4, hits, gain));
                }
            }
        }
        assert!(laws.len() > 60);
        for law in laws {
            let all = naive::sums(&law);
            let sums = || all.iter().map(|sum| sum.0);
            let expected = (
                sums().fold(f64::INFINITY, f64::min),
                sums().fold(f64::NEG_INFINITY, f64::max),
            );
            let found = law.range();
            let gap = (found.0 - expected.0).abs() + (found.1 - expected.1).abs();
            assert!(gap <= 1e-12, "{law:?}: {found:?} for {expected:?}");
        }
    }

    #[test]
    fn billions_of_items_have_ends() {
        let items = u32::MAX as usize;
        for hits in [0, 1, 3, items / 2, items] {
            let count = hits as f64;
            let at_most = hits.min(2) as f64;
            for (gain, high) in [
                (Gain::Above(vec![1.0]), count),
                (Gain::Rank(vec![1.0, 1.0]), at_most),
                (Gain::First(vec![1.0]), at_most.min(1.0)),
                (Gain::Times(vec![-1.0, 0.0]), 0.0),
            ] {
                let law = Law::new(items, hits, gain).unwrap();
                assert_eq!(
                    law.range().1,
                    if hits == items { end_of(&law) } else { high }
                );
            }
        }
    }

    #[test]
    fn a_law_of_one_value_has_one_end() {
        let gains = vec![0.0, 1.0, -0.000_419_551_652_973_621_2, 0.25, 0.75];
        let (least, most) = Law::new(5, 5, Gain::Rank(gains)).unwrap().range();
        assert_eq!(least.to_bits(), most.to_bits());
    }

    /// The only sum where all items are hits.
    fn end_of(law: &Law) -> f64 {
        match &law.gain {
            Gain::Above(table) => table[0] * law.hits as f64,
            Gain::First(weights) => weights[0],
            Gain::Rank(weights) | Gain::Times(weights) => {
                let ranks = weights.iter().zip(1_u32..);
                ranks
                    .map(|(w, r)| match law.gain {
                        Gain::Times(_) => w * f64::from(r),
                        _ => *w,
                    })
                    .sum()
            }
        }
    }
}
