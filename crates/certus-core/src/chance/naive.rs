//! The definitions, over every ranking there is: the twin that the engine is held against.

use super::cumulants::Cumulants;
use super::law::{Gain, Law, Tied};
use super::step::Step;

/// The sum of every ranking, each with its chance.
pub fn sums(law: &Law) -> Vec<(f64, f64)> {
    fn go(law: &Law, marks: &mut Vec<bool>, all: &mut Vec<f64>) {
        if marks.len() == law.items {
            if marks.iter().filter(|&&mark| mark).count() == law.hits {
                all.push(value(law, marks));
            }
            return;
        }
        for mark in [false, true] {
            marks.push(mark);
            go(law, marks, all);
            marks.pop();
        }
    }
    let mut all = Vec::new();
    go(law, &mut Vec::new(), &mut all);
    let each = 1.0 / all.len() as f64;
    all.into_iter().map(|sum| (sum, each)).collect()
}

fn value(law: &Law, marks: &[bool]) -> f64 {
    let (mut sum, mut r) = (0.0, 0);
    for (above, step) in law.each_step() {
        if let Step::Block(block) = step {
            let k = marks[above..above + block.size]
                .iter()
                .filter(|&&mark| mark)
                .count();
            sum += block.gain(r, k);
            r += k;
        } else if marks[above] {
            r += 1;
            sum += step.gain(r);
        }
    }
    sum
}

pub fn cumulants(all: &[(f64, f64)], tilt: f64) -> Cumulants {
    let most = all.iter().map(|(sum, _)| tilt * sum).fold(0.0, f64::max);
    let weights: Vec<f64> = all
        .iter()
        .map(|(sum, chance)| chance * (tilt * sum - most).exp())
        .collect();
    let total: f64 = weights.iter().sum();
    let mean = |of: &dyn Fn(f64) -> f64| -> f64 {
        let each = all.iter().zip(&weights);
        each.map(|((sum, _), weight)| weight * of(*sum))
            .sum::<f64>()
            / total
    };
    let first = mean(&|sum| sum);
    Cumulants {
        log: total.ln() + most,
        mean: first,
        var: mean(&|sum| (sum - first).powi(2)),
        third: mean(&|sum| (sum - first).powi(3)),
        fourth: mean(&|sum| (sum - first).powi(4)),
    }
}

/// Log of the chance of a sum of at least `x`, and of exactly `x`.
pub fn chances(all: &[(f64, f64)], x: f64) -> (f64, f64) {
    let sum = |keep: &dyn Fn(f64) -> bool| -> f64 {
        all.iter()
            .filter(|(sum, _)| keep(*sum))
            .map(|(_, p)| p)
            .sum()
    };
    (
        sum(&|sum| sum >= x - 1e-12),
        sum(&|sum| (sum - x).abs() < 1e-12),
    )
}

/// `1/t` for the first `cutoff` ranks.
pub fn inverse(cutoff: usize) -> Vec<f64> {
    (1..=cutoff).map(|t| 1.0 / t as f64).collect()
}

/// Small laws of every kind.
pub fn laws() -> Vec<Law> {
    let mut laws = Vec::new();
    for items in 1..=8 {
        for hits in 0..=items {
            let others = items - hits;
            let table = (0..=others).map(|v| 1.0 / (1 + v) as f64).collect();
            let falling: Vec<f64> = (0..items).map(|t| 0.8_f64.powi(t as i32)).collect();
            let mixed = (0..items).map(|t| ((t * 7) % 5) as f64 - 1.5).collect();
            for gain in [
                Gain::Times(inverse(items)),
                Gain::Times(inverse(items / 2)),
                Gain::Times(mixed),
                Gain::Rank(falling),
                Gain::First(inverse(items)),
                Gain::Above(table),
            ] {
                laws.extend(Law::new(items, hits, gain));
            }
            for sizes in [
                vec![items],
                [vec![1; items / 2], vec![items - items / 2]].concat(),
                [vec![items - items / 2], vec![1; items / 2]].concat(),
            ] {
                for tied in [Tied::Average, Tied::Together, Tied::Rank] {
                    laws.extend(Law::tied(items, hits, &inverse(items), &sizes, tied));
                }
                laws.extend(Law::tied(
                    items,
                    hits,
                    &inverse(items - items / 3),
                    &sizes,
                    Tied::Average,
                ));
            }
        }
    }
    laws
}
