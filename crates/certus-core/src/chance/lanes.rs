//! The characteristic function of the tilted sum, at many frequencies at once.

use super::bands::{Bands, LEAST};
use super::law::Law;
use super::step::{Step, Tilts};
use crate::interrupt;
use crate::underflow::{NEGLIGIBLE, flush};

/// Frequencies that are taken together.
pub(super) const LANES: usize = 32;
/// Steps after which parts that have sunk to nothing are set to 0.
const SINKING: usize = 4;
/// Numbers of hits in a group that are less likely than this part of the likeliest are left out.
const UNSEEN: f64 = 1e-30;

/// One complex number for each frequency.
#[derive(Clone, Debug)]
pub(super) struct Lane {
    pub re: [f64; LANES],
    pub im: [f64; LANES],
}

impl Lane {
    pub(super) fn of(value: f64) -> Self {
        Self {
            re: [value; LANES],
            im: [0.0; LANES],
        }
    }

    /// exp(i w g) at the frequencies w = start, start + step, ..., filled by doubling.
    pub(super) fn turns(start: f64, step: f64, g: f64) -> Self {
        let mut lane = Self::of(0.0);
        let (im, re) = (start * g).sin_cos();
        lane.re[0] = re;
        lane.im[0] = im;
        let (mut b, mut a) = (step * g).sin_cos();
        let mut filled = 1;
        while filled < LANES {
            let (re, rest) = lane.re.split_at_mut(filled);
            let (im, beside) = lane.im.split_at_mut(filled);
            for l in 0..filled {
                rest[l] = re[l] * a - im[l] * b;
                beside[l] = re[l] * b + im[l] * a;
            }
            (a, b) = (a * a - b * b, 2.0 * a * b);
            filled *= 2;
        }
        lane
    }

    pub(super) fn times(&mut self, other: &Self) {
        for l in 0..LANES {
            let (re, im) = (self.re[l], self.im[l]);
            self.re[l] = re * other.re[l] - im * other.im[l];
            self.im[l] = re * other.im[l] + im * other.re[l];
        }
        self.flush(NEGLIGIBLE);
    }

    fn flush(&mut self, bound: f64) {
        flush(&mut self.re, bound);
        flush(&mut self.im, bound);
    }

    fn times_conjugate(&mut self, other: &Self) {
        for l in 0..LANES {
            let (re, im) = (self.re[l], self.im[l]);
            self.re[l] = re * other.re[l] + im * other.im[l];
            self.im[l] = im * other.re[l] - re * other.im[l];
        }
    }

    pub(super) fn add(&mut self, other: &Self, factor: f64) {
        for l in 0..LANES {
            self.re[l] += factor * other.re[l];
            self.im[l] += factor * other.im[l];
        }
    }

    /// To a whole power, by squaring.
    pub(super) fn power(&self, mut exponent: u32) -> Self {
        let (mut result, mut square) = (Self::of(1.0), self.clone());
        while exponent > 0 {
            if exponent & 1 == 1 {
                result.times(&square);
            }
            exponent >>= 1;
            if exponent > 0 {
                let same = square.clone();
                square.times(&same);
            }
        }
        result
    }

    /// `stay` times this, plus `come` times `other` turned by `turn`.
    #[inline]
    fn step(&mut self, stay: f64, come: f64, other: &Self, turn: &Self) {
        for l in 0..LANES {
            let (re, im) = (come * other.re[l], come * other.im[l]);
            self.re[l] = stay * self.re[l] + (re * turn.re[l] - im * turn.im[l]);
            self.im[l] = stay * self.im[l] + (re * turn.im[l] + im * turn.re[l]);
        }
    }
}

/// M(c + iw) / M(c) for the frequencies w = start, start + step, ...
pub(super) fn lanes(law: &Law, bands: &Bands, start: f64, step: f64) -> Lane {
    let mut states = vec![Lane::of(0.0); law.most() + 1];
    states[0] = Lane::of(1.0);
    let (mut low, mut high) = (0, 0);
    for (number, ((above, each), row)) in law.each_step().zip(&bands.rows).enumerate() {
        interrupt::poll();
        let most = row.high.min(law.most());
        match each {
            Step::Block(block) => {
                let mut next = vec![Lane::of(0.0); law.most() + 1];
                for (r, state) in states.iter().enumerate().take(high + 1).skip(low) {
                    let come = |k: u32, chance: f64| {
                        let gain = block.gain(r, k as usize);
                        chance * row.scale * (bands.tilt * gain - row.shift).exp()
                    };
                    let members: Vec<_> = law
                        .members(above, r, block.size)
                        .into_iter()
                        .map(|(k, chance)| (k as usize, come(k, chance)))
                        .collect();
                    let most_likely = members.iter().map(|&(_, come)| come).fold(0.0, f64::max);
                    for (k, come) in members {
                        if come > UNSEEN * most_likely && (row.low..=most).contains(&(r + k)) {
                            let turn = Lane::turns(start, step, block.gain(r, k));
                            next[r + k].step(1.0, come, state, &turn);
                        }
                    }
                }
                states = next;
            }
            each => {
                let calm = row.scale * (-row.shift).exp();
                // What turns the state above by one hit less: gains that grow with the number of hits.
                let back = match each {
                    Step::Times(weight) => Some(Lane::turns(start, step, weight)),
                    _ => None,
                };
                let mut turn = Lane::turns(start, step, each.gain(most.max(1)));
                let mut tilts = Tilts::new(&each, bands.tilt, row.shift, most.max(1));
                for r in (row.low..=most).rev() {
                    let stay = law.miss(above, r) * calm;
                    let (before, here) = states.split_at_mut(r);
                    if let Some(other) = before.last().filter(|_| r > low) {
                        let gain = each.gain(r);
                        let come = law.chance(above, r - 1) * row.scale * tilts.next(r);
                        if r < most && matches!(each, Step::First(_) | Step::Above(..)) {
                            turn = Lane::turns(start, step, gain);
                        }
                        here[0].step(stay, come, other, &turn);
                    } else {
                        here[0].re.iter_mut().for_each(|re| *re *= stay);
                        here[0].im.iter_mut().for_each(|im| *im *= stay);
                    }
                    if let Some(back) = &back {
                        turn.times_conjugate(back);
                    }
                }
                for r in (low..row.low).chain(most + 1..=high) {
                    states[r] = Lane::of(0.0);
                }
            }
        }
        (low, high) = (row.low, most);
        if number % SINKING == SINKING - 1 {
            states[low..=high]
                .iter_mut()
                .for_each(|state| state.flush(LEAST));
        }
    }
    let mut sum = Lane::of(0.0);
    for state in &states[low..=high] {
        sum.add(state, 1.0 / bands.end);
    }
    sum
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::chance::naive;
    use crate::underflow::census;

    #[test]
    fn the_characteristic_function_is_that_of_all_rankings() {
        let (start, step) = (0.3, 0.7);
        for law in naive::laws() {
            let all = naive::sums(&law);
            for tilt in [0.0, 2.0, -3.0] {
                let log = naive::cumulants(&all, tilt).log;
                let bands = Bands::new(&law, tilt).unwrap();
                assert!((bands.log - log).abs() < 1e-12);
                let found = lanes(&law, &bands, start, step);
                for l in 0..LANES {
                    let w = start + step * l as f64;
                    let sum = |part: &dyn Fn(f64) -> f64| -> f64 {
                        let each = all.iter();
                        each.map(|(s, p)| p * (tilt * s - log).exp() * part(w * s))
                            .sum()
                    };
                    assert!((found.re[l] - sum(&f64::cos)).abs() < 1e-12, "{law:?}");
                    assert!((found.im[l] - sum(&f64::sin)).abs() < 1e-12, "{law:?}");
                }
            }
        }
    }

    #[test]
    fn no_subnormal_number_circulates() {
        let weights = (1..10_000).map(|i| f64::from(i).sqrt().fract()).collect();
        let law = Law::new(10_000, 3_000, crate::chance::Gain::Rank(weights)).unwrap();
        let bands = Bands::new(&law, 0.0).unwrap();
        let (flushed, left) = census::compared(0.01, || lanes(&law, &bands, 6.0, 0.1));
        for (flushed, left) in [(flushed.re, left.re), (flushed.im, left.im)] {
            assert!(
                flushed
                    .iter()
                    .zip(left)
                    .all(|(a, b)| (a - b).abs() <= 1e-299)
            );
        }
    }
}
