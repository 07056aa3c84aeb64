use super::*;
use crate::scores::{auc_influence, packed, ranked, sort};

/// Random scores with ties, in more than a block, and weights.
fn samples(size: u64, distinct: u64) -> (Vec<f64>, Vec<bool>, Vec<f64>) {
    let random = |i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23) >> 20;
    let (scores, others): (Vec<_>, Vec<_>) = (0..size)
        .map(|i| {
            let score = (random(3 * i) % distinct) as f64 / 7.0 - 3.0;
            let weight = (1 + random(3 * i + 2) % 1000) as f64 / 8.0;
            (score, (random(3 * i + 1) % 3 == 0, weight))
        })
        .unzip();
    let (truth, weights) = others.into_iter().unzip();
    (scores, truth, weights)
}

fn sorted(scores: &[f64], truth: &[bool], weights: &[f64]) -> (Vec<u8>, Vec<f64>) {
    let (mut keys, mut found) = (vec![0; scores.len()], vec![0.0; scores.len()]);
    let mut marks = vec![0; scores.len()];
    assert_eq!(packed(scores, truth, &mut keys), Ok(()));
    sort(&mut keys);
    let written = weights_by_score(&keys, scores, weights, &mut found, &mut marks);
    assert_eq!(written, Ok(()));
    (marks, found)
}

#[test]
fn weights_follow_their_scores_and_ties_their_class_and_weight() {
    for distinct in [1, 5, 50, u64::MAX] {
        let (scores, truth, weights) = samples(400, distinct);
        let (marks, found) = sorted(&scores, &truth, &weights);
        let mut order = ranked(&scores, &truth).unwrap_or_default().0;
        order.sort_by(|a, b| {
            let [a, b] = [*a, *b].map(|i| i as usize);
            let by_score = scores[b].total_cmp(&scores[a]);
            let by_class = by_score.then(truth[a].cmp(&truth[b]));
            by_class.then(weights[a].total_cmp(&weights[b]))
        });
        for (place, index) in order.iter().map(|i| *i as usize).enumerate() {
            let next = order.get(place + 1).map(|i| scores[*i as usize]);
            assert_eq!(found[place], weights[index]);
            assert_eq!(marks[place] & POSITIVE != 0, truth[index]);
            assert_eq!(marks[place] & LAST != 0, next != Some(scores[index]));
        }
    }
}

#[test]
fn value_and_errors_are_those_of_the_influence_values() {
    for (size, distinct) in [(2000, 30), (2000, u64::MAX), (40, 3), (9, 4)] {
        let (scores, truth, weights) = samples(size, distinct);
        let (marks, weights) = sorted(&scores, &truth, &weights);
        let found = weighted_auc(&marks, &weights);
        let expected = auc_influence(&marks, &weights);
        assert_eq!(found.value, expected.value);
        for (side, positive) in found.sides.iter().zip([true, false]) {
            let own = |i: &usize| (marks[*i] & POSITIVE != 0) == positive;
            let mine: Vec<usize> = (0..marks.len()).filter(own).collect();
            let total: f64 = mine.iter().map(|i| weights[*i]).sum();
            let (mut squared, mut shares) = (0.0, 0.0);
            for &i in &mine {
                let share = weights[i] / total;
                squared += expected.terms[i].powi(2) / (1.0 - share);
                shares += share * share;
            }
            assert!((side.squared / squared - 1.0).abs() < 1e-12);
            assert!((side.size * shares - 1.0).abs() < 1e-12);
            assert!(side.freedom > 0.0 && side.freedom < mine.len() as f64);
        }
    }
}

#[test]
fn a_perfect_order_has_no_spread_and_a_single_sample_none_that_is_known() {
    let marks = [POSITIVE | LAST, POSITIVE | LAST, LAST, LAST, LAST];
    let found = weighted_auc(&marks, &[0.1, 0.7, 0.3, 1e-9, 5.3]);
    assert_eq!(found.value, 1.0);
    let spread = found.sides.map(|side| (side.variance, side.squared));
    assert_eq!(spread, [(0.0, 0.0); 2]);
    let single = weighted_auc(&[POSITIVE | LAST, LAST, LAST], &[2.0, 1.0, 4.0]).sides[0];
    assert!(single.variance.is_nan() && single.squared.is_nan() && single.freedom.is_nan());
    assert_eq!(single.size, 1.0);
}

#[test]
fn lengths_that_do_not_fit_are_refused() {
    let refused = |weights: usize, keys: &[u64], marks: usize| {
        let (mut sorted, mut marked) = ([0.0], vec![0; marks]);
        weights_by_score(
            keys,
            &[1.0_f64],
            &vec![1.0; weights],
            &mut sorted,
            &mut marked,
        )
        .is_err()
    };
    assert!(!refused(1, &[0], 1));
    assert!(refused(2, &[0], 1));
    assert!(refused(1, &[], 1));
    assert!(refused(1, &[0], 2));
    assert!(refused(1, &[2], 1));
}
