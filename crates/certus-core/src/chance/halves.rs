//! Exact probabilities by meeting in the middle: the sums of the upper ranks by hits so far, and those of the lower.

use super::Refused;
use super::law::Law;
use super::step::Step;
use crate::interrupt;
use crate::scores::Sum;
use crate::underflow::flushed;

/// A sum and its chance.
type Atom = (f64, f64);

/// The chances of a sum below, at and above a value.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Masses {
    /// P(S < x).
    pub below: f64,
    /// P(S = x).
    pub at: f64,
    /// P(S > x).
    pub above: f64,
}

/// Every sum of the upper and of the lower part of a ranking, by the number of hits in the upper.
///
/// ```
/// use certus_core::chance::{Gain, Halves, Law};
///
/// let law = Law::new(3, 1, Gain::Times(vec![1.0, 0.5, 0.25])).unwrap();
/// let halves = Halves::new(&law, 1000).unwrap();
/// let masses = halves.count(0.5);
/// assert!([masses.below, masses.at, masses.above].iter().all(|p| (p - 1.0 / 3.0).abs() < 1e-15));
/// assert_eq!(halves.least_from(0.3), Some(0.5));
/// assert_eq!(halves.atoms(1000).map(|atoms| atoms.len()), Some(3));
/// ```
#[derive(Clone, Debug)]
pub struct Halves {
    upper: Vec<Vec<Atom>>,
    lower: Vec<Vec<Atom>>,
    slack: f64,
}

/// Sums nearer than this part of the width are one: they differ by rounding.
const SAME: f64 = 1e-13;

impl Halves {
    /// Builds both parts, one step at a time on the side that has fewer sums, of at most `limit` sums together.
    pub fn new(law: &Law, limit: usize) -> Result<Self, Refused> {
        law.walked()?;
        let (least, most) = law.range();
        let slack = SAME * (most - least) + f64::EPSILON * least.abs().max(most.abs());
        let steps: Vec<_> = law.each_step().collect();
        let (mut first, mut last) = (0, steps.len());
        let end = steps.last().map_or(0, |(above, step)| match step {
            Step::Block(block) => above + block.size,
            _ => above + 1,
        });
        let mut upper = vec![Vec::new(); law.most() + 1];
        upper[0].push((0.0, 1.0));
        let mut lower = vec![Vec::new(); law.most() + 1];
        for r in law.possible(end) {
            lower[r].push((0.0, 1.0));
        }
        while first < last {
            let (a, b) = (size(&upper), size(&lower));
            if a + b > limit {
                return Err(Refused(format!(
                    "would have to hold more than {limit} sums"
                )));
            }
            if a <= b {
                let (above, step) = &steps[first];
                upper = down(law, *above, step, &upper, slack);
                first += 1;
            } else {
                last -= 1;
                let (above, step) = &steps[last];
                lower = up(law, *above, step, &lower, slack);
            }
        }
        Ok(Self {
            upper,
            lower,
            slack: 10.0 * slack,
        })
    }

    /// The chances of a sum below, at and above `x`. Every chance is a sum of products, which keeps what rounding
    /// loses: a million equal terms would lose four digits, all in one direction.
    #[must_use]
    pub fn count(&self, x: f64) -> Masses {
        let [mut before, mut here, mut beyond] = [Sum::default(); 3];
        for (upper, lower) in self.upper.iter().zip(&self.lower) {
            let tails: Vec<f64> = sums(lower.iter().rev().map(|atom| atom.1));
            let heads: Vec<f64> = sums(lower.iter().map(|atom| atom.1));
            let (mut from, mut behind) = (lower.len(), lower.len());
            for (place, (sum, chance)) in upper.iter().enumerate() {
                interrupt::at(place);
                while from > 0 && sum + lower[from - 1].0 >= x - self.slack {
                    from -= 1;
                }
                while behind > 0 && sum + lower[behind - 1].0 > x + self.slack {
                    behind -= 1;
                }
                before.add(chance * heads[from]);
                beyond.add(chance * tails[lower.len() - behind]);
                let between: f64 = lower[from..behind].iter().map(|atom| atom.1).sum();
                here.add(chance * between);
            }
        }
        Masses {
            below: before.total(),
            at: here.total(),
            above: beyond.total(),
        }
    }

    /// The least sum that is not below `x`.
    #[must_use]
    pub fn least_from(&self, x: f64) -> Option<f64> {
        let mut least = None;
        for (upper, lower) in self.upper.iter().zip(&self.lower) {
            let mut from = lower.len();
            for (place, (sum, _)) in upper.iter().enumerate() {
                interrupt::at(place);
                while from > 0 && sum + lower[from - 1].0 >= x - self.slack {
                    from -= 1;
                }
                if let Some((rest, _)) = lower.get(from) {
                    least = Some(f64::min(least.unwrap_or(f64::INFINITY), sum + rest));
                }
            }
        }
        least
    }

    /// Every sum with its chance, ascending, if there are at most `limit` pairs of parts.
    #[must_use]
    pub fn atoms(&self, limit: usize) -> Option<Vec<Atom>> {
        let parts = || self.upper.iter().zip(&self.lower);
        let pairs: usize = parts().map(|(a, b)| a.len().saturating_mul(b.len())).sum();
        if pairs > limit {
            return None;
        }
        let mut all = Vec::with_capacity(pairs);
        for (upper, lower) in parts() {
            for (sum, chance) in upper {
                all.extend(lower.iter().map(|(rest, p)| (sum + rest, chance * p)));
            }
        }
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        Some(merged(&all, &[], self.slack / 10.0))
    }
}

fn size(lists: &[Vec<Atom>]) -> usize {
    lists.iter().map(Vec::len).sum()
}

/// 0 and the sums of the first, the first two, ...
fn sums(chances: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut total = Sum::default();
    std::iter::once(0.0)
        .chain(chances.map(|p| {
            total.add(p);
            total.total()
        }))
        .collect()
}

/// Two ascending lists as one; neighbours within `slack` are one sum.
fn merged(a: &[Atom], b: &[Atom], slack: f64) -> Vec<Atom> {
    let mut all: Vec<Atom> = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        interrupt::at(i + j);
        let next = if j == b.len() || (i < a.len() && a[i].0 <= b[j].0) {
            i += 1;
            a[i - 1]
        } else {
            j += 1;
            b[j - 1]
        };
        match all.last_mut() {
            Some(last) if next.0 - last.0 <= slack => last.1 += next.1,
            _ => all.push(next),
        }
    }
    all
}

fn moved(list: &[Atom], gain: f64, chance: f64) -> Vec<Atom> {
    if chance <= 0.0 {
        return Vec::new();
    }
    list.iter()
        .map(|(sum, p)| (sum + gain, flushed(p * chance, f64::MIN_POSITIVE)))
        .collect()
}

/// The hits that a step may hold from each number so far, with chance and gain.
fn members(law: &Law, above: usize, step: &Step<'_>, r: usize) -> Vec<(usize, f64, f64)> {
    if let Step::Block(block) = step {
        let each = law.members(above, r, block.size).into_iter();
        return each
            .map(|(k, chance)| (k as usize, chance, block.gain(r, k as usize)))
            .collect();
    }
    let hit = law.chance(above, r);
    let mut both = vec![(0, law.miss(above, r), 0.0)];
    if hit > 0.0 {
        both.push((1, hit, step.gain(r + 1)));
    }
    both
}

/// The lists behind a step, from those in front of it.
fn down(
    law: &Law,
    above: usize,
    step: &Step<'_>,
    lists: &[Vec<Atom>],
    slack: f64,
) -> Vec<Vec<Atom>> {
    let mut next = vec![Vec::new(); lists.len()];
    for (r, list) in lists
        .iter()
        .enumerate()
        .filter(|(_, list)| !list.is_empty())
    {
        for (k, chance, gain) in members(law, above, step, r) {
            let more = moved(list, gain, chance);
            next[r + k] = merged(&next[r + k], &more, slack);
        }
    }
    next
}

/// The lists in front of a step, from those behind it.
fn up(law: &Law, above: usize, step: &Step<'_>, lists: &[Vec<Atom>], slack: f64) -> Vec<Vec<Atom>> {
    let mut next = vec![Vec::new(); lists.len()];
    for r in law.possible(above) {
        for (k, chance, gain) in members(law, above, step, r) {
            let more = moved(&lists[r + k], gain, chance);
            next[r] = merged(&next[r], &more, slack);
        }
    }
    next
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::chance::naive;
    use crate::underflow::census;

    #[test]
    fn chances_are_those_of_all_rankings() {
        for law in naive::laws() {
            let all = naive::sums(&law);
            let halves = Halves::new(&law, 10_000).unwrap();
            for &(x, _) in &all {
                let (tail, at) = naive::chances(&all, x);
                let masses = halves.count(x);
                assert!((masses.at - at).abs() < 1e-13, "{law:?}");
                assert!((masses.at + masses.above - tail).abs() < 1e-13, "{law:?}");
                assert!((masses.below + tail - 1.0).abs() < 1e-13, "{law:?}");
                let least = halves.least_from(x).unwrap();
                assert!((least - x).abs() < 1e-11, "{law:?}");
            }
            let parts = halves.upper.iter().zip(&halves.lower);
            let pairs: usize = parts.map(|(a, b)| a.len() * b.len()).sum();
            assert!(halves.atoms(pairs - 1).is_none(), "{law:?}");
            let atoms = halves.atoms(pairs).unwrap();
            for &(x, _) in &all {
                let found: f64 = atoms.iter().filter(|a| a.0 > x - 1e-11).map(|a| a.1).sum();
                let (tail, _) = naive::chances(&all, x);
                assert!((found - tail).abs() < 1e-13, "{law:?}");
            }
        }
    }

    #[test]
    fn too_many_sums_are_refused() {
        let law = Law::new(60, 30, crate::chance::Gain::Times(naive::inverse(60))).unwrap();
        assert!(Halves::new(&law, 1000).is_err());
    }

    #[test]
    fn no_subnormal_number_circulates() {
        let law = Law::new(6_000, 3_000, crate::chance::Gain::Rank(vec![1.0; 3_000])).unwrap();
        let count = || Halves::new(&law, 1 << 20).unwrap().count(1_520.0);
        let (flushed, left) = census::compared(0.01, count);
        assert_eq!(flushed, left);
    }
}
