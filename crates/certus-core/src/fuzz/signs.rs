//! Random values through sums with random signs and resamples.
#![allow(clippy::unwrap_used)]

use crate::bootstrap::{resample_counts, resample_sums};
use crate::families::{Draws, flip_signs, shuffled_ranges};
use crate::fuzz::{Random, bits, fuzz, near};
use crate::signflip::{chosen_sum_at_least, inverted_beyond, listed_at_least};

#[test]
fn sums_with_random_signs_are_those_of_all_choices() {
    fuzz("signs", |draw| {
        let steps = draw.list(9, |draw| draw.below(7) as u32);
        let total: u32 = steps.iter().sum();
        let target = draw.below(u64::from(total) + 3);
        let all = 1u32 << steps.len();
        let sum = |chosen: u32| -> u64 {
            (0..)
                .zip(&steps)
                .filter(|(i, _)| chosen >> i & 1 == 1)
                .map(|(_, &s)| u64::from(s))
                .sum()
        };
        let reached = (0..all).filter(|&chosen| sum(chosen) >= target).count();
        let share = reached as f64 / f64::from(all);
        assert_eq!(
            chosen_sum_at_least(&steps, target),
            share,
            "{steps:?} {target}"
        );
        let values: Vec<f64> = steps
            .iter()
            .filter(|s| **s > 0)
            .map(|&s| f64::from(s))
            .collect();
        // between the sums, which are of one parity
        let x = 2.0 * target as f64 - f64::from(total) - 0.5;
        let listed = listed_at_least(&values, x, 1000).unwrap();
        assert!(near(listed, share, 1.0), "{values:?} {x} {listed} {share}");
        let hostile = draw.list(6, Random::any);
        let odd = listed_at_least(&hostile, draw.any(), 100);
        assert!(
            odd.is_none_or(|p| (-1e-12..=1.0 + 1e-12).contains(&p)),
            "{hostile:?} {odd:?}"
        );
        let many: Vec<f64> = (0..40 + draw.below(40))
            .map(|_| 0.5 + draw.unit())
            .collect();
        let inverted = (draw.odds(16))
            .then(|| inverted_beyond(&many, draw.unit() * 20.0, 1e-6, 0, 4096, 0.0))
            .flatten();
        assert!(
            inverted.is_none_or(|(p, e)| (0.0..=0.5 + 1e-9).contains(&p) && e >= 0.0),
            "{many:?} {inverted:?}"
        );
        let hostile = inverted_beyond(
            &hostile,
            draw.any(),
            draw.any(),
            draw.upto(300),
            512,
            draw.any(),
        );
        bits([
            share,
            listed,
            odd.unwrap_or(2.0),
            hostile.map_or(2.0, |h| h.0),
        ])
    });
}

#[test]
fn draws_count_every_unit_and_every_threshold() {
    fuzz("draws", |draw| {
        // all signs of nine units take a hundred times as long as those of three
        let most = draw.pick(&[3, 3, 3, 3, 3, 5, 5, 9]);
        let (units, columns, seed) = (draw.upto(most), draw.upto(14), draw.next());
        let any = draw.odds(4);
        let rows: Vec<f64> = (0..units * columns)
            .map(|_| {
                if any {
                    draw.any()
                } else {
                    draw.below(5) as f64 - 2.0
                }
            })
            .collect();
        let counts = resample_counts(units, draw.pick(&[0, 5, u64::MAX]), 3, seed);
        assert!(
            units == 0
                || counts
                    .chunks(units)
                    .all(|row| row.iter().sum::<u32>() as usize == units)
        );
        let sums = resample_sums(&rows, columns, 3, seed);
        assert_eq!(sums.len(), 3 * columns);
        let ranges = shuffled_ranges(&rows, columns, 3, seed);
        assert!(
            any || ranges.iter().all(|range| *range >= 0.0),
            "{rows:?} {ranges:?}"
        );
        let mut thresholds: Vec<f64> = (0..columns).map(|_| draw.below(9) as f64 - 1.0).collect();
        thresholds.sort_by(|a, b| b.total_cmp(a));
        let number = 1 << units;
        let (absolute, every) = (draw.odds(2), draw.odds(2));
        let draws = if every {
            Draws::All(units as u32)
        } else {
            Draws::Random {
                replicates: number,
                seed,
            }
        };
        let tally = flip_signs(&rows, columns, None, &thresholds, absolute, draws);
        let mut own = vec![0; columns];
        for signs in 0..number {
            for (column, count) in own.iter_mut().enumerate() {
                let sign = |unit: usize| if signs >> unit & 1 == 1 { -1.0 } else { 1.0 };
                let sum: f64 = (0..units)
                    .map(|unit| sign(unit) * rows[unit * columns + column])
                    .sum();
                let sum = if absolute { sum.abs() } else { sum };
                *count += u64::from(sum >= thresholds[column]);
            }
        }
        assert!(
            any || !every || tally.own == own,
            "{rows:?} {thresholds:?} {tally:?} {own:?}"
        );
        for ((own, step), single) in tally
            .own
            .iter()
            .zip(&tally.step_down)
            .zip(&tally.single_step)
        {
            assert!(
                any || own <= step && step <= single && *single <= number,
                "{rows:?} {tally:?}"
            );
        }
        bits(
            sums.into_iter()
                .chain(ranges)
                .chain(tally.step_down.iter().map(|&c| c as f64)),
        )
    });
}
