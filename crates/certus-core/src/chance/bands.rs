//! Which states matter at a tilt: those through which the tilted walk is at all likely to pass.

use super::Refused;
use super::forward::{Depth, Row, Trace, forward};
use super::law::Law;
use super::step::Step;
use crate::interrupt;
use crate::underflow::flush;

/// The states and factors of a pass at one tilt, with which it can be repeated at any frequency.
#[derive(Clone, Debug)]
pub(super) struct Bands {
    pub tilt: f64,
    pub log: f64,
    pub rows: Vec<Row>,
    /// The weight of all states behind the last step.
    pub end: f64,
    /// States in all rows.
    pub cells: usize,
}

/// A state is left out when the walk passes through it with less than this chance, relative to the likeliest.
const UNLIKELY: f64 = 1e-19;
/// What is still to come behind a state is left out below this: weights of states lie between 1e-280 and 2, so that the
/// walk passes through such a state with less than the chance `UNLIKELY`. Parts of a state's weight below it are less
/// than rounding.
pub(super) const LEAST: f64 = 1e-300;

impl Bands {
    /// Walks forward and then back, so that the chance of a state counts what comes before it and what comes behind.
    /// All weights are positive, hence what is left out is no more at any frequency than here.
    pub(super) fn new(law: &Law, tilt: f64) -> Result<Self, Refused> {
        let mut trace = Trace::default();
        let log = forward(law, tilt, Depth::Two, Some(&mut trace))?.log;
        let Trace { mut rows, weights } = trace;
        let Some(last) = rows.last().copied() else {
            return Ok(Self {
                tilt,
                log,
                rows,
                end: 1.0,
                cells: 0,
            });
        };
        let mut stop = weights.len();
        let end = weights[stop - (last.high - last.low + 1)..].iter().sum();
        let mut behind = vec![0.0; law.most() + 2];
        behind[last.low..=last.high].fill(1.0);
        let walk: Vec<_> = law.each_step().collect();
        let mut cells = 0;
        for index in (0..rows.len()).rev() {
            interrupt::poll();
            let row = rows[index];
            let here = &weights[stop - (row.high - row.low + 1)..stop];
            stop -= here.len();
            let passing = |r: usize| here[r - row.low] * behind[r];
            let likeliest = (row.low..=row.high).map(passing).fold(0.0, f64::max);
            let likely = |r: &usize| passing(*r) >= UNLIKELY * likeliest;
            let low = (row.low..=row.high).find(likely).unwrap_or(row.low);
            let high = (row.low..=row.high).rev().find(likely).unwrap_or(row.high);
            rows[index] = Row { low, high, ..row };
            cells += high - low + 1;
            let (above, step) = &walk[index];
            let before = match index {
                0 => 0..=0,
                _ => rows[index - 1].low..=rows[index - 1].high,
            };
            behind = back(law, *above, step, tilt, row.shift, &behind, before);
        }
        Ok(Self {
            tilt,
            log,
            rows,
            end,
            cells,
        })
    }
}

/// What is still to come from each state in front of a step, up to a common factor.
fn back(
    law: &Law,
    above: usize,
    step: &Step<'_>,
    tilt: f64,
    shift: f64,
    behind: &[f64],
    before: std::ops::RangeInclusive<usize>,
) -> Vec<f64> {
    let mut next = vec![0.0; behind.len()];
    let mut most = 0.0_f64;
    for r in before.clone() {
        next[r] = if let Step::Block(block) = step {
            law.members(above, r, block.size)
                .iter()
                .map(|&(k, chance)| {
                    let k = k as usize;
                    chance * (tilt * block.gain(r, k) - shift).exp() * behind[r + k]
                })
                .sum()
        } else {
            let hit = law.chance(above, r);
            let mut sum = law.miss(above, r) * (-shift).exp() * behind[r];
            if hit > 0.0 {
                sum += hit * (tilt * step.gain(r + 1) - shift).exp() * behind[r + 1];
            }
            sum
        };
        most = most.max(next[r]);
    }
    if most > 0.0 {
        let next = &mut next[before];
        next.iter_mut().for_each(|weight| *weight /= most);
        flush(next, LEAST);
    }
    next
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::chance::{Gain, naive};
    use crate::underflow::census;

    #[test]
    fn no_subnormal_number_circulates() {
        let law = Law::new(900, 400, Gain::Times(naive::inverse(900))).unwrap();
        let ends = || {
            let rows = Bands::new(&law, 40.0).unwrap().rows.into_iter();
            rows.map(|row| (row.low, row.high)).collect::<Vec<_>>()
        };
        let (flushed, left) = census::compared(0.001, ends);
        assert_eq!(flushed, left);
    }
}
