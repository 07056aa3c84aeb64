//! Random laws of hits, well-formed and not, through the engine of random rankings.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use super::*;
use crate::fuzz::{Random, bits, fuzz, near};

fn law(draw: &mut Random) -> Result<Law, Refused> {
    let items = if draw.odds(64) {
        draw.pick(&[u32::MAX as usize, usize::MAX])
    } else {
        draw.upto(9)
    };
    let hits = if draw.odds(16) {
        draw.upto(12)
    } else {
        draw.upto(items.min(9))
    };
    let number = |draw: &mut Random| match draw.below(64) {
        0 => draw.any(),
        _ => draw.below(7) as f64 / 4.0 - 0.25,
    };
    let mut weights: Vec<f64> = draw.list(items.min(9), number);
    if draw.odds(2) {
        weights.iter_mut().for_each(|w| *w = w.abs());
        weights.sort_by(|a, b| b.total_cmp(a));
    }
    match draw.below(6) {
        0 => Law::new(items, hits, Gain::Times(weights)),
        1 => Law::new(items, hits, Gain::Rank(weights)),
        2 => Law::new(items, hits, Gain::First(weights)),
        3 => {
            let table = (0..=items.saturating_sub(hits).min(20))
                .map(|_| number(draw))
                .collect();
            Law::new(items, hits, Gain::Above(table))
        }
        _ => {
            let mut sizes = draw.list(4, |draw| {
                draw.below(4) as usize + usize::from(!draw.odds(16))
            });
            let sum: usize = sizes.iter().sum();
            if items > sum && !draw.odds(16) {
                sizes.push(items - sum);
            }
            Law::tied(
                items,
                hits,
                &weights,
                &sizes,
                draw.pick(&[Tied::Average, Tied::Together]),
            )
        }
    }
}

fn joint_of(law: &Law, count: u32) -> Joint {
    Joint::new(vec![Part {
        source: Source::Hits(Arc::new(law.clone())),
        scale: 1.0,
        count,
    }])
}

#[test]
fn laws_have_whole_mass_and_moments_within_their_range() {
    fuzz("laws", |draw| {
        let Ok(law) = law(draw) else { return 0 };
        if law.items() > 100 {
            return 0; // no kernel is asked before the cells are counted
        }
        let (least, most) = law.range();
        let size = least.abs().max(most.abs()).max(1.0);
        if size.is_nan() || size >= 1e100 {
            return 1;
        }
        assert!(least <= most, "{law:?}");
        let tilt = draw.pick(&[0.0, 1.0, -2.0, 30.0]) / size;
        let joint = Joint::new(vec![Part {
            source: Source::Hits(Arc::new(law.clone())),
            scale: draw.pick(&[1.0, -1.0, 0.5]),
            count: 2,
        }]);
        let (low, high) = joint.range();
        let mut found = Vec::new();
        if let Ok(at) = joint.cumulants(tilt, false) {
            assert!(
                low - 1e-9 * size <= at.mean && at.mean <= high + 1e-9 * size,
                "{law:?} {tilt} {at:?}"
            );
            assert!(at.var >= -1e-9 * size * size, "{law:?} {tilt} {at:?}");
            found.extend([at.log, at.mean, at.var, at.third, at.fourth]);
        }
        let one = joint_of(&law, 1).cumulants(tilt, false);
        if let (Ok(one), Ok(two)) = (one, joint_of(&law, 2).cumulants(tilt, false)) {
            for (a, b) in [(one.log, two.log), (one.mean, two.mean), (one.var, two.var)] {
                assert!(
                    near(2.0 * a, b, size * size),
                    "{law:?} {tilt} {one:?} {two:?}"
                );
            }
            assert!(
                near(2.0 * one.third, two.third, size.powi(3)),
                "{law:?} {tilt} {one:?} {two:?}"
            );
        }
        if let Ok(tilted) = joint.tilted(tilt) {
            for (re, im) in tilted.characteristic(0.5 / size, 0, 3) {
                assert!(re.hypot(im) <= 1.0 + 1e-9, "{law:?} {tilt} {re} {im}");
                found.extend([re, im]);
            }
        }
        let Ok(halves) = Halves::new(&law, 10_000) else {
            return 2;
        };
        let x = least + draw.unit() * (most - least);
        let x = draw.pick(&[x, least, most, f64::INFINITY, f64::NAN]);
        let masses = halves.count(x);
        let whole = masses.below + masses.at + masses.above;
        assert!(
            x.is_nan() || (whole - 1.0).abs() < 1e-9,
            "{law:?} {x} {masses:?}"
        );
        if let Some(atoms) = halves.atoms(100_000) {
            let mass: f64 = atoms.iter().map(|atom| atom.1).sum();
            assert!((mass - 1.0).abs() < 1e-9, "{law:?} {atoms:?}");
            assert!(atoms.is_sorted_by(|a, b| a.0 < b.0), "{law:?} {atoms:?}");
        }
        if let Some((above, at)) =
            few_above(&law, x, 10_000).filter(|_| x.is_finite() && most - least > 1e-9)
        {
            assert!(
                (above.exp() - masses.above).abs() < 1e-9,
                "{law:?} {x} {above} {masses:?}"
            );
            assert!(
                (at.exp() - masses.at).abs() < 1e-9,
                "{law:?} {x} {at} {masses:?}"
            );
        }
        found.extend([masses.below, masses.at, masses.above]);
        bits(found)
    });
}

#[test]
fn sums_of_atoms_and_mixtures_take_any_numbers() {
    fuzz("atoms", |draw| {
        let atoms = |draw: &mut Random| Source::Atoms {
            values: draw.list(4, Random::any),
            logs: draw.list(4, |draw| {
                draw.pick(&[0.0, -1.0, f64::NEG_INFINITY, f64::NAN, 700.0])
            }),
        };
        let source = if draw.odds(2) {
            atoms(draw)
        } else {
            Source::Mixture(draw.list(3, |draw| (draw.any(), draw.any(), atoms(draw))))
        };
        let count = draw.pick(&[0, 1, 2, u32::MAX]);
        let joint = Joint::new(draw.list(2, |draw| Part {
            source: source.clone(),
            scale: draw.any(),
            count,
        }));
        let tilt = draw.any();
        let mut found = vec![joint.range().0, joint.range().1];
        found.extend(
            joint
                .cumulants(tilt, draw.odds(2))
                .map_or(0.0, |at| at.mean)
                .to_bits()
                .to_le_bytes()
                .map(f64::from),
        );
        if let Ok(tilted) = joint.tilted(tilt) {
            found.extend(
                tilted
                    .characteristic(draw.any(), draw.upto(3), draw.upto(20))
                    .iter()
                    .flat_map(|c| [c.0, c.1]),
            );
        }
        bits(found)
    });
}
