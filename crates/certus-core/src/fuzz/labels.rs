//! Random labels through the kernels of tables, clusterings and multilabel data.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use crate::clustering::{
    Part, count_cells, expected_information, extreme_distances, mean_distances, weighted_distances,
};
use crate::fuzz::{Random, bits, fuzz, near};
use crate::labels::{Interner, Ints, code_numbers, count_pairs, intern_rows, sum_pairs};
use crate::multilabel::{Dcg, Measure, Rows, dcg_of_rows, measure_rows};

#[test]
fn labels_are_counted_as_by_a_map() {
    fuzz("labels", |draw| {
        let wide = draw.odds(4);
        let label = |draw: &mut Random| match draw.below(8) {
            0 if wide => draw.pick(&[i64::MAX, i64::MIN, 1 << 40, -(1 << 24), 1 << 20]),
            _ => draw.below(5) as i64 - 2,
        };
        let first = draw.list(40, label);
        let second: Vec<u8> = first.iter().map(|_| draw.below(3) as u8).collect();
        let mut pairs: BTreeMap<(i64, i64), u64> = BTreeMap::new();
        for (&a, &b) in first.iter().zip(&second) {
            *pairs.entry((a, i64::from(b))).or_default() += 1;
        }
        let most = draw.pick(&[0, 1, 64, 1000]);
        let (labels, codes) = code_numbers(Ints::I64(&first));
        let back: Vec<i64> = codes.iter().map(|&code| labels[code as usize]).collect();
        assert_eq!(back, first);
        assert!(labels.is_sorted_by(|a, b| a < b));
        if let Ok(found) = count_pairs(Ints::I64(&first), Ints::U8(&second), most) {
            let cell = |i: usize| {
                (
                    found.first[i / found.second.len()],
                    found.second[i % found.second.len()],
                )
            };
            for (i, &count) in found.counts.iter().enumerate() {
                assert_eq!(
                    pairs.get(&cell(i)).copied().unwrap_or(0),
                    count,
                    "{first:?} {second:?}"
                );
            }
            assert_eq!(found.counts.iter().sum::<u64>() as usize, first.len());
            let weights = vec![0.5; first.len()];
            let sums = sum_pairs(Ints::I64(&first), Ints::U8(&second), &weights, most).unwrap();
            let halves: Vec<f64> = found.counts.iter().map(|&c| c as f64 / 2.0).collect();
            assert_eq!((sums.first, sums.weights), (found.first, halves));
        } else {
            // a narrow span counts as if all its numbers occurred
            assert!(
                labels.len() > most || most == 1,
                "{first:?} {second:?} {most}"
            );
        }
        let texts: Vec<u8> = first.iter().flat_map(|v| v.to_le_bytes()).collect();
        let (rows, places) = intern_rows(&texts, 8);
        let mut interner = Interner::new();
        for (row, &code) in rows.iter().enumerate() {
            assert_eq!(first[places[code as usize]], first[row]);
            assert_eq!(interner.code(&first[row].to_le_bytes()), code);
        }
        bits(labels.into_iter().map(|v| v as f64))
    });
}

#[test]
fn clusterings_are_counted_as_by_a_map_and_distances_as_in_two_loops() {
    fuzz("clusterings", |draw| {
        let first = draw.list(30, |draw| draw.below(4) as u32);
        let second: Vec<u32> = first
            .iter()
            .map(|_| draw.pick(&[0, 1, 2, 7, u32::MAX]))
            .collect();
        let cells = count_cells(&first, &second, draw.pick(&[4, 4, 3, 0, 9]));
        if let Ok(cells) = &cells {
            let mut pairs: BTreeMap<(u32, u32), i64> = BTreeMap::new();
            first
                .iter()
                .zip(&second)
                .for_each(|(&a, &b)| *pairs.entry((a, b)).or_default() += 1);
            let found = cells
                .rows
                .iter()
                .copied()
                .zip(cells.columns.iter().copied());
            assert!(
                found.zip(cells.counts.iter().copied()).eq(pairs),
                "{first:?} {second:?}"
            );
        }
        let n = draw.pick(&[1, 5, 40, 1000, 1 << 30, (1 << 40) + 7, (1 << 62) - 1]);
        let size = |draw: &mut Random| {
            if draw.odds(4) {
                n
            } else {
                1 + draw.below(n.min(60))
            }
        };
        let (rows, columns) = (draw.list(2, size), draw.list(2, size));
        let (a, b) = (vec![1.0; rows.len()], vec![1.0; columns.len()]);
        let expected = if n <= 1000 || rows.iter().chain(&columns).all(|&s| s <= 1000) {
            expected_information(&rows, &a, &columns, &b, n).unwrap()
        } else {
            0.0
        };
        assert!(
            expected >= 0.0 && expected.is_finite(),
            "{rows:?} {columns:?} {n} {expected}"
        );
        let width = 1 + draw.upto(3);
        let any = draw.odds(8);
        let values: Vec<f64> = (0..width * draw.upto(9))
            .map(|_| if any { draw.any() } else { draw.unit() })
            .collect();
        let samples = values.len() / width;
        let mut ends: Vec<usize> = draw.list(3, |draw| draw.upto(samples + usize::from(any)));
        ends.sort_unstable();
        ends.push(samples);
        if !any {
            ends.retain(|&end| end > 0);
            ends.dedup();
        }
        let Ok(means) = mean_distances(&values, width, &ends) else {
            return bits([expected]);
        };
        let extremes = extreme_distances(&values, width, &ends).unwrap();
        if !any {
            let row = |i: usize| &values[i * width..(i + 1) * width];
            let far = |i, j| {
                row(i)
                    .iter()
                    .zip(row(j))
                    .map(|(a, b)| (a - b).powi(2))
                    .sum::<f64>()
                    .sqrt()
            };
            let own = |i: usize| ends.partition_point(|&end| end <= i);
            for i in 0..samples {
                let near_by: Vec<f64> = (0..samples)
                    .filter(|&j| j != i && own(j) == own(i))
                    .map(|j| far(i, j))
                    .collect();
                let mean = near_by.iter().sum::<f64>() / near_by.len().max(1) as f64;
                assert!(near(means.within[i], mean, 1.0), "{values:?} {ends:?}");
                assert!(
                    near_by.iter().all(|d| *d <= extremes.within + 1e-9),
                    "{values:?} {ends:?}"
                );
            }
        }
        let parts: Vec<_> = (0..samples)
            .map(|i| Part {
                within: 1.0,
                nearest: means.nearest[i],
                neighbour: means.neighbour[i],
            })
            .collect();
        let weighted = weighted_distances(&values, width, &ends, &parts).unwrap();
        bits(
            weighted
                .into_iter()
                .chain([expected, extremes.within, extremes.between]),
        )
    });
}

#[test]
fn tables_of_labels_are_measured_row_by_row_in_any_layout() {
    fuzz("tables", |draw| {
        let (rows, columns) = (draw.upto(4), draw.upto(6));
        let cells = rows * columns;
        let scores: Vec<f64> = (0..cells).map(|_| draw.finite()).collect();
        let truth: Vec<bool> = (0..cells).map(|_| draw.odds(2)).collect();
        let grades: Vec<f32> = (0..cells)
            .map(|_| draw.pick(&[0.0, 1.0, 2.0, 0.5, 3.0]))
            .collect();
        let measure = draw.pick(&["precision", "loss", "coverage", "one_error"]);
        let ties = if measure == "loss" {
            ["whole", "half", "none"][draw.upto(2)]
        } else {
            ["last", "average", "best", "worst"][draw.upto(3)]
        };
        let named = Measure::named(measure, ties).unwrap();
        let how = Dcg {
            cutoff: draw.odds(2).then(|| draw.upto(7)),
            exponential: draw.odds(2),
            average: draw.odds(2),
            normalised: draw.odds(2),
        };
        fn turned<T: Copy>(cells: &[T], rows: usize, columns: usize) -> Vec<T> {
            (0..cells.len())
                .map(|i| cells[i % rows * columns + i / rows])
                .collect()
        }
        let both = |by_column: bool| {
            let of = |s: &[f64], t: &[bool], g: &[f32]| {
                let (s, t) = (
                    Rows::new(s, rows, columns, by_column).unwrap(),
                    Rows::new(t, rows, columns, by_column).unwrap(),
                );
                let g = Rows::new(g, rows, columns, by_column).unwrap();
                let mut values = measure_rows(named, &t, &s).unwrap();
                values.extend(dcg_of_rows(how, &g, &s).unwrap());
                values
            };
            if by_column {
                of(
                    &turned(&scores, rows, columns),
                    &turned(&truth, rows, columns),
                    &turned(&grades, rows, columns),
                )
            } else {
                of(&scores, &truth, &grades)
            }
        };
        let values = both(false);
        assert_eq!(
            bits(values.iter().copied()),
            bits(both(true)),
            "{measure} {ties} {how:?} {scores:?}"
        );
        for (i, value) in values.iter().enumerate() {
            let one = i < rows && measure != "coverage" || i >= rows && how.normalised;
            let most = if one { 1.0 + 1e-12 } else { f64::INFINITY };
            assert!(
                value.is_nan() || (0.0..=most).contains(value),
                "{measure} {ties} {how:?} {scores:?} {truth:?} {grades:?} {value}"
            );
        }
        bits(values)
    });
}
