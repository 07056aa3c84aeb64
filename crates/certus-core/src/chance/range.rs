//! The ends of a law.

use super::law::{Gain, Law};
use super::step::{Block, Step};

impl Law {
    /// The least and the greatest sum.
    #[must_use]
    pub fn range(&self) -> (f64, f64) {
        if self.blocks.is_empty()
            && let Gain::Times(w) = &self.gain
            && w.windows(2).all(|pair| pair[0] >= pair[1])
            && w.last().is_none_or(|&last| last >= 0.0)
        {
            // Hits gain by moving up.
            let others = self.items - self.hits;
            let sum = |start: usize| -> f64 {
                let ranks = w.iter().skip(start).take(self.hits);
                ranks.zip(1_u32..).map(|(w, r)| w * f64::from(r)).sum()
            };
            return (sum(others), sum(0));
        }
        let ends = |sign: f64| {
            let mut best = vec![f64::NEG_INFINITY; self.most() + 1];
            best[0] = 0.0;
            let mut end = 0;
            for (above, step) in self.each_step() {
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
            sign * last.fold(f64::NEG_INFINITY, f64::max)
        };
        (ends(-1.0), ends(1.0))
    }

    fn best_of_group(&self, best: &[f64], above: usize, block: &Block, sign: f64) -> Vec<f64> {
        let mut next = vec![f64::NEG_INFINITY; best.len()];
        let behind = self.possible(above + block.size);
        for r in self.possible(above) {
            let most = (r + block.size).min(*behind.end());
            let least = r.max(*behind.start());
            for (to, next) in next.iter_mut().enumerate().take(most + 1).skip(least) {
                *next = next.max(best[r] + sign * block.gain(r, to - r));
            }
        }
        next
    }
}
