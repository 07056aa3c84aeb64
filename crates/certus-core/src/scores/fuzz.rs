//! Random scores of two classes through all score kernels.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::fuzz::{Random, bits, fuzz};

fn metric(draw: &mut Random) -> Metric {
    let share: f64 = draw.pick(&[0.0, 0.1, 0.25, 0.5, 0.9, 1.0]);
    match draw.below(14) {
        0 => Metric::Auc,
        1 => Metric::PartialAuc(Part::MaxFpr(share.max(0.1))),
        2 => Metric::PartialAuc(Part::MinTpr(share.min(0.9))),
        3 => Metric::Ks {
            either_side: draw.odds(2),
        },
        4 => Metric::AveragePrecision,
        5 => Metric::TrapezoidPrecision,
        6 => Metric::CurvedPrecision,
        7 => Metric::ElevenPointPrecision,
        8 => Metric::BreakEven,
        9 => Metric::PrecisionAtRecall(share),
        10 => Metric::RecallAtPrecision(share),
        11 => Metric::GainAt(share.max(0.1)),
        12 => Metric::Positives,
        _ => Metric::Samples,
    }
}

fn score(draw: &mut Random) -> f64 {
    match draw.below(12) {
        0 => draw.pick(&[f64::INFINITY, f64::NEG_INFINITY, -0.0, f64::MAX]),
        _ => draw.finite(),
    }
}

fn samples(draw: &mut Random) -> (Vec<f64>, Vec<bool>) {
    let scores = draw.list(24, score);
    let truth = scores.iter().map(|_| draw.odds(2)).collect();
    (scores, truth)
}

fn sorted(scores: &[f64], truth: &[bool]) -> [Vec<f64>; 2] {
    let ours = truth.iter().filter(|positive| **positive).count();
    let (mut p, mut n) = (vec![0; ours], vec![0; truth.len() - ours]);
    sides(scores, truth, &mut p, &mut n).unwrap();
    [p, n].map(|side| side.into_iter().map(f64::from_bits).collect())
}

#[test]
fn score_metrics_see_the_order_of_scores_only_and_are_within_range() {
    fuzz("scores", |draw| {
        let ((scores, truth), metric) = (samples(draw), metric(draw));
        let [p, n] = sorted(&scores, &truth);
        let said = || format!("{metric:?} of {p:?} and {n:?}");
        assert!(p.is_sorted() && n.is_sorted(), "{}", said());
        let value = metric_of_sides(metric, &p, &n);
        let count = matches!(metric, Metric::Positives | Metric::Samples);
        assert!(
            value.is_nan() || count || (-1e-12..=1.0 + 1e-12).contains(&value),
            "{value}: {}",
            said()
        );
        // samples in another order, by marks, by rows, with masses of one, as ranks, and in single precision
        let mut order: Vec<usize> = (0..scores.len()).collect();
        draw.shuffle(&mut order);
        let turned: Vec<f64> = order.iter().map(|&i| scores[i]).collect();
        let classes: Vec<bool> = order.iter().map(|&i| truth[i]).collect();
        assert_eq!(
            sorted(&turned, &classes),
            [p.clone(), n.clone()],
            "{}",
            said()
        );
        let marks = marks_of(&p, &n);
        let other = ranked(&turned, &classes).unwrap().1;
        let ones = vec![1.0; marks.len()];
        assert_eq!(
            sums_of_order(&marks, &ones),
            sums_of_order(&other, &ones),
            "{}",
            said()
        );
        let found = [
            metric_of_order(metric, &marks, &vec![1.0; marks.len()]),
            metric_of_order(metric, &marks, &vec![1_u8; marks.len()]),
            metric_of_rows(metric, &classes, &turned, classes.len())
                .first()
                .map_or(value, |v| *v),
        ];
        for again in found {
            let near = again.is_nan() && value.is_nan()
                || (again - value).abs() <= 1e-12 * value.abs().max(1.0);
            assert!(near, "{value} {again}: {}", said());
        }
        let mut distinct: Vec<f64> = scores.iter().map(|s| s + 0.0).collect();
        distinct.sort_by(f64::total_cmp);
        distinct.dedup();
        let rank = |s: &f64| distinct.partition_point(|d| d < s) as f32;
        let (low, high): (Vec<f32>, Vec<f32>) =
            (p.iter().map(rank).collect(), n.iter().map(rank).collect());
        assert_eq!(
            bits([metric_of_sides(metric, &low, &high)]),
            bits([value]),
            "{}",
            said()
        );
        bits([value])
    });
}

#[test]
fn auc_counts_pairs_and_the_curve_passes_every_sample() {
    fuzz("auc", |draw| {
        let (scores, truth) = samples(draw);
        let [p, n] = sorted(&scores, &truth);
        let found = auc(&p, &n).unwrap();
        let twice = |a: f64, b: f64| u128::from(a > b) * 2 + u128::from(a == b);
        let wins: u128 = p
            .iter()
            .map(|&a| n.iter().map(|&b| twice(a, b)).sum::<u128>())
            .sum();
        assert_eq!(found.twice_wins, wins, "{p:?} {n:?}");
        let other = auc(&n, &p).unwrap();
        assert_eq!(2 * (p.len() * n.len()) as u128 - wins, other.twice_wins);
        assert_eq!(
            (found.positives, found.negatives),
            (other.negatives, other.positives)
        );
        let places = scores.len() + 1;
        let (mut at, mut tp, mut fp) = (vec![0.0; places], vec![0; places], vec![0; places]);
        let points = points(&p, &n, &mut at, &mut tp, &mut fp).unwrap();
        for i in 0..points {
            let passed =
                |side: &[f64]| side.iter().filter(|s| **s >= at[i] && i > 0).count() as i64;
            assert_eq!(
                (tp[i], fp[i]),
                (passed(&p), passed(&n)),
                "{p:?} {n:?} {at:?}"
            );
        }
        let steps = steps(&p, &n);
        assert_eq!(steps.positives.iter().sum::<i64>() as usize, p.len());
        let precision = average_precision(&p, &n);
        let moments = precision.moments;
        assert!(
            moments
                .iter()
                .all(|m| (m.powers[0].is_nan() || m.powers[0] >= -1e-9)
                    && m.least <= 0.0
                    && m.greatest >= 0.0),
            "{p:?} {n:?} {moments:?}"
        );
        bits([
            precision.value,
            precision.positives,
            precision.negatives,
            precision.by_odds,
        ])
    });
}

#[test]
fn resamples_and_influence_take_any_weights() {
    fuzz("resamples", |draw| {
        let ((scores, truth), metric) = (samples(draw), metric(draw));
        let (_, marks) = ranked(&scores, &truth).unwrap();
        let size = if draw.odds(3) {
            draw.upto(6)
        } else {
            marks.len()
        };
        let long = |draw: &mut Random| {
            if draw.odds(16) {
                draw.upto(9)
            } else {
                marks.len()
            }
        };
        let weights: Vec<f64> = (0..long(draw)).map(|_| draw.any().abs()).collect();
        let most = size as u64 + u64::from(draw.odds(16));
        let units: Vec<u32> = (0..long(draw))
            .map(|_| draw.below(most.max(1)) as u32)
            .collect();
        let strata: Vec<u32> = (0..size).map(|_| draw.below(3) as u32).collect();
        let sampled = Sampled {
            marks: &marks,
            weights: draw.odds(2).then_some(weights.as_slice()),
            units: (size != marks.len() || draw.odds(2)).then_some(units.as_slice()),
            size,
            strata: draw.odds(2).then_some(strata.as_slice()),
        };
        let seed = draw.next();
        let found = bootstrap(sampled, metric, 3, seed);
        assert_eq!(bootstrap_hulls(sampled, 2, seed).is_ok(), found.is_ok());
        let Ok(values) = found else { return 0 };
        assert_eq!(values.len(), 3);
        let masses: Vec<f64> = marks.iter().map(|_| draw.below(4) as f64).collect();
        let found = [
            auc_influence(&marks, &masses),
            average_precision_influence(&marks, &masses),
        ];
        for influence in &found {
            let size = influence.terms.iter().map(|t| t.abs()).sum::<f64>();
            let sum = influence.terms.iter().sum::<f64>();
            assert!(
                sum.is_nan() || sum.abs() <= 1e-12 * size.max(1.0),
                "{masses:?} {marks:?} {sum}"
            );
        }
        bits(values.into_iter().chain([found[0].value, found[1].value]))
    });
}

#[test]
fn parts_have_the_area_of_their_own_samples() {
    fuzz("parts", |draw| {
        let (scores, truth) = samples(draw);
        let size = draw.upto(4);
        let wrong = u64::from(draw.odds(16));
        let codes: Vec<u32> = scores
            .iter()
            .map(|_| draw.below((size as u64 + wrong).max(1)) as u32)
            .filter(|_| size > 0)
            .collect();
        let fits = codes.len() == scores.len() && codes.iter().all(|&code| (code as usize) < size);
        let found = auc_of_parts(&scores, &truth, &codes, size);
        assert_eq!(found.is_ok(), fits, "{codes:?} {size}");
        let Ok(found) = found else { return 0 };
        let (order, ends) = order_of_codes(&codes, size).unwrap();
        let mut sorted_order: Vec<i64> = (0..codes.len() as i64).collect();
        sorted_order.sort_by_key(|&i| codes[i as usize]);
        assert_eq!(order, sorted_order, "{codes:?}");
        for (code, part) in found.iter().enumerate() {
            let from = if code == 0 {
                0
            } else {
                ends[code - 1] as usize
            };
            let own = &order[from..ends[code] as usize];
            let of: Vec<f64> = own.iter().map(|&i| scores[i as usize]).collect();
            let classes: Vec<bool> = own.iter().map(|&i| truth[i as usize]).collect();
            let [p, n] = sorted(&of, &classes);
            assert_eq!((part.positives, part.negatives), (p.len(), n.len()));
            assert_eq!(
                part.auc,
                auc(&p, &n).unwrap(),
                "{scores:?} {truth:?} {codes:?}"
            );
            for losses in &part.losses {
                let fine = losses.beyond >= 1.0 && losses.mean <= 1.0 && losses.greatest <= 1.0;
                assert!(
                    p.is_empty() || n.is_empty() || fine,
                    "{p:?} {n:?} {losses:?}"
                );
            }
        }
        bits(found.iter().map(|part| part.losses[0].mean))
    });
}
