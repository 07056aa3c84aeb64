//! The random ranking and what each of its hits adds.

use super::step::{Block, Step};
use super::{CELLS, Refused};
use crate::ranking::chance::hypergeometric;

/// What a hit at rank `t` adds when it is the `r`-th hit, both from 1.
#[derive(Clone, Debug, PartialEq)]
pub enum Gain {
    /// `weights[t - 1] * r`: average precision with weights 1/t. Ranks behind the last weight add nothing.
    Times(Vec<f64>),
    /// `weights[t - 1]`: discounted gain, rank-biased precision, recall at a cutoff.
    Rank(Vec<f64>),
    /// `weights[t - 1]` for the first hit only: reciprocal rank.
    First(Vec<f64>),
    /// `table[t - r]`, by the number of others above: bpref, AUC. One entry more than there are others.
    Above(Vec<f64>),
}

/// What the members of a group of equal scores add.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tied {
    /// The expected value over all orders of the group.
    Average,
    /// All members take the last rank of the group, as in scikit-learn's average precision.
    Together,
    /// The expected weight over all orders of the group, whatever the number of the hit.
    Rank,
}

/// The law of a hit-additive sum when `hits` of `items` ranks, chosen at random, hold hits.
#[derive(Clone, Debug, PartialEq)]
pub struct Law {
    pub(super) items: usize,
    pub(super) hits: usize,
    pub(super) gain: Gain,
    pub(super) blocks: Vec<Block>,
}

impl Law {
    /// A law of single ranks.
    ///
    /// ```
    /// use certus_core::chance::{Gain, Law};
    ///
    /// // Average precision times 1: one hit in two ranks.
    /// let law = Law::new(2, 1, Gain::Times(vec![1.0, 0.5])).unwrap();
    /// assert_eq!(law.range(), (0.5, 1.0));
    /// assert!(Law::new(2, 3, Gain::Times(vec![])).is_err());
    /// ```
    pub fn new(items: usize, hits: usize, gain: Gain) -> Result<Self, Refused> {
        if hits > items || u32::try_from(items).is_err() {
            return Err(Refused(format!(
                "cannot place {hits} hits on {items} ranks"
            )));
        }
        let (values, most) = match &gain {
            Gain::Times(w) | Gain::Rank(w) | Gain::First(w) => (w, items),
            Gain::Above(table) => (table, items - hits + 1),
        };
        if values.len() > most || values.iter().any(|v| !v.is_finite()) {
            return Err(Refused(format!(
                "needs at most {most} finite gains, found {}",
                values.len()
            )));
        }
        Ok(Self {
            items,
            hits,
            gain,
            blocks: Vec::new(),
        })
    }

    /// The law of the sum over hits of `weights[t - 1] * r` where groups of equal scores, of these sizes from the top,
    /// are in random order. The weights may end at a cutoff, the groups may not.
    ///
    /// ```
    /// use certus_core::chance::{Law, Tied};
    ///
    /// // Two items, both tied, one a hit: the hit stands at rank 1 or 2, on average 3/4.
    /// let law = Law::tied(2, 1, &[1.0, 0.5], &[2], Tied::Average).unwrap();
    /// assert_eq!(law.range(), (0.75, 0.75));
    /// let law = Law::tied(2, 1, &[1.0, 0.5], &[2], Tied::Together).unwrap();
    /// assert_eq!(law.range(), (0.5, 0.5));
    /// ```
    pub fn tied(
        items: usize,
        hits: usize,
        weights: &[f64],
        sizes: &[usize],
        tied: Tied,
    ) -> Result<Self, Refused> {
        let total = sizes
            .iter()
            .try_fold(0_usize, |sum, &size| sum.checked_add(size));
        if total != Some(items) || sizes.contains(&0) {
            return Err(Refused(format!("needs groups of {items} items in all")));
        }
        let mut law = Self::new(items, hits, Gain::Times(weights.to_vec()))?;
        let mut before = 0;
        for &size in sizes {
            let inside = weights.get(before..weights.len().min(before + size));
            let Some(inside) = inside.filter(|inside| !inside.is_empty()) else {
                break;
            };
            let b = size as f64;
            let sum: f64 = inside.iter().sum();
            let turns: f64 = inside
                .iter()
                .zip(0_u32..)
                .map(|(w, j)| w * f64::from(j))
                .sum();
            let (flat, lead, inner) = match tied {
                Tied::Average if size > 1 => (0.0, sum / b, turns / (b * (b - 1.0))),
                Tied::Average => (0.0, sum, 0.0),
                Tied::Together => {
                    let last = weights.get(before + size - 1).copied().unwrap_or(0.0);
                    (0.0, last, last)
                }
                Tied::Rank => (sum / b, 0.0, 0.0),
            };
            law.blocks.push(Block {
                size,
                flat,
                lead,
                inner,
            });
            before += size;
        }
        Ok(law)
    }

    /// Items ranked.
    #[must_use]
    pub fn items(&self) -> usize {
        self.items
    }

    /// Hits among them.
    #[must_use]
    pub fn hits(&self) -> usize {
        self.hits
    }

    /// Steps down the ranking after which nothing is added.
    pub(super) fn steps(&self) -> usize {
        if !self.blocks.is_empty() {
            return self.blocks.len();
        }
        match &self.gain {
            Gain::Times(w) | Gain::Rank(w) | Gain::First(w) => w.len(),
            Gain::Above(_) => self.items,
        }
    }

    /// The most hits that the steps can meet.
    pub(super) fn most(&self) -> usize {
        let depth = match self.blocks.len() {
            0 => self.steps(),
            _ => self.blocks.iter().map(|block| block.size).sum(),
        };
        self.hits.min(depth)
    }

    /// Whether a pass can start at all: states and steps are held in memory.
    pub(super) fn walked(&self) -> Result<(), Refused> {
        if self.steps().max(self.most()) > CELLS {
            return Err(Refused(format!(
                "would visit more than {CELLS} states of a ranking of {} items",
                self.items
            )));
        }
        Ok(())
    }

    /// Each step with the number of items above it.
    pub(super) fn each_step(&self) -> impl Iterator<Item = (usize, Step<'_>)> {
        let mut before = 0;
        (0..self.steps()).map(move |index| {
            let above = before;
            let step = match (self.blocks.get(index), &self.gain) {
                (Some(block), _) => {
                    before += block.size;
                    return (above, self.grouped(*block));
                }
                (None, Gain::Times(w)) => Step::Times(w[index]),
                (None, Gain::Rank(w)) => Step::Rank(w[index]),
                (None, Gain::First(w)) => Step::First(w[index]),
                (None, Gain::Above(table)) => Step::Above(table, index),
            };
            before += 1;
            (above, step)
        })
    }

    /// A group of one is a rank.
    fn grouped(&self, block: Block) -> Step<'_> {
        if block.size > 1 {
            return Step::Block(block);
        }
        if block.flat == 0.0 {
            Step::Times(block.lead)
        } else {
            Step::Rank(block.flat)
        }
    }

    /// The chance that the rank below `above` items, `r` of them hits, holds a hit.
    #[inline]
    pub(super) fn chance(&self, above: usize, r: usize) -> f64 {
        self.hits.saturating_sub(r) as f64 / (self.items - above) as f64
    }

    /// The chance that it does not.
    #[inline]
    pub(super) fn miss(&self, above: usize, r: usize) -> f64 {
        let left = self.items - above;
        left.saturating_sub(self.hits.saturating_sub(r)) as f64 / left as f64
    }

    /// How many hits a group of `size` below `above` items, `r` of them hits, may hold, with the chance of each.
    pub(super) fn members(&self, above: usize, r: usize, size: usize) -> Vec<(u32, f64)> {
        let left = self.items - above;
        hypergeometric(
            size as u32,
            self.hits.saturating_sub(r).min(left) as u32,
            left as u32,
        )
    }

    /// The hits so far that are possible below `above` items.
    pub(super) fn possible(&self, above: usize) -> std::ops::RangeInclusive<usize> {
        (self.hits + above).saturating_sub(self.items)..=self.most().min(above)
    }
}
