//! One pass down the ranking at a real tilt: the cumulants of the tilted sum.

use super::law::Law;
use super::step::{Block, Step, Tilts};
use super::{CELLS, Cumulants, Refused};
use crate::interrupt;

/// States lighter than this part of the heaviest are left out of large passes.
const LIGHT: f64 = 1e-80;
/// Passes of up to so many cells leave nothing out that a double can hold.
const SMALL: usize = 400_000;
const LEAST: f64 = 1e-280;
const ROUGH: f64 = 1e-40;

/// What was done in one step: the states kept behind it, and the factors that keep weights within range.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub low: usize,
    pub high: usize,
    /// Subtracted from tilt times gain.
    pub shift: f64,
    /// Weights were multiplied by this.
    pub scale: f64,
}

/// The states behind each step, and their weights one row after the other.
#[derive(Default)]
pub(super) struct Trace {
    pub rows: Vec<Row>,
    pub weights: Vec<f64>,
}

#[derive(Clone, Copy, Default)]
struct State {
    weight: f64,
    sum: Cumulants,
}

impl State {
    /// Takes in `weight` of a sum that `gain` was added to.
    #[inline]
    fn join(&mut self, from: &Self, weight: f64, gain: f64, all: bool) {
        if weight <= 0.0 {
            return;
        }
        let mut other = from.sum;
        other.mean += gain;
        if self.weight <= 0.0 {
            self.sum = other;
            self.weight = weight;
            return;
        }
        let total = self.weight + weight;
        self.sum
            .mixed(&other, (self.weight / total, weight / total), all);
        self.weight = total;
    }
}

/// How much a pass computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Depth {
    /// About the first two cumulants: to find a tilt, or bound a probability.
    Rough,
    /// The first two.
    Two,
    /// All four.
    Four,
}

/// The cumulants at `tilt`. Weights are kept in `trace` if one is given.
pub(super) fn forward(
    law: &Law,
    tilt: f64,
    depth: Depth,
    mut trace: Option<&mut Trace>,
) -> Result<Cumulants, Refused> {
    law.walked()?;
    let all = depth == Depth::Four;
    let small = law.steps().saturating_mul(law.most() + 1) <= SMALL;
    let light = match depth {
        Depth::Rough => ROUGH,
        _ if small => LEAST,
        _ => LIGHT,
    };
    let mut states = vec![State::default(); law.most() + 1];
    states[0].weight = 1.0;
    let (mut low, mut high) = (0, 0);
    let (mut log, mut cells) = (0.0, 0_usize);
    for (above, step) in law.each_step() {
        interrupt::poll();
        let shift = match step {
            Step::Block(block) => {
                let (next, shift, visited) =
                    grouped(law, &states, (low, high), above, &block, tilt, all);
                states = next;
                high = law.most().min(high + block.size);
                cells += visited;
                shift
            }
            step => {
                let most = law.most().min(high + 1);
                let shift = (low + 1..=most)
                    .map(|r| tilt * step.gain(r))
                    .fold(0.0, f64::max);
                let calm = (-shift).exp();
                let mut tilts = Tilts::new(&step, tilt, shift, most);
                for r in (low..=most).rev() {
                    let mut state = states[r];
                    state.weight *= law.miss(above, r) * calm;
                    if r > low {
                        let gain = step.gain(r);
                        let come = states[r - 1];
                        let weight = come.weight * law.chance(above, r - 1) * tilts.next(r);
                        state.join(&come, weight, gain, all);
                    }
                    states[r] = state;
                }
                high = most;
                cells += high - low + 1;
                shift
            }
        };
        if cells > CELLS {
            return Err(Refused(format!(
                "would visit more than {CELLS} states of a ranking of {} items",
                law.items
            )));
        }
        let heaviest = states[low..=high]
            .iter()
            .map(|state| state.weight)
            .fold(0.0, f64::max);
        if !(heaviest > 0.0 && heaviest.is_finite()) {
            return Err(Refused(format!("lost all weight at tilt {tilt:e}")));
        }
        while states[low].weight < light * heaviest {
            states[low] = State::default();
            low += 1;
        }
        while states[high].weight < light * heaviest {
            states[high] = State::default();
            high -= 1;
        }
        // Powers of two change no bits.
        let scale = (-heaviest.log2().floor()).exp2();
        for state in &mut states[low..=high] {
            state.weight *= scale;
        }
        log += shift - scale.ln();
        if let Some(trace) = trace.as_deref_mut() {
            trace.rows.push(Row {
                low,
                high,
                shift,
                scale,
            });
            trace
                .weights
                .extend(states[low..=high].iter().map(|state| state.weight));
        }
    }
    let mut end = State::default();
    for state in &states[low..=high] {
        end.join(state, state.weight, 0.0, all);
    }
    end.sum.log = if tilt == 0.0 {
        0.0
    } else {
        log + end.weight.ln()
    };
    Ok(end.sum)
}

/// A step over a group: the states behind it, the shift, and the cells visited.
fn grouped(
    law: &Law,
    states: &[State],
    (low, high): (usize, usize),
    above: usize,
    block: &Block,
    tilt: f64,
    all: bool,
) -> (Vec<State>, f64, usize) {
    let mut next = vec![State::default(); states.len()];
    let members: Vec<_> = (low..=high)
        .map(|r| (r, law.members(above, r, block.size)))
        .collect();
    let shift = members
        .iter()
        .flat_map(|(r, members)| {
            members
                .iter()
                .map(|&(k, _)| tilt * block.gain(*r, k as usize))
        })
        .fold(0.0, f64::max);
    let mut cells = 0;
    for (r, members) in &members {
        cells += members.len();
        for &(k, chance) in members {
            let gain = block.gain(*r, k as usize);
            let weight = states[*r].weight * chance * (tilt * gain - shift).exp();
            next[r + k as usize].join(&states[*r], weight, gain, all);
        }
    }
    (next, shift, cells)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::chance::naive;

    #[test]
    fn cumulants_are_those_of_all_rankings() {
        for law in naive::laws() {
            let all = naive::sums(&law);
            for tilt in [0.0, 0.7, -1.3, 30.0] {
                let expected = naive::cumulants(&all, tilt);
                let found = forward(&law, tilt, Depth::Four, None).unwrap();
                for (found, expected) in [
                    (found.log, expected.log),
                    (found.mean, expected.mean),
                    (found.var, expected.var),
                    (found.third, expected.third),
                    (found.fourth, expected.fourth),
                ] {
                    assert!(
                        (found - expected).abs() < 1e-12 * expected.abs().max(1.0),
                        "{law:?} at {tilt}: {found} for {expected}"
                    );
                }
                let short = forward(&law, tilt, Depth::Two, None).unwrap();
                assert_eq!((short.mean, short.var), (found.mean, found.var));
            }
        }
    }

    #[test]
    fn a_pass_that_is_too_long_is_refused() {
        let law = Law::new(
            1_000_000,
            500_000,
            crate::chance::Gain::Rank(vec![1.0; 1_000_000]),
        );
        assert!(forward(&law.unwrap(), 0.0, Depth::Two, None).is_err());
    }
}
